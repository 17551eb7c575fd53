/** How a curated model comes to be on disk: beside the old one first, then the log's line, then in its place. */

import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { featureNames } from "../../data/feature.ts";
import { cannotWrite } from "../../disk/cannotWrite.ts";
import { isThere } from "../../disk/isThere.ts";
import { sha256OfFile } from "../../disk/sha256.ts";
import { makeFolder, syncFolder } from "../../disk/writeWhole.ts";
import { curatedFile, curatedFolders } from "../folder/curatedRun.ts";
import { type CurationLog, logFile, positionOf, replay, textOf } from "../folder/curationLog.ts";
import { modelFiles } from "../folder/modelFiles.ts";
import type { Run } from "../folder/openRun.ts";
import { isPassing } from "../folder/runFiles.ts";
import type { RunFolder } from "../folder/runFolder.ts";
import { isFromMemory } from "../folder/schemas/runDescription.ts";
import { sealedText } from "../folder/sealed.ts";
import type { CuratedModels, Made } from "./curatedModels.ts";
import { encodeLearned, learnedFile } from "./learning.ts";
import { listRows, renameLists, resultOf } from "./lists.ts";
import type { RowsAtHand } from "./rowsAtHand.ts";

const [place, next] = curatedFolders;
const old = "curated.old";

export interface Writing {
  /** As it was fitted. */
  readonly run: Run;
  readonly models: CuratedModels;
  /** With the line that is to be added. */
  readonly log: CurationLog;
  readonly made: Made;
  /** The run as it is now, where only names change: what is said of its rows stays. */
  readonly now?: Run;
  readonly rows?: RowsAtHand;
  readonly signal?: AbortSignal;
}

/** What edits have learned, and the model that they have made, beside the one that is there. */
export async function writeCurated({ run, models, log, made, now, rows, signal }: Writing): Promise<void> {
  const { folder, description } = run;
  const { edits } = replay(log);
  for (const { number, edit } of edits) {
    const changed = made.learned.get(number);
    if (changed) await folder.write(learnedFile(number), encodeLearned(edit, changed));
  }
  if (edits.length === 0) return;
  await clear(folder, next);
  const model = models.model(made);
  try {
    const columns = description.settings.encoder ? [] : featureNames(description.source.features);
    const encoder = models.base.encoder?.bytes;
    const { names } = made.state;
    const { files } = await modelFiles(model, { names, columns, ...(encoder && { encoder }) });
    const own = [...files].filter(([name]) => name !== "encoder.onnx");
    await folder.writeAll(new Map(own.map(([name, bytes]) => [`${next}/${name}`, bytes])));
    const listing = { run, model, state: made.state, folder: next, ...(signal && { signal }) };
    const isListed = !isFromMemory(description.source);
    if (isListed && now) await renameLists(now, names, next);
    const result =
      isListed && !now ? await listRows({ ...listing, rows: rows! }) : resultOf(now ?? run, model, made.state);
    const { fit } = log.header;
    const said = {
      format: "telltale curated",
      version: 1,
      fit,
      log: positionOf(log),
      names: [...names],
      result,
    } as const;
    await folder.write(`${next}/${curatedFile}`, sealedText(said, await hashesIn(folder.file(next))));
  } finally {
    await model.close();
  }
}

async function hashesIn(path: string): Promise<Record<string, readonly string[]>> {
  const names = (await readdir(path)).filter((name) => ours.has(name) && name !== curatedFile).sort();
  const hashes = await Promise.all(names.map((name) => sha256OfFile(join(path, name))));
  return Object.fromEntries(names.map((name, i) => [name, [hashes[i]!]]));
}

/**
 * The log gets its line: from here on it counts, and what was made of it takes its place; a line that waits has none.
 */
export async function commit(folder: RunFolder, log: CurationLog, made?: "curated" | "as fitted"): Promise<void> {
  await folder.write(logFile, textOf(log.lines));
  if (made) await settle(folder, made);
}

/** What was made takes its place; where a process has ended before that, the next does it. */
export async function settle(folder: RunFolder, made: "curated" | "as fitted"): Promise<void> {
  try {
    await clear(folder, old);
    if (await isThere(folder.file(place))) await rename(folder.file(place), folder.file(old));
    if (made === "curated") await rename(folder.file(next), folder.file(place));
    await clear(folder, old, place);
    await syncFolder(folder.path);
  } catch (error) {
    throw cannotWrite(folder.path, error);
  }
}

const ours = new Set([
  curatedFile,
  "weights.safetensors",
  "model.onnx",
  "decoder.onnx",
  "clusters.json",
  "assignments.parquet",
]);

/**
 * Removes what Telltale has written to a folder of a curated model; what is somebody's own goes to another, or stays.
 */
async function clear(folder: RunFolder, name: string, others?: string): Promise<void> {
  const path = folder.file(name);
  for (const entry of await readdir(path).catch(() => [])) {
    if (ours.has(entry) || isPassing(entry)) await rm(join(path, entry), { force: true });
    else if (others && !(await isThere(folder.file(others, entry)))) {
      await makeFolder(folder.file(others));
      await rename(join(path, entry), folder.file(others, entry));
    }
  }
  await rmdir(path).catch(() => {});
}
