import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Random } from "../../src/doors/engine.ts";
import { type Ended, telltale } from "./process.ts";

/** Small and quick: what is tested is the command, not how well it learns. */
const quick = ["--set", "hidden=16", "--set", "pretraining=3", "--epochs", "3", "--restarts", "1", "--no-map"];
const groups = { idle: [18, 40, 30], busy: [45, 35, 220], outdoor: [5, 80, 35] };
const names = Object.keys(groups) as (keyof typeof groups)[];

let cwd: string;
let fitted: Ended;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "telltale-cli-"));
  const noise = Random.seeded(1).normals(900);
  const lines = Array.from({ length: 300 }, (_, i) => {
    const values = groups[names[i % 3]!].map((value, c) => (value + noise[3 * i + c]!).toFixed(3));
    return `s${i},${values.join(",")},${names[i % 3]}`;
  });
  await writeFile(join(cwd, "sensors.csv"), `sensor_id,temperature,humidity,power,label\n${lines.join("\n")}\n`);
  fitted = await telltale(["fit", "sensors.csv", "-k", "3", "--out", "runs/sensors", ...quick], { cwd });
}, 120_000);

afterAll(() => rm(cwd, { recursive: true, force: true }));

test("fit: talk on standard error, what came out on standard output", () => {
  expect(fitted.code, fitted.err).toBe(0);
  expect(fitted.err).toMatch(/^on ONNX Runtime .*\n300 rows: using 3 numeric columns, id = sensor_id, label = label/);
  expect(fitted.err).toMatch(/^clustering 3\/3 {2}loss .* left$/m);
  expect(fitted.out).toMatch(
    /^3 clusters in 300 rows of sensors\.csv, by telltale in \d+ s\n\ncluster +size +share +name\n/,
  );
  expect(fitted.out).toMatch(/^scores +acc [\d.]+, nmi [\d.]+, ari [\d.]+$/m);
  expect(fitted.out).toMatch(/^report +runs\/sensors\/report\.html$/m);
});

test("fit --json: one object; a run that is there is not replaced unless asked", async () => {
  const words = ["fit", "sensors.csv", "-k", "3", "--out", "runs/again", ...quick, "--no-report", "--json", "--quiet"];
  const first = await telltale(words, { cwd });
  expect(first).toMatchObject({ code: 0, err: "" });
  const { clusters, scores, ...rest } = JSON.parse(first.out);
  expect(rest).toMatchObject({ path: "runs/again", rows: 300, method: "telltale", seed: 1 });
  expect(rest.report).toBeUndefined();
  expect(clusters.map(({ size }: { size: number }) => size).reduce((a: number, b: number) => a + b)).toBe(300);
  expect(Object.keys(scores)).toContain("nmi");
  const second = await telltale(words, { cwd });
  expect(second).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringMatching(/^telltale fit: runs\/again: .*--force/),
  });
  expect((await telltale([...words, "--force"], { cwd })).code).toBe(0);
}, 120_000);

test("assign: a line for each row, quiet when nobody reads on, and a file whole or not at all", async () => {
  const { code, out, err } = await telltale(["assign", "runs/sensors", "sensors.csv"], { cwd });
  expect(code, err).toBe(0);
  expect(out.split("\n").slice(0, 1)).toEqual([
    "sensor_id,cluster,cluster_name,confidence,second,margin,distance,outlier",
  ]);
  expect(out.split("\n")).toHaveLength(302);
  expect(err).toMatch(/300 rows assigned\n$/);
  const json = await telltale(["assign", "runs/sensors", "-", "--json", "-q"], {
    cwd,
    input: await readFile(join(cwd, "sensors.csv"), "utf8"),
  });
  expect(JSON.parse(json.out.split("\n")[0]!)).toMatchObject({ sensor_id: "s0", cluster: expect.any(Number) });
  expect(await telltale(["assign", "runs/sensors", "sensors.csv", "-q"], { cwd, closed: true })).toEqual({
    code: 0,
    out: "",
    err: "",
  });
  await writeFile(join(cwd, "other.csv"), "a,b\n1,2\n");
  const wrong = await telltale(["assign", "runs/sensors", "other.csv", "--out", "x.csv"], { cwd });
  expect(wrong).toMatchObject({ code: 1, out: "", err: expect.stringMatching(/^telltale assign: other\.csv: .*\n$/) });
  expect((await readdir(cwd)).filter((name) => name.startsWith("x.csv"))).toEqual([]);
}, 120_000);

test("explain: words, and parts that add up", async () => {
  const { code, out, err } = await telltale(["explain", "runs/sensors", "--row", "17"], { cwd });
  expect(code, err).toBe(0);
  expect(out).toMatch(/^row 17 \(s17\): In cluster \d/);
  const parts = [...out.matchAll(/ ([+−])(\d+\.\d{4})(?= |$)/gm)].map(([, sign, digits]) =>
    Number(`${sign === "−" ? "-" : ""}${digits}`),
  );
  expect(out).toMatch(/^\(remainder.*\) .*\nsum: the margin of \d over \d .*\n$/m);
  const [sum, ...others] = parts.reverse() as [number, ...number[]];
  expect(others.reduce((a, b) => a + b, 0)).toBeCloseTo(sum, 3);
  const { why } = JSON.parse((await telltale(["explain", "runs/sensors", "--row", "17", "--json"], { cwd })).out);
  expect(why.margin).toBeCloseTo(sum, 3);
  const [far, same] = await Promise.all([
    telltale(["explain", "runs/sensors", "--row", "900"], { cwd }),
    telltale(["explain", "runs/sensors", "--row", "1", "--against", "7"], { cwd }),
  ]);
  expect(far).toMatchObject({ code: 1, err: expect.stringMatching(/^telltale explain: .*from 0 to 299, got 900\n$/) });
  expect(same).toMatchObject({ code: 1, err: expect.stringMatching(/^telltale explain: a cluster must be/) });
}, 120_000);

