/** From a table in memory to rows of numbers: what each feature is of each row, as a query gives it of a file. */

import type { ColumnBeside, RowsBeside, ValueBeside } from "../beside.ts";
import { longestText } from "../beside.ts";
import { columnsBeside } from "../columnsBeside.ts";
import { type Feature, featureName, isOfCategory, onCircle } from "../feature.ts";
import { checkFeatures, type RoleOptions, type Roles, rolesOf } from "../roles.ts";
import { heldColumns } from "./heldColumns.ts";
import type { HeldCell, HeldColumn, HeldTable } from "./heldTable.ts";

export interface HeldOptions extends RoleOptions {
  /** What is done with missing numbers: refused unless told. */
  readonly missing?: "mean" | "drop";
}

export interface HeldRows {
  readonly roles: Roles;
  /** Row after row, missing values filled in; those that are left out are not there. */
  readonly numbers: Float32Array;
  readonly count: number;
  /** Where each row is in the table. */
  readonly places: Int32Array;
  /** What stands for missing values, where any may be missing. */
  readonly filled?: readonly number[];
  /** Of a row, the numbers that were missing. */
  missingOf(row: number): readonly number[] | undefined;
  readonly description: string;
}

/** What each column is for. */
export function heldRoles(where: string, table: HeldTable, options: HeldOptions = {}): Roles {
  return rolesOf(where, heldColumns(table), options);
}

export function heldRows(where: string, table: HeldTable, options: HeldOptions = {}): HeldRows {
  const roles = heldRoles(where, table, options);
  checkFeatures(where, roles);
  checkTroubles(where, table, options);
  const { features } = roles;
  const named = new Map(table.columns.map((column) => [column.name, column]));
  const width = features.length;
  const all = new Float32Array(table.count * width);
  features.forEach((feature, at) => {
    const read = readerOf(feature, named.get(feature.column)!, options.missing === undefined);
    for (let row = 0; row < table.count; row++) all[row * width + at] = read(row);
  });
  checkFinite(where, all, features);
  const isHoled = (row: number): boolean => all.subarray(row * width, (row + 1) * width).some(Number.isNaN);
  const whole = Int32Array.from({ length: table.count }, (_, row) => row);
  const places = options.missing === "drop" ? whole.filter((row) => !isHoled(row)) : whole;
  if (places.length === 0) {
    throw new RangeError(`${where}: every one of its ${table.count} rows has a missing value; leave columns out`);
  }
  const numbers = places.length === table.count ? all : new Float32Array(places.length * width);
  if (numbers !== all) {
    for (const [row, place] of places.entries()) {
      numbers.set(all.subarray(place * width, (place + 1) * width), row * width);
    }
  }
  const missing = holesIn(numbers, width);
  if (missing.size > 0 && options.missing === undefined) throw withHoles(where, missing, features);
  const filled = options.missing === "mean" ? meansOf(where, numbers, features) : undefined;
  if (filled) for (const [row, holes] of missing) for (const at of holes) numbers[row * width + at] = filled[at]!;
  const dropped = table.count - places.length;
  const holes = [...missing.values()].reduce((sum, each) => sum + each.length, 0);
  return {
    ...{ roles, numbers, count: places.length, places, missingOf: (row) => missing.get(row) },
    ...(filled && { filled }),
    description: `${roles.description}${dropped > 0 ? `, leaving out ${dropped} of ${table.count} rows with missing values` : ""}${holes > 0 ? `, filling ${holes} missing ${holes === 1 ? "value" : "values"}` : ""}`,
  };
}

/** What the columns that are not learned from say of these rows. */
export function heldBeside(table: HeldTable, { roles, places }: HeldRows, ignore?: readonly string[]): RowsBeside {
  const columns = columnsBeside(roles, ignore);
  const cells = columns.map(({ name }) => table.columns.find((column) => column.name === name)!.cells);
  return {
    columns,
    *inOrder(size) {
      for (let first = 0; first < places.length; first += size) {
        const some = [...places.subarray(first, first + size)];
        yield some.map((place) => columns.map((column, at) => besideValue(column, cells[at]![place]!)));
      }
    },
  };
}

