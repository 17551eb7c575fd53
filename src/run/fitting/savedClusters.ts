/** clusters.json: what each cluster is. */

import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { rounded } from "../../text/digits.ts";
import { asSaved } from "../folder/asSaved.ts";

/** The summaries as the file has them. */
export function savedClusters(summaries: readonly ClusterSummary[]): readonly ClusterSummary[] {
  return asSaved(summaries, shortNumbers);
}

/** The file's text. */
export function clustersJson(clusters: readonly ClusterSummary[]): string {
  return `${JSON.stringify(clusters, null, 1)}\n`;
}

/** Seven digits are enough for whoever reads a float32. */
function shortNumbers(_: string, value: unknown): unknown {
  return typeof value === "number" ? rounded(value) : value;
}
