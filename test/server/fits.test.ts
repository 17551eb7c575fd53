/** Fits that are begun at the server: they move the map, wait for each other, stop, and go on, whatever happens. */

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Fit, Frame, ServerEvent } from "../../src/api/fits.ts";
import { framesIn, type KeptFrame } from "../../src/run/folder/frames.ts";
import { RunFolder } from "../../src/run/folder/runFolder.ts";
import { type Client, folder, openRun, pumpsFile, served } from "./support.ts";

let client: Client;
beforeAll(async () => {
  client = await served({ paths: [await pumpsFile()], out: `${folder}/begun` });
});
afterAll(() => client.server.close());

/** Short, and with a network: every epoch is seen. */
const quick = {
  source: "data-1",
  method: "tell",
  clusters: 3,
  rows: { columns: ["pressure", "flow"] },
  options: { pretraining: 3, epochs: 4, restarts: 1, hidden: [8], latent: 2 },
};
/** One that nobody waits for. */
const long = { ...quick, options: { ...quick.options, pretraining: 100_000 } };

const begun = async (request: object): Promise<Fit> => {
  const { status, text } = await client.post("/api/fits", request);
  expect(status, text).toBe(200);
  return JSON.parse(text) as Fit;
};
const fitOf = async (id: string): Promise<Fit> => JSON.parse((await client.get(`/api/fits/${id}`)).text) as Fit;

/** What comes by another way may come a little later. */
const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 30_000 });

/** Asks until it is so; a fit that fails says why. */
async function until(id: string, holds: (fit: Fit) => boolean): Promise<Fit> {
  for (;;) {
    const fit = await fitOf(id);
    if (holds(fit)) return fit;
    if (fit.state === "failed") throw new Error(fit.problem);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What a stream of events says, as it comes, and the number of each. */
function listening(headers: Record<string, string> = {}): {
  events: ServerEvent[];
  ids: number[];
  stop: () => void;
} {
  const stop = new AbortController();
  const events: ServerEvent[] = [];
  const ids: number[] = [];
  const heard = async (): Promise<void> => {
    const answer = await fetch(`${client.origin}/api/events`, {
      headers: { Cookie: client.cookie, ...headers },
      signal: stop.signal,
    });
    let rest = "";
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + piece).split("\n\n");
      rest = blocks.pop()!;
      for (const block of blocks) {
        const [id, data] = [/^id: (\d+)$/m.exec(block)?.[1], /^data: (.*)$/m.exec(block)?.[1]];
        if (data === undefined) continue;
        events.push(JSON.parse(data) as ServerEvent);
        ids.push(Number(id));
      }
    }
  };
  heard().catch(() => {});
  return { events, ids, stop: () => stop.abort() };
}

test("a fit is a run in the end, and the map has moved with every epoch", async () => {
  const { events, stop } = listening({ "Last-Event-ID": "0" });
  const { id, state } = await begun(quick);
  expect(["queued", "running"]).toContain(state);
  const fit = await until(id, (fit) => fit.state === "done");
  const drawn = fit.frames.map(({ phase, epoch }) => `${phase} ${epoch}`);
  // One that is drawn while the next is there already may be left out, the last never.
  expect(drawn.at(-1)).toBe("clustering 4");
  expect(drawn.length).toBeGreaterThanOrEqual(3);
  expect(fit.epochs.map(({ phase, epoch }) => `${phase} ${epoch}`)).toEqual(
    expect.arrayContaining(["pretraining 1", "pretraining 3", "clustering 0", "clustering 4"]),
  );
  const { frame, rows, hasExemplars } = fit.frames.at(-1)!;
  expect(rows).toBe(90);
  const { bytes } = await client.get(`/api/fits/${id}/frames/${frame}`);
  expect(bytes).toHaveLength(90 * 3 * 2);
  expect(hasExemplars).toBe(true);
  expect((await client.get(`/api/fits/${id}/frames/${frame}/exemplars`)).bytes).toHaveLength(3 * 2 * 4);
  await soon(() => events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["fit", "epoch", "frame", "runs"]));
  stop();
  const kept = JSON.parse((await client.get(`/api/runs/${fit.run}/frames`)).text) as Frame[];
  expect(kept.map(({ phase, epoch }) => `${phase} ${epoch}`)).toEqual(drawn);
  expect((await client.get(`/api/runs/${fit.run}/frames/0`)).bytes).toHaveLength(90 * 3 * 2);
});

test("watching changes no bit of what is learned", async () => {
  const { path: source } = { path: await pumpsFile() };
  const { fitRun } = await import("./support.ts");
  const { source: _, ...options } = quick;
  const plain = await fitRun(source, {
    ...options,
    out: `${folder}/unwatched`,
    device: "cpu",
    map: false,
    report: false,
  });
  const watched = await fitRun(source, {
    ...options,
    out: `${folder}/watched`,
    device: "cpu",
    map: false,
    report: false,
    watch: 50,
  });
  expect(await (await watched.model()).weights()).toEqual(await (await plain.model()).weights());
});

test("several wait for each other, and one that waits can be taken back", async () => {
  const first = await begun(long);
  const second = await begun(quick);
  expect((await fitOf(second.id)).state).toBe("queued");
  expect(JSON.parse((await client.post(`/api/fits/${second.id}/stop`, {})).text).state).toBe("stopped");
  await until(first.id, ({ epochs }) => epochs.length > 2);
  await client.post(`/api/fits/${first.id}/stop`, {});
  await until(first.id, ({ state }) => state === "stopped");
});

