/**
 * The files of a run folder: what a run has written, and may therefore be replaced. A name alone tells nothing: a file
 * is the run's if its bytes are those that run.json lists, or if it says itself what it is. Everything else is
 * somebody's own.
 */

import type { Dirent } from "node:fs";
import { open, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { own } from "../../data/own.ts";
import { isThere } from "../../disk/isThere.ts";
import { readRegular } from "../../disk/regularFile.ts";
import { sha256OfFile } from "../../disk/sha256.ts";
import { writerOfPart } from "../../disk/writeWhole.ts";
import { parseJson } from "../../formats/json.ts";
import { problemIn } from "../../formats/schema.ts";
import { describeOnnx } from "../../onnx/read.ts";
import { epochLine } from "../../training/fitSchemas.ts";
import { parsedLog } from "./curationLog.ts";
import { describedIn } from "./runJson.ts";
import { sealedIn } from "./sealed.ts";

/** No file is looked into that has more. */
const mostBytes = 2 ** 29;

/** Where the run lies that is being replaced. */
export const asideFolder = ".replaced";

const files =
  /^(run|clusters)\.json$|^(model|decoder|encoder)\.onnx$|^(epochs\.jsonl|assignments\.parquet|weights\.safetensors|frames\.safetensors|snapshots\.safetensors|report\.html|README\.md|teacher\.npy|differences\.csv|dropped\.csv|curation\.jsonl)$/;

/** What is in the folders of a run. */
const curated = /^(curated|clusters)\.json$|^(model|decoder)\.onnx$|^(assignments\.parquet|weights\.safetensors)$/;
const folders: ReadonlyMap<string, RegExp> = new Map<string, RegExp>([
  ["exemplars", /^(\d+\.png|exemplars\.csv)$/],
  ["checkpoint", /^((fit|choice|snapshots)\.safetensors|choice\.jsonl)$/],
  ["stream", /^(state|curated)\.safetensors$/],
  ["curation", /^\d+\.safetensors$/],
  ...["curated", "curated.next", "curated.old"].map((name) => [name, curated] as const),
]);

/** From where a training goes on. */
export const checkpoints = ["checkpoint/fit.safetensors", "checkpoint/choice.safetensors"] as const;

/** The folders of a run, by name. */
export const runFolders: readonly string[] = [...folders.keys()];

/** Whether a path below a run folder, with / in it, is one that a run writes. */
export function isRunFile(name: string): boolean {
  const [first = "", ...rest] = name.split("/");
  return rest.length === 0 ? files.test(first) : rest.length === 1 && folders.get(first)?.test(rest[0]!) === true;
}

/** Files that change all the time, and say themselves what they are; the rest is listed in run.json by its hash. */
export function isListed(name: string): boolean {
  return (!Object.hasOwn(selfEvident, name) && !isOfCuration(name)) || name === "epochs.jsonl";
}

/** What a person's changes have become: it has a list of its own, curated.json, or says itself what it is. */
function isOfCuration(name: string): boolean {
  return /^curat(ed(\.next|\.old)?|ion)\//.test(name);
}

const selfEvident: Readonly<Record<string, (file: string) => Promise<boolean>>> = {
  "checkpoint/fit.safetensors": (file) => beginsWith(file, '{"__metadata__":{"format":"telltale checkpoint '),
  "checkpoint/choice.safetensors": (file) => beginsWith(file, '{"__metadata__":{"format":"telltale checkpoint '),
  "checkpoint/snapshots.safetensors": (file) => beginsWith(file, '{"__metadata__":{"format":"telltale snapshots"'),
  "stream/state.safetensors": (file) => beginsWith(file, '{"__metadata__":{"format":"telltale stream"'),
  "stream/curated.safetensors": (file) => beginsWith(file, '{"__metadata__":{"format":"telltale stream"'),
  "curation.jsonl": isOfEdits,
  "checkpoint/choice.jsonl": isOfEpochs,
  "epochs.jsonl": isOfEpochs,
};

/** A lock, and what a process leaves that was ended while it wrote. */
export function isPassing(name: string): boolean {
  return /^lock(\.takeover)?$/.test(name) || writerOfPart(name) !== undefined;
}

/** A file that has the name of one of the run's, and is somebody's own. */
export class NotAsWritten extends RangeError {
  constructor(path: string, name: string) {
    super(`${path}: ${name} is not as the run has written it, and would be lost; move what is yours, or remove it`);
  }
}

export interface SortedFiles {
  /** What the run has written, as it has written it. */
  readonly ours: readonly string[];
  /** What has the name of a run's file and is none, or was changed since, or is a link. */
  readonly changed: readonly string[];
  /** What no run writes. */
  readonly others: readonly string[];
  /** Whether run.json is ours, and belongs to what lies beside it: weights, or how far the training has come. */
  readonly isRun: boolean;
}

/** The paths below a run folder, by whose they are. */
export async function sortedFiles(path: string): Promise<SortedFiles> {
  const sorted = { ours: [] as string[], changed: [] as string[], others: [] as string[] };
  const found = await entriesOf(path);
  const known = await recordOf(path);
  for (const [name, entry] of found) {
    if (!isRunFile(name)) sorted.others.push(name);
    else if (entry.isFile() && (await isOurs(path, name, known))) sorted.ours.push(name);
    else sorted.changed.push(name);
  }
  const anchor = known.status === "done" ? "weights.safetensors" : "epochs.jsonl";
  const isRun = known.status !== undefined && ["run.json", anchor].every((name) => sorted.ours.includes(name));
  return { ...sorted, isRun };
}

/** Refuses a folder in which something that a run writes is a link, or nothing that can be written to. */
export async function checkPlain(path: string): Promise<void> {
  for (const [name, entry] of await entriesOf(path)) {
    // One that is a folder is entered, and not among these.
    const isFolder = folders.has(name) || name === asideFolder;
    if (isFolder || (isRunFile(name) && !entry.isFile())) {
      throw new RangeError(
        `${path}: ${name} is ${entry.isSymbolicLink() ? "a link" : `no ${isFolder ? "folder" : "plain file"}`}, and nothing is written to a run folder that leads elsewhere; put ${isFolder ? "a folder" : "the file"} itself there, or remove it`,
      );
    }
  }
  const aside = join(path, asideFolder);
  if (await isThere(aside)) await checkPlain(aside);
}

/** Removes files of a run, and its folders where nothing is left in them. */
export async function removeFiles(path: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(path, name), { force: true });
  for (const folder of folders.keys()) await rmdir(join(path, folder)).catch(() => {});
}

