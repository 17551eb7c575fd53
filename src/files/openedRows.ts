/** What opening a file gives, whatever its format. */

import type { RowsBeside } from "../data/beside.ts";
import type { Data } from "../data/data.ts";
import { type Feature, featureKey, featureName, isOfCategory, onCircle } from "../data/feature.ts";
import { own } from "../data/own.ts";
import type { ColumnRole, RoleOptions } from "../data/roles.ts";
import type { WrittenMarks } from "../data/writtenNumber.ts";
import type { Settings } from "../settings.ts";

/** How other rows were read. */
export interface Like {
  /** Tables are matched to them by their columns, arrays by position; without features, tables as well. */
  readonly features?: readonly Feature[];
  /** What stood for missing values, which does so again. */
  readonly filled?: readonly number[];
  /** What somebody said names them. */
  readonly id?: RoleOptions["id"];
  /** What names them; the others of their columns do not. */
  readonly namedBy?: readonly string[];
  readonly seen?: readonly string[];
  /** How its numbers were written, for columns that do not tell themselves. */
  readonly marks?: WrittenMarks;
}

export interface OpenOptions extends RoleOptions {
  readonly like?: Like;
  /** A DuckDB query whose rows are taken instead of a file's; files are named in it: select … from 'data/*.parquet'. */
  readonly sql?: string;
  /** Of a run's own rows: run the query that its folder stores. A folder may come from anybody, and a query is code. */
  readonly runStoredSql?: boolean;
  /**
   * What to do with missing values: each column's mean, leave the row out, or these numbers by column (of a date, days
   * since 1970). Refused unless said.
   */
  readonly missing?: "mean" | "drop" | Readonly<Record<string, number>>;
  /** Columns to pass on with the rows, by name, or all; what is an id is passed on anyway. */
  readonly keep?: "all" | "none" | readonly string[];
  /** Up to how many numbers are held in memory; what is larger is streamed. Default 2²⁶, which are 256 MB. */
  readonly inMemory?: number;
  /**
   * What may be used, in megabytes: whatever would take more is refused before it is allocated. By default three
   * quarters of what is free. DuckDB gets half of it, and unless it is said at most 1000.
   */
  readonly memory?: number;
  /** Which table of a database, or which sheet of a workbook, holds the rows; of a workbook the first by default. */
  readonly table?: string;
  /** Which array of a .npz file holds the rows. */
  readonly array?: string;
  /** The longer side of an image in pixels. Default: as the first image is, at most 64. */
  readonly imageSize?: number;
  /** Keeps columns at hand that are not learned from (`OpenedRows.beside`): the rows are then to be closed. */
  readonly withBeside?: boolean;
  /** Only the columns of a table are looked at, and no row is read: `data` then has none to give. */
  readonly isLook?: boolean;
  /** Stops opening, which may take long for a large file. */
  readonly signal?: AbortSignal;
  /** What `-` reads. Default: this process's standard input. */
  readonly input?: AsyncIterable<Uint8Array>;
}

/** By name and kind. What only the library itself says is among them. */
export const openSettings: Settings<OpenOptions> = {
  ...{ columns: "texts", ignore: "texts", id: "names", label: "text", teacher: "text", text: "text" },
  ...{ encode: "texts", order: "byName", like: "byName", sql: "text", runStoredSql: "flag", missing: "any" },
  ...{ keep: "names", inMemory: "any", memory: "any", table: "text", array: "text", imageSize: "any" },
  ...{ withBeside: "flag", isLook: "flag", signal: "signal", input: "any" },
};

/** Classes that are known already. They score a clustering; nothing learns from them. */
export interface Labels {
  /** The class of each row by its place in `names`; −1 where it is missing. */
  readonly classes: Int32Array;
  readonly names: readonly string[];
}

/** What a row is called where it comes from. */
export interface Ids {
  readonly names: readonly string[];
  /** The ids of every row, in batches beside those of `data.inOrder(size)`; a row has one for each name. */
  inOrder(size: number): AsyncIterable<readonly (readonly string[])[]>;
}

/** Rows that were left out: their numbers in the file, from 0, and what they are called there. */
export interface Dropped {
  readonly rows: Int32Array;
  readonly ids?: readonly (readonly string[])[];
}

