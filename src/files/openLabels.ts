/** Labels from a file of their own: one for each row, in the same order, or by the ids that both have. */

import { tells } from "../data/columnNames.ts";
import { CannotRead, statRegular } from "../disk/regularFile.ts";
import type { Layout } from "../formats/layout.ts";
import { checkMemory, memoryLimit } from "../tensor/budget.ts";
import { sizeOf } from "../tensor/tensor.ts";
import { oneLine } from "../text/oneLine.ts";
import { type ArrayBytes, openArrayBytes } from "./arrays/arrayBytes.ts";
import { eightBitEncoding } from "./encoding.ts";
import { piecesOf, withNameInErrors } from "./kept/bytes.ts";
import { gunzipped } from "./kept/gunzipped.ts";
import { checkLabelSize, LabelList, type LabelOptions } from "./labelList.ts";
import type { Ids, Labels } from "./openedRows.ts";
import { type Recognized, recognize } from "./recognize.ts";
import { type Database, quoteName } from "./tables/database.ts";
import { type OpenedTable, openRelation, type TableFormat } from "./tables/openRelation.ts";
import { readLabels } from "./tables/openTable.ts";
import { checkGzip } from "./tables/parquetOrJson.ts";

interface Source extends Recognized {
  readonly file: string;
}

type Reader = (source: Source, options: LabelOptions) => Promise<Labels>;

/** Files that are nothing but labels. */
const lists: Readonly<Record<"npy" | "idx" | "lines", Reader>> = {
  npy: (source, options) => fromArray({ ...source, format: "npy" }, options),
  idx: (source, options) => fromArray({ ...source, format: "idx" }, options),
  lines: fromLines,
};

/** A file of labels that is known for what it is, and not read yet. */
export interface LabelFile {
  readonly file: string;
  /** The column that holds them, where the file is a table. */
  readonly column?: string;
  /** Every label, in the order of the file. */
  read(): Promise<Labels>;
  /**
   * The label of each row by its id, where the file has a column of the name of one, and each id once: −1 where it has
   * none.
   */
  readById(ids: Ids): Promise<Labels | undefined>;
}

/** Reads .npy, IDX, CSV, JSON lines, Parquet (with a column), or plain text with a label in each line. */
export async function openLabels(file: string, column?: string, options: LabelOptions = {}): Promise<Labels> {
  return (await findLabels(file, column, options)).read();
}

export async function findLabels(file: string, wanted?: string, options: LabelOptions = {}): Promise<LabelFile> {
  checkLabelSize(file, (await statRegular(file)).size, options);
  const isLines = /\.(txt|text|labels?)(\.gz)?$/i.test(file);
  const recognized = await recognize(file, file, !isLines);
  const format = isLines && (recognized.format === "csv" || recognized.format === "json") ? "lines" : recognized.format;
  if (format === "npz") throw new TypeError(`${file}: a .npz file holds several arrays; save the labels as .npy`);
  const source: Source = { ...recognized, file };
  if (format === "npy" || format === "idx" || format === "lines") {
    return { file, read: () => lists[format](source, options), readById: async () => undefined };
  }
  if (recognized.gzipped) {
    await checkGzip(file, file, options.signal, (unpacked) => checkLabelSize(file, unpacked, options));
  }
  const found = { ...source, format };
  const columns = await withTable(found, options, async ({ database, relation }) =>
    (await database.columns(`select * from ${relation}`)).map(({ name }) => name),
  );
  const column = chosen(file, columns, wanted);
  return {
    ...{ file, column },
    read: () =>
      withTable(found, options, ({ database, relation }) =>
        readLabels(database, { where: file, from: relation, column }, { ...options, signal: undefined }),
      ),
    async readById(ids) {
      for (const [place, id] of ids.names.entries()) {
        if (!columns.includes(id) || id === column) continue;
        const known = await withTable(found, options, ({ database, relation }) =>
          labelsById(database, { where: file, from: relation, column, id }, options),
        );
        if (known) return matched(file, known, ids, place);
      }
      return undefined;
    },
  };
}