/** What a training needs to go on, once it has ended. */
export async function removeCheckpoint(path: string): Promise<void> {
  const names = (await entriesOf(path)).map(([name]) => name);
  await removeFiles(
    path,
    names.filter((name) => name.startsWith("checkpoint/") && isRunFile(name)),
  );
}

/** The names of what a process was about to make run.json: it lists the files that were written before. */
export async function unfinishedDescriptions(path: string): Promise<string[]> {
  const names = await readdir(path).catch(() => []);
  return names.filter((name) => name.startsWith("run.json.") && writerOfPart(name) !== undefined);
}

/** What is in a folder and in the folders of a run there, but for what passes. A link is not entered. */
async function entriesOf(path: string): Promise<[string, Dirent][]> {
  const found: [string, Dirent][] = [];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const isEntered = entry.isDirectory() && (folders.has(entry.name) || entry.name === asideFolder);
    if (!isEntered) {
      if (!(entry.isFile() && isPassing(entry.name))) found.push([entry.name, entry]);
    } else if (entry.name !== asideFolder) {
      for (const each of await readdir(join(path, entry.name), { withFileTypes: true })) {
        if (!(each.isFile() && isPassing(each.name))) found.push([`${entry.name}/${each.name}`, each]);
      }
    }
  }
  return found;
}

/** By what the files of a folder are known. */
interface KnownFiles {
  readonly hashes: ReadonlyMap<string, ReadonlySet<string>>;
  readonly status?: "training" | "done";
  /** Whether run.json has its seal. */
  readonly isSealed: boolean;
  /** Whether it was written before runs listed their files, and is known by its weights. */
  readonly isOlder: boolean;
}

