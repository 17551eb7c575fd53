/** What is said of the clusters and the rows of a curated model: clusters.json and assignments.parquet. */

import { isThere } from "../../disk/isThere.ts";
import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { summarize } from "../../explain/clusters/summarize.ts";
import { Database, plainError, quotePath, quoteText } from "../../files/tables/database.ts";
import { checkParquet } from "../../files/tables/parquetOrJson.ts";
import type { RowMap } from "../../model/mapRows.ts";
import type { Model } from "../../model/model.ts";
import { describePlan } from "../../training/plan.ts";
import { scoresOf } from "../../training/scoresOf.ts";
import { asInFile } from "../fitting/asInFile.ts";
import { confusionOf } from "../fitting/finishRun.ts";
import { clustersJson, savedClusters } from "../fitting/savedClusters.ts";
import { writeAssignments } from "../fitting/writeAssignments.ts";
import type { Run } from "../folder/openRun.ts";
import type { RunResult } from "../folder/schemas/runDescription.ts";
import type { NextFolder } from "./nextFolder.ts";
import type { RowsAtHand } from "./rowsAtHand.ts";
import { type CuratedState, hasFittedCenters } from "./state.ts";

export interface Listing {
  /** As it was fitted. */
  readonly run: Run;
  readonly model: Model;
  readonly state: CuratedState;
  readonly rows: RowsAtHand;
  /** Where they go. */
  readonly folder: NextFolder;
  readonly signal?: AbortSignal;
}

/** Of all rows, from passes over them; gives what run.json would say as its result. */
export async function listRows({ run, model, state, rows, folder, signal }: Listing): Promise<RunResult> {
  const { opened, data } = rows;
  const { settings, result } = run.description;
  const { features, ids, beside, numbers } = opened;
  const isSame = !settings.encoder;
  const stopping = { ...(signal && { signal }) };
  const found = await summarize(model, data, {
    byDistance: settings.methodFile !== undefined || model.plan.network !== undefined,
    ...(isSame && { columns: features }),
    ...(ids && { ids }),
    ...(beside && { beside }),
    ...stopping,
  });
  const inFile = isSame ? opened : { ...(numbers && { numbers }) };
  const summaries = await asInFile(called(found, state), inFile);
  await folder.write("clusters.json", clustersJson(savedClusters(summaries)));
  const places = result.map && (await placesIn(run));
  const centers = result.map && places && centersOnMap(state, result.map.centers, model.labels, places);
  await writeAssignments({
    ...{ folder, model, data, summaries, stage: () => {} },
    ...(ids && { ids }),
    ...(numbers && { numbers }),
    ...(places && centers && { rowMap: { ...places, centers } }),
    ...stopping,
  });
  const truth = opened.labels;
  const isScored = result.scores !== undefined && truth !== undefined && !truth.classes.includes(-1);
  const { scores: _, confusion: __, ...rest } = resultOf(run, model, state);
  return {
    ...rest,
    ...(isScored && {
      scores: scoresOf(truth.classes, model.labels),
      confusion: confusionOf(truth, model.labels, state.names.length),
    }),
    ...(result.map && centers && { map: { ...result.map, centers } }),
  };
}

/** What run.json would say as the result of a model that has no rows. */
export function resultOf(run: Run, model: Model, state: CuratedState): RunResult {
  const { result } = run.description;
  const { taught, ...rest } = result;
  const { names, held, ...lesson } = taught ?? {};
  const isFitted = hasFittedCenters(state);
  return {
    ...rest,
    plan: describePlan(model.plan),
    ...(taught && {
      taught: {
        ...(lesson as Omit<typeof taught, "names" | "held">),
        ...(names && { names: [...state.names] }),
        // How well each cluster was learned is known of those that were.
        ...(held && isFitted && { held }),
      },
    }),
  };
}

/** The lists that are there, with other names. */
export async function renameLists(now: Run, names: readonly string[], folder: NextFolder): Promise<void> {
  const clusters = (await now.clusters()).map((cluster) => {
    const { namedBy: _, ...rest } = cluster;
    return cluster.name === names[cluster.cluster] ? cluster : { ...rest, name: names[cluster.cluster]! };
  });
  await folder.write("clusters.json", clustersJson(clusters));
  const file = now.folder.file(now.place("assignments.parquet"));
  if (!(await isThere(file))) return;
  await checkParquet(file, file);
  const output = folder.output("assignments.parquet");
  const settings = { memory: 500, files: [file, output.part] };
  const database = await Database.open(settings, (error) => plainError(file, error, 500));
  try {
    const called = `list_extract([${names.map(quoteText).join(", ")}], cluster::integer + 1) as cluster_name`;
    await database.rows(
      `copy (select * replace (${called}) from read_parquet(${quotePath(file)})) to ${quoteText(output.part)} (format parquet, compression zstd, use_tmp_file false)`,
    );
    await output.put();
  } finally {
    database.close();
    await output.release();
  }
}

function called(summaries: readonly ClusterSummary[], { names }: CuratedState): readonly ClusterSummary[] {
  return summaries.map(({ namedBy, ...summary }) => {
    const name = names[summary.cluster]!;
    return { ...summary, name, ...(namedBy !== undefined && name === summary.name && { namedBy }) };
  });
}

type Places = Pick<RowMap, "at" | "shown">;

/** Where the rows are on the map that was drawn once. */
async function placesIn({ folder, description: { result, source } }: Run): Promise<Places> {
  const file = folder.file("assignments.parquet");
  await checkParquet(file, file);
  const database = await Database.open({ memory: 500, files: [file] }, (error) => plainError(file, error, 500));
  const [x, y] = [new Float32Array(source.rows).fill(Number.NaN), new Float32Array(source.rows).fill(Number.NaN)];
  let row = 0;
  try {
    for await (const chunk of database.stream(`select x, y from read_parquet(${quotePath(file)})`)) {
      const [xs, ys] = [0, 1].map((column) => chunk.getColumnValues(column) as (number | null)[]) as [
        (number | null)[],
        (number | null)[],
      ];
      for (let i = 0; i < chunk.rowCount && row < source.rows; i++, row++) {
        x[row] = xs[i] ?? Number.NaN;
        y[row] = ys[i] ?? Number.NaN;
      }
    }
  } finally {
    database.close();
  }
  return {
    at: (at) => (Number.isNaN(x[at]!) ? [null, null] : [x[at]!, y[at]!]),
    shown: result.map!.shown,
  };
}

/** A center of the fit stays where it is on the map; one that came later is in the middle of its cluster's rows. */
function centersOnMap(
  { members, origins }: CuratedState,
  fitted: RowMap["centers"],
  labels: Int32Array,
  { at }: Places,
): RowMap["centers"] {
  const sums = members.map(() => [0, 0, 0] as [number, number, number]);
  labels.forEach((cluster, row) => {
    const [x, y] = at(row);
    if (x === null || y === null) return;
    const sum = sums[cluster]!;
    sum[0] += x;
    sum[1] += y;
    sum[2]++;
  });
  return members.map(([leading], cluster) => {
    const [x, y, count] = sums[cluster]!;
    return fitted[origins[leading!]!] ?? [x / Math.max(1, count), y / Math.max(1, count)];
  });
}
