/** The jobs of a sweep on this machine: all cores, and no more work at a time than they can do. */

import { availableParallelism } from "node:os";
import { isThere } from "../../disk/isThere.ts";
import type { JobProgress } from "./messages.ts";
import { runJob } from "./runJob.ts";
import { type JobTrust, placesIn, type SweepJob } from "./sweepJob.ts";

/** What a sweep tells about itself while it goes on. */
export type SweepEvent =
  | { readonly kind: "begun"; readonly job: string; readonly total: number }
  | { readonly kind: "progress"; readonly job: string; readonly progress: JobProgress }
  /** A process ended itself, and the job is begun again. */
  | { readonly kind: "again"; readonly job: string; readonly how: string }
  /** The worker of a queue that was at it has died or failed, and the job waits for the next. */
  | { readonly kind: "waits"; readonly job: string }
  /** Who should stop could not be told: jobs may be in the queue still. */
  | { readonly kind: "left"; readonly problem: string }
  /** A job has ended: its run is there, was there before, or there is none, and why. */
  | {
      readonly kind: "ended";
      readonly job: string;
      readonly how: "done" | "there" | "failed";
      readonly seconds: number;
      readonly problem?: string;
      readonly ended: number;
      readonly total: number;
    };

export interface WorkOptions extends JobTrust {
  /** The folder of the sweep. */
  readonly out: string;
  /** How many jobs at a time; by default as many as the cores have room for. */
  readonly workers?: number;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: SweepEvent) => void;
}

export interface Worked {
  readonly done: number;
  /** Those that were done before. */
  readonly there: number;
  readonly failed: readonly { readonly job: string; readonly problem: string }[];
}

/** Runs every job; one that fails keeps no other from being run. */
export async function workSweep(jobs: readonly SweepJob[], options: WorkOptions): Promise<Worked> {
  const { out, ownMethods = false, runStoredSql = false, signal, onEvent } = options;
  const threads = Math.max(...jobs.map((job) => job.threads));
  const { workers = Math.max(1, Math.floor(availableParallelism() / threads)) } = options;
  const waiting = [...jobs];
  const active = new Map<Promise<void>, SweepJob>();
  const failed: { job: string; problem: string }[] = [];
  const counts = { done: 0, there: 0 };

  const run = async (job: SweepJob): Promise<void> => {
    const started = performance.now();
    const told = (how: "done" | "there" | "failed", problem?: string): void => {
      if (how === "failed") failed.push({ job: job.name, problem: problem! });
      else counts[how]++;
      const ended = counts.done + counts.there + failed.length;
      const seconds = (performance.now() - started) / 1000;
      onEvent?.({
        ...{ kind: "ended", job: job.name, how, seconds, ended, total: jobs.length },
        ...(problem !== undefined && { problem }),
      });
    };
    onEvent?.({ kind: "begun", job: job.name, total: jobs.length });
    try {
      const how = await runJob(job, {
        ...{ out, ownMethods, runStoredSql },
        ...(signal && { signal }),
        onProgress: (progress) => onEvent?.({ kind: "progress", job: job.name, progress }),
        onAgain: (why) => onEvent?.({ kind: "again", job: job.name, how: why }),
      });
      told(how);
    } catch (error) {
      if (!signal?.aborted) told("failed", (error as Error).message);
    }
  };

  while (waiting.length + active.size > 0 && !(signal?.aborted && active.size === 0)) {
    const next =
      active.size < workers && !signal?.aborted ? await nextOf(waiting, [...active.values()], out) : undefined;
    if (!next) {
      // The last may have ended just now, and a race of none is never over.
      if (active.size > 0) await Promise.race(active.keys());
      continue;
    }
    const running: Promise<void> = run(next).finally(() => active.delete(running));
    active.set(running, next);
  }
  signal?.throwIfAborted();
  return { ...counts, failed };
}

/** The first that need not wait for a pretraining which another is just making; nothing where all have to. */
async function nextOf(waiting: SweepJob[], active: readonly SweepJob[], out: string): Promise<SweepJob | undefined> {
  const making = new Set(active.flatMap(({ pretraining = "" }) => pretraining));
  for (const [at, job] of waiting.entries()) {
    const { pretraining } = job;
    const isMade = pretraining === undefined || !making.has(pretraining);
    if (!isMade && !(await isThere(placesIn(out).pretraining(pretraining)))) continue;
    waiting.splice(at, 1);
    return job;
  }
  return undefined;
}
