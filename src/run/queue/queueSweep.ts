/** A sweep whose jobs are done by the workers of a queue: put there, watched, and taken back if nobody wants them. */

import { basename, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Job } from "bullmq";
import { sha256 } from "../../disk/sha256.ts";
import { cannotReach } from "../../text/serverAddress.ts";
import type { JobProgress } from "../sweep/messages.ts";
import { isDone } from "../sweep/runJob.ts";
import { jobLines, placesIn, readJobs, type SweepJob } from "../sweep/sweepJob.ts";
import type { Worked, WorkOptions } from "../sweep/workSweep.ts";
import { answered } from "./answered.ts";
import { isSweepName, type OpenQueue, openQueue, type Queued, takenBack } from "./openQueue.ts";

/** So many attempts has a job, each a little later than the one before. */
const again = { attempts: 3, backoff: { type: "exponential", delay: 1000 } } as const;

/** How often is asked how jobs are, of how many at a time, and how long a server may be away; in milliseconds. */
const [pace, atATime, mostAway] = [1000, 200, 120_000];

/** How long a folder that several machines see may take to show what one has put there, in milliseconds. */
const mostHidden = 90_000;

/** Done by whoever works on the queue; the folder is one that they see too. */
export async function queueSweep(
  address: string,
  jobs: readonly SweepJob[],
  options: Omit<WorkOptions, "workers">,
): Promise<Worked> {
  const sweep = sweepNameOf(options.out);
  const open = await openQueue(address);
  try {
    return await doneByQueue(open, sweep, jobs, { ...options, address, mostHidden, mostAway });
  } finally {
    await open.close();
  }
}

/** What became of the jobs of a sweep that was taken back. */
export interface TakenBack {
  /** Those that waited: whoever takes one drops it. */
  readonly waiting: number;
  /** Those that somebody works on, who has been told to stop. */
  readonly stopping: number;
}

/** Takes back what a queue still has of a sweep, whoever has put it there; runs that are there stay. */
export async function cancelSweep(address: string, out: string): Promise<TakenBack> {
  const sweep = sweepNameOf(out);
  const jobs = await readJobs(placesIn(out).jobs);
  const open = await openQueue(address);
  try {
    return await takeBack(open, jobs.map(idsOf(sweep, jobs)));
  } catch (error) {
    throw cannotReach(address, "queue", error as Error);
  } finally {
    await open.close();
  }
}

/** The same sweep has the same ids, so that a job which waits already is not put there twice. */
function idsOf(sweep: string, jobs: readonly SweepJob[]): (job: SweepJob) => string {
  const mark = sha256(new TextEncoder().encode(`${sweep}\n${jobLines(jobs)}`)).slice(0, 12);
  return ({ name }) => `${mark}-${name}`;
}

/** The name that workers know the folder of a sweep by. */
function sweepNameOf(out: string): string {
  const name = basename(resolve(out));
  if (isSweepName(name)) return name;
  throw new RangeError(
    `${out}: the folder of a sweep in a queue must have a name of up to 100 letters from a to z, digits, dots, - and _, got ${JSON.stringify(name)}; choose another with --out (out)`,
  );
}

interface QueueOptions extends Omit<WorkOptions, "workers"> {
  readonly address: string;
  readonly mostHidden: number;
  readonly mostAway: number;
}

