/** The nearest rows of a row, found in a tree. */

import type { Tensor } from "../tensor/tensor.ts";
import type { Pace } from "./pace.ts";

/** Rows in halves of halves, each half cut at the median of the column that varies most in it (Friedman, Bentley & Finkel's k-d tree, 1977). */
export interface Tree {
  readonly d: number;
  /** The rows of the codes, in the order of the leaves. */
  readonly order: Int32Array;
  /** Their values, so that a leaf is one piece of memory. */
  readonly sorted: Float32Array;
  /** Node i has the halves 2i + 1 and 2i + 2; from `column.length` on they are leaves. Its rows are from starts[i] to ends[i]. */
  readonly column: Int32Array;
  readonly cut: Float32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** About so many rows in a leaf: fewer cost more steps, more cost more distances. */
const leaf = 12;

/** A search ends after so many numbers. In ten columns of real codes it ends long before, and is exact; only rows without any structure get so far. */
const seen = 2 ** 18;

export async function treeOf({ data, shape }: Tensor<"float32">, pace: Pace): Promise<Tree> {
  const [n, d] = shape as [number, number];
  const inner = 2 ** Math.max(0, Math.ceil(Math.log2(n / leaf))) - 1;
  const order = Int32Array.from({ length: n }, (_, i) => i);
  const column = new Int32Array(inner);
  const cut = new Float32Array(inner);
  const starts = new Int32Array(2 * inner + 1);
  const ends = new Int32Array(2 * inner + 1);
  ends[0] = n;
  const keys = new Float32Array(n);
  for (let node = 0; node < inner; node++) {
    await pace();
    const [start, end] = [starts[node]!, ends[node]!];
    const middle = (start + end) >> 1;
    const rows = order.subarray(start, end);
    const c = widest(data, rows, d);
    for (const row of rows) keys[row] = data[row * d + c]!;
    rows.sort((a, b) => keys[a]! - keys[b]! || a - b);
    column[node] = c;
    cut[node] = keys[order[middle]!]!;
    starts.set([start, middle], 2 * node + 1);
    ends.set([middle, end], 2 * node + 1);
  }
  const sorted = new Float32Array(n * d);
  order.forEach((row, at) => {
    sorted.set(data.subarray(row * d, (row + 1) * d), at * d);
  });
  return { d, order, sorted, column, cut, starts, ends };
}

/** The column with the greatest variance among some rows. */
function widest(data: Float32Array, rows: Int32Array, d: number): number {
  let [best, which] = [-1, 0];
  for (let c = 0; c < d; c++) {
    let [sum, squares] = [0, 0];
    const first = data[rows[0]! * d + c]!;
    for (const row of rows) {
      const value = data[row * d + c]! - first;
      sum += value;
      squares += value * value;
    }
    const variance = squares - (sum * sum) / rows.length;
    if (variance > best) [best, which] = [variance, c];
  }
  return which;
}

/** One search after the other for so many nearest rows. */
export class Search {
  /** Squared distances, from the least; Infinity where there are not so many rows. */
  readonly distances: Float64Array;
  /** The rows that have them; −1 where there are not so many. */
  readonly rows: Int32Array;
  readonly #tree: Tree;
  readonly #query: Float64Array;
  /** How far the query is from the half that is being searched, by column. */
  readonly #away: Float64Array;
  #left = 0;

  constructor(tree: Tree, count: number) {
    this.distances = new Float64Array(count);
    this.rows = new Int32Array(count);
    this.#tree = tree;
    this.#query = new Float64Array(tree.d);
    this.#away = new Float64Array(tree.d);
  }

  /** Finds the nearest of the tree's rows for a row of some codes, one of the tree's own rows left out. */
  find(codes: Float32Array, row: number, without = -1): void {
    const { d, order } = this.#tree;
    for (let c = 0; c < d; c++) this.#query[c] = codes[row * d + c]!;
    this.#away.fill(0);
    this.distances.fill(Number.POSITIVE_INFINITY);
    this.rows.fill(-1);
    this.#left = Math.ceil(seen / d);
    this.#visit(0, 0, without);
    for (let j = 0; j < this.rows.length; j++) if (this.rows[j]! >= 0) this.rows[j] = order[this.rows[j]!]!;
  }

  /** Looks into a node, of which no row is nearer than the squared distance `least`. */
  #visit(node: number, least: number, without: number): void {
    const { column, cut } = this.#tree;
    if (node >= column.length) {
      this.#compare(node, without);
      return;
    }
    const c = column[node]!;
    const beyond = this.#query[c]! - cut[node]!;
    const near = beyond < 0 ? 2 * node + 1 : 2 * node + 2;
    this.#visit(near, least, without);
    const before = this.#away[c]!;
    // The other half begins at the cut: in this column the distance is at least the distance to it.
    const further = least - before * before + beyond * beyond;
    if (this.#left <= 0 || further >= this.distances[this.distances.length - 1]!) return;
    this.#away[c] = beyond;
    this.#visit(4 * node + 3 - near, further, without);
    this.#away[c] = before;
  }

  #compare(node: number, without: number): void {
    const { d, order, sorted, starts, ends } = this.#tree;
    const { distances, rows } = this;
    const query = this.#query;
    const last = distances.length - 1;
    for (let at = starts[node]!; at < ends[node]!; at++) {
      let distance = 0;
      for (let c = 0, from = at * d; c < d; c++, from++) {
        const difference = query[c]! - sorted[from]!;
        distance += difference * difference;
      }
      if (distance >= distances[last]! || order[at] === without) continue;
      let place = last;
      for (; place > 0 && distances[place - 1]! > distance; place--) {
        distances[place] = distances[place - 1]!;
        rows[place] = rows[place - 1]!;
      }
      distances[place] = distance;
      rows[place] = at;
    }
    this.#left -= ends[node]! - starts[node]!;
  }
}
