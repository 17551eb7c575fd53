/** The queue of a sweep, in Redis, Valkey or PostgreSQL: by BullMQ, which is loaded only where somebody asks for it. */

import type { Job, Queue, QueueOptions, Worker, WorkerOptions } from "bullmq";
import type { Pool } from "pg";
import { badAddress, cannotReach, serverAddress } from "../../text/serverAddress.ts";
import type { SweepJob } from "../sweep/sweepJob.ts";

/** What is queued: a job, the name of the sweep's folder, and whether somebody has taken it back. */
export interface Queued {
  readonly sweep: string;
  readonly job: SweepJob;
  readonly cancelled?: boolean;
}

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

/** Connects, or says in a line why that cannot be. */
export async function openQueue(address: string): Promise<OpenQueue> {
  const open = { redis: openRedis, postgres: openPostgres }[kindOf(address)];
  const bullmq = await import("bullmq").catch(() => {
    throw missing("bullmq");
  });
  const { connection, classes, end } = await open(address, bullmq);
  const failed = (error: Error): void => void error;
  const queue = new classes.Queue(name, { connection } as QueueOptions) as Queue<Queued>;
  // Whoever asks something is told; what fails in between is tried again.
  queue.on("error", failed);
  const workers: Worker<Queued>[] = [];
  return {
    queue,
    work(processor, options) {
      const worker = new classes.Worker(name, processor, { connection, ...options } as WorkerOptions) as Worker<Queued>;
      worker.on("error", failed);
      workers.push(worker);
      return worker;
    },
    PutBack: bullmq.DelayedError,
    Hopeless: bullmq.UnrecoverableError,
    async close() {
      for (const worker of workers) await worker.close().catch(failed);
      await queue.close().catch(failed);
      await end().catch(failed);
    },
  };
}

type BullMq = typeof import("bullmq");

interface Connected {
  readonly connection: unknown;
  readonly classes: Pick<BullMq, "Queue" | "Worker">;
  end(): Promise<void>;
}

async function openRedis(address: string, { Queue, Worker }: BullMq): Promise<Connected> {
  const { Redis } = await import("ioredis").catch(() => {
    throw missing("ioredis");
  });
  let isReady = false;
  let problem: Error | undefined;
  const redis = new Redis(address, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    // A server that was there comes back; one that never was is an error.
    retryStrategy: (times) => (isReady ? Math.min(200 * times, 3000) : null),
  });
  redis.on("error", (error: Error) => {
    problem = error;
  });
  await redis.connect().catch((error: Error) => {
    redis.disconnect();
    throw cannotReach(address, "queue", problem ?? error);
  });
  isReady = true;
  const end = async (): Promise<void> => redis.disconnect();
  return { connection: redis, classes: { Queue, Worker }, end };
}

async function openPostgres(address: string, bullmq: BullMq): Promise<Connected> {
  const { default: pg } = await import("pg").catch(() => {
    throw missing("pg");
  });
  const { DEFAULT_SCHEMA: schema, runMigrations } = bullmq;
  const options = `-c search_path=${schema}`;
  const pool: Pool = new pg.Pool({ connectionString: address, max: 8, connectionTimeoutMillis: 10_000, options });
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
  return { connection: pool, classes, end: () => pool.end() };
}

function missing(what: string): Error {
  return new Error(
    `a queue needs ${what}, which is not installed; npm install bullmq ${what === "pg" ? "pg" : "ioredis"}`,
  );
}