async function recordOf(path: string): Promise<KnownFiles> {
  const hashes = new Map<string, Set<string>>();
  const add = (found: ReturnType<typeof sealedIn>): void => {
    for (const [name, each] of Object.entries(found?.files ?? {})) {
      hashes.set(name, new Set([...(hashes.get(name) ?? []), ...each]));
    }
  };
  for (const name of await unfinishedDescriptions(path)) add(sealedIn(await textOf(join(path, name))));
  const text = await textOf(join(path, "run.json"));
  const sealed = sealedIn(text);
  add(sealed);
  try {
    const { status, files } = describedIn(path, text);
    return { hashes, status, isSealed: !!sealed, isOlder: !files && (await isOlderRun(path, status)) };
  } catch {
    return { hashes, isSealed: false, isOlder: false };
  }
}

/** Whether a file of a run folder is as the run has written it. */
export async function isAsWritten(path: string, name: string): Promise<boolean> {
  const known = await recordOf(path);
  // Without its seal run.json tells nothing, and neither did older ones.
  return (await isOurs(path, name, known)) || (!known.isSealed && isOfOlderRun(join(path, name), name));
}

async function isOurs(path: string, name: string, known: KnownFiles): Promise<boolean> {
  const file = join(path, name);
  if (name === "run.json") return known.isSealed || known.isOlder;
  const hashes = known.hashes.get(name);
  if (hashes?.has(await sha256OfFile(file).catch(() => ""))) return true;
  if (Object.hasOwn(selfEvident, name)) return selfEvident[name]!(file);
  if (isOfCuration(name)) return isOurCuration(path, name);
  return known.isOlder && (await isOfOlderRun(file, name));
}

/** What an edit has learned says what it is; the files of a curated model are those that its curated.json lists. */
export async function isOurCuration(path: string, name: string): Promise<boolean> {
  const file = join(path, name);
  const [folder, own] = name.split("/") as [string, string];
  if (folder === "curation") return beginsWith(file, '{"__metadata__":{"format":"telltale edit"');
  const sealed = sealedIn(await textOf(join(path, folder, "curated.json")));
  if (!sealed) return false;
  return own === "curated.json" || sealed.files[own]?.includes(await sha256OfFile(file).catch(() => "")) === true;
}

/** Whether all lines are of a log of edits; the last may be cut off. */
async function isOfEdits(file: string): Promise<boolean> {
  try {
    return parsedLog(file, await textOf(file)).entries.length >= 0;
  } catch {
    return false;
  }
}

/**
 * A run that lists no files was written by an older Telltale: its weights are those that its model.onnx was made of, or
 * it has a checkpoint.
 */
async function isOlderRun(path: string, status: "training" | "done"): Promise<boolean> {
  if (status === "training") {
    return (await Promise.all(checkpoints.map((name) => selfEvident[name]!(join(path, name))))).includes(true);
  }
  try {
    const { metadata } = describeOnnx(await readRegular(join(path, "model.onnx"), mostBytes));
    return metadata.weights === (await sha256OfFile(join(path, "weights.safetensors")));
  } catch {
    return false;
  }
}

/** People write these two themselves; ours say who has made them. */
const signatures: Readonly<Record<string, RegExp>> = {
  "README.md": /\nMade by Telltale \S+ on \d{4}-\d\d-\d\d \(run format \d+\)\.\n$/,
  "report.html": /<meta name="generator" content="Telltale /,
};

async function isOfOlderRun(file: string, name: string): Promise<boolean> {
  const signature = own(signatures, name);
  return !signature || signature.test(await textOf(file));
}

async function textOf(file: string, otherwise = ""): Promise<string> {
  const bytes = await readRegular(file, mostBytes).catch(() => undefined);
  return bytes ? new TextDecoder().decode(bytes) : otherwise;
}

/** Whether the header of a safetensors file begins like this. */
async function beginsWith(file: string, header: string): Promise<boolean> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8 + header.length), 0, 8 + header.length, 0);
    return buffer.subarray(8, bytesRead).toString("latin1") === header;
  } finally {
    await handle.close();
  }
}

/** Whether all lines are epochs; the last may be cut off. */
async function isOfEpochs(file: string): Promise<boolean> {
  const lines = (await textOf(file, "none\n")).split("\n").slice(0, -1);
  try {
    return lines.every((line) => problemIn("epoch", epochLine, parseJson(line)) === undefined);
  } catch {
    return false;
  }
}
