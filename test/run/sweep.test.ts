import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { SweepAnswer } from "../../src/report/sweepPage.ts";
import { telltale } from "../cli/process.ts";
import { folder } from "../files/folder.ts";
import { csvFile } from "./csv.ts";

const cwd = folder;
const tiny = "--set hidden=8 --set latent=3 --set batch=20 --set pretraining=3 --set epochs=2 --set restarts=1".split(
  " ",
);
const planned = [
  "--method",
  "tell,kmeans",
  "--clusters",
  "2,3",
  "--seeds",
  "2",
  "--id",
  "sku",
  "--label",
  "class",
  ...tiny,
];
const weightsOf = (path: string): string =>
  createHash("sha256")
    .update(readFileSync(join(cwd, path, "weights.safetensors")))
    .digest("hex");
const runsIn = (out: string): string[] => readdirSync(join(cwd, out, "runs")).sort();
const answerIn = (out: string): SweepAnswer => JSON.parse(readFileSync(join(cwd, out, "sweep.json"), "utf8"));

beforeAll(async () => {
  await csvFile("rows.csv");
});

describe("a sweep", () => {
  test("fits every setting, and says which to use, without labels", async () => {
    const { code, out, err } = await telltale(["sweep", "rows.csv", "--out", "all", ...planned], { cwd });
    expect(err).toContain("8/8 ");
    expect(code).toBe(0);
    expect(out).toMatch(/^3 clusters: their halves agree/);
    expect(runsIn("all")).toHaveLength(8);
    const answer = answerIn("all");
    expect(answer).toMatchObject({ clusters: 3, missing: [], consensus: { fits: 4 }, source: { rows: 120 } });
    expect(answer.choice!.tried.map(({ clusters }) => clusters)).toEqual([2, 3]);
    expect(answer.settings.map(({ clusters, seeds }) => [clusters, seeds])).toEqual([
      [2, [1, 2]],
      [2, [1, 2]],
      [3, [1, 2]],
      [3, [1, 2]],
    ]);
    const [best] = answer.settings.filter(({ clusters }) => clusters === 3);
    expect(answer.fits.find(({ name }) => name === answer.best)).toMatchObject({ method: best!.method, clusters: 3 });
    expect(best!.neighbours).toBeGreaterThan(0.99);
    const consensus = readFileSync(join(cwd, "all/consensus.csv"), "utf8").split("\n");
    expect(consensus.slice(0, 4)).toEqual(["row,sku,cluster,share", "0,p0,0,1", "1,p1,1,1", "2,p2,2,1"]);
    const page = readFileSync(join(cwd, "all/report.html"), "utf8");
    expect(page).toContain("Prediction strength");
    expect(page).toContain("How far the seeds of tell");
    expect(page).not.toMatch(/(src|href)="https?:/);
  }, 120_000);

  test("shares one pretraining among the fits of a seed, with the bits that each would have had alone", async () => {
    expect(readdirSync(join(cwd, "all/pretrainings"))).toHaveLength(2);
    const name = runsIn("all").find((each) => each.endsWith("tell-k3-s2"))!;
    const words = ["fit", "rows.csv", "--method", "tell", "-k", "3", "--seed", "2", "--id", "sku", "--label", "class"];
    const alone = await telltale([...words, ...tiny, "--out", "alone", "--no-map", "--no-report", "-q"], {
      cwd,
      env: { TELLTALE_THREADS: "1" },
    });
    expect(alone).toMatchObject({ code: 0, err: "" });
    expect(weightsOf("alone")).toBe(weightsOf(`all/runs/${name}`));
  }, 60_000);

  test("that is ended hard goes on where it was, to the same bits", async () => {
    const jobs = await telltale(["sweep", "plan", "rows.csv", ...planned], { cwd });
    await mkdir(join(cwd, "killed"));
    await writeFile(join(cwd, "killed/jobs.jsonl"), jobs.out);
    const work = ["work", "killed/jobs.jsonl", "--workers", "1"];
    const only = ["--only", runsIn("all").slice(0, 2).join()];
    // Once more where both were done before the end came.
    for (let code: number | null = 0, tries = 0; code !== null; tries++) {
      expect(tries).toBeLessThan(5);
      await rm(join(cwd, "killed/runs"), { recursive: true, force: true });
      const onTalk = (said: string, child: ChildProcess) => said.includes("1/2") && child.kill("SIGKILL");
      ({ code } = await telltale([...work, ...only], { cwd, onTalk }));
    }
    const after = await telltale([...work, ...only], { cwd });
    expect(after.out).toBe("1 job done, 1 done before\n");
    for (const name of runsIn("killed")) expect(weightsOf(`killed/runs/${name}`)).toBe(weightsOf(`all/runs/${name}`));
    const { code, out } = await telltale(["sweep", "collect", "killed"], { cwd });
    expect({ code, missing: answerIn("killed").missing.length }).toEqual({ code: 0, missing: 6 });
    expect(out).toContain("missing    6 jobs without a run");
  }, 120_000);

  test("begins a job again whose process ended itself, and goes on past one that fails", async () => {
    const fuzzy = fileURLToPath(new URL("../../examples/fuzzy.mjs", import.meta.url));
    const dying = `import { existsSync, writeFileSync } from "node:fs";
import fuzzy from ${JSON.stringify(fuzzy)};
export default { ...fuzzy, start(...all) {
  if (process.send && !existsSync("died")) { writeFileSync("died", ""); process.kill(process.pid, "SIGKILL"); }
  return fuzzy.start(...all);
} };`;
    await writeFile(join(cwd, "dying.mjs"), dying);
    const own = [
      "--method",
      "./dying.mjs",
      "--clusters",
      "2",
      "--seeds",
      "1",
      "--id",
      "sku",
      "--label",
      "class",
      ...tiny,
    ];
    const plan = await telltale(["sweep", "plan", "rows.csv", ...own], { cwd });
    const [job] = plan.out.trim().split("\n");
    const lost = { ...JSON.parse(job!), name: "lost", source: join(cwd, "nowhere.csv"), method: "kmeans", options: {} };
    await mkdir(join(cwd, "again"));
    await writeFile(join(cwd, "again/jobs.jsonl"), `${JSON.stringify(lost)}\n${job}\n`);
    const { code, out, err } = await telltale(["work", "again/jobs.jsonl", "--workers", "1", "--own-methods"], { cwd });
    expect(out).toBe("1 job done, 1 failed\n");
    expect(err).toContain("1-dying-k2-s1: its process ended itself (by SIGKILL); it is begun again");
    expect(err).toMatch(/telltale work: 1 job failed: lost: .*nowhere\.csv: there is no such file/);
    expect({ code, runs: runsIn("again") }).toEqual({ code: 1, runs: ["1-dying-k2-s1"] });
    // The folder says so as well, to whoever looks at it from elsewhere.
    const notes = readdirSync(join(cwd, "again/state"), { recursive: true }).map(String);
    const files = notes.filter((name) => name.endsWith(".json"));
    expect(files).toEqual([expect.stringMatching(/[\\/]lost\.json$/)]);
    expect(JSON.parse(readFileSync(join(cwd, "again/state", files[0]!), "utf8"))).toEqual({
      ...{ job: "lost", state: "failed" },
      words: expect.stringMatching(/nowhere\.csv: there is no such file/),
    });
    // Collected and begun again, nobody stumbles over it.
    expect(await telltale(["sweep", "collect", "again"], { cwd })).toMatchObject({ code: 0 });
    await copyFile(join(cwd, "rows.csv"), join(cwd, "nowhere.csv"));
    const resumed = await telltale(["sweep", "resume", "again", "--own-methods"], { cwd });
    expect({ code: resumed.code, runs: runsIn("again") }).toEqual({ code: 0, runs: ["1-dying-k2-s1", "lost"] });
    expect(
      readdirSync(join(cwd, "again/state"), { recursive: true }).filter((name) => /json$/.test(`${name}`)),
    ).toEqual([]);
  }, 60_000);

  const short = ["--method", "kmeans", "--clusters", "2", "--seeds", "1", "--id", "sku", "--label", "class"];

  test("goes step by step by any runner: planned to a file, worked line by line, collected", async () => {
    const plan = await telltale(["sweep", "plan", "rows.csv", ...short], { cwd });
    await writeFile(join(cwd, "steps.jsonl"), plan.out);
    const worked = await telltale(["work", "steps.jsonl", "--line", "1", "--out", "steps"], { cwd });
    expect(worked).toMatchObject({ code: 0, out: "1 job done\n" });
    expect(await telltale(["sweep", "collect", "steps"], { cwd })).toMatchObject({ code: 0 });
    expect(answerIn("steps").missing).toEqual([]);
  }, 60_000);

  test("is resumed from its folder alone: what is missing or has failed is run, what is there stays", async () => {
    const two = short.with(short.indexOf("--seeds") + 1, "2");
    await telltale(["sweep", "plan", "rows.csv", ...two, "--out", "resumed"], { cwd });
    await telltale(["work", "resumed/jobs.jsonl", "--line", "2"], { cwd });
    const [there] = runsIn("resumed");
    const { code, out, err } = await telltale(["sweep", "resume", "resumed"], { cwd });
    expect({ code, runs: runsIn("resumed").length, missing: answerIn("resumed").missing }).toEqual({
      ...{ code: 0, runs: 2, missing: [] },
    });
    expect(err).toContain(`${there} done before`);
    expect(out).toContain("2 fits; of the average row");
  }, 60_000);

  test("collects again, and never replaces an answer that is not as a sweep wrote it", async () => {
    await writeFile(join(cwd, "anew.jsonl"), (await telltale(["sweep", "plan", "rows.csv", ...short], { cwd })).out);
    await mkdir(join(cwd, "anew"));
    await copyFile(join(cwd, "anew.jsonl"), join(cwd, "anew/jobs.jsonl"));
    expect(await telltale(["work", "anew/jobs.jsonl"], { cwd })).toMatchObject({ code: 0 });
    for (const name of ["report.html", "consensus.csv", "sweep.json"]) {
      expect(await telltale(["sweep", "collect", "anew"], { cwd })).toMatchObject({ code: 0 });
      expect(await telltale(["sweep", "collect", "anew"], { cwd })).toMatchObject({ code: 0 });
      await writeFile(join(cwd, "anew", name), "mine");
      const { code, err } = await telltale(["sweep", "collect", "anew"], { cwd });
      expect({ code, err }).toMatchObject({
        code: 1,
        err: expect.stringContaining(`${name}: is not as telltale sweep wrote it`),
      });
      expect(readFileSync(join(cwd, "anew", name), "utf8")).toBe("mine");
      await rm(join(cwd, "anew", name));
    }
  }, 60_000);

  test("writes through no link in its folder", async () => {
    const elsewhere = join(cwd, "elsewhere");
    await mkdir(elsewhere);
    const lines = (await telltale(["sweep", "plan", "rows.csv", ...short], { cwd })).out;
    for (const name of ["runs", "work"]) {
      const out = join(cwd, `linked-${name}`);
      await mkdir(out);
      await writeFile(join(out, "jobs.jsonl"), lines);
      await symlink(elsewhere, join(out, name));
      const { code, err } = await telltale(["work", `linked-${name}/jobs.jsonl`], { cwd });
      expect({ code, err }).toMatchObject({
        code: 1,
        err: expect.stringContaining("is a link, and nothing is written through one"),
      });
    }
    expect(await readdir(elsewhere)).toEqual([]);
  }, 60_000);

  test("never replaces the rows that it reads", async () => {
    await mkdir(join(cwd, "self"));
    await copyFile(join(cwd, "rows.csv"), join(cwd, "self/consensus.csv"));
    const at = ["self/consensus.csv", ...short];
    const begun = await telltale(["sweep", ...at, "--out", "self"], { cwd });
    expect(begun).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is there already, and no sweep has written it/),
    });
    // Nor where the jobs lie there already.
    await writeFile(join(cwd, "self/jobs.jsonl"), (await telltale(["sweep", "plan", ...at], { cwd })).out);
    expect(await telltale(["work", "self/jobs.jsonl"], { cwd })).toMatchObject({ code: 0 });
    const collected = await telltale(["sweep", "collect", "self"], { cwd });
    expect(collected).toMatchObject({ code: 1, err: expect.stringMatching(/is not as telltale sweep wrote it/) });
    expect(readFileSync(join(cwd, "self/consensus.csv"))).toEqual(readFileSync(join(cwd, "rows.csv")));
  }, 60_000);
});
