/**
 * A clustering corrected by a person: what the edits make of the model, how they are taken back, and what they are
 * not.
 */

import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { curateOn } from "../../src/run/curation/curate.ts";
import { exportRun } from "../../src/run/export/exportRun.ts";
import { save } from "../../src/run/folder/saveModel.ts";
import { streamRowsOn } from "../../src/run/stream/streamRows.ts";
import { assignFile } from "../../src/run/use/assignFile.ts";
import { reportRun } from "../../src/run/use/reportRun.ts";
import { cpu } from "../../src/runtime/native.ts";
import { folder } from "../files/folder.ts";
import { queried } from "../support/queried.ts";
import { csvFile, csvRun, openRun, rows } from "./csv.ts";
import { asCsv, inPieces, someRows } from "./rows.ts";

const curate = curateOn([cpu]);
const { runtime } = await cpu.find();
let count = 0;

/** A copy of a fit, for each test its own. */
async function copyOf(method: "kmeans" | "tell" | "telltale"): Promise<string> {
  const path = join(folder, `copy-${++count}`);
  await cp(join(folder, method), path, { recursive: true });
  return path;
}

beforeAll(async () => {
  for (const method of ["kmeans", "tell", "telltale"]) await csvRun(method, { method });
});

async function onnx(file: string): Promise<Record<string, number[]>> {
  const session = await runtime.InferenceSession.create(await readFile(file));
  const results = await session.run({ x: new runtime.Tensor("float32", rows.data, rows.shape) });
  return Object.fromEntries(
    Object.entries(results).map(([name, { data }]) => [name, Array.from(data as Float32Array, Number)]),
  );
}

/** The files of a folder and their bytes. */
async function contents(path: string): Promise<Record<string, string>> {
  const found = await readdir(path, { withFileTypes: true });
  const names = found.filter((entry) => entry.isFile()).map(({ name }) => name);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(path, name), "latin1")])),
  );
}

/** What a curated model is. */
async function modelIn(path: string): Promise<Record<string, string>> {
  const files = await contents(join(path, "curated"));
  return Object.fromEntries(Object.entries(files).filter(([name]) => /onnx|safetensors/.test(name)));
}

