/**
 * Why a and not b, by the numbers of a row: integrated gradients of F(x) = d_b(x) − d_a(x) from the exemplar of b to
 * the row (Sundararajan, Taly & Yan, Axiomatic attribution for deep networks, ICML 2017).
 */

import { abs, multiply } from "../../graph/elementwise.ts";
import { gradient } from "../../graph/gradient.ts";
import { input } from "../../graph/node.ts";
import { sum } from "../../graph/reduce.ts";
import { type Program, program } from "../../runtime/program.ts";
import { sizeOf, tensor } from "../../tensor/tensor.ts";
import { scaled } from "../../training/scaled.ts";
import { type Explainable, type Pair, weightsOf } from "../explainable.ts";
import { alongPath, type PathIntegral, type PathOptions, type Point } from "./pathIntegral.ts";

/** Of a float32. */
const lastDigit = 2 ** -23;
/** Numbers held for all slopes of a path at most: 64 MB. */
const mostNumbers = 2 ** 24;

/** What each number of a row adds to F on the straight way from `baseline`; both in the data's own units, flattened. */
export async function inputParts(
  model: Explainable,
  row: ArrayLike<number>,
  baseline: ArrayLike<number>,
  pair: Pair,
  { share = 0.01, most = 1000 }: PathOptions = {},
): Promise<PathIntegral> {
  const { plan } = model;
  const w = weightsOf(pair, model);
  const width = sizeOf(plan.row);
  const session = await model.session(slopesProgram);
  // x = x′ + t·step
  const step = Float64Array.from({ length: width }, (_, i) => row[i]! - baseline[i]!);
  const evaluate = async (places: readonly number[]): Promise<Point[]> => {
    const x = new Float32Array(places.length * width);
    places.forEach((t, at) => {
      for (let i = 0; i < width; i++) x[at * width + i] = baseline[i]! + t * step[i]!;
    });
    const { F, slope, scale } = await session.run({ x: tensor("float32", [places.length, ...plan.row], x), w });
    const slopes = slope!.data as Float32Array;
    return places.map((t, at) => ({
      t,
      F: Number(F!.data[at]),
      slope: slopes.subarray(at * width, (at + 1) * width),
      rounding: Number(scale!.data[at]) * lastDigit,
    }));
  };
  return alongPath(step, evaluate, { share, most: Math.min(most, Math.max(33, Math.floor(mostNumbers / width))) });
}

/**
 * F(x) = Σⱼ wⱼ dⱼ(x) of each row, and ∂F/∂x: rows do not see each other, so that the sum over them gives the slope of
 * each.
 */
function slopesProgram({ plan, formulas: { code, clustering } }: Explainable): Program {
  const [x, w] = [input("x", ["n", ...plan.row]), input("w", [plan.clusters])];
  const d = clustering.distances(code(scaled(x, plan.scaling)));
  const F = sum(multiply(d, w), { axes: [1] });
  const scale = sum(multiply(abs(d), abs(w)), { axes: [1] });
  return program({ outputs: { F, slope: gradient(sum(F), [x])[0]!, scale } });
}
