/** From a trained model to a finished run folder: what the clusters are, where every row is, the picture, the report. */

import { rm } from "node:fs/promises";
import type { Loaded } from "../data/files/index.ts";
import { placed } from "../explain/placement.ts";
import { summarize } from "../explain/summarize.ts";
import type { ClusterSummary } from "../explain/summary.ts";
import type { Model } from "../model/model.ts";
import { describeModel } from "../model/saved.ts";
import { arePictures, pixelsOf, png } from "../report/pictures.ts";
import type { Epoch } from "../training/epoch.ts";
import { scoresOf } from "../training/train.ts";
import { idColumns, placementColumns } from "./assign.ts";
import { modelCard } from "./card.ts";
import type { RunDescription, RunResult } from "./description.ts";
import { rounded } from "./digits.ts";
import type { OnEvent } from "./events.ts";
import type { RunFolder } from "./folder.ts";
import { type Cell, type OutputColumn, openOutput } from "./output.ts";
import { type Picture, pictureOf } from "./picture.ts";
import { writeReport } from "./report.ts";
import { type SavedModel, saveModel } from "./saved.ts";

export interface Finishing {
  readonly folder: RunFolder;
  readonly description: RunDescription;
  readonly loaded: Loaded;
  readonly model: Model;
  readonly encoder?: Uint8Array;
  readonly seconds: number;
  readonly map: boolean;
  readonly report: boolean;
  readonly signal?: AbortSignal;
  readonly onEvent?: OnEvent;
}

/** `run.json` is written last: until then the folder is that of a training, which can be resumed. */
export async function finish(finishing: Finishing): Promise<RunDescription & { result: RunResult }> {
  const { folder, loaded, model, encoder, signal, onEvent } = finishing;
  const { columns, ids } = loaded;
  const data = await model.features(loaded.data);
  // Behind a frozen encoder everything is about its features, which have no names.
  const isSame = !model.encoder;
  const stage = (stage: string, done: number, total: number): void => onEvent?.({ kind: "stage", stage, done, total });

  stage("describing the clusters", 0, 1);
  const named = { ...(isSame && { columns }), ...(ids && { ids }), ...(signal && { signal }) };
  const summaries = await summarize(model, data, named);
  const names = summaries.map(({ name }) => name);
  const picture = finishing.map ? await pictureOf(model, loaded.data, { stage, ...(signal && { signal }) }) : undefined;
  await writeAssignments(finishing, summaries, picture, stage);

  const contract = { names, columns: isSame ? columns : [], ...(encoder && { encoder }) };
  const { takes } = await saveModel(folder, model, contract);
  const result = resultOf(finishing, picture, takes);
  const description = { ...finishing.description, status: "done" as const, result };
  await folder.write("clusters.json", `${JSON.stringify(summaries, shortNumbers, 1)}\n`);
  await folder.write("epochs.jsonl", model.fit.history.map((epoch) => `${JSON.stringify(epoch)}\n`).join(""));
  await writeExemplars(finishing, summaries);
  await folder.write("README.md", modelCard({ name: folder.name, description, clusters: summaries }));
  if (finishing.report) {
    stage("writing the report", 0, 1);
    await writeReport(folder, description);
  }
  await folder.describe(description);
  await rm(folder.file("checkpoint"), { recursive: true, force: true });
  return description;
}

/** Seven digits are enough for whoever reads a float32. */
function shortNumbers(_: string, value: unknown): unknown {
  return typeof value === "number" ? rounded(value) : value;
}

