/** Files of a run folder that are JSON and still wrong: each says where, what must hold there, and what it has. */

import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { decodeSafetensors, encodeSafetensors } from "../../src/formats/safetensors.ts";
import { problemIn } from "../../src/formats/schema.ts";
import { clustersIn, epochsIn, openRunOn } from "../../src/run/folder/openRun.ts";
import { RunFolder } from "../../src/run/folder/runFolder.ts";
import { runDescription } from "../../src/run/folder/schemas/runDescription.ts";
import { streamRowsOn } from "../../src/run/stream/streamRows.ts";
import { cpu } from "../../src/runtime/native.ts";
import { folder, write } from "../files/folder.ts";
import { finishedRun } from "../support/run.ts";

type Json = { [name: string]: unknown };

const path = join(folder, "checked");
const runFolder = new RunFolder(path);
const openRun = openRunOn([cpu]);
let whole: Json;

beforeAll(async () => {
  await finishedRun(path);
  whole = JSON.parse(await readFile(join(path, "run.json"), "utf8"));
  const map = {
    centers: [
      [0, 0],
      [1, 0],
      [0, 1],
    ],
    shown: 120,
  };
  const scores = { accuracy: 1 };
  const confusion = {
    classes: ["a", "b"],
    table: [
      [50, 0, 50],
      [0, 50, 0],
    ],
  };
  whole = { ...whole, result: { ...(whole.result as Json), map, scores, confusion } };
  const choice = { chosen: 3, reason: "compact", tried: [{ clusters: 2, scores: { silhouette: null } }] };
  whole = { ...whole, choice, settings: { ...(whole.settings as Json), clusters: [2, 4] } };
});

/** A copy with something else at a path; without it where that is undefined. */
function changed<T>(object: T, at: readonly (string | number)[], value?: unknown): T {
  const copy = structuredClone(object);
  const inner = at.slice(0, -1).reduce((from, key) => from[key] as never, copy as Record<string | number, unknown>);
  if (value === undefined) delete inner[at.at(-1)!];
  else inner[at.at(-1)!] = value;
  return copy;
}

async function described(description: unknown): Promise<unknown> {
  await writeFile(join(path, "run.json"), JSON.stringify(description));
  return runFolder.description();
}

const escaped = (words: string): string => words.replaceAll(/[[\]{}()*+?.]/g, "\\$&");

