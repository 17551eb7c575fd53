/**
 * The rows of a run as a table that can be asked: where each is, and what the file says of it, also in columns that
 * were not used to cluster.
 */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type ColumnForm, formOf } from "../../data/columnForm.ts";
import type { ColumnReport } from "../../data/columnReport.ts";
import { isThere } from "../../disk/isThere.ts";
import { type TemporaryFolder, temporaryFolder } from "../../files/kept/temporary.ts";
import { openOutput } from "../../files/output/openOutput.ts";
import { Database, plainError, quoteName, quotePath, quoteText } from "../../files/tables/database.ts";
import { checkParquet } from "../../files/tables/parquetOrJson.ts";
import { guardedInQuery } from "../../text/csvCell.ts";
import { checkStoredSql, type Run } from "../folder/openRun.ts";
import { idsAmong } from "./assignedIds.ts";
import { conditionOf, type FilteredColumn, type RowFilter } from "./rowFilter.ts";

export interface TableColumn {
  readonly name: string;
  readonly form: ColumnForm;
  /** What is known of it. */
  readonly report: ColumnReport;
}

/** What the placement of a row says. */
export const placementNames = ["cluster", "second", "confidence", "margin", "distance", "outlier"] as const;
export type PlacementName = (typeof placementNames)[number];

export interface TableRow extends Readonly<Record<PlacementName, number>> {
  /** Its place among the rows of the run, from 0, and its number in the file. */
  readonly row: number;
  readonly number: number;
  readonly cells: readonly (string | number | boolean | null)[];
}

export interface PageOptions {
  readonly filter?: RowFilter;
  /** A column by its place, or what the placement says. */
  readonly sort?: { readonly by: number | "row" | PlacementName; readonly descending?: boolean };
  readonly offset?: number;
  readonly limit?: number;
  /** Letters of a text; all of them unless told. */
  readonly letters?: number;
}

/** Values of a category: code 0 is missing, 1 the first value, and one more than there are values any other. */
export interface Codes {
  readonly codes: Uint32Array;
  readonly values: readonly string[];
  readonly hasOther: boolean;
}

/** Of categories, so many values are told apart. */
const mostValues = 255;

/** In megabytes, for DuckDB; what does not fit goes to its temporary folder. */
const memory = 500;

const wide = /^(vector|image)/;

export class RowTable {
  readonly rows: number;
  readonly columns: readonly TableColumn[];
  readonly #run: Run;
  readonly #database: Database;
  readonly #folder: TemporaryFolder;
  readonly #sql: readonly FilteredColumn[];
  /** The columns of the file come when somebody asks for one. */
  #whole: Promise<void> | undefined;
  #reason: string | undefined;
  /** One file at a time is written. */
  #saving: Promise<unknown> = Promise.resolve();

