import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPlan } from "../../src/run/sweep/planFile.ts";
import { planSweep } from "../../src/run/sweep/planSweep.ts";
import { behind, chosenOf, type Ranked, rankedSettings, stabilityOf } from "../../src/run/sweep/rankSweep.ts";
import {
  beginSweep,
  checkAsksAs,
  checkTrusted,
  jobLines,
  readJobs,
  type SweepJob,
} from "../../src/run/sweep/sweepJob.ts";
import { telltale } from "../cli/inProcess.ts";
import { folder, write } from "../files/folder.ts";
import { csvFile } from "./csv.ts";

const rows = { id: "sku", label: "class" };

test("every method is tried with every number of clusters, value and seed; what it does not know it goes without", async () => {
  const jobs = await planSweep(await csvFile("planned.csv"), {
    methods: ["tell", "kmeans"],
    clusters: [2, 3],
    seeds: [1, 5],
    options: { lambda: [0.1, 0.5], restarts: [1] },
    rows,
  });
  expect(jobs).toHaveLength(2 * 2 * 2 + 2 * 2);
  expect(new Set(jobs.map(({ name }) => name)).size).toBe(12);
  expect(jobs.filter(({ method }) => method === "kmeans").map(({ options }) => options)).toEqual(
    Array(4).fill({ restarts: 1 }),
  );
  const tell = jobs.filter(({ method }) => method === "tell");
  expect(new Set(tell.map(({ options, clusters, seed }) => `${options.lambda} ${clusters} ${seed}`)).size).toBe(8);
});

test("what jobs have in common at their beginning is shared: by seed, and never where a code is as long as there are clusters", async () => {
  const file = await csvFile("shared.csv");
  const jobs = await planSweep(file, {
    methods: ["tell", "dec"],
    clusters: [2, 3],
    seeds: [1, 2],
    options: { latent: [3] },
    rows,
  });
  const names = jobs.map(({ pretraining }) => pretraining);
  expect(new Set(names).size).toBeLessThan(jobs.length);
  for (const { pretraining, seed } of jobs) {
    expect(jobs.filter((other) => other.pretraining === pretraining).every((other) => other.seed === seed)).toBe(true);
  }
  // One of each comes first, so that two workers do not make the same.
  const kinds = new Set(names).size;
  expect(new Set(names.slice(0, kinds)).size).toBe(kinds);
  const own = await planSweep(file, {
    methods: ["tell"],
    clusters: [2, 3],
    seeds: [1],
    options: { latent: [0] },
    rows,
  });
  expect(own.map(({ pretraining }) => pretraining)).toEqual([undefined, undefined]);
});

test("mistakes are found before anything runs", async () => {
  const file = await csvFile("wrong.csv");
  await expect(planSweep(file, { methods: ["kmeans"], options: { lamda: [1] }, rows })).rejects.toThrow(
    /known to a method, got lamda/,
  );
  await expect(planSweep(file, { methods: ["tell"], options: { lambda: [-1] }, rows })).rejects.toThrow(/lambda/);
  await expect(planSweep(file, { methods: ["kmeans"], clusters: [500], rows })).rejects.toThrow(
    /more clusters than rows/,
  );
  await expect(planSweep("-")).rejects.toThrow(/must be a file, since every worker reads them/);
  expect(await telltale("sweep", file, "--clusters", "9-3")).toMatchObject({ code: 2 });
  expect((await telltale("sweep", "plon", file)).err).toMatch(
    /the step must be one of plan, collect, resume, cancel, got plon/,
  );
  expect((await telltale("sweep", "plan", file, "--method", "kmeans", "--set", "rate")).err).toMatch(
    /--set must be name=values/,
  );
});

test("a plan may stand in a file, in which what nobody knows is refused", async () => {
  const file = await write("plan.json", '{"methods":["kmeans"],"clusters":[2,3],"seeds":[1],"rows":{"id":"sku"}}');
  expect(await readPlan(file)).toMatchObject({ methods: ["kmeans"], clusters: [2, 3] });
  const source = await csvFile("filed.csv");
  const { out } = await telltale("sweep", "plan", source, "--from", file, "--clusters", "4", "--label", "class");
  expect(JSON.parse(out)).toMatchObject({
    name: "1-kmeans-k4-s1",
    clusters: 4,
    threads: 1,
    rows: { id: "sku", label: "class" },
  });
  await writeFile(file, '{"cluster":[2]}');
  await expect(readPlan(file)).rejects.toThrow(/there is no cluster in a plan; there are methods, clusters/);
  await writeFile(file, "{");
  await expect(readPlan(file)).rejects.toThrow(/must be JSON/);
});