describe("run.json", () => {
  it("may say more than this build knows", async () => {
    const more = { ...whole, color: "red", source: { ...(whole.source as Json), weather: [1] } };
    expect(await described(more)).toEqual(more);
  });

  it.each<[at: string, value: unknown, words: string, place?: string]>([
    ["source.rows", "many", 'a whole number from 0 to 2147483647, got "many"'],
    ["source.rows", -1, "a whole number from 0 to 2147483647, got -1"],
    ["source.rows", 1e15, "a whole number from 0 to 2147483647, got 1000000000000000"],
    ["source.row", [4, 0], "a list of 1 to 8 whole numbers from 1, for up to 2147483647 numbers in a row, got [4,0]"],
    ["source.options", [], "an object, got []"],
    ["settings.clusters", [0.5, 1.5], "a whole number from 1, or two of them for a range, got [0.5,1.5]"],
    ["result.plan.method", "dec", "settings.method"],
    [
      "result.plan.scaling",
      { shift: [1, 2], factor: [1] },
      "a list of 4 numbers, or of one for all",
      "result.plan.scaling.shift",
    ],
    ["source.range", [3, 1], "two numbers, the smaller first, got [3,1]"],
    ["source.features", undefined, "a list, got nothing"],
    ["source.features", [{ kind: "number", column: "a" }], "a list of 4, one for each number of a row, or of none"],
    ["source.features.1", "b", 'an object, got "b"'],
    [
      "source.features.1.kind",
      "digit",
      'one of number, boolean, date, count, element, category, other, ordered, cycle, got "digit"',
    ],
    [
      "source.features.2",
      { kind: "element", column: "v" },
      "a whole number from 0 to 2147483647, got nothing",
      "source.features.2.index",
    ],
    ["source.features.2", { kind: "category", column: "v" }, "a text, got nothing", "source.features.2.value"],
    ["source.filled", [1, 2], "a list of 4 numbers, one for each of a row, got [1,2]"],
    ["source.options", null, "an object, got null"],
    ["source.options.missing", "median", '"mean", "drop", or numbers by column, got "median"'],
    ["settings.clusters", "3", 'a whole number from 1, or two of them for a range, got "3"'],
    ["settings.seed", 0.5, "a whole number from 0, got 0.5"],
    ["settings.profile", "fast", 'one of paper, practical, got "fast"'],
    ["settings.device", "tpu", 'one of cpu, gpu, wasm, got "tpu"'],
    [
      "settings.options.hidden",
      [8, -8],
      "a number, a text, true or false, or a list of whole numbers from 1 to 2147483647, got [8,-8]",
    ],
    ["choice.tried.0.scores", 7, "an object, got 7"],
    ["choice.between", [3, 2], "two whole numbers from 1, the smaller first, got [3,2]"],
    ["status", "resting", 'one of training, done, got "resting"'],
    ["result.plan.clusters", 121, "a whole number up to source.rows, 120, got 121"],
    [
      "result.plan.options.hidden",
      [1e12],
      "a number, a text, true or false, or a list of whole numbers from 1 to 2147483647, got [1000000000000]",
    ],
    ["result.plan.scaling", { shift: [0] }, "a list of numbers, got nothing", "result.plan.scaling.factor"],
    ["result.restart", 5, "the number of one of result.restarts, got 5"],
    ["result.map.shown", 121, "a whole number up to source.rows, 120, got 121"],
    ["result.map.shown", 1.5, "a whole number from 0 to 2147483647, got 1.5"],
    ["result.map.centers", [[0, 0]], "a list of 3 places, one for each cluster, got [[0,0]]"],
    ["result.map.centers.1", [0], "two numbers, got [0]"],
    ["result.confusion.table", [[1, 2, 3]], "a list of 2, one for each class, got [[1,2,3]]"],
    ["result.confusion.table.1", [1, 2], "a list of 3 counts, one for each cluster, got [1,2]"],
    ["result.stopped", "bored", "one of all epochs done, all steps done, labels stay, the loss stays"],
    ["result.notices.0", 5, "a text, got 5"],
  ])("must have %s, not %j", async (at, value, words, place = at) => {
    await expect(described(changed(whole, at.split("."), value))).rejects.toThrow(
      new RegExp(`the run is damaged: run.json must have ${escaped(`${place}, ${words}`)}.*; fit it again, or restore`),
    );
  });

  it("is never refused in words that are not ours, whatever is wrong with whatever part of it", () => {
    let refused = 0;
    for (const at of pathsIn(whole)) {
      for (const value of [undefined, null, "word", -1, 0.5, 1e300, true, {}, [], [null], ["word"], { kind: 3 }]) {
        const problem = problemIn("run.json", runDescription, changed(whole, at, value));
        if (problem === undefined) continue;
        refused++;
        expect(problem).toMatch(/^run\.json must have [\w.]+, .+, got .+$/);
        expect(problem).not.toMatch(/Invalid|Expected|Received|undefined|what Telltale writes there/);
        expect(problem.length).toBeLessThan(300);
      }
    }
    expect(refused).toBeGreaterThan(500);
  });
});

/** Every place in an object. */
function pathsIn(value: unknown, at: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    return [[...at, key], ...pathsIn(inner, [...at, key])];
  });
}