  private constructor(run: Run, database: Database, folder: TemporaryFolder) {
    this.#run = run;
    this.#database = database;
    this.#folder = folder;
    this.rows = run.description.source.rows;
    this.columns = columnsOf(run);
    this.#sql = this.columns.map(({ form }, at) => ({
      sql: `c${at}`,
      ...(form === "number" && { asNumber: `try_cast(c${at} as double)` }),
      ...(form === "date" && { asNumber: `epoch(try_cast(c${at} as timestamp)) / 86400` }),
    }));
  }

  /** Of a run that was fitted to a file. What the run knows itself is there at once. */
  static async open(run: Run): Promise<RowTable> {
    const assignments = run.folder.file(run.place("assignments.parquet"));
    if (!(await isThere(assignments))) {
      throw new RangeError(`${run.path}: has no list of its rows (assignments.parquet), so that none can be shown`);
    }
    await checkParquet(assignments, assignments);
    const folder = await temporaryFolder();
    try {
      const files = [assignments, keptFile(folder), ...selections(folder.path)];
      const database = await Database.open({ memory, files }, (error) => plainError(run.name, error, memory));
      try {
        await database.rows(await placedTable(database, assignments, run));
        const [[rows]] = (await database.rows("select count(*) from placed")) as [[bigint]];
        const { rows: wanted } = run.description.source;
        if (Number(rows) !== wanted) {
          throw new RangeError(`${run.path}: assignments.parquet has ${rows} rows, and the run has ${wanted}`);
        }
        return new RowTable(run, database, folder);
      } catch (error) {
        database.close();
        throw error;
      }
    } catch (error) {
      await folder.remove();
      throw error;
    }
  }

  /** Why the columns of the file are not there, where they are not; as far as one can see before they are read. */
  async reason(): Promise<string | undefined> {
    return this.#reason ?? whyNoRows(this.#run);
  }

  /** What the file says beside what the run knows. Where the rows cannot be read any more, its columns are empty. */
  #withColumns(): Promise<void> {
    this.#whole ??= this.#readColumns();
    return this.#whole;
  }

  async #readColumns(): Promise<void> {
    const ids = this.#run.description.source.ids.length;
    const names = this.columns.slice(ids).map(({ name }) => name);
    const kept = keptFile(this.#folder);
    const isKept = names.length > 0 && (await this.#keep(kept, names));
    const own = this.columns.map((_, at) => (at < ids ? `id${at}` : isKept ? `k${at - ids}` : "null::varchar"));
    const beside = isKept ? ` positional join read_parquet(${quotePath(kept)})` : "";
    const known = ["place", "number", ...placementNames, ...own.map((sql, at) => `${sql} as c${at}`)];
    await this.#database.rows(`create or replace table rows as select ${known.join(", ")} from placed${beside}`);
    await rm(kept, { force: true });
  }

  async #keep(file: string, names: readonly string[]): Promise<boolean> {
    try {
      await keepColumns(file, this.#run, names);
      return true;
    } catch (error) {
      this.#reason = (error as Error).message;
      return false;
    }
  }

  /** Some of the rows that a filter has, in an order, and how many it has. */
  async page({
    filter = {},
    sort,
    offset = 0,
    limit = 100,
    letters,
  }: PageOptions): Promise<{ total: number; rows: TableRow[] }> {
    const where = this.#where(filter);
    await this.#withColumns();
    const by =
      sort === undefined || sort.by === "row"
        ? "place"
        : typeof sort.by === "number"
          ? this.#ordering(sort.by)
          : sort.by;
    const order = `${by}${sort?.descending ? " desc" : ""} nulls last, place`;
    const cells = this.#sql.map(({ sql }, at) => this.#cell(sql, at, letters));
    const select = ["place", "number", ...placementNames, ...cells].join(", ");
    const [[total]] = (await this.#database.rows(`select count(*) from rows where ${where}`)) as [[bigint]];
    const found = await this.#database.rows(
      `select ${select} from rows where ${where} order by ${order} limit ${limit} offset ${offset}`,
    );
    return { total: Number(total), rows: found.map(rowOf) };
  }

  /** A bit for each row that a filter has, the lowest first. */
  async mask(filter: RowFilter): Promise<Uint8Array> {
    await this.#withColumns();
    const bits = new Uint8Array(Math.ceil(this.rows / 8));
    for await (const chunk of this.#database.stream(`select place from rows where ${this.#where(filter)}`)) {
      for (const place of chunk.getColumnValues(0) as number[]) bits[place >> 3]! |= 1 << (place & 7);
    }
    return bits;
  }

  /** What the placement of each row says. */
  async placements(name: PlacementName): Promise<Float32Array> {
    return this.#numbers("placed", `${name}::float`, new Float32Array(this.rows));
  }

  /** The number that each row has in the file, from 0. */
  async fileNumbers(): Promise<Int32Array> {
    return this.#numbers("placed", "number", new Int32Array(this.rows));
  }

  /** What a row is called, by its first id; nothing where rows have none. */
  async nameOf(place: number): Promise<string | undefined> {
    if (this.#run.description.source.ids.length === 0) return undefined;
    const found = await this.#database.rows(`select id0::varchar from placed where place = ${Math.trunc(place)}`);
    return (found[0]?.[0] as string | null | undefined) ?? undefined;
  }

  /** Where each row is on the map: x and y, NaN where it is not on it; nothing where there is no map. */
  async places(): Promise<Float32Array | undefined> {
    if (!this.#run.description.result.map) return undefined;
    const all = new Float32Array(2 * this.rows).fill(Number.NaN);
    let at = 0;
    for await (const chunk of this.#database.stream("select x::float, y::float from placed order by place")) {
      const [x, y] = [0, 1].map((column) => chunk.getColumnValues(column) as (number | null)[]);
      for (let i = 0; i < chunk.rowCount; i++, at++) {
        all[2 * at] = x![i] ?? Number.NaN;
        all[2 * at + 1] = y![i] ?? Number.NaN;
      }
    }
    return all;
  }

  /** The numbers of a column, NaN where there is none; of dates, days since 1970. */
  async numbers(column: number): Promise<Float32Array | Float64Array> {
    const { asNumber } = this.#sql[column]!;
    if (asNumber === undefined) throw new RangeError(`table: ${this.columns[column]!.name} has no numbers`);
    const isDate = this.columns[column]!.form === "date";
    await this.#withColumns();
    return this.#numbers("rows", asNumber, isDate ? new Float64Array(this.rows) : new Float32Array(this.rows));
  }

  /** The values of a category by their codes, the most frequent first. */
  async codes(column: number): Promise<Codes> {
    const { sql } = this.#sql[column]!;
    await this.#withColumns();
    const counted = await this.#database.rows(
      `select ${sql}::varchar as value from rows where ${sql} is not null group by value order by count(*) desc, value limit ${mostValues + 1}`,
    );
    const values = counted.slice(0, mostValues).map(([value]) => String(value));
    const places = new Map(values.map((value, i) => [value, i + 1]));
    const codes = new Uint32Array(this.rows);
    let at = 0;
    for await (const chunk of this.#database.stream(`select ${sql}::varchar from rows order by place`)) {
      for (const value of chunk.getColumnValues(0) as (string | null)[]) {
        codes[at++] = value === null ? 0 : (places.get(value) ?? values.length + 1);
      }
    }
    return { codes, values, hasOther: counted.length > mostValues };
  }

  /** The rows that a filter has, as a file; whoever reads it has to have done so before the next one is written. */
  async saved<T>(filter: RowFilter, format: "csv" | "parquet", read: (file: string) => Promise<T>): Promise<T> {
    const names = new Set<string>();
    const apart = (name: string): string => {
      let own = name;
      while (names.has(own.toLowerCase())) own += "_";
      names.add(own.toLowerCase());
      return quoteName(own);
    };
    const ours = ["row", ...placementNames].map((name) => `${name === "row" ? "number" : name} as ${apart(name)}`);
    // People open CSV in spreadsheets: no text of it is a formula.
    const guarded = (at: number): string =>
      format === "csv" && this.columns[at]!.form !== "number" ? guardedInQuery(`c${at}::varchar`) : `c${at}`;
    const theirs = this.columns.map(({ name }, at) => `${guarded(at)} as ${apart(name)}`);
    const file = selections(this.#folder.path)[format === "csv" ? 0 : 1]!;
    const options = format === "csv" ? "format csv, header true" : "format parquet, compression zstd";
    const work = async (): Promise<T> => {
      await this.#withColumns();
      const select = `select ${[...ours, ...theirs].join(", ")} from rows where ${this.#where(filter)} order by place`;
      await this.#database.rows(`copy (${select}) to ${quoteText(file)} (${options}, use_tmp_file false)`);
      return read(file);
    };
    const saving = this.#saving.then(work, work);
    this.#saving = saving.catch(() => {});
    return saving;
  }

  async close(): Promise<void> {
    await this.#saving;
    await this.#whole?.catch(() => {});
    this.#database.close();
    await this.#folder.remove();
  }

  #where(filter: RowFilter): string {
    return conditionOf(filter, this.#sql, this.rows);
  }

  #ordering(column: number): string {
    const found = this.#sql[column];
    if (!found)
      throw new RangeError(`table: a column must be a whole number from 0 to ${this.#sql.length - 1}, got ${column}`);
    return found.asNumber ?? found.sql;
  }

  #cell(sql: string, at: number, letters: number | undefined): string {
    const { form } = this.columns[at]!;
    if (form === "number") return `try_cast(${sql} as double)`;
    return letters === undefined ? `${sql}::varchar` : `left(${sql}::varchar, ${letters})`;
  }

  async #numbers<T extends Float32Array | Float64Array | Int32Array>(
    from: "placed" | "rows",
    sql: string,
    into: T,
  ): Promise<T> {
    let at = 0;
    for await (const chunk of this.#database.stream(`select ${sql} from ${from} order by place`)) {
      for (const value of chunk.getColumnValues(0) as (number | null)[]) into[at++] = value ?? Number.NaN;
    }
    return into;
  }
}

