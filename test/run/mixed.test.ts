/** A table as people bring it: numbers, categories, booleans, dates and counts, from the file to the model and back. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openRun } from "../../src/doors/inside.ts";
import { openRows } from "../../src/files/openRows.ts";
import { openForeign } from "../../src/runtime/foreign.ts";
import { Random } from "../../src/tensor/random.ts";
import { telltale } from "../cli/process.ts";
import { folder, write } from "../files/folder.ts";
import { queried } from "../support/queried.ts";

/** Two kinds of visitors, by most of the columns; towns has rare values, and plan words that have an order. */
const random = Random.seeded(9);
const rows = Array.from({ length: 240 }, (_, i) => {
  const side = i % 2;
  const [a, b] = random.normals(2) as unknown as [number, number];
  const day = new Date(Date.UTC(2024, 0, 1, 9 + 9 * side, 0, 0) + 4 * Math.floor(i / 4) * 86_400_000);
  return {
    age: Math.round(30 + 25 * side + 4 * a),
    visits: Math.round(Math.exp(1 + 3 * side + 1.6 * b)),
    town: i % 60 === 7 ? `rare ${i}` : side === 1 ? (i % 4 === 1 ? "Rome" : "L'Aquila") : "Oslo",
    plan: ["low", "medium", "high"][side + (i % 3 === 0 ? 1 : 0)]!,
    member: side === 1 ? i % 10 !== 1 : i % 10 === 0,
    seen: day.toISOString().slice(0, 19),
  };
});
type Row = (typeof rows)[number];
const names = Object.keys(rows[0]!) as (keyof Row)[];
const csv = (of: readonly Row[]): string =>
  [names, ...of.map((row) => names.map((name) => row[name]))].map((cells) => `${cells.join(",")}\n`).join("");

const run = join(folder, "mixed");
const quick = [
  "--set",
  "hidden=8",
  "--set",
  "pretraining=40",
  "--epochs",
  "5",
  "--restarts",
  "1",
  "--no-groups",
  "--no-map",
];
let source: string;

async function said(...words: string[]): Promise<string> {
  const { code, out, err } = await telltale([...words, "--quiet"]);
  expect(code, err).toBe(0);
  return out;
}

beforeAll(async () => {
  source = await write("mixed.csv", csv(rows));
  await said("fit", source, "-k", "2", "--method", "tell", "--out", run, ...quick);
});

/** What a command says of each row. */
async function placed(...words: string[]): Promise<unknown[]> {
  const lines = (await said(...words, "--format", "jsonl")).trimEnd().split("\n");
  return lines
    .map((line) => JSON.parse(line))
    .map(({ cluster, confidence, distance }) => [cluster, confidence, distance]);
}

