/**
 * What the numbers of a row say, column by column, as people say it: "mostly female, 72 %" and not sex=female 0.72. All
 * that is said about categories, dates and other columns of more than one number is worded here.
 */

import { type Feature, placesByColumn } from "../data/feature.ts";
import { percent } from "../text/shares.ts";
import type { Difference } from "./clusters/clusterSummary.ts";

/** A column of a row as it is shown: one line, whatever the number of its features. */
export interface ShownColumn {
  readonly name: string;
  /** Where its numbers are in a row. */
  readonly places: readonly number[];
}

/** The columns of rows with these features. */
export function shownColumns(features: readonly Feature[]): ShownColumn[] {
  return placesByColumn(features).map(({ column, places }) => ({ name: column, places }));
}

/** What is nearly all, or nearly nothing, is called so. */
const nearly = 0.995;

/**
 * What a column says: of a row its value; of a mean or an exemplar, in which values of a category have shares, what is
 * there most. Nothing of numbers, which speak for themselves.
 */
export function spoken(
  places: readonly number[],
  features: readonly Feature[],
  row: ArrayLike<number>,
): string | undefined {
  const [first] = places;
  const feature = features[first!];
  switch (feature?.kind) {
    case "category":
    case "other":
      return shareWords(
        places.length === 1
          ? yesOrNo(row[first!]!, valueIn(feature))
          : places.map((place) => ({ value: valueIn(features[place]!), share: row[place]! })),
      );
    case "boolean":
      return shareWords(yesOrNo(row[first!]!, "yes", "no"));
    case "ordered":
      return orderedWords(row[first!]!, feature.values);
    case "date":
      return dateWords(row[first!]!);
    case "cycle":
      return circleWords(row, places, features);
    default:
      return undefined;
  }
}

function yesOrNo(share: number, yes: string, no = `not ${yes}`) {
  return [
    { value: yes, share },
    { value: no, share: 1 - share },
  ];
}

/** "female", "mostly female, 72 %", or the two that are there most: "Dream 41 %, Biscoe 35 %". */
export function shareWords(shares: readonly { readonly value: string; readonly share: number }[]): string {
  const order = shares.filter(({ share }) => share > 0.005).sort((a, b) => b.share - a.share);
  const [first, second] = order;
  if (!first) return "none";
  if (first.share >= nearly) return first.value;
  if (first.share >= 0.5 || !second) return `mostly ${first.value}, ${percent(first.share)}`;
  return `${first.value} ${percent(first.share)}, ${second.value} ${percent(second.share)}`;
}

/** The value at a place, or the nearest to it. */
function orderedWords(place: number, values: readonly string[]): string {
  const nearest = values[Math.max(0, Math.min(values.length - 1, Math.round(place)))] ?? "";
  return Math.abs(place - Math.round(place)) < 0.01 ? nearest : `about ${nearest}`;
}

/** 2024-02-29, with the time where it is not midnight. */
export function dateWords(days: number): string {
  const moment = new Date(Math.round(days * 86400) * 1000);
  if (Number.isNaN(moment.getTime())) return "no date";
  const [day, time] = moment.toISOString().split("T") as [string, string];
  return time.startsWith("00:00:00") ? day : `${day} ${time.slice(0, 5)}`;
}

const weekdays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];
const months = "January February March April May June July August September October November December".split(" ");

/** Where on its circle: "around 14:00", "around Tuesday", "around March". 1970 began on a Thursday. */
function circleWords(row: ArrayLike<number>, places: readonly number[], features: readonly Feature[]): string {
  const part = (wanted: "sin" | "cos"): number => {
    const place = places.find((each) => (features[each] as Feature & { kind: "cycle" }).part === wanted);
    return place === undefined ? 0 : row[place]!;
  };
  const turn = (Math.atan2(part("sin"), part("cos")) / (2 * Math.PI) + 1) % 1;
  const { period } = features[places[0]!] as Feature & { kind: "cycle" };
  if (period === "week") return `around ${weekdays[Math.floor(turn * 7)]}`;
  if (period === "year") return `around ${months[Math.floor(turn * 12)]}`;
  const minutes = Math.round(turn * 96) * 15;
  return `around ${Math.floor(minutes / 60) % 24}:${String(minutes % 60).padStart(2, "0")}`;
}

function valueIn(feature: Feature): string {
  return feature.kind === "category" ? feature.value : "other";
}

/**
 * What makes a name: "high price", "sex female", "sex mostly female", "city often Rome", "not alone", "later day";
 * compared with another cluster, "higher price".
 */
export function phraseOf({ name, effect, here, said }: Difference, feature: Feature, isCompared = false): string {
  const [high, low] = isCompared ? ["higher", "lower"] : ["high", "low"];
  switch (feature.kind) {
    case "category":
    case "other": {
      const value = valueIn(feature);
      // One value alone, which somebody has asked for, may be there less.
      if (effect < 0) return `not ${feature.column} ${value}`;
      const of = columnOf(feature.column, value);
      return here >= 0.9 ? `${of}${value}` : `${of}${here >= 0.5 ? "mostly" : "often"} ${value}`;
    }
    case "boolean": {
      const share = Math.max(here, 1 - here);
      return `${share >= 0.9 ? "" : "mostly "}${here >= 0.5 ? "" : "not "}${name}`;
    }
    case "date":
      return `${effect > 0 ? "later" : "earlier"} ${name}`;
    case "ordered":
    case "cycle":
      return `${columnOf(feature.column, said?.[0] ?? "")}${said?.[0] ?? ""}`.trim();
    default:
      return `${effect > 0 ? high : low} ${name}`;
  }
}

/** Of a cluster in the middle of a column, others on both sides: "medium price", "size about M"; nothing of words. */
export function middlePhrase({ name, said }: Difference, feature: Feature): string | undefined {
  if (feature.kind === "number") return `medium ${name}`;
  return feature.kind === "ordered" ? `${columnOf(feature.column, said?.[0] ?? "")}${said?.[0] ?? ""}` : undefined;
}

/** What a phrase says without how much of it there is: "size about L" and "size L" are hard to tell apart. */
export function withoutDegree(phrase: string): string {
  return phrase.replaceAll(/\b(about|mostly|often) /g, "");
}

/** The column before its value; nothing where the value names it: "2nd class" and not "class 2nd class". */
function columnOf(column: string, value: string): string {
  return value.toLowerCase().split(/\s+/).includes(column.toLowerCase()) || value.toLowerCase() === column.toLowerCase()
    ? ""
    : `${column} `;
}
