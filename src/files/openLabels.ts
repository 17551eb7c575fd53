/** Labels from a file of their own: one for each row, in the same order. */

import { labelName } from "../data/roles.ts";
import { CannotRead, statRegular } from "../disk/regularFile.ts";
import type { Layout } from "../formats/layout.ts";
import { sizeOf } from "../tensor/tensor.ts";
import { type ArrayBytes, openArrayBytes } from "./arrays/arrayBytes.ts";
import { piecesOf, withNameInErrors } from "./kept/bytes.ts";
import { gunzipped } from "./kept/gunzipped.ts";
import { checkLabelSize, LabelList, type LabelOptions } from "./labelList.ts";
import type { Labels } from "./openedRows.ts";
import { type Format, type Recognized, recognize } from "./recognize.ts";
import { checkFirstLine, csvError, csvRelation, findWrongLine } from "./tables/csv.ts";
import { Database, databaseMemory, plainError, shortened } from "./tables/database.ts";
import { readLabels } from "./tables/openTable.ts";
import { checkGzip, checkJson, checkParquet, parquetOrJsonRelation } from "./tables/parquetOrJson.ts";

interface Source extends Recognized {
  readonly file: string;
  readonly column?: string;
}

type Reader = (source: Source, options: LabelOptions) => Promise<Labels>;

const readers: Readonly<Record<Exclude<Format, "npz"> | "lines", Reader>> = {
  npy: (source, options) => fromArray({ ...source, format: "npy" }, options),
  idx: (source, options) => fromArray({ ...source, format: "idx" }, options),
  lines: fromLines,
  csv: async (source, options) => {
    await checkFirstLine(source.file, source.file, source, options.signal);
    const csv = csvRelation(source.file, source.file, source.head, source.gzipped);
    return fromTable(source, csv.relation, options, (database) => findWrongLine(database, csv));
  },
  json: async (source, options) => {
    await checkJson(source.file, source.file, source, options.signal);
    return fromTable(source, parquetOrJsonRelation(source.file, source.file, source), options);
  },
  parquet: async (source, options) => {
    await checkParquet(source.file, source.file);
    return fromTable(source, parquetOrJsonRelation(source.file, source.file, source), options);
  },
};

/** Reads .npy, IDX, CSV, JSON lines, Parquet (with a column), or plain text with a label in each line. */
export async function openLabels(file: string, column?: string, options: LabelOptions = {}): Promise<Labels> {
  checkLabelSize(file, (await statRegular(file)).size, options);
  const isLines = /\.(txt|text|labels?)(\.gz)?$/i.test(file);
  const recognized = await recognize(file, file, !isLines);
  const format = isLines && (recognized.format === "csv" || recognized.format === "json") ? "lines" : recognized.format;
  if (format === "npz") throw new TypeError(`${file}: a .npz file holds several arrays; save the labels as .npy`);
  return readers[format]({ ...recognized, file, ...(column !== undefined && { column }) }, options);
}

async function fromArray(
  { file, ...recognized }: Source & { readonly format: "npy" | "idx" },
  options: LabelOptions,
): Promise<Labels> {
  return labelsIn(file, await openArrayBytes(file, file, recognized, checkList, options.signal), options);
}

function checkList(file: string, { shape }: Layout): void {
  if (shape.length === 1 || (shape.length === 2 && shape[1] === 1)) return;
  throw new RangeError(`${file}: labels must be an array of shape [n] or [n,1], got [${shape}]`);
}

/** How many elements are read at once. */
const atOnce = 2 ** 20;

/** The labels that an array is, which is then closed; a lenient reader takes what is no whole number as a name. */
export async function labelsIn(
  where: string,
  { bytes, layout }: ArrayBytes,
  { isLenient = false, signal, ...options }: LabelOptions & { readonly isLenient?: boolean },
): Promise<Labels> {
  try {
    const list = new LabelList(where, options);
    const count = sizeOf(layout.shape);
    for (let first = 0; first < count; first += atOnce) {
      signal?.throwIfAborted();
      const n = Math.min(atOnce, count - first);
      const place = [layout.start + first * layout.bytes, n * layout.bytes] as const;
      const values = layout.elements(await withNameInErrors(where, () => bytes.read(...place)));
      for (let i = 0; i < n; i++) {
        const value = values[i]!;
        if (!isLenient && typeof value === "number" && !Number.isInteger(value)) {
          throw new RangeError(`${where}: labels must be whole numbers, got ${value} in row ${first + i}`);
        }
        list.add(Number.isNaN(value) ? null : value);
      }
    }
    return list.labels();
  } finally {
    await bytes.close();
  }
}

/** A label is a word or two. */
const longestLabel = 2 ** 16;

async function fromLines({ file, gzipped }: Source, options: LabelOptions): Promise<Labels> {
  const list = new LabelList(file, options);
  const decoder = new TextDecoder("utf-8");
  let [rest, lines] = ["", 0];
  const see = (text: string): void => {
    const found = text.split(/\r\n|\r|\n/);
    rest = found.pop()!;
    for (const line of found) {
      if (line.length > longestLabel) break;
      list.add(line.trim() || null);
      lines++;
    }
    const long = found.find((line) => line.length > longestLabel) ?? rest;
    if (long.length > longestLabel) {
      throw new RangeError(
        `${file}: line ${lines + 1} must be a label of up to ${longestLabel} letters, it is longer; is it another file?`,
      );
    }
  };
  for await (const chunk of gzipped ? gunzipped(file, file, options.signal) : piecesOf(file, file, options.signal)) {
    const text = rest + decoder.decode(chunk, { stream: true });
    // What follows a last \r may belong to it.
    const end = text.endsWith("\r") ? text.length - 1 : text.length;
    see(text.slice(0, end));
    rest += text.slice(end);
  }
  see(`${rest}${decoder.decode()}`);
  if (rest.trim() !== "") list.add(rest.trim());
  return list.labels();
}

async function fromTable(
  { file, gzipped, column }: Source,
  relation: string,
  { signal, ...options }: LabelOptions,
  onError?: (database: Database) => Promise<void>,
): Promise<Labels> {
  if (gzipped) await checkGzip(file, file, signal, (unpacked) => checkLabelSize(file, unpacked, options));
  const memory = databaseMemory(options.memory);
  const explain = (error: Error): Error => csvError(file, error) ?? plainError(file, error, memory);
  const database = await Database.open({ memory, files: [file], ...(signal && { signal }) }, explain);
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
    return await readLabels(database, { where: file, from: relation, column: name }, options);
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

/** MNIST's labels lie beside its images, under a name that tells. */
export async function labelsBeside(path: string, options: LabelOptions): Promise<Labels | undefined> {
  const beside = path.replace(/images([-.])idx3/, "labels$1idx1");
  if (beside === path) return undefined;
  const recognized = await recognize(beside, beside, true).catch((error) => {
    if (error instanceof CannotRead && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (recognized?.format !== "idx") return undefined;
  const found = await openArrayBytes(beside, beside, { ...recognized, format: "idx" }, () => {}, options.signal);
  return labelsIn(beside, found, { ...options, isLenient: true });
}