function besideValue({ kind }: ColumnBeside, cell: HeldCell): ValueBeside {
  if (cell === null) return null;
  return kind === "text" ? String(cell).slice(0, longestText) : (cell as number);
}

/** The number that a feature is of a row; NaN where it is missing. */
function readerOf(feature: Feature, { cells }: HeldColumn, isNone: boolean): (row: number) => number {
  // A row that has no value of a category has none of its values.
  const absent = isNone && isOfCategory(feature) ? 0 : Number.NaN;
  const made: (cell: Exclude<HeldCell, null>) => number = ((): ((cell: never) => number) => {
    switch (feature.kind) {
      case "element":
        return (cell: ArrayLike<number>) => Number(cell[feature.index]);
      case "category":
        return (cell: string) => (String(cell) === feature.value ? 1 : 0);
      case "other":
        return (cell: string) => (feature.except.includes(String(cell)) ? 0 : 1);
      case "ordered":
        return (cell: string) => {
          const place = feature.values.indexOf(String(cell));
          return place < 0 ? Number.NaN : place;
        };
      case "cycle":
        return (cell: number) => onCircle(cell, feature);
      default:
        return (cell: number | boolean) => Number(cell);
    }
  })() as never;
  return (row) => {
    const cell = cells[row]!;
    return cell === null ? absent : made(cell);
  };
}

/** One word among numbers is more likely a mistake than a column to leave out. */
function checkTroubles(
  where: string,
  { columns }: HeldTable,
  { ignore, id, label, encode, text, columns: wanted }: HeldOptions,
): void {
  const meant = new Set([...(ignore ?? []), ...[id ?? []].flat(), label, text, ...(encode ?? [])]);
  const found = columns.find(
    ({ name, trouble }) => trouble !== undefined && !meant.has(name) && (wanted?.includes(name) ?? true),
  );
  if (!found) return;
  throw new RangeError(
    `${where}: column ${found.name} ${found.trouble!.replace("; a fit refuses it", "")}; correct it, or say that it is ignored`,
  );
}

function checkFinite(where: string, numbers: Float32Array, features: readonly Feature[]): void {
  const at = numbers.findIndex((value) => !Number.isFinite(value) && !Number.isNaN(value));
  if (at < 0) return;
  const name = featureName(features[at % features.length]!);
  throw new RangeError(
    `${where}: every number must be finite and below 3.4e38, got a larger one in row ${Math.floor(at / features.length)}, column ${name}`,
  );
}

function holesIn(numbers: Float32Array, width: number): Map<number, number[]> {
  const holes = new Map<number, number[]>();
  for (let at = 0; at < numbers.length; at++) {
    if (!Number.isNaN(numbers[at])) continue;
    const row = Math.floor(at / width);
    holes.set(row, [...(holes.get(row) ?? []), at % width]);
  }
  return holes;
}

function withHoles(
  where: string,
  missing: ReadonlyMap<number, readonly number[]>,
  features: readonly Feature[],
): Error {
  const count = [...missing.values()].reduce((sum, each) => sum + each.length, 0);
  const [row, [at]] = [...missing][0]! as [number, [number]];
  return new RangeError(
    `${where}: ${count === 1 ? "1 value is" : `${count} values are`} missing, the first in row ${row}, column ${featureName(features[at]!)}; say what is done with missing values`,
  );
}

function meansOf(where: string, numbers: Float32Array, features: readonly Feature[]): number[] {
  return features.map((feature, at) => {
    let [sum, present] = [0, 0];
    for (let i = at; i < numbers.length; i += features.length) {
      if (Number.isNaN(numbers[i])) continue;
      sum += numbers[i]!;
      present++;
    }
    if (present > 0) return Math.fround(sum / present);
    throw new RangeError(
      `${where}: column ${featureName(feature)} has no values at all, so it has no mean; leave it out`,
    );
  });
}
