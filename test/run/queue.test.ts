import { once } from "node:events";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { isSweepName, kindOf, type OpenQueue, openQueue } from "../../src/run/queue/openQueue.ts";
import { doneByQueue, queueSweep, takeBack } from "../../src/run/queue/queueSweep.ts";
import { isLast, Room } from "../../src/run/queue/workQueue.ts";
import type { SweepJob } from "../../src/run/sweep/sweepJob.ts";
import { addressWords, cannotReach } from "../../src/text/serverAddress.ts";
import { telltale } from "../cli/inProcess.ts";
import { finishedRun } from "../support/run.ts";

test("a queue is in Redis, Valkey or PostgreSQL, and any other address is refused in a line", async () => {
  expect(kindOf("redis://127.0.0.1")).toBe("redis");
  expect(kindOf("rediss://:pw@host:6380/2")).toBe("redis");
  expect(kindOf("postgresql://me@host/db")).toBe("postgres");
  for (const wrong of ["amqp://host", "host:6379", "", "redis"]) {
    const { code, err } = await telltale("work", "--queue", wrong);
    expect(err).toMatch(/^telltale work: .*a queue must be an address such as redis:\/\/host:6379.*\n$/);
    expect(code).toBe(1);
  }
});

test("an address is told without its password", () => {
  expect(addressWords("postgres://me:secret@host:5432/db")).toBe("postgres://host:5432/db");
  const { message } = cannotReach(
    "redis://:secret@host",
    "queue",
    new Error("WRONGPASS invalid username-password pair"),
  );
  expect(message).toBe(
    "redis://host: the queue cannot be used: the user or the password is wrong; correct the address",
  );
});

test.each([
  ["connect ECONNREFUSED 127.0.0.1:1", "nobody answers there"],
  ["getaddrinfo ENOTFOUND nowhere", "there is no such host"],
  ['database "x" does not exist', "there is no such database"],
  ["password authentication failed for user", "the user or the password is wrong"],
  ["Connection terminated due to connection timeout", "it does not answer in time"],
  ["something\nelse", "something else"],
])("what a driver says, %j, is put into words", (said, words) => {
  expect(cannotReach("redis://host", "queue", new Error(said)).message).toContain(words);
});

test.each(["redis", "postgres"])("%s where nobody answers is said at once", async (protocol) => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  const { code, err } = await telltale("work", "--queue", `${protocol}://127.0.0.1:${port}`);
  expect(err).toBe(
    `telltale work: ${protocol}://127.0.0.1:${port}: the queue cannot be used: nobody answers there; start the server, or correct the address\n`,
  );
  expect(code).toBe(1);
});

