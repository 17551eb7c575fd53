/**
 * Runs cells one after another: those that have no record yet, until the minutes are over. With a folder for
 * checkpoints a cell that is stopped in the middle goes on from there the next time.
 */

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Data, type Device, type Fit, methodOf } from "../src/doors/inside.ts";
import { partition, productsOn, type TeacherName, teachers } from "../src/doors/teachers.ts";
import { fitting, modelOf } from "../src/model/fitting.ts";
import { Model } from "../src/model/model.ts";
import type { Epoch } from "../src/training/epoch.ts";
import type { Checkpoint } from "../src/training/job.ts";
import { scoresOf } from "../src/training/scoresOf.ts";
import { pretrainingOptions, sharedOptions } from "../src/training/sharedOptions.ts";
import { checkpointsTo, readCheckpoint } from "../src/worker/checkpoints.ts";
import { type Cell, nameOf } from "./cell.ts";
import { commitOf } from "./commit.ts";
import { type Labelled, load } from "./data.ts";
import { type CurvePoint, done, keep, type Line } from "./records.ts";

export interface Running {
  /** Where the data sets are. */
  readonly data: string;
  readonly device: Device;
  /** Where the records are kept. */
  readonly out: string;
  readonly minutes: number;
  /** Where cells that were stopped in the middle are kept, if anywhere. */
  readonly checkpoints?: string | undefined;
  /** Where several processes say which cells they have taken, if several run. */
  readonly claims?: string | undefined;
}

export async function runCells(wanted: readonly Cell[], running: Running): Promise<void> {
  const { data, device, out, minutes, checkpoints, claims } = running;
  await mkdir(out, { recursive: true });
  for (const folder of [checkpoints, claims]) if (folder) await mkdir(folder, { recursive: true });
  const commit = commitOf();
  const deadline = performance.now() + minutes * 60_000;
  let loaded: { name: string; labelled: Labelled } | undefined;
  let shared: Shared | undefined;
  for (const cell of wanted) {
    if (performance.now() > deadline) break;
    const file = join(out, `${cell.data}.jsonl`);
    if ((await done(file)).has(nameOf(cell)) || !(await claimed(claims, cell))) continue;
    if (loaded?.name !== cell.data) loaded = { name: cell.data, labelled: await load(data, cell.data) };
    const checkpoint = checkpoints && join(checkpoints, fileOf(cell));
    const before = { device, shared, checkpoint, deadline };
    const run =
      cell.profile === "teacher" ? taught(cell, loaded.labelled, device) : trained(cell, loaded.labelled, before);
    // One that fails keeps the others from nothing.
    const ran = await run.catch((error: Error) => error);
    if (ran instanceof Error) {
      console.error(`${nameOf(cell)}: ${ran.message}`);
      continue;
    }
    const command = `bench accuracy --only ${nameOf(cell)} --device ${device.name}`;
    const about = { device: device.name, commit, command };
    if ("soFar" in ran) {
      const last = ran.soFar.at(-1);
      console.log(`${nameOf(cell)}: stopped ${last?.phase} in epoch ${last?.epoch}; its checkpoint is ${checkpoint}`);
      const line = lineSoFar(cell, ran.soFar);
      if (line) await keep(file, { ...line, ...about });
      break;
    }
    shared = ran.pretrained ?? shared;
    const line: Line = { ...named(cell), ...ran.line, ...about };
    await keep(file, line);
    for (const other of ran.others ?? []) await keep(file, { ...other, ...about });
    console.log(
      `${nameOf(cell).padEnd(44)} ACC ${share(line.start?.accuracy)} → ${share(line.scores.accuracy)}  ` +
        `NMI ${share(line.scores.nmi)}  ${line.seconds.toFixed(0)} s  ${ran.line.notices?.join("; ") ?? ""}`,
    );
  }
}

const fileOf = (cell: Cell): string => nameOf(cell).replaceAll("/", "-");

/** Whether a cell is this process's own: the first that says so has it. */
async function claimed(folder: string | undefined, cell: Cell): Promise<boolean> {
  if (!folder) return true;
  return writeFile(join(folder, fileOf(cell)), String(process.pid), { flag: "wx" }).then(
    () => true,
    () => false,
  );
}

