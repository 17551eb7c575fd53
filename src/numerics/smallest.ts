/** The few things with the smallest keys, of as many as pass by. */

export class Smallest<T> {
  readonly #count: number;
  readonly #kept: { readonly key: number; readonly item: T }[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  /** Takes a thing if it is among the smallest so far; of equals, the first stay. It is only made if it is taken. */
  offer(key: number, make: () => T): void {
    const kept = this.#kept;
    if (this.#count === 0 || (kept.length === this.#count && key >= kept.at(-1)!.key)) return;
    let at = kept.length;
    while (at > 0 && kept[at - 1]!.key > key) at--;
    kept.splice(at, 0, { key, item: make() });
    if (kept.length > this.#count) kept.pop();
  }

  /** The smallest first. */
  items(): T[] {
    return this.#kept.map(({ item }) => item);
  }
}
