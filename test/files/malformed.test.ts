/** Whatever is wrong with a file: one line that says so, and nothing left behind. */
import { chmod, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenOptions, openRows } from "../../src/files/openRows.ts";
import { encodeNpy } from "../../src/formats/npy.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { folder, parquet, write } from "./folder.ts";

const npy = encodeNpy(fromNumbers("float32", [2, 3], [1, 2, 3, 4, 5, 6]));
const idx = Uint8Array.of(0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4);
const npz = zipSync({ "x.npy": npy });
const table = "a,b\n1,2\n3,4\n";
const long = `a,b\n${Array.from({ length: 5000 }, (_, i) => `${i},${Math.sin(i)}`).join("\n")}\n`;

const npyHeader = (text: string): Uint8Array => {
  const bytes = Uint8Array.from(`\x93NUMPY\x01\x00\x00\x00${text}`, (c) => c.charCodeAt(0));
  new DataView(bytes.buffer).setUint16(8, text.length, true);
  return bytes;
};
const changed = (bytes: Uint8Array, at: number, ...values: number[]): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  copy.set(values, at);
  return copy;
};
/** The size of the first entry once unpacked, as the central directory promises it. */
const promising = (bytes: Uint8Array, size: number): Uint8Array => {
  const at = Buffer.from(bytes).indexOf("PK\x01\x02", 0, "latin1") + 24;
  return changed(bytes, at, size & 255, (size >> 8) & 255, (size >> 16) & 255, (size >>> 24) & 255);
};

type Case = [what: string, name: string, content: string | Uint8Array, message: string, options?: OpenOptions];

