/** A clustering of one's own, from labels to a model that assigns, explains and is exported. */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InferenceSession, Tensor as OrtTensor } from "onnxruntime-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Random } from "../../src/doors/engine.ts";
import { partition } from "../../src/teachers/partitionRows.ts";
import { telltale as inProcess } from "./inProcess.ts";
import { type Ended, telltale } from "./process.ts";

const quick = ["--effort", "quick", "--set", "pretrainingSteps=600", "--no-groups", "--no-map"];
const count = 1500;
const names = ["north", "east", "south", "west"];

let cwd: string;
let fitted: Ended;
let rows: number[][];
let labels: Int32Array;

/** Four groups of four columns, and a few rows that are anywhere. */
function table(): number[][] {
  const centers = [
    [0, 0, 0, 0],
    [6, 6, 0, 0],
    [0, 6, 6, 3],
    [6, 0, 3, 6],
  ];
  const random = Random.seeded(7);
  const noise = random.normals(4 * count);
  return Array.from({ length: count }, (_, i) =>
    centers[i % 4]!.map((center, c) =>
      Number((i % 13 === 0 ? 14 * random.uniform() - 4 : center + 0.7 * noise[4 * i + c]!).toFixed(4)),
    ),
  );
}

const run = (words: readonly string[]): Promise<Ended> => telltale(words, { cwd });

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "telltale-own-"));
  rows = table();
  labels = (await partition(rows, { teacher: "density" })).labels;
  const said = (label: number): string => (label < 0 ? "" : (names[label] ?? `cluster ${label}`));
  const order = Random.seeded(2).permutation(count);
  await writeFile(
    join(cwd, "rows.csv"),
    `item_id,a,b,c,d,species\n${rows.map((row, i) => `i${i},${row},${said(labels[i]!)}`).join("\n")}\n`,
  );
  await writeFile(
    join(cwd, "labels.csv"),
    `item_id,cluster\n${Array.from(order, (i) => `i${i},${said(labels[i]!)}`).join("\n")}\n`,
  );
  const shuffled = Array.from(order, (i) => (labels[i]! < 0 ? 0 : labels[i]!));
  await writeFile(join(cwd, "shuffled.txt"), `${shuffled.join("\n")}\n`);
  fitted = await run(["fit", "rows.csv", "--teacher", "labels.csv", "--out", "run", ...quick]);
}, 180_000);

afterAll(() => rm(cwd, { recursive: true, force: true }));

