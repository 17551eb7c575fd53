/** What comes out joins back: by ids, by the file's own row numbers, with the columns that people ask for. */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRows } from "../../src/files/openRows.ts";
import { telltale as here } from "./inProcess.ts";
import { telltale } from "./process.ts";

let cwd: string;
let file: string;
const at = (name: string): string => join(cwd, name);
const lines = async (name: string): Promise<string[]> => (await readFile(at(name), "utf8")).trimEnd().split("\n");

/** Two groups of thirty; in row 5 one value is missing, in row 20 another. */
const rows = Array.from({ length: 60 }, (_, i) => {
  const [a, b, big] = [i % 2 === 0 ? 1 : 9, i % 2 === 0 ? 2 : 8, 12_345_678.25 + i];
  return [`p${i}`, i === 20 ? "" : a + i / 100, i === 5 ? "" : b - i / 100, big, i % 3 === 0 ? "north, east" : "south"];
});
const csv = (some: readonly (readonly unknown[])[]): string =>
  `item_id,a,b,turnover,region\n${some.map((row) => row.map((cell) => (String(cell).includes(",") ? `"${cell}"` : cell)).join(",")).join("\n")}\n`;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "telltale-joins-"));
  file = at("items.csv");
  await writeFile(file, csv(rows));
  const fit = ["--columns", "a,b", "-k", "2", "--method", "kmeans", "--no-map", "--json", "-q"];
  for (const missing of ["drop", "mean"]) {
    const { code, err } = await telltale(["fit", file, ...fit, "--missing", missing, "--out", at(missing)]);
    expect(code, err).toBe(0);
  }
}, 120_000);
afterAll(() => rm(cwd, { recursive: true, force: true }));

describe("rows that are left out", () => {
  test("do not renumber the others: every number is the file's", async () => {
    const opened = await openRows(file, { columns: ["a", "b"], missing: "drop" });
    expect([...opened.numbers!].slice(0, 7)).toEqual([0, 1, 2, 3, 4, 6, 7]);
    expect([...opened.dropped!.rows]).toEqual([5, 20]);
    expect(opened.dropped!.ids).toEqual([["p5"], ["p20"]]);
    const clusters = JSON.parse(await readFile(at("drop/clusters.json"), "utf8"));
    const shown: { row: number; id: string }[] = clusters.flatMap(({ typical }: { typical: [] }) => typical);
    expect(shown.length).toBeGreaterThan(0);
    for (const { row, id } of shown) expect(id).toBe(`p${row}`);
    const assigned = await openRows(at("drop/assignments.parquet"), { columns: ["row"], id: "item_id" });
    expect([...assigned.data.tensor!.data].slice(4, 7)).toEqual([4, 6, 7]);
  });

  test("are counted, and listed in a file", async () => {
    expect(await lines("drop/dropped.csv")).toEqual(["row,item_id", "5,p5", "20,p20"]);
    expect(JSON.parse(await readFile(at("drop/run.json"), "utf8")).source).toMatchObject({ rows: 58, dropped: 2 });
    const out = at("assigned.csv");
    const { out: said } = await here("assign", at("drop"), file, "--missing", "drop", "--out", out, "--json", "-q");
    expect(JSON.parse(said)).toEqual({ rows: 58, out, dropped: [5, 20] });
    const words = await here("assign", at("drop"), file, "--missing", "drop", "--out", out, "--force", "-q");
    expect(words.out).toBe(`58 rows assigned; 2 rows left out, with missing values (5, 20): ${out}\n`);
    // Without ids, rows go by their numbers.
    const bare = at("bare.csv");
    await writeFile(bare, csv(rows).replaceAll(/^[^,]*,/gm, ""));
    await here("assign", at("drop"), bare, "--missing", "drop", "--out", at("bare-out.csv"), "-q");
    expect((await lines("bare-out.csv")).slice(5, 8).map((line) => line.split(",")[0])).toEqual(["4", "6", "7"]);
  });

  test("cannot be explained, which is said; the others are found by number and by id", async () => {
    for (const [words, said] of [
      [
        ["--row", "5"],
        "row 5 was left out, since a value is missing; to explain it, give the file and have missing values filled",
      ],
      [["--id", "p20"], '"p20" was left out, since a value is missing'],
      [["--id", "nobody"], 'no row has "nobody" as item_id'],
      [["--row", "60"], "row must be a whole number from 0 to 59, got 60"],
      [["--row", "1", "--id", "p1"], "say which row: its number with --row, or what it is called with --id"],
      [[], "say which row"],
    ] as const) {
      expect((await here("explain", at("drop"), ...words)).err).toContain(said);
    }
    const byNumber = await here("explain", at("drop"), "--row", "21", "--json");
    const byId = await here("explain", at("drop"), "--id", "p21", "--json");
    expect(JSON.parse(byNumber.out)).toMatchObject({ row: 21, id: "p21" });
    expect(byId.out).toBe(byNumber.out);
    const value = JSON.parse(byId.out).why.input.features.find(({ name }: { name: string }) => name === "a").value;
    expect(value).toBeCloseTo(9.21, 5);
  });
});

