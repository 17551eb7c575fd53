import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Feature, featureNames } from "../../src/data/feature.ts";
import { type OpenedRows, type OpenOptions, openRows } from "../../src/files/openRows.ts";
import { Random } from "../../src/tensor/random.ts";
import { parquet, write } from "./folder.ts";

const numbers = ({ data }: OpenedRows): number[] => [...data.tensor!.data];
async function idsOf({ ids }: OpenedRows): Promise<string[][]> {
  const all: string[][] = [];
  for await (const batch of ids!.inOrder(2)) all.push(...batch.map((row) => [...row]));
  return all;
}
async function batches(
  opened: OpenedRows,
  order: "inOrder" | "shuffled",
  size = 100,
  seed = 1,
): Promise<{ rows: number[]; x: number[]; sizes: number[] }> {
  const [rows, x, sizes]: [number[], number[], number[]] = [[], [], []];
  const all = order === "inOrder" ? opened.data.inOrder(size) : opened.data.shuffled(size, Random.seeded(seed));
  for await (const batch of all) {
    rows.push(...batch.rows);
    x.push(...batch.x.data);
    sizes.push(batch.x.shape[0]!);
  }
  return { rows, x, sizes };
}

const csv = "id,a,b,city,label\n10,1,2.5,Rome,x\n11,3,-4,Bonn,y\n12,5,6,Rome,x\n";
const lines = csv
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split(","))
  .map(([id, a, b, city, label]) => JSON.stringify({ id: Number(id), a: Number(a), b: Number(b), city, label }))
  .join("\n");

describe("the same table in every format", () => {
  const values =
    "(values (10, 1, 2.5, 'Rome', 'x'), (11, 3, -4, 'Bonn', 'y'), (12, 5, 6, 'Rome', 'x')) t(id, a, b, city, label)";
  const input = (text: string | Uint8Array): OpenOptions => ({
    input: (async function* () {
      yield Buffer.from(text);
    })(),
  });
  test.each<[string, () => Promise<OpenedRows>]>([
    ["CSV", async () => openRows(await write("t.csv", csv))],
    [
      "CSV with Windows line ends and a byte order mark",
      async () => openRows(await write("w.csv", `\ufeff${csv.replaceAll("\n", "\r\n")}`)),
    ],
    ["CSV with semicolons", async () => openRows(await write("s.csv", csv.replaceAll(",", ";")))],
    ["TSV", async () => openRows(await write("t.tsv", csv.replaceAll(",", "\t")))],
    ["CSV with quotes", async () => openRows(await write("q.csv", csv.replaceAll("Rome", '"Rome, ""the city"""')))],
    ["gzipped CSV", async () => openRows(await write("t.csv.gz", gzipSync(csv)))],
    ["JSON lines", async () => openRows(await write("t.jsonl", lines))],
    ["gzipped JSON lines", async () => openRows(await write("t.jsonl.gz", gzipSync(lines)))],
    ["a JSON array", async () => openRows(await write("t.json", `[${lines.replaceAll("\n", ",\n")}]`))],
    ["Parquet", async () => openRows(await parquet("t.parquet", `select * from ${values}`))],
    ["a name that DuckDB would take for a pattern", async () => openRows(await write("it's [1]*.csv", csv))],
    ["SQL", async () => openRows("", { sql: `select * from ${values}; ` })],
    [
      "SQL over a file",
      async () => openRows("-", { sql: `select * from '${await write("o.csv", csv)}' -- all of it` }),
    ],
    ["CSV from standard input", () => openRows("-", input(csv))],
    ["gzipped CSV from standard input", () => openRows("-", input(gzipSync(csv)))],
    ["JSON lines from standard input", () => openRows("-", input(lines))],
  ])("%s", async (_, open) => {
    const opened = await open();
    expect(opened.data).toMatchObject({ count: 3, row: [2], range: [-4, 6] });
    expect(featureNames(opened.features)).toEqual(["a", "b"]);
    expect(numbers(opened)).toEqual([1, 2.5, 3, -4, 5, 6]);
    expect(await idsOf(opened)).toEqual([["10"], ["11"], ["12"]]);
    expect(opened.ids!.names).toEqual(["id"]);
    expect(opened.labels).toEqual({ classes: Int32Array.of(0, 1, 0), names: ["x", "y"] });
    expect(opened.description).toBe(
      "using 2 numeric columns, id = id, label = label (for scores only), ignoring 1 text column (city)",
    );
    await opened.close();
  });
});