describe("labels of one's own", () => {
  test("become clusters with their names, repeated on rows that were not taught", async () => {
    expect(fitted.code, fitted.err).toBe(0);
    expect(fitted.err).toMatch(/taught by labels\.csv, matched by id: 4 clusters in \d+ rows, none in \d+/);
    expect(fitted.out).toMatch(/^taught +taught by labels\.csv, matched by id; repeats it on (9\d|100)\.\d % of/m);
    expect(fitted.out).toMatch(/^ +\d +\d+ +[\d.]+ % +(north|east|south|west)$/m);
    const { result, settings } = JSON.parse(await readFile(join(cwd, "run/run.json"), "utf8"));
    expect(settings.teacher.names).toEqual([...names].sort());
    expect(result.taught.held.agreement).toBeGreaterThan(0.97);
    expect(result.taught.held.rows + result.taught.rows).toBe(labels.filter((label) => label >= 0).length);
    expect(result.taught.none.auroc).toBeGreaterThan(0.9);
    expect(await readFile(join(cwd, "run/report.html"), "utf8")).toContain("What it was taught");
    expect(await readFile(join(cwd, "run/differences.csv"), "utf8")).toMatch(
      /^row,item_id,teacher,model,confidence,held_out\n/,
    );
  });

  test("assign new rows, and say -1 of rows that are like those without a cluster", async () => {
    const near = rows.find((_, i) => labels[i]! >= 0)!;
    await writeFile(join(cwd, "new.csv"), `a,b,c,d\n${near}\n40,-40,40,-40\n`);
    const { out, code, err } = await run(["assign", "run", "new.csv", "--format", "jsonl"]);
    expect(code, err).toBe(0);
    const clusters = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(clusters[0].cluster).toBeGreaterThanOrEqual(0);
    expect(clusters[1]).toMatchObject({ cluster: -1 });
    expect(clusters[1].second).toBeGreaterThanOrEqual(0);
  });

  test("explain a row, and as ONNX give every row the same nearest cluster", async () => {
    const explained = await run(["explain", "run", "--row", "1", "--json"]);
    expect(explained.code, explained.err).toBe(0);
    expect(JSON.parse(explained.out).placement.cluster).toBe([...names].sort().indexOf(names[labels[1]!]!));
    const exported = await run(["export", "run", "--target", "onnx", "--out", "exported.onnx"]);
    expect(exported.code, exported.err).toBe(0);
    const session = await InferenceSession.create(join(cwd, "exported.onnx"));
    const x = new OrtTensor("float32", Float32Array.from(rows.flat()), [count, 4]);
    const { label } = await session.run({ x });
    const assigned = await run(["assign", "run", "rows.csv", "--format", "jsonl"]);
    const lines = assigned.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const nearest = lines.map(({ cluster, second }) => (cluster < 0 ? second : cluster));
    expect(Array.from(label!.data as Int32Array, Number)).toEqual(nearest);
  });

  test("that are shuffled cannot be learned, and that is said", async () => {
    const words = ["fit", "rows.csv", "--teacher", "shuffled.txt", "--out", "shuffled", "--no-report", ...quick];
    const { out, code, err } = await run(words);
    expect(code, err).toBe(0);
    expect(out.replaceAll(/\s+/g, " ")).toContain("these labels cannot be learned from these columns");
  }, 120_000);

  test("that were stopped go on without their file, to the same end", async () => {
    const words = ["fit", "rows.csv", "--teacher", "rows.csv:species", "--no-report", ...quick];
    const whole = await run([...words, "--out", "whole"]);
    expect(whole.code, whole.err).toBe(0);
    let isAsked = false;
    const stopped = await telltale([...words, "--out", "stopped"], {
      cwd,
      onTalk(said, child) {
        if (isAsked || !/^pretraining 1\//m.test(said)) return;
        isAsked = true;
        child.kill("SIGINT");
      },
    });
    expect(stopped.err).toContain("go on with: telltale fit --resume stopped");
    const again = await run(["fit", "--resume", "stopped"]);
    expect(again.code, again.err).toBe(0);
    expect(again.out).toMatch(/^taught +taught by column species; /m);
    const [one, other] = await Promise.all(
      ["whole", "stopped"].map((name) => readFile(join(cwd, name, "weights.safetensors"))),
    );
    expect(one!.equals(other!)).toBe(true);
  }, 240_000);
});

describe("what cannot be", () => {
  test.each([
    [["--teacher", "labels.csv", "-k", "3"], /says how many clusters there are; leave out --clusters/],
    [["--teacher", "kmeans", "--method", "dec"], /dec: takes no teacher; the method that learns from one is telltale/],
    [["--teacher", "labels.csv", "--method", "tell"], /tell: takes no teacher/],
    [["--effort", "quick", "--method", "kmeans"], /kmeans: takes no effort/],
    [["--teacher", "rows.csv"], /holds the rows themselves; say which of its columns teaches: column:NAME/],
    [["--teacher", "nobody"], /has no column "nobody" that could teach, and there is no such file/],
    [
      ["--teacher", "column:a", "--columns", "a,b"],
      /"a" is what the teacher says, and cannot be a column to learn from/,
    ],
    [["--teacher", "species", "--label", "species"], /cannot be the label that scores it/],
  ])("%o is refused in a sentence, and nothing is left behind", async (words, problem) => {
    const here = ["rows.csv", ...words].map((word) => (word.endsWith(".csv") ? join(cwd, word) : word));
    const { code, err } = await inProcess("fit", ...here, "--out", join(cwd, "refused"));
    expect(code).not.toBe(0);
    expect(err).toMatch(problem);
    await expect(readFile(join(cwd, "refused/run.json"))).rejects.toThrow();
  });
});
