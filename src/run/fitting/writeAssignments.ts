/** assignments.parquet: where every row of a run is. */

import type { Data } from "../../data/data.ts";
import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { placeRows } from "../../explain/placement.ts";
import type { Ids } from "../../files/openRows.ts";
import { type Cell, type OutputColumn, openOutput } from "../../files/output/openOutput.ts";
import type { RowMap } from "../../model/mapRows.ts";
import type { Model } from "../../model/model.ts";
import { asColumn } from "../../text/digits.ts";
import type { OwnLabels } from "../../training/lesson.ts";
import type { RunFolder } from "../folder/runFolder.ts";
import { idColumns, placementColumns } from "../use/assignFile.ts";
import type { PointsOnMap } from "../use/pointsOnMap.ts";
import { Differences } from "./differences.ts";

export interface Assigning {
  readonly folder: Pick<RunFolder, "output">;
  readonly model: Model;
  /** Rows as the model takes them. */
  readonly data: Data;
  readonly ids?: Ids;
  /** What the rows are numbered in the file, where some were left out. */
  readonly numbers?: Int32Array;
  readonly summaries: readonly ClusterSummary[];
  readonly rowMap?: RowMap;
  /** Gathers the rows that are on the map, as the file has them. */
  readonly points?: PointsOnMap;
  /** What a person taught: rows of which the model says something else are listed (differences.csv). */
  readonly teacher?: OwnLabels;
  readonly signal?: AbortSignal;
  readonly stage: (stage: "assigning rows", done: number, total: number) => void;
}

/** Every row with its cluster, how sure that is, and its place on the map. */
export async function writeAssignments(assigning: Assigning): Promise<void> {
  const { folder, model, data, ids, numbers, summaries, rowMap, points, teacher, signal, stage } = assigning;
  const differences = teacher && (await Differences.begin(assigning, teacher));
  const places: OutputColumn[] = rowMap ? ["x", "y"].map((name) => ({ name, type: "number" })) : [];
  const ours: OutputColumn[] = [
    { name: "row", type: "integer" },
    { name: "cluster_name", type: "text" },
    ...placementColumns,
    ...places,
  ];
  const [row, name, ...rest] = ours as [OutputColumn, OutputColumn, ...OutputColumn[]];
  const columns = [row, ...idColumns(ids?.names, ours), rest[0]!, name, ...rest.slice(1)];
  const output = await openOutput("parquet", columns, { out: folder.output("assignments.parquet") });
  try {
    const settings = { reach: summaries, ...(ids && { ids }), ...(signal && { signal }) };
    for await (const batch of placeRows(model, data, settings)) {
      const lines = batch.placements.map((placement, i): Cell[] => {
        const [cluster, ...others] = placementColumns.map(({ of }) => of(placement));
        const own = [...(batch.ids?.[i] ?? []), cluster!, summaries[placement.cluster]!.name, ...others];
        const place = rowMap?.at(placement.row) ?? [];
        const [x = null, y = null] = place.map(asColumn);
        points?.add({ x, y, cluster: placement.cluster, confidence: asColumn(placement.confidence) });
        return [numbers?.[placement.row] ?? placement.row, ...own, ...place];
      });
      await output.write(lines);
      await differences?.add(batch);
      stage("assigning rows", batch.placements.at(-1)!.row + 1, data.count);
    }
    await output.end();
    await differences?.end();
  } catch (error) {
    await output.abandon();
    await differences?.abandon();
    throw error;
  }
}
