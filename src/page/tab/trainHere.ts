/** What a worker that trains does: told once what, it tells every epoch, and ends with all that there is to look at. */

import {
  type ClusterSummary,
  describeModel,
  devices,
  type Epoch,
  findDevice,
  fitByName,
  type Model,
  MovingFrames,
  mapRows,
  placeRows,
  savedWeights,
  webGpu,
} from "../../doors/tab.ts";
import { type Placements, placements } from "../here/cellTable.ts";
import { findRuntimeBesidePage } from "./runtimeFiles.ts";
import { openTabRows, type TabRows } from "./tabRows.ts";
import type { FromTraining, Made, TrainingOrder } from "./trainingMessages.ts";

/** Rows that are seen moving. */
const watch = 2000;
/** At least so long between two checkpoints, in milliseconds. */
const checkpointEvery = 4000;

const tell = (message: FromTraining): void => postMessage(message);

/** To be called once, by a worker. */
export function trainHere(): void {
  findRuntimeBesidePage();
  addEventListener("message", ({ data }: MessageEvent<TrainingOrder>) => {
    work(data).catch((error: unknown) =>
      tell({ kind: "failed", problem: error instanceof Error ? error.message : String(error) }),
    );
  });
}

async function work({ dropped, request, resume }: TrainingOrder): Promise<void> {
  const started = performance.now();
  const { method, profile, clusters, seed, options, weight, effort } = request;
  const rows = await openTabRows(dropped, request.rows ?? {});
  const device = await findDevice([...devices, webGpu], request.device);
  const { row, range } = rows.data;
  tell({ kind: "begun", device: device.description, description: rows.description, look: { row, range } });
  let last = performance.now();
  const fitting = fitByName(rows.data, {
    ...{
      device,
      watch,
      clusters: Array.isArray(clusters) ? ([...clusters] as [number, number]) : (clusters ?? "auto"),
    },
    options: { ...(effort !== undefined && { effort }), ...options },
    ...(method !== undefined && { method }),
    ...(profile !== undefined && { profile }),
    ...(seed !== undefined && { seed }),
    ...(weight && { weight }),
    ...(rows.features && { columns: rows.features }),
    ...(rows.filled && { missing: rows.filled }),
    ...(resume && { resume }),
    async onCheckpoint(take) {
      if (performance.now() - last < checkpointEvery) return;
      last = performance.now();
      tell({ kind: "checkpoint", checkpoint: await take() });
    },
  });
  const frames = new MovingFrames();
  const notices = new Set<string>();
  for await (const epoch of fitting) {
    const { watched, snapshot: _, ...told } = epoch;
    tell({ kind: "epoch", epoch: told });
    if (isLast(epoch)) for (const notice of epoch.notices) notices.add(notice);
    // A picture that fails is no reason to stop learning.
    const frame = watched && (await frames.next(epoch, watched).catch(() => undefined));
    if (frame) tell({ kind: "frame", frame });
  }
  const model = await fitting;
  const { choice } = model.fit;
  if (choice) notices.add(`${choice.chosen} clusters were found`);
  const seconds = (): number => (performance.now() - started) / 1000;
  tell({ kind: "done", made: { ...(await made(model, rows)), seconds: seconds(), notices: [...notices] } });
}

function isLast({ phase, epoch, epochs }: Epoch): boolean {
  return phase === "clustering" && epoch === epochs;
}

async function made(model: Model, rows: TabRows): Promise<Omit<Made, "seconds" | "notices">> {
  const { data, features, ids, beside } = rows;
  tell({ kind: "stage", words: "describing the clusters", share: 0 });
  const summaries = await model.summarize(data, {
    ...(features && { columns: features }),
    ...(ids && { ids: { inOrder: (size: number) => inBatches(ids, size) } }),
    ...(beside && { beside }),
  });
  const { at, centers } = await mapRows(model, data, {
    stage: (words, done, total) => tell({ kind: "stage", words, share: total > 0 ? done / total : 0 }),
  });
  const places = new Float32Array(2 * data.count);
  for (let row = 0; row < data.count; row++) {
    const [x, y] = at(row);
    places.set([x ?? Number.NaN, y ?? Number.NaN], 2 * row);
  }
  return {
    ...{ model: describeModel(model), weights: await savedWeights(model), device: model.device.description },
    ...{ summaries: summaries.map((summary) => marked(summary, rows)), map: { places, centers } },
    placements: await placed(model, data, summaries),
  };
}

async function placed(model: Model, data: TabRows["data"], summaries: readonly ClusterSummary[]): Promise<Placements> {
  const all = Object.fromEntries(placements.map((name) => [name, new Float32Array(data.count)])) as Record<
    (typeof placements)[number],
    Float32Array
  >;
  for await (const batch of placeRows(model, data, { reach: summaries })) {
    for (const placement of batch.placements) {
      for (const name of placements) all[name][placement.row] = placement[name];
    }
  }
  return all;
}

/** What stands for missing values is marked where rows are shown. */
function marked(summary: ClusterSummary, { missingOf }: TabRows): ClusterSummary {
  const mark = (row: ClusterSummary["typical"][number]) => {
    const filled = missingOf(row.row);
    return { ...row, ...(filled && { filled }) };
  };
  return { ...summary, typical: summary.typical.map(mark), borderline: summary.borderline.map(mark) };
}

function* inBatches<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let first = 0; first < all.length; first += size) yield all.slice(first, first + size);
}