describe("clusters.json and epochs.jsonl", () => {
  const epoch = {
    restart: 0,
    phase: "clustering",
    epoch: 1,
    epochs: 2,
    losses: { total: null },
    notices: [],
    seconds: 1,
    remaining: 0,
  };

  it("say where they are wrong", async () => {
    await described(whole);
    const { description } = await openRun(path);
    const clusters = JSON.parse(await readFile(join(path, "clusters.json"), "utf8"));
    const saying = async (wrong: unknown): Promise<string> => {
      await write("checked/clusters.json", JSON.stringify(wrong));
      return clustersIn(runFolder, description.result).then(String, (error: Error) => error.message);
    };
    expect(await saying(clusters.slice(1))).toContain("clusters.json must be a list of 3 clusters, got [{");
    expect(await saying(changed(clusters, [1, "size"], -4))).toContain(
      "clusters.json must have 1.size, a whole number from 0 to 2147483647, got -4",
    );
    expect(await saying(changed(clusters, [0, "exemplar"], [1, 2]))).toContain(
      "clusters.json must have 0.exemplar, a list of 4 numbers, or of none, got [1,2]",
    );
    expect(await saying(changed(clusters, [0, "distinguishing", 0, "feature"], 4))).toContain(
      "clusters.json must have 0.distinguishing.0.feature, a whole number from 0 to 3, got 4",
    );
    expect(await saying(changed(clusters, [2, "typical", 1, "values"]))).toContain("2.typical.1.values, a list of 4");
    await write("checked/clusters.json", JSON.stringify(clusters));
    expect(await clustersIn(runFolder, description.result)).toEqual(clusters);
  });

  it("are read line by line, a last one that was cut off aside", async () => {
    const lines = [epoch, { ...epoch, color: "red" }].map((line) => `${JSON.stringify(line)}\n`).join("");
    await write("checked/epochs.jsonl", `${lines}{"restart"`);
    expect(await epochsIn(runFolder)).toEqual([epoch, { ...epoch, color: "red" }]);
    await write("checked/epochs.jsonl", `${lines}${JSON.stringify({ ...epoch, sizes: [1, -1] })}\n`);
    await expect(epochsIn(runFolder)).rejects.toThrow(
      "the run is damaged: line 3 of epochs.jsonl must have sizes.1, a whole number from 0 to 2147483647, got -1; fit it",
    );
    await write("checked/epochs.jsonl", "");
  });
});

describe("what a stream has kept", () => {
  it("says where it is wrong, and how to begin anew", async () => {
    await described(whole);
    const rows = await write("rows.csv", "a,b,c d,größe\n1,2,3,4\n");
    const streamRows = streamRowsOn([cpu]);
    const out = join(folder, "stream.csv");
    await streamRows(path, { source: rows, format: "csv", out });
    const file = join(path, "stream/state.safetensors");
    const { tensors, metadata } = decodeSafetensors(await readFile(file));
    const saying = async (...[at, value]: [string, unknown?]): Promise<string> => {
      const state = JSON.stringify(changed(JSON.parse(metadata.state!), at.split("."), value));
      await writeFile(file, encodeSafetensors(tensors, { ...metadata, state }));
      return streamRows(path, { source: rows, format: "csv", out }).then(String, (error: Error) => error.message);
    };
    const kept = "what the stream has kept, stream/state.safetensors, cannot be read";
    expect(await saying("rows", "one")).toContain(
      `${kept} (its state must have rows, a whole number from 0, got "one"); delete it to begin anew`,
    );
    expect(await saying("batch", 1e9)).toContain("(its state must have batch, a whole number from 1 to 65536");
    expect(await saying("skipped", 5)).toContain("(its state must have skipped, a whole number up to rows, 1, got 5)");
    expect(await saying("header.names")).toContain("(its state must have header.names, a list, got nothing)");
    expect(await saying("drift.loss", "x")).toContain('(its state must have drift.loss, a number, got "x")');
    expect(await saying("drift.loss", null)).toContain("(its state must have drift.loss, a number, got null)");
    await rm(join(path, "stream"), { recursive: true });
  });
});
