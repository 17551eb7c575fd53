/** Cells of CSV: read as what they were, and with a guard nothing that a spreadsheet would run. */

import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openOutput } from "../../src/files/output/openOutput.ts";
import { csvCell, guardedInQuery } from "../../src/text/csvCell.ts";
import { duckDb } from "../../src/text/sql.ts";
import { queried } from "../support/queried.ts";
import { name } from "../text/names.ts";

/** A cell as a reader of CSV has it. */
const read = (cell: string): string => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);

test("without a guard a cell is what it was", () => {
  fc.assert(fc.property(name, (cell) => void expect(read(csvCell(cell))).toBe(cell)));
});

test("with a guard no text begins a formula, and what begins none is what it was", () => {
  fc.assert(
    fc.property(name, (cell) => {
      const found = read(csvCell(cell, true));
      expect(found).not.toMatch(/^[=@\t\r\n＝＋－＠]|^[+-](?!\.?\d)/);
      expect([cell, `'${cell}`]).toContain(found);
    }),
  );
  const guarded = [
    "=1+1",
    "+a",
    "-a",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "-1+1",
    "+49 170",
    "＝1",
    "=cmd|' /C calc'!A0",
    "-",
    "--5",
  ];
  for (const cell of guarded) expect(read(csvCell(cell, true))).toBe(`'${cell}`);
  for (const cell of ["-5", "+5", "-5.25", "-.5", "-1e-7", "5", "a=1", "", "'=1"]) {
    expect(read(csvCell(cell, true))).toBe(cell);
  }
  expect([csvCell(-5, true), csvCell(null, true), csvCell(-0.5, true)]).toEqual(["-5", "", "-0.5"]);
});

test("the same by a query", async () => {
  // DuckDB's package takes a mark of byte order off the beginning of whatever it gives back.
  const cells = fc
    .sample(name, { numRuns: 300, seed: 3 })
    .filter((cell) => !cell.startsWith("\ufeff"))
    .concat(["=1", "-5", "-5.5e3", "-a", "+", "@", "＋1", "\n=", "\t"]);
  const list = cells.map(duckDb.text).join(", ");
  const found = await queried(`select ${guardedInQuery("c")} from (select unnest([${list}]) as c)`);
  expect(found.map(([cell]) => cell)).toEqual(cells.map((cell) => read(csvCell(cell, true))));
});

test("rows are exact in a pipe, and command nothing on a screen", async () => {
  const columns = [{ name: "i\u001b[31md", type: "text" }] as const;
  const written = async (isTTY: boolean): Promise<string> => {
    const stream = Object.assign(new PassThrough(), { isTTY });
    const output = await openOutput("csv", columns, { stream });
    await output.write([["a\u001b[2J\u202eb"], ["c"]]);
    await output.end();
    stream.end();
    return text(stream);
  };
  expect(await written(false)).toBe("i\u001b[31md\na\u001b[2J\u202eb\nc\n");
  expect(await written(true)).toBe("i [31md\na [2J\ufffdb\nc\n");
});

test("a guard is for CSV, header cells too", async () => {
  const stream = new PassThrough();
  const output = await openOutput("csv", [{ name: "=x", type: "text" }], { stream, guardFormulas: true });
  await output.write([["-5"], ["=1"]]);
  await output.end();
  stream.end();
  expect(await text(stream)).toBe("'=x\n-5\n'=1\n");
  await expect(openOutput("jsonl", [], { stream, guardFormulas: true })).rejects.toThrow("in csv only, got jsonl");
  await expect(openOutput("parquet", [], { out: "x", guardFormulas: true })).rejects.toThrow(
    "in csv only, got parquet",
  );
});