describe("columns", () => {
  test("without a header, all numbers", async () => {
    const opened = await openRows(await write("bare.csv", "1,2\n3,4\n"));
    expect([featureNames(opened.features), numbers(opened)]).toEqual([
      ["column0", "column1"],
      [1, 2, 3, 4],
    ]);
  });

  test("named columns come in the order in which they are named", async () => {
    const opened = await openRows(await write("order.csv", csv), { columns: ["b", "a"], id: "city", label: "id" });
    expect(numbers(opened)).toEqual([2.5, 1, -4, 3, 6, 5]);
    expect((await idsOf(opened)).flat()).toEqual(["Rome", "Bonn", "Rome"]);
    expect(opened.labels!.names).toEqual(["10", "11", "12"]);
  });

  test("encoded text, dates and booleans", async () => {
    const path = await write(
      "encode.csv",
      "city,day,new\nRome,1970-01-02,true\nBonn,1970-01-11,false\nRome,1970-01-01,true\n",
    );
    const opened = await openRows(path, { encode: ["city", "day", "new"] });
    expect(featureNames(opened.features)).toEqual(["city=Bonn", "city=Rome", "day", "new"]);
    expect(numbers(opened)).toEqual([0, 1, 1, 1, 1, 0, 10, 0, 0, 1, 0, 1]);
    const other = await write("encode2.csv", "new,city,day\nfalse,Oslo,1970-01-03\ntrue,Bonn,1970-01-01\n");
    const like = await openRows(other, { like: opened });
    expect(numbers(like)).toEqual([0, 0, 2, 0, 1, 0, 0, 1]);
    expect(like.description).toMatch(/, with 1 row whose city the model has not seen \(Oslo\)$/);
  });

  test("texts that a model has not seen are said, column by column; those of rare texts it gathers are known", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const row = (text: string) => names.map(() => text).join();
    const known = await write("known.csv", `${names.join()}\n${`${row("on")}\n${row("off")}\n`.repeat(9)}`);
    const opened = await openRows(known, { encode: names });
    const other = await write("unseen.csv", `${names.join()}\n${row("on")}\n${row("left")}\n${row("right")}\n`);
    const said = names.slice(0, 3).map((name) => `2 rows whose ${name} the model has not seen (left, …)`);
    expect((await openRows(other, { like: opened })).description).toContain(
      `, with ${said.join(", ")} and so on in 2 more columns`,
    );
    expect((await openRows(known, { like: opened })).description).not.toContain("not seen");
    const gathered: Feature[] = [
      { kind: "category", column: "a", value: "on" },
      { kind: "other", column: "a", except: ["on"] },
    ];
    expect((await openRows(other, { like: { features: gathered } })).description).not.toContain("not seen");
    const sizes: Feature[] = [{ kind: "ordered", column: "a", values: ["on", "left"] }];
    expect((await openRows(other, { like: { features: sizes }, missing: "mean" })).description).toContain(
      "1 row whose a the model has not seen (right)",
    );
  });

  test("vectors written as text into a CSV; one that is none among them is an error", async () => {
    const text = 'id,embedding\na,"[1, 2.5, -3]"\nb,"[4,5,6]"\n';
    const opened = await openRows(await write("vectors.csv", text));
    expect(numbers(opened)).toEqual([1, 2.5, -3, 4, 5, 6]);
    expect(featureNames(opened.features)).toEqual(["embedding[0]", "embedding[1]", "embedding[2]"]);
    const late = `${text}${'c,"[7,8,9]"\n'.repeat(200)}d,"[7,eight,9]"\n`;
    await expect(openRows(await write("late.csv", late))).rejects.toThrow(/late\.csv: .*eight/);
    await expect(openRows(await write("short.csv", `${text}c,"[7,8]"\n`))).rejects.toThrow("must have one length");
  });

  test("vectors in a list, in an array of one size, and in JSON; whole or in part", async () => {
    const query = "select i as a, [i, i + 0.5, 7]::float[] v, [i, 9]::double[2] w from range(3) t(i)";
    const path = await parquet("vectors.parquet", query);
    for (const opened of [await openRows(path), await openRows("query", { sql: query })]) {
      expect(featureNames(opened.features)).toEqual(["a", "v[0]", "v[1]", "v[2]", "w[0]", "w[1]"]);
      expect(numbers(opened)).toEqual([0, 0, 0.5, 7, 0, 9, 1, 1, 1.5, 7, 1, 9, 2, 2, 2.5, 7, 2, 9]);
      expect(opened.description).toBe("using 1 numeric column and the 3 numbers of v and the 2 numbers of w");
    }
    expect(numbers(await openRows(path, { columns: ["w[1]", "v[1]", "v[2]"] }))).toEqual([
      9, 0.5, 7, 9, 1.5, 7, 9, 2.5, 7,
    ]);
    expect(numbers(await openRows(await write("v.jsonl", "[1,2]\n[3,4]\n")))).toEqual([1, 2, 3, 4]);
  });

  test("a column without values is ignored and said, and can still be asked for", async () => {
    const path = await write("empty.csv", "a,b\n1,\n2,NA\n");
    expect((await openRows(path)).description).toBe("using 1 numeric column, ignoring 1 empty column (b)");
    const filled = await openRows(path, { columns: ["a", "b"], missing: { a: 0, b: 9 } });
    expect(numbers(filled)).toEqual([1, 9, 2, 9]);
  });

  test("every numeric type", async () => {
    const types = ["tinyint", "usmallint", "bigint", "hugeint", "decimal(9,2)", "float", "double"];
    const opened = await openRows("q", { sql: `select ${types.map((type, i) => `7::${type} as c${i}`)}` });
    expect(numbers(opened)).toEqual(types.map(() => 7));
  });
});

