/** From rows in a file to a finished run. A training that is stopped, however hard, goes on from its checkpoint. */

import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { checkWeights } from "../../data/columnScaling.ts";
import { filesRead } from "../../files/filesRead.ts";
import { columnReports } from "../../files/inspectRows.ts";
import { openSettings } from "../../files/openedRows.ts";
import { type OpenedRows, type OpenOptions, openRows } from "../../files/openRows.ts";
import { isPostgres } from "../../files/recognize.ts";
import { defaultMethod } from "../../methods/index.ts";
import { methodOf } from "../../methods/methodOf.ts";
import { rangeOf } from "../../model/choosing.ts";
import type { NamedFitOptions, OpenClusters } from "../../model/fitOptions.ts";
import { type DeviceName, type DeviceOffer, findDevice } from "../../runtime/device.ts";
import { checkSettings, type Settings } from "../../settings.ts";
import { isOpenToPlainRows } from "../../training/plainRows.ts";
import { formulate, type Plan, plan } from "../../training/plan.ts";
import { sharedOptions } from "../../training/sharedOptions.ts";
import { suited } from "../../training/suited.ts";
import { version } from "../../version.ts";
import { dismissThread, prepareThread } from "../../worker/fitInWorker.ts";
import { isMethodFile, type MethodFile, readMethodFile } from "../../worker/methodFile.ts";
import type { OnEvent } from "../events.ts";
import { fingerprintOf } from "../folder/fingerprint.ts";
import { checkSameRows, checkStoredSql, openRunOn, type Run, sameRows, storedOptions } from "../folder/openRun.ts";
import { ownMethod } from "../folder/ownMethod.ts";
import { sortedFiles } from "../folder/runFiles.ts";
import { damaged, RunFolder } from "../folder/runFolder.ts";
import {
  mostColumns,
  mostSnapshots,
  type RunDescription,
  runFormat,
  type SourceDescription,
} from "../folder/schemas/runDescription.ts";
import {
  checkLessons,
  foundTeacher,
  type Lessons,
  lessonOptions,
  lessonWords,
  ownTeacher,
  storedTeacher,
  taughtLabels,
  taughtMethod,
  teacherFile,
} from "./ownTeacher.ts";
import { readEncoder, tryEncoder } from "./readEncoder.ts";
import { type Facts, Timetable } from "./timetable.ts";
import { drawnRun, TrainingKept, trainRun } from "./trainRun.ts";

/** What a person may say about a fit of a file: as about any fit, and where the rows and the run are. */
export interface FileFitOptions
  extends Pick<NamedFitOptions, "profile" | "seed" | "options" | "weight" | "signal" | "watch">,
    Lessons {
  /** The folder to write. */
  readonly out: string;
  readonly force?: boolean;
  /** How many, a range to choose from, or leave it to Telltale; a clustering of your own says itself. */
  readonly clusters?: number | OpenClusters;
  /** One of ours by name, or a JavaScript file that exports a method by default. */
  readonly method?: string;
  readonly device?: DeviceName;
  /** An ONNX file: an encoder that stays as it is. */
  readonly network?: string;
  /** How to read the rows. */
  readonly rows?: OpenOptions;
  /** Whether it is asked if the rows show groups at all, where the number of clusters is given. */
  readonly groups?: boolean;
  readonly map?: boolean;
  readonly report?: boolean;
  /**
   * A file of a pretraining to begin with, which fits of the same rows, network and seed may share: read where it is
   * there, else made and written. Where this fit needs one of its own, nothing is done with it.
   */
  readonly pretraining?: string;
  /** How many snapshots of the clusters to keep through training, up to 24 of each restart (docs/runs.md). */
  readonly snapshots?: number;
  readonly onEvent?: OnEvent;
}

const fitSettings: Settings<FileFitOptions> = {
  ...{ out: "text", force: "flag", clusters: "any", method: "text", device: "text", network: "text", rows: "byName" },
  ...{ profile: "text", seed: "whole", options: "byName", weight: "byName", teacher: "text", effort: "text" },
  ...{ pretraining: "text", snapshots: "whole" },
  ...{ groups: "flag", map: "flag", report: "flag", signal: "signal", watch: "any", onEvent: "call" },
};

