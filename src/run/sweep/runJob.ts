/** One job, fitted in a process of its own and put into its place whole. */

import { fork } from "node:child_process";
import { once } from "node:events";
import { rename, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cannotWrite } from "../../disk/cannotWrite.ts";
import { checkNoLinks } from "../../disk/noLinks.ts";
import { makeFolder } from "../../disk/writeWhole.ts";
import { removeFiles, sortedFiles } from "../folder/runFiles.ts";
import { RunFolder } from "../folder/runFolder.ts";
import { JobNote, thisHost } from "./jobNote.ts";
import { type FromProcess, type JobProgress, type Order, progressWords, type ToProcess } from "./messages.ts";
import { checkTrusted, type JobTrust, placesIn, type SweepJob } from "./sweepJob.ts";

export interface RunJobOptions extends JobTrust {
  /** The folder of the sweep. */
  readonly out: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: JobProgress) => void;
  /** The process that fits has ended itself, and is begun again. */
  readonly onAgain?: (how: string) => void;
}

/** Nothing can be written on this machine: another one may do the job. */
export class NoRoomHere extends Error {}

/** So often a process that ended itself is begun again. */
const mostAttempts = 3;

/** Whoever fits the same here, and is about to stop, is waited for; in milliseconds. */
const patience = 30_000;

/** Whether a job's run is there, whole. */
export async function isDone(job: Pick<SweepJob, "name">, out: string): Promise<boolean> {
  const { status, result } = await new RunFolder(placesIn(out).runOf(job)).description().catch(() => ({
    status: undefined,
    result: undefined,
  }));
  return status === "done" && result !== undefined && !result.unfinished;
}

/**
 * Fits a job to a folder of this machine's own, and renames that into its place: of two workers that have the same job,
 * one puts it there, and what the other made is removed. What was begun here before goes on.
 */
export async function runJob(job: SweepJob, options: RunJobOptions): Promise<"done" | "there"> {
  const { out, signal, onProgress } = options;
  const note = new JobNote(job, out);
  try {
    checkTrusted(job, options);
    const how = await made(job, note, {
      ...options,
      onProgress(progress) {
        note.say(progressWords(progress));
        onProgress?.(progress);
      },
    });
    await note.end();
    return how;
  } catch (error) {
    // Of what was stopped, and of what another machine may do, nothing is to be said.
    const isOpen = signal?.aborted || error instanceof NoRoomHere;
    await note.end(isOpen ? undefined : (error as Error).message);
    throw error;
  }
}

async function made(job: SweepJob, note: JobNote, options: RunJobOptions): Promise<"done" | "there"> {
  const { out, signal, onAgain } = options;
  const places = placesIn(out);
  const path = places.workOf(job, thisHost());
  // Whoever else has made the folder of the sweep could have put a link there.
  const pretraining = job.pretraining === undefined ? [] : [places.pretraining(job.pretraining)];
  for (const each of [path, places.runOf(job), ...pretraining]) await checkNoLinks(out, each);
  if (await isDone(job, out)) return "there";
  await makeFolder(dirname(path)).catch((error) => {
    throw new NoRoomHere(cannotWrite(out, error).message);
  });
  note.begin();
  const until = performance.now() + patience;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const ended = await fitted(job, path, options);
    if (ended.kind === "done") break;
    if (ended.kind === "stopped") {
      signal?.throwIfAborted();
      throw new Error(`${job.name}: was stopped`);
    }
    if (ended.kind === "failed") {
      const isBusy = /another process writes there/.test(ended.problem) && performance.now() < until;
      if (!isBusy) throw new (ended.isHere ? NoRoomHere : RangeError)(`${job.name}: ${ended.problem}`);
      await wait(500, undefined, { ...(signal && { signal }) });
      attempt--;
      continue;
    }
    signal?.throwIfAborted();
    if (attempt === mostAttempts) throw new Error(`${job.name}: the process that fits has ended itself (${ended.how})`);
    onAgain?.(ended.how);
  }
  return putInPlace(job, path, out);
}

async function putInPlace(job: SweepJob, path: string, out: string): Promise<"done" | "there"> {
  const place = placesIn(out).runOf(job);
  try {
    await makeFolder(dirname(place));
    await rename(path, place);
    return "done";
  } catch (error) {
    if (!(await isDone(job, out))) throw new NoRoomHere(cannotWrite(place, error).message);
    await removeFiles(path, (await sortedFiles(path)).ours);
    await rmdir(path).catch(() => {});
    return "there";
  }
}

type Ended =
  | Extract<FromProcess, { kind: "done" | "stopped" | "failed" }>
  | { readonly kind: "gone"; readonly how: string };

async function fitted(job: SweepJob, path: string, { out, signal, onProgress }: RunJobOptions): Promise<Ended> {
  const child = fork(fileURLToPath(new URL("./child.js", import.meta.url)), {
    serialization: "advanced",
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, TELLTALE_THREADS: String(job.threads) },
  });
  const send = (message: ToProcess): void => {
    if (child.connected) child.send(message, () => {});
  };
  const stop = (): void => send({ kind: "stop" });
  signal?.addEventListener("abort", stop);
  let ended: Ended | undefined;
  child.on("error", () => {});
  child.on("message", (message: FromProcess) => {
    if (message.kind === "progress") onProgress?.(message);
    else ended = message;
  });
  const { pretraining } = job;
  const order: Order = { kind: "fit", job, path };
  send(pretraining === undefined ? order : { ...order, pretraining: placesIn(out).pretraining(pretraining) });
  if (signal?.aborted) stop();
  try {
    const [code, killedBy] = (await once(child, "exit")) as [number | null, string | null];
    return ended ?? { kind: "gone", how: killedBy === null ? `with code ${code}` : `by ${killedBy}` };
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
