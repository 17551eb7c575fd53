/** The real command with encoders of strangers: what they may not do, and that they can be stopped. */

import { type ChildProcess, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TensorProto_DataType as DataType } from "onnx-buf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cpu } from "../../src/runtime/native.ts";
import {
  body,
  integer,
  integersOf,
  looping,
  model,
  node,
  several,
  tensorOf,
  value,
  withDataIn,
  yes,
} from "../onnx/strangers.ts";
import { type Ended, telltale } from "./process.ts";

let folder: string;
// The encoders take four columns: none says the same as another, which would be left out.
const rows = Array.from({ length: 60 }, (_, i) => [i % 2 ? 9 : 1, i % 3, i % 2 ? 5 : i % 7, i % 5].join(","));
const fitted = ["--method", "kmeans", "-k", "2", "--no-map", "--no-report", "--quiet"];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-strangers-"));
  await writeFile(join(folder, "rows.csv"), `a,b,c,d\n${rows.join("\n")}\n`);
  const weights = new Float32Array([9, 9, 9, 9, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2]);
  await mkdir(join(folder, "given"));
  await writeFile(join(folder, "given", "weights.bin"), Buffer.from(weights.buffer));
  await writeFile(join(folder, "given", "encoder.onnx"), withDataIn("weights.bin"));
  const made = await command("fit", "rows.csv", "--network", "given/encoder.onnx", "--out", "run", ...fitted);
  expect(made).toMatchObject({ code: 0, err: "" });
  await rm(join(folder, "given"), { recursive: true });
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

function command(...words: string[]): Promise<Ended> {
  return telltale(words, { cwd: folder });
}

async function featuresOf(bytes: Uint8Array): Promise<readonly string[]> {
  const { runtime } = await cpu.find();
  const session = await runtime.InferenceSession.create(bytes);
  await session.run({ [session.inputNames[0]!]: new runtime.Tensor("float32", new Float32Array(8), [2, 4]) });
  await session.release();
  return session.outputNames;
}

describe("an encoder whose numbers lay beside it", () => {
  it("needs no other file: not in the run, and not where the model goes", async () => {
    expect(await featuresOf(await readFile(join(folder, "run", "encoder.onnx")))).toEqual(["y"]);
    expect((await command("export", "run", "--out", "away/model.onnx")).code).toBe(0);
    expect(await readdir(join(folder, "away"))).toEqual(["model.decoder.onnx", "model.onnx"]);
    expect(await featuresOf(await readFile(join(folder, "away", "model.onnx")))).toContain("distances");
  });

  it("goes with the run: assign, explain, report, stream and compare use it", async () => {
    const assigned = await command("assign", "run", "rows.csv", "--quiet");
    expect(assigned).toMatchObject({ code: 0, err: "" });
    expect(assigned.out.split("\n").length).toBe(62);
    for (const words of [
      ["explain", "run", "--row", "3"],
      ["report", "run"],
      ["stream", "run", "rows.csv", "--out", "streamed.csv", "--frozen"],
      ["compare", "run", "run", "--source", "rows.csv"],
    ]) {
      expect(await command(...words), words.join(" ")).toMatchObject({ code: 0 });
    }
  });
});

it("an encoder of four columns, one of which is left out, is refused with what it was given and what it was not", async () => {
  const repeated = rows.map((row) => {
    const [a, b, c] = row.split(",");
    return [a, b, c, 3 * Number(c)].join(",");
  });
  await writeFile(join(folder, "repeated.csv"), `a,b,c,d\n${repeated.join("\n")}\n`);
  const { code, err } = await command(
    ...["fit", "repeated.csv", "--network", "run/encoder.onnx", "--out", "none", ...fitted],
  );
  expect(code).toBe(1);
  expect(err).toContain("it was given 3 (a, b, c), and not d (says the same as c)");
  expect(err).toContain("name the columns that it takes with --columns");
  const named = ["--columns", "a,b,c,d", "--out", "named"];
  expect(await command("fit", "repeated.csv", "--network", "run/encoder.onnx", ...named, ...fitted)).toMatchObject({
    code: 0,
  });
});

describe("an encoder that somebody has put into a run", () => {
  const commands = [
    ["assign", "tampered", "rows.csv"],
    ["explain", "tampered", "--row", "3"],
    ["stream", "tampered", "rows.csv"],
    ["compare", "tampered", "run", "--source", "rows.csv"],
    ["export", "tampered", "--out", "exported.onnx"],
  ];
  it.each([
    ["with a loop without an end", () => looping(), 'the node "turning" ("Loop"): must say after how many rounds'],
    ["with numbers in another file", () => withDataIn("run.json"), "its numbers must be in the file itself"],
    ["that is something else", () => Buffer.from("something else"), "the bytes are not an ONNX model"],
    ["with an operator that nobody knows", () => model({ node: [node("Exec", ["x"], ["y"])] }), '"Exec"'],
  ])("%s is refused by whatever would open it", async (_, encoder, message) => {
    await rm(join(folder, "tampered"), { recursive: true, force: true });
    await copyRun("tampered");
    await writeFile(join(folder, "tampered", "encoder.onnx"), encoder());
    const ended = await Promise.all(commands.map((words) => command(...words, "--quiet")));
    for (const { code, err } of ended) {
      expect(code).toBe(1);
      expect(err).toContain(message);
      expect(err).toContain("encoder.onnx");
      expect(err.trim().split("\n").length).toBe(1);
    }
  });

  it("is missing: that is what is said", async () => {
    await copyRun("without");
    await rm(join(folder, "without", "encoder.onnx"));
    const { code, err } = await command("assign", "without", "rows.csv");
    expect([code, err]).toEqual([1, expect.stringContaining("encoder.onnx is missing")]);
  });
});

