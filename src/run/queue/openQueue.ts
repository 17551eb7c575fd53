/** The queue of a sweep, in Redis, Valkey or PostgreSQL: by BullMQ, which is loaded only where somebody asks for it. */

import { setTimeout as wait } from "node:timers/promises";
import type { Job, Queue, QueueOptions, Worker, WorkerOptions } from "bullmq";
import type { Pool } from "pg";
import { badAddress, cannotReach, serverAddress } from "../../text/serverAddress.ts";
import type { SweepJob } from "../sweep/sweepJob.ts";
import { answered } from "./answered.ts";

/** What is queued: a job, the name of the sweep's folder, and whether somebody has taken it back. */
export interface Queued {
  readonly sweep: string;
  readonly job: SweepJob;
  readonly cancelled?: boolean;
}

/** What is said of a job that has no run because somebody has taken it back. */
export const takenBack = ({ name }: Pick<SweepJob, "name">): string => `${name}: was taken back`;

type Processor = (job: Job<Queued>, token?: string) => Promise<unknown>;

/** A queue that answers: what is put into it, who works on it, and the way out. */
export interface OpenQueue {
  readonly queue: Queue<Queued>;
  work(processor: Processor, options: Omit<WorkerOptions, "connection">): Worker<Queued>;
  /** Thrown by whoever works on a job that has been put back. */
  readonly PutBack: new () => Error;
  /** Thrown by whoever works on a job that no attempt can help. */
  readonly Hopeless: new (
    message: string,
  ) => Error;
  close(): Promise<void>;
}

/** Where a queue may be; the name of all queues of ours. */
const kinds = { "redis:": "redis", "rediss:": "redis", "postgres:": "postgres", "postgresql:": "postgres" } as const;
const name = "telltale";

export function kindOf(address: string): "redis" | "postgres" {
  const { protocol = "" } = serverAddress(address) ?? {};
  if (Object.hasOwn(kinds, protocol)) return kinds[protocol as keyof typeof kinds];
  throw badAddress(address, "a queue must be an address such as redis://host:6379 or postgres://user@host/database");
}

/** The name by which workers know the folder of a sweep: each has its own place for those. */
export function isSweepName(found: unknown): found is string {
  return typeof found === "string" && /^[\w.-]{1,100}$/.test(found) && !/^\.+$/.test(found);
}

/** Connects, or says in a line why that cannot be; an answer is expected within so many milliseconds. */
export async function openQueue(address: string, inTime = 10_000): Promise<OpenQueue> {
  const open = { redis: openRedis, postgres: openPostgres }[kindOf(address)];
  const bullmq = await import("bullmq").catch(() => {
    throw missing("bullmq");
  });
  const { forQueue, forWorker, classes, end } = await open(address, bullmq, inTime);
  const failed = (error: Error): void => void error;
  const queue = new classes.Queue(name, { connection: forQueue } as QueueOptions) as Queue<Queued>;
  // Whoever asks something is told; what fails in between is tried again.
  queue.on("error", failed);
  const workers: Worker<Queued>[] = [];
  const closed = async (): Promise<false> => {
    for (const worker of workers) await worker.close().catch(failed);
    await queue.close().catch(failed);
    return false;
  };
  return {
    queue,
    work(processor, options) {
      const words = { connection: forWorker(), ...options } as WorkerOptions;
      const worker = new classes.Worker(name, processor, words) as Worker<Queued>;
      worker.on("error", failed);
      workers.push(worker);
      return worker;
    },
    PutBack: bullmq.DelayedError,
    Hopeless: bullmq.UnrecoverableError,
    async close() {
      // A worker puts back what it is at. Where the server is gone, there is nobody to wait for.
      const over = new AbortController();
      const isGone = await Promise.race([closed(), untilSilent(queue, inTime, over.signal)]);
      over.abort();
      const cut = isGone ? [...workers, queue].map((each) => each.disconnect()) : [];
      await answered(Promise.all([...cut, end()]), inTime).catch(failed);
    },
  };
}

/** True once the server does not answer, if nobody has stopped asking before. */
async function untilSilent(queue: Queue<Queued>, inTime: number, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    await wait(inTime, undefined, { signal }).catch(() => {});
    if (signal.aborted) return false;
    const isThere = await queue.count().then(
      () => true,
      () => false,
    );
    if (!isThere) return true;
  }
}

type BullMq = typeof import("bullmq");

interface Connected {
  /** Whoever asks by this is told when nobody answers. */
  readonly forQueue: unknown;
  /** By this one, what a worker has to say waits until the server is there again. */
  forWorker(): unknown;
  readonly classes: Pick<BullMq, "Queue" | "Worker">;
  end(): Promise<void>;
}

async function openRedis(address: string, { Queue, Worker }: BullMq, inTime: number): Promise<Connected> {
  const { Redis } = await import("ioredis").catch(() => {
    throw missing("ioredis");
  });
  let isReady = false;
  let problem: Error | undefined;
  const redis = new Redis(address, {
    ...{ lazyConnect: true, connectTimeout: inTime, commandTimeout: inTime },
    // Nothing is sent twice behind one's back.
    ...{ maxRetriesPerRequest: 1, autoResendUnfulfilledCommands: false },
    // A server that was there comes back; one that never was is an error.
    retryStrategy: (times) => (isReady ? Math.min(200 * times, 3000) : null),
  });
  const all = [redis];
  redis.on("error", (error: Error) => {
    problem = error;
  });
  try {
    // One that lets us in and then says nothing is none.
    await answered(redis.connect(), 2 * inTime);
  } catch (error) {
    redis.disconnect();
    throw cannotReach(address, "queue", problem ?? (error as Error));
  }
  isReady = true;
  return {
    forQueue: redis,
    forWorker() {
      // BullMQ waits for jobs up to ten seconds, and sets no other limit to what a worker says.
      const patient = redis.duplicate({
        ...{ commandTimeout: undefined, socketTimeout: Math.max(30_000, 2 * inTime) },
        ...{ maxRetriesPerRequest: null, autoResendUnfulfilledCommands: true },
      });
      patient.on("error", () => {});
      all.push(patient);
      return patient;
    },
    classes: { Queue, Worker },
    end: async () => {
      for (const each of all) each.disconnect();
    },
  };
}

async function openPostgres(address: string, bullmq: BullMq, inTime: number): Promise<Connected> {
  const { default: pg } = await import("pg").catch(() => {
    throw missing("pg");
  });
  const { DEFAULT_SCHEMA: schema, runMigrations } = bullmq;
  const options = `-c search_path=${schema}`;
  const pool: Pool = new pg.Pool({
    ...{ connectionString: address, max: 8, options, keepAlive: true },
    // The first to come makes the tables, which may take longer than an answer.
    ...{ connectionTimeoutMillis: inTime, query_timeout: 3 * inTime },
  });
  // A client that rests and is cut off: the next one is connected anew.
  pool.on("error", () => {});
  try {
    // Its tables, where they are not there yet; whoever comes second finds them.
    const client = await pool.connect();
    await runMigrations(client as never).finally(() => client.release());
  } catch (error) {
    await pool.end();
    throw cannotReach(address, "queue", error as Error);
  }
  const classes = bullmq.withBackend(bullmq.createPostgresBackend) as unknown as Connected["classes"];
  return { forQueue: pool, forWorker: () => pool, classes, end: () => pool.end() };
}

function missing(what: string): Error {
  return new Error(
    `a queue needs ${what}, which is not installed; npm install bullmq ${what === "pg" ? "pg" : "ioredis"}`,
  );
}