test("a line of jobs is checked: its name is a folder and no path", async () => {
  const [job] = await planSweep(await csvFile("lines.csv"), { methods: ["kmeans"], clusters: [2], seeds: [1], rows });
  const refused = async (change: object): Promise<string> => {
    const file = await write("jobs.jsonl", JSON.stringify({ ...job, ...change }));
    return readJobs(file).then(
      () => "read",
      (error: Error) => error.message,
    );
  };
  expect(await refused({})).toBe("read");
  for (const name of ["../up", ".hidden", "a/b", "", "a\nb"])
    expect(await refused({ name })).toMatch(/line 1 must have name/);
  expect(await refused({ clusters: 0 })).toMatch(/line 1 must have clusters, a whole number from 1/);
  expect(await refused({ pretraining: "../x" })).toMatch(/pretraining/);
  const twice = await write("twice.jsonl", jobLines([job!, job!]));
  await expect(readJobs(twice)).rejects.toThrow(/a name of its own/);
  await expect(readJobs(await write("none.jsonl", "\n"))).rejects.toThrow(/a job at least/);
  await expect(readJobs(await write("bad.jsonl", "{"))).rejects.toThrow(/line 1 must be a job as JSON/);
});

test("a folder that has other jobs is not taken for these", async () => {
  const [job] = await planSweep(await csvFile("begun.csv"), { methods: ["kmeans"], clusters: [2], seeds: [1], rows });
  const out = join(folder, "begun");
  await beginSweep(out, [job!]);
  await beginSweep(out, [job!]);
  await expect(beginSweep(out, [{ ...job!, seed: 9 }])).rejects.toThrow(/is there already, with other jobs/);
});

test.each(["report.html", "sweep.json", "consensus.csv"])(
  "a folder in which somebody has a %s is not made one of a sweep",
  async (name) => {
    const [job] = await planSweep(await csvFile("own.csv"), { methods: ["kmeans"], clusters: [2], seeds: [1], rows });
    const out = join(folder, `own-${name}`);
    await mkdir(out);
    await writeFile(join(out, name), "mine");
    await expect(beginSweep(out, [job!])).rejects.toThrow(/is there already, and no sweep has written it/);
    expect(await readFile(join(out, name), "utf8")).toBe("mine");
    await expect(readFile(join(out, "jobs.jsonl"))).rejects.toThrow("ENOENT");
  },
);

test("work makes its folder that of all its jobs, and other jobs are refused there", async () => {
  const [job] = await planSweep(await csvFile("recipe.csv"), { methods: ["kmeans"], clusters: [2], seeds: [1], rows });
  // They fail at once: what is looked at is the folder.
  const jobs = ["a", "b"].map((name) => ({ ...job!, name, rows: { sql: "select 1 as a" } }));
  const [a, b] = [await write("a.jsonl", jobLines(jobs)), await write("b.jsonl", jobLines(jobs.slice(1)))];
  const out = join(folder, "recipe");
  expect((await telltale("work", a, "--line", "2", "--out", out)).err).toMatch(/unless you say --run-stored-sql/);
  expect(await readJobs(join(out, "jobs.jsonl"))).toEqual(jobs);
  expect((await telltale("work", a, "--line", "1", "--out", out)).err).toMatch(/unless you say --run-stored-sql/);
  expect((await telltale("work", b, "--out", out)).err).toMatch(/is there already, with other jobs/);
  expect((await telltale("sweep", "collect", out)).err).toMatch(/none of its 2 jobs has a run yet/);
});

test("seeds are counted up to a thousand", async () => {
  const file = await csvFile("seeds.csv");
  for (const many of ["99999999999", "1001", "0"]) {
    const { code, err } = await telltale("sweep", "plan", file, "--seeds", many);
    expect(err).toMatch(/from 1 to 1000, or which/);
    expect(code).toBe(2);
  }
});

const fit = (method: string, seed: number, neighbours: number, labels = [0, 0, 1, 1]): Ranked => ({
  ...{ name: `${method}-${seed}`, method, options: {}, clusters: 2, seed, neighbours, seconds: 1 },
  labels: Int32Array.from(labels),
});