/** Where files for people are written before they are handed over. */
function selections(folder: string): readonly [csv: string, parquet: string] {
  return [join(folder, "selection.csv"), join(folder, "selection.parquet")];
}

function keptFile({ path }: TemporaryFolder): string {
  return join(path, "kept.parquet");
}

/** Those that are ids first; what is wide is not shown in a table. */
function columnsOf({ description: { source } }: Run): TableColumn[] {
  const reports = (source.table ?? []).filter(({ type }) => !wide.test(type));
  const ids = source.ids.map((name) => reports.find((report) => report.name === name) ?? idReport(name));
  const others = reports.filter(({ name }) => !source.ids.includes(name));
  return [
    ...ids.map((report): TableColumn => ({ name: report.name, form: "none", report })),
    ...others.map((report): TableColumn => ({ name: report.name, form: formOf(report, source.rows), report })),
  ];
}

/** Columns of the file beside each other, in a file of their own. */
async function keepColumns(file: string, run: Run, names: readonly string[]): Promise<void> {
  const opened = await run.rows(undefined, { keep: names });
  try {
    const { kept } = opened;
    const order = names.map((name) => kept?.columns.findIndex((column) => column.name === name) ?? -1);
    if (!kept || order.includes(-1)) throw new RangeError(`${run.path}: the columns of its file are others now`);
    const columns = order.map((place, at) => ({ ...kept.columns[place]!, name: `k${at}` }));
    const output = await openOutput("parquet", columns, { out: file, force: true });
    try {
      for await (const batch of kept.inOrder(2048)) {
        await output.write(batch.map((row) => order.map((place) => row[place]!)));
      }
      await output.end();
    } catch (error) {
      await output.abandon();
      throw error;
    }
  } finally {
    await opened.close();
  }
}

