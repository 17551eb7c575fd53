/** A pretraining that several fits begin with, as a file: whoever comes first makes it, the others read it. */

import type { Data } from "../../data/data.ts";
import { cannotWrite } from "../../disk/cannotWrite.ts";
import { isThere } from "../../disk/isThere.ts";
import { readRegular } from "../../disk/regularFile.ts";
import { writeWhole } from "../../disk/writeWhole.ts";
import { decodeTensorGroups, encodeTensorGroups, type FileKind } from "../../formats/tensorGroups.ts";
import { memoryLimit } from "../../tensor/budget.ts";
import type { Weights } from "../../training/job.ts";
import type { Plan } from "../../training/plan.ts";
import { mostRestarts, pretrainingOptions } from "../../training/sharedOptions.ts";
import { fingerprintOf } from "../folder/fingerprint.ts";

const kind: FileKind = { format: "telltale pretraining", version: 1, value: "pretraining" };

interface Stored {
  /** What it is the pretraining of. */
  readonly of: string;
  readonly restarts: number;
}

/**
 * All that decides a pretraining, as a text: fits of which it is the same begin with the same weights. Nothing where a
 * fit needs its own, since a code is as long as there are clusters, or has none.
 */
export async function pretrainingWords(
  { options, seed, row, count }: Plan,
  data: Data,
  weight: Readonly<Record<string, number>> = {},
): Promise<string | undefined> {
  if (options.latent === 0 || options.pretraining === 0 || options.network === "none") return undefined;
  const decided = pretrainingOptions.map((name) => [name, options[name]]);
  const weights = Object.entries(weight).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ seed, row, count, rows: await fingerprintOf(data), decided, weights });
}

/** The weights of each restart; nothing where the file is not there yet. */
export async function readPretraining(file: string, words: string): Promise<readonly Weights[] | undefined> {
  if (!(await isThere(file))) return undefined;
  try {
    const { value, group } = decodeTensorGroups(kind, await readRegular(file, memoryLimit()));
    const { of, restarts } = value as Partial<Stored>;
    if (of !== words) throw new RangeError("is the pretraining of other rows, or of another network or seed");
    if (!Number.isSafeInteger(restarts) || restarts! < 1 || restarts! > mostRestarts)
      throw new RangeError("is damaged");
    const all = Array.from({ length: restarts! }, (_, i) => group(String(i)));
    // A restart without weights would begin untrained, and nobody would know.
    if (all.some((weights) => weights.size === 0)) throw new RangeError("is damaged: a restart has no weights");
    return all;
  } catch (error) {
    const why = (error as Error).message.replace(`${file}: `, "");
    throw new RangeError(`${file}: ${why}; delete it, and it is made again`);
  }
}

export async function writePretraining(
  file: string,
  words: string,
  restarts: readonly (Weights | undefined)[],
): Promise<void> {
  const all = restarts.filter((weights) => weights !== undefined);
  if (all.length < restarts.length || all.length === 0) return;
  const stored: Stored = { of: words, restarts: all.length };
  const bytes = encodeTensorGroups(kind, stored, Object.fromEntries(all.map((weights, i) => [String(i), weights])));
  await writeWhole(file, bytes).catch((error) => {
    throw cannotWrite(file, error);
  });
}
