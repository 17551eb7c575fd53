/**
 * Whether a network is needed at all: not where the rows themselves, as they are scaled, are divided into clusters
 * around their means (docs/choice.md). The code is then the row, the centers are the means, and nothing is trained.
 */

import { squaredDistance } from "../numerics/distances.ts";
import { chosenAmong, type Divided, dividedView, leading } from "../teachers/choice.ts";
import type { Lesson as Asked } from "../teachers/teacher.ts";
import { type Tensor, takeRows } from "../tensor/tensor.ts";
import type { Lesson } from "./lesson.ts";
import type { Plan } from "./plan.ts";
import type { Restart } from "./restart.ts";
import { hasPlainRows, isMixed, mostTaught } from "./teaching.ts";

/** Means repeat a partition where so many rows are nearest to that of their own: as networks do at best (docs). */
const enough = 0.98;
const folds = 10;

/** So few images are too few to learn filters from: their pixels are looked at first (docs/choice.md), */
const fewImages = 200;
/** and need not be repeated as well, for networks repeat them worse still. */
const enoughOfFewImages = 0.9;

/** Whether rows may go without a network. */
export function isOpenToPlainRows(plan: Plan): boolean {
  return plan.options.plain === true && (hasPlainRows(plan) || areFewImages(plan));
}

function areFewImages({ row, count, options }: Plan): boolean {
  return row.length > 1 && count <= fewImages && options.taughtBy === "auto";
}

/** What plain rows say: a lesson that needs no network, or what the candidates made of them. */
export async function askPlainRows(
  plan: Plan,
  restart: Restart,
  asked: Omit<Asked, "clusters">,
): Promise<{ readonly lesson?: Lesson; readonly divided: Divided }> {
  const { codes, rows } = await restart.sample(mostTaught, "rows", asked.random.fork("sample"));
  const own = { ...asked, clusters: plan.clusters };
  const divided = await dividedView({ name: "rows", codes: [codes], isMixed: isMixed(plan) }, own);
  const { some } = divided.seen;
  const { labels } = leading([divided]).simplest.partition;
  const share = repeatedByMeans(some ? takeRows(codes, some) : codes, labels, plan.clusters);
  if (share < (areFewImages(plan) ? enoughOfFewImages : enough)) return { divided };
  const { partition, reason, ...chosen } = await chosenAmong([divided], own);
  const taught = new Int32Array(plan.count).fill(-1);
  rows.forEach((row, i) => {
    taught[row] = partition.labels[i]!;
  });
  const why = `${reason}; the nearest mean repeats it on ${(100 * share).toFixed(1)} % of rows, so that no network is needed`;
  return { divided, lesson: { ...chosen, labels: taught, view: "rows", reason: why, network: "none" } };
}

/** The same without a network: codes are the rows, and the means with which the clusters begin are the centers. */
export function withoutNetwork(plan: Plan): Plan {
  return { ...plan, options: { ...plan.options, network: "none", code: "linear", pretraining: 0, epochs: 0 } };
}

/**
 * The share of rows that are nearest to the mean of their own cluster, where a tenth of each cluster is judged by means
 * of the other nine.
 */
export function repeatedByMeans({ data, shape }: Tensor<"float32">, labels: Int32Array, k: number): number {
  const [n, d] = shape as [number, number];
  const [sums, sizes] = [new Float64Array(folds * k * d), new Int32Array(folds * k)];
  const seen = new Int32Array(k);
  const foldOf = labels.map((label) => (label < 0 ? -1 : seen[label]!++ % folds));
  labels.forEach((label, i) => {
    if (label < 0) return;
    const at = foldOf[i]! * k + label;
    sizes[at]!++;
    for (let c = 0; c < d; c++) sums[at * d + c]! += data[i * d + c]!;
  });
  let right = 0;
  for (let fold = 0; fold < folds; fold++) {
    const means = new Float64Array(k * d).fill(Number.NaN);
    for (let j = 0; j < k; j++) {
      let size = 0;
      const total = new Float64Array(d);
      for (let other = 0; other < folds; other++) {
        if (other === fold) continue;
        const at = other * k + j;
        size += sizes[at]!;
        for (let c = 0; c < d; c++) total[c]! += sums[at * d + c]!;
      }
      if (size > 0) for (let c = 0; c < d; c++) means[j * d + c] = total[c]! / size;
    }
    for (let i = 0; i < n; i++) if (foldOf[i] === fold && nearestOf(data, i, means, k, d) === labels[i]) right++;
  }
  return right / n;
}

/** Of means that are none, none is nearest. */
function nearestOf(rows: Float32Array, i: number, means: Float64Array, k: number, d: number): number {
  let [nearest, least] = [-1, Number.POSITIVE_INFINITY];
  for (let j = 0; j < k; j++) {
    const distance = squaredDistance(rows, i, means, j, d);
    if (distance < least) [nearest, least] = [j, distance];
  }
  return nearest;
}
