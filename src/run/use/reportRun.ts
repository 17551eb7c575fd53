/** The report of a run, from what is in its folder. */

import { basename } from "node:path";
import { featureNames } from "../../data/feature.ts";
import { Database, plainError, quotePath } from "../../files/tables/database.ts";
import { methodOf } from "../../methods/index.ts";
import type { ReportData, ReportMap } from "../../report/reportData.ts";
import { report } from "../../report/reportPage.ts";
import type { RunDescription, RunResult, SourceDescription } from "../folder/description.ts";
import { clustersIn, epochsIn, type Run } from "../folder/openRun.ts";
import type { RunFolder } from "../folder/runFolder.ts";

type Finished = RunDescription & { readonly result: RunResult };

/** Makes report.html anew and returns its path. */
export async function reportRun(run: Run): Promise<string> {
  const { folder } = run;
  await folder.lock();
  try {
    await writeReport(folder, run.description);
  } finally {
    await folder.unlock();
  }
  return folder.file("report.html");
}

export async function writeReport(folder: RunFolder, description: Finished): Promise<void> {
  await folder.write("report.html", report(await reportData(folder, description)));
}

async function reportData(folder: RunFolder, description: Finished): Promise<ReportData> {
  const { source, result, settings, created, telltale, choice } = description;
  const { plan, scores, confusion, measures, notices } = result;
  const { name, about, paper } = methodOf(plan.method);
  const map = result.map && (await mapOf(folder, result.map));
  return {
    title: folder.name,
    created,
    version: telltale,
    // What is drawn are the numbers that the clusters are made of: with a frozen encoder, its features.
    source: {
      ...source,
      name: titleOf(source),
      columns: settings.encoder ? [] : featureNames(source.features),
      ...(settings.encoder && { row: plan.row }),
    },
    method: {
      name,
      about,
      paper,
      profile: plan.profile,
      seed: plan.seed,
      device: result.device,
      options: plan.options,
    },
    clusters: await clustersIn(folder, result),
    ...(map && { map }),
    epochs: await epochsIn(folder),
    restarts: result.restarts,
    kept: result.restart,
    ...(choice && { choice }),
    ...(scores && confusion && { scores: { metrics: scores, ...confusion } }),
    measures,
    notices,
    seconds: result.seconds,
  };
}

/** What people call where rows came from: a report may be shown to others, whom folders do not concern. */
function titleOf({ name }: SourceDescription): string {
  return name === "-" ? "standard input" : basename(name);
}

/** The rows that are on the map, with their places. */
async function mapOf(folder: RunFolder, { centers, shown }: NonNullable<RunResult["map"]>): Promise<ReportMap> {
  const database = await Database.open({ memory: 500 }, (error) => plainError(folder.path, error, 500));
  const [x, y, confidence] = [new Float32Array(shown), new Float32Array(shown), new Float32Array(shown)];
  const cluster = new Int32Array(shown);
  let at = 0;
  try {
    const from = `read_parquet(${quotePath(folder.file("assignments.parquet"))})`;
    const query = `select x, y, confidence, cluster::integer from ${from} where x is not null order by row`;
    for await (const chunk of database.stream(query)) {
      const columns = [0, 1, 2, 3].map((column) => chunk.getColumnValues(column) as number[]);
      for (let i = 0; i < chunk.rowCount && at < shown; i++, at++) {
        x[at] = columns[0]![i]!;
        y[at] = columns[1]![i]!;
        confidence[at] = columns[2]![i]!;
        cluster[at] = columns[3]![i]!;
      }
    }
  } finally {
    database.close();
  }
  return { x, y, cluster, confidence, centers, shown };
}