test("settings are compared seed by seed: d̄ and s_d/√m of the differences", () => {
  const a = [fit("a", 1, 0.9), fit("a", 2, 0.7), fit("a", 3, 0.8)];
  const b = [fit("b", 1, 0.8), fit("b", 2, 0.6), fit("b", 3, 0.6)];
  // Differences .1, .1, .2: their mean is 2/15, their deviation 1/√300.
  const { mean, error } = behind(a, b);
  expect(mean).toBeCloseTo(0.4 / 3, 12);
  expect(error).toBeCloseTo(Math.sqrt(1 / 300) / Math.sqrt(3), 12);
  const [first, second] = rankedSettings([...b, ...a]);
  expect([first!.method, first!.behind, second!.method]).toEqual(["a", undefined, "b"]);
  expect(first!.neighbours).toBeCloseTo(0.8, 12);
});

test("seeds agree as far as pairs of them do, and one alone says nothing", () => {
  expect(stabilityOf([fit("a", 1, 1), fit("a", 2, 1, [1, 1, 0, 0])])).toBe(1);
  expect(stabilityOf([fit("a", 1, 1), fit("a", 2, 1, [0, 1, 0, 1])])).toBeCloseTo(-0.5, 12);
  expect(stabilityOf([fit("a", 1, 1)])).toBeUndefined();
});

test("a number that was not fitted is not taken: of those that were, the one that holds together best is", () => {
  const tried = [3, 4, 5].map((clusters, i) => ({ clusters, scores: { predictionStrength: [0.5, 0.9, 0.7][i]! } }));
  const choice = { chosen: 4, reason: "4 clusters", tried };
  expect(chosenOf(choice, [3, 4])).toBe(choice);
  expect(chosenOf(choice, [3, 5])).toMatchObject({
    chosen: 5,
    reason: expect.stringContaining("5 holds together best"),
  });
});

const fromAnybody: Partial<SweepJob>[] = [
  { method: "./mine.mjs" },
  { rows: { sql: "select 1 as a" } },
  { source: "postgres://nobody@localhost/none" },
];

test.each(fromAnybody)("a job is data: %j is not run unless somebody says so", async (said) => {
  const [job] = await planSweep(await csvFile("trusted.csv"), { methods: ["kmeans"], clusters: [2], rows });
  const strange = { ...job!, ...said };
  expect(() => checkTrusted(job!, {})).not.toThrow();
  expect(() => checkTrusted(strange, {})).toThrow(/unless you say --(own-methods|run-stored-sql)/);
  expect(() => checkTrusted(strange, { ownMethods: true, runStoredSql: true })).not.toThrow();
  const file = await write("jobs.jsonl", jobLines([strange]));
  const { code, err } = await telltale("work", file, "--out", join(folder, `worked-${Object.keys(said)}`));
  expect(code).toBe(1);
  expect(err).toMatch(/unless you say --(own-methods|run-stored-sql)/);
});

test("a run that was begun asks nothing that its job does not ask", () => {
  const sql = "select 1 as a";
  const address = "postgres://me@host/rows";
  const plain = { name: "rows.csv", path: "/data/rows.csv", options: {} };
  const isTaken = (job: Pick<SweepJob, "source" | "rows">, stored: Parameters<typeof checkAsksAs>[2]): boolean => {
    try {
      checkAsksAs(job, "work/here/one", stored);
      return true;
    } catch (error) {
      expect((error as Error).message).toMatch(/^work\/here\/one: .*that its job does not name/);
      return false;
    }
  };
  expect(isTaken({ source: "/data/rows.csv" }, plain)).toBe(true);
  expect(isTaken({ source: "sql", rows: { sql } }, { name: "sql", options: { sql } })).toBe(true);
  expect(isTaken({ source: address }, { name: address, options: {} })).toBe(true);
  expect(isTaken({ source: "/data/rows.csv" }, { ...plain, options: { sql } })).toBe(false);
  expect(isTaken({ source: "sql", rows: { sql } }, { name: "sql", options: { sql: "select 2 as a" } })).toBe(false);
  expect(isTaken({ source: address }, { name: "postgres://me@elsewhere/rows", options: {} })).toBe(false);
  expect(isTaken({ source: "/data/rows.csv" }, { ...plain, path: address })).toBe(false);
});
