/**
 * A run folder from a stranger: whatever stands in its files, it is used or refused in a sentence, and never takes the
 * machine.
 */

import { cp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { decodeSafetensors, encodeSafetensors } from "../../src/formats/safetensors.ts";
import { openRunOn } from "../../src/run/folder/openRun.ts";
import { streamRowsOn } from "../../src/run/stream/streamRows.ts";
import { assignFile } from "../../src/run/use/assignFile.ts";
import { reportRun } from "../../src/run/use/reportRun.ts";
import { cpu } from "../../src/runtime/native.ts";
import { readCheckpoint } from "../../src/worker/checkpoints.ts";
import { folder, write } from "../files/folder.ts";
import { makePipe } from "../support/pipe.ts";
import { finishedRun } from "../support/run.ts";

type Json = unknown;
type Place = readonly (string | number)[];

const openRun = openRunOn([cpu]);
const streamRows = streamRowsOn([cpu]);
const base = join(folder, "base");
const run = join(folder, "run");
let rows: string;

beforeAll(async () => {
  await finishedRun(base);
  const described = JSON.parse(await readFile(join(base, "run.json"), "utf8"));
  const centers = Array.from({ length: described.result.plan.clusters }, (_, i) => [i, i]);
  described.result.map = { centers, shown: 3 };
  await writeFile(join(base, "run.json"), JSON.stringify(described));
  const epoch = { restart: 0, phase: "clustering", epoch: 1, epochs: 1, losses: { loss: 1 }, notices: [] };
  await writeFile(join(base, "epochs.jsonl"), `${JSON.stringify({ ...epoch, seconds: 1, remaining: 0 })}\n`);
  rows = await write("rows.csv", `a,b,c d,größe\n${"1,2,3,4\n4,3,2,1\n".repeat(3)}`);
});

async function fresh(): Promise<void> {
  await rm(run, { recursive: true, force: true });
  await cp(base, run, { recursive: true });
}

/** Every place of a value that is not far down a list. */
function placesIn(value: Json, at: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [at];
  const keys = Array.isArray(value) ? [...value.keys()].slice(0, 2) : Object.keys(value);
  return [at, ...keys.flatMap((key) => placesIn((value as Record<string, Json>)[key], [...at, key]))];
}

function changed(value: Json, at: Place, to: Json): Json {
  if (at.length === 0) return to;
  const copy = structuredClone(value);
  const inner = at.slice(0, -1).reduce((from, key) => (from as Record<string, Json>)[key], copy);
  (inner as Record<string, Json>)[at.at(-1)!] = to;
  return copy;
}

const strange: readonly Json[] = [
  ...[null, true, -1, 0, 1.5, 1e8, 2 ** 31 - 1, 1e308, "", "NaN", "__proto__"],
  ...[[], [1], [-1], ["a"], [1e8, 1e8], [[1]], {}, { a: 1 }],
];

/** What JavaScript itself says, and no sentence of ours. */
const raw =
  /Cannot (read|destructure|convert)|is not (a function|iterable)|[Ii]nvalid (array|typed array|string) length|call stack|undefined/;

async function usedOrRefused(use: () => Promise<unknown>): Promise<void> {
  const error = await use().then(
    () => undefined,
    (error: Error) => error,
  );
  if (!error) return;
  expect(error.message).not.toMatch(raw);
  expect(error.message).not.toContain("\n");
}

async function useEverything(): Promise<void> {
  await usedOrRefused(async () => {
    const opened = await openRun(run);
    await usedOrRefused(() => opened.names());
    await usedOrRefused(() => reportRun(opened));
    await usedOrRefused(() => assignFile(opened, rows, { format: "csv", out: join(folder, "out.csv"), force: true }));
  });
}

describe("whatever stands in a file of a run, it is used or refused in a sentence", () => {
  const files: [string, (text: string) => Json, (value: Json) => string][] = [
    ["run.json", JSON.parse, (value) => JSON.stringify(value)],
    ["clusters.json", JSON.parse, (value) => JSON.stringify(value)],
    ["epochs.jsonl", JSON.parse, (value) => `${JSON.stringify(value)}\n`],
  ];
  it.each(files)("%s", async (name, parse, print) => {
    const whole = parse(await readFile(join(base, name), "utf8"));
    const places = placesIn(whole);
    const property = fc.asyncProperty(fc.constantFrom(...places), fc.constantFrom(...strange), async (at, to) => {
      await fresh();
      await writeFile(join(run, name), print(changed(whole, at, to)));
      await useEverything();
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it("the state of a stream", async () => {
    await fresh();
    const input = async function* (): AsyncGenerator<Uint8Array> {
      yield await readFile(rows);
    };
    const file = join(base, "stream", "state.safetensors");
    await streamRows(base, { format: "csv", input: input(), out: join(folder, "streamed.csv") });
    const { tensors, metadata } = decodeSafetensors(await readFile(file));
    const whole = JSON.parse(metadata.state!);
    const property = fc.asyncProperty(
      fc.constantFrom(...placesIn(whole)),
      fc.constantFrom(...strange),
      async (at, to) => {
        await fresh();
        const state = JSON.stringify(changed(whole, at, to));
        await writeFile(join(run, "stream", "state.safetensors"), encodeSafetensors(tensors, { ...metadata, state }));
        const options = { format: "csv", input: input(), out: join(folder, "streamed.csv"), newInput: true } as const;
        await usedOrRefused(() => streamRows(run, options));
      },
    );
    await fc.assert(property, { numRuns: 25 });
    await rm(join(base, "stream"), { recursive: true });
  });
});

describe("sizes in a folder are those of its weights", () => {
  const described = async (at: Place, to: Json): Promise<void> => {
    await fresh();
    const whole = JSON.parse(await readFile(join(base, "run.json"), "utf8"));
    await writeFile(join(run, "run.json"), JSON.stringify(changed(whole, at, to)));
  };

  it.each<[Place, Json, RegExp]>([
    [
      ["result", "plan", "options", "hidden"],
      [100_000_000, 100_000_000],
      /the plan needs \d+ weights or more, there are/,
    ],
    [["result", "plan", "options", "latent"], 100_000_000, /the plan needs \d+ weights or more/],
    [["result", "plan", "options", "network"], "tellConvolutional", /./],
    [["result", "plan", "count"], 2 ** 31 - 1, /the plan has 2147483647 rows, and the weights labels of/],
  ])("%s", async (at, to, message) => {
    await described(at, to);
    await expect((await openRun(run)).model()).rejects.toThrow(message);
  });

  it.each<[Place, Json, RegExp]>([
    [["result", "plan", "clusters"], 100_000_000, /a whole number from 1 to 1048576, got 100000000/],
    [["source", "row"], [1e8], /source.features, a list of 100000000/],
    [["result", "plan", "row"], [5], /result.plan.row, source.row, \[4\], as there is no encoder before it/],
  ])("%s", async (at, to, message) => {
    await described(at, to);
    await expect(openRun(run)).rejects.toThrow(message);
  });

  it("a map of more rows than any map shows", async () => {
    await described(["source", "rows"], 2 ** 31 - 1);
    const file = join(run, "run.json");
    const text = JSON.parse(await readFile(file, "utf8"));
    text.result.map.shown = 2 ** 31 - 1;
    await writeFile(file, JSON.stringify(text));
    await expect(openRun(run)).rejects.toThrow("result.map.shown, a whole number up to 100000");
  });

  it("many features are compared with each other in no time", async () => {
    const features = Array.from({ length: 200_000 }, (_, i) => ({ kind: "number", column: String(i) }));
    await described(["source", "features"], features);
    // Each with each would take minutes, and the test would not end in its time.
    await expect(openRun(run)).rejects.toThrow("source.features, a list of 4");
  });

  it("what a run stores about memory is no more than everybody may use", async () => {
    await described(["source", "options", "memory"], 2 ** 50);
    const opened = await (await openRun(run)).rows(rows);
    expect(opened.data.count).toBe(6);
    await opened.close();
  });
});

describe("files of a run are files, of a size that can be read", () => {
  it("no file is larger than what may be used", async () => {
    await fresh();
    await truncate(join(run, "run.json"), 3e9);
    await expect(openRun(run)).rejects.toThrow(/run.json: must have \d+ bytes at most, it has 3000000000/);
    await fresh();
    await truncate(join(run, "epochs.jsonl"), 3e9);
    await expect((await openRun(run)).epochs()).rejects.toThrow(
      /epochs.jsonl cannot be read \(must have \d+ bytes at most/,
    );
  });

  it("none is deeper than JSON of ours", async () => {
    const deep = "[".repeat(1e5) + "]".repeat(1e5);
    for (const [name, content] of [
      ["run.json", deep],
      ["run.json", `{"format":"telltale run","version":2,"x":${deep}}`],
      ["clusters.json", deep],
      ["epochs.jsonl", `${deep}\n`],
    ] as const) {
      await fresh();
      await writeFile(join(run, name), content);
      const use = async () => {
        const opened = await openRun(run);
        return [await opened.clusters(), await opened.epochs()];
      };
      await expect(use()).rejects.toThrow("nested deeper than 64 values");
    }
    const header = new TextEncoder().encode(`{"x":${deep}}`);
    const file = Buffer.concat(
      [new BigUint64Array([BigInt(header.length)]), header].map((part) => new Uint8Array(part.buffer)),
    );
    expect(() => decodeSafetensors(file)).toThrow("safetensors: the header is not JSON");
  });

  it("none is a pipe that somebody would wait for", async () => {
    const piped = async (name: string): Promise<void> => {
      await fresh();
      await rm(join(run, name), { force: true });
      makePipe(join(run, name));
    };
    await piped("run.json");
    await expect(openRun(run)).rejects.toThrow("run.json: must be a file, is a pipe");
    await piped("weights.safetensors");
    await expect((await openRun(run)).model()).rejects.toThrow(
      "weights.safetensors cannot be read (must be a file, is a pipe)",
    );
    await piped("clusters.json");
    await expect((await openRun(run)).clusters()).rejects.toThrow("is a pipe");
    await piped("assignments.parquet");
    await expect(reportRun(await openRun(run))).rejects.toThrow("assignments.parquet is no plain file");
    await piped("lock");
    await expect(reportRun(await openRun(run))).rejects.toThrow("is no lock of Telltale");
    makePipe(join(folder, "checkpoint"));
    await expect(readCheckpoint(join(folder, "checkpoint"))).rejects.toThrow("must be a file, is a pipe");
  });
});
