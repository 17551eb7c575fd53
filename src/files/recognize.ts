/** What a file is, by its name and its first bytes. */

import { constants, gunzipSync } from "node:zlib";
import { own } from "../data/own.ts";
import { cannotRead, openRegular } from "../disk/regularFile.ts";
import { isGzip, latin1Text } from "../formats/bytes.ts";
import { type Encoding, utf16Of } from "./encoding.ts";

export type Format = "csv" | "json" | "parquet" | "xlsx" | "arrow" | "duckdb" | "npy" | "npz" | "idx";

export interface Recognized {
  readonly format: Format;
  readonly gzipped: boolean;
  /** The first bytes, unpacked. */
  readonly head: Uint8Array;
  /** Of a text whose first bytes tell. */
  readonly encoding?: Encoding;
}

/** An address of a database, and no file. */
export function isPostgres(source: string): boolean {
  return /^postgres(ql)?:\/\//i.test(source);
}

const extensions: Readonly<Record<string, Format>> = {
  csv: "csv",
  tsv: "csv",
  tab: "csv",
  txt: "csv",
  json: "json",
  jsonl: "json",
  ndjson: "json",
  parquet: "parquet",
  pq: "parquet",
  xlsx: "xlsx",
  xlsm: "xlsx",
  arrow: "arrow",
  arrows: "arrow",
  feather: "arrow",
  ipc: "arrow",
  duckdb: "duckdb",
  ddb: "duckdb",
  npy: "npy",
  npz: "npz",
  idx: "idx",
};
const known =
  ".csv .tsv .txt .jsonl (also with .gz), .parquet .xlsx .arrow .feather .duckdb, .npy .npz .idx, or a folder of images";
/** What is told apart from text: by a mark, each packs itself. */
const marked: readonly Format[] = ["parquet", "xlsx", "arrow", "duckdb", "npz"];

/** `name` is what people call the file; `path` is where its bytes are. Standard input has no name that tells. */
export async function recognize(path: string, name: string, hasName: boolean): Promise<Recognized> {
  const { first, last } = await endsOf(path, name, 1 << 16);
  if (first.length === 0) throw new RangeError(`${name}: the file is empty`);
  const gzipped = isGzip(first);
  const head = gzipped ? unpackedStart(first, name) : first;
  if (head.length === 0)
    throw new RangeError(`${name}: ${isWhole(first) ? "the file is empty once unpacked" : cutShort}`);
  if (gzipped && isGzip(head)) throw new TypeError(`${name}: is packed twice; unpack it once with gunzip`);

  const told = hasName ? formatNamed(name) : undefined;
  const encoding = utf16Of(head);
  const seen = encoding ? undefined : magicOf(head, told);
  if (told && seen && told !== seen) {
    throw new TypeError(`${name}: is named like ${told}, but starts like ${seen}; rename it`);
  }
  if (!seen) refuseKnown(name, head);
  const format = told ?? seen ?? (hasName ? undefined : textOf(head, encoding));
  if (!format)
    throw new TypeError(`${name}: neither its name nor its first bytes tell what it is; it must be one of ${known}`);
  if (marked.includes(format) && format !== "npz" && !seen) {
    throw new TypeError(`${name}: does not start like ${kinds[format]}: it is damaged, or something else`);
  }
  if (gzipped && marked.includes(format)) {
    throw new TypeError(`${name}: a ${format} file packs itself and is not read through gzip; unpack it with gunzip`);
  }
  if (format !== "csv" && format !== "json") return { format, gzipped, head };
  if (!encoding) checkText(name, gzipped ? [head] : [head, last]);
  return { format, gzipped, head, ...(encoding && { encoding }) };
}

/** Zeros are no text: files end in them where a disk has lost bytes, and all of them are read in search of a line. */
function checkText(name: string, ends: readonly Uint8Array[]): void {
  if (!ends.some((bytes) => bytes.includes(0))) return;
  throw new TypeError(`${name}: must be text in UTF-8, there are zero bytes in it; it is damaged, or something else`);
}

/** The format that a file is named like. */
export function formatNamed(name: string): Format | undefined {
  const [, extension = ""] = /\.([a-z0-9]+)(\.gz)?$/i.exec(name) ?? [];
  return own(extensions, extension.toLowerCase()) ?? (/idx[1-9]-ubyte(\.gz)?$/.test(name) ? "idx" : undefined);
}

