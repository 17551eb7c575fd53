/** Tables that are none: CSV, JSON lines, Parquet, and what is packed. */

import { gzipSync } from "node:zlib";
import { Random } from "../../../src/tensor/random.ts";
import { changed, type Malformed, pick, someBytes, unfit } from "./input.ts";

type Table = string[][];

/** Names, and rows of numbers. */
function table(random: Random): Table {
  const columns = 2 + random.below(4);
  const rows = 6 + random.below(40);
  const numbers = Array.from({ length: rows }, () =>
    Array.from({ length: columns }, () => (10 * random.uniform() - 5).toFixed(1 + random.below(5))),
  );
  return [Array.from({ length: columns }, (_, i) => `column${i}`), ...numbers];
}

function csv(rows: Table, separator = ","): string {
  return rows.map((row) => `${row.join(separator)}\n`).join("");
}

/** The table with something else in one cell of one row. */
function withCell(rows: Table, random: Random, cell: (old: string) => string): Table {
  const [row, column] = [1 + random.below(rows.length - 1), random.below(rows[0]!.length)];
  return rows.map((cells, r) => cells.map((old, c) => (r === row && c === column ? cell(old) : old)));
}

function withRow(rows: Table, random: Random, row: (old: string[]) => string[]): Table {
  const at = 1 + random.below(rows.length - 1);
  return rows.map((cells, r) => (r === at ? row(cells) : cells));
}

const fuzzedCsv: Readonly<Record<string, (random: Random) => string | Uint8Array>> = {
  "a short row": (random) => csv(withRow(table(random), random, (cells) => cells.slice(1))),
  "a long row": (random) =>
    csv(
      withRow(table(random), random, (cells) => [...cells, "1"]),
      pick(random, [",", ";", "\t"]),
    ),
  "an open quote": (random) => csv(withCell(table(random), random, (old) => `"${old}`)),
  "a quote in the middle": (random) => csv(withCell(table(random), random, (old) => `"${old}" x`)),
  "a zero byte": (random) => csv(withCell(table(random), random, (old) => `${old}\0`)),
  "a control character": (random) => csv(withCell(table(random), random, (old) => `${old}\x1b[31m`)),
  "a word among numbers": (random) =>
    csv(
      withCell(table(random), random, () =>
        pick(random, ["oops", "twelve", "1,5".replace(",", "_"), "--", "0x1f", "1 2"]),
      ),
    ),
  "a missing value": (random) =>
    csv(withCell(table(random), random, () => pick(random, ["", "NaN", "NA", "null", "?"]))),
  "an endless number": (random) =>
    csv(withCell(table(random), random, () => pick(random, ["inf", "-inf", "1e300", "Infinity"]))),
  "a huge word": (random) => csv(withCell(table(random), random, () => "word".repeat(20_000))),
  "names alone": (random) => csv(table(random).slice(0, 1)),
  "words alone": (random) => csv(table(random).map((row) => row.map((cell) => `w${cell}`))),
  "bytes that are no text": (random) => {
    const bytes = Buffer.from(csv(table(random)));
    return changed(bytes, random.below(bytes.length - 2), 0xff, 0xfe);
  },
  "UTF-16 that is cut short": (random) =>
    Buffer.from(`${pick(random, ["", "\ufeff"])}${csv(table(random))}`, "utf16le").subarray(0, -1),
  "UTF-16, the other way round, that is cut short": (random) =>
    Buffer.from(`\ufeff${csv(table(random))}`, "utf16le")
      .swap16()
      .subarray(0, -1),
  "Latin-1": (random) => Buffer.from(csv(withCell(table(random), random, () => "caf\xe9")), "latin1"),
  junk: (random) => someBytes(50 + random.below(3000), random),
};

