/** Labels that do not belong to a run, and runs that are none. */

import { gzipSync } from "node:zlib";
import { encodeNpy } from "../../../src/formats/npy.ts";
import { Random } from "../../../src/tensor/random.ts";
import { type DType, fromNumbers } from "../../../src/tensor/tensor.ts";
import { type Files, failing, type Malformed, someBytes } from "./input.ts";

/** A run in the folder `run`, some of its files changed or gone. */
export function runFiles(run: Files, changes: Readonly<Record<string, string | Uint8Array | undefined>> = {}): Files {
  const files = Object.entries({ ...run, ...changes }).filter(([, content]) => content !== undefined);
  return Object.fromEntries(files.map(([name, content]) => [`run/${name}`, content!]));
}

/** The words by which a run is used, each writing to `@/out` if anything. */
export const uses: readonly (readonly string[])[] = [
  ["assign", "@/run", "@/rows.csv", "--out", "@/out"],
  ["explain", "@/run", "@/rows.csv", "--row", "3"],
  ["eval", "@/run", "--labels", "@/labels.txt"],
  ["export", "@/run", "--target", "onnx", "--out", "@/out"],
  ["compare", "@/run", "@/run", "--source", "@/rows.csv"],
  ["report", "@/run"],
];

export function malformedLabels(run: Files, n: number): Malformed[] {
  const labels = (what: string, name: string, content: string | Uint8Array, ...options: string[]): Malformed =>
    failing(what, { ...runFiles(run), [name]: content }, "eval", "@/run", "--labels", `@/${name}`, ...options);
  const array = (shape: readonly number[], value: (i: number) => number, type: DType = "float64"): Uint8Array =>
    encodeNpy(
      fromNumbers(
        type,
        shape,
        Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => value(i)),
      ),
    );
  const lines = (count: number, line: (i: number) => string = String): string =>
    Array.from({ length: count }, (_, i) => `${line(i % 3)}\n`).join("");
  const good = array([n], (i) => i % 3, "int32");
  return [
    labels("no labels", "y.txt", ""),
    labels("a line break for labels", "y.txt", "\n"),
    labels("too few labels", "y.txt", lines(n - 1)),
    labels("too many labels", "y.txt", lines(n + 1)),
    labels(
      "one label is missing",
      "y.txt",
      lines(n, (i) => (i === 1 ? "" : "a")),
    ),
    labels(
      "too few in an array",
      "y.npy",
      array([n - 1], (i) => i % 3, "int32"),
    ),
    labels(
      "an array of two columns",
      "y.npy",
      array([n, 2], (i) => i % 3, "int32"),
    ),
    labels(
      "an array of one number",
      "y.npy",
      array([], () => 1, "int32"),
    ),
    labels(
      "an array of nothing",
      "y.npy",
      array([0], () => 1, "int32"),
    ),
    labels(
      "halves",
      "y.npy",
      array([n], (i) => i / 2),
    ),
    labels(
      "NaN",
      "y.npy",
      array([n], (i) => (i === 5 ? Number.NaN : 1)),
    ),
    labels(
      "infinity",
      "y.npy",
      array([n], (i) => (i === 5 ? Number.POSITIVE_INFINITY : 1)),
    ),
    labels(
      "negative halves",
      "y.npy",
      array([n], () => -0.5),
    ),
    labels("an array that is cut", "y.npy", good.slice(0, good.length - 2)),
    labels("an array of junk", "y.npy", someBytes(200, Random.seeded(1))),
    labels("a packed array that is cut", "y.npy.gz", gzipSync(good).subarray(0, 40)),
    labels("several arrays", "y.npz", "PK\x03\x04 and so on"),
    labels("an IDX of images", "y.idx", Uint8Array.of(0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 5, 6)),
    labels("an IDX that is cut", "y.idx", Uint8Array.of(0, 0, 8, 1, 0, 0, 0, n, 1, 2)),
    labels("two columns", "y.csv", `a,b\n${lines(n, (i) => `${i},${i}`)}`),
    labels("a column that is not there", "y.csv", `a,b\n${lines(n, (i) => `${i},${i}`)}`, "--column", "c"),
    labels("an empty cell", "y.csv", `a,label\n${lines(n, (i) => `1,${i || ""}`)}`),
    labels("a ragged table", "y.csv", `a,label\n${lines(n, (i) => (i === 2 ? "1" : "1,2"))}`),
    labels("an open quote", "y.csv", `label\n"${lines(n)}`),
    labels("names alone", "y.csv", "a,label\n"),
    labels(
      "lines that are no JSON",
      "y.jsonl",
      lines(n, (i) => `{"label":${i}`),
    ),
    labels("a Parquet file that is none", "y.parquet", "PAR1 and PAR1"),
    labels("a picture", "y.png", Uint8Array.of(137, 80, 78, 71)),
    failing("labels that are not there", runFiles(run), "eval", "@/run", "--labels", "@/none.npy"),
    failing("a folder of labels", runFiles(run), "eval", "@/run", "--labels", "@/run"),
    failing("a label column that is not there", runFiles(run), "eval", "@/run", "--column", "none"),
  ];
}

type Json = Record<string, unknown>;

/** A copy of an object without what is at a path, or with something else there. */
function without(object: Json, path: string, value?: unknown): Json {
  const copy = structuredClone(object);
  const names = path.split(".");
  const inner = names.slice(0, -1).reduce((from, name) => from[name] as Json, copy);
  if (value === undefined) delete inner[names.at(-1)!];
  else inner[names.at(-1)!] = value;
  return copy;
}

