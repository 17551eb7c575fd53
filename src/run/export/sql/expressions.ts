/** The numbers of a row as expressions over the columns of a table, for one engine or another. */

import type { Feature } from "../../../data/feature.ts";
import { sizeOf } from "../../../tensor/tensor.ts";

/** How an engine writes what a feature is made of. */
export interface Dialect {
  identifier(name: string): string;
  text(value: string): string;
  /** A number of a vector, from 0. */
  element(column: string, index: number): string;
  /** Days since 1970 in universal time. */
  days(column: string): string;
}

/** What the numbers of a row are made of; where they have no names, some are made up. */
export function featuresIn(features: readonly Feature[], row: readonly number[]): readonly Feature[] {
  if (features.length > 0) return features;
  return Array.from({ length: sizeOf(row) }, (_, i) => ({ kind: "number", column: `c${i}` }));
}

/** A feature as a number, which is NULL where the value is missing. */
export function expression(feature: Feature, dialect: Dialect): string {
  const column = dialect.identifier(feature.column);
  switch (feature.kind) {
    case "number":
      return column;
    case "boolean":
      return `CASE WHEN ${column} THEN 1 WHEN NOT ${column} THEN 0 END`;
    case "date":
      return dialect.days(column);
    case "element":
      return dialect.element(column, feature.index);
    case "category":
      return `CASE WHEN ${column} = ${dialect.text(feature.value)} THEN 1 WHEN ${column} IS NOT NULL THEN 0 END`;
  }
}

/** The same as a float of the engine's, with NaN for what is missing where the model fills it in. */
export function cast(feature: Feature, dialect: Dialect, float: string, fills: boolean): string {
  const value = `CAST(${expression(feature, dialect)} AS ${float})`;
  return fills ? `COALESCE(${value}, CAST('NaN' AS ${float}))` : value;
}

export function listed<T>(items: readonly T[], show: (item: T, index: number) => string, indent: string): string {
  return items.map((item, i) => `${indent}${show(item, i)}${i + 1 < items.length ? "," : ""}`).join("\n");
}

/** As the standard has it: a quote inside is written twice. */
export function doubled(text: string, quote: string): string {
  return `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;
}

/** As many engines have it: a backslash before what would end the text or break its line. */
export function backslashed(text: string, quote: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
  return `${quote}${escaped.replaceAll("\n", "\\n").replaceAll("\r", "\\r")}${quote}`;
}