test("an id that several rows have is told, with their numbers", async () => {
  const { err } = await here(
    "explain",
    at("drop"),
    file,
    "--missing",
    "drop",
    "--id-column",
    "region",
    "--id",
    "south",
  );
  expect(err).toMatch(/items\.csv: 38 rows have "south" as region: 1, 2, 4, 7, 8, …; say which with --row\n$/);
});

test("an option is complained of by the name that the command has for it", async () => {
  const explained = await here("explain", at("mean"), "--id", "p5", "--id-column", "nope");
  expect(explained.err).toContain('--id-column must name columns of it, got "nope"');
  // The rows can be opened: what is wrong is what was asked.
  expect(explained.err).not.toContain("cannot be opened");
  const scored = await here("eval", at("mean"), "--column", "nope");
  expect(scored.err).toContain('--column must name columns of it, got "nope"');
});

test("inspect says beforehand why a fit would be refused", async () => {
  const inspected = async (...words: string[]) => (await here("inspect", file, ...words)).out.replaceAll(/\s+/g, " ");
  expect(await inspected("--columns", "a,b")).toContain(
    "fit refuses this: values are missing in 2 columns that are learned from; say --missing mean or --missing drop",
  );
  expect(await inspected("--columns", "a,b", "--missing", "mean")).not.toContain("fit refuses");
  expect(await inspected("--ignore", "a,b,region,turnover")).toContain(
    "fit refuses this: nothing is learned from; say what is",
  );
});

describe("values that are filled in", () => {
  test("are marked where a row's own values are shown: explain, in words and in parts", async () => {
    const { out } = await here("explain", at("mean"), "--id", "p5");
    expect(out).toMatch(/^row 5 \(p5\): /);
    expect(out).toMatch(/^b +[+−]\S+ +filled: \d/m);
    const { why } = JSON.parse((await here("explain", at("mean"), "--row", "5", "--json")).out);
    const filled = why.input.features.filter((part: { filled?: true }) => part.filled);
    expect(filled.map(({ name }: { name: string }) => name)).toEqual(["b"]);
    const other = JSON.parse((await here("explain", at("mean"), "--row", "6", "--json")).out);
    expect(JSON.stringify(other)).not.toContain('"filled"');
  });

  test("also of rows that are streamed, which are gone through once more", async () => {
    for (const inMemory of [2 ** 20, 1]) {
      const opened = await openRows(file, { columns: ["a", "b"], missing: "mean", inMemory });
      expect([...(await opened.missingOf!([4, 5, 20]))]).toEqual([
        [5, [1]],
        [20, [0]],
      ]);
      await opened.close();
    }
  });

  test("and in the rows that a cluster shows", async () => {
    const clusters = JSON.parse(await readFile(at("mean/clusters.json"), "utf8"));
    const shown = clusters.flatMap(({ borderline }: { borderline: object[] }) => borderline);
    expect(shown.find(({ id }: { id: string }) => id === "p5")).toMatchObject({ row: 5, filled: [1] });
    expect(await readFile(at("mean/report.html"), "utf8")).toContain('<i class="filled" title="missing in the file');
  });
});

