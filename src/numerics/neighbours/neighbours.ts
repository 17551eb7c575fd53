/** The nearest rows of rows: one search, exact unless its caller declares that an approximate one will do. */

import type { Tensor } from "../../tensor/tensor.ts";
import type { Pace } from "../pace.ts";
import { type Axes, firstAxes, principalAxes, projected } from "../principalAxes.ts";
import { compareAllPairs } from "./allPairs.ts";
import { type KdTree, KdTreeSearch, kdTreeOf } from "./kdTree.ts";
import { NearestLists } from "./nearestLists.ts";

/** For each row its nearest ones, from the nearest; of equally near ones, that with the smaller number comes first. */
export interface Neighbours {
  /** How many each row has. */
  readonly count: number;
  /** [n, count]. A row that is not finite is nobody's neighbour and has none: −1. */
  readonly rows: Int32Array;
  /** How far they are, [n, count]. */
  readonly distances: Float64Array;
}

export interface NeighbourOptions {
  /**
   * Less work for a picture, which may miss neighbours: rows of more than 16 columns are compared along their first 16
   * principal axes, and a search ends after 2¹⁸ numbers. In ten columns of real codes it ends long before, and finds
   * all; of the 15 nearest digits, as pixels, it finds 57 % (docs/map.md).
   */
  readonly approximate?: boolean;
  /**
   * The first 16 principal axes of the rows, or more, where they are known already: only the approximate search needs
   * them.
   */
  readonly axes?: Axes;
}

/**
 * Up to so many columns a tree finds all neighbours with a fraction of the distances; in hundreds of columns it would
 * look at all rows.
 */
export const treeColumns = 16;

/** An approximate search ends after so many numbers. */
const mostNumbers = 2 ** 18;

/** The nearest `count` rows of each of the rows, itself left out; exact. */
export async function neighbours(rows: Tensor<"float32">, count: number, pace: Pace): Promise<Neighbours> {
  return (await NeighbourSearch.among(rows, pace)).ofEach(count, pace);
}

/** Rows that are ready to be searched. */
export class NeighbourSearch {
  readonly #rows: Tensor<"float32">;
  readonly #tree: KdTree | undefined;
  readonly #axes: Axes | undefined;
  readonly #mostRows: number;

  private constructor(
    rows: Tensor<"float32">,
    tree: KdTree | undefined,
    axes: Axes | undefined,
    mostRows = Number.POSITIVE_INFINITY,
  ) {
    this.#rows = rows;
    this.#tree = tree;
    this.#axes = axes;
    this.#mostRows = mostRows;
  }

  /**
   * Exact: by a k-d tree up to 16 columns, by all pairs beyond. Measured with 70,000 digits as codes [n, 10] and 15
   * neighbours: 6 s by the tree, which looks at a twentieth of all pairs.
   */
  static async among(
    rows: Tensor<"float32">,
    pace: Pace,
    { approximate = false, axes }: NeighbourOptions = {},
  ): Promise<NeighbourSearch> {
    const isNarrow = rows.shape[1]! <= treeColumns;
    if (!approximate) return new NeighbourSearch(rows, isNarrow ? await kdTreeOf(rows, pace) : undefined, undefined);
    const first = isNarrow ? undefined : firstAxes(axes ?? (await principalAxes(rows, treeColumns, pace)), treeColumns);
    const compared = first ? await projected(rows, first, pace) : rows;
    const mostRows = Math.ceil(mostNumbers / compared.shape[1]!);
    return new NeighbourSearch(compared, await kdTreeOf(compared, pace), first, mostRows);
  }

  /** The nearest of the rows for each of them, itself left out; fewer than wanted where there are fewer rows. */
  ofEach(count: number, pace: Pace): Promise<Neighbours> {
    return this.#find(this.#rows, Math.min(count, this.#rows.shape[0]! - 1), true, pace);
  }

  /**
   * The nearest of the rows for others of as many columns. Where a tree is searched, an approximate search may end
   * earlier than usual, after so many numbers.
   */
  async of(others: Tensor<"float32">, count: number, pace: Pace, numbers?: number): Promise<Neighbours> {
    const queries = this.#axes ? await projected(others, this.#axes, pace) : others;
    const mostRows = numbers === undefined ? this.#mostRows : Math.ceil(numbers / queries.shape[1]!);
    return this.#find(queries, Math.min(count, this.#rows.shape[0]!), false, pace, mostRows);
  }

  async #find(
    queries: Tensor<"float32">,
    count: number,
    own: boolean,
    pace: Pace,
    mostRows = this.#mostRows,
  ): Promise<Neighbours> {
    const n = queries.shape[0]!;
    const lists = new NearestLists(n, count);
    if (count > 0 && this.#tree) {
      const search = new KdTreeSearch(this.#tree, lists, mostRows);
      for (let i = 0; i < n; i++) {
        if (i % 32 === 0) await pace();
        search.find(queries.data, i, own ? i : -1);
      }
    } else if (count > 0) await compareAllPairs(queries, this.#rows, lists, own, pace);
    return { count, rows: lists.rows, distances: lists.squared.map(Math.sqrt) };
  }
}