test("what was seen before a stop is kept in the run, and what is seen after it goes on from there", async () => {
  const { id, name } = await begun(long);
  const run = new RunFolder(`${folder}/begun/${name}`);
  const stopAfter = async (frames: number): Promise<readonly KeptFrame[]> => {
    await until(id, (fit) => fit.frames.length >= frames);
    await client.post(`/api/fits/${id}/stop`, {});
    await until(id, ({ state }) => state === "stopped");
    return framesIn(run);
  };
  const before = await stopAfter(2);
  expect(before.length).toBeGreaterThan(1);
  const { frames } = await fitOf(id);
  await client.post(`/api/fits/${id}/resume`, {});
  const after = await stopAfter(frames.length + 2);
  expect(after[0]).toEqual(before[0]);
  // The epochs after its checkpoint are learned again, and kept once.
  const epochs = after.map(({ epoch }) => epoch);
  expect(epochs).toEqual([...new Set(epochs)].sort((a, b) => a - b));
  expect(epochs.length).toBeGreaterThan(2);
});

test("the server answers meanwhile, also with fifty streams open and clients that send slowly or never read", async () => {
  const streams = Array.from({ length: 50 }, () => listening());
  const { port } = new URL(client.origin);
  const slow = Array.from({ length: 20 }, (_, i) => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => {});
    const cookie = `Cookie: ${client.cookie}\r\n`;
    // Half a header, a body that does not come, and an answer that nobody reads.
    if (i % 3 === 0) socket.write("GET /api/runs HTT");
    else if (i % 3 === 1) {
      socket.write(
        `POST /api/fits HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${client.origin}\r\n${cookie}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{`,
      );
    } else {
      socket.pause();
      socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${cookie}Last-Event-ID: 0\r\n\r\n`);
    }
    return socket;
  });
  const { id } = await begun(long);
  const at = await until(id, ({ epochs }) => epochs.length > 3);
  const waited: number[] = [];
  for (let i = 0; i < 30; i++) {
    const since = performance.now();
    expect((await client.get("/api/runs")).status).toBe(200);
    waited.push(performance.now() - since);
  }
  const later = await until(id, ({ epochs }) => epochs.length > at.epochs.length + 3);
  expect(later.state).toBe("running");
  // The middle of them, for a machine may be busy with other things at any one moment.
  expect(waited.sort((a, b) => a - b)[15]).toBeLessThan(500);
  await soon(() => streams.filter(({ events }) => events.some(({ kind }) => kind === "epoch"))).toHaveLength(50);
  for (const { stop } of streams) stop();
  for (const socket of slow) socket.destroy();
  await client.post(`/api/fits/${id}/stop`, {});
  await until(id, ({ state }) => state === "stopped");
});

test("whoever comes back is told what he has missed", async () => {
  const first = listening({ "Last-Event-ID": "0" });
  await soon(() => first.events.length).toBeGreaterThan(1);
  first.stop();
  const [ids, events] = [[...first.ids], [...first.events]];
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  const second = listening({ "Last-Event-ID": String(ids.at(-2)) });
  await soon(() => second.events.length).toBeGreaterThan(0);
  second.stop();
  expect(second.events[0]).toEqual(events.at(-1));
});

test("a fit whose process is killed can be resumed, also by another server, and ends as a run", async () => {
  // Where the kill comes too late for a quick machine, a longer one is tried.
  let killed = "";
  for (let pretraining = 400, state = "done"; state === "done"; pretraining *= 4) {
    killed = `killed-${pretraining}`;
    const { id } = await begun({ ...quick, name: killed, options: { ...quick.options, pretraining } });
    await until(id, ({ epochs, state }) => epochs.length > 20 || state === "done");
    const asked = ["-P", String(process.pid), "-f", "server/fits/child"];
    const children = spawnSync("pgrep", asked, { encoding: "utf8" }).stdout.trim();
    for (const pid of children.split("\n").filter(Boolean)) process.kill(Number(pid), "SIGKILL");
    ({ state } = await until(id, ({ state }) => state === "stopped" || state === "done"));
  }
  expect(readdirSync(`${folder}/begun/${killed}`)).toContain("run.json");
  const again = await served({ paths: [], out: `${folder}/begun` });
  try {
    const listed = JSON.parse((await again.get("/api/runs")).text) as { id: string; state: string }[];
    expect(listed.find(({ id }) => id === killed)!.state).toBe("stopped");
    const fit = JSON.parse((await again.post(`/api/runs/${killed}/resume`, {})).text) as Fit;
    let state = fit.state;
    while (state !== "done" && state !== "failed") {
      await new Promise((resolve) => setTimeout(resolve, 100));
      state = (JSON.parse((await again.get(`/api/fits/${fit.id}`)).text) as Fit).state;
    }
    expect(state).toBe("done");
  } finally {
    await again.server.close();
  }
  expect((await (await openRun(`${folder}/begun/${killed}`)).labels()).length).toBe(90);
});

test("what cannot be fitted is refused before it waits, or says why it has failed", async () => {
  const refused = async (request: object) => (await client.post("/api/fits", { ...quick, ...request })).status;
  expect(await refused({ method: "nothing" })).toBe(422);
  expect(await refused({ options: { latent: -1 } })).toBe(422);
  expect(await refused({ source: "data-9" })).toBe(404);
  expect(await refused({ name: "../elsewhere" })).toBe(400);
  expect(await refused({ clusters: [5, 2] })).toBe(400);
  const { id } = await begun({ ...quick, rows: { columns: ["nothing"] } });
  for (;;) {
    const { state, problem } = await fitOf(id);
    if (state !== "failed") {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    expect(problem).toContain("nothing");
    return;
  }
});
