/**
 * Sets of rows that are one cloud and otherwise as given ones: along the same principal axes with the same variances,
 * normal or uniform. What such a cloud shows by chance is no group.
 *
 * Not the rows' own scores, permuted axis by axis: where groups differ along an axis, they still do so in these.
 */

import { Moments } from "../numerics/moments.ts";
import type { Pace } from "../numerics/pace.ts";
import { principalAxes, projected } from "../numerics/principalAxes.ts";
import type { Random } from "../tensor/random.ts";
import { type Tensor, tensor } from "../tensor/tensor.ts";

/** Of wider rows only axes are kept that say something, and so many at most: neighbours mean little in many columns. */
export const fewColumns = 10;

/**
 * Rows along their principal axes [n, ≤ 10]. Of more than ten columns those axes are kept, two at least, that vary more
 * than a column does on average (Kaiser, 1960).
 */
export async function axisScores(rows: Tensor<"float32">, pace: Pace): Promise<Tensor<"float32">> {
  const [n, d] = rows.shape as [number, number];
  const scores = await projected(rows, await principalAxes(rows, Math.min(fewColumns, d), pace), pace);
  if (d <= fewColumns) return scores;
  const mean = meanVariance(rows);
  const telling = deviationsOf(scores).filter((deviation) => deviation ** 2 > mean).length;
  const kept = Math.max(2, telling);
  return tensor(
    "float32",
    [n, kept],
    scores.data.filter((_, at) => at % fewColumns < kept),
  );
}

export const cloudForms = ["normal", "uniform"] as const;

/** One cloud of this form with the variance of the scores in each column. */
export function cloudLike(scores: Tensor<"float32">, form: (typeof cloudForms)[number], random: Random) {
  const [n, d] = scores.shape as [number, number];
  const deviations = deviationsOf(scores);
  // Uniform from −√3 to √3 has a deviation of 1, as the normal one has.
  const drawn = form === "normal" ? random.normals(n * d) : random.uniforms(n * d, -Math.sqrt(3), Math.sqrt(3));
  return tensor(
    "float32",
    [n, d],
    drawn.map((value, at) => value * deviations[at % d]!),
  );
}

/** √(mean of squares) of each column: scores have a mean of 0. */
function deviationsOf({ data, shape }: Tensor<"float32">): number[] {
  const [n, d] = shape as [number, number];
  const squares = Array<number>(d).fill(0);
  data.forEach((value, at) => {
    squares[at % d]! += value ** 2 / n;
  });
  return squares.map(Math.sqrt);
}

/** The mean over the columns of their variances. */
function meanVariance({ data, shape }: Tensor<"float32">): number {
  const [n, d] = shape as [number, number];
  const moments = new Moments(d);
  for (let i = 0; i < n; i++) moments.add(data, i * d);
  return moments.deviation().reduce((sum, deviation) => sum + deviation ** 2 / d, 0);
}
