/** Sweeps as the server tells them, from folders that may come from anybody. */

import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { expect, onTestFinished, test } from "vitest";
import { routes } from "../../src/api/routes.ts";
import type { RunBrief, Sweep } from "../../src/api/runs.ts";
import { type Client, folder, inside, pumpsRun, raw, served } from "./support.ts";

const jobs = ["1-a", "2-b", "3-c", "4-d"].map((name) => ({
  ...{ name, source: "/rows.csv", method: "kmeans", clusters: 3, seed: 1, profile: "practical" as const },
  ...{ options: {}, threads: 1, map: false, report: false },
}));
const said = (state: string, job: string, words: string): string => JSON.stringify({ job, state, words });

async function sweepFolder(name: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const out = join(folder, name);
  await inside.beginSweep(out, jobs);
  for (const [file, content] of Object.entries(files)) await put(join(out, file), content);
  return out;
}

async function put(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

async function serving(...paths: string[]): Promise<Client> {
  const client = await served({ paths, out: join(folder, "made") });
  onTestFinished(() => client.server.close());
  return client;
}

async function sweepsOf(client: Client): Promise<Sweep[]> {
  const { status, text } = await client.get("/api/sweeps");
  expect(status, text).toBe(200);
  return v.parse(routes.sweeps.answer.schema, JSON.parse(text));
}

const runsOf = async (client: Client): Promise<RunBrief[]> => JSON.parse((await client.get("/api/runs")).text);

test("a sweep is told with its jobs, and each run that is done opens as any other", async () => {
  const out = await sweepFolder("sensors", {
    "state/one/2-b.json": said("under way", "2-b", "clustering 3/10"),
    "state/two/3-c.json": said("failed", "3-c", "the disk is gone"),
    "sweep.json": inside.sealedText({ best: "1-a", clusters: 3 }, {}),
  });
  await mkdir(join(out, "runs"));
  await rename(await pumpsRun("to-be-swept"), join(out, "runs/1-a"));
  // What nobody has planned is no run of the sweep.
  await put(join(out, "runs/9-z/run.json"), "{}");
  const client = await serving(out);
  expect(client.server).toMatchObject({ runs: 1, sweeps: 1, sources: 0 });
  expect(await sweepsOf(client)).toEqual([
    {
      ...{ id: "sweep-1", name: "sensors", jobs: 4, done: 1, waiting: 1 },
      underWay: { count: 1, jobs: [{ job: "2-b", words: "clustering 3/10", host: "one" }] },
      failed: { count: 1, jobs: [{ job: "3-c", words: "the disk is gone", host: "two" }] },
      best: { name: "1-a", clusters: 3, run: "1-a" },
    },
  ]);
  expect(await runsOf(client)).toMatchObject([{ id: "1-a", name: "1-a", state: "done", clusters: 3 }]);
  expect((await client.get("/api/runs/1-a")).status).toBe(200);
  expect((await client.get("/api/runs/9-z")).status).toBe(404);
});

test("whoever listens hears that a sweep has come further, and that there is another run", async () => {
  const out = await sweepFolder("heard");
  const client = await serving(out);
  const stop = new AbortController();
  const response = await fetch(`${client.origin}/api/events`, {
    headers: { Cookie: client.cookie },
    signal: stop.signal,
  });
  let heard = "";
  const listening = (async () => {
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) heard += piece;
  })().catch(() => {});
  const kinds = (): string[] => [...heard.matchAll(/^event: (\w+)$/gm)].map(([, kind]) => kind!);
  await put(join(out, "state/one/2-b.json"), said("under way", "2-b", ""));
  await expect.poll(kinds, { timeout: 20_000 }).toEqual(["sweeps"]);
  await put(join(out, "runs/2-b/run.json"), "{}");
  await expect.poll(kinds, { timeout: 20_000 }).toEqual(["sweeps", "sweeps", "runs"]);
  expect((await sweepsOf(client))[0]).toMatchObject({ done: 1, underWay: { count: 0 } });
  stop.abort();
  await listening;
}, 60_000);

test("of many jobs that have failed the first are told, and how many there are", async () => {
  const out = join(folder, "many");
  const many = Array.from({ length: 120 }, (_, i) => ({ ...jobs[0]!, name: `job-${i}` }));
  await inside.beginSweep(out, many);
  for (const { name } of many) await put(join(out, `state/one/${name}.json`), said("failed", name, "x".repeat(500)));
  const client = await serving(out);
  const { failed, waiting } = (await sweepsOf(client))[0]!;
  expect([failed.count, failed.jobs.length, waiting]).toEqual([120, 50, 0]);
  expect((await client.get("/api/sweeps")).bytes.length).toBeLessThan(50_000);
});

test("a folder that cannot be read is told with a sentence, and nothing outside of it is listed", async () => {
  const mine = await pumpsRun("private");
  const linked = await sweepFolder("linked");
  await symlink(dirname(mine), join(linked, "runs"));
  const link = await sweepFolder("link-to-a-run", {});
  await mkdir(join(link, "runs"));
  await symlink(mine, join(link, "runs/1-a"));
  const broken = join(folder, "broken");
  await put(join(broken, "jobs.jsonl"), "{]");
  const client = await serving(linked, link, broken);
  expect((await sweepsOf(client)).map(({ name, jobs, done, problem }) => ({ name, jobs, done, problem }))).toEqual([
    { name: "linked", jobs: 0, done: 0, problem: expect.stringMatching(/runs: is a link/) },
    { name: "link-to-a-run", jobs: 4, done: 0, problem: undefined },
    { name: "broken", jobs: 0, done: 0, problem: expect.stringMatching(/line 1 must be a job as JSON/) },
  ]);
  expect(await runsOf(client)).toEqual([]);
  // What is put right is seen.
  await rm(join(linked, "runs"));
  expect((await sweepsOf(client))[0]).toMatchObject({ name: "linked", jobs: 4, waiting: 4 });
});

test("nobody without a session is told anything", async () => {
  const client = await serving(await sweepFolder("closed"));
  expect((await raw(client.origin, "/api/sweeps")).status).toBe(401);
});
