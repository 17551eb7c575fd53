/** A report's data together with what several sections make of it. */

import type { ClusterSummary } from "../explain/clusters/clusterSummary.ts";
import { clusterColors } from "./parts/clusterColors.ts";
import { arePictures } from "./parts/pictures.ts";
import type { ReportData } from "./reportData.ts";

export interface ReportView {
  readonly data: ReportData;
  /** Whether rows are shown as pictures. */
  readonly showsPictures: boolean;
  /** What a row is called, and what rows are. */
  readonly rowWords: readonly [one: string, many: string];
  readonly clusterOf: ReadonlyMap<number, ClusterSummary>;
  /** The place of a cluster's color in the theme, by the cluster's number. */
  readonly colorOf: (cluster: number) => number;
  /** The scale of bars, which cards share: a long one in one is as much as in another; beyond it they are full. */
  readonly largestEffect: number;
}

export function reportView(data: ReportData): ReportView {
  const last = data.clusters.reduce((largest, { cluster }) => Math.max(largest, cluster), -1);
  const colors = clusterColors(last + 1, data.map?.centers);
  const showsPictures = arePictures(data.source.row);
  return {
    data,
    showsPictures,
    rowWords: showsPictures ? ["image", "images"] : ["row", "rows"],
    clusterOf: new Map(data.clusters.map((cluster) => [cluster.cluster, cluster])),
    colorOf: (cluster) => colors[cluster] ?? 0,
    largestEffect: largestEffectOf(data),
  };
}

/** Of a cluster of a few far-off rows a column may differ by 40: against that no other bar could be seen. */
const longestBar = 4;

/** At least one standard deviation: small differences stay short. */
function largestEffectOf({ clusters }: ReportData): number {
  let largest = 1;
  for (const { distinguishing } of clusters) {
    for (const { effect } of distinguishing) if (Number.isFinite(effect)) largest = Math.max(largest, Math.abs(effect));
  }
  return Math.min(longestBar, largest);
}
