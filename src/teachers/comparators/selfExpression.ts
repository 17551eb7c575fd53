/**
 * What self-expressive methods have in common: rows of length 1, each written as a sum of the others. All that they
 * need of the rows is X = VΣUᵀ.
 *
 *   X  the rows of length 1 [n, d]      V  left singular vectors [n, r]      σ  singular values
 */

import { distinctRows } from "../../numerics/distinctRows.ts";
import { unitTensor } from "../../numerics/kmeans.ts";
import { scaledRows, transposed } from "../../numerics/matrix.ts";
import { type ThinSvd, thinSvd } from "../../numerics/thinSvd.ts";
import { type NumberOption, type OptionTable, whole } from "../../options.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import type { Division } from "../partition.ts";
import { type Teacher, teacher, type Work } from "../teacher.ts";
import { divideAffinity, fullProduct, mostRows } from "./affinity.ts";

export function axes(fallback: number): NumberOption {
  return whole("How many singular vectors of the rows are kept; 0 keeps all.", fallback);
}

type WithAxes = OptionTable & { readonly axes: NumberOption };

interface SelfExpressive<T extends WithAxes> {
  readonly name: string;
  readonly about: string;
  readonly paper: string;
  readonly most?: number;
  readonly options: T;
  /** W, from what the rows are. */
  affinity(expressed: Expressed, work: Work<T>): Promise<Tensor<"float32">>;
}

/** Who multiplies, and when others have their turn. */
export type Products = Pick<Work, "multiply" | "pace">;

export interface Expressed extends ThinSvd {
  /** X. */
  readonly x: Tensor<"float32">;
}

/** A teacher that writes rows as sums of rows, and divides by who needs whom. */
export function selfExpressive<const T extends WithAxes>(declared: SelfExpressive<T>): Teacher {
  const { name, about, paper, options, affinity, most = mostRows } = declared;
  return teacher<T>({
    name,
    about,
    paper,
    most,
    options,
    clusters: "told",
    async divide(rows: Tensor<"float32">, work: Work<T>): Promise<Division> {
      const x = unitTensor(rows);
      // Where no more directions than clusters are different, there is nothing to express.
      const few = distinctRows(x, work.clusters);
      if (few) return { labels: few };
      const expressed = await expressedOf(x, work.options.axes as number, work);
      return divideAffinity(await affinity(expressed, work), work);
    },
  });
}

export async function expressedOf(
  x: Tensor<"float32">,
  axes: number,
  { multiply, pace }: Products,
): Promise<Expressed> {
  return { x, ...(await thinSvd(x, axes || Number.POSITIVE_INFINITY, multiply, pace)) };
}

/** V f(σ) Vᵀ, [n, n], each number as `then` has it. */
export async function ofSingularValues(
  { v, sigma }: ThinSvd,
  f: (sigma: number) => number,
  then: (value: number, i: number, j: number) => number,
  { multiply, pace }: Products,
): Promise<Tensor<"float32">> {
  return fullProduct(
    v,
    scaledRows(transposed(v), (a) => f(sigma[a]!)),
    then,
    multiply,
    pace,
  );
}