/** What keeps rows from being read, where that can be seen without opening them. */
async function whyNoRows({ path, description: { source } }: Run): Promise<string | undefined> {
  try {
    checkStoredSql(path, source);
  } catch (error) {
    return (error as Error).message;
  }
  if (source.path !== undefined && (await isThere(source.path))) return undefined;
  return `${path}: the rows it was fitted to are not there any more: ${source.path ?? source.name}`;
}

function idReport(name: string): ColumnReport {
  return { name, role: "id", isUsed: false, type: "text", missing: 0, reason: "names the rows" };
}

/** The statement that makes a table of what the run knows: rows are numbered as they stand in its list. */
async function placedTable(database: Database, assignments: string, run: Run): Promise<string> {
  const from = `read_parquet(${quotePath(assignments)})`;
  const known = (await database.columns(`select * from ${from}`)).map(({ name }) => name);
  const missing = ["row", ...placementNames].find((name) => !known.includes(name));
  if (missing !== undefined) throw new RangeError(`assignments.parquet must have a column ${missing}`);
  const ids = idsAmong(run, known);
  const hasMap = known.includes("x") && known.includes("y");
  const select = [
    "(row_number() over () - 1)::integer as place",
    "row::integer as number",
    ...placementNames,
    ...(hasMap ? ["x", "y"] : ["null::float as x", "null::float as y"]),
    ...ids.map((name, at) => `${quoteName(name)} as id${at}`),
  ];
  return `create table placed as select ${select.join(", ")} from ${from}`;
}

function rowOf([place, number, ...rest]: unknown[]): TableRow {
  const placement = Object.fromEntries(placementNames.map((name, i) => [name, Number(rest[i] ?? 0)]));
  return {
    ...(placement as Record<PlacementName, number>),
    row: Number(place),
    number: Number(number),
    cells: rest
      .slice(placementNames.length)
      .map((value) => (typeof value === "bigint" ? Number(value) : value)) as TableRow["cells"],
  };
}
