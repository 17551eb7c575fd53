/** The numbers of a row as expressions over the columns of a table, for one engine or another. */

import { type Feature, isOfCategory, periods } from "../../../data/feature.ts";
import { sizeOf } from "../../../tensor/tensor.ts";
import { jsonText } from "../../../text/jsonText.ts";
import { type SqlDialect, sqlComment } from "../../../text/sql.ts";

/** How an engine writes what a feature is made of. */
export interface Dialect extends SqlDialect {
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

export function columnsOf(features: readonly Feature[]): string[] {
  return features.map(({ column }) => column);
}

/** A feature as a number, which is NULL where the value is missing. */
export function expression(feature: Feature, dialect: Dialect): string {
  const column = dialect.name(feature.column);
  switch (feature.kind) {
    case "number":
    case "count":
      return column;
    case "boolean":
      return `CASE WHEN ${column} THEN 1 WHEN NOT ${column} THEN 0 END`;
    case "date":
      return dialect.days(column);
    case "element":
      return dialect.element(column, feature.index);
    case "category":
      return `CASE WHEN ${column} = ${dialect.text(feature.value)} THEN 1 WHEN ${column} IS NOT NULL THEN 0 END`;
    case "other":
      return `CASE WHEN ${column} IN (${feature.except.map(dialect.text).join(", ")}) THEN 0 WHEN ${column} IS NOT NULL THEN 1 END`;
    case "ordered":
      return `CASE ${column} ${feature.values.map((value, i) => `WHEN ${dialect.text(value)} THEN ${i}`).join(" ")} END`;
    case "cycle":
      return `${feature.part.toUpperCase()}(${2 * Math.PI} * (${dialect.days(column)}) / ${periods[feature.period]})`;
  }
}

/** The same; where the model fills nothing in, a row without a value of a category has none of its values. */
export function numberOf(feature: Feature, dialect: Dialect, fills: boolean): string {
  const value = expression(feature, dialect);
  return !fills && isOfCategory(feature) ? `COALESCE(${value}, 0)` : value;
}

/** The same as a float of the engine's, with NaN for what is missing where the model fills it in. */
export function cast(feature: Feature, dialect: Dialect, float: string, fills: boolean): string {
  const value = `CAST(${numberOf(feature, dialect, fills)} AS ${float})`;
  return fills ? `COALESCE(${value}, CAST('NaN' AS ${float}))` : value;
}

export function listed<T>(items: readonly T[], show: (item: T, index: number) => string, indent: string): string {
  return items.map((item, i) => `${indent}${show(item, i)}${i + 1 < items.length ? "," : ""}`).join("\n");
}

/** What has to be known before a table can have these columns, as comments: names that it cannot have as they are. */
export function aboutNames(columns: readonly string[], dialect: SqlDialect): string {
  const names = [...new Set(columns)];
  const misfits = names.flatMap((name) => {
    const misfit = dialect.misfit(name);
    return misfit === undefined ? [] : [`a column cannot be called ${jsonText(name)} here, since it ${misfit}`];
  });
  const firstOf = new Map<string, string>();
  const folded = names.flatMap((name) => {
    const known = dialect.foldsCase ? name.toLowerCase() : name;
    const first = firstOf.get(known);
    firstOf.set(known, first ?? name);
    return first === undefined ? [] : [`${jsonText(first)} and ${jsonText(name)} are one column here`];
  });
  return [...misfits, ...folded].map((what) => `\n${sqlComment(`Careful: ${what}; rename it, and below.`)}`).join("");
}
