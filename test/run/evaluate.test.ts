import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { encodeNpy, encodeNpyGz } from "../../src/formats/npy.ts";
import { accuracy } from "../../src/metrics/accuracy.ts";
import { metrics } from "../../src/metrics/index.ts";
import { evaluateRun } from "../../src/run/use/evaluateRun.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { parquet, write } from "../files/folder.ts";
import { classes, csvRun, labels } from "./csv.ts";

const run = await csvRun("evaluated");
const clusters = await run.labels();
/** Some are wrong, so that the scores are not all 1. */
const truth = Array.from(labels, (label, i) => (i % 10 === 0 ? (label + 1) % 3 : label));
const expected = accuracy(truth, clusters);

const idx = Uint8Array.from([0, 0, 8, 1, 0, 0, 0, truth.length, ...truth]);
const npy = (dtype: "int32" | "int64" | "uint8" | "float64", shape = [120]) =>
  encodeNpy(fromNumbers(dtype, shape, truth));
const names = truth.map((label) => classes[label]);

const files: Record<string, () => Promise<string>> = {
  "an .npy file of int64": () => write("long.npy", npy("int64")),
  "an .npy file of bytes, [n,1]": () => write("bytes.npy", npy("uint8", [120, 1])),
  "an .npy file of whole floats": () => write("floats.npy", npy("float64")),
  "an .npy.gz file": async () => write("packed.npy.gz", await encodeNpyGz(fromNumbers("int32", [120], truth))),
  IDX: () => write("train-labels-idx1-ubyte", idx),
  "IDX, packed": () => write("train-labels-idx1-ubyte.gz", gzipSync(idx)),
  "plain text": () => write("names.txt", `${names.join("\n")}\n`),
  "plain text from Windows": () => write("windows.txt", names.join("\r\n")),
  "a CSV file of one column": () => write("one.csv", `which\n${truth.join("\n")}\n`),
  "a CSV file with a telling column": () =>
    write("more.csv", `n,label\n${names.map((name, i) => `${i},${name}`).join("\n")}`),
  "JSON lines": () => write("lines.jsonl", truth.map((y, i) => JSON.stringify({ i, y })).join("\n")),
  Parquet: () =>
    parquet("labels.parquet", `select unnest([${truth}]) as target, unnest(range(${truth.length})) as other`),
};

describe("labels", () => {
  it.each(Object.entries(files))("come from %s", async (_, file) => {
    const scores = await evaluateRun(run, { file: await file() });
    expect(scores.acc).toBe(expected);
    expect(scores.nmi).toBe(metrics.nmi.score(truth, clusters));
    expect(Object.keys(scores)).toEqual(["acc", ...Object.keys(metrics).slice(1)]);
    for (const score of Object.values(scores)) expect(score).toBeGreaterThanOrEqual(0);
    for (const score of Object.values(scores)) expect(score).toBeLessThanOrEqual(1);
  });

  it("are matched by the ids that both have, whatever their order and however many rows there are beside", async () => {
    const lines = names.map((name, i) => `p${i},${name}`).reverse();
    const file = await write("by-id.csv", `sku,kind\nelsewhere,north\n${lines.join("\n")}\n`);
    expect((await evaluateRun(run, { file, column: "kind" })).acc).toBe(expected);
    const few = await write("few-ids.csv", `sku,kind\n${lines.slice(1).join("\n")}\n`);
    await expect(evaluateRun(run, { file: few })).rejects.toThrow(
      /few-ids.csv, matched by id: every row must have a label, 1 have none, the first is row 119/,
    );
    const strange = await write("strange.csv", "sku,kind\nq1,north\n");
    await expect(evaluateRun(run, { file: strange })).rejects.toThrow(/no row has an id that is in its column sku/);
  });

  it("are matched by order where an id is there twice", async () => {
    const file = await write("twice.csv", `sku,kind\n${names.map((name) => `p0,${name}`).join("\n")}\n`);
    expect((await evaluateRun(run, { file, column: "kind" })).acc).toBe(expected);
  });

  it("come from a column that is named", async () => {
    const file = await write("two.csv", `a,b\n${truth.map((label) => `${label},${(label * 7) % 2}`).join("\n")}\n`);
    expect((await evaluateRun(run, { file, column: "a" })).acc).toBe(expected);
  });

  it("come with the run's own rows", async () => {
    expect((await evaluateRun(run)).acc).toBe(accuracy(labels, clusters));
    expect((await evaluateRun(run, { column: "sku" })).homogeneity).toBeLessThan(1);
  });
});

const wrong: Record<string, [file: () => Promise<string>, message: RegExp]> = {
  "too few": [
    () => write("few.txt", "a\nb\n"),
    /there must be one label for each of the 120 rows of evaluated, got 2$/,
  ],
  "a first line that looks like a name": [
    () => write("header.csv", `${names.join("\n")}\n`),
    /got 119; if its first line is a label and no name, call the file .txt$/,
  ],
  "a missing one": [
    () => write("gap.txt", names.map((name, i) => (i === 7 ? "" : name)).join("\n")),
    /every row must have a label, 1 have none, the first is row 7$/,
  ],
  "parts of numbers": [
    () => write("half.npy", encodeNpy(fromNumbers("float64", [2], [1, 0.5]))),
    /labels must be whole numbers, got 0.5 in row 1$/,
  ],
  "a table of numbers": [
    () => write("table.npy", encodeNpy(fromNumbers("int32", [2, 2], [1, 2, 3, 4]))),
    /labels must be an array of shape \[n\] or \[n,1\], got \[2,2\]$/,
  ],
  "columns without a telling name": [
    () => write("which.csv", "a,b\n1,2\n"),
    /which column holds the labels\? it has a, b; name it: --column NAME, or .*which\.csv:NAME where it teaches$/,
  ],
  "an empty file": [() => write("empty.txt", ""), /the file is empty$/],
  "something else": [() => write("photo.png", new Uint8Array([137, 80, 78, 71])), /is a picture, and no table/],
  "no file": [async () => "/nowhere/labels.npy", /^\/nowhere\/labels.npy: there is no such file$/],
};

describe("wrong labels are refused in one line", () => {
  it.each(Object.entries(wrong))("%s", async (_, [file, message]) => {
    const error = await evaluateRun(run, { file: await file() }).catch((error: Error) => error.message);
    expect(error).toMatch(message);
    expect(error).not.toContain("\n");
  });

  it("an unknown column", async () => {
    const file = await write("columns.csv", "a,b\n1,2\n");
    await expect(evaluateRun(run, { file, column: "c" })).rejects.toThrow(
      'the column of labels must be one of its columns, got "c"; it has a, b',
    );
  });
});
