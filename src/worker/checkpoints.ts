/** Checkpoints on disk: written whole or not at all. */

import { cannotWrite } from "../disk/cannotWrite.ts";
import { readRegular } from "../disk/regularFile.ts";
import { writeWhole } from "../disk/writeWhole.ts";
import type { CheckpointFile } from "../model/fitOptions.ts";
import { memoryLimit } from "../tensor/budget.ts";
import { decodeCheckpoint, encodeCheckpoint } from "../training/checkpoint.ts";
import type { Checkpoint, Job } from "../training/job.ts";

/** Takes a checkpoint when the last is old enough; with small networks that is after every epoch. */
export function checkpointsTo({ file, everySeconds }: CheckpointFile): NonNullable<Job["onCheckpoint"]> {
  let next = Number.NEGATIVE_INFINITY;
  return async (take) => {
    const started = performance.now();
    if (started < next) return;
    await writeWhole(file, encodeCheckpoint(await take())).catch((error) => {
      throw cannotWrite(file, error);
    });
    const ended = performance.now();
    next = ended + (everySeconds === undefined ? costliness * (ended - started) : everySeconds * 1000);
  };
}

/** So many times as long as writing one took passes before the next: they take at most a twentieth of the time. */
const costliness = 20;

/** What is wrong with it is said in one sentence, with the file's name. */
export async function readCheckpoint(file: string): Promise<Checkpoint> {
  const bytes = await readRegular(file, Math.min(2 ** 31, memoryLimit() / 4));
  try {
    return decodeCheckpoint(bytes);
  } catch (error) {
    const why = (error as Error).message;
    throw new RangeError(`${file}: is no checkpoint that can be resumed (${why}); delete it to begin anew`);
  }
}
