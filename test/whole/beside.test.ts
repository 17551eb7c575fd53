/** Columns that no cluster was made of describe and name clusters, in everything that a run says. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Beside, ClusterSummary, FileFitOptions, Run } from "../../src/doors/inside.ts";
import { encodePng } from "../../src/formats/png.ts";
import { Random } from "../../src/tensor/random.ts";
import { folder } from "../files/folder.ts";

// The built library: training runs in a worker, which needs it.
const { assignFile, explainFile, fitRun } = (await import(
  "../../dist/src/doors/inside.js" as string
)) as typeof import("../../src/doors/inside.ts");

const topics = ["parse json decode", "draw canvas color", "open socket connect"];
const modules = ["json", "turtle", "socket"];

/** A vector around one of three places; a text about it; what else is known of it. */
const records = Array.from({ length: 150 }, (_, i) => {
  const random = Random.seeded(i);
  const topic = i % 3;
  const embedding = Array.from({ length: 6 }, (_, place) => (place % 3 === topic ? 3 : 0) + random.uniform());
  const words = topics[topic]!.split(" ").filter((_, w) => (i + w) % 4 > 0);
  return {
    key: `${i} ${"very ".repeat(40)}long\nkey`,
    doc: `Will ${words.join(" and ")} the given thing number ${i}, or whatever it may be that one has given to it.`,
    module: i % 10 === 0 ? "misc" : modules[topic]!,
    lines: topic === 2 ? 20 + (i % 5) : 3 + (i % 4),
    added: `20${20 + topic}-0${1 + (i % 9)}-15`,
    embedding,
  };
});

const fitted: Omit<FileFitOptions, "out"> = { clusters: 3, method: "kmeans", map: false, options: { restarts: 3 } };
const options = { columns: ["embedding"], text: "doc", id: "key" };
const runs = await mkdtemp(join(tmpdir(), "telltale-beside-"));
afterAll(() => rm(runs, { recursive: true, force: true }));

const lines = join(folder, "docs.jsonl");
beforeAll(() => writeFile(lines, records.map((record) => `${JSON.stringify(record)}\n`).join("")));

async function fit(name: string, source: string, more: Partial<FileFitOptions> = {}): Promise<Run> {
  return fitRun(source, { ...fitted, rows: options, ...more, out: join(runs, name) });
}

/** What each cluster is called and said to be, whatever its number. */
async function saidOf(run: Run): Promise<Pick<ClusterSummary, "name" | "namedBy" | "beside">[]> {
  const clusters = await run.clusters();
  const sorted = clusters.toSorted((a, b) => (a.typical[0]!.row % 3) - (b.typical[0]!.row % 3));
  return sorted.map(({ name, namedBy, beside }) => ({ name, ...(namedBy && { namedBy }), ...(beside && { beside }) }));
}

const of = <K extends Beside["kind"]>(kind: K, beside: readonly Beside[] = []) =>
  beside.find((says): says is Extract<Beside, { kind: K }> => says.kind === kind)!;

