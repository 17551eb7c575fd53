/** How a curated model comes to be on disk: beside the old one first, then the log's line, then in its place. */

import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { featureNames } from "../../data/feature.ts";
import { cannotWrite } from "../../disk/cannotWrite.ts";
import { isThere } from "../../disk/isThere.ts";
import { makeFolder, syncFolder } from "../../disk/writeWhole.ts";
import { curatedFile, curatedFolders } from "../folder/curatedRun.ts";
import { type CurationLog, logFile, positionOf, replay, textOf } from "../folder/curationLog.ts";
import { modelFiles } from "../folder/modelFiles.ts";
import type { Run } from "../folder/openRun.ts";
import { isOurCuration, isPassing, isRunFile, NotAsWritten } from "../folder/runFiles.ts";
import type { RunFolder } from "../folder/runFolder.ts";
import { isFromMemory } from "../folder/schemas/runDescription.ts";
import type { CuratedModels, Made } from "./curatedModels.ts";
import { encodeLearned, learnedFile } from "./learning.ts";
import { listRows, renameLists, resultOf } from "./lists.ts";
import { NextFolder } from "./nextFolder.ts";
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
  const { fit } = log.header;
  const beside = new NextFolder(folder, next, fit);
  const model = models.model(made);
  try {
    const columns = description.settings.encoder ? [] : featureNames(description.source.features);
    const encoder = models.base.encoder?.bytes;
    const { names } = made.state;
    const { files } = await modelFiles(model, { names, columns, ...(encoder && { encoder }) });
    await beside.writeAll(new Map([...files].filter(([name]) => name !== "encoder.onnx")));
    const listing = { run, model, state: made.state, folder: beside, ...(signal && { signal }) };
    const isListed = !isFromMemory(description.source);
    if (isListed && now) await renameLists(now, names, beside);
    const result =
      isListed && !now ? await listRows({ ...listing, rows: rows! }) : resultOf(now ?? run, model, made.state);
    await beside.finish({ log: positionOf(log), names: [...names], result });
  } finally {
    await model.close();
  }
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
  await makeRoom(folder, old);
  try {
    if (await isThere(folder.file(place))) await rename(folder.file(place), folder.file(old));
    if (made === "curated") await rename(folder.file(next), folder.file(place));
    await clear(folder, old);
    await syncFolder(folder.path);
  } catch (error) {
    throw cannotWrite(folder.path, error);
  }
}

/** What an earlier process has left on the way is gone; refused where somebody's own is in the way of what comes. */
export async function makeRoom(folder: RunFolder, ...names: readonly (typeof next | typeof old)[]): Promise<void> {
  for (const name of names.length > 0 ? names : [next, old]) await clear(folder, name);
  for (const name of [place, ...(names.length > 0 ? names : [next, old])]) {
    for (const entry of await readdir(folder.file(name)).catch(() => [])) {
      const path = `${name}/${entry}`;
      if (isRunFile(path) && !(await isOurCuration(folder.path, path))) throw new NotAsWritten(folder.path, path);
    }
  }
}

/**
 * Removes what Telltale has written to a folder of a curated model. What is somebody's own goes to curated/, or stays
 * where that has one of the name.
 */
async function clear(folder: RunFolder, name: string): Promise<void> {
  const path = folder.file(name);
  const entries = await readdir(path).catch(() => []);
  // The list by which the others are known goes last.
  const inOrder = [
    ...entries.filter((entry) => entry !== curatedFile),
    ...entries.filter((entry) => entry === curatedFile),
  ];
  for (const entry of inOrder) {
    if (isPassing(entry) || (await isOurCuration(folder.path, `${name}/${entry}`))) {
      await rm(join(path, entry), { force: true });
    } else if (!isRunFile(`${name}/${entry}`) && !(await isThere(folder.file(place, entry)))) {
      await makeFolder(folder.file(place));
      await rename(join(path, entry), folder.file(place, entry));
    }
  }
  await rmdir(path).catch(() => {});
}
