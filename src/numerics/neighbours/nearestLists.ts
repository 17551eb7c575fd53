/** The nearest rows found so far, a list for each query, while rows are offered in any order. */

export class NearestLists {
  /** The length of each list. */
  readonly count: number;
  /** Squared distances, one list after the other, each from the least; Infinity where nothing was found yet. */
  readonly squared: Float64Array;
  /** The rows that have them; −1 where nothing was found yet. */
  readonly rows: Int32Array;

  constructor(queries: number, count: number) {
    this.count = count;
    this.squared = new Float64Array(queries * count).fill(Number.POSITIVE_INFINITY);
    this.rows = new Int32Array(queries * count).fill(-1);
  }

  /**
   * Takes a row into a query's list if it is nearer than the last one there. Of equally near rows the one with the
   * smaller number is the nearer: so the list does not depend on the order in which rows are offered. A distance that
   * is not a finite number is never taken.
   */
  offer(query: number, squared: number, row: number): void {
    const { squared: distances, rows } = this;
    const first = query * this.count;
    let at = first + this.count - 1;
    if (!isNearer(squared, row, distances[at]!, rows[at]!)) return;
    for (; at > first && isNearer(squared, row, distances[at - 1]!, rows[at - 1]!); at--) {
      distances[at] = distances[at - 1]!;
      rows[at] = rows[at - 1]!;
    }
    distances[at] = squared;
    rows[at] = row;
  }
}

function isNearer(squared: number, row: number, thanSquared: number, thanRow: number): boolean {
  return squared < thanSquared || (squared === thanSquared && row < thanRow);
}