describe("missing values", () => {
  const holes = "a,b\n1,2\nNA,4\n3,nan\n5,\n";
  test("are refused with their count and the first place", async () => {
    await expect(openRows(await write("holes.csv", holes))).rejects.toThrow(
      /holes.csv: 3 values are missing, the first in row 1, column a; fill them with --missing mean \(missing: "mean"\), or leave such rows out with --missing drop$/,
    );
  });
  test("take the column's mean, or a number that is given", async () => {
    const opened = await openRows(await write("mean.csv", holes), { missing: "mean" });
    expect(numbers(opened)).toEqual([1, 2, 3, 4, 3, 3, 5, 3]);
    expect(opened.filled).toEqual([3, 3]);
    expect(opened.description).toBe("using 2 numeric columns, filling 3 missing values");
    expect(numbers(await openRows(await write("given.csv", holes), { missing: { a: 0, b: -1 } }))).toEqual([
      1, 2, 0, 4, 3, -1, 5, -1,
    ]);
  });
  test("of a date that is given are also its places on circles; of a category without a number, none of its values", async () => {
    const days = Array.from({ length: 40 }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10));
    const rows = days.map((day, i) => `${i % 3},${i === 5 ? "" : day},${i === 6 ? "" : ["Rome", "Bonn"][i % 2]}`);
    const path = await write("given-day.csv", `a,day,city\n${rows.join("\n")}\n`);
    const columns = ["a", "day", "city"];
    const opened = await openRows(path, { columns, missing: { a: 0, day: 3 } });
    const names = featureNames(opened.features);
    const row = (i: number) =>
      Object.fromEntries(names.map((name, c) => [name, numbers(opened)[i * names.length + c]]));
    expect(row(5)).toMatchObject({
      day: 3,
      "sin of the week of day": Math.fround(Math.sin((2 * Math.PI * 3) / 7)),
      "cos of the week of day": Math.fround(Math.cos((2 * Math.PI * 3) / 7)),
    });
    expect(row(6)).toMatchObject({ "city=Rome": 0, "city=Bonn": 0 });
    const inRome = await openRows(path, { columns, missing: { a: 0, day: 3, "city=Rome": 1 } });
    expect(inRome.filled?.[names.indexOf("city=Rome")]).toBe(1);
    await expect(openRows(path, { columns, missing: { a: 0 } })).rejects.toThrow(
      "missing must give a finite number for column day, got undefined",
    );
  });
  test("drop their rows, with the ids and labels", async () => {
    const path = await write("drop.csv", "id,a,b,label\np,1,2,x\nq,NA,4,y\nr,3,4,\n");
    const opened = await openRows(path, { missing: "drop" });
    expect([numbers(opened), await idsOf(opened), [...opened.labels!.classes]]).toEqual([
      [1, 2, 3, 4],
      [["p"], ["r"]],
      [0, -1],
    ]);
    expect(opened.description).toContain("leaving out 1 of 3 rows with missing values");
  });
  test("in vectors: a whole one, or one of its numbers", async () => {
    const sql = "select * from (values ([1, 2]::double[]), (null), ([3, null])) t(v)";
    await expect(openRows("q", { sql })).rejects.toThrow("q: 3 values are missing, the first in row 1, column v[0]");
    expect(numbers(await openRows("q", { sql, missing: "mean" }))).toEqual([1, 2, 2, 2, 3, 2]);
    expect(numbers(await openRows("q", { sql, missing: "drop" }))).toEqual([1, 2]);
  });
});

