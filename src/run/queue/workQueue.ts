/** A worker of a queue: takes jobs of sweeps, from whichever machine they came, until it is told to stop. */

import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Job } from "bullmq";
import type { JobProgress } from "../sweep/messages.ts";
import { NoRoomHere, runJob } from "../sweep/runJob.ts";
import { checkedJob, type JobTrust, Untrusted } from "../sweep/sweepJob.ts";
import { isSweepName, type OpenQueue, openQueue, type Queued, takenBack } from "./openQueue.ts";

export interface QueueWorkOptions extends JobTrust {
  /** The folder in which those of sweeps lie, as this machine sees it. */
  readonly out: string;
  /** How many jobs at a time; by default as many as the cores have room for, by the threads of each. */
  readonly workers?: number;
  /** Whether to end once nothing is left. */
  readonly untilEmpty?: boolean;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: QueueEvent) => void;
}

/** What a worker tells about itself. */
export type QueueEvent =
  | { readonly kind: "begun"; readonly job: string }
  /** An attempt has failed, and there will be another. */
  | { readonly kind: "again"; readonly job: string; readonly problem: string }
  | {
      readonly kind: "ended";
      readonly job: string;
      readonly how: "done" | "there" | "failed" | "taken back";
      readonly problem?: string;
    };

/** A worker that has not said for so long that it lives is taken for dead; who looks for such, and how often. */
const [lockDuration, stalledInterval] = [15_000, 5000];

/** So often a job may be taken up again whose worker died. */
const maxStalledCount = 20;

/** How often somebody who works asks whether the job was taken back, and tells how far it is; in milliseconds. */
const pace = 2000;

export async function workQueue(address: string, options: QueueWorkOptions): Promise<{ done: number; failed: number }> {
  const { workers = availableParallelism(), untilEmpty = false, signal } = options;
  // Whoever says how many at a time has counted threads.
  const room = new Room(options.workers === undefined ? workers : Number.POSITIVE_INFINITY);
  const open = await openQueue(address);
  const counts = { done: 0, failed: 0 };
  const stop = new AbortController();
  let noRoom: NoRoomHere | undefined;
  const processor = async (job: Job<Queued>, token?: string): Promise<unknown> => {
    const { name, threads } = job.data.job ?? {};
    const leave = room.enter(threads);
    if (!leave) {
      await job.moveToDelayed(Date.now() + 1000, token);
      throw new open.PutBack();
    }
    try {
      const how = await worked(job, open, options, stop.signal);
      counts.done++;
      options.onEvent?.({ kind: "ended", job: name, how });
      return { name, how };
    } catch (error) {
      if (error instanceof NoRoomHere) noRoom = error;
      if (noRoom || stop.signal.aborted) {
        // Somebody else may do it: it is put back, and no attempt is lost.
        stop.abort();
        await job.moveToDelayed(Date.now() + 1000, token);
        throw new open.PutBack();
      }
      const problem = (error as Error).message;
      // Whoever does what it is told has not failed.
      if (problem === takenBack({ name })) options.onEvent?.({ kind: "ended", job: name, how: "taken back" });
      else if (isLast(job, error instanceof open.Hopeless)) {
        counts.failed++;
        options.onEvent?.({ kind: "ended", job: name, how: "failed", problem });
      } else options.onEvent?.({ kind: "again", job: name, problem });
      throw error;
    } finally {
      leave();
    }
  };
  const ended = () => stop.abort();
  signal?.addEventListener("abort", ended);
  if (signal?.aborted) ended();
  try {
    open.work(processor, { concurrency: workers, lockDuration, stalledInterval, maxStalledCount });
    while (!stop.signal.aborted) {
      await pause(stop.signal, untilEmpty ? 500 : 60_000);
      if (untilEmpty && (await isEmpty(open))) break;
    }
  } finally {
    signal?.removeEventListener("abort", ended);
    await open.close();
  }
  if (noRoom) throw noRoom;
  signal?.throwIfAborted();
  return counts;
}

/** The cores of a machine, which the threads of its jobs share. One that needs more than all of them is there alone. */
export class Room {
  readonly #cores: number;
  #taken = 0;

  constructor(cores: number) {
    this.#cores = cores;
  }

  /** The way out; or nothing where there is no room, and somebody else may do it. What a job says may be anything. */
  enter(threads: unknown): (() => void) | undefined {
    const wanted = Number.isSafeInteger(threads) ? (threads as number) : 1;
    if (this.#taken > 0 && this.#taken + wanted > this.#cores) return undefined;
    this.#taken += wanted;
    return () => {
      this.#taken -= wanted;
    };
  }
}

/** Whether a job that fails now has failed for good: `attemptsMade` are those before this one. */
export function isLast({ attemptsMade, opts }: Pick<Job, "attemptsMade" | "opts">, isHopeless: boolean): boolean {
  return isHopeless || attemptsMade + 1 >= (opts.attempts ?? 1);
}

/** A server that is just being started again is not empty. */
async function isEmpty({ queue }: OpenQueue): Promise<boolean> {
  const counts = await queue.getJobCounts("waiting", "active", "delayed", "prioritized").catch(() => undefined);
  return counts !== undefined && Object.values(counts).every((count) => count === 0);
}

function pause(signal: AbortSignal, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}

/** One job: while it is fitted, its progress is told and its owner may take it back. */
async function worked(
  queued: Job<Queued>,
  { queue, Hopeless }: OpenQueue,
  { out, onEvent, ...trust }: QueueWorkOptions,
  signal: AbortSignal,
): Promise<"done" | "there"> {
  let job: Queued["job"];
  try {
    job = checkedJob("a job", queued.data.job);
    if (!isSweepName(queued.data.sweep)) {
      throw new TypeError(`a job must have the name of a sweep, got ${JSON.stringify(queued.data.sweep)}`);
    }
  } catch (error) {
    throw new Hopeless((error as Error).message);
  }
  if (queued.data.cancelled) throw new Hopeless(takenBack(job));
  onEvent?.({ kind: "begun", job: job.name });
  const cancelled = new AbortController();
  let progress: JobProgress | undefined;
  let isAsking = false;
  const watch = setInterval(async () => {
    if (isAsking) return;
    isAsking = true;
    try {
      const now = (await queue.getJob(queued.id!)) as Job<Queued> | undefined;
      if (!now || now.data.cancelled) cancelled.abort();
      else if (progress) await now.updateProgress({ ...progress });
    } catch {
      // A server that does not answer now is asked again.
    } finally {
      isAsking = false;
    }
  }, pace);
  try {
    return await runJob(job, {
      ...trust,
      out: join(out, queued.data.sweep),
      signal: AbortSignal.any([signal, cancelled.signal]),
      onProgress: (now) => {
        progress = now;
      },
    });
  } catch (error) {
    if (cancelled.signal.aborted) throw new Hopeless(takenBack(job));
    if (error instanceof Untrusted) throw new Hopeless(error.message);
    throw error;
  } finally {
    clearInterval(watch);
  }
}