describe("a merged cluster", () => {
  it("has the smallest distance, the sum of the probabilities, and the nearest member's reasons, exactly", async () => {
    const path = await copyOf("tell");
    const before = await (await openRun(path)).model();
    const was = await before.assign(rows);
    const curation = await curate(path, { who: "Ada" });
    const { asked, others, entry } = await curation.merge([2, 0], { name: "both" });
    const sizes = [0, 1, 2].map((cluster) => was.labels.filter((label) => label === cluster).length);
    expect({ asked, others, who: entry.who }).toEqual({ asked: sizes[0]! + sizes[2]!, others: 0, who: "Ada" });
    expect(curation.clusters()).toEqual([
      { cluster: 0, name: "both", size: sizes[0]! + sizes[2]!, centers: 2 },
      { cluster: 1, name: (await (await openRun(path, { original: true })).names())[1], size: sizes[1], centers: 1 },
    ]);
    await curation.close();

    const run = await openRun(path);
    const model = await run.model();
    const now = await model.assign(rows);
    const exemplars = await before.exemplars();
    for (const [i, label] of now.labels.entries()) {
      const [a, b, c] = was.distances.data.subarray(3 * i, 3 * i + 3) as unknown as [number, number, number];
      const [p, q, r] = was.probabilities.data.subarray(3 * i, 3 * i + 3) as unknown as [number, number, number];
      expect(label).toBe(was.labels[i] === 1 ? 1 : 0);
      expect([...now.distances.data.subarray(2 * i, 2 * i + 2)]).toEqual([Math.min(a, c), b]);
      expect(now.probabilities.data[2 * i]).toBeCloseTo(p + r, 6);
      expect(now.probabilities.data[2 * i + 1]).toBeCloseTo(q, 6);
    }
    for (const i of [0, 1, 2, 40]) {
      const row = rows.data.slice(4 * i, 4 * i + 4);
      const { why, placement } = await model.explain(row);
      const [a, , c] = was.distances.data.subarray(3 * i, 3 * i + 3) as unknown as [number, number, number];
      const nearest = a < c ? 0 : 2;
      const [own, other] = was.labels[i] === 1 ? [1, nearest] : [nearest, 1];
      const original = (await before.explain(row, { against: other })).why!;
      expect(original.own).toBe(own);
      expect(why!.margin).toBe(original.margin);
      expect(placement.margin).toBeCloseTo(why!.margin, 6);
      expect(why!.latent).toEqual(original.latent);
      expect(why!.input.parts).toEqual(original.input.parts);
      expect(why!.latent.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(why!.margin, 4);
      expect(why!.input.exemplar).toEqual([...exemplars!.data.subarray(4 * other, 4 * other + 4)]);
    }
    // The first that was named leads.
    expect((await run.clusters())[0]!.exemplar).toEqual(
      [...exemplars!.data.subarray(8, 12)].map((value) => Number(value.toPrecision(7))),
    );
    await before.close();
    await model.close();
  });

  it("is in the ONNX file as anybody's runtime reads it: the same labels, distances and probabilities", async () => {
    const path = await copyOf("tell");
    const curation = await curate(path);
    await curation.merge([0, 2]);
    await curation.close();
    const model = await (await openRun(path)).model();
    const { labels, distances, probabilities, codes } = await model.assign(rows);
    const found = await onnx(join(path, "curated", "model.onnx"));
    expect(Object.keys(found).sort()).toEqual(["distances", "label", "probabilities", "z"]);
    expect(found.label).toEqual([...labels]);
    const far = (a: readonly number[], b: ArrayLike<number>) => Math.max(...a.map((v, i) => Math.abs(v - b[i]!)));
    expect(far(found.distances!, distances.data)).toBeLessThan(1e-6);
    expect(far(found.probabilities!, probabilities.data)).toBeLessThan(1e-6);
    expect(far(found.z!, codes.data)).toBeLessThan(1e-6);
    await model.close();
  });
});

describe("an edit", () => {
  it("leaves the fit as it is, and can be taken back and made again, byte for byte", async () => {
    const path = await copyOf("telltale");
    const { "run.json": _, ...fit } = await contents(path);
    const curation = await curate(path);
    const states: Record<string, string>[] = [];
    await curation.rename(1, "=cmd|' /C calc'!A0 <b>");
    states.push(await modelIn(path));
    await curation.merge([0, 1]);
    states.push(await modelIn(path));
    await curation.split(0, { into: 2, teacher: "kmeans", names: ["one", "other"], confirm: true });
    states.push(await modelIn(path));
    await curation.move([0, 3, 6], 1, { confirm: true });
    states.push(await modelIn(path));
    const { "run.json": __, "curation.jsonl": ___, ...now } = await contents(path);
    expect(now).toEqual(fit);

    for (const state of [2, 1, 0]) {
      await curation.undo();
      expect(await modelIn(path)).toEqual(states[state]);
    }
    await curation.undo();
    expect(await readdir(path)).not.toContain("curated");
    await expect(curation.undo()).rejects.toThrow("there is no edit to take back");
    for (const state of states) {
      await curation.redo();
      expect(await modelIn(path)).toEqual(state);
    }
    await expect(curation.redo()).rejects.toThrow("no edit was taken back");
    expect(curation.history().map(({ state }) => state)).toEqual(["holds", "holds", "holds", "holds"]);
    await curation.close();

    // What was learned is kept; without it, it is learned again to the same bits.
    await rm(join(path, "curation"), { recursive: true });
    const again = await curate(path);
    await again.undo();
    expect(await modelIn(path)).toEqual(states[2]);
    await again.redo();
    expect(await modelIn(path)).toEqual(states[3]);
    await again.close();
  });

  it("says how many other rows it would change, and is not made unasked where they are many", async () => {
    const path = await copyOf("kmeans");
    const curation = await curate(path);
    const edit = { kind: "gather", rows: [0, 3, 6], name: "mixed" } as const;
    const preview = await curation.preview(edit);
    expect(preview.others).toBeGreaterThan(0);
    expect(preview).toMatchObject({ rows: 120, asked: 3, needsConfirmation: true });
    expect(preview.share).toBe(preview.others / 120);
    await expect(curation.edit(edit)).rejects.toThrow(`${preview.others} other rows would be in another cluster`);
    expect(await readdir(path)).not.toContain("curation.jsonl");
    const labels = await (await openRun(path)).labels();
    const { entry } = await curation.edit(edit, { confirm: true });
    expect(entry.number).toBe(1);
    const now = await (await openRun(path)).labels();
    const others = now.filter((label, row) => ![0, 3, 6].includes(row) && label !== labels[row]).length;
    expect(others).toBe(preview.others);
    await curation.close();
  });

  it.each(["kmeans", "tell", "telltale"] as const)(
    "splits a cluster of %s in two, and others keep their rows",
    async (method) => {
      const path = await copyOf(method);
      const before = await (await openRun(path)).labels();
      const curation = await curate(path);
      const { others, asked } = await curation.split(1, { confirm: true });
      expect({ others, asked }).toEqual({ others: 0, asked: before.filter((label) => label === 1).length });
      expect(curation.clusters().map(({ size }) => size > 0)).toEqual([true, true, true, true]);
      const run = await openRun(path);
      const model = await run.model();
      expect([...(await model.predict(rows))]).toEqual([...(await run.labels())]);
      expect((await onnx(join(path, "curated", "model.onnx"))).label).toEqual([...(await run.labels())]);
      before.forEach((label, row) => {
        expect(label === 1 ? [1, 3] : [label]).toContain(model.labels[row]);
      });
      await model.close();
      await curation.close();
    },
  );

  it.each([
    ["teaches the student moved rows from its saved weights", "telltale", 1],
    ["puts a center of their own where there is no network to teach", "kmeans", 2],
  ] as const)("%s (%s)", async (_, method, centers) => {
    const path = await copyOf(method);
    const before = await (await openRun(path)).labels();
    const to = (before[0]! + 1) % 3;
    const curation = await curate(path);
    // Those of a cluster with the largest first number.
    const own = [...before.keys()].filter((row) => before[row] === before[0]);
    const moved = own.sort((a, b) => rows.data[4 * b]! - rows.data[4 * a]!).slice(0, 10);
    const { followed, asked } = await curation.move(moved, to, { confirm: true });
    expect(asked).toBe(10);
    expect(followed).toBeGreaterThan(4);
    expect(curation.clusters()[to]!.centers).toBe(centers);
    const labels = await (await openRun(path)).labels();
    expect(moved.filter((row) => labels[row] === to)).toHaveLength(followed);
    await curation.close();
  });

  it("marks rows, and the model stays as it is", async () => {
    const path = await copyOf("kmeans");
    const curation = await curate(path);
    await curation.mark([3, 5], "odd");
    await curation.mark([5], "");
    expect([...curation.marks()]).toEqual([[3, "odd"]]);
    await curation.close();
    expect((await onnx(join(path, "curated", "model.onnx"))).label).toEqual(
      (await onnx(join(path, "model.onnx"))).label,
    );
    const opened = await curate(path);
    await opened.close();
    expect([...opened.marks()]).toEqual([[3, "odd"]]);
  });

  it.each([
    [{ kind: "rename", cluster: 3, name: "x" }, "a cluster must be a whole number from 0 to 2, got 3"],
    [{ kind: "rename", cluster: 0, name: " " }, "name, a text of 1 to 200 characters"],
    [{ kind: "merge", clusters: [1, 1] }, "two different clusters or more"],
    [{ kind: "split", cluster: 0, into: 1, teacher: "ward" }, "into, a whole number from 2 to 100"],
    [{ kind: "split", cluster: 0, into: 2, teacher: "density" }, "the teacher of a split must be one of kmeans"],
    [{ kind: "split", cluster: 0, into: 90, teacher: "ward" }, "cannot be split into 90"],
    [{ kind: "move", rows: [120], to: 0 }, "there is no row 120"],
    [{ kind: "move", rows: [], to: 0 }, "at least one"],
    [{ kind: "undo" }, "an edit is one of rename, merge, split, move, gather, mark, got"],
  ])("is refused in a sentence where it cannot be: %j", async (edit, sentence) => {
    const path = await copyOf("kmeans");
    const curation = await curate(path);
    await expect(curation.edit(edit as never)).rejects.toThrow(sentence);
    expect(await readdir(path)).not.toContain("curation.jsonl");
    await curation.close();
  });
});

describe("without the rows", () => {
  it("names change, and whatever needs them waits and is done once they are there", async () => {
    const path = await copyOf("kmeans");
    const source = (await openRun(path)).description.source.path!;
    await rename(source, `${source}.away`);
    const curation = await curate(path);
    expect((await curation.rename(0, "first")).waits).toBeUndefined();
    const merged = await curation.merge([0, 1]);
    expect(merged.waits).toContain("cannot be opened");
    expect(merged.entry.waits).toBe(true);
    expect((await curation.rename(1, "second")).waits).toContain("cannot be opened");
    expect(curation.history().map(({ state }) => state)).toEqual(["holds", "waits", "waits"]);
    expect(await (await openRun(path)).names()).toHaveLength(3);
    expect((await curation.apply()).waits).toBeDefined();
    await curation.close();
    await rename(`${source}.away`, source);
    const again = await curate(path);
    expect((await again.apply()).clusters.map(({ name }) => name)).toEqual(["first", "second"]);
    expect(again.history().map(({ state }) => state)).toEqual(["holds", "holds", "holds"]);
    await again.close();
    expect(await (await openRun(path)).names()).toEqual(["first", "second"]);
  });

  it("a model that was saved without any is renamed and merged", async () => {
    const model = await (await openRun(join(folder, "tell"))).model();
    const path = join(folder, "saved");
    await save(model, path);
    const labels = [...model.labels];
    await model.close();
    const curation = await curate(path);
    await curation.rename(2, "left");
    await curation.merge([0, 1], { name: "right" });
    expect((await curation.split(0)).waits).toContain("its rows came from memory");
    await curation.close();
    const run = await openRun(path);
    expect(await run.names()).toEqual(["right", "left"]);
    expect([...(await run.labels())]).toEqual(labels.map((label) => (label === 2 ? 1 : 0)));
    expect((await onnx(join(path, "curated", "model.onnx"))).label).toEqual([...(await run.labels())]);
  });
});

describe("a curated run is used", () => {
  it("by assign, report and every export, unless the original is asked for", async () => {
    const path = await copyOf("tell");
    const curation = await curate(path, { who: "<i>Ada</i>" });
    await curation.merge([1, 2], { name: "both & more" });
    await curation.close();
    const [run, original] = [await openRun(path), await openRun(path, { original: true })];
    const labels = [...(await run.labels())];
    expect(new Set(labels)).toEqual(new Set([0, 1]));

    const out = (name: string): string => join(folder, "out", `${count}-${name}`);
    await assignFile(run, await csvFile(), { format: "csv", out: out("new.csv") });
    expect((await queried(`select cluster from '${out("new.csv")}'`)).map(([c]) => Number(c))).toEqual(labels);
    await exportRun(run, { target: "onnx", out: out("model.onnx") });
    expect((await onnx(out("model.onnx"))).label).toEqual(labels);
    expect(await readFile(out("model.onnx"))).toEqual(await readFile(join(path, "curated", "model.onnx")));
    await exportRun(original, { target: "onnx", out: out("original.onnx") });
    expect(await readFile(out("original.onnx"))).toEqual(await readFile(join(path, "model.onnx")));
    await exportRun(run, { target: "csv", out: out("rows.csv") });
    const named = await queried(`select cluster, cluster_name from '${out("rows.csv")}'`);
    expect(named.map(([cluster]) => Number(cluster))).toEqual(labels);
    expect(new Set(named.map(([, name]) => name))).toContain("both & more");
    const { text } = await exportRun(run, { target: "sql", out: out("run.sql") });
    expect(text).toContain("probabilities and distances [n, 2]");
    expect((await onnx(out("run.onnx"))).label).toEqual(labels);

    const report = await readFile(await reportRun(run), "utf8");
    expect(report).toContain("These clusters are curated: 1 change since the fit");
    expect(report).toContain("clusters 1 and 2 are one, “both &amp; more”");
    expect(report).toContain("&lt;i&gt;Ada&lt;/i&gt;");
    expect(await readFile(await reportRun(original), "utf8")).not.toContain("curated");
  });

  it("by a stream: its centers follow, each for itself, the fit stays, and undo takes that back", async () => {
    const path = await copyOf("tell");
    const { "weights.safetensors": fit } = await contents(path);
    const curation = await curate(path);
    await curation.merge([0, 2]);
    await curation.close();
    const before = await modelIn(path);
    const streamed = someRows(100);
    const stream = streamRowsOn([cpu]);
    const input = asCsv(streamed).replace("name,", "sku,").replace('"name"', '"sku"');
    const options = { format: "csv" as const, batch: 16, out: join(folder, `stream-${count}.csv`) };
    const done = await stream(path, { ...options, input: inPieces(input, 1) });
    expect(done).toMatchObject({ rows: 100, finished: true });
    const written = await queried(`select distinct cluster from '${options.out}' order by 1`);
    expect(written.map(([cluster]) => Number(cluster))).toEqual([0, 1]);
    expect((await contents(path))["weights.safetensors"]).toBe(fit);
    const followed = await modelIn(path);
    const run = await openRun(path);
    const model = await run.model();
    const [now, then] = [await model.centers(), await (await run.original().model()).centers()];
    const moved = [0, 1, 2].map((c) => [0, 1, 2].some((i) => now.data[3 * c + i] !== then.data[3 * c + i]));
    expect(moved).toEqual([true, true, true]);
    expect((await onnx(join(path, "curated", "model.onnx"))).label).toEqual([...(await model.predict(rows))]);
    await model.close();

    const again = await curate(path);
    expect(again.history().at(-1)!.words).toBe("the centers have followed 100 rows of a stream");
    await again.undo();
    expect(await modelIn(path)).toEqual(before);
    await again.redo();
    expect(await modelIn(path)).toEqual(followed);
    await again.close();
  });
});

describe("a stranger's folder", () => {
  let made: Promise<string> | undefined;
  async function madeOnce(): Promise<string> {
    const path = await copyOf("kmeans");
    const curation = await curate(path, { who: "Ada" });
    await curation.rename(0, "first");
    await curation.merge([1, 2], { name: "rest" });
    await curation.close();
    return path;
  }
  async function curated(): Promise<string> {
    made ??= madeOnce();
    const path = join(folder, `copy-${++count}`);
    await cp(await made, path, { recursive: true });
    return path;
  }

  it("may end in a line that was cut off, which is none", async () => {
    const path = await curated();
    const log = await readFile(join(path, "curation.jsonl"), "utf8");
    await writeFile(join(path, "curation.jsonl"), `${log}{"number":3,"at":"2026-`);
    expect(await (await openRun(path)).names()).toEqual(["first", "rest"]);
    const curation = await curate(path);
    await curation.rename(0, "again");
    expect(curation.log()).toHaveLength(3);
    await curation.close();
    expect(await (await openRun(path)).names()).toEqual(["again", "rest"]);
  });

  const changed: readonly [string, (log: string) => string, string][] = [
    ["a line that is no JSON", (log) => log.replace('"who"', "who"), "curation.jsonl is damaged: line 2 is no JSON"],
    [
      "a line of another kind",
      (log) => log.replace('"rename"', '"delete"'),
      "line 2 must have edit.kind, one of rename",
    ],
    ["a line twice", (log) => log.replace(/(\{"number":2.*\n)/, "$1$1"), "line 4 must have number, 3, got 2"],
    ["a name that is none", (log) => log.replace('"first"', '["first"]'), "line 2 must have edit.name, a text"],
    ["an undo of nothing", (log) => `${log.split("\n")[0]}\n${undo}\n`, "line 2 has nothing to undo"],
    ["another fit", (log) => log.replace(/"fit":"../, '"fit":"00'), "belongs to another fit"],
    ["another name", (log) => log.replace("first", "fist"), "curated/ was not made of what curation.jsonl says"],
    ["nothing", () => "", "line 1 has no first line"],
  ];
  const undo = '{"number":1,"at":"2026-01-01T00:00:00.000Z","who":"x","edit":{"kind":"undo"}}';

  it.each(changed)(
    "is refused in a sentence where its log has %s, and opens as it was fitted",
    async (_, change, sentence) => {
      const path = await curated();
      const log = await readFile(join(path, "curation.jsonl"), "utf8");
      await writeFile(join(path, "curation.jsonl"), change(log));
      const error = await openRun(path).then(
        () => "opened",
        ({ message }: Error) => message,
      );
      expect(error).toContain(sentence);
      expect(error).toContain("--original");
      expect(error).not.toContain("\n");
      expect(await (await openRun(path, { original: true })).names()).toHaveLength(3);
    },
  );

  it("has weights of its own model, and is refused with another's", async () => {
    const path = await curated();
    const name = "weights.safetensors";
    await writeFile(join(path, "curated", name), await readFile(join(folder, "tell", name)));
    await expect((await openRun(path)).model()).rejects.toThrow(/the run is damaged: curated\/weights\.safetensors/);
  });

  it("has a curated.json that is checked as run.json is", async () => {
    const path = await curated();
    const file = join(path, "curated", "curated.json");
    const said = await readFile(file, "utf8");
    await writeFile(file, said.replace(/"members": \[/, '"members": [[9],'));
    await expect(openRun(path)).rejects.toThrow(
      "the run is damaged: curated/curated.json must have result.plan.members, lists that have each center",
    );
  });

  it("is one run, curated files and all: --force replaces it, and what is somebody's own in it is named", async () => {
    const path = await curated();
    const { sortedFiles } = await import("../../src/run/folder/runFiles.ts");
    const { changed, others, isRun } = await sortedFiles(path);
    expect({ changed, others, isRun }).toEqual({ changed: ["assignments.parquet"], others: [], isRun: true });
    await writeFile(join(path, "curated", "clusters.json"), "[]");
    expect((await sortedFiles(path)).changed).toContain("curated/clusters.json");
    await writeFile(join(path, "curated", "notes.txt"), "mine");
    const curation = await curate(path);
    await expect(curation.undo()).rejects.toThrow("curated/clusters.json is not as the run has written it");
    await rm(join(path, "curated", "clusters.json"));
    await curation.undo();
    await curation.redo();
    await curation.close();
    expect(await readFile(join(path, "curated", "notes.txt"), "utf8")).toBe("mine");
    expect((await sortedFiles(path)).others).toEqual(["curated/notes.txt"]);
  });

  it.each(["curated.next", "curated.old"])(
    "never removes what lies in %s under the name of a file of ours",
    async (name) => {
      const path = await curated();
      await mkdir(join(path, name), { recursive: true });
      await writeFile(join(path, name, "weights.safetensors"), "mine");
      await writeFile(join(path, name, "notes.txt"), "mine");
      const curation = await curate(path);
      await expect(curation.rename(0, "other")).rejects.toThrow(
        `${name}/weights.safetensors is not as the run has written it`,
      );
      expect(await readFile(join(path, name, "weights.safetensors"), "utf8")).toBe("mine");
      await rm(join(path, name, "weights.safetensors"));
      await curation.rename(0, "other");
      await curation.close();
      expect(await readFile(join(path, "curated", "notes.txt"), "utf8")).toBe("mine");
    },
  );
});