/** Each kind of damage, `each` times. */
function fuzzed(
  kinds: Readonly<Record<string, (random: Random) => string | Uint8Array>>,
  name: string,
  each: number,
): Malformed[] {
  return Object.entries(kinds).flatMap(([what, make]) =>
    Array.from({ length: each }, (_, seed) => unfit(`${what} (${seed})`, name, make(Random.seeded(seed).fork(what)))),
  );
}

const rows = (n: number, row: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => `${row(i)}\n`).join("");

const otherCsv: Malformed[] = [
  unfit("an empty file", "a.csv", ""),
  unfit("one line break", "a.csv", "\n"),
  unfit("blanks", "a.csv", "   \n  \n"),
  unfit("separators alone", "a.csv", ",,,\n,,,\n"),
  unfit("a mark and no text", "a.csv", "\ufeff"),
  unfit("a row of 3 MB", "a.csv", `a,b\n1,2\n${"9".repeat(3_000_000)},4\n`),
  unfit("a name of 3 MB", "a.csv", `${"n".repeat(3_000_000)},b\n1,2\n3,4\n`),
  unfit("a name of 1 MB above words", "a.csv", `${"n".repeat(1_000_000)},b\nx,y\nz,w\n`),
  unfit(
    "a thousand columns of words",
    "a.csv",
    `${rows(3, () => Array.from({ length: 1000 }, (_, i) => `word${i}`).join())}`,
  ),
  unfit(
    "a thousand names and a row of one",
    "a.csv",
    `${Array.from({ length: 1000 }, (_, i) => `name${i}`).join()}\n1\n2\n`,
  ),
  unfit("a word far down", "a.csv", `a,b\n${rows(30_000, (i) => `${i},${i / 7}`)}1,oops\n`),
  unfit("a short row far down", "a.csv", `a,b\n${rows(30_000, (i) => `${i},${i / 7}`)}1\n`),
  unfit("a quote that opens far down", "a.csv", `a,b\n${rows(30_000, (i) => `${i},${i / 7}`)}1,"2\n3,4\n`),
  unfit("one row for two clusters", "a.csv", "a,b\n1,2\n"),
  unfit("only ids", "a.csv", `id\n${rows(9, String)}`),
  unfit("only labels", "a.csv", `label\n${rows(9, String)}`),
  unfit("a web page", "a.csv", "<!DOCTYPE html>\n<html><body><p>404, not found</p></body></html>\n"),
  unfit("JSON", "a.csv", '{"a":1,"b":2}\n{"a":3,"b":4}\n'),
];

const fuzzedJson: Readonly<Record<string, (random: Random) => string | Uint8Array>> = {
  "an object that breaks off": (random) => {
    const text = objects(random);
    return text.slice(0, text.length - 2 - random.below(6));
  },
  "a line that is none": (random) => inserted(random, pick(random, ["hello", "}", '{"a"', "[1,2", "{'a':1}", "{a:1}"])),
  "a list among objects": (random) => inserted(random, "[1,2,3]"),
  "a number among objects": (random) => inserted(random, "17"),
  "other keys": (random) => inserted(random, '{"other":1}'),
  "a word for a number": (random) => inserted(random, '{"a":"oops","b":2}'),
  "null for a number": (random) => inserted(random, '{"a":null,"b":2}'),
  "an object for a number": (random) => inserted(random, '{"a":{"x":{"y":1}},"b":2}'),
  "vectors of other lengths": (random) => objects(random, (i) => ({ v: Array.from({ length: 1 + (i % 3) }, () => i) })),
  "objects alone": (random) => objects(random, (i) => ({ a: { deep: { deeper: `w${i}` } } })),
  "lists of words": (random) => objects(random, (i) => ({ v: [`w${i}`, "x"] })),
};

function objects(
  random: Random,
  object: (i: number) => object = () => ({ a: random.uniform(), b: random.below(9) }),
): string {
  return rows(5 + random.below(20), (i) => JSON.stringify(object(i)));
}