const cases: Case[] = [
  // Tables of text
  ["an empty CSV", "1.csv", "", "the file is empty"],
  ["a header alone", "2.csv", "a,b\n", "has 2 columns and no rows"],
  [
    "blank lines alone",
    "3.csv",
    "\n\n\n",
    "needs at least one column to learn from, and has column0 (ignored: has no values)",
  ],
  ["a short row", "4.csv", "a,b,c\n1,2,3\n4,5\n", "line 3 must have 3 values as the first line has, it has 2: 4,5"],
  ["a long row", "5.csv", "a,b\n1,2\n3,4\n5,6,7\n", "line 4 must have 2 values as the first line has, it has 3: 5,6,7"],
  ["a short row far down", "6.csv", `${long}7\n${long.slice(4)}`, "line 5002 must have 2 values"],
  [
    "a title above the header",
    "7.csv",
    "Sales 2024\na,b\n1,2\n",
    "line 2 must have 1 values as the first line has, it has 2",
  ],
  ["an open quote", "8.csv", 'a,b\n1,"2\n3,4\n', 'line 2: a quote (") is opened and never closed'],
  [
    "a word among numbers",
    "9.csv",
    "a,b\n1,2\n3,oops\n5,6\n",
    "column b must be numbers, 1 of 3 values are not, the first in row 1: oops",
  ],
  [
    "a word far down",
    "10.csv",
    `${long.repeat(5).replaceAll("\na,b", "")}1,oops\n`,
    'column b must be numbers as in the lines before, got "oops"',
  ],
  [
    "only text",
    "11.csv",
    "a,b\nx,y\nz,w\n",
    "needs at least one column to learn from, and has a (text: 2 different texts in 2 rows",
  ],
  ["NaN", "12.csv", "a,b\n1,NaN\n2,3\n", "1 value is missing, the first in row 0, column b"],
  ["an empty cell", "13.csv", "a,b\n1,2\n,3\n", "1 value is missing, the first in row 1, column a"],
  [
    "infinity",
    "14.csv",
    "a,b\n1,2\n3,inf\n",
    "every number must be finite and below 3.4e38, got a larger one in row 1, column b",
  ],
  ["minus infinity", "15.csv", "a,b\n-inf,2\n1,3\n", "row 0, column a"],
  ["a number beyond float32", "16.csv", "a\n1e300\n", "below 3.4e38"],
  [
    "a column without values, its mean wanted",
    "17.csv",
    "a,b\n1,\n2,\n",
    "column b has no values at all, so it has no mean; leave it out",
    { missing: "mean", columns: ["b"] },
  ],
  [
    "nothing left after dropping",
    "18.csv",
    "a,b\n1,\n,2\n",
    "every one of its 2 rows has a missing value",
    { missing: "drop" },
  ],
  ["zero bytes", "19.csv", new Uint8Array(100), "19.csv"],
  ["bytes that are no text", "20.csv", Uint8Array.of(97, 44, 98, 10, 0x81, 0x8d, 44, 49, 10), "must be text in UTF-8"],
  ["gzip that is cut short", "23.csv.gz", gzipSync(long).subarray(0, 9000), "the gzip data is damaged or cut short"],
  ["gzip cut in its header", "24.csv.gz", gzipSync(table).subarray(0, 5), "24.csv.gz"],
  ["gzip with a wrong byte", "25.csv.gz", changed(gzipSync(long), 3000, 1, 2, 3, 4, 5), "the gzip data is damaged"],
  [
    "gzip with a wrong checksum",
    "26.csv.gz",
    changed(gzipSync(table), gzipSync(table).length - 8, 1, 2, 3, 4),
    "the gzip data is damaged",
  ],
  ["gzip of nothing", "27.csv.gz", gzipSync(""), "the file is empty once unpacked"],
  [
    "JSON that breaks off",
    "28.jsonl",
    '{"a":1}\n{"a":2',
    "28.jsonl: the JSON is damaged or cut short at line 3, byte 7: ",
  ],
  ["no JSON", "29.jsonl", "hello\n", "29.jsonl: the JSON is damaged or cut short at line "],
  ["an empty JSON file", "30.jsonl", "", "the file is empty"],
  ["JSON of blank lines", "31.jsonl", "\n\n", "no rows"],
  ["JSON objects without numbers", "32.jsonl", '{"a":"x"}\n{"a":"y"}\n', "needs at least one column"],
  [
    "a JSON key that is sometimes missing",
    "33.jsonl",
    '{"a":1,"b":2}\n{"a":3}\n',
    "1 value is missing, the first in row 1, column b",
  ],
  [
    "JSON vectors of two lengths",
    "34.jsonl",
    '{"v":[1,2]}\n{"v":[3]}\n',
    "the vectors of column v must have one length, got up to 2 numbers, and 1 in row 1",
  ],
  ["JSON vectors of no length", "35.jsonl", '{"a":1,"v":[]}\n{"a":1,"v":[]}\n', "35.jsonl", { columns: ["v"] }],
  [
    "a word among JSON numbers",
    "36.jsonl",
    '{"a":1}\n{"a":2}\n{"a":"x"}\n',
    "column a must be numbers, 1 of 3 values are not",
  ],
  // Options
  ["an unknown column", "40.csv", table, 'columns must name columns of it, got "c"; it has a, b', { columns: ["c"] }],
  ["an unknown id", "41.csv", table, 'id must name columns of it, got "c"', { id: "c" }],
  ["everything ignored", "42.csv", table, "needs at least one column", { ignore: ["a", "b"] }],
  [
    "an unknown way with missing values",
    "43.csv",
    table,
    'missing must be "mean", "drop" or numbers by column, got "median"',
    { missing: "median" as "mean" },
  ],
  [
    "no number for a column",
    "44.csv",
    "a,b\n1,\n",
    "missing must give a finite number for column a, got undefined",
    { missing: { c: 1 } },
  ],
  [
    "too many categories",
    "45.csv",
    `t,a\n${Array.from({ length: 1300 }, (_, i) => `w${i},1`).join("\n")}\n`,
    "encode gathers texts of which some repeat, of t none does often enough (1300 values in 1300 rows)",
    { encode: ["t"] },
  ],
  [
    "half a number of memory",
    "46.csv",
    table,
    "memory must be a whole number of megabytes from 64, got 0.5",
    { memory: 0.5 },
  ],
  ["a negative size", "47.csv", table, "inMemory must be a whole number from 0, got -1", { inMemory: -1 }],
  [
    "columns of an array",
    "48.npy",
    npy,
    "--columns needs columns with names, which an array (npy) does not have",
    { columns: ["a"] },
  ],
  ["an array of a .npy", "49.npy", npy, "array names one of several in a .npz file", { array: "x" }],
  // Queries
  ["two queries", "50", "", "sql must be one query that only reads", { sql: "select 1; select 2" }],
  [
    "a query that writes",
    "51",
    "",
    "sql must be one query that only reads",
    { sql: `copy (select 1) to '${folder}/stolen.csv'` },
  ],
  ["a query that sets", "52", "", "sql must be one query that only reads", { sql: "set threads = 4" }],
  ["a query that installs", "53", "", "sql must be one query that only reads", { sql: "install httpfs" }],
  ["a query with a slip", "54", "", "syntax error", { sql: "selct 1" }],
  ["an empty query", "55", "", "sql must be one query", { sql: "  " }],
  [
    "a query of a file that is not there",
    "56",
    "",
    "No files found",
    { sql: `select * from '${folder}/none.parquet'` },
  ],
  ["a query of a table that is not there", "57", "", "nothing", { sql: "select * from nothing" }],
  [
    "a query of the network",
    "58",
    "",
    "only local files are read, and nothing is downloaded",
    { sql: "select * from 'https://example.com/a.parquet'" },
  ],
  ["a query without rows", "59", "", "has 1 columns and no rows", { sql: "select 1 a where false" }],
  ["a query that divides by a word", "60", "", "60", { sql: "select 'x'::int a" }],
  // Arrays
  ["an empty .npy", "70.npy", "", "the file is empty"],
  ["a .npy that is something else", "71.npy", "a,b\n1,2\n", "npy: the file does not start like a .npy file"],
  ["a .npy cut in its header", "72.npy", npy.subarray(0, 20), "npy: the file is cut short in its header"],
  ["a .npy cut in its data", "73.npy", npy.subarray(0, npy.length - 3), "needs 24 bytes of data, the file has 21"],
  [
    "a .npy with a huge shape",
    "74.npy",
    npyHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999, 99999999), }"),
    "a row can have up to 4194304 numbers, got shape [99999999,99999999]",
  ],
  [
    "a .npy of objects",
    "75.npy",
    npyHeader("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"),
    "the element type must be one of",
  ],
  [
    "a .npy of one axis",
    "76.npy",
    encodeNpy(fromNumbers("float32", [3], [1, 2, 3])),
    "needs rows of at least one number each, got shape [3]; a single column is [3,1]",
  ],
  [
    "a .npy without rows",
    "77.npy",
    encodeNpy(fromNumbers("float32", [0, 3], [])),
    "needs rows of at least one number each, got shape [0,3]",
  ],
  ["a .npy of five axes", "78.npy", encodeNpy(fromNumbers("float32", [1, 1, 1, 1, 1], [1])), "up to 3 axes"],
  [
    "a .npy with NaN",
    "79.npy",
    encodeNpy(fromNumbers("float32", [1, 2], [1, Number.NaN])),
    "1 value is missing, the first in row 0, column 1",
  ],
  [
    "a .npy with a number that is not finite",
    "80.npy",
    encodeNpy(fromNumbers("float32", [1, 2], [1, Number.POSITIVE_INFINITY])),
    "every number must be finite and below 3.4e38, got a larger one in row 0, column 1",
  ],
  [
    "a packed .npy that unpacks to more than its header says",
    "81.npy.gz",
    gzipSync(Buffer.concat([npy, Buffer.alloc(1000)])),
    "unpacks to more than the 152 bytes that it announces",
  ],
  [
    "a .npy in which every row lacks a value",
    "81.npy",
    encodeNpy(fromNumbers("float32", [1, 2], [1, Number.NaN])),
    "every one of its 1 rows has a missing value",
    { missing: "drop" },
  ],
  [
    "a .npy in which a column has no values",
    "82.npy",
    encodeNpy(fromNumbers("float32", [1, 2], [1, Number.NaN])),
    "column 1 has no values at all, so it has no mean",
    { missing: "mean" },
  ],
  [
    "a packed .npy that is cut short",
    "82.npy.gz",
    gzipSync(npy).subarray(0, gzipSync(npy).length - 9),
    "the gzip data is damaged or cut short",
  ],
  ["a .npz that is cut short", "83.npz", npz.subarray(0, npz.length - 30), "the zip data is damaged or cut short"],
  ["a .npz cut to its start", "84.npz", npz.subarray(0, 20), "the zip data is damaged or cut short"],
  ["a .npz that promises 4 GB", "85.npz", promising(npz, 0xfffffff0), "the zip data is damaged or cut short"],
  ["a .npz with damaged data", "87.npz", changed(npz, 45, 255, 255, 255, 255, 255), "87.npz"],
  [
    "a .npz without arrays",
    "88.npz",
    zipSync({ "a.txt": Uint8Array.of(1) }),
    "which of its arrays holds the rows? it has none",
  ],
  [
    "a .npz with several",
    "89.npz",
    zipSync({ "p.npy": npy, "q.npy": npy }),
    "which of its arrays holds the rows? it has p, q; name it with --array",
  ],
  ["a .npz without the one named", "90.npz", npz, 'array must name one in the file, got "z"; it has x', { array: "z" }],
  [
    "a .npz with labels for other rows",
    "91.npz",
    zipSync({ "x.npy": npy, "y.npy": encodeNpy(fromNumbers("float32", [3], [1, 2, 3])) }),
    "has 2 rows, and labels for 3; there must be one for each",
  ],
  ["a .npz that is something else", "92.npz", "hello", "92.npz"],
  ["an IDX cut in its header", "93.idx", idx.subarray(0, 9), "idx: the file is cut short in its header"],
  ["an IDX cut in its data", "94.idx", idx.subarray(0, 15), "idx: shape [2,2] needs 4 bytes of data, the file has 3"],
  ["an IDX with more than it says", "95.idx", Uint8Array.of(...idx, 1), "needs 4 bytes of data, the file has 5"],
  [
    "an IDX with a huge shape",
    "96.idx",
    changed(idx, 4, 255, 255, 255, 255, 255, 255, 255, 255),
    "a row can have up to 4194304 numbers, got shape [4294967295,4294967295]",
  ],
  [
    "an IDX of an unknown type",
    "97.idx",
    changed(idx, 2, 7),
    "idx: the element type must be one of 8 9 11 12 13 14, got 7",
  ],
  ["an IDX that is something else", "98.idx", "hello", "idx: the file does not start like an IDX file"],
  [
    "an IDX of labels alone",
    "99.idx",
    Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 2, 1, 2),
    "needs rows of at least one number each, got shape [2]",
  ],
  // Names
  ["an unknown name", "a.docx", "hello", "it must be one of .csv .tsv .txt .jsonl (also with .gz), .parquet .xlsx"],
  ["no name", "noname", "1,2\n3,4\n", "neither its name nor its first bytes tell what it is; it must be one of .csv"],
  ["a .csv that is Parquet", "b.csv", "PAR1....", "is named like csv, but starts like parquet; rename it"],
  [
    "a .csv that is a picture",
    "e.csv",
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    "is a picture, and no table; pictures are read from a folder",
  ],
  ["a .csv that is a zip file", "f.csv", zipSync({ "a.csv": Uint8Array.of(1) }), "is a zip file, and neither"],
  ["a .zip without arrays or sheets", "g.zip", zipSync({ "a.csv": Uint8Array.of(1) }), "is a zip file, and neither"],
  ["an .xlsx that is a cut zip file", "h.xlsx", "PK\x03\x04xxxx", "h.xlsx: the zip data is damaged or cut short"],
  ["a .gz cut before anything", "i.csv.gz", gzipSync("a,b\n1,2\n").subarray(0, 14), "the gzip data is damaged or cut"],
  ["a .gz of nothing", "j.csv.gz", gzipSync(""), "the file is empty once unpacked"],
  ["a .parquet that is cut short", "k.parquet", "PAR1xxxxxxxxxxxxPAR1", "the Parquet data is damaged or cut short ("],
  ["a .parquet that is CSV", "c.parquet", table, "does not start like a Parquet file (PAR1)"],
  ["a packed .parquet", "d.parquet.gz", gzipSync("PAR1....PAR1"), "is not read through gzip; unpack it with gunzip"],
];

