/** exemplars/: what each cluster is, as files: pictures where rows are pictures, else a table. */

import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { lines } from "../../files/output/openOutput.ts";
import { encodePng } from "../../formats/png.ts";
import { arePictures, type Look, pixelsOf } from "../../report/parts/pictures.ts";
import type { RunFolder } from "../folder/runFolder.ts";

export async function writeExemplars(
  folder: RunFolder,
  summaries: readonly ClusterSummary[],
  { row, range, columns }: Look & { readonly columns: readonly string[] },
): Promise<void> {
  if (arePictures(row)) {
    for (const { cluster, exemplar } of summaries) {
      const { pixels, width, height, channels } = pixelsOf(exemplar, { row, range }, Math.max(...row));
      await folder.write(`exemplars/${cluster}.png`, encodePng(pixels, width, height, channels));
    }
    return;
  }
  // People open it in spreadsheets, and no program reads it: what is known of clusters is in clusters.json.
  const line = lines.csv([], true);
  const names = summaries[0]!.exemplar.map((_, i) => columns[i] ?? `x${i}`);
  const rows = summaries.map(({ cluster, name, exemplar }) => line([cluster, name, ...exemplar]));
  await folder.write("exemplars/exemplars.csv", [line(["cluster", "name", ...names]), ...rows].join(""));
}
