/** The report of a run. A run that was just fitted and one that is opened again have the same report, to the byte. */

import { basename } from "node:path";
import { featureNames } from "../../data/feature.ts";
import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { Database, plainError, quotePath } from "../../files/tables/database.ts";
import { checkParquet } from "../../files/tables/parquetOrJson.ts";
import type { ReportData } from "../../report/reportData.ts";
import { reportPage } from "../../report/reportPage.ts";
import type { Epoch } from "../../training/epoch.ts";
import { aboutMethod } from "../folder/aboutMethod.ts";
import { type PastEdit, pastEdits } from "../folder/curationWords.ts";
import type { Run } from "../folder/openRun.ts";
import type { RunFolder } from "../folder/runFolder.ts";
import {
  isFromMemory,
  type RunDescription,
  type RunResult,
  type SourceDescription,
} from "../folder/schemas/runDescription.ts";
import type { KeptSnapshot } from "../folder/snapshots.ts";
import { PointsOnMap } from "./pointsOnMap.ts";

/** What a report is made of, with numbers as the files of the run's folder have them. */
export interface ReportedRun {
  readonly description: RunDescription & { readonly result: RunResult };
  readonly clusters: readonly ClusterSummary[];
  readonly epochs: readonly Epoch[];
  /** The clusters through training, where that was kept. */
  readonly snapshots?: readonly KeptSnapshot[];
  /** What people have changed, where these are the clusters after it. */
  readonly curated?: readonly PastEdit[];
  /** Where there is a map. */
  readonly points?: PointsOnMap;
}

/** Makes report.html anew from what is in the run's folder, and returns its path. */
export async function reportRun(run: Run): Promise<string> {
  const { folder, description } = run;
  const { map } = description.result;
  if (isFromMemory(description.source)) {
    throw new RangeError(`${run.path}: is a model that was saved without its rows, so that there is nothing to report`);
  }
  await folder.lock();
  try {
    await folder.checkOurs("report.html");
    const points = map && (await pointsIn(run, map.shown));
    const [clusters, epochs] = [await run.clusters(), await run.epochs()];
    const curated = run.curated && pastEdits(run.curated.log);
    // What people have merged or split since has other centers.
    const snapshots = curated ? [] : await run.snapshots();
    await writeReport(folder, {
      snapshots,
      ...{ description, clusters, epochs },
      ...(points && { points }),
      ...(curated && { curated }),
    });
  } finally {
    await folder.unlock();
  }
  return folder.file("report.html");
}

export async function writeReport(folder: RunFolder, run: ReportedRun): Promise<void> {
  await folder.write("report.html", reportPage(reportData(folder.name, run)));
}

function reportData(title: string, run: ReportedRun): ReportData {
  const { description, clusters, epochs, points, curated, snapshots = [] } = run;
  const { source, result, settings, created, telltale, choice } = description;
  const { plan, scores, confusion, measures, notices, map, taught } = result;
  const { name, about, paper } = aboutMethod(description);
  return {
    title,
    created,
    version: telltale,
    // What is drawn are the numbers that the clusters are made of: with a frozen encoder, its features.
    source: {
      ...source,
      name: titleOf(source),
      columns: settings.encoder ? [] : featureNames(source.features),
      features: settings.encoder ? [] : source.features,
      ...(settings.encoder && { row: plan.row, given: source.row }),
    },
    method: {
      name,
      about,
      paper,
      ...(settings.methodFile && { file: settings.methodFile.file }),
      profile: plan.profile,
      seed: plan.seed,
      device: result.device,
      options: plan.options,
    },
    clusters,
    ...(curated && {
      curated: {
        edits: curated.filter(({ state }) => state === "holds").map(({ at, who, words }) => ({ at, who, words })),
        waiting: curated.filter(({ state }) => state === "waits").length,
      },
    }),
    ...(map && points && { map: { centers: map.centers, ...points.all() } }),
    epochs,
    ...(snapshots.length > 0 && { exemplars: exemplarsOf(snapshots, plan) }),
    restarts: result.restarts,
    kept: result.restart,
    ...(choice && { choice }),
    ...(taught && { taught: { ...taught, ...(settings.teacher && { from: titleOfTeacher(settings.teacher.from) }) } }),
    ...(scores && confusion && { scores: { metrics: scores, ...confusion } }),
    measures,
    notices,
    seconds: result.seconds,
  };
}

/** Those that were drawn, of as many clusters and of such rows as the run has. */
function exemplarsOf(
  snapshots: readonly KeptSnapshot[],
  { clusters, row }: RunResult["plan"],
): NonNullable<ReportData["exemplars"]> {
  return snapshots.flatMap(({ epoch, exemplars }) =>
    exemplars && `${exemplars.shape}` === `${[clusters, ...row]}` ? [{ epoch, values: exemplars.data }] : [],
  );
}

/** What people call where rows came from: a report may be shown to others, whom folders do not concern. */
function titleOf({ name }: SourceDescription): string {
  return name === "-" ? "standard input" : basename(name);
}

/** The same of labels: what stands before the name of a file goes. */
function titleOfTeacher(from: string): string {
  return from.replace(/^.*[/\\](?=[^/\\]*, matched by \w+$)/s, "");
}

/** The rows that assignments.parquet has a place for, in order. */
async function pointsIn(run: Run, shown: number): Promise<PointsOnMap> {
  const points = new PointsOnMap(shown);
  const { folder } = run;
  const file = folder.file(run.place("assignments.parquet"));
  await checkParquet(file, file);
  const settings = { memory: 500, files: [file] };
  const database = await Database.open(settings, (error) => plainError(folder.path, error, 500));
  try {
    const from = `read_parquet(${quotePath(file)})`;
    const query = `select x, y, cluster::integer, confidence from ${from} where x is not null order by row`;
    for await (const chunk of database.stream(query)) {
      const columns = [0, 1, 2, 3].map((column) => chunk.getColumnValues(column) as number[]);
      for (let i = 0; i < chunk.rowCount; i++) {
        const [x, y, cluster, confidence] = columns.map((values) => values[i]!) as [number, number, number, number];
        points.add({ x, y, cluster, confidence });
      }
    }
  } finally {
    database.close();
  }
  return points;
}