/** A training goes on as it began; its rows, and a method of one's own, may have to be given again. */
export type ResumeOptions = Pick<
  FileFitOptions,
  "signal" | "onEvent" | "watch" | "groups" | "map" | "report" | "method" | "pretraining"
> &
  Pick<OpenOptions, "runStoredSql"> & { readonly source?: string };

const resumeSettings: Settings<ResumeOptions> = {
  ...{ signal: "signal", onEvent: "call", watch: "any", groups: "flag", map: "flag", report: "flag" },
  ...{ method: "text", runStoredSql: "flag", source: "text", pretraining: "text" },
};

export function fitRunOn(offers: readonly DeviceOffer[]) {
  /** Learns the clusters of rows in a file, and writes the run folder. */
  return async function fitRun(source: string, options: FileFitOptions): Promise<Run> {
    const started = performance.now();
    checkSettings("fitRun", options, fitSettings, { rows: openSettings, options: sharedOptions });
    const { profile = "practical", seed = 1, device, network, rows = {}, force, teacher: who, effort } = options;
    const isLesson = who !== undefined || effort !== undefined;
    const { method = isLesson ? taughtMethod : defaultMethod } = options;
    for (const file of await filesRead(source, rows.sql)) await checkApart(file, options.out);
    const folder = await RunFolder.create(options.out, { ...(force !== undefined && { force }) });
    let opened: OpenedRows | undefined;
    try {
      const methodFile = isMethodFile(method) ? await readMethodFile(method) : undefined;
      const known = methodFile?.method ?? methodOf(method);
      checkLessons(known, options);
      const own = await ownTeacher(source, known, who);
      const encoder = network === undefined ? undefined : await readEncoder(network);
      const found = await findDevice(offers, device);
      const labelFile = own && (await foundTeacher(own, { memory: rows.memory, ...stopping(options) }));
      const column = labelFile ? labelFile.column : own?.column;
      const read = { ...rows, ...(column !== undefined && { teacher: column }) };
      prepareThread();
      opened = await openRows(source, { ...read, withBeside: true, ...stopping(options) });
      const isDropped = rows.missing === "drop";
      const teacher = own && (await taughtLabels(source, { opened, own, file: labelFile, isDropped }));
      if (encoder) {
        await tryEncoder(network!, encoder, found, opened, { signal: options.signal, memory: rows.memory });
      }
      const settings: RunDescription["settings"] = {
        clusters: teacher?.names.length ?? wanted(options.clusters, opened.data.count),
        ...(methodFile ? kept(methodFile) : { method }),
        profile,
        seed,
        ...(device && { device }),
        ...(options.groups === false && { groups: false }),
        ...(options.map === false && { map: false }),
        ...(options.report === false && { report: false }),
        ...(options.snapshots !== undefined && { snapshots: checkedSnapshots(options.snapshots) }),
        ...(encoder && { encoder: true }),
        ...(options.weight && { weight: options.weight }),
        ...(teacher && { teacher: { from: teacher.from, names: teacher.names } }),
        options: { ...lessonOptions(known, options), ...options.options },
      };
      // Whatever is wrong with the options is said before anything is written.
      if (options.weight) checkWeights("fit", encoder ? [] : opened.features, options.weight);
      const most = typeof settings.clusters === "number" ? settings.clusters : settings.clusters[1];
      if (typeof settings.clusters !== "number" && opened.data.count < 2) {
        throw new RangeError(`${source}: needs two rows or more to find out how many clusters there are, has 1`);
      }
      const memory = rows.memory === undefined ? {} : { memory: rows.memory };
      const planned = plan(known, opened.data, {
        ...{ clusters: most, profile, seed, options: settings.options },
        ...memory,
      });
      if (methodFile && !encoder) tryMethod(method, planned);
      options.onEvent?.({ kind: "device", device: found.description });
      const { description: line, data } = opened;
      const [columns, look] = [columnReports(opened), { row: data.row, range: data.range }];
      options.onEvent?.({ kind: "opened", description: line, rows: data.count, columns, look });
      if (teacher) options.onEvent?.({ kind: "notice", sentence: lessonWords(teacher) });
      const description: RunDescription = {
        format: "telltale run",
        version: runFormat,
        telltale: version,
        status: "training",
        created: new Date().toISOString(),
        source: await describeSource(source, read, opened),
        settings,
      };
      const files: [string, Uint8Array | string][] = [["epochs.jsonl", ""]];
      if (encoder) files.push(["encoder.onnx", encoder]);
      if (teacher) files.push(["teacher.npy", teacherFile(teacher)]);
      await folder.begin(description, new Map(files));
      const given = { ...(encoder && { encoder }), ...(methodFile && { methodFile }), ...(teacher && { teacher }) };
      const timetable = new Timetable(await factsOf(description, planned, opened, options.signal), started);
      return await trainRun({
        folder,
        description,
        opened,
        offers,
        started,
        timetable,
        ...given,
        ...listening(options),
      });
    } catch (error) {
      // One that was stopped can be resumed, and so can one that had learned something; of any other that has failed
      // nothing is left, and the old run is there again.
      const isKept = options.signal?.aborted || error instanceof TrainingKept;
      if (!isKept) await folder.discard();
      throw error;
    } finally {
      dismissThread();
      await opened?.close();
      await folder.unlock();
    }
  };
}