const kinds: Readonly<Partial<Record<Format, string>>> = {
  parquet: "a Parquet file (PAR1)",
  xlsx: "an Excel workbook, which is a zip file",
  arrow: "an Arrow file or stream (ARROW1)",
  duckdb: "a database of DuckDB (DUCK)",
};

function magicOf(head: Uint8Array, told: Format | undefined): Format | undefined {
  const start = latin1Text(head.subarray(0, 12));
  if (start.startsWith("PAR1")) return "parquet";
  if (start.startsWith("\x93NUMPY")) return "npy";
  if (start.startsWith("PK\x03\x04") || start.startsWith("PK\x05\x06")) return zipOf(head, told);
  if (start.startsWith("ARROW1") || (start.startsWith("\xff\xff\xff\xff") && head[7] === 0)) return "arrow";
  if (start.slice(8) === "DUCK") return "duckdb";
  // Two zeros, an element type and a number of axes: no text begins with a zero byte.
  if (start.startsWith("\0\0") && [8, 9, 11, 12, 13, 14].includes(head[2]!) && head[3]! <= 4) return "idx";
  return undefined;
}

/** Which zip file it is, by the first file in it; where that does not tell, what the zip file is named like. */
function zipOf(head: Uint8Array, told: Format | undefined): Format | undefined {
  const first = latin1Text(head.subarray(30, 30 + head[26]! + 256 * head[27]!));
  if (/^(\[Content_Types\]\.xml|_rels\/|xl\/|docProps\/|customXml\/)/.test(first)) return "xlsx";
  if (first.endsWith(".npy")) return "npz";
  return told === "xlsx" || told === "npz" ? told : undefined;
}

/** Files that people have, how they begin, and what to do with them. */
const refused: readonly (readonly [start: readonly string[], why: string])[] = [
  [["\xd0\xcf\x11\xe0"], "is an old Excel file (.xls), or one with a password; save it as .xlsx without one"],
  [["FEA1"], "is a Feather file of the first version; save it anew, as pandas and Arrow do since 2020"],
  [
    ["SQLite format 3"],
    "is a database of SQLite; save a table of it as CSV: sqlite3 -csv -header FILE 'select * from TABLE'",
  ],
  [["\x28\xb5\x2f\xfd", "BZh", "\xfd7zXZ"], "is packed by zstd, bzip2 or xz; unpack it, or pack it with gzip"],
  [["PK\x03\x04", "PK\x05\x06"], "is a zip file, and neither an Excel workbook nor arrays (.npz); unpack it"],
  [["\x89PNG", "\xff\xd8\xff", "GIF8"], "is a picture, and no table; pictures are read from a folder of them"],
  [["%PDF"], "is a PDF, which is no table"],
];

function refuseKnown(name: string, head: Uint8Array): void {
  const begins = latin1Text(head.subarray(0, 16));
  const found = refused.find(([starts]) => starts.some((start) => begins.startsWith(start)));
  if (found) throw new TypeError(`${name}: ${found[1]}`);
}

/** Text without a name: objects or lists are JSON, the rest is CSV. */
function textOf(head: Uint8Array, encoding: Encoding = "utf-8"): Format {
  return /^\s*[{[]/.test(new TextDecoder(encoding).decode(head)) ? "json" : "csv";
}

const cutShort = "the gzip data is damaged or cut short";

/** Whether gzip data that unpack to nothing have their end. */
function isWhole(packed: Uint8Array): boolean {
  try {
    gunzipSync(packed);
    return true;
  } catch {
    return false;
  }
}

function unpackedStart(packed: Uint8Array, name: string): Uint8Array {
  try {
    // The packed bytes may end anywhere: give what they unpack to so far, at most a thousandfold.
    return gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    throw new RangeError(`${name}: ${cutShort}`);
  }
}

/** The first bytes and the last, which are the same where there are few. */
async function endsOf(path: string, name: string, most: number): Promise<{ first: Uint8Array; last: Uint8Array }> {
  const { file, size } = await openRegular(path, name);
  const from = async (position: number): Promise<Uint8Array> => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, position);
    return buffer.subarray(0, bytesRead);
  };
  try {
    return { first: await from(0), last: await from(Math.max(0, size - most)) };
  } catch (error) {
    throw cannotRead(name, error);
  } finally {
    await file.close();
  }
}
