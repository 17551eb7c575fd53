/** Excel, Arrow and DuckDB's own files: what they say is read as it is meant, and what is wrong with them is said. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { type Zippable, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { featureNames } from "../../src/data/feature.ts";
import { openLabels } from "../../src/files/openLabels.ts";
import { type OpenOptions, openRows } from "../../src/files/openRows.ts";
import { csvOf } from "../../src/files/tables/sheetText.ts";
import { folder, write } from "./folder.ts";

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

async function opened(path: string, options: OpenOptions = {}) {
  const { data, features, ids, description } = await openRows(path, options);
  const named: string[][] = [];
  for await (const batch of ids?.inOrder(10) ?? []) named.push(...batch.map((row) => [...row]));
  return { names: featureNames(features), numbers: [...data.tensor!.data], ids: named.flat(), description };
}
/** The numbers that are called so, row by row: a date has places on circles beside it. */
function called(names: readonly string[], { names: all, numbers }: Awaited<ReturnType<typeof opened>>): number[] {
  const places = names.map((name) => all.indexOf(name));
  return Array.from({ length: numbers.length / all.length }, (_, row) =>
    places.map((place) => numbers[row * all.length + place]!),
  ).flat();
}
const floats = (...numbers: number[]): number[] => numbers.map(Math.fround);

