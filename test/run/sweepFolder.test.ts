/** A sweep as its folder shows it, whoever has made that folder. */

import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rename, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { sealedText } from "../../src/run/folder/sealed.ts";
import { JobNote, thisHost } from "../../src/run/sweep/jobNote.ts";
import { SweepFolder } from "../../src/run/sweep/sweepFolder.ts";
import { jobLines, type SweepJob } from "../../src/run/sweep/sweepJob.ts";
import { workSweep } from "../../src/run/sweep/workSweep.ts";
import { folder } from "../files/folder.ts";

const names = ["1-a", "2-b", "3-c", "4-d"];
const job = (name: string): SweepJob => ({
  ...{ name, source: "/rows.csv", method: "kmeans", clusters: 2, seed: 1, profile: "practical" },
  ...{ options: {}, threads: 1, map: false, report: false },
});

let out: string;
let count = 0;
beforeEach(async () => {
  out = join(folder, `sweep-${count++}`);
  await put("jobs.jsonl", jobLines(names.map(job)));
});

async function put(name: string, content: string): Promise<string> {
  const file = join(out, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}
const said = (name: string, state: string, words: string, host = "one") =>
  put(`state/${host}/${name}.json`, JSON.stringify({ job: name, state, words }));
const noteHere = (name: string): string => join(out, "state", thisHost(), `${name}.json`);

test("what is done, under way, failed and waiting is told from the folder alone, and anew when it changes", async () => {
  await put("runs/1-a/run.json", "{}");
  await said("2-b", "under way", "clustering 3/10");
  await said("3-c", "failed", "the disk is gone", "other.host");
  const sweep = new SweepFolder(out);
  expect(await sweep.state()).toEqual({
    ...{ jobs: 4, done: 1, waiting: 1 },
    underWay: [{ job: "2-b", words: "clustering 3/10", host: "one" }],
    failed: [{ job: "3-c", words: "the disk is gone", host: "other.host" }],
  });
  // Another machine has the one that failed, and the other one is done: what was said of it is over.
  await said("3-c", "under way", "", "third");
  await put("runs/2-b/run.json", "{}");
  expect(await sweep.state()).toEqual({
    ...{ jobs: 4, done: 2, waiting: 1 },
    underWay: [{ job: "3-c", words: "", host: "third" }],
    failed: [],
  });
  await rm(join(out, "runs/1-a"), { recursive: true });
  expect(await sweep.state()).toMatchObject({ done: 1, waiting: 2 });
  expect(await sweep.runs()).toEqual([join(out, "runs/2-b")]);
});

test("who has said nothing for minutes is at it no more; why a job has failed holds until it is run again", async () => {
  const before = new Date(Date.now() - 600_000);
  await utimes(await said("1-a", "under way", "pretraining 1/4"), before, before);
  await utimes(await said("2-b", "failed", "no such file"), before, before);
  expect(await new SweepFolder(out).state()).toMatchObject({
    ...{ waiting: 3, underWay: [] },
    failed: [{ job: "2-b" }],
  });
});

test("the run that the answer recommends is told once it is there", async () => {
  const answer = sealedText({ best: "1-a", clusters: 3 }, {});
  await put("sweep.json", answer);
  const sweep = new SweepFolder(out);
  expect(await sweep.state()).not.toHaveProperty("best");
  await put("runs/1-a/run.json", "{}");
  expect((await sweep.state()).best).toEqual({ job: "1-a", clusters: 3 });
  await put("sweep.json", answer.replace("1-a", "2-b"));
  const { best, done, problem } = await sweep.state();
  expect({ best, done, problem }).toEqual({
    ...{ best: undefined, done: 1 },
    problem: expect.stringMatching(/sweep\.json: is not as telltale sweep wrote it$/),
  });
});

describe("of a folder that somebody has made to do harm", () => {
  test.each<[string, string]>([
    ["no JSON", "{"],
    ["not what a worker writes", '{"job":"1-a","state":"done","words":""}'],
    ["of another job", '{"job":"2-b","state":"failed","words":"x"}'],
    ["with a list for words", '{"job":"1-a","state":"failed","words":["x"]}'],
    ["with words without end", JSON.stringify({ job: "1-a", state: "failed", words: "x".repeat(1500) })],
    ["larger than any", `{"job":"1-a","state":"failed","words":"x"}${" ".repeat(5000)}`],
  ])("a note that is %s says nothing", async (_, content) => {
    await put("state/one/1-a.json", content);
    expect(await new SweepFolder(out).state()).toMatchObject({ jobs: 4, waiting: 4, underWay: [], failed: [] });
  });

  test("notes that are links, pipes or folders say nothing, nor do those of jobs that are not there", async () => {
    const elsewhere = await put("elsewhere.json", JSON.stringify({ job: "1-a", state: "failed", words: "secret" }));
    await mkdir(join(out, "state/one/2-b.json"), { recursive: true });
    await symlink(elsewhere, join(out, "state/one/1-a.json"));
    execFileSync("mkfifo", [join(out, "state/one/3-c.json")]);
    await symlink(join(out, "state/one"), join(out, "state/two"));
    await said("9-z", "failed", "nobody's");
    await said("4-d", "failed", "said from nowhere", "a b\u202e");
    expect(await new SweepFolder(out).state()).toMatchObject({ waiting: 4, underWay: [], failed: [] });
  });

  test("words are one line", async () => {
    await said("1-a", "failed", "\u001b[31mred\nand\u0007 more");
    expect((await new SweepFolder(out).state()).failed[0]!.words).toBe("[31mred and more");
  });

  test.each(["runs", "state", "sweep.json", "jobs.jsonl"])("%s that is a link is followed nowhere", async (name) => {
    const elsewhere = join(folder, `elsewhere-${count}`);
    await put(
      name.includes(".") ? name : `${name}/1-a/run.json`,
      name === "jobs.jsonl" ? jobLines(names.map(job)) : "{}",
    );
    await rename(join(out, name), elsewhere);
    await symlink(elsewhere, join(out, name));
    const sweep = new SweepFolder(out);
    expect((await sweep.state()).problem).toMatch(/is a link/);
    expect(await sweep.runs()).toEqual([]);
  });

  test.each<[string, (file: string) => Promise<unknown>, RegExp]>([
    ["broken", (file) => writeFile(file, "{]"), /jobs\.jsonl: line 1 must be a job as JSON/],
    ["no job", (file) => writeFile(file, '{"name":"../up"}'), /line 1 must have name, a name of letters/],
    ["huge", (file) => truncate(file, 2 ** 40), /jobs\.jsonl: must have \d+ bytes at most, it has 1099511627776/],
    ["away", (file) => rm(file), /jobs\.jsonl: there is no such file/],
  ])("jobs that are %s are a sentence, and the next look finds what has been put right", async (_, spoil, problem) => {
    const sweep = new SweepFolder(out);
    await spoil(join(out, "jobs.jsonl"));
    expect(await sweep.state()).toMatchObject({ jobs: 0, done: 0, problem: expect.stringMatching(problem) });
    await put("jobs.jsonl", jobLines(names.map(job)));
    expect(await sweep.state()).toEqual({ jobs: 4, done: 0, underWay: [], failed: [], waiting: 4 });
  });
});

describe("what a worker says", () => {
  test("is there while it is at the job, and gone when that is done or was stopped", async () => {
    const note = new JobNote(job("1-a"), out);
    note.begin();
    const sweep = new SweepFolder(out);
    await expect.poll(() => sweep.state()).toMatchObject({ underWay: [{ job: "1-a", words: "", host: thisHost() }] });
    note.say("clustering 1/9");
    await expect
      .poll(() => sweep.state(), { timeout: 15_000 })
      .toMatchObject({ underWay: [{ job: "1-a", words: "clustering 1/9" }] });
    await note.end();
    expect(await sweep.state()).toMatchObject({ underWay: [], waiting: 4 });
    expect(await readdir(dirname(noteHere("1-a")))).toEqual([]);
  }, 30_000);

  test("of a job that has failed stays, in a line, until it is begun again", async () => {
    const note = new JobNote(job("1-a"), out);
    note.begin();
    await note.end(`1-a: rows.csv:\nthere is no such file ${"x".repeat(9000)}`);
    const { words } = (await new SweepFolder(out).state()).failed[0]!;
    expect(words).toMatch(/^rows\.csv: there is no such file x+…$/);
    expect(words).toHaveLength(500);
    const again = new JobNote(job("1-a"), out);
    again.begin();
    await again.end();
    expect(await new SweepFolder(out).state()).toMatchObject({ failed: [], waiting: 4 });
  });

  test("of a job that nobody has said to trust is there as well", async () => {
    const own = { ...job("1-a"), method: "./mine.mjs" };
    const { failed } = await workSweep([own], { out });
    expect(failed).toEqual([{ job: "1-a", problem: expect.stringMatching(/unless you say --own-methods/) }]);
    expect((await new SweepFolder(out).state()).failed).toEqual([
      { job: "1-a", words: expect.stringMatching(/^its method is code in a file, .* --own-methods/), host: thisHost() },
    ]);
  });

  test("replaces nothing of anybody else's, goes through no link, and fails no fit", async () => {
    const mine = await put(`state/${thisHost()}/1-a.json`, "mine");
    const elsewhere = join(folder, `linked-${count}`);
    await mkdir(elsewhere);
    const theirs = new JobNote(job("1-a"), out);
    theirs.begin();
    await theirs.end("failed");
    expect(await readFile(mine, "utf8")).toBe("mine");
    await rm(join(out, "state"), { recursive: true });
    await symlink(elsewhere, join(out, "state"));
    const linked = new JobNote(job("2-b"), out);
    linked.begin();
    await linked.end("failed");
    expect(await readdir(elsewhere)).toEqual([]);
  });
});
