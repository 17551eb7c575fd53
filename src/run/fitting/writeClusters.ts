/** clusters.json: what each cluster is. */

import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { rounded } from "../../files/output/digits.ts";
import { asSaved } from "../folder/asSaved.ts";
import type { RunFolder } from "../folder/runFolder.ts";

/** Gives the summaries back as the file has them. */
export async function writeClusters(
  folder: RunFolder,
  summaries: readonly ClusterSummary[],
): Promise<readonly ClusterSummary[]> {
  const clusters = asSaved(summaries, shortNumbers);
  await folder.write("clusters.json", `${JSON.stringify(clusters, null, 1)}\n`);
  return clusters;
}

/** Seven digits are enough for whoever reads a float32. */
function shortNumbers(_: string, value: unknown): unknown {
  return typeof value === "number" ? rounded(value) : value;
}
