/** The options that say how rows are read: the same for every command that opens a file. */

import { type Command, Option } from "commander";
import type { DeviceName, OpenOptions } from "../doors/inside.ts";
import { wrongUsage } from "./ending.ts";
import { kept, names, order, wholeNumber } from "./values.ts";

// biome-ignore format: one line each
const options = {
  columns: new Option("--columns <names>", "the columns to learn from, with commas between them").default(undefined, "all but ids, labels and free text").argParser(names),
  ignore: new Option("--ignore <names>", "columns to leave out").argParser(names),
  id: new Option("--id <names>", "the columns that name a row").default(undefined, "found by their names").argParser(names),
  label: new Option("--label <name>", "the column with known classes: for scores only, nothing learns from it"),
  encode: new Option("--encode <names>", "text columns to learn from although their values hardly repeat; rare ones are gathered").argParser(names),
  order: new Option("--order <name=values>", "the values of a text column from the least on: size=small,medium,large").argParser(order),
  text: new Option("--text <name>", "the column of texts whose words tell what clusters are: nothing learns from it").default(undefined, "the longest texts"),
  missing: new Option("--missing <how>", "fill missing values with the column's mean, or drop such rows").choices(["mean", "drop"]).default(undefined, "refuse them"),
  keep: new Option("--keep <columns>", "pass on columns as they are: all, none, or names with commas between them").default(undefined, "none, but for ids").argParser(kept),
  sql: new Option("--sql <query>", "take the rows of a DuckDB query: \"select … from 'data/*.parquet'\""),
  runStoredSql: new Option("--run-stored-sql", "run the query that the run's folder stores: it may come from anybody"),
  table: new Option("--table <name>", "which table of a .duckdb file, or sheet of an .xlsx file, holds the rows"),
  array: new Option("--array <name>", "which array of a .npz file holds the rows"),
  imageSize: new Option("--image-size <pixels>", "the longer side of images").default(undefined, "as the first, at most 64").argParser(wholeNumber(1)),
  memory: new Option("--memory <megabytes>", "what may be used; what would need more is refused").default(undefined, "3/4 of what is free").argParser(wholeNumber(64)),
};

export type RowOption = keyof typeof options;
export type RowValues = Partial<Pick<OpenOptions, RowOption>>;

/** To fit to rows, all of them; a fitted model knows its columns. */
export const everyRowOption = (Object.keys(options) as RowOption[]).filter(
  (name) => name !== "runStoredSql" && name !== "keep",
);
export const laterRowOptions: readonly RowOption[] = ["id", "missing", "sql", "table", "array", "memory"];

export function withRows(command: Command, wanted: readonly RowOption[]): Command {
  command.optionsGroup("Rows:");
  for (const name of wanted) command.addOption(options[name]);
  return command;
}

/** Where rows come from: a source or a query. */
export function sourceFrom(source: string | undefined, { sql }: RowValues, command: string, kinds: string): string {
  checkOneSource(source, sql);
  if (source === undefined && sql === undefined) {
    throw wrongUsage(`missing required argument 'source': ${kinds}; see telltale ${command} --help`);
  }
  return source ?? "sql";
}

/** Of a file and a query, one would be read and the other not. */
export function checkOneSource(source: string | undefined, sql: string | undefined): void {
  if (source !== undefined && sql !== undefined) throw wrongUsage("give either a source or --sql, not both");
}

/** What a source can be, for the help of the commands that open one. */
export const sourceKinds =
  "CSV, JSON lines, Parquet, Excel, Arrow, .duckdb, .npy, .npz, IDX, a folder of images, postgres://…, or - for standard input";

/** Only what was given, for the API; with a signal, opening them stops when it comes. */
export function rowsFrom(values: RowValues): { rows?: OpenOptions } {
  const found = Object.entries(values).filter(([name, value]) => Object.hasOwn(options, name) && value !== undefined);
  return found.length > 0 ? { rows: Object.fromEntries(found) } : {};
}

export function memoryOption(): Option {
  return options.memory;
}

export function formatOption(formats: readonly string[]): Option {
  return new Option("--format <name>", "how rows are written")
    .choices(formats)
    .default(undefined, "as --out ends, or csv");
}

export function deviceOption(): Option {
  const known: DeviceName[] = ["cpu", "gpu", "wasm"];
  return new Option("--device <name>", "where to run").choices(known).default(undefined, "the first that is here");
}

/** A method of one's own is code, which no run folder brings along. */
export function methodFileOption(): Option {
  return new Option("--method <file>", "the file of a method of your own, where the run was fitted by one");
}

/** For commands that use the model a person has corrected, where there is one. */
export function originalOption(): Option {
  return new Option("--original", "use the run as it was fitted, whatever was changed since (telltale curate)");
}

/** For commands that read the rows that a run was fitted to, or that a job names. */
export function storedSqlOption(): Option {
  return options.runStoredSql;
}