function resultOf(
  { loaded, model, seconds }: Finishing,
  picture: Picture | undefined,
  takes: SavedModel["takes"],
): RunResult {
  const { labels: truth } = loaded;
  const isScored = truth && !truth.classes.includes(-1);
  const notices = new Set(model.fit.history.filter(isLast(model)).flatMap((epoch) => epoch.notices));
  if (picture && picture.shown < loaded.data.count) {
    notices.add(`the map shows ${picture.shown} of ${loaded.data.count} rows`);
  }
  if (takes === "features") notices.add("model.onnx takes what encoder.onnx gives: their operation sets differ");
  if (truth && !isScored) notices.add("some rows have no label, so that nothing is scored");
  return {
    ...describeModel(model),
    ...(isScored && {
      scores: scoresOf(truth.classes, model.labels),
      confusion: confusionOf(truth, model.labels, model.plan.clusters),
    }),
    device: model.device.description,
    seconds,
    notices: [...notices],
    ...(picture && { map: { centers: picture.centers, shown: picture.shown } }),
  };
}

/** What is wrong in the end, not what once was. */
function isLast({ fit }: Model): (epoch: Epoch) => boolean {
  const own = fit.history.filter(({ restart, phase }) => restart === fit.restart && phase === "clustering");
  return (epoch) => epoch === own.at(-1);
}

/** How many rows of each class are in each cluster. */
function confusionOf({ classes, names }: NonNullable<Loaded["labels"]>, labels: Int32Array, clusters: number) {
  const table = names.map(() => Array<number>(clusters).fill(0));
  classes.forEach((of, i) => {
    table[of]![labels[i]!]!++;
  });
  return { classes: names, table };
}

/** Every row with its cluster, how sure that is, and its place on the map. */
async function writeAssignments(
  { folder, loaded, model, signal }: Finishing,
  summaries: readonly ClusterSummary[],
  picture: Picture | undefined,
  stage: (stage: string, done: number, total: number) => void,
): Promise<void> {
  const { data, ids } = loaded;
  const places: OutputColumn[] = picture ? ["x", "y"].map((name) => ({ name, type: "number" })) : [];
  const ours: OutputColumn[] = [
    { name: "row", type: "integer" },
    { name: "cluster_name", type: "text" },
    ...placementColumns,
    ...places,
  ];
  const [row, name, ...rest] = ours as [OutputColumn, OutputColumn, ...OutputColumn[]];
  const columns = [row, ...idColumns(ids?.names, ours), rest[0]!, name, ...rest.slice(1)];
  const output = await openOutput("parquet", columns, { out: folder.file("assignments.parquet"), force: true });
  try {
    const reach = summaries.map((summary) => summary.reach);
    const settings = { reach, ...(ids && { ids }), ...(signal && { signal }) };
    for await (const batch of placed(model, await model.features(data), settings)) {
      const lines = batch.placements.map((placement, i): Cell[] => {
        const [cluster, ...others] = placementColumns.map(({ of }) => of(placement));
        const own = [...(batch.ids?.[i] ?? []), cluster!, summaries[placement.cluster]!.name, ...others];
        return [placement.row, ...own, ...(picture?.at(placement.row) ?? [])];
      });
      await output.write(lines);
      stage("assigning rows", batch.placements.at(-1)!.row + 1, data.count);
    }
    await output.end();
  } catch (error) {
    await output.abandon();
    throw error;
  }
}

/** The exemplars as files: pictures where rows are pictures, else a table. */
async function writeExemplars(finishing: Finishing, summaries: readonly ClusterSummary[]): Promise<void> {
  const { folder, loaded, model } = finishing;
  const { row } = model.plan;
  const { range } = loaded.data;
  if (arePictures(row)) {
    for (const { cluster, exemplar } of summaries) {
      const { pixels, width, height, channels } = pixelsOf(exemplar, { row, range }, Math.max(...row));
      await folder.write(`exemplars/${cluster}.png`, png(pixels, width, height, channels));
    }
    return;
  }
  const columns = summaries[0]!.exemplar.map((_, i) => loaded.columns[i] ?? `x${i}`);
  const header = ["cluster", "name", ...columns].map(quoted).join(",");
  const lines = summaries.map(({ cluster, name, exemplar }) =>
    [cluster, quoted(name), ...exemplar.map(rounded)].join(","),
  );
  await folder.write("exemplars/exemplars.csv", `${[header, ...lines].join("\n")}\n`);
}

function quoted(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
