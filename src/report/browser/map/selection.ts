/** Which cluster a map shows alone: the one that is pointed at, else the one that was pressed. */

/** No cluster. */
export const none = -1;

export class Selection {
  #pressed = none;
  #pointed = none;
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get alone(): number {
    return this.#pointed === none ? this.#pressed : this.#pointed;
  }

  get pressed(): number {
    return this.#pressed;
  }

  point(cluster: number): void {
    if (cluster === this.#pointed) return;
    this.#pointed = cluster;
    this.#onChange();
  }

  /** Keeps it so; pressed again, it is let go. */
  press(cluster: number): void {
    this.#pressed = cluster === this.#pressed ? none : cluster;
    this.#onChange();
  }

  letGo(): void {
    if (this.#pressed === none) return;
    this.#pressed = none;
    this.#onChange();
  }
}