// What is put aside while reading goes here, and must be gone at the end.
const aside = join(folder, "aside");
beforeAll(async () => {
  await mkdir(aside);
  process.env.TMPDIR = aside;
});
afterAll(async () => {
  expect(await readdir(aside)).toEqual([]);
});

/** One line, beginning with whose fault it is, without the words of a program. */
async function refused(source: string, message: string, options?: OpenOptions): Promise<void> {
  const error = await openRows(source, options).then(
    () => new Error("it was opened"),
    (reason: unknown) => reason as Error,
  );
  expect(error.message).toContain(message);
  expect(error.message).not.toMatch(/\n|undefined is|Error:|strict_mode|LINE 1|\p{Cc}/u);
  expect(error.message.length).toBeLessThan(450);
  expect(error.message.startsWith(source) || error.message.startsWith("data: ")).toBe(true);
}

test("there are at least 60 cases, each with a file of its own", () => {
  expect(new Set(cases.map(([, name]) => name)).size).toBe(cases.length);
  expect(cases.length).toBeGreaterThan(60);
});

test.each(cases)("%s", async (_, name, content, message, options) => {
  await refused(await write(`bad/${name}`, content), message, options);
});

test("Parquet: cut short, damaged, and with a footer of 4 GB", async () => {
  const path = await parquet("good.parquet", "select i a, i b from range(1000) t(i)");
  const bytes = await readFile(path);
  await refused(await write("cut.parquet", bytes.subarray(0, 500)), "No magic bytes found at end of file");
  await refused(await write("short.parquet", bytes.subarray(0, 4)), "too small to be a Parquet file");
  await refused(await write("footer.parquet", changed(bytes, bytes.length - 8, 255, 255, 255, 255)), "footer.parquet");
  for (let at = 4; at < bytes.length - 8; at += 97) {
    // A byte that is wrong may still be a table: what counts is that nothing else happens than one of the two.
    const damaged = await write(`damaged${at}.parquet`, changed(bytes, at, bytes[at]! ^ 255, 255, 7));
    await openRows(damaged).catch((error: Error) => expect(error.message).not.toMatch(/\n/));
  }
});

