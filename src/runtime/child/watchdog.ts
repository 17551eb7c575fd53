/**
 * The thread beside a run that nobody can interrupt: it ends the process when that takes too much memory, or when
 * nobody waits for it any more.
 */

import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { lastWords, tooMuchMemory } from "./messages.ts";

const { most, parent } = workerData as { readonly most: number; readonly parent: number };
/** In milliseconds: memory can be taken at some gigabytes a second. */
const pause = 20;
const sleeping = new Int32Array(new SharedArrayBuffer(4));

for (;;) {
  Atomics.wait(sleeping, 0, 0, pause);
  if (process.memoryUsage.rss() > most) end(tooMuchMemory);
  if (isOrphan()) end("");
}

/** A process whose parent has ended gets another one; elsewhere the number stays, and nobody has it. */
function isOrphan(): boolean {
  if (process.ppid !== parent) return true;
  try {
    process.kill(parent, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function end(words: string): void {
  try {
    if (words !== "") writeSync(lastWords, words);
  } finally {
    process.kill(process.pid, "SIGKILL");
  }
}
