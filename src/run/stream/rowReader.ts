/** The columns of a stream, matched by name to those that a run was fitted to. */

import { tells } from "../../data/columnNames.ts";
import { type Feature, featureName, isOfCategory, isOfText, onCircle } from "../../data/feature.ts";
import { own } from "../../data/own.ts";
import { type DecimalMark, writtenNumber } from "../../data/writtenNumber.ts";
import { briefly } from "../../formats/schema.ts";
import type { SourceDescription } from "../folder/schemas/runDescription.ts";
import { BadRow, idOf, listOf, numberOf } from "./cells.ts";
import type { Header, ValueByColumn } from "./records.ts";

export interface RowReader {
  /** The id columns that are here. */
  readonly ids: readonly string[];
  /** Columns that nothing is made of. */
  readonly ignored: readonly string[];
  idsOf(record: ValueByColumn): string[];
  /** The numbers of a row. */
  numbersOf(record: ValueByColumn): Float32Array;
}

/** What is made of one column: numbers at some places of the row. */
interface ColumnReader {
  readonly column: string;
  /** The numbers in the order of `places`; NaN where one is missing. */
  read(value: unknown): number[];
  readonly places: number[];
}

type Fitted = Pick<SourceDescription, "features" | "ids" | "filled" | "options" | "marks">;

/**
 * The columns that name a row: those that are wanted, or those of the fit; where it had none, as `assign` does, those
 * that are named like an id.
 */
export function idsIn(
  where: string,
  { names }: Header,
  { ids, features, options }: Fitted,
  wanted?: readonly string[],
): readonly string[] {
  const strange = wanted?.find((name) => !names.includes(name));
  if (strange !== undefined) {
    throw new RangeError(`${where}: id must name columns of it, got "${strange}"; it has ${names.join(", ")}`);
  }
  const known = wanted ?? ids.filter((name) => names.includes(name));
  if (wanted || known.length > 0 || options.id !== undefined) return known;
  const used = new Set(features.flatMap((feature) => [feature.column, featureName(feature)]));
  return names.filter((name) => tells(name, "id") && !used.has(name) && options.label !== name);
}

export function rowReader(where: string, header: Header, fitted: Fitted): RowReader {
  const here = new Set(header.names);
  const readers = columnReaders(where, header, fitted);
  const ids = header.ids ?? fitted.ids.filter((name) => here.has(name));
  const used = new Set([...readers.map(({ column }) => column), ...ids]);
  return {
    ids,
    ignored: header.names.filter((name) => !used.has(name)),
    idsOf: (record) => ids.map((name) => idOf(name, record(name))),
    numbersOf(record) {
      const row = new Float32Array(fitted.features.length);
      for (const { column, read, places } of readers) {
        const value = record(column);
        read(value).forEach((number, i) => {
          row[places[i]!] = checked(number, value, fitted, places[i]!);
        });
      }
      return row;
    },
  };
}

function checked(number: number, value: unknown, { features, filled, options }: Fitted, place: number): number {
  if (Number.isNaN(number)) {
    if (filled) return filled[place]!;
    // Without a value it has none of the category's.
    if (options.missing === undefined && isOfCategory(features[place]!)) return 0;
    throw new BadRow(
      `column ${featureName(features[place]!)} must have a value, it has none; the run was fitted to whole rows`,
    );
  }
  if (Number.isFinite(Math.fround(number))) return number;
  throw new BadRow(`column ${featureName(features[place]!)} must be finite and below 3.4e38, got ${briefly(value)}`);
}

/** Features of one column are read together: a vector is taken apart once. */
function columnReaders(where: string, header: Header, fitted: Fitted): ColumnReader[] {
  const here = new Set(header.names);
  const groups = new Map<string, { readonly features: Feature[]; readonly places: number[] }>();
  const missing: string[] = [];
  for (const [place, each] of fitted.features.entries()) {
    const feature = foundIn(here, each);
    if (!feature) {
      missing.push(each.column);
      continue;
    }
    const key = JSON.stringify([feature.kind, feature.column]);
    const group = groups.get(key) ?? { features: [], places: [] };
    group.features.push(feature);
    group.places.push(place);
    groups.set(key, group);
  }
  if (missing.length > 0) throw missingColumns(where, [...new Set(missing)], header);
  return [...groups.values()].map(({ features, places }) => {
    const { column } = features[0]!;
    return { column, places, read: readerOf(features, fitted, header) };
  });
}