test("eval, compare, export and report", async () => {
  const scores = await telltale(["eval", "runs/sensors", "--json"], { cwd });
  expect(JSON.parse(scores.out)).toMatchObject({ acc: expect.any(Number), nmi: expect.any(Number) });
  expect((await telltale(["eval", "runs/sensors"], { cwd })).out).toMatch(/^score +value\nacc +\d\.\d{4}\n/);

  const compared = await telltale(["compare", "runs/sensors", "runs/sensors"], { cwd });
  expect(compared.out).toMatch(/^300 rows in both: accuracy 1\.0000/);
  expect(compared.out).toContain("0 rows moved");

  const sql = await telltale(["export", "runs/sensors", "--target", "sql"], { cwd });
  expect(sql.out).toMatch(/CREATE/);
  expect(sql.err).toMatch(/^sensors\.sql\nsensors\.onnx\n/);
  const refused = await telltale(["export", "runs/sensors", "--target", "onnx"], { cwd });
  expect(refused).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringMatching(/^telltale export: sensors\.onnx: is there/),
  });
  // A run is named after its source: an export must not hit that by itself.
  const table = await telltale(["export", "runs/sensors", "--target", "csv", "--force"], { cwd });
  expect(table.out).toBe("sensors-assigned.csv\n");
  expect(await readFile(join(cwd, "sensors.csv"), "utf8")).toMatch(/^sensor_id,temperature/);

  expect(await telltale(["report", "runs/sensors"], { cwd })).toEqual({
    code: 0,
    out: "runs/sensors/report.html\n",
    err: "",
  });
  const nothing = await telltale(["report", "runs"], { cwd });
  expect(nothing).toMatchObject({ code: 1, err: expect.stringMatching(/^telltale report: runs: is no run/) });
}, 120_000);

test("stream: rows in, lines out, and it goes on where it ended", async () => {
  const input = await readFile(join(cwd, "sensors.csv"), "utf8");
  const piped = await telltale(["stream", "runs/again", "--json", "-q"], { cwd, input });
  expect(piped).toMatchObject({ code: 0, err: "" });
  expect(piped.out.split("\n")).toHaveLength(301);
  expect(JSON.parse(piped.out.split("\n")[0]!)).toMatchObject({ row: 0, sensor_id: "s0" });

  await writeFile(join(cwd, "growing.csv"), input);
  let sent = false;
  const stopped = await telltale(["stream", "runs/sensors", "growing.csv", "--follow", "--out", "streamed.csv"], {
    cwd,
    onTalk(said, child) {
      if (!sent && said.includes("unsure")) sent = child.kill("SIGINT");
    },
  });
  expect(stopped.code, stopped.err).toBe(130);
  expect(stopped.err).toMatch(/telltale stream: stopped after \d+ rows; the same command goes on from there\n$/);
  const ended = await telltale(["stream", "runs/sensors", "growing.csv", "--out", "streamed.csv"], { cwd });
  expect(ended.code, ended.err).toBe(0);
  const lines = (await readFile(join(cwd, "streamed.csv"), "utf8")).trimEnd().split("\n");
  expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(Array.from({ length: 300 }, (_, i) => String(i)));
}, 120_000);

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "fit, ended by %s: it says how to go on, and it does",
  async (signal, code) => {
    const out = `runs/${signal}`;
    const words = ["fit", "sensors.csv", "-k", "3", "--out", out, ...quick, "--epochs", "100000"];
    let sent = false;
    const stopped = await telltale(words, {
      cwd,
      onTalk(said, child) {
        if (!sent && said.includes("clustering 1/")) sent = child.kill(signal);
      },
    });
    expect(stopped.code, stopped.err).toBe(code);
    expect(stopped.out).toBe("");
    const advice = `telltale fit: stopped; its state is saved; go on with: telltale fit --resume ${out}\n`;
    expect(stopped.err.endsWith(advice), stopped.err).toBe(true);
    const unfinished = await telltale(["assign", out, "sensors.csv"], { cwd });
    expect(unfinished).toMatchObject({ code: 1, err: expect.stringContaining(`telltale fit --resume ${out}`) });

    let again = false;
    const resumed = await telltale(["fit", "--resume", out], {
      cwd,
      onTalk(said, child) {
        if (!again && /clustering \d+\//.test(said)) again = child.kill(signal);
      },
    });
    expect(resumed.code, resumed.err).toBe(code);
    expect(resumed.err).not.toContain("pretraining 1/");
  },
  120_000,
);