describe("a table of vectors with a text beside them", async () => {
  let run: Run;
  let said: Awaited<ReturnType<typeof saidOf>>;
  beforeAll(async () => {
    run = await fit("docs", lines);
    said = await saidOf(run);
  });

  test("is named by its words, and described by all columns that were not used", () => {
    expect(said.map(({ namedBy }) => namedBy)).toEqual(["doc", "doc", "doc"]);
    said.forEach(({ name, beside }, topic) => {
      expect(name.split(", ").toSorted()).toEqual(topics[topic]!.split(" ").toSorted());
      expect(beside!.map(({ column }) => column).toSorted()).toEqual(["added", "doc", "lines", "module"]);
      expect(of("category", beside).values[0]).toMatchObject({ value: modules[topic], here: 0.9, there: 0 });
      expect(of("date", beside)).toMatchObject({
        from: `20${20 + topic}-0${1 + topic}-15`,
        to: `20${20 + topic}-0${7 + topic}-15`,
      });
    });
    const [, , third] = said;
    expect(of("number", third!.beside).here).toBeCloseTo(22, 0);
    expect(of("number", third!.beside).effect).toBeGreaterThan(1.5);
  });

  test("says so in its report, its model card and its explanations, always marked", async () => {
    const { cluster, name } = (await run.clusters())[1]!;
    const report = await readFile(join(run.path, "report.html"), "utf8");
    expect(report).toContain("Named by doc, not used to cluster.");
    expect(report).toContain("<caption>Columns not used to cluster</caption>");
    const card = await readFile(join(run.path, "README.md"), "utf8");
    expect(card).toContain("Names are from `doc`, not used to cluster.");
    expect(card).toContain("## Columns not used to cluster");
    expect(card).toContain(`| ${cluster} | ${name} |`);
    const explanation = await explainFile(run, { row: 4 });
    const says = (column: string) => explanation.beside!.find((each) => each.column === column)!;
    expect(says("module")).toMatchObject({ value: "turtle", cluster: { kind: "category" } });
    expect(says("lines").value).toBe(records[4]!.lines);
    expect(says("added").value).toBe("2021-05-15");
    expect(says("doc").value).toBe(records[4]!.doc);
  });

  test("says the same when it is streamed", async () => {
    expect(await saidOf(await fit("streamed", lines, { rows: { ...options, inMemory: 0 } }))).toEqual(said);
  });

  test("has long ids whole in files, and short in what people read", async () => {
    const out = join(folder, "assigned.jsonl");
    await assignFile(run, lines, { format: "jsonl", out });
    const [first] = (await readFile(out, "utf8")).split("\n");
    expect(JSON.parse(first!).key).toBe(records[0]!.key);
    const { words } = await explainFile(run, { row: 3 });
    expect(words).toMatch(/most like \d+ very very[^“]*… \(“Will [^”]*…”\) and /);
    expect(words.length).toBeLessThan(600);
    expect(await readFile(join(run.path, "report.html"), "utf8")).not.toContain("very ".repeat(20));
  });

  test("is described by nothing, and finished all the same, where its file has gone", async () => {
    const gone = join(folder, "gone.jsonl");
    await writeFile(gone, await readFile(lines));
    const events: string[] = [];
    const rows = await fit("gone", gone, {
      onEvent: async (event) => {
        events.push(event.kind);
        if (event.kind === "epoch" && events.filter((kind) => kind === "epoch").length === 1) await rm(gone);
      },
    });
    expect((await rows.clusters()).map(({ name, beside }) => [name, beside])).toEqual(
      [0, 1, 2].map((cluster) => [`cluster ${cluster}`, undefined]),
    );
    expect(rows.description.result.notices.join()).toContain("not used to cluster could not be read again");
  });

  test("refuses what cannot be a text", async () => {
    const refused = (rows: FileFitOptions["rows"]) => expect(fit("refused", lines, { rows: rows! })).rejects;
    await refused({ ...options, text: "lines" }).toThrow('text must name a column of texts, "lines" is number');
    await refused({ ...options, text: "nothing" }).toThrow('text must name columns of it, got "nothing"');
    await refused({ text: "doc", id: "doc" }).toThrow('"doc" cannot be named in --text and in --id');
  });
});

test("pictures are named by the names of their files, where those tell something", async () => {
  const pictures = join(folder, "icons");
  const colors = { red: [220, 30, 30], blue: [30, 30, 220] };
  await mkdir(pictures, { recursive: true });
  for (const [i, [color, rgb]] of Object.entries(colors).entries()) {
    for (let n = 0; n < 12; n++) {
      const pixels = Uint8Array.from({ length: 8 * 8 * 3 }, (_, at) => rgb[at % 3]! + ((at * (n + i)) % 20));
      await writeFile(join(pictures, `icon-coin_${color}${n}.png`), encodePng(pixels, 8, 8, 3));
    }
  }
  const run = await fit("icons", pictures, { clusters: 2, rows: {} });
  const names = (await run.clusters()).map(({ name, namedBy }) => [name, namedBy]);
  expect(names.toSorted()).toEqual([
    ["blue", "file"],
    ["red", "file"],
  ]);
});
