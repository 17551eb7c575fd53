/** Whoever wants something waits until it is their turn: only so many have it at a time, the first who asked first. */

export class Turns {
  readonly #most: number;
  #taken = 0;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#most = most;
  }

  /** `begin` is called when it is their turn. The answer ends that, or the waiting, and may be called twice. */
  take(begin: () => void): () => void {
    let isTaken = false;
    let isOver = false;
    const start = (): void => {
      isTaken = true;
      this.#taken++;
      begin();
    };
    this.#waiting.add(start);
    this.#next();
    return () => {
      if (isOver) return;
      isOver = true;
      this.#waiting.delete(start);
      if (isTaken) this.#taken--;
      this.#next();
    };
  }

  #next(): void {
    const [first] = this.#taken < this.#most ? this.#waiting : [];
    if (!first) return;
    this.#waiting.delete(first);
    first();
  }
}