it("what an encoder takes is bounded by --memory, whatever runs it", async () => {
  const greedy = model({
    node: [
      node("Expand", ["x", "wide"], ["big"]),
      node("ReduceMax", ["big"], ["y"], { attribute: [several("axes", [0]), integer("keepdims", 0)] }),
    ],
    initializer: [integersOf("wide", [2 ** 24, 1, 4])],
  });
  await writeFile(join(folder, "greedy.onnx"), greedy);
  await copyRun("greedy");
  await writeFile(join(folder, "greedy", "encoder.onnx"), greedy);
  for (const words of [
    ["fit", "rows.csv", "--network", "greedy.onnx", "--out", "none", ...fitted],
    ["assign", "greedy", "rows.csv", "--quiet"],
    ["explain", "greedy", "--row", "3"],
    ["compare", "greedy", "run", "--source", "rows.csv"],
  ]) {
    const { code, err } = await command(...words, "--memory", "300");
    expect([code, err], words.join(" ")).toEqual([1, expect.stringContaining("needs more than 300 MB beyond its")]);
  }
});

it("weights that are no numbers are refused by their name, and nothing is labelled", async () => {
  await copyRun("spoiled");
  const path = join(folder, "spoiled", "weights.safetensors");
  const bytes = await readFile(path);
  const header = Number(bytes.readBigUInt64LE(0));
  type Described = Record<string, { readonly dtype: string; readonly data_offsets: readonly number[] }>;
  const described = JSON.parse(bytes.toString("utf8", 8, 8 + header)) as Described;
  const [name, { data_offsets }] = Object.entries(described).find(([, { dtype }]) => dtype === "F32")!;
  bytes.writeFloatLE(Number.NaN, 8 + header + data_offsets[0]!);
  await writeFile(path, bytes);
  const { code, out, err } = await command("assign", "spoiled", "rows.csv");
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain(`weights.safetensors cannot be read (${name} must be finite everywhere, got NaN)`);
});

/** Bounded, as the check wants it, and yet at work for hours. */
const slow = model({
  node: [
    node("Loop", ["trips", "yes", "x"], ["y"], {
      attribute: [
        body("body", {
          name: "turn",
          input: [value("i", [], DataType.INT64), value("go", [], DataType.BOOL), value("a", ["n", 4])],
          output: [value("on", [], DataType.BOOL), value("b", ["n", 4])],
          node: [
            node("Identity", ["go"], ["on"]),
            node("Expand", ["a", "wide"], ["c"]),
            node("ReduceMax", ["c"], ["m"]),
            node("Mul", ["m", "zero"], ["z"]),
            node("Squeeze", ["z"], ["s"]),
            node("Add", ["a", "s"], ["b"]),
          ],
        }),
      ],
    }),
  ],
  initializer: [
    integersOf("trips", [2 ** 20], true),
    yes("yes"),
    integersOf("wide", [100_000, 1, 4]),
    tensorOf("zero", [], [0]),
  ],
});

describe("Ctrl-C while an encoder is at work", () => {
  /** Whether it has a process beside it. */
  function isEncoding({ pid }: ChildProcess): boolean {
    return spawnSync("pgrep", ["-P", String(pid), "-f", "runtime/child"]).status === 0;
  }

  /** Interrupts what is at work once its encoder has begun, and gives how long it took to end. */
  async function interrupted(words: readonly string[], times = 1): Promise<Ended & { seconds: number }> {
    let from = 0;
    const onStart = async (child: ChildProcess): Promise<void> => {
      while (!isEncoding(child)) await new Promise((resolve) => setTimeout(resolve, 50));
      await new Promise((resolve) => setTimeout(resolve, 500));
      from = performance.now();
      child.kill("SIGINT");
      if (times > 1) setTimeout(() => child.kill("SIGINT"), 100);
    };
    const ended = await telltale(words, { cwd: folder, onStart });
    expect(from).toBeGreaterThan(0);
    return { ...ended, seconds: (performance.now() - from) / 1000 };
  }
  beforeAll(async () => {
    await writeFile(join(folder, "slow.onnx"), slow);
    await copyRun("slow");
    await writeFile(join(folder, "slow", "encoder.onnx"), slow);
  });

  it.each([
    ["fit", ["fit", "rows.csv", "--network", "slow.onnx", "--out", "never", ...fitted]],
    ["assign", ["assign", "slow", "rows.csv", "--out", "never.csv"]],
    ["explain", ["explain", "slow", "--row", "1"]],
    ["compare", ["compare", "slow", "run", "--source", "rows.csv"]],
    ["stream", ["stream", "slow", "rows.csv"]],
  ])("%s ends within two seconds, and leaves nothing half done", async (_, words) => {
    for (const times of [1, 2]) {
      const { code, err, seconds } = await interrupted(words, times);
      expect(seconds, err).toBeLessThan(2);
      if (times === 1) expect(code).toBe(130);
      expect(err).not.toMatch(/^\s+at |core dumped|terminate called/m);
      const left = (await readdir(folder)).filter((name) => name === "never" || name === "never.csv");
      if (times === 1) expect(left).toEqual([]);
      // A second one ends the process wherever it is: of a folder that it has just made its lock may be left.
      else expect(await Promise.all(left.map((name) => readdir(join(folder, name))))).toEqual(left.map(() => ["lock"]));
      await rm(join(folder, "never"), { recursive: true, force: true });
    }
  });
});

async function copyRun(to: string): Promise<void> {
  await mkdir(join(folder, to), { recursive: true });
  for (const name of await readdir(join(folder, "run"), { withFileTypes: true })) {
    if (name.isFile()) await writeFile(join(folder, to, name.name), await readFile(join(folder, "run", name.name)));
  }
}