describe("assign", () => {
  test("passes on the names of clusters, and the columns that are asked for, to the last digit", async () => {
    const out = at("kept.csv");
    await here("assign", at("mean"), file, "--keep", "region,turnover", "--out", out, "-q");
    const [header, first] = await lines("kept.csv");
    expect(header).toBe("item_id,region,turnover,cluster,cluster_name,confidence,second,margin,distance,outlier");
    expect(first).toMatch(/^p0,"north, east",12345678\.25,[01],"?(low|high) /);
    await here("assign", at("mean"), file, "--keep", "all", "--out", at("all.jsonl"), "-q");
    expect(JSON.parse((await lines("all.jsonl"))[3]!)).toMatchObject({
      ...{ item_id: "p3", a: 9.03, turnover: 12_345_681.25, region: "north, east" },
      ...{ cluster: expect.any(Number), cluster_name: expect.stringMatching(/^(low|high) /) },
    });
    await here("assign", at("mean"), file, "--keep", "all", "--out", at("all.parquet"), "-q");
    const { data } = await openRows(at("all.parquet"), { columns: ["turnover"] });
    expect(data.count).toBe(60);
    // A value that the file does not have is not made up.
    expect((await lines("all.jsonl"))[5]).toContain('"b":null');
  });

  test("marks a column that has the name of one of ours, and refuses one that is not there", async () => {
    const own = at("own.csv");
    await writeFile(own, "a,b,confidence\n1,2,high\n9,8,low\n");
    await here("assign", at("mean"), own, "--keep", "confidence", "--id", "a", "--out", at("own-out.csv"), "-q");
    expect((await lines("own-out.csv"))[0]).toMatch(/^a,confidence_kept,cluster,cluster_name,confidence,/);
    const { err } = await here("assign", at("mean"), own, "--keep", "city", "--out", at("none.csv"));
    expect(err).toContain('own.csv: --keep must name columns of it, got "city"; it has a, b, confidence');
  });
});

test("stream keeps an id as assign does: that of the fit, or one that is named like it", async () => {
  const words = ["stream", at("mean"), file, "--frozen", "-q"];
  expect((await here(...words, "--out", at("streamed.csv"))).err).toBe("");
  expect((await lines("streamed.csv"))[0]).toMatch(/^row,item_id,cluster,/);
  // The run was fitted to rows without ids; these have some.
  const bare = at("bare.csv");
  await writeFile(bare, csv(rows).replaceAll(/^[^,]*,/gm, ""));
  const fit = [
    "--columns",
    "a,b",
    "-k",
    "2",
    "--method",
    "kmeans",
    "--no-map",
    "--no-report",
    "-q",
    "--missing",
    "mean",
  ];
  await telltale(["fit", bare, ...fit, "--out", at("bare")]);
  await here("stream", at("bare"), file, "--frozen", "-q", "--out", at("found.csv"));
  expect((await lines("found.csv"))[1]).toMatch(/^0,p0,/);
  await here("stream", at("bare"), file, "--restart", "--id", "region", "--frozen", "-q", "--out", at("said.csv"));
  expect((await lines("said.csv")).slice(0, 2).join("\n")).toMatch(/^row,region,cluster,.*\n0,"north, east",/);
}, 60_000);

test("assign names rows by what named those of the fit, however the new ones look", async () => {
  const few = at("few.csv");
  const header = async (run: string): Promise<string> => {
    const out = at("few-out.csv");
    await here("assign", at(run), few, "--missing", "mean", "--force", "--out", out, "-q");
    return (await lines("few-out.csv")).slice(0, 2).join("\n");
  };
  // An id that is there twice, and regions that are not: by their values the regions would be the id.
  await writeFile(few, "item_id,a,b,region\np1,1,2,north\np1,9,8,south\np2,1,3,east\n");
  expect(await header("mean")).toMatch(/^item_id,cluster,.*\np1,/);
  // The fit had no id, and regions that were none; a column that it never saw may be one.
  await writeFile(few, "a,b,region\n1,2,north\n9,8,south\n1,3,east\n");
  expect(await header("bare")).toMatch(/^row,cluster,.*\n0,/);
  await writeFile(few, "item_id,a,b,region\np1,1,2,north\np2,9,8,south\np3,1,3,east\n");
  expect(await header("bare")).toMatch(/^item_id,cluster,.*\np1,/);
});

test("a query that gives other rows each time is told so, also where it gives as many", async () => {
  const from = "(i * i) % 17 as a, i % 5 as b from range(50) t(i)";
  for (const sql of [`select random() as r, ${from}`, `select ${from} order by random()`]) {
    await expect(openRows("q", { sql })).rejects.toThrow(
      /^q: the query gives other rows each time it is asked, .*; order it by a column, .* or write it to a file first/,
    );
  }
  await expect(openRows("q", { sql: `select ${from} where random() < 0.5` })).rejects.toThrow(
    /the query gives other rows each time/,
  );
  const sampled = await openRows("q", { sql: `select ${from} using sample 10 rows (reservoir, 42)` });
  expect(sampled.data.count).toBe(10);
});