/** There must be as many as there are rows. */
export function checkOnePerRow(
  where: string,
  found: number,
  { rows, of, isDropped = false }: { readonly rows: number; readonly of: string; readonly isDropped?: boolean },
): void {
  if (found === rows) return;
  // DuckDB takes a first line of text for names.
  const hint =
    /\.[ct]sv(\.gz)?$/i.test(where) && found === rows - 1
      ? "; if its first line is a label and no name, call the file .txt"
      : isDropped
        ? "; rows with missing values were left out, and so must be their labels"
        : "";
  throw new RangeError(`${where}: there must be one label for each of the ${rows} rows of ${of}, got ${found}${hint}`);
}

/** The labels in a file's order, and where that of each id is. */
interface ById {
  readonly labels: Labels;
  readonly placeOf: ReadonlyMap<string, number>;
}

/** Nothing where an id is there twice, and so names no row. */
async function labelsById(
  database: Database,
  { where, from, column, id }: { readonly where: string; readonly from: string; column: string; readonly id: string },
  { signal: _, ...options }: LabelOptions,
): Promise<ById | undefined> {
  const list = new LabelList(`${where}: column ${column}`, { ...options, rows: Number.POSITIVE_INFINITY });
  const placeOf = new Map<string, number>();
  const limit = memoryLimit(options.memory);
  let [count, letters] = [0, 0];
  const query = `select ${quoteName(id)}::varchar, ${quoteName(column)}::varchar from ${from}`;
  for await (const chunk of database.stream(query)) {
    const [names, labels] = [0, 1].map((at) => chunk.getColumnValues(at) as (string | null)[]) as [
      (string | null)[],
      (string | null)[],
    ];
    for (const [i, name] of names.entries()) {
      list.add(labels[i]!);
      const place = count++;
      if (name === null) continue;
      if (placeOf.has(name)) return undefined;
      placeOf.set(name, place);
      letters += name.length;
    }
    const what = `ids of ${letters} letters in ${count} rows`;
    checkMemory({ where, what, bytes: 2 * letters + 100 * count }, limit);
  }
  return { labels: list.labels(), placeOf };
}

async function matched(file: string, { labels, placeOf }: ById, ids: Ids, place: number): Promise<Labels> {
  const classes: number[] = [];
  let found = 0;
  for await (const batch of ids.inOrder(4096)) {
    for (const row of batch) {
      const at = placeOf.get(row[place]!);
      classes.push(at === undefined ? -1 : labels.classes[at]!);
      if (at !== undefined) found++;
    }
  }
  if (found > 0) return { classes: Int32Array.from(classes), names: labels.names };
  throw new RangeError(
    `${file}: no row has an id that is in its column ${ids.names[place]}; give labels of these rows, or leave the column out to match them by their order`,
  );
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

async function fromLines({ file, gzipped, encoding }: Source, options: LabelOptions): Promise<Labels> {
  const list = new LabelList(file, options);
  const pieces = (): AsyncIterable<Uint8Array> =>
    gzipped ? gunzipped(file, file, options.signal) : piecesOf(file, file, options.signal);
  const decoder = new TextDecoder(encoding ?? (await eightBitEncoding(file, pieces())));
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
  for await (const chunk of pieces()) {
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

/** Labels are as they are written: no number is made of a text. */
async function withTable<T>(
  { file, ...recognized }: Source & { readonly format: TableFormat },
  { memory, signal }: LabelOptions,
  work: (table: OpenedTable) => Promise<T>,
): Promise<T> {
  const options = { ...(memory !== undefined && { memory }), ...(signal && { signal }), isAsWritten: true };
  const table = await openRelation(file, file, recognized, options);
  try {
    return await work(table);
  } finally {
    await table.close();
  }
}

/** A column of a telling name, or the only one that is no id. */
function chosen(file: string, columns: readonly string[], wanted: string | undefined): string {
  const has = `it has ${oneLine(columns.slice(0, 8).join(", "))}${columns.length > 8 ? ` and ${columns.length - 8} more` : ""}`;
  if (wanted !== undefined) {
    if (columns.includes(wanted)) return wanted;
    throw new RangeError(`${file}: the column of labels must be one of its columns, got "${wanted}"; ${has}`);
  }
  if (columns.length === 1) return columns[0]!;
  const telling = columns.filter((name) => tells(name, "label"));
  if (telling.length === 1) return telling[0]!;
  const others = columns.filter((name) => !tells(name, "id"));
  if (others.length === 1) return others[0]!;
  throw new RangeError(
    `${file}: which column holds the labels? ${has}; name it: --column NAME, or ${file}:NAME where it teaches`,
  );
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