/** The feature among these columns; what was a vector, or a text, may have a column for each of its numbers here. */
function foundIn(here: ReadonlySet<string>, feature: Feature): Feature | undefined {
  if (here.has(feature.column)) return feature;
  const name = featureName(feature);
  return here.has(name) ? { kind: "number", column: name } : undefined;
}

/** Reads features of one kind from a value of their column. */
function readerOf(
  features: readonly Feature[],
  { options, marks }: Fitted,
  { separator }: Header,
): ColumnReader["read"] {
  const { kind, column } = features[0]!;
  if (isOfText(features[0]!)) return textReader(features);
  if (kind === "cycle") return circleReader(column, features as readonly (Feature & { kind: "cycle" })[]);
  if (kind !== "element")
    return numberReader(column, marks && own(marks, column), separator === ";" ? "comma" : "point");
  // Whoever has chosen single numbers of a vector may have left out its end.
  const isWhole = options.columns === undefined || options.columns.includes(column);
  return elementReader(features as readonly (Feature & { kind: "element" })[], isWhole);
}

/** With the mark that the column had when the run was fitted; where it had none, whatever number the text can be. */
function numberReader(column: string, mark: DecimalMark | undefined, usual: DecimalMark): ColumnReader["read"] {
  const others = [usual, usual === "comma" ? "point" : "comma"] as const;
  return (value) => {
    const as = (each: DecimalMark): number | undefined =>
      typeof value === "string" ? writtenNumber(value, each) : undefined;
    const number = (mark && as(mark)) ?? numberOf(value) ?? as(others[0]) ?? as(others[1]);
    if (number === undefined) throw new BadRow(`column ${column} must be a number, got ${briefly(value)}`);
    return [number];
  };
}

function textReader(features: readonly Feature[]): ColumnReader["read"] {
  return (value) =>
    features.map((feature) => (value === null || value === undefined ? Number.NaN : ofText(String(value), feature)));
}

function ofText(text: string, feature: Feature): number {
  switch (feature.kind) {
    case "category":
      return Number(text === feature.value);
    case "other":
      return Number(!feature.except.includes(text));
    case "ordered":
      return feature.values.includes(text) ? feature.values.indexOf(text) : Number.NaN;
    default:
      return Number.NaN;
  }
}

function circleReader(column: string, features: readonly (Feature & { kind: "cycle" })[]): ColumnReader["read"] {
  return (value) => {
    const days = numberOf(value);
    if (days === undefined) throw new BadRow(`column ${column} must be a date, got ${briefly(value)}`);
    return features.map((feature) => onCircle(days, feature));
  };
}

function elementReader(features: readonly (Feature & { kind: "element" })[], isWhole: boolean): ColumnReader["read"] {
  const { column } = features[0]!;
  const least = features.reduce((most, { index }) => Math.max(most, index), 0) + 1;
  return (value) => {
    if (value === null || value === undefined) return features.map(() => Number.NaN);
    const list = listOf(value);
    if (!list) throw new BadRow(`column ${column} must be a list of numbers, got ${briefly(value)}`);
    if (list.length < least || (isWhole && list.length > least)) {
      throw new BadRow(`column ${column} must be a list of ${least} numbers, got ${list.length}`);
    }
    return features.map(({ index }) => {
      const number = numberOf(list[index]);
      if (number === undefined)
        throw new BadRow(`column ${column}[${index}] must be a number, got ${briefly(list[index])}`);
      return number;
    });
  };
}

function missingColumns(where: string, missing: readonly string[], { names, separator }: Header): RangeError {
  const some = (all: readonly string[]): string =>
    `${all.slice(0, 8).join(", ")}${all.length > 8 ? ` and ${all.length - 8} more` : ""}`;
  const first = separator === undefined ? "the first object must have" : "the first line must name";
  const cure = separator === undefined ? "; write null where there is no value" : "";
  return new RangeError(
    `${where}: ${first} the columns that the run was fitted to, ${some(missing)} ${missing.length === 1 ? "is" : "are"} missing; it has ${some(names) || "none"}${cure}`,
  );
}
