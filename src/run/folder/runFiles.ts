/**
 * The files of a run folder: what a run has written, and may therefore be replaced. Everything else is somebody's own.
 */

import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { writerOfPart } from "../../disk/writeWhole.ts";

const files =
  /^(run|clusters)\.json$|^(model|decoder|encoder)\.onnx$|^(epochs\.jsonl|assignments\.parquet|weights\.safetensors|report\.html|README\.md)$/;

/** What is in the folders of a run. */
const folders: ReadonlyMap<string, RegExp> = new Map([
  ["exemplars", /^(\d+\.png|exemplars\.csv)$/],
  ["checkpoint", /^((fit|choice)\.safetensors|choice\.jsonl)$/],
  ["stream", /^state\.safetensors$/],
]);

/** A lock, and what a process leaves that was ended while it wrote. */
export function isPassing(name: string): boolean {
  return /^lock(\.takeover)?(\.\d+\.\d+)?$/.test(name) || writerOfPart(name) !== undefined;
}

/** The paths below a run folder that a run has written, and those that it has not. Links are nobody's. */
export async function sortedFiles(path: string): Promise<{ ours: string[]; others: string[] }> {
  const [ours, others]: [string[], string[]] = [[], []];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inside = folders.get(entry.name);
    if (entry.isDirectory() && inside) {
      for (const each of await readdir(join(path, entry.name), { withFileTypes: true })) {
        const isOurs = each.isFile() && (inside.test(each.name) || writerOfPart(each.name) !== undefined);
        (isOurs ? ours : others).push(join(entry.name, each.name));
      }
    } else if (entry.isFile() && (files.test(entry.name) || isPassing(entry.name))) ours.push(entry.name);
    else others.push(entry.name);
  }
  return { ours, others };
}

/** Removes what a run has written, but for some of it; folders go where nothing is left in them. */
export async function removeRunFiles(path: string, isWanted: (name: string) => boolean = () => true): Promise<void> {
  const { ours } = await sortedFiles(path);
  for (const name of ours.filter(isWanted)) await rm(join(path, name), { force: true });
  // One that has something left in it stays.
  for (const folder of folders.keys()) await rmdir(join(path, folder)).catch(() => {});
}