const named = ({ data, method, profile, seed, options, ...rest }: Cell) => ({
  cell: nameOf({ data, method, profile, seed, options, ...rest }),
  ...{ data, method, profile, seed, options },
});

interface Ran {
  readonly line: Omit<Line, "cell" | "data" | "seed">;
  readonly pretrained?: Shared | undefined;
  /** The same training, with its labels given in another way. */
  readonly others?: readonly Line[];
}

/** The weights of a pretraining that other cells have in common. */
interface Shared {
  readonly key: string;
  readonly weights: NonNullable<NonNullable<Fit["pretrained"]>[number]>;
}

interface Before {
  readonly device: Device;
  readonly shared: Shared | undefined;
  /** Where the cell's own checkpoint is kept, if anywhere. */
  readonly checkpoint: string | undefined;
  readonly deadline: number;
}

/** A method's cell, or its epochs so far where the time was over before its end: then it has a checkpoint. */
async function trained(
  cell: Cell,
  { data, labels, classes }: Labelled,
  before: Before,
): Promise<Ran | { readonly soFar: readonly Epoch[] }> {
  const { device, shared, checkpoint, deadline } = before;
  const settings = settingsOf(cell);
  const key = pretrainingOf(cell, settings);
  const resume = checkpoint ? await readCheckpoint(checkpoint).catch(() => undefined) : undefined;
  const pretrained = shared?.key === key ? [shared.weights] : undefined;
  let isOver = false;
  const soFar = [...(resume?.history ?? [])];
  let end: Fit["state"] | undefined;
  const now = checkpoint ? checkpointsTo({ file: checkpoint, everySeconds: 0 }) : undefined;
  const sometimes = checkpoint ? checkpointsTo({ file: checkpoint, everySeconds: 120 }) : undefined;
  const said = {
    method: cell.method,
    clusters: classes,
    seed: cell.seed,
    profile: cell.profile as "paper" | "practical",
    options: { ...cell.options, restarts: 1 },
    // The start and the end are scored, and of a curve some epochs between; one that ends where labels stay looks at
    // them after every epoch.
    labels,
    evaluateEvery: lookedAt(cell, settings),
    keepPretrained: true,
    ...(pretrained && { pretrained }),
    onCheckpoint: async (take: () => Promise<Checkpoint>) => {
      isOver = checkpoint !== undefined && performance.now() > deadline;
      await (isOver ? now : sometimes)?.(take);
      if (cell.also && isLast(soFar.at(-1), settings)) end = (await take()).state;
    },
    ...(resume && { resume }),
  };
  const training = fitting(data, said, device);
  let step = await training.next();
  while (!step.done) {
    if (isOver) {
      await training.return(undefined as never);
      return { soFar };
    }
    soFar.push(step.value);
    step = await training.next();
  }
  const fit = step.value;
  if (checkpoint) await rm(checkpoint, { force: true });
  const last = fit.history.at(-1)!;
  const curve = curveOf(cell, fit.history);
  return {
    line: {
      // What the profile says today; it may say something else tomorrow.
      settings,
      start: fit.history.find(({ scores }) => scores)?.scores as Record<string, number>,
      scores: scoresOf(labels, fit.labels),
      measures: fit.measures,
      losses: last.losses,
      epochs: fit.history.filter(({ phase, epoch }) => phase === "clustering" && epoch > 0).length,
      stopped: fit.stopped,
      notices: [...new Set(fit.history.flatMap(({ notices }) => notices))].slice(0, 3),
      ...(curve.length > 0 && { curve }),
      // Where another cell has done the pretraining, its time is not counted again.
      ...(pretrained && { sharedPretraining: true }),
      seconds: Math.round(10 * fit.history.reduce((sum, { seconds }) => sum + seconds, 0)) / 10,
    },
    pretrained: fit.pretrained?.[0] ? { key, weights: fit.pretrained[0] } : undefined,
    ...(end && { others: [await labelledBy(cell, { ...fit, state: end }, { data, labels, device })] }),
  };
}

