/** Rows in words, where there is room for a few columns only: those of a cluster, and those between two. */

import { type Feature, placesByColumn } from "../../data/feature.ts";
import { number } from "../../text/number.ts";
import type { Difference, ShownRow } from "../clusters/clusterSummary.ts";
import { spoken } from "../columnWords.ts";

const mostColumns = 3;

/** What the columns that tell most of a cluster are in one of its rows: "name classic_dlx, price 16 filled in". */
export function saidOfRow(
  { values, filled = [] }: Pick<ShownRow, "values" | "filled">,
  distinguishing: readonly Pick<Difference, "name" | "feature">[],
  features: readonly Feature[],
): string {
  const columns = placesByColumn(features);
  return distinguishing
    .slice(0, mostColumns)
    .map(({ name, feature }) => {
      const places = columns.find((column) => column.places.includes(feature))?.places ?? [feature];
      return `${name} ${inWords(values, places, features)}${filled.includes(feature) ? " filled in" : ""}`;
    })
    .join(", ");
}

export interface SaidAlong {
  readonly name: string;
  /** In each of the rows. */
  readonly values: string[];
}

/** The columns that change most along a line of rows, by their own size, and what they are in each. */
export function saidAlong(
  rows: readonly (readonly number[])[],
  features: readonly Feature[],
  most: number,
): SaidAlong[] {
  const [first = [], last = []] = [rows[0], rows.at(-1)];
  const changeAt = (place: number): number => {
    const [from, to] = [first[place]!, last[place]!];
    return Math.abs(to - from) / (Math.abs(to) + Math.abs(from) || 1);
  };
  return placesByColumn(features)
    .map(({ column, places }) => ({ name: column, places, change: Math.max(...places.map(changeAt)) }))
    .sort((a, b) => b.change - a.change)
    .slice(0, most)
    .map(({ name, places }) => ({ name, values: rows.map((row) => inWords(row, places, features)) }));
}

function inWords(row: readonly number[], places: readonly number[], features: readonly Feature[]): string {
  return spoken(places, features, row) ?? number(row[places[0]!] ?? Number.NaN);
}
