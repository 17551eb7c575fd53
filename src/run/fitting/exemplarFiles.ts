/** exemplars/: what each cluster is, as files: pictures where rows are pictures, else a table. */

import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { lines } from "../../files/output/openOutput.ts";
import { encodePng } from "../../formats/png.ts";
import { arePictures, type Look, pixelsOf } from "../../report/parts/pictures.ts";

/** What the files are called in the run folder, and what is in them. */
export function exemplarFiles(
  summaries: readonly ClusterSummary[],
  { row, range, columns }: Look & { readonly columns: readonly string[] },
): [string, Uint8Array | string][] {
  if (arePictures(row)) {
    return summaries.map(({ cluster, exemplar }) => {
      const { pixels, width, height, channels } = pixelsOf(exemplar, { row, range }, Math.max(...row));
      return [`exemplars/${cluster}.png`, encodePng(pixels, width, height, channels)];
    });
  }
  // People open it in spreadsheets, and no program reads it: what is known of clusters is in clusters.json.
  const line = lines.csv([], true);
  const names = summaries[0]!.exemplar.map((_, i) => columns[i] ?? `x${i}`);
  const rows = summaries.map(({ cluster, name, exemplar }) => line([cluster, name, ...exemplar]));
  return [["exemplars/exemplars.csv", [line(["cluster", "name", ...names]), ...rows].join("")]];
}