/** What is known of a cell that was stopped, if its clusters have been looked at since they began. */
function lineSoFar(cell: Cell, history: readonly Epoch[]): Line | undefined {
  const last = history.findLast(({ phase, epoch, scores }) => phase === "clustering" && epoch > 0 && scores);
  if (!last) return undefined;
  return {
    ...named(cell),
    settings: settingsOf(cell),
    start: history.find(({ scores }) => scores)!.scores!,
    scores: last.scores!,
    losses: last.losses,
    epochs: last.epoch,
    unfinished: true,
    curve: curveOf(cell, history),
    seconds: Math.round(10 * history.reduce((sum, { seconds }) => sum + seconds, 0)) / 10,
  };
}

/** Whether no epoch follows, or none need follow. */
function isLast(at: Epoch | undefined, { labelChange = 0 }: Record<string, unknown>): boolean {
  if (at?.phase !== "clustering") return false;
  return at.epoch === at.epochs || (at.changed ?? 1) <= Number(labelChange);
}

/** The line of a cell that differs in how a fitted model gives labels, and so need not be trained again. */
async function labelledBy(
  cell: Cell,
  fit: Fit,
  { data, labels, device }: { readonly data: Data; readonly labels: Int32Array; readonly device: Device },
): Promise<Line> {
  const started = performance.now();
  const { variant, options } = cell.also!;
  const plan = { ...fit.plan, options: { ...fit.plan.options, ...options } };
  const model = modelOf({ ...fit, plan }, undefined, device, Model);
  const scores = scoresOf(labels, await model.predict(data));
  await model.close();
  return {
    ...named({ ...cell, variant, options: { ...cell.options, ...options } }),
    scores,
    epochs: fit.history.filter(({ phase, epoch }) => phase === "clustering" && epoch > 0).length,
    ...(fit.stopped && { stopped: fit.stopped }),
    seconds: Math.round((performance.now() - started) / 100) / 10,
  };
}

/** A teacher's cell: rows in, a partition out; the device makes the products of matrices. */
async function taught(cell: Cell, { data, labels, classes }: Labelled, device: Device): Promise<Ran> {
  const products = productsOn(device);
  const started = performance.now();
  const { method, options, seed } = cell;
  const asked = { teacher: method as TeacherName, clusters: classes, options, seed, multiply: products.multiply };
  const found = await partition(data, asked);
  await products.close();
  const { most } = teachers[asked.teacher];
  return {
    line: {
      scores: scoresOf(labels, found.labels),
      ...(data.count > most && { sample: most }),
      ...(found.notes && { notices: found.notes }),
      seconds: Math.round((performance.now() - started) / 100) / 10,
    },
  };
}

function settingsOf({ method, profile, options }: Cell): Record<string, unknown> {
  return { ...methodOf(method).profiles[profile as "paper" | "practical"], ...options };
}

/** What decides a pretraining: cells with the same key share it. */
function pretrainingOf({ data, seed }: Cell, settings: Record<string, unknown>): string {
  return JSON.stringify([
    data,
    seed,
    ...pretrainingOptions.map((name) => settings[name] ?? sharedOptions[name].fallback),
  ]);
}

function lookedAt({ curve }: Cell, { epochs = 100, labelChange }: Record<string, unknown>): number {
  if (Number(labelChange ?? 0) > 0) return 1;
  return curve ? Math.max(1, Math.round(Number(epochs) / curve)) : 1_000_000;
}

function curveOf({ curve }: Cell, history: readonly Epoch[]): CurvePoint[] {
  return curve ? thinned(history.flatMap(pointOf), curve) : [];
}

function pointOf({ phase, epoch, scores, losses }: Epoch): CurvePoint[] {
  if (phase !== "clustering" || !scores) return [];
  const { accuracy, nmi, ari } = scores as Record<"accuracy" | "nmi" | "ari", number>;
  return [{ epoch, accuracy, nmi, ari, ...(losses.loss !== undefined && { loss: losses.loss }) }];
}

/** About so many of them, the last among them. */
function thinned<T>(all: readonly T[], count: number): T[] {
  const apart = Math.max(1, Math.ceil(all.length / count));
  return all.filter((_, at) => at % apart === 0 || at === all.length - 1);
}

function share(value: number | undefined): string {
  return value === undefined ? "–" : (100 * value).toFixed(1);
}