export function malformedRuns(run: Files, around: Files): Malformed[] {
  const damaged = (what: string, changes: Parameters<typeof runFiles>[1], use: number): Malformed =>
    failing(what, { ...runFiles(run, changes), ...around }, ...uses[use]!);
  const description = JSON.parse(Buffer.from(run["run.json"]!).toString()) as Json;
  const text = Buffer.from(run["run.json"]!).toString();
  const weights = run["weights.safetensors"] as Uint8Array;
  const described = (what: string, path: string, value?: unknown, use = 0): Malformed =>
    damaged(what, { "run.json": JSON.stringify(without(description, path, value)) }, use);
  const everyUse = uses.map((_, use) => use);
  return [
    ...everyUse.map((use) => damaged(`no run.json (${uses[use]![0]})`, { "run.json": undefined }, use)),
    ...everyUse.map((use) => damaged(`half a run.json (${uses[use]![0]})`, { "run.json": text.slice(0, 300) }, use)),
    damaged("an empty run.json", { "run.json": "" }, 0),
    damaged("run.json of junk", { "run.json": someBytes(300, Random.seeded(1)) }, 0),
    damaged("run.json of null", { "run.json": "null" }, 1),
    damaged("run.json of a list", { "run.json": "[]" }, 2),
    described("another format", "format", "something else"),
    described("a newer format", "version", 99),
    described("a version that is none", "version", "one"),
    described("a training that has not ended", "status", "training"),
    described("no result", "result"),
    ...[
      "source",
      "settings",
      "result.plan",
      "result.plan.method",
      "result.plan.options",
      "result.plan.row",
      "result.plan.clusters",
    ].flatMap((path) => [
      described(`no ${path}`, path),
      described(`a word for ${path}`, path, "word"),
      described(`null for ${path}`, path, null),
    ]),
    described("an unknown method", "result.plan.method", "tel"),
    described("more clusters than centers", "result.plan.clusters", 7),
    described("rows of another width", "result.plan.row", [9]),
    described("no source.row", "source.row"),
    described("no source.features", "source.features"),
    described("names for features", "source.features", ["e", "f", "g", "h"]),
    described(
      "other columns",
      "source.features",
      ["e", "f", "g", "h"].map((column) => ({ kind: "number", column })),
    ),
    described("features of another kind", "source.features.0.kind", "vector"),
    described("an older run without names", "version", 1),
    described("more rows on the map than there are", "result.map", { centers: [], shown: 1e12 }, 5),
    described("a restart that is none", "result.restart", 9, 5),
    described("a seed that is none", "settings.seed", -1),
    damaged("no weights", { "weights.safetensors": undefined }, 0),
    damaged("empty weights", { "weights.safetensors": "" }, 1),
    damaged("half the weights", { "weights.safetensors": weights.slice(0, weights.length / 2) }, 2),
    damaged("weights without their last byte", { "weights.safetensors": weights.slice(0, -1) }, 3),
    damaged("weights of junk", { "weights.safetensors": someBytes(500, Random.seeded(2)) }, 4),
    damaged("weights of nothing", { "weights.safetensors": Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x7d) }, 0),
    damaged("weights without labels", { "weights.safetensors": Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x7d) }, 2),
    damaged("no epochs", { "epochs.jsonl": undefined }, 0),
    damaged("epochs of junk", { "epochs.jsonl": "hello\n" }, 5),
    damaged("no clusters.json", { "clusters.json": undefined }, 0),
    damaged("no clusters.json for a report", { "clusters.json": undefined }, 5),
    damaged("half a clusters.json", { "clusters.json": (run["clusters.json"] as Uint8Array).slice(0, 50) }, 1),
    damaged("clusters.json of an object", { "clusters.json": "{}" }, 0),
    damaged("clusters.json of nulls", { "clusters.json": "[null,null,null]" }, 5),
    damaged("no clusters in clusters.json", { "clusters.json": "[]" }, 1),
    failing(
      "assignments of junk",
      { ...runFiles(run, { "assignments.parquet": "junk" }), ...around },
      "export",
      "@/run",
      "--target",
      "csv",
      "--out",
      "@/out.csv",
    ),
    failing(
      "no assignments",
      { ...runFiles(run, { "assignments.parquet": undefined }), ...around },
      "export",
      "@/run",
      "--target",
      "parquet",
      "--out",
      "@/out.parquet",
    ),
    failing(
      "model.onnx of junk",
      { ...runFiles(run, { "model.onnx": "junk", "weights.safetensors": "junk" }), ...around },
      "export",
      "@/run",
      "--target",
      "sql",
      "--out",
      "@/out.sql",
    ),
    failing("no folder", around, "assign", "@/none", "@/rows.csv", "--out", "@/out"),
    failing("an empty folder", { ...around, "run/.keep": "" }, "assign", "@/run", "@/rows.csv", "--out", "@/out"),
    failing("a file for a run", around, "assign", "@/rows.csv", "@/rows.csv", "--out", "@/out"),
    failing("a file for a run to go on with", around, "fit", "--resume", "@/rows.csv"),
    failing("a run to go on with that is damaged", runFiles(run, { "run.json": "{" }), "fit", "--resume", "@/run"),
    failing("a stream into no run", around, "stream", "@/none", "@/rows.csv", "--out", "@/out"),
    failing(
      "a stream into a damaged run",
      { ...around, ...runFiles(run, { "weights.safetensors": "x" }) },
      "stream",
      "@/run",
      "@/rows.csv",
      "--out",
      "@/out",
    ),
  ];
}
