/**
 * A k-d tree (Friedman, Bentley & Finkel, 1977): the nearest rows of a row without looking at all of them, for rows of
 * few columns.
 */

import type { Tensor } from "../../tensor/tensor.ts";
import type { Pace } from "../pace.ts";
import type { NearestLists } from "./nearestLists.ts";

/** Rows in halves of halves, each half cut at the median of the column that varies most in it. */
export interface KdTree {
  readonly d: number;
  /** The rows, in the order of the leaves; without those that are not finite. */
  readonly order: Int32Array;
  /** Their values, so that a leaf is one piece of memory. */
  readonly sorted: Float32Array;
  /**
   * Node i has the halves 2i + 1 and 2i + 2; from `column.length` on they are leaves. Its rows are from starts[i] to
   * ends[i].
   */
  readonly column: Int32Array;
  readonly cut: Float32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** The smallest row number in each node. */
  readonly firstRow: Int32Array;
}

/** About so many rows in a leaf: fewer cost more steps, more cost more distances. */
const leaf = 12;

/**
 * The bound of a half is a sum and a difference of rounded squares: so much larger than a distance it must be, as a
 * share, to be larger indeed.
 */
const roundingMargin = 1e-12;

export async function kdTreeOf({ data, shape }: Tensor<"float32">, pace: Pace): Promise<KdTree> {
  const d = shape[1]!;
  const order = finiteRows(data, shape[0]!, d);
  const n = order.length;
  const inner = 2 ** Math.max(0, Math.ceil(Math.log2(n / leaf))) - 1;
  const column = new Int32Array(inner);
  const cut = new Float32Array(inner);
  const starts = new Int32Array(2 * inner + 1);
  const ends = new Int32Array(2 * inner + 1);
  ends[0] = n;
  const keys = new Float32Array(shape[0]!);
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
  const firstRow = starts.map((start, node) =>
    order.subarray(start, ends[node]).reduce((a, b) => Math.min(a, b), keys.length),
  );
  return { d, order, sorted, column, cut, starts, ends, firstRow };
}

function finiteRows(data: Float32Array, n: number, d: number): Int32Array {
  return Int32Array.from({ length: n }, (_, i) => i).filter((i) =>
    data.subarray(i * d, (i + 1) * d).every(Number.isFinite),
  );
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

/** One search of the tree after the other. */
export class KdTreeSearch {
  readonly #tree: KdTree;
  readonly #lists: NearestLists;
  readonly #mostRows: number;
  readonly #values: Float64Array;
  /** How far the query is from the half that is being searched, by column. */
  readonly #away: Float64Array;
  #query = 0;
  /** Where the last one of the query's list stands. */
  #last = 0;
  #without = -1;
  #rowsLeft = 0;

  /** With a limit, a search is over once it has looked at so many rows, and may have missed nearer ones. */
  constructor(tree: KdTree, lists: NearestLists, mostRows = Number.POSITIVE_INFINITY) {
    this.#tree = tree;
    this.#lists = lists;
    this.#mostRows = mostRows;
    this.#values = new Float64Array(tree.d);
    this.#away = new Float64Array(tree.d);
  }

  /** Fills the list of a query, a row of some rows of the tree's width, with one of the tree's own rows left out. */
  find(queries: Float32Array, query: number, without = -1): void {
    const { d, order } = this.#tree;
    for (let c = 0; c < d; c++) this.#values[c] = queries[query * d + c]!;
    // Nothing is near to what is not finite.
    if (order.length === 0 || !this.#values.every(Number.isFinite)) return;
    this.#away.fill(0);
    this.#query = query;
    this.#last = (query + 1) * this.#lists.count - 1;
    this.#without = without;
    this.#rowsLeft = this.#mostRows;
    this.#visit(0, 0);
  }

  /** Looks into a node, of which no row is nearer than the squared distance `least`. */
  #visit(node: number, least: number): void {
    const { column, cut } = this.#tree;
    if (node >= column.length) {
      this.#compare(node);
      return;
    }
    const c = column[node]!;
    const beyond = this.#values[c]! - cut[node]!;
    // Of equal rows, the left half has those with smaller numbers.
    const near = beyond <= 0 ? 2 * node + 1 : 2 * node + 2;
    this.#visit(near, least);
    const before = this.#away[c]!;
    // The other half begins at the cut: in this column the distance is at least the distance to it.
    const further = least - before * before + beyond * beyond;
    const far = 4 * node + 3 - near;
    if (this.#rowsLeft <= 0 || this.#isTooFar(far, further, beyond)) return;
    this.#away[c] = beyond;
    this.#visit(far, further);
    this.#away[c] = before;
  }

  /** Whether no row of a node, `beyond` a cut and with squared distances of `least` or more, can come into the list. */
  #isTooFar(node: number, least: number, beyond: number): boolean {
    const { squared, rows } = this.#lists;
    const farthest = squared[this.#last]!;
    // A list of equal rows is full of zeros: without this, all that are equal would be looked at, from each of them.
    if (farthest === 0) return beyond !== 0 || this.#tree.firstRow[node]! > rows[this.#last]!;
    return least > farthest * (1 + roundingMargin);
  }

  #compare(node: number): void {
    const { d, order, sorted, starts, ends } = this.#tree;
    const values = this.#values;
    const { squared } = this.#lists;
    for (let at = starts[node]!; at < ends[node]!; at++) {
      let distance = 0;
      for (let c = 0, from = at * d; c < d; c++, from++) {
        const difference = values[c]! - sorted[from]!;
        distance += difference * difference;
      }
      if (distance <= squared[this.#last]! && order[at] !== this.#without) {
        this.#lists.offer(this.#query, distance, order[at]!);
      }
    }
    this.#rowsLeft -= ends[node]! - starts[node]!;
  }
}