/** Objects, with a line of something else among them. */
function inserted(random: Random, line: string): string {
  const lines = objects(random).trimEnd().split("\n");
  lines.splice(1 + random.below(lines.length - 1), 0, line);
  return `${lines.join("\n")}\n`;
}

const otherJson: Malformed[] = [
  unfit("no JSON at all", "a.jsonl", "hello\n"),
  unfit("an empty object", "a.jsonl", "{}\n{}\n"),
  unfit("an empty list", "a.json", "[]"),
  unfit("a list that breaks off", "a.json", '[{"a":1,"b":2},{"a":3,'),
  unfit("a very deep list", "a.jsonl", `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}\n`),
  unfit("a very long word", "a.jsonl", `{"a":"${"x".repeat(2_000_000)}"}\n`),
  unfit("a vector of half a million numbers", "a.jsonl", `{"a":[${"1,".repeat(500_000)}1]}\n`),
  unfit("no text", "a.jsonl", Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d, 0x0a)),
  unfit("CSV", "a.jsonl", "a,b\n1,2\n"),
];

/** What is packed, and what only looks like it. */
function packed(): Malformed[] {
  const good = gzipSync(`a,b\n${rows(500, (i) => `${i},${i * i}`)}`);
  const random = Random.seeded(5);
  return [
    unfit("gzip cut in its header", "a.csv.gz", good.subarray(0, 6)),
    unfit("gzip cut in its data", "a.csv.gz", good.subarray(0, 400)),
    unfit("gzip cut before its checksum", "a.csv.gz", good.subarray(0, good.length - 8)),
    unfit("gzip with a wrong checksum", "a.csv.gz", changed(good, good.length - 6, 1, 2)),
    unfit("gzip with a wrong length", "a.csv.gz", changed(good, good.length - 2, 7, 7)),
    unfit("gzip and then junk", "a.csv.gz", Buffer.concat([good, someBytes(100, random)])),
    unfit("gzip of nothing", "a.csv.gz", gzipSync("")),
    unfit("gzip of gzip", "a.csv.gz", gzipSync(good)),
    unfit("gzip of junk", "a.jsonl.gz", gzipSync(someBytes(500, random))),
    unfit("text named .gz", "a.csv.gz", "a;b\n1;2;3\n"),
    unfit("gzip under a name that says nothing", "a.bin", good),
    unfit("JSON cut in its gzip", "a.jsonl.gz", gzipSync(objects(random)).subarray(0, 40)),
  ];
}

export function malformedTables(parquet: Uint8Array): Malformed[] {
  const [end, random] = [parquet.length, Random.seeded(6)];
  return [
    ...fuzzed(fuzzedCsv, "a.csv", 4),
    ...otherCsv,
    ...fuzzed(fuzzedJson, "a.jsonl", 2),
    ...otherJson,
    ...packed(),
    unfit("an empty Parquet file", "a.parquet", ""),
    unfit("Parquet's mark alone", "a.parquet", "PAR1"),
    unfit("Parquet's marks and nothing between", "a.parquet", "PAR1PAR1"),
    unfit("Parquet without its end", "a.parquet", parquet.slice(0, end / 2)),
    unfit("Parquet without its last byte", "a.parquet", parquet.slice(0, end - 1)),
    unfit("a footer of 4 GB", "a.parquet", changed(parquet, end - 8, 255, 255, 255, 255)),
    unfit("a footer of no length", "a.parquet", changed(parquet, end - 8, 0, 0, 0, 0)),
    unfit("a footer of junk", "a.parquet", changed(parquet, end - 300, ...someBytes(290, random))),
    unfit(
      "Parquet of junk",
      "a.parquet",
      Buffer.concat([Buffer.from("PAR1"), someBytes(900, random), Buffer.from("PAR1")]),
    ),
    unfit("CSV named .parquet", "a.parquet", "a,b\n1,2\n"),
    unfit("Parquet named .csv", "a.csv", parquet),
    unfit("packed Parquet", "a.parquet.gz", gzipSync(parquet)),
  ];
}