export function resumeRunOn(offers: readonly DeviceOffer[]) {
  const openRun = openRunOn(offers);
  /** Goes on with a training that was stopped; one that had ended is as it is. */
  return async function resumeRun(path: string, options: ResumeOptions = {}): Promise<Run> {
    const started = performance.now();
    checkSettings("resumeRun", options, resumeSettings);
    const folder = new RunFolder(path);
    const stored = await folder.description();
    const { result, source, settings } = stored;
    if (stored.status === "done" && result && !result.unfinished) {
      // What nobody can read is not called done, nor what a person has made of it.
      const run = await openRun(path);
      await run.labels();
      await run.summaries();
      await run.epochs();
      const { changed } = await sortedFiles(path);
      const damagedFile = changed.find((name) => /\.(parquet|onnx|safetensors)$/.test(name));
      if (damagedFile) throw damaged(path, damagedFile, new RangeError("is not as the run has written it"));
      return run;
    }
    if (options.source === undefined && source.name === "-") {
      throw new RangeError(`${path}: its rows came from standard input; give them again as a file to go on`);
    }
    const methodFile = await ownMethod(path, stored, options.method);
    const { groups = settings.groups, map = settings.map, report = settings.report } = options;
    const shown = {
      ...(groups !== undefined && { groups }),
      ...(map !== undefined && { map }),
      ...(report !== undefined && { report }),
    };
    const description = { ...stored, settings: { ...settings, ...shown } };
    await folder.lock();
    try {
      const now = await folder.description();
      // Whoever had the lock before may just have ended it.
      const { result: ended } = now;
      if (now.status === "done" && ended && !ended.unfinished) return openRun(path);
      const from = options.source ?? source.path ?? source.name;
      checkStoredSql(path, source, options.runStoredSql);
      const opened = await openRows(from, { ...sameRows(source), withBeside: true, ...stopping(options) });
      try {
        await checkSameRows(path, source, opened.data);
        const { description: line, data } = opened;
        const look = { row: data.row, range: data.range };
        options.onEvent?.({ kind: "opened", description: line, rows: data.count, look });
        const encoder = settings.encoder ? await folder.bytes("encoder.onnx") : undefined;
        const teacher = await storedTeacher(folder, description);
        const given = { ...(encoder && { encoder }), ...(methodFile && { methodFile }), ...(teacher && { teacher }) };
        const known = methodFile?.method ?? methodOf(settings.method);
        const planned = plan(known, opened.data, wantedOf(description, storedOptions(source).memory));
        const timetable = new Timetable(await factsOf(description, planned, opened, options.signal), started);
        const work = { folder, description, opened, offers, started, timetable, ...given, ...listening(options) };
        return await (ended ? drawnRun(work, { ...now, ...description, result: ended }) : trainRun(work));
      } finally {
        await opened.close();
      }
    } finally {
      await folder.unlock();
    }
  };
}