/** Puts the jobs into a queue that answers, and watches them until none is left. */
export async function doneByQueue(
  open: Pick<OpenQueue, "queue">,
  sweep: string,
  jobs: readonly SweepJob[],
  { address, mostHidden, mostAway, out, signal, onEvent }: QueueOptions,
): Promise<Worked> {
  const idOf = idsOf(sweep, jobs);
  const waiting = new Map<string, SweepJob>();
  /** Those that a worker has done and whose run is not seen here yet, since when. */
  const unseen = new Map<string, number>();
  /** Those that a worker was at when they were last asked after. */
  const begun = new Set<string>();
  const failed: { job: string; problem: string }[] = [];
  const counts = { done: 0, there: 0 };
  const told = (job: SweepJob, how: "done" | "there" | "failed", problem?: string): void => {
    waiting.delete(idOf(job));
    if (how === "failed") failed.push({ job: job.name, problem: problem! });
    else counts[how]++;
    const ended = counts.done + counts.there + failed.length;
    onEvent?.({
      ...{ kind: "ended", job: job.name, how, seconds: 0, ended, total: jobs.length },
      ...(problem !== undefined && { problem }),
    });
  };
  try {
    for (const job of jobs) {
      if (await isDone(job, out)) told(job, "there");
      else {
        waiting.set(idOf(job), job);
        await patiently(() => put(open, idOf(job), { sweep, job }));
      }
    }
    while (waiting.size > 0) {
      for (const [id, job] of [...waiting].slice(0, atATime)) {
        // Behind those that have not been asked after.
        waiting.delete(id);
        waiting.set(id, job);
        await patiently(async () => look((await open.queue.getJob(id)) as Job<Queued> | undefined, job));
      }
      await wait(pace, undefined, { ...(signal && { signal }) });
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
    await takeBack(open, [...waiting.keys()]).catch((problem) => {
      onEvent?.({ kind: "left", problem: cannotReach(address, "queue", problem).message });
    });
    throw signal.reason;
  }
  return { ...counts, failed };

  /** Asks again a server that is away, for a while; does not wait for it when it is time to stop. */
  async function patiently(ask: () => Promise<void>): Promise<void> {
    for (const since = performance.now(); ; ) {
      try {
        return await answered(ask(), mostAway, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (performance.now() - since > mostAway) throw cannotReach(address, "queue", error as Error);
      }
      await wait(pace, undefined, { ...(signal && { signal }) });
    }
  }

  /** What there is, is what counts: a queue may forget, the run is in the folder or is not. */
  async function look(found: Job<Queued> | undefined, job: SweepJob): Promise<void> {
    if (await isDone(job, out)) return told(job, "done");
    if (!found) return void (await put(open, idOf(job), { sweep, job }));
    const state = await found.getState();
    if (state === "failed") return told(job, "failed", found.failedReason || `${job.name}: failed`);
    if (state === "completed") {
      const since = unseen.get(job.name) ?? performance.now();
      unseen.set(job.name, since);
      if (performance.now() - since < mostHidden) return;
      const problem = `${job.name}: is done, and its run is not in ${out}; workers must see the same folder`;
      return told(job, "failed", problem);
    }
    // What a worker has said that has died since is not where the job is.
    if (state !== "active") {
      if (found.data.cancelled) return told(job, "failed", takenBack(job));
      if (begun.delete(job.name)) onEvent?.({ kind: "waits", job: job.name });
      return;
    }
    if (begun.size < begun.add(job.name).size) onEvent?.({ kind: "begun", job: job.name, total: jobs.length });
    const progress = found.progress as unknown as JobProgress | undefined;
    if (typeof progress === "object" && progress !== null && "at" in progress) {
      onEvent?.({ kind: "progress", job: job.name, progress });
    }
  }
}

/** One that waits or is worked on stays; one that has ended without a run begins anew. */
async function put({ queue }: Pick<OpenQueue, "queue">, id: string, queued: Queued): Promise<void> {
  const before = await queue.getJob(id);
  const state = await before?.getState();
  if (before && (state === "failed" || state === "completed")) await before.remove();
  else if (before?.data.cancelled) await before.updateData(queued);
  await queue.add(queued.job.name, queued, { jobId: id, ...again, removeOnComplete: false, removeOnFail: false });
}

/** Those that have not ended are marked, for a sweep that somebody else watches would put back what is missing. */
export async function takeBack({ queue }: Pick<OpenQueue, "queue">, ids: readonly string[]): Promise<TakenBack> {
  const counts = { waiting: 0, stopping: 0 };
  for (const id of ids) {
    const job = (await queue.getJob(id)) as Job<Queued> | undefined;
    const state = await job?.getState();
    if (!job || state === "failed" || state === "completed") continue;
    await job.updateData({ ...job.data, cancelled: true });
    counts[state === "active" ? "stopping" : "waiting"]++;
  }
  return counts;
}
