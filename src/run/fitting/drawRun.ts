/** What comes after the model: the map, where every row is, the report. A run that was stopped before goes on here. */

import type { Data } from "../../data/data.ts";
import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { mapRows } from "../../model/mapRows.ts";
import type { Model } from "../../model/model.ts";
import { thousands } from "../../text/thousands.ts";
import type { Epoch } from "../../training/epoch.ts";
import { asSaved } from "../folder/asSaved.ts";
import { modelCard } from "../folder/modelCard.ts";
import type { RunDescription, RunResult } from "../folder/schemas/runDescription.ts";
import { snapshotsIn } from "../folder/snapshots.ts";
import { PointsOnMap } from "../use/pointsOnMap.ts";
import { writeReport } from "../use/reportRun.ts";
import { type RunWork, stageOf } from "./runWork.ts";
import { savedClusters } from "./savedClusters.ts";
import { writeAssignments } from "./writeAssignments.ts";

type DoneRun = RunDescription & { readonly result: RunResult };

interface SavedRun {
  readonly model: Model;
  /** The rows as the model takes them. */
  readonly data: Data;
  readonly summaries: readonly ClusterSummary[];
  readonly saved: DoneRun;
  readonly epochs: readonly Epoch[];
  /** How long it has taken so far, all together. */
  readonly seconds: () => number;
}

export async function drawRun(work: RunWork, run: SavedRun): Promise<DoneRun> {
  const { folder, opened, signal, teacher } = work;
  const { model, data, summaries, saved, epochs } = run;
  const { map = true, report = true } = saved.settings;
  const { ids, numbers } = opened;
  const stage = stageOf(work);
  const rowMap = map ? await mapRows(model, opened.data, { stage, ...(signal && { signal }) }) : undefined;
  const points = report && rowMap ? new PointsOnMap(rowMap.shown) : undefined;
  await writeAssignments({
    ...{ folder, model, data, summaries, stage },
    ...(ids && { ids }),
    ...(numbers && { numbers }),
    ...(rowMap && { rowMap }),
    ...(points && { points }),
    ...(signal && { signal }),
    ...(teacher && { teacher }),
  });
  const { unfinished: _, ...before } = saved.result;
  const isPart = rowMap && rowMap.shown < opened.data.count;
  const result: RunResult = {
    ...before,
    seconds: run.seconds(),
    notices: [
      ...before.notices,
      ...(isPart ? [`the map shows ${thousands(rowMap.shown)} of ${thousands(opened.data.count)} rows`] : []),
    ],
    ...(rowMap && { map: { centers: rowMap.centers, shown: rowMap.shown } }),
  };
  const description = { ...saved, result };
  await folder.write("README.md", modelCard({ name: folder.name, description, clusters: summaries }));
  if (report) {
    stage("writing the report", 0, 1);
    // From memory, but with the numbers that the files have: made again from them, it is the same.
    const asInFiles = asSaved({ description, epochs });
    const shown = { clusters: savedClusters(summaries), snapshots: await snapshotsIn(folder) };
    await writeReport(folder, { ...asInFiles, ...shown, ...(points && { points }) });
  }
  await folder.describe(description);
  return description;
}