/** What a plan is made of, where a run is described; of a range, with the largest number. */
function wantedOf({ settings: { clusters, profile, seed, options } }: RunDescription, memory: number | undefined) {
  const most = typeof clusters === "number" ? clusters : clusters[1];
  return { ...{ clusters: most, profile, seed, options }, ...(memory !== undefined && { memory }) };
}

/** What decides how long it takes. */
export async function factsOf(
  { settings, choice }: RunDescription,
  planned: Plan,
  { data }: OpenedRows,
  signal: AbortSignal | undefined,
): Promise<Facts> {
  const { groups = true, map = true, report = true, teacher, encoder } = settings;
  const { method, options } = planned;
  const plan = method.isTaught && !encoder ? await suited(planned, data, settings.options, signal) : planned;
  const isChosen = method.isTaught === true && !teacher && options.taughtBy === "auto";
  const isPlain = isChosen && !encoder && isOpenToPlainRows(plan);
  const isOpen = typeof settings.clusters !== "number" && !choice;
  return { plan, isOpen, isChosen, isPlain, groups, map, report };
}

function checkedSnapshots(wanted: number): number {
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= mostSnapshots) return wanted;
  throw new RangeError(`fit: snapshots must be a whole number from 1 to ${mostSnapshots}, got ${wanted}`);
}

/** Rows never lie in the folder that is written to, by whatever name or link they are reached. */
async function checkApart(source: string, out: string): Promise<void> {
  const [from, to] = await Promise.all([source, out].map((path) => realpath(path).catch(() => resolve(path))));
  const inside = relative(to!, from!);
  if (inside !== ".." && !inside.startsWith(join("..", "/")) && !isAbsolute(inside)) {
    const where = inside === "" ? `is what is read` : `lies in ${out}, where the run is to be written`;
    throw new RangeError(`${source}: ${where}; choose another folder for the run`);
  }
}

/** What a folder keeps of a method that is none of ours: never a path that is opened later. */
function kept({ method: { name, about, paper }, file, sha256 }: MethodFile) {
  return { method: name, methodFile: { file, sha256, about, paper } };
}

function listening({
  signal,
  onEvent,
  watch,
  pretraining,
}: Pick<FileFitOptions, "signal" | "onEvent" | "watch" | "pretraining">) {
  return {
    ...(signal && { signal }),
    ...(onEvent && { onEvent }),
    ...(watch !== undefined && { watch }),
    ...(pretraining !== undefined && { pretraining }),
  };
}

function stopping({ signal }: { readonly signal?: AbortSignal }): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}

function wanted(clusters: FileFitOptions["clusters"], rows: number): RunDescription["settings"]["clusters"] {
  return typeof clusters === "number" ? clusters : rangeOf("fit", clusters ?? "auto", rows);
}

async function describeSource(
  source: string,
  { input: _, signal: __, runStoredSql: ___, withBeside: ____, keep: _____, ...options }: OpenOptions,
  opened: OpenedRows,
): Promise<SourceDescription> {
  const { data, features, ids, labels, filled, marks, dropped, description } = opened;
  return {
    name: source,
    ...(source !== "-" && options.sql === undefined && !isPostgres(source) && { path: resolve(source) }),
    options,
    description,
    rows: data.count,
    ...(dropped && { dropped: dropped.rows.length }),
    row: data.row,
    range: data.range,
    fingerprint: await fingerprintOf(data),
    features,
    ids: ids?.names ?? [],
    ...(filled && { filled }),
    ...(marks && { marks }),
    ...(labels && { classes: labels.names }),
    ...(opened.columns && { table: columnReports(opened).slice(0, mostColumns) }),
  };
}

/** Whether a method of one's own can write its formulas down. */
function tryMethod(file: string, planned: Plan): void {
  try {
    const { clustering } = formulate(planned, 0);
    if (Object.keys(clustering.steps).length === 0) throw new TypeError("it has no steps");
  } catch (error) {
    throw new RangeError(`${file}: start failed: ${(error as Error).message}`, { cause: error });
  }
}