describe("opening that is stopped", () => {
  test.each<[string, (signal: AbortSignal) => Promise<OpenedRows>]>([
    ["a long count", (signal) => openRows("q", { sql: "select i from range(1000000000000) t(i)", signal })],
    ["a long look", (signal) => openRows("q", { sql: "select i from range(200000000) t(i)", inMemory: 0, signal })],
    [
      "standard input that does not end",
      (signal) => {
        const input = async function* () {
          for (;;) {
            yield Buffer.from("1,2\n");
            await new Promise((next) => setTimeout(next, 5));
          }
        };
        return openRows("-", { input: input(), signal });
      },
    ],
  ])("ends soon: %s", async (_, open) => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    const started = performance.now();
    await expect(open(stop.signal)).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("a table that does not fit", () => {
  const query =
    "select 'r' || i as id, i as a, -i as b, case when i % 100 = 7 then null else i end as c, i % 3 as label from range(10000) t(i)";
  test.each<[string, () => Promise<OpenedRows>]>([
    [
      "Parquet",
      async () =>
        openRows(await parquet("large.parquet", query), { columns: ["a", "b", "c"], inMemory: 1000, missing: "mean" }),
    ],
    ["SQL", () => openRows("q", { sql: query, columns: ["a", "b", "c"], inMemory: 1000, missing: "mean" })],
    [
      "standard input",
      async () => {
        const text = `id,a,b,c,label\n${Array.from({ length: 10000 }, (_, i) => `r${i},${i},${-i},${i % 100 === 7 ? "" : i},${i % 3}`).join("\n")}`;
        const input = async function* () {
          yield Buffer.from(text);
        };
        return openRows("-", { input: input(), columns: ["a", "b", "c"], inMemory: 1000, missing: "mean" });
      },
    ],
  ])("is streamed: %s", async (_, open) => {
    const opened = await open();
    expect(opened.data).toMatchObject({ count: 10000, row: [3], range: [-9999, 9999] });
    expect(opened.data.tensor).toBeUndefined();
    const mean = Math.fround(opened.filled![2]!);
    const rowOf = (i: number): number[] => [i, -i, i % 100 === 7 ? mean : i];
    const first = await batches(opened, "inOrder", 3000);
    expect(first.sizes).toEqual([3000, 3000, 3000, 1000]);
    expect(first.rows).toEqual(Array.from({ length: 10000 }, (_, i) => i));
    expect(first.x.map((x) => x + 0)).toEqual(first.rows.flatMap(rowOf).map((x) => x + 0));
    const mixed = await batches(opened, "shuffled", 256, 5);
    expect(mixed.x.map((x) => x + 0)).toEqual(mixed.rows.flatMap(rowOf).map((x) => x + 0));
    expect([...mixed.rows].sort((a, b) => a - b)).toEqual(first.rows);
    expect((await batches(opened, "shuffled", 256, 5)).rows).toEqual(mixed.rows);
    expect((await batches(opened, "shuffled", 256, 6)).rows).not.toEqual(mixed.rows);
    expect((await idsOf(opened))[9999]).toEqual(["r9999"]);
    expect([...opened.labels!.classes.slice(0, 4)]).toEqual([0, 1, 2, 0]);
    await opened.close();
  });

  test("gives back its batches halfway: several can be read side by side", async () => {
    const opened = await openRows("q", { sql: query, inMemory: 0, missing: "drop" });
    for await (const one of opened.data.inOrder(50)) {
      for await (const other of opened.data.inOrder(50)) {
        expect(other.x.data).toEqual(one.x.data);
        break;
      }
      break;
    }
    await opened.close();
  });
});
