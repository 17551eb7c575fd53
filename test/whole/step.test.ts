import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Step } from "../../bench/stepWorkers.ts";
import { encodeSafetensors } from "../../src/formats/safetensors.ts";
import { cpu } from "../../src/runtime/native.ts";
import { Random } from "../../src/tensor/random.ts";
import { filled, type Tensor, takeRows, tensor } from "../../src/tensor/tensor.ts";
import { blobs, tiny } from "../support/blobs.ts";

// The built library: training runs in a worker, which needs it.
const { exportRun, fitRun, importRun, openRun } = (await import(
  "../../dist/src/doors/inside.js" as string
)) as typeof import("../../src/doors/inside.ts");

const { rows, labels } = blobs();
const device = await cpu.find();
const random = Random.seeded(1);
let folder: string;

/** A run without map and report, and its step. */
async function stepOf(name: string, method: string, options: Record<string, unknown>): Promise<Step> {
  const run = await fitRun(join(folder, "blobs.csv"), {
    ...{ out: join(folder, name), method, clusters: 3, groups: false, map: false, report: false },
    options,
  });
  const { files } = await exportRun(run, { target: "step", out: join(folder, `${name}.json`) });
  expect(files[0]).toBe(join(folder, `${name}.json`));
  return Step.open(files[0]!, device);
}

/** Every second row, from the first or from the second. */
const halves = [0, 1].map((first) =>
  takeRows(
    rows,
    Int32Array.from({ length: 60 }, (_, i) => 2 * i + first),
  ),
);

const valuesOf = (state: ReadonlyMap<string, Tensor>, name: string): number[] => [
  ...(state.get(name)!.data as Float32Array),
];

async function saved(name: string, state: ReadonlyMap<string, Tensor>): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, encodeSafetensors(state));
  return file;
}

let tell: Step;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-step-test-"));
  const lines = Array.from(labels, (_, i) => rows.data.slice(4 * i, 4 * i + 4).join(","));
  await writeFile(join(folder, "blobs.csv"), `${["a,b,c,d", ...lines].join("\n")}\n`);
  tell = await stepOf("tell", "tell", { ...tiny, neighbours: 0, epochs: 0, dropout: 0.1 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a training step that was exported", () => {
  test("says how each tensor is merged, and what is fed and drawn", async () => {
    const { programs, state, epochs } = tell.manifest;
    const ruleOf = Object.fromEntries(state.tensors.map(({ name, merge }) => [name, merge]));
    expect(ruleOf).toMatchObject({ W: "average", "encoder.0.weight": "average", "epoch.sizes": "sum" });
    expect(programs.both!.inputs.map(({ name, from }) => [name, from])).toContainEqual(["rate", "scalar"]);
    expect(programs.both!.inputs.map(({ from }) => from)).toContain("uniform");
    // A run without epochs is to be trained elsewhere: for as long as its profile says.
    expect(epochs.map(({ scalars }) => scalars.rate)).toEqual([
      1e-3, 1e-3, 5e-4, 5e-4, 2.5e-4, 2.5e-4, 1.25e-4, 1.25e-4,
    ]);
  });

  test("made by two workers and merged: floats are means, counts are sums, whatever they began with", async () => {
    const { state } = await tell.step("both", tell.first, rows, { rate: 0.01 }, random);
    const [one, other] = await Promise.all(
      halves.map(async (x) => (await tell.step("both", state, x, { rate: 0.01 }, random)).state),
    );
    const merged = tell.merged(state, [one!, other!]);
    valuesOf(merged, "W").forEach((value, i) => {
      expect(value).toBeCloseTo((valuesOf(one!, "W")[i]! + valuesOf(other!, "W")[i]!) / 2, 6);
    });
    const counted = valuesOf(merged, "epoch.sizes").reduce((sum, size) => sum + size, 0);
    expect(counted).toBe(rows.shape[0]! + 60 + 60);
  });

  test("of k-means on two workers, merged after every pass, is k-means on one", async () => {
    const step = await stepOf("kmeans", "kmeans", { epochs: 0, start: "rows" });
    const alone = await step.train({ shards: [rows], local: 1000, steps: 3, random });
    const together = await step.train({ shards: halves, local: 1000, steps: 3, random });
    expect(valuesOf(alone, "centers")).not.toEqual(valuesOf(step.first, "centers"));
    valuesOf(together, "centers").forEach((value, i) => {
      expect(value).toBeCloseTo(valuesOf(alone, "centers")[i]!, 5);
    });
  });
});

describe("a state that was trained elsewhere", () => {
  test("becomes a run, whose model has its weights and says so", async () => {
    const state = await tell.train({ shards: halves, local: 2, random });
    const out = join(folder, "back");
    const run = await importRun(join(folder, "tell"), { state: await saved("merged.safetensors", state), out });
    const found = await run.tensors();
    expect(valuesOf(found, "W")).toEqual(valuesOf(state, "W"));
    expect(valuesOf(found, "W")).not.toEqual(valuesOf(tell.first, "W"));
    expect(run.description.result.notices).toContain(
      "its last epochs were trained elsewhere, by steps that were exported and merged",
    );
    // Three clouds, found by two machines of which none had all rows.
    const clusters = await run.labels();
    expect(new Set(labels.map((label, i) => 3 * label + clusters[i]!)).size).toBe(3);
    expect(await readdir(out)).not.toContain("checkpoint");
    const again = await openRun(out);
    expect((await again.clusters()).map(({ size }) => size)).toEqual([40, 40, 40]);
  });

  test.each([
    ["has a tensor that no step keeps", (s: Map<string, Tensor>) => s.set("other", filled("float32", [1], 0)), "other"],
    ["lacks one", (s: Map<string, Tensor>) => s.delete("W"), "must have W"],
    [
      "has one of another shape",
      (s: Map<string, Tensor>) => s.set("W", filled("float32", [2], 0)),
      "W must be float32",
    ],
    [
      "has one that is no number",
      (s: Map<string, Tensor>) => s.set("W", tensor("float32", [3, 3], new Float32Array(9).fill(Number.NaN))),
      "W must be finite everywhere",
    ],
  ])("is refused where it %s, and nothing is written", async (_, change, sentence) => {
    const state = new Map(tell.first);
    change(state);
    const file = await saved("wrong.safetensors", state);
    const out = join(folder, "wrong");
    await expect(importRun(join(folder, "tell"), { state: file, out })).rejects.toThrow(sentence);
    expect(await readdir(folder)).not.toContain("wrong");
  });

  test("is refused where it is no such file", async () => {
    const state = join(folder, "blobs.csv");
    const before = await readFile(state, "utf8");
    await expect(importRun(join(folder, "tell"), { state, out: join(folder, "none") })).rejects.toThrow(
      /blobs\.csv: is no safetensors file .*; give the state that the step of this run has become/,
    );
    expect(await readFile(state, "utf8")).toBe(before);
  });
});