/** A server that lets everybody in; it says `words` to each thing that it is asked, until it falls silent. */
async function listening(words?: string): Promise<{ address: string; fallSilent: () => void }> {
  let isSilent = words === undefined;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (asked) => {
      if (!isSilent) socket.write(words!.repeat(`${asked}`.match(/^\*\d+\r$/gm)?.length ?? 1));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const fallSilent = (): void => {
    isSilent = true;
  };
  return { address: `127.0.0.1:${(server.address() as { port: number }).port}`, fallSilent };
}

test.each(["redis", "postgres"])("%s that lets one in and says nothing is none", async (protocol) => {
  const { address } = await listening();
  await expect(openQueue(`${protocol}://${address}`, 200)).rejects.toThrow(
    `${protocol}://${address}: the queue cannot be used: it does not answer in time; correct the address`,
  );
});

test("a Redis that falls silent ends a sweep with a line, and keeps nobody from stopping it", async () => {
  const about = "redis_version:7.0.0\r\nloading:0\r\n";
  const { address, fallSilent } = await listening(`$${about.length}\r\n${about}\r\n`);
  const open = await openQueue(`redis://${address}`, 3000);
  await open.queue.waitUntilReady();
  fallSilent();
  const [jobs, rest] = [[{ name: "one" }] as SweepJob[], { address, out: "sweeps/none", mostHidden: 0 }];
  await expect(doneByQueue(open, "sweep", jobs, { ...rest, mostAway: 0 })).rejects.toThrow(/does not answer in time/);
  const told: string[] = [];
  const [stop, began] = [new AbortController(), performance.now()];
  const done = doneByQueue(open, "sweep", jobs, {
    ...{ ...rest, mostAway: 600_000, signal: stop.signal },
    onEvent: (event) => told.push(event.kind),
  });
  stop.abort(new Error("enough"));
  await expect(done).rejects.toThrow("enough");
  expect(told).toEqual(["left"]);
  // A worker that cannot put back what it is at does not wait for a server that is gone.
  open.work(async () => {}, {});
  await open.close();
  expect(performance.now() - began).toBeLessThan(60_000);
});

test("a worker has jobs from one place", async () => {
  expect((await telltale("work")).err).toMatch(/either a file of jobs or a --queue/);
  expect((await telltale("work", "jobs.jsonl", "--queue", "redis://host")).code).toBe(2);
});

test.each([
  "redis://:pa/secret@host:6379",
  "redis://:pa#secret@host:6379",
  "redis://:pa?secret@host:6379",
  "redis://me:12/secret@host:6379",
  "redis://me:12#secret@host:6379",
  "redis://me:12?secret@host:6379",
  "redis://a@b/secret@host:6379",
  "me:secret@host:6379",
  ":pa/secret@host:6379",
  "secret@host:6379",
])("a password that ends the address too early is not told: %s", async (address) => {
  expect(addressWords(address)).toBe("host:6379");
  const { code, err } = await telltale("work", "--queue", address);
  expect(err).toMatch(
    /^telltale work: host:6379: a queue must be .*; write special letters of a password as %2F for \/\n$/,
  );
  expect(code).toBe(1);
  expect(kindOf("redis://:pa%2Fsecret@host:6379")).toBe("redis");
});

test.each(["my sweep", "größen", "a".repeat(101), ".."])(
  "a folder that workers could not name, %j, is refused before anything is queued",
  async (name) => {
    expect(isSweepName(name)).toBe(false);
    if (name === "..") return;
    // Nobody answers there, and nobody is asked.
    await expect(queueSweep("redis://127.0.0.1:1", [], { out: `sweeps/${name}` })).rejects.toThrow(
      /must have a name of up to 100 letters from a to z, digits, dots, - and _, got/,
    );
  },
);

test("a job has failed with its last attempt, or where none can help it", () => {
  const opts = { attempts: 3 };
  expect([0, 1, 2].map((attemptsMade) => isLast({ attemptsMade, opts }, false))).toEqual([false, false, true]);
  expect(isLast({ attemptsMade: 0, opts }, true)).toBe(true);
  expect(isLast({ attemptsMade: 0, opts: {} }, false)).toBe(true);
});

test("a run that the folder shows later than its worker has done it counts; one that it never shows has failed", async () => {
  const out = await mkdtemp(join(tmpdir(), "telltale-queue-"));
  onTestFinished(() => rm(out, { recursive: true }));
  await mkdir(join(out, "runs"));
  await finishedRun(join(out, "elsewhere"));
  const jobs = ["late", "never"].map((name) => ({ name }) as SweepJob);
  /** A queue whose workers are done at once: what the one has made is seen only after it was asked for. */
  const queued = new Map<string, object>();
  const queue = {
    getJob: async (id: string) => queued.get(id),
    add: async (name: string, _: object, { jobId }: { jobId: string }) => {
      const getState = async () => {
        if (name === "late") await rename(join(out, "elsewhere"), join(out, "runs", name));
        return "completed";
      };
      queued.set(jobId, { getState, data: {} });
    },
  };
  const open = { queue } as unknown as Pick<OpenQueue, "queue">;
  const { done, failed } = await doneByQueue(open, "sweep", jobs, {
    ...{ address: "redis://host", out, mostHidden: 500, mostAway: 60_000 },
  });
  expect(done).toBe(1);
  expect(failed).toEqual([
    { job: "never", problem: `never: is done, and its run is not in ${out}; workers must see the same folder` },
  ]);
});

test("what a worker tells is told on, as long as one is at the job", async () => {
  const out = await mkdtemp(join(tmpdir(), "telltale-queue-"));
  onTestFinished(() => rm(out, { recursive: true }));
  const progress = { at: "pretraining", done: 2, total: 10 };
  /** Waits, is worked on, is dropped by a worker that died, and fails with the next. */
  const states = ["waiting", "active", "active", "waiting", "failed"];
  const queued = { progress, data: {}, failedReason: "one: no", getState: async () => states.shift() };
  let isThere = false;
  const queue = {
    getJob: async () => (isThere ? queued : undefined),
    add: async () => {
      isThere = true;
    },
  };
  const told: unknown[] = [];
  await doneByQueue({ queue } as unknown as Pick<OpenQueue, "queue">, "sweep", [{ name: "one" } as SweepJob], {
    ...{ address: "redis://host", out, mostHidden: 500, mostAway: 60_000 },
    onEvent: (event) => told.push(event),
  });
  expect(told).toEqual([
    { kind: "begun", job: "one", total: 1 },
    { kind: "progress", job: "one", progress },
    { kind: "progress", job: "one", progress },
    { kind: "waits", job: "one" },
    { kind: "ended", job: "one", how: "failed", seconds: 0, ended: 1, total: 1, problem: "one: no" },
  ]);
}, 20_000);

/** A job as a queue keeps it, in one state until it is told to be in another. */
function kept(state: string) {
  const job = {
    ...{ state, data: {} as object, getState: async () => job.state },
    updateData: async (data: object) => {
      job.data = data;
    },
  };
  return job;
}

test("of what is taken back all is marked that has not ended, so that whoever takes it drops it", async () => {
  const jobs = { waiting: kept("waiting"), active: kept("active"), failed: kept("failed"), done: kept("completed") };
  const queue = { getJob: async (id: string) => jobs[id as keyof typeof jobs] };
  const open = { queue } as unknown as Pick<OpenQueue, "queue">;
  expect(await takeBack(open, [...Object.keys(jobs), "never put there"])).toEqual({ waiting: 1, stopping: 1 });
  const marked = { cancelled: true };
  expect(Object.values(jobs).map(({ data }) => data)).toEqual([marked, marked, {}, {}]);
});

test("a sweep that somebody else takes back ends, and puts nothing back", async () => {
  const out = await mkdtemp(join(tmpdir(), "telltale-queue-"));
  onTestFinished(() => rm(out, { recursive: true }));
  const job = kept("waiting");
  let added = 0;
  const queue = { getJob: async () => (added > 0 ? job : undefined), add: async () => void added++ };
  const open = { queue } as unknown as Pick<OpenQueue, "queue">;
  const ended = doneByQueue(open, "sweep", [{ name: "one" } as SweepJob], {
    ...{ address: "redis://host", out, mostHidden: 500, mostAway: 60_000 },
  });
  await vi.waitFor(() => expect(added).toBe(1));
  await takeBack(open, ["one"]);
  expect(await ended).toMatchObject({ done: 0, failed: [{ job: "one", problem: "one: was taken back" }] });
  expect(added).toBe(1);
}, 20_000);

test("what is begun again has no mark: one that waits is wanted again, one that failed begins anew", async () => {
  const out = await mkdtemp(join(tmpdir(), "telltale-queue-"));
  onTestFinished(() => rm(out, { recursive: true }));
  const told: string[] = [];
  const waiting = { ...kept("waiting"), data: { cancelled: true }, updateData: async () => void told.push("wanted") };
  const failed = { ...kept("failed"), remove: async () => void told.push("removed") };
  const queue = {
    getJob: async (id: string) => (id.endsWith("waiting") ? waiting : failed),
    add: async (name: string) => void told.push(`added ${name}`),
  };
  const stop = new AbortController();
  const ended = doneByQueue(
    { queue } as unknown as Pick<OpenQueue, "queue">,
    "sweep",
    ["waiting", "failed"].map((name) => ({ name }) as SweepJob),
    { address: "redis://host", out, mostHidden: 500, mostAway: 60_000, signal: stop.signal },
  );
  await vi.waitFor(() => expect(told).toEqual(["wanted", "added waiting", "removed", "added failed"]));
  stop.abort(new Error("enough"));
  await expect(ended).rejects.toThrow("enough");
});

test("cancel and resume are of a sweep's folder, and cancel of the queue that has it", async () => {
  const cancel = await telltale("sweep", "cancel", "sweeps/none");
  expect(cancel).toMatchObject({ code: 2, err: expect.stringContaining("cancel needs the --queue") });
  for (const words of [
    ["cancel", "sweeps/none", "--queue", "redis://127.0.0.1:1"],
    ["resume", "sweeps/none"],
  ]) {
    const { code, err } = await telltale("sweep", ...words);
    expect(err).toMatch(/^telltale sweep: sweeps\/none\/jobs\.jsonl: .*\n$/);
    expect(code).toBe(1);
  }
});

test("jobs of a worker have as many threads all together as there are cores", () => {
  const room = new Room(4);
  const first = room.enter(2);
  const second = room.enter(2);
  expect([first, second].every(Boolean)).toBe(true);
  expect(room.enter(1)).toBeUndefined();
  first!();
  expect(room.enter(3)).toBeUndefined();
  const third = room.enter(1);
  second!();
  third!();
  // One that needs more than there is has all of it.
  expect(room.enter(64)).toBeDefined();
  expect(room.enter(1)).toBeUndefined();
});

test("a job that says no number of threads is counted as one: whether it is a job at all is asked later", () => {
  const room = new Room(2);
  for (const said of [undefined, "many"]) expect(room.enter(said)).toBeDefined();
  expect(room.enter(Number.NaN)).toBeUndefined();
});