/** Columns that are passed on, whatever else they are for. */
export interface KeptColumns {
  readonly columns: readonly { readonly name: string; readonly type: "text" | "integer" | "double" }[];
  /** Their values, in batches beside those of `data.inOrder(size)`; nothing where there is none. */
  inOrder(size: number): AsyncIterable<readonly (readonly (string | number | null)[])[]>;
}

export interface OpenedRows {
  readonly data: Data;
  /** What each number of a row is made of; none for images. */
  readonly features: readonly Feature[];
  readonly ids?: Ids;
  /** Columns that are not learned from, and tell something about clusters all the same. */
  readonly beside?: RowsBeside;
  /** Of a table: what each of its columns is for, and why. */
  readonly columns?: readonly ColumnRole[];
  readonly labels?: Labels;
  /** What the column says that is taught, where the rows have it. */
  readonly teacher?: Labels;
  /** What stands for a missing value in each column, where `missing` is "mean" or numbers. */
  readonly filled?: readonly number[];
  /** The decimal mark of each column whose numbers were not written as programs do: 1,5 or $1,234. */
  readonly marks?: WrittenMarks;
  /** Of some rows, by their place in `data`, which of their numbers were missing and are filled in. */
  readonly missingOf?: (rows: readonly number[]) => Promise<ReadonlyMap<number, readonly number[]>>;
  /** Where rows were left out: the number that each of the others has in the file, from 0. */
  readonly numbers?: Int32Array;
  /** The rows that were left out, since a value is missing. */
  readonly dropped?: Dropped;
  /** The columns that were asked for with `keep`, as they are in the file. */
  readonly kept?: KeptColumns;
  /** One line for people: what is used, and what is not. */
  readonly description: string;
  /** Gives back what a source holds that is streamed, or kept for what is beside: the database, files on the side. */
  close(): Promise<void>;
}

/** What to do with missing values, once the features are known: fills by position as well. */
export type Missing = OpenOptions["missing"] | readonly (number | undefined)[];

/** The mean of a column is the one it had in the rows that these are like. Without features, columns go by position. */
export function missingIn({ missing, like, columns }: OpenOptions, features?: readonly Feature[]): Missing {
  if (features && typeof missing === "object") return features.map((feature) => givenFor(feature, missing));
  if (!like?.filled || (missing ?? "mean") !== "mean") return missing;
  // The features of those rows are found again in their order, whatever they are called here.
  if (!features || (columns === undefined && features.length === like.filled.length)) return like.filled;
  if (!like.features) return missing;
  const fills = new Map(like.features.map((feature, i) => [featureKey(feature), like.filled![i]!]));
  return features.map((feature) => fills.get(featureKey(feature)) ?? Number.NaN);
}

/**
 * The number that is given for a feature, by what people call it. The day that is given for a date says where on its
 * circles it is; a row that has no value of a category has none of its values, unless they are given.
 */
function givenFor(feature: Feature, given: Readonly<Record<string, number>>): number | undefined {
  const number = own(given, featureName(feature));
  if (number !== undefined) return number;
  if (feature.kind !== "cycle") return isOfCategory(feature) ? 0 : undefined;
  const days = own(given, feature.column);
  return days === undefined ? undefined : onCircle(days, feature);
}

export const defaultInMemory = 2 ** 26;

/** Labels from a name for each row: in the order of the numbers where all are numbers, else of the texts. */
export function labelsOf(names: readonly (string | null)[]): Labels {
  const present = [...new Set(names.filter((name) => name !== null))];
  const numeric = present.every((name) => name.trim() !== "" && Number.isFinite(Number(name)));
  const order = present.sort((a, b) => (numeric && Number(a) - Number(b)) || (a < b ? -1 : 1));
  const place = new Map(order.map((name, i) => [name, i]));
  return { classes: Int32Array.from(names, (name) => (name === null ? -1 : place.get(name)!)), names: order };
}

/** Ids that are in memory. */
export function idsInMemory(names: readonly string[], rows: readonly (readonly string[])[]): Ids {
  return {
    names,
    async *inOrder(size) {
      for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
    },
  };
}

export async function nothingToClose(): Promise<void> {}