describe("an Excel workbook", () => {
  const days = (text: string): number => Math.fround(Date.parse(`${text}Z`) / 86_400_000);

  test("is its first sheet that is shown, below its title: numbers, shares, days and truths", async () => {
    const columns = ["when", "day", "price", "share", "is open"];
    const found = await opened(fixture("readings.xlsx"), { columns });
    expect(found.names.filter((name) => !/^(sin|cos) of the /.test(name))).toEqual(columns);
    expect(found.ids).toEqual(["a", "b", "c"]);
    expect(called(columns, found)).toEqual([
      ...[days("2024-01-31T10:30"), days("2024-02-29"), ...floats(1.5, 0.85, 1)],
      ...[days("2024-02-01"), days("1999-12-31"), ...floats(-2, 0.5, 0)],
      ...[days("2024-03-01T23:59:59"), days("2000-01-01"), ...floats(1e-3, 1, 1)],
    ]);
    expect(found.description).toContain(
      '; sheet "Readings" of 4 (--table names another); skipping 1 row above the names',
    );
    const { ids } = await opened(fixture("readings.xlsx"), { id: "note" });
    expect(ids).toEqual(["x & <y>", "two\nlines", 'quote "q", comma']);
  });

  test("has another sheet by its name, and also from standard input and as labels", async () => {
    const more = await opened(fixture("readings.xlsx"), { table: "More" });
    expect([more.names, more.numbers]).toEqual([
      ["x", "y"],
      [0, 0, 1, 1000, 2, 2000],
    ]);
    const bytes = await readFile(fixture("readings.xlsx"));
    const input = (async function* () {
      yield bytes;
    })();
    expect((await opened("-", { input })).ids).toEqual(["a", "b", "c"]);
    expect((await openLabels(fixture("readings.xlsx"), "id")).names).toEqual(["a", "b", "c"]);
    await expect(opened(fixture("readings.xlsx"), { table: "more" })).rejects.toThrow(
      'table must name one of its sheets, got "more"; it has Readings, More, Empty, Hidden',
    );
    await expect(opened(fixture("readings.xlsx"), { table: "Empty" })).rejects.toThrow('the sheet "Empty" is empty');
  });

  /** A workbook of one sheet, whose XML is this. */
  const bookOf = (sheet: string, more: Zippable = {}): Uint8Array =>
    zipSync({
      "[Content_Types].xml": Buffer.from("<Types/>"),
      "xl/workbook.xml": Buffer.from('<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>'),
      "xl/_rels/workbook.xml.rels": Buffer.from(
        '<Relationships><Relationship Id="r1" Target="s.xml"/></Relationships>',
      ),
      "xl/s.xml": Buffer.from(sheet),
      ...more,
    });
  const cells = (...rows: (string | number)[][]): string =>
    `<x:worksheet><x:sheetData>${rows.map((row) => `<x:row>${row.map((cell) => (typeof cell === "number" ? `<x:c><x:v>${cell}</x:v></x:c>` : `<x:c t="inlineStr"><x:is><x:t>${cell}</x:t></x:is></x:c>`)).join("")}</x:row>`).join("")}</x:sheetData></x:worksheet>`;

  test("may have names of spaces in its XML, texts in its cells, and no places", async () => {
    const found = await opened(
      await write("bare.xlsx", bookOf(cells(["a", "b"], [1, "&#x33;"], [2, "<![CDATA[4]]>"]))),
    );
    expect(found.numbers).toEqual([1, 3, 2, 4]);
  });

  test.each<[string, Uint8Array, string]>([
    ["no zip", Buffer.from("a,b\n1,2\n"), "does not start like an Excel workbook"],
    ["cut short", bookOf(cells(["a"], [1])).subarray(0, 300), "the zip data is damaged or cut short"],
    [
      "an old one",
      Buffer.from("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "latin1"),
      "is an old Excel file (.xls), or one with a password",
    ],
    ["no workbook", zipSync({ "[Content_Types].xml": Buffer.from("<Types/>") }), "there is no workbook.xml in it"],
    [
      "a sheet that is not there",
      bookOf("", { "xl/_rels/workbook.xml.rels": Buffer.from("<r/>") }),
      'the sheet "S" is not in it',
    ],
    ["entities of its own", bookOf('<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>'), "must not declare entities"],
    ["XML that breaks off", bookOf("<worksheet><sheetData><row><c"), "XML is cut short"],
    ["a part without an end", bookOf(`<worksheet>${"x".repeat(2 ** 21)}`), "no part of more than"],
    [
      "a column beyond all",
      bookOf('<worksheet><row><c r="ZZZZ1"><v>1</v></c></row></worksheet>'),
      "can have up to 16384 columns",
    ],
    ["nothing in it", bookOf("<worksheet/>"), 'the sheet "S" is empty'],
    ["a cell of more than Excel has", bookOf(cells(["x".repeat(40_000)])), "a cell can have up to 32767 letters"],
    [
      "a text of several looks, of more than Excel has",
      bookOf(cells(["a"], [1]), {
        "xl/sharedStrings.xml": Buffer.from(`<sst><si>${`<r><t>${"x".repeat(20_000)}</t></r>`.repeat(2)}</si></sst>`),
      }),
      "a cell can have up to 32767 letters",
    ],
  ])("is refused in a sentence: %s", async (name, bytes, message) => {
    const error: Error = await opened(await write(`${name}.xlsx`, bytes)).then(
      () => expect.fail("must be refused"),
      (reason) => reason,
    );
    expect(error.message).toContain(message);
    expect(error.message).toContain(`${name}.xlsx: `);
    expect(error.message).not.toContain("\n");
  });

  test("with one long text in so many cells that the table would be a thousand times the sheet, is refused", async () => {
    const long = "x".repeat(30_000);
    async function* rows(): AsyncGenerator<ReadonlyMap<number, string>> {
      for (let i = 0; i < 20_000; i++) yield new Map([[0, long]]);
    }
    const sheet = { name: "S", of: 1, bytes: 600_000, rows, close: async () => {} };
    const written = async (): Promise<number> => {
      let letters = 0;
      for await (const piece of csvOf("repeated.xlsx", sheet, { above: 0, columns: [0] })) letters += piece.length;
      return letters;
    };
    await expect(written()).rejects.toThrow(/repeated\.xlsx: the texts of its cells come to more than \d+ letters/);
    expect(await written.call(Object.assign(sheet, { bytes: 12_000_000 }))).toBe(20_000 * 30_001);
  });

  test("that unpacks to far more than it is, is refused before it is unpacked", async () => {
    const bytes = bookOf(cells(["a"], [1]), { "xl/sharedStrings.xml": new Uint8Array(2 ** 21) });
    // The sizes that the zip says of it: more than a gigabyte.
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const at = Buffer.from(bytes).lastIndexOf("xl/sharedStrings.xml") - 46;
    view.setUint32(at + 24, 0x7fffffff, true);
    await expect(opened(await write("bomb.xlsx", bytes))).rejects.toThrow(
      /bomb\.xlsx: (the zip data is damaged|.*unpack to)/,
    );
  });
});

describe("Arrow", () => {
  test.each(["columns.arrow", "columns.arrows", "columns.feather"])("%s is read with all its types", async (name) => {
    const names = ["small", "large", "half", "single", "double", "price", "vector[0]", "vector[1]", "at.lat"];
    const missing = Object.fromEntries(names.map((each) => [each, 0]));
    const found = await opened(fixture(name), { missing, ignore: ["list"] });
    expect(found.names).toEqual(names);
    expect(found.numbers).toEqual([
      ...floats(1, 2 ** 40, 0.5, 0.1, 0, 1.5, 1, 2, 1.5),
      ...floats(0, 5, -2, 2.5, 0.1, -2.25, 3, 4, 2.5),
      ...floats(-3, -(2 ** 40), 65504, 0, -7, 0, 5, 6.5, 0),
    ]);
    expect(found.ids).toEqual(["a", "b", "c"]);
    expect(found.description).toContain("4 other columns (bytes, view, nothing, took)");
    expect(found.description).toContain("taking apart at");
    const dates = await opened(fixture(name), {
      columns: ["list", "day"],
      missing: { "list[0]": 0, "list[1]": 0, day: 0 },
    });
    expect(called(["list[0]", "list[1]", "day"], dates)).toEqual([1, 2, 19782, 3, 4, 0, 5, 6, -1]);
    const { ids } = await opened(fixture(name), { columns: ["large"], id: ["name", "when", "open"] });
    expect(ids).toEqual([
      ...["Zürich", "2024-01-31 10:30:00", "true", "", "", "false"],
      ...['a "b"', "1970-01-01 00:00:00", ""],
    ]);
  });

  test("packed with LZ4, as pandas does, it is unpacked; with zstd, where Node can", async () => {
    const wanted = Array.from({ length: 2000 }, (_, i) => [i, i % 7]).flat();
    expect((await opened(fixture("packed.feather"), { columns: ["a", "b"] })).numbers).toEqual(wanted);
    const { zstdDecompressSync } = (await import("node:zlib")) as { zstdDecompressSync?: unknown };
    const packed = opened(fixture("zstd.feather"), { columns: ["a", "b"] });
    if (zstdDecompressSync) expect((await packed).numbers).toEqual(wanted);
    else await expect(packed).rejects.toThrow("is packed with zstd, which Node unpacks since 22.15");
  });

  test("with any byte changed or cut off anywhere, it is read or refused in a sentence", async () => {
    for (const name of ["columns.arrow", "columns.feather"]) {
      const whole = await readFile(fixture(name));
      for (let i = 0; i < 150; i++) {
        const bytes = Uint8Array.from(whole);
        const at = (i * 7919) % bytes.length;
        if (i % 3 === 0) bytes.fill(255, at, at + 4);
        else bytes[at] = bytes[at]! ^ (1 << (i % 8));
        const path = await write(`changed.${name.split(".")[1]}`, i % 5 === 4 ? bytes.subarray(0, at) : bytes);
        const said = await opened(path, { missing: "drop" }).then(
          ({ description }) => description,
          (error: Error) => {
            expect(error.message.startsWith(path), error.stack).toBe(true);
            expect(error.message.split(`${path}: `), error.message).toHaveLength(2);
            expect(error.message).not.toContain("syntax error");
            return error.message;
          },
        );
        expect(said).not.toContain("\n");
      }
    }
  }, 60_000);
});

describe("a .duckdb file", () => {
  async function database(name: string, ...statements: string[]): Promise<string> {
    const path = join(folder, name);
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    for (const statement of statements) await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    return path;
  }
  const rows = "create table pumps as select 'p' || i as id, i as a, {'lat': i / 2} as at from range(3) t(i)";

  test("with one table is that table", async () => {
    const found = await opened(await database("one.duckdb", rows));
    expect([found.names, found.numbers, found.ids]).toEqual([
      ["a", "at.lat"],
      [0, 0, 1, 0.5, 2, 1],
      ["p0", "p1", "p2"],
    ]);
  });

  test("with several asks which; its views are not run", async () => {
    const path = await database(
      "two.duckdb",
      rows,
      "create table other as select 7 as x",
      "create view v as select 1 as y",
    );
    await expect(opened(path)).rejects.toThrow(
      "which of its tables holds the rows? it has other, pumps; name it with --table (table)",
    );
    expect((await opened(path, { table: "other" })).numbers).toEqual([7]);
    await expect(opened(path, { table: "v" })).rejects.toThrow(
      "table must name one of its tables, got 'v'; it has other, pumps",
    );
    await expect(opened(await database("views.duckdb", "create view v as select 1 as y"))).rejects.toThrow(
      "has no table (views are queries, and are not run)",
    );
  });

  test("with formulas for columns is not read, since they would run", async () => {
    const formula = "create table t(a double, b double generated always as (length(repeat('x', a::bigint))) virtual)";
    const path = await database("formulas.duckdb", formula, "insert into t(a) select i from range(9) r(i)");
    await expect(opened(path)).rejects.toThrow("its table t has generated columns, which are formulas and are not run");
  });

  test("with types deep inside each other is refused, and names with brackets are only names", async () => {
    const nested = (depth: number): string => `${"struct(a ".repeat(depth)}integer${")".repeat(depth)}`;
    const deep = await database(
      "deep.duckdb",
      "set max_expression_depth = 10000",
      `create table t(a double, b ${nested(200)})`,
    );
    await expect(opened(deep)).rejects.toThrow(
      "deep.duckdb: columns must not be nested deeper than 128 values, got 200",
    );
    const lists = await database(
      "lists.duckdb",
      "set max_expression_depth = 10000",
      `create table t(a double, b integer${"[]".repeat(200)})`,
    );
    await expect(opened(lists)).rejects.toThrow("columns must not be nested deeper than 128 values, got 200");
    const named = `create table t as select i as a, {'${"(".repeat(300)}': i} as b from range(3) r(i)`;
    expect((await opened(await database("named.duckdb", named))).numbers).toEqual([0, 0, 1, 1, 2, 2]);
  });

  test("is not changed, and refused in a sentence where it is damaged", async () => {
    const path = await database("whole.duckdb", rows);
    const before = await readFile(path);
    await opened(path);
    expect(await readFile(path)).toEqual(before);
    const damaged = Uint8Array.from(before);
    damaged.fill(7, 4096, 4200);
    const error: Error = await opened(await write("damaged.duckdb", damaged)).then(
      () => expect.fail("must be refused"),
      (reason) => reason,
    );
    expect(error.message).toMatch(/^\S*damaged\.duckdb: [^\n]*$/);
  });
});

test.each<[string, string, string]>([
  ["SQLite", "a.sqlite", "SQLite format 3\0"],
  ["Feather's first version", "a.feather", "FEA1"],
  ["a PDF", "a.pdf", "%PDF-1.7"],
])("%s is named, and what to do", async (_, name, start) => {
  await expect(opened(await write(name, start))).rejects.toThrow(/ is an? /);
});

test("a zero in the name of a column ends no statement", async () => {
  const bytes = Buffer.from(await readFile(fixture("columns.arrow")));
  for (let at = bytes.indexOf("small"); at >= 0; at = bytes.indexOf("small", at + 1)) bytes[at + 2] = 0;
  expect((await opened(await write("zero.arrow", bytes), { missing: "drop" })).names[0]).toBe("smll");
});

test("table is for files that have several", async () => {
  await expect(opened(await write("t.csv", "a\n1\n"), { table: "x" })).rejects.toThrow(
    "table names a sheet of an .xlsx file or a table of a .duckdb file; leave it out",
  );
});

test("Postgres needs an extension, which is not downloaded; without it there is a way, and no password is kept", async () => {
  await expect(opened("postgres://me:secret@localhost/db")).rejects.toThrow("must not have the password in it");
  await expect(opened("postgres://localhost:1/db", { table: "rows" })).rejects.toThrow(
    /needs DuckDB's extension postgres.*\| telltale fit -|onnect/,
  );
});
