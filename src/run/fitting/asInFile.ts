/** Rows that are shown, as the file has them: by their numbers there, with what stands for missing values marked. */

import type { ClusterSummary, ShownRow } from "../../explain/clusters/clusterSummary.ts";
import type { OpenedRows } from "../../files/openRows.ts";

export async function asInFile(
  summaries: readonly ClusterSummary[],
  { numbers, missingOf }: Pick<OpenedRows, "numbers" | "missingOf">,
): Promise<readonly ClusterSummary[]> {
  if (!numbers && !missingOf) return summaries;
  const shown = summaries.flatMap(({ typical, borderline }) => [...typical, ...borderline].map(({ row }) => row));
  const missing = shown.length > 0 ? await missingOf?.([...new Set(shown)].sort((a, b) => a - b)) : undefined;
  const inFile = (row: ShownRow): ShownRow => {
    const filled = missing?.get(row.row);
    return { ...row, row: numbers?.[row.row] ?? row.row, ...(filled && { filled }) };
  };
  return summaries.map((summary) => ({
    ...summary,
    typical: summary.typical.map(inFile),
    borderline: summary.borderline.map(inFile),
  }));
}