describe("a table of mixed columns", () => {
  it("is learned from as it is: categories, booleans, dates and counts, with what is rare gathered", async () => {
    const { features } = JSON.parse(await readFile(join(run, "run.json"), "utf8")).source;
    const kinds = features.map(({ kind, column, value, values, period }: Record<string, unknown>) =>
      [kind, column, value ?? values ?? period].filter((each) => each !== undefined).join(" "),
    );
    expect(kinds).toEqual([
      ...["number age", "count visits"],
      ...["category town L'Aquila", "category town Oslo", "category town Rome", "other town"],
      ...["ordered plan low,medium,high", "boolean member", "date seen"],
      ...["day", "day", "week", "week"].map((period) => `cycle seen ${period}`),
    ]);
    const { data } = await openRows(source);
    expect([...data.tensor!.data.slice(0, 8)]).toEqual([rows[0]!.age, rows[0]!.visits, 0, 1, 0, 0, 1, 1]);
    // Row 7 is from a rare town.
    expect([...data.tensor!.data.slice(7 * 13 + 2, 7 * 13 + 6)]).toEqual([0, 0, 0, 1]);
  });

  it("gives the same rows to assign, stream and SQL", async () => {
    const wanted = await placed("assign", run, source);
    expect(wanted.length).toBe(rows.length);
    const lines = await write("mixed.jsonl", rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    expect(await placed("assign", run, lines)).toEqual(wanted);
    expect(await placed("stream", run, source, "--frozen")).toEqual(wanted);
    expect(await placed("stream", run, lines, "--frozen", "--restart")).toEqual(wanted);
    const out = join(folder, "mixed.sql");
    await said("export", run, "--target", "sql", "--out", out);
    const list = /infera_predict_multi_list\('mixed',\n(.*?)\n {2}\) AS distances/s.exec(
      await readFile(out, "utf8"),
    )![1]!;
    const found = (await queried(`select ${list} from '${source}'`)).flat() as number[];
    const { data } = await openRows(source);
    expect(found.length).toBe(data.tensor!.data.length);
    for (const [at, value] of found.entries()) expect(value).toBeCloseTo(data.tensor!.data[at]!, 5);
  });

  it("takes a town that nobody knew for another one, and none for none of them", async () => {
    const { features, data } = await openRows(source);
    const strange = await write(
      "strange.csv",
      csv([
        { ...rows[0]!, town: "Atlantis" },
        { ...rows[0]!, town: "" },
      ]),
    );
    const opened = await openRows(strange, { like: { features } });
    expect([...opened.data.tensor!.data.slice(2, 6)]).toEqual([0, 0, 0, 1]);
    expect([...opened.data.tensor!.data.slice(13 + 2, 13 + 6)]).toEqual([0, 0, 0, 0]);
    expect(data.row).toEqual([13]);
    expect((await placed("assign", run, strange)).length).toBe(2);
    expect(await placed("stream", run, strange, "--frozen", "--restart")).toEqual(await placed("assign", run, strange));
  });

  it("is drawn as shares that sum to 1, in people's units, by the model and by decoder.onnx", async () => {
    const opened = await openRun(run);
    const clusters = await opened.clusters();
    for (const { exemplar } of clusters) {
      expect(exemplar.slice(2, 6).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 4);
      expect(exemplar[7]).toBeGreaterThanOrEqual(0);
      expect(exemplar[7]).toBeLessThanOrEqual(1);
      // A count's tail is as long as it was.
      expect(exemplar[1]).toBeGreaterThan(0.5);
    }
    const model = await opened.model();
    const centers = await model.centers();
    const decoder = await openForeign(await readFile(join(run, "decoder.onnx")), await opened.device(), "decoder.onnx");
    const { x } = await decoder.run({ z: centers }, ["x"]);
    expect([...(x!.data as Float32Array)].map((value) => value.toPrecision(4))).toEqual(
      clusters.flatMap(({ exemplar }) => exemplar.map((value) => value.toPrecision(4))),
    );
    await decoder.close();
    await model.close();
  });

  it("is spoken of column by column, as people do", async () => {
    const clusters = await (await openRun(run)).clusters();
    for (const { distinguishing } of clusters) {
      expect(distinguishing.map(({ name }) => name).sort()).toEqual([...names].sort());
      const town = distinguishing.find(({ name }) => name === "town")!;
      expect([...town.said!].sort()).toEqual(["Oslo", "Rome 50 %, L'Aquila 47 %"]);
      expect(distinguishing.find(({ name }) => name === "member")!.said!.join()).toMatch(
        /mostly (yes|no), 80 %,mostly (yes|no), 80 %/,
      );
    }
    const explanation = JSON.parse(await said("explain", run, "--row", "3", "--json"));
    const { features, parts, start, remainder } = explanation.why.input;
    expect(features.length).toBe(names.length);
    expect(parts.length).toBe(13);
    const sum = features.reduce((total: number, { part }: { part: number }) => total + part, 0);
    expect(start + sum + remainder).toBeCloseTo(explanation.why.margin, 3);
    const spoken = Object.fromEntries(
      features.map(({ name, said: words }: { name: string; said?: string[] }) => [name, words?.[0]]),
    );
    expect(spoken).toMatchObject({ town: "L'Aquila", plan: "high", member: "yes", seen: "2024-01-01 18:00" });
    expect(spoken.age).toBeUndefined();
    expect(await said("explain", run, "--row", "3")).not.toContain("town=");
  });

  it("weighs as somebody says: a column that weighs most decides", async () => {
    const weighed = join(folder, "weighed");
    await said("fit", source, "-k", "2", "--method", "kmeans", "--out", weighed, "--no-map", "--weight", "plan=1000");
    const [low, high] = await (await openRun(weighed)).clusters();
    const plan = (cluster: typeof low) => cluster!.deviation![6]!;
    // Each cluster has one plan, or two neighbouring ones.
    expect(Math.min(plan(low), plan(high))).toBe(0);
    const wrong = await telltale(["fit", source, "--weight", "plans=2", "--out", join(folder, "wrong")]);
    expect(wrong.err).toContain(
      'weight must name columns that are learned from, got "plans"; these are age, visits, town',
    );
    const { code } = await telltale(["fit", source, "--weight", "plan", "--out", join(folder, "wrong")]);
    expect(code).toBe(2);
  });
});

it("a table of categories alone is clustered, and its clusters are called by them", async () => {
  // Nearly all, for columns that say the same are one.
  const lines = Array.from({ length: 120 }, (_, i) =>
    i % 2 === 0 ? `tea,${i % 12 === 0 ? "glass" : "cup"}` : `beer,${i % 15 === 0 ? "cup" : "glass"}`,
  );
  const drinks = await write("drinks.csv", `drink,from\n${lines.join("\n")}\n`);
  const out = join(folder, "drinks");
  await said("fit", drinks, "-k", "2", "--method", "kmeans", "--out", out, "--no-map");
  const called = (await (await openRun(out)).clusters()).map(({ name }) => name);
  expect(called.sort()).toEqual(["drink beer, from glass", "drink tea, from mostly cup"]);
  // There are four drinks, and six clusters cannot be: none that is empty is listed, and why is said.
  const six = await said("fit", drinks, "-k", "6", "--method", "kmeans", "--out", join(folder, "six"), "--no-map");
  expect(six).toMatch(/^4 clusters of 6 asked for in 120 rows/);
  expect(six).not.toMatch(/ 0\.0 %/);
  const { notices } = (await openRun(join(folder, "six"))).description.result!;
  expect(notices).toContain("of the rows that were looked at only 4 are different, and no more clusters can have rows");
});

it("numbers are not drowned by categories of many values: clusters tell most of the variance of a price", async () => {
  // As stones are: a price that follows from the size, and three categories of 5, 7 and 8 values that hardly do.
  const stones = Random.seeded(4);
  const prices: number[] = [];
  const lines = Array.from({ length: 200 }, () => {
    const size = Math.exp(0.6 * stones.normals(1)[0]!);
    const [clarity, colour, cut] = [stones.below(8), stones.below(7), stones.below(5)];
    const price = 3000 * size ** 1.5 * Math.exp(0.03 * (clarity + colour)) * Math.exp(0.1 * stones.normals(1)[0]!);
    const length = 6 * size ** (1 / 3) + 0.05 * stones.normals(1)[0]!;
    prices.push(price);
    return `${size.toFixed(3)},${price.toFixed(2)},${length.toFixed(3)},clarity ${clarity},colour ${colour},cut ${cut}`;
  });
  const file = await write("stones.csv", `size,price,length,clarity,colour,cut\n${lines.join("\n")}\n`);
  const out = join(folder, "stones");
  const encoded = ["--encode", "clarity", "--encode", "colour", "--encode", "cut"];
  await said("fit", file, "-k", "3", "--effort", "quick", "--out", out, "--no-map", ...encoded);
  const labels = await (await openRun(out)).labels();
  expect(betweenShare(prices, labels)).toBeGreaterThan(0.6);
});

/** η² = Σ n (mean of a cluster − mean)²/Σ (x − mean)². */
function betweenShare(values: readonly number[], labels: ArrayLike<number>): number {
  const mean = (of: readonly number[]): number => of.reduce((sum, value) => sum + value, 0) / of.length;
  const squares = (of: readonly number[]): number => of.reduce((sum, value) => sum + (value - mean(of)) ** 2, 0);
  const clusters = [...new Set(Array.from(labels))].map((cluster) => values.filter((_, i) => labels[i] === cluster));
  return 1 - clusters.reduce((sum, cluster) => sum + squares(cluster), 0) / squares(values);
}

it("a moment with its zone is the same one in every zone", async () => {
  const lines = Array.from(
    { length: 20 },
    (_, i) => `2024-01-${String(1 + (i % 9)).padStart(2, "0")}T00:30:00+00:00,${i}`,
  );
  const file = await write("zoned.csv", `seen,a\n${lines.join("\n")}\n`);
  const inspected = await Promise.all(
    ["UTC", "America/New_York"].map((TZ) => telltale(["inspect", file, "--json"], { env: { TZ } })),
  );
  expect(inspected[1]!.out).toBe(inspected[0]!.out);
  expect(inspected[0]!.out).toContain("2024-01-01");
});
