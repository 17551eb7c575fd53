/** Columns of different units, brought to one scale. */

import { Moments } from "../numerics/moments.ts";
import { sizeOf, type Tensor, tensor } from "../tensor/tensor.ts";
import { type Data, rowsAtOnce } from "./data.ts";

/** (x − shift)·factor for each element of a row; a single number is for all of them. */
export interface Scaling {
  readonly shift: readonly number[];
  readonly factor: readonly number[];
  /** 1 for an element whose logarithm is taken first, so that a long tail becomes short, else 0. */
  readonly logarithm?: readonly number[];
  /** What stands for a number that is missing (NaN), for each element. */
  readonly missing?: readonly number[];
}

/** A scaling, and the range that numbers have with it. */
export interface Scaled {
  readonly scaling: Scaling;
  readonly range: [number, number];
}

/** Bytes of pictures, or whatever their largest number is, to 0…1. */
export function pixelScaling(high: number): Scaled {
  const largest = Math.max(255, high);
  return { scaling: { shift: [0], factor: [1 / largest] }, range: [0, high / largest] };
}

/**
 * One factor for all numbers, so that their mean square is 1: rows keep their directions, and zeros stay zeros. One
 * pass over the rows.
 */
export async function lengthScaling(data: Data, signal?: AbortSignal): Promise<Scaled> {
  let [sum, n] = [0, 0];
  for await (const { x } of data.inOrder(rowsAtOnce(data.row))) {
    signal?.throwIfAborted();
    for (const value of x.data) sum += value * value;
    n += x.data.length;
  }
  // A factor that float32 cannot hold would make every number infinite.
  const factor = sum > 0 ? Math.min(Math.sqrt(n / sum), 1e30) : 1;
  const [low, high] = data.range;
  return { scaling: { shift: [0], factor: [factor] }, range: [low * factor, high * factor] };
}

/**
 * Each column to mean 0 and deviation 1 (a constant column to 0), and the range that numbers have then. One pass over
 * the rows.
 */
export async function standardScaling(data: Data, signal?: AbortSignal): Promise<Scaled> {
  return movedToMean(data, signal, (deviation) => Array.from(deviation, (each) => (each > 0 ? 1 / each : 1)));
}

/** Each column to mean 0, and all by one factor to a mean square of 1: they keep the scale that they share. */
export async function sharedScaling(data: Data, signal?: AbortSignal): Promise<Scaled> {
  return movedToMean(data, signal, (deviation) => {
    const square = deviation.reduce((sum, each) => sum + each * each, 0) / deviation.length;
    return Array.from(deviation, () => (square > 0 ? 1 / Math.sqrt(square) : 1));
  });
}

/** The mean of each column. */
export async function columnMeans(data: Data, signal?: AbortSignal): Promise<readonly number[]> {
  const d = sizeOf(data.row);
  const moments = new Moments(d);
  for await (const { x } of data.inOrder(rowsAtOnce(data.row))) {
    signal?.throwIfAborted();
    for (let at = 0; at < x.data.length; at += d) moments.add(x.data, at);
  }
  return [...moments.mean];
}

/** sign(x)·ln(1 + |x|). */
export function shortTail(x: number): number {
  return Math.sign(x) * Math.log1p(Math.abs(x));
}

/** Rows [n, d] as a scaling makes them, with what stands for missing numbers. */
export function scaledRows({ data, shape }: Tensor<"float32">, scaling: Scaling | undefined): Tensor<"float32"> {
  if (!scaling) return tensor("float32", shape, data);
  const { shift, factor, missing, logarithm } = scaling;
  const width = shape[1]!;
  const of = (values: readonly number[], at: number): number => values[values.length === 1 ? 0 : at % width]!;
  const scaled = data.map((value, at) => {
    const whole = missing && Number.isNaN(value) ? of(missing, at) : value;
    return ((logarithm && of(logarithm, at) ? shortTail(whole) : whole) - of(shift, at)) * of(factor, at);
  });
  return tensor("float32", shape, scaled);
}

/** Each element moved to its mean; the factors follow from the deviations, and perhaps the means. */
export async function movedToMean(
  data: Data,
  signal: AbortSignal | undefined,
  factors: (deviation: Float64Array, mean: Float64Array) => number[],
  logarithm: readonly number[] = [],
): Promise<Scaled> {
  const d = sizeOf(data.row);
  const moments = new Moments(d);
  const low = new Float64Array(d).fill(Number.POSITIVE_INFINITY);
  const high = new Float64Array(d).fill(Number.NEGATIVE_INFINITY);
  const hasLong = logarithm.includes(1);
  for await (const { x } of data.inOrder(rowsAtOnce(data.row))) {
    signal?.throwIfAborted();
    const values = hasLong ? x.data.map((value, at) => (logarithm[at % d] ? shortTail(value) : value)) : x.data;
    for (let at = 0; at < values.length; at += d) {
      moments.add(values, at);
      for (let c = 0; c < d; c++) {
        low[c] = Math.min(low[c]!, values[at + c]!);
        high[c] = Math.max(high[c]!, values[at + c]!);
      }
    }
  }
  const { mean } = moments;
  const factor = factors(Float64Array.from(moments.deviation()), mean);
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let c = 0; c < d; c++) {
    lowest = Math.min(lowest, (low[c]! - mean[c]!) * factor[c]!);
    highest = Math.max(highest, (high[c]! - mean[c]!) * factor[c]!);
  }
  return { scaling: { shift: [...mean], factor, ...(hasLong && { logarithm }) }, range: [lowest, highest] };
}
