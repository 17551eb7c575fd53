/** Labels from a file of their own: one for each row, in the same order. */

import { readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { labelName } from "../data/roles.ts";
import { isGzip } from "../formats/bytes.ts";
import { decodeIdx } from "../formats/idx.ts";
import { decodeNpy } from "../formats/npy.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { withNameInErrors } from "./kept/bytes.ts";
import { type Labels, labelsOf } from "./openedRows.ts";
import { type Format, type Recognized, recognize } from "./recognize.ts";
import { csvError, csvRelation, findWrongLine } from "./tables/csv.ts";
import { Database, plainError, shortened } from "./tables/database.ts";
import { readLabels } from "./tables/openTable.ts";
import { checkGzip, parquetOrJsonRelation } from "./tables/parquetOrJson.ts";

interface Source extends Recognized {
  readonly file: string;
  readonly column?: string;
}

type Reader = (source: Source) => Promise<Labels>;

/** In bytes. Labels are short: a gigabyte is enough for very many. */
export const mostLabels = 2 ** 30;
const memory = 1000;

const readers: Readonly<Record<Exclude<Format, "npz"> | "lines", Reader>> = {
  npy: async ({ file }) => fromArray(file, await withNameInErrors(file, async () => decodeNpy(await unpacked(file)))),
  idx: async ({ file }) => fromArray(file, await withNameInErrors(file, async () => decodeIdx(await unpacked(file)))),
  lines: async ({ file }) => fromLines(Buffer.from(await unpacked(file)).toString("utf8")),
  csv: (source) => {
    const csv = csvRelation(source.file, source.file, source.head, source.gzipped);
    return fromTable(source, csv.relation, (database) => findWrongLine(database, csv));
  },
  json: (source) => fromTable(source, parquetOrJsonRelation(source.file, source.file, source)),
  parquet: (source) => fromTable(source, parquetOrJsonRelation(source.file, source.file, source)),
};

/** Reads .npy, IDX, CSV, JSON lines, Parquet (with a column), or plain text with a label in each line. */
export async function openLabels(file: string, column?: string): Promise<Labels> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new RangeError(
      `${file}: ${error.code === "ENOENT" ? "there is no such file" : `cannot be read (${error.code})`}`,
    );
  });
  if (found.isDirectory()) throw new RangeError(`${file}: is a folder; labels are in a file, one for each row`);
  const isLines = /\.(txt|text|labels?)(\.gz)?$/i.test(file);
  const recognized = await recognize(file, file, !isLines).catch((error: NodeJS.ErrnoException) => {
    throw error.code === undefined ? error : new RangeError(`${file}: cannot be read (${error.code})`);
  });
  const format = isLines && (recognized.format === "csv" || recognized.format === "json") ? "lines" : recognized.format;
  if (format === "npz") throw new TypeError(`${file}: a .npz file holds several arrays; save the labels as .npy`);
  return readers[format]({ ...recognized, file, ...(column !== undefined && { column }) });
}

function fromArray(file: string, { shape, data }: Tensor): Labels {
  if (shape.length !== 1 && !(shape.length === 2 && shape[1] === 1)) {
    throw new RangeError(`${file}: labels must be an array of shape [n] or [n,1], got [${shape}]`);
  }
  const values = Array.from(data as ArrayLike<number | bigint>);
  const wrong = values.findIndex((value) => typeof value === "number" && !Number.isInteger(value));
  if (wrong >= 0) {
    throw new RangeError(`${file}: labels must be whole numbers, got ${values[wrong]} in row ${wrong}`);
  }
  return labelsOf(values.map(String));
}

async function unpacked(file: string): Promise<Uint8Array> {
  const tooLarge = (): Error => new RangeError(`${file}: labels must fit into ${Math.floor(mostLabels / 1e6)} MB`);
  if ((await stat(file)).size > mostLabels) throw tooLarge();
  const bytes = await readFile(file);
  if (!isGzip(bytes)) return bytes;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: mostLabels });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new RangeError(`${file}: the gzip data is damaged or cut short`);
  }
}

function fromLines(text: string): Labels {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  if (lines.at(-1)!.trim() === "") lines.pop();
  return labelsOf(lines.map((line) => line.trim() || null));
}

async function fromTable(
  { file, gzipped, column }: Source,
  relation: string,
  onError?: (database: Database) => Promise<void>,
): Promise<Labels> {
  if (gzipped) await checkGzip(file, file);
  const explain = (error: Error): Error => csvError(file, error) ?? plainError(file, error, memory);
  const database = await Database.open({ memory, files: [file] }, explain);
  try {
    const described = await database.rows(`describe select * from ${relation}`).catch(async (error) => {
      await onError?.(database);
      throw error;
    });
    const name = chosen(
      file,
      described.map(([name]) => String(name)),
      column,
    );
    const [count] = await database.rows(`select count(*) from ${relation}`);
    return await readLabels(database, relation, name, Number(count![0]));
  } finally {
    database.close();
  }
}

function chosen(file: string, columns: readonly string[], wanted: string | undefined): string {
  const has = `it has ${shortened(columns.slice(0, 8).join(", "))}${columns.length > 8 ? ` and ${columns.length - 8} more` : ""}`;
  if (wanted !== undefined) {
    if (columns.includes(wanted)) return wanted;
    throw new RangeError(`${file}: column must name one of its columns, got "${wanted}"; ${has}`);
  }
  if (columns.length === 1) return columns[0]!;
  const telling = columns.filter((name) => labelName.test(name));
  if (telling.length === 1) return telling[0]!;
  throw new RangeError(`${file}: which column holds the labels? ${has}; name it with column`);
}

export function labelsFrom(y: Tensor): Labels {
  const values = Array.from(y.data as ArrayLike<number | bigint>);
  return labelsOf(values.map((value) => (Number.isNaN(value) ? null : String(value))));
}

/** MNIST's labels lie beside its images, under a name that tells. */
export async function labelsBeside(path: string): Promise<Labels | undefined> {
  const beside = path.replace(/images([-.])idx3/, "labels$1idx1");
  if (beside === path || !(await stat(beside).catch(() => undefined))) return undefined;
  return labelsFrom(await withNameInErrors(beside, async () => decodeIdx(await unpacked(beside))));
}