test("files that are not there, or not to be read", async () => {
  await refused(join(folder, "none.csv"), "there is no such file");
  await refused(join(folder, "none"), "there is no such file");
  await refused(
    join(await write("file.csv", table), "below"),
    "cannot be read (a part of its path is a file, not a folder)",
  );
  const locked = await write("locked.csv", table);
  await chmod(locked, 0);
  if (process.getuid?.() !== 0) await refused(locked, "cannot be read (not allowed)");
});

test("standard input that is empty, ragged, or breaks off", async () => {
  const from = (text: string): OpenOptions => ({
    input: (async function* () {
      yield Buffer.from(text);
    })(),
  });
  await expect(openRows("-", from(""))).rejects.toThrow("standard input: the file is empty");
  await expect(openRows("-", from("a,b\n1\n"))).rejects.toThrow("standard input: line 2 must have 2 values");
  const input = (async function* () {
    yield Buffer.from(table);
    throw new Error("the pipe broke");
  })();
  await expect(openRows("-", { input })).rejects.toThrow("standard input: cannot be read (the pipe broke)");
});

test("folders: without images, with one that is none, with one that is cut short, with a wrong size", async () => {
  await mkdir(join(folder, "empty"));
  await refused(join(folder, "empty"), "a folder must have images (png, jpg, webp, gif, tiff, avif) in it");
  await write("texts/a.txt", "hello");
  await refused(join(folder, "texts"), "a folder must have images");
  await write("fake/a.png", "hello");
  await refused(join(folder, "fake"), "a.png: the image cannot be read");
  const image = await sharp(Buffer.from(Array.from({ length: 3072 }, (_, i) => (i * 7919) % 251)), {
    raw: { width: 32, height: 32, channels: 3 },
  })
    .png()
    .toBuffer();
  await write("torn/a.png", image.subarray(0, image.length / 2));
  await refused(join(folder, "torn"), "a.png: the image cannot be read");
  await write("fine/a.png", image);
  await refused(join(folder, "fine"), "--image-size (imageSize) must be a whole number from 1 to 4096, got 0", {
    imageSize: 0,
  });
});

test("images that cannot be read are skipped, counted and listed, in memory and streamed, unless they are too many", async () => {
  const image = await sharp(Buffer.alloc(48, 200), { raw: { width: 4, height: 4, channels: 3 } })
    .png()
    .toBuffer();
  for (const name of ["b", "d", "e"]) await write(`some/${name}.png`, image);
  await write("some/a.png", "hello");
  await write("some/c.png", image.subarray(0, image.length - 30));
  for (const inMemory of [undefined, 0]) {
    const { data, ids, description } = await openRows(join(folder, "some"), inMemory === undefined ? {} : { inMemory });
    const names: string[] = [];
    for await (const batch of ids!.inOrder(10)) names.push(...batch.flat());
    expect(names).toEqual(["b.png", "d.png", "e.png"]);
    expect(data.count).toBe(3);
    for await (const { x } of data.inOrder(10)) expect(x.data.every((value) => value === 200)).toBe(true);
    expect(description).toBe(
      "using 3 color images of 4×4, id = file; skipping 2 of 5 images that cannot be read (a.png, c.png)",
    );
  }
  await write("some/f.png", "hello");
  await write("some/g.png", "hello");
  await refused(join(folder, "some"), "4 of its 7 images cannot be read, which is too many; the first is ");
});
