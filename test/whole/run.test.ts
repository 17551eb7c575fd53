import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inMemory } from "../../src/data/data.ts";
import type { RunEvent } from "../../src/doors/inside.ts";
import { encodeNpy } from "../../src/formats/npy.ts";
import { input, variable } from "../../src/graph/node.ts";
import { matmul } from "../../src/graph/products.ts";
import { sampleRows } from "../../src/model/sampleRows.ts";
import { compile } from "../../src/runtime/compile.ts";
import { program } from "../../src/runtime/program.ts";
import { Random } from "../../src/tensor/random.ts";
import { tensor } from "../../src/tensor/tensor.ts";

// The built library: training runs in a worker, which needs it.
const { assignFile, explainFile, exportRun, fitRun, openRows, openRun, resumeRun } = (await import(
  "../../dist/src/doors/inside.js" as string
)) as typeof import("../../src/doors/inside.ts");

let folder: string;
let table: string;
const brief = { hidden: [16], pretraining: 3, epochs: 2, restarts: 1 };

/** Three groups of products, 300 rows; every 20th weight is missing if asked for. */
function products({ missing = false } = {}): string {
  const random = Random.seeded(3);
  const places = [
    [1000, 5, 0.2],
    [200, 50, 0.9],
    [600, 20, 0.5],
  ];
  const noise = random.normals(900);
  const lines = Array.from({ length: 300 }, (_, i) => {
    const [price, weight, ratio] = places[i % 3]!.map((value, c) =>
      (value * (1 + 0.05 * noise[3 * i + c]!)).toFixed(4),
    );
    return [`p${i}`, price, missing && i % 20 === 7 ? "" : weight, ratio, "abc"[i % 3], i % 2 ? "Rome" : "Oslo"].join();
  });
  return `sku,price,weight,ratio,class,city\n${lines.join("\n")}\n`;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-run-test-"));
  table = join(folder, "products.csv");
  await writeFile(table, products());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const learned = async (run: string): Promise<string> => {
  const hash = createHash("sha256");
  for (const name of ["weights.safetensors", "model.onnx", "clusters.json"])
    hash.update(await readFile(join(run, name)));
  return hash.digest("hex");
};

describe("a run from a table", () => {
  test("has every file of its folder, scores by labels that it never saw, and clusters with names", async () => {
    const out = join(folder, "products");
    const events: RunEvent[] = [];
    const said = { clusters: 3, options: brief, rows: { ignore: ["city"] } };
    const run = await fitRun(table, { out, ...said, onEvent: (event) => events.push(event) });
    expect((await readdir(out)).sort()).toEqual(
      [
        "README.md",
        "assignments.parquet",
        "clusters.json",
        "decoder.onnx",
        "epochs.jsonl",
        "exemplars",
        "model.onnx",
        "report.html",
        "run.json",
        "weights.safetensors",
      ].sort(),
    );
    expect(events.slice(0, 2)).toMatchObject([{ kind: "device" }, { kind: "opened", rows: 300 }]);
    expect(run.description.source.description).toContain("id = sku");
    expect(run.description.result.scores!.accuracy).toBeGreaterThan(0.95);
    expect(run.description.result.confusion!.classes).toEqual(["a", "b", "c"]);
    const clusters = await run.clusters();
    expect(clusters.map(({ size }) => size)).toEqual([100, 100, 100]);
    expect(clusters.map(({ name }) => name).join()).toMatch(/high price/);
    // Exemplars are in the units of the file.
    const prices = clusters.map(({ exemplar }) => exemplar[0]!).sort((a, b) => a - b);
    expect(prices[0]).toBeGreaterThan(100);
    expect(prices[2]).toBeLessThan(1400);
    const assigned = await openRows(join(out, "assignments.parquet"), { columns: ["cluster", "confidence", "x", "y"] });
    expect(assigned.data.count).toBe(300);
    await assigned.close();
  });

  test("opens again and says the same about its rows; new rows are matched by the names of columns", async () => {
    const run = await openRun(join(folder, "products"));
    const out = join(folder, "assigned.csv");
    // Another order of columns, one more, none of the labels.
    const [header, ...lines] = products().trim().split("\n");
    const turned = [header, ...lines].map((line) => line!.split(",").reverse().slice(2).join()).join("\n");
    await writeFile(join(folder, "turned.csv"), `${turned.replaceAll("\n", ",9\n").replace(",9\n", ",extra\n")},9\n`);
    await assignFile(run, join(folder, "turned.csv"), { format: "csv", out });
    const [head, ...rows] = (await readFile(out, "utf8")).trim().split("\n");
    expect(head).toBe("sku,cluster,cluster_name,confidence,second,margin,distance,outlier");
    expect(rows.map((row) => Number(row.split(",")[1]))).toEqual([...(await run.labels())]);
    // And how far out they are, to the last digit that is written.
    const saved = await openRows(join(folder, "products", "assignments.parquet"), { columns: ["outlier"] });
    expect(rows.map((row) => Math.fround(Number(row.split(",").at(-1))))).toEqual([...saved.data.tensor!.data]);
    await saved.close();
    await expect(assignFile(run, table, { format: "csv", out })).rejects.toThrow("is there already");
  });

  test("explains a row with parts that add up", async () => {
    const { why, words } = await explainFile(await openRun(join(folder, "products")), { row: 17 });
    const sum = (parts: readonly number[]): number => parts.reduce((a, b) => a + b, 0);
    expect(sum(why!.latent.map(({ part }) => part))).toBeCloseTo(why!.margin, 5);
    expect(why!.input.start + sum(why!.input.parts) + why!.input.remainder).toBeCloseTo(why!.margin, 5);
    expect(Math.abs(why!.input.remainder)).toBeLessThanOrEqual(0.01 * why!.margin);
    expect(words).toContain("rather than");
  });

  test("is refused where another run is, unless forced, and never replaces what is no run", async () => {
    const out = join(folder, "products");
    await expect(fitRun(table, { out, clusters: 3, options: brief })).rejects.toThrow("is there already");
    await mkdir(join(folder, "papers"));
    await writeFile(join(folder, "papers", "thesis.txt"), "years of work");
    await expect(fitRun(table, { out: join(folder, "papers"), force: true, clusters: 3 })).rejects.toThrow("is no run");
    expect(await readdir(join(folder, "papers"))).toEqual(["thesis.txt"]);
  });

  test("writes nothing where an option is wrong", async () => {
    const out = join(folder, "never");
    const wrong = { out, clusters: 3, options: { epochz: 3 } };
    await expect(fitRun(table, wrong)).rejects.toThrow("did you mean epochs?");
    await expect(fitRun(table, { out, clusters: 301 })).rejects.toThrow("more clusters than rows");
    // Nobody has asked for two: they are the fewest that there are to choose from.
    const one = join(folder, "one.csv");
    await writeFile(one, "a,b\n1,2\n");
    await expect(fitRun(one, { out })).rejects.toThrow("one.csv: needs two rows or more to find out how many clusters");
    await expect(fitRun(one, { out: one, force: true })).rejects.toThrow(
      "one.csv: is what is read; choose another folder",
    );
    expect(await readdir(folder)).not.toContain("never");
  });
});

/** Stops a training after so many epochs; whether it had come to its end by then. */
async function endedAfter(
  wanted: number,
  train: (how: { onEvent: (event: RunEvent) => void; signal: AbortSignal }) => Promise<unknown>,
): Promise<boolean> {
  const stopping = new AbortController();
  let epochs = 0;
  const onEvent = ({ kind }: RunEvent): void => {
    if (kind === "epoch" && ++epochs === wanted) stopping.abort();
  };
  try {
    await train({ onEvent, signal: stopping.signal });
    return true;
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    return false;
  }
}

test("a training that was stopped goes on and ends as if it never was", async () => {
  const [whole, stopped] = [join(folder, "whole"), join(folder, "stopped")];
  const said = { clusters: 3, options: { hidden: [16], pretraining: 8, epochs: 60, restarts: 2 }, map: false };
  await fitRun(table, { out: whole, ...said });
  // It is stopped after some epochs, again and again until it comes to its end; and all begins again until it has been
  // stopped three times, for a stop is heard between epochs, and a quick machine has done many more by then.
  for (let stops = 0, round = 0; stops < 3; round++) {
    expect(round).toBeLessThan(20);
    let isDone = await endedAfter(3, (how) => fitRun(table, { out: stopped, force: true, ...said, ...how }));
    for (const epochs of [11, 20, Number.POSITIVE_INFINITY]) {
      if (isDone) break;
      stops++;
      await expect(openRun(stopped)).rejects.toThrow(`telltale fit --resume ${stopped}`);
      isDone = await endedAfter(epochs, (how) => resumeRun(stopped, how));
    }
    expect(await learned(stopped)).toBe(await learned(whole));
    expect(await readdir(stopped)).not.toContain("checkpoint");
  }
});

test("two writers in one folder: the second is refused", async () => {
  const out = join(folder, "twice");
  const first = fitRun(table, { out, clusters: 3, options: { ...brief, epochs: 30 } });
  await expect
    .poll(() => readFile(join(out, "run.json"), "utf8").catch(() => ""), { timeout: 20_000 })
    .toContain("training");
  await expect(resumeRun(out)).rejects.toThrow("another process writes there");
  await first;
});

test("missing values filled by the mean are filled inside the model too", async () => {
  const holes = join(folder, "holes.csv");
  await writeFile(holes, products({ missing: true }));
  const out = join(folder, "holes");
  await expect(fitRun(holes, { out, clusters: 3, options: brief })).rejects.toThrow("15 values are missing");
  const rows = { missing: "mean", ignore: ["city"] } as const;
  const run = await fitRun(holes, { out, clusters: 3, options: brief, rows });
  const model = await run.model();
  const mean = run.description.source.filled![1]!;
  const [a, b] = await model.predict([
    [1000, Number.NaN, 0.2],
    [1000, mean, 0.2],
  ]);
  expect(a).toBe(b);
  // And where somebody else runs the file.
  const { runtime, options } = model.device;
  const session = await runtime.InferenceSession.create(await readFile(join(out, "model.onnx")), options);
  const x = new runtime.Tensor("float32", Float32Array.of(1000, Number.NaN, 0.2, 1000, mean, 0.2), [2, 3]);
  const { label, probabilities } = await session.run({ x });
  expect([...(label!.data as BigInt64Array)].map(Number)).toEqual([a, a]);
  const p = probabilities!.data as Float32Array;
  expect([...p.subarray(0, 3)]).toEqual([...p.subarray(3)]);
  // An array has no names, and standard input not even one that tells: its columns are matched by position, and filled
  // as they were.
  const input = async function* () {
    yield encodeNpy(tensor("float32", [1, 3], Float32Array.of(1000, Number.NaN, 0.2)));
  };
  const loaded = await run.rows("-", { input: input() });
  expect([...loaded.data.tensor!.data]).toEqual([1000, Math.fround(mean), Math.fround(0.2)]);
});

test("the number of clusters is found, and the choice explained", async () => {
  const run = await fitRun(table, { out: join(folder, "auto"), options: brief, seed: 2 });
  expect(run.description.choice!.chosen).toBe(3);
  expect(run.description.choice!.reason).toMatch(/^3 clusters: .*prediction strength/);
  expect(run.description.choice!.between).toEqual([3, 3]);
  expect(run.description.result!.notices).not.toContainEqual(expect.stringMatching(/one cloud/));
  expect(run.description.choice!.tried.map(({ clusters }) => clusters)).toEqual([
    2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  ]);
  // One pretraining serves the choice and the training: its epochs are run once, and told once.
  const learned = (await run.epochs()).filter(({ phase }) => phase === "pretraining");
  expect(learned.map(({ epoch }) => epoch)).toEqual(Array.from({ length: brief.pretraining }, (_, i) => i + 1));
  expect((await run.epochs())[0]).toEqual(learned[0]);
});

test("rows without groups are one cloud: described, assigned, explained, exported; said where a number was given", async () => {
  const noise = Random.seeded(4).normals(800);
  const lines = Array.from({ length: 200 }, (_, i) => [...noise.subarray(4 * i, 4 * i + 4)].join());
  const cloud = join(folder, "cloud.csv");
  await writeFile(cloud, `a,b,c,d\n${lines.join("\n")}\n`);
  const events: RunEvent[] = [];
  const run = await fitRun(cloud, {
    out: join(folder, "cloud"),
    options: brief,
    onEvent: (event) => events.push(event),
  });
  expect(run.description.choice).toMatchObject({
    chosen: 1,
    between: [1, 1],
    reason: expect.stringMatching(/^one cloud: /),
  });
  expect(events.find(({ kind }) => kind === "chosen")).toMatchObject({ choice: { chosen: 1 } });
  const [whole, ...others] = await run.clusters();
  expect([whole!.size, others.length]).toEqual([200, 0]);
  expect(await readFile(join(run.path, "report.html"), "utf8")).toContain("One cloud");
  await assignFile(run, cloud, { out: join(folder, "cloud-assigned.csv"), format: "csv" });
  expect((await explainFile(run, { row: 3 })).words).toBe("In cluster 0, the only one.");
  for (const target of ["onnx", "safetensors", "csv", "parquet", "sql"] as const) {
    await exportRun(run, { target, out: join(folder, `cloud-exported-${target}`) });
  }
  // Whoever asks for three is told, and has them all the same.
  const asked = await fitRun(cloud, { out: join(folder, "cloud3"), clusters: 3, options: brief, map: false });
  expect(asked.description.result!.notices).toContainEqual(expect.stringMatching(/^one cloud: /));
  expect(await asked.clusters()).toHaveLength(3);
  // Whoever does not want to know is not told.
  const unasked = { clusters: 3, options: brief, groups: false, map: false };
  const quiet = await fitRun(cloud, { out: join(folder, "cloud5"), ...unasked });
  expect(quiet.description.result!.notices).not.toContainEqual(expect.stringMatching(/^one cloud: /));
  const ranged = await fitRun(cloud, { out: join(folder, "cloud4"), clusters: [3, 4], options: brief, map: false });
  expect(ranged.description.choice!.chosen).toBeGreaterThanOrEqual(3);
  expect(ranged.description.result!.notices).toContainEqual(expect.stringMatching(/^one cloud: /));
});

test("images: exemplars are pictures, pixels are scaled inside the model, and an explanation is a picture too", async () => {
  const digits = await openRows(fileURLToPath(new URL("../../data/digits/images.npy.gz", import.meta.url)));
  const some = tensor("uint8", [200, 28, 28], Uint8Array.from(digits.data.tensor!.data.subarray(0, 200 * 784)));
  await writeFile(join(folder, "digits.npy"), encodeNpy(some));
  const options = { pretraining: 1, epochs: 1, restarts: 1 };
  const run = await fitRun(join(folder, "digits.npy"), { out: join(folder, "digits"), clusters: 4, options });
  expect((await readdir(join(run.path, "exemplars"))).sort()).toEqual(["0.png", "1.png", "2.png", "3.png"]);
  const { exemplar } = (await run.clusters())[0]!;
  expect(exemplar).toHaveLength(784);
  // In the units of the file, 0 to 255, although the network sees 0 to 1.
  expect(Math.max(...exemplar)).toBeGreaterThan(2);
  const picture = join(folder, "why.png");
  const { why } = await explainFile(run, { row: 3, picture });
  expect(why!.input.shape).toEqual([1, 28, 28]);
  // Three panels of 28 pixels, six times as large, and two gaps.
  const png = await readFile(picture);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([3 * 28 * 6 + 24, 28 * 6]);
  const flat = await openRun(join(folder, "products"));
  await expect(explainFile(run, { row: 3, picture })).rejects.toThrow("why.png: is there already; choose another file");
  await expect(explainFile(flat, { row: 3, picture, force: true })).rejects.toThrow("only rows that are pictures");
});

test("a frozen encoder on a table with holes, and an id that is called Row", async () => {
  const x = input("x", ["n", 3]);
  const W = variable("W", tensor("float32", [3, 2], Float32Array.of(0.001, 0, 0, 0.02, 0, 1)));
  const encoder = join(folder, "encoder.onnx");
  await writeFile(
    encoder,
    compile(program({ outputs: { z: matmul(x, W) } }), { weights: new Map([["W", W.attributes.initial]]) }),
  );
  await writeFile(join(folder, "rows.csv"), products({ missing: true }).replace("sku", "Row"));
  const settings = {
    clusters: 3,
    network: encoder,
    options: { epochs: 2, restarts: 1 },
    rows: { missing: "mean", ignore: ["city"] },
  } as const;
  const run = await fitRun(join(folder, "rows.csv"), { out: join(folder, "encoded"), ...settings });
  expect((await run.clusters())[0]!.exemplar).toHaveLength(2);
  const out = join(folder, "encoded.parquet");
  // The means are those of the fit, also when somebody asks for means again.
  await assignFile(run, join(folder, "rows.csv"), { format: "parquet", out, rows: { missing: "mean" } });
  const assigned = await openRows(out, { columns: ["cluster"], id: "Row" });
  expect([...assigned.data.tensor!.data]).toEqual([...(await run.labels())]);
  await assigned.close();
});

test("a sample has rows of every kind, although they come in turns", async () => {
  const turns = inMemory(
    tensor(
      "float32",
      [12_000, 1],
      Float32Array.from({ length: 12_000 }, (_, i) => i % 3),
    ),
  );
  const { data, rows } = await sampleRows(turns, 4000, 1);
  const counts = [0, 1, 2].map((kind) => data.tensor!.data.filter((value) => value === kind).length);
  expect(Math.min(...counts)).toBeGreaterThan(1200);
  expect([...rows].every((row, i) => i === 0 || row > rows[i - 1]!)).toBe(true);
});

test("rows that have changed since are not taken for those that were fitted", async () => {
  const path = join(folder, "changing.csv");
  await writeFile(path, products());
  const run = await fitRun(path, { out: join(folder, "changing"), clusters: 3, method: "kmeans" });
  const [header, ...lines] = products().trim().split("\n");
  await writeFile(path, `${[header, ...lines.reverse()].join("\n")}\n`);
  await expect(explainFile(run, { row: 0 })).rejects.toThrow("are others now");
});

test("damaged and newer folders are told apart from runs", async () => {
  const out = join(folder, "products");
  const description = await readFile(join(out, "run.json"), "utf8");
  await writeFile(join(out, "run.json"), description.replace('"version": 2', '"version": 3'));
  await expect(openRun(out)).rejects.toThrow("newer Telltale");
  await writeFile(join(out, "run.json"), description.slice(0, 100));
  await expect(openRun(out)).rejects.toThrow("damaged");
  await writeFile(join(out, "run.json"), description);
  const weights = await readFile(join(out, "weights.safetensors"));
  await writeFile(join(out, "weights.safetensors"), weights.subarray(0, 1000));
  await expect((await openRun(out)).model()).rejects.toThrow("weights.safetensors");
  await rm(join(out, "weights.safetensors"));
  await expect((await openRun(out)).model()).rejects.toThrow("weights.safetensors is missing");
  await expect(openRun(folder)).rejects.toThrow("is no run of Telltale");
});

test("of several processes that find a dead writer's lock, one gets it", async () => {
  const lock = fileURLToPath(new URL("../../dist/src/disk/lock.js", import.meta.url));
  const dead = spawnSync(process.execPath, ["--version"]).pid;
  for (let round = 0; round < 5; round++) {
    const contested = join(folder, `contested-${round}`);
    await mkdir(contested);
    await writeFile(join(contested, "lock"), String(dead));
    const script = `
      const { Lock } = await import(${JSON.stringify(lock)});
      await new Lock(${JSON.stringify(contested)}).take().then(() => console.log("mine"), () => console.log("not mine"));
      process.stdin.on("data", () => {}).on("end", () => process.exit());`;
    // Each holds what it has until all have tried.
    const writers = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: ["pipe", "pipe", "inherit"] }),
    );
    const said = await Promise.all(
      writers.map(({ stdout }) => new Promise<string>((heard) => stdout.once("data", (text) => heard(String(text))))),
    );
    for (const { stdin } of writers) stdin.end();
    expect(said.filter((text) => text === "mine\n")).toHaveLength(1);
    expect((await readdir(contested)).filter((name) => name !== "lock")).toEqual([]);
  }
});
