/** How many clusters? A range is tried on the codes of one pretraining, and scores without labels decide. */

import { calinskiHarabasz } from "../metrics/calinskiHarabasz.ts";
import { daviesBouldin } from "../metrics/daviesBouldin.ts";
import { silhouette } from "../metrics/silhouette.ts";
import { kmeans } from "../numerics/kmeans.ts";
import type { Pace } from "../numerics/pace.ts";
import { Random } from "../tensor/random.ts";
import type { Tensor } from "../tensor/tensor.ts";

/** Which number of clusters was chosen, and from what. */
export interface ClusterChoice {
  readonly chosen: number;
  /** Why, in a sentence. */
  readonly reason: string;
  readonly tried: readonly { readonly clusters: number; readonly scores: Readonly<Record<string, number>> }[];
}

/** Enough rows to see groups in, and few enough for a score that compares all pairs. */
export const rowsToChooseBy = 4000;

/** From 2 to 15 where nothing else is said, and never more than the square root of the rows. */
export function usualRange(rows: number): readonly [number, number] {
  return [2, Math.max(2, Math.min(15, Math.floor(Math.sqrt(rows))))];
}

/** Of a single cluster. */
const unscored = { silhouette: -1, calinskiHarabasz: 0, daviesBouldin: Number.MAX_VALUE };

/** Tries each number of clusters with k-means on codes [n, latent], and rests between two. */
export async function chooseClusters(
  codes: Tensor<"float32">,
  [from, to]: readonly [number, number],
  seed: number,
  { pace, onTried }: { readonly pace?: Pace; readonly onTried?: (done: number, total: number) => void } = {},
): Promise<ClusterChoice> {
  const random = Random.seeded(seed).fork("choice");
  const tried: { clusters: number; scores: Record<keyof typeof unscored, number> }[] = [];
  for (let clusters = from; clusters <= to; clusters++) {
    await pace?.();
    const { labels } = kmeans(codes, clusters, random.fork(String(clusters)), { restarts: 5 });
    onTried?.(clusters - from + 1, to - from + 1);
    const found = new Set(labels).size;
    const scores =
      found < 2
        ? unscored
        : {
            silhouette: silhouette(codes, labels, { sample: { size: 2000, random: random.fork("sample") } }),
            calinskiHarabasz: calinskiHarabasz(codes, labels),
            daviesBouldin: daviesBouldin(codes, labels),
          };
    tried.push({ clusters, scores });
  }
  const best = tried.reduce((a, b) => (b.scores.silhouette > a.scores.silhouette ? b : a));
  const others = tried
    .filter((each) => each !== best && each.scores.silhouette >= 0.97 * best.scores.silhouette)
    .map(({ clusters }) => clusters);
  const near = others.length > 0 ? `; ${list(others)} ${others.length > 1 ? "are" : "is"} nearly as good` : "";
  return {
    chosen: best.clusters,
    reason: `of ${from} to ${to} clusters, ${best.clusters} are the most compact and best separated ones (silhouette ${best.scores.silhouette.toFixed(2)})${near}`,
    tried,
  };
}

function list(numbers: readonly number[]): string {
  return numbers.length === 1 ? String(numbers[0]) : `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}
