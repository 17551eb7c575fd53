/**
 * curated/: the model that a person's changes have become, and what goes with it, bound to the fit by its hash and to
 * curation.jsonl by its position there.
 *
 *   curated.next/  is written whole; then the log gets its line; then curated.next/ becomes curated/
 *
 * The log decides: of the two folders that one counts which was made of the lines that are done. A process that ends at
 * any moment leaves the old model or the new one.
 */

import { isThere } from "../../disk/isThere.ts";
import { sha256 } from "../../disk/sha256.ts";
import { shellPath } from "../../text/shellText.ts";
import { type CurationLog, doneEntries, logFile, parsedLog, positionOf, replay, upTo } from "./curationLog.ts";
import type { RunFolder } from "./runFolder.ts";
import { checkedRun } from "./runJson.ts";
import { type CuratedDescription, curatedSchema } from "./schemas/curation.ts";
import type { RunDescription, RunResult } from "./schemas/runDescription.ts";

export const curatedFolders = ["curated", "curated.next"] as const;
export const curatedFile = "curated.json";

/** A curated model in its folder. */
export interface CuratedRun {
  /** curated, or curated.next where a process has ended before it was renamed. */
  readonly folder: (typeof curatedFolders)[number];
  readonly description: CuratedDescription;
  /** As the run's own, of the curated model. */
  readonly result: RunResult;
  readonly log: CurationLog;
}

/** Says that curated/ does not go with the log. */
export class CurationUnfinished extends RangeError {}

/** The SHA-256 by which a fit is known: that of its weights. */
export async function fitHash(folder: RunFolder): Promise<string> {
  return sha256(await folder.bytes("weights.safetensors"));
}

/** The log of a run, of this fit and no other. */
export async function checkedLog(folder: RunFolder): Promise<CurationLog | undefined> {
  if (!(await isThere(folder.file(logFile)))) return undefined;
  const log = parsedLog(folder.path, new TextDecoder().decode(await folder.bytes(logFile)));
  if (log.header.fit === (await fitHash(folder))) return log;
  throw new RangeError(
    `${folder.path}: ${logFile} belongs to another fit than the weights.safetensors beside it; restore them, or use the run as it was fitted with --original`,
  );
}

/** The curated model of a run; nothing where nobody has changed anything, or all of it was taken back. */
export async function curatedRun(
  folder: RunFolder,
  description: RunDescription,
  known?: CurationLog,
): Promise<CuratedRun | undefined> {
  const log = known ?? (await checkedLog(folder));
  if (!log) return undefined;
  const done = upTo(log, doneEntries(log));
  if (replay(done).edits.length === 0) return undefined;
  const position = positionOf(done);
  for (const name of curatedFolders) {
    if (!(await isThere(folder.file(name, curatedFile)))) continue;
    const found = await folder.json(`${name}/${curatedFile}`, curatedSchema);
    if (found.log.entries !== position.entries || found.log.sha256 !== position.sha256) continue;
    if (found.fit !== log.header.fit) continue;
    const { result } = checkedRun(folder.path, `${name}/${curatedFile}`, { ...description, result: found.result });
    return { folder: name, description: found, result: result!, log };
  }
  throw new CurationUnfinished(
    `${folder.path}: curated/ was not made of what ${logFile} says; make it again: telltale curate ${shellPath(folder.path)} apply, or use the run as it was fitted with --original`,
  );
}
