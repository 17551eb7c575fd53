/** What makes the rows of a cluster different from others. */

import { aspectsOf, type Feature } from "../../data/feature.ts";
import { shownColumns, spoken } from "../columnWords.ts";
import { nameAt } from "./clusterNames.ts";
import type { Difference } from "./clusterSummary.ts";

export interface Scale {
  /** The standard deviation of each number over all rows. */
  readonly deviation: ArrayLike<number>;
  readonly row: readonly number[];
  readonly features?: readonly Feature[];
}

/**
 * How two means differ, column by column, the largest effect first: (here − there)/deviation of a number, and of
 * numbers that belong together √(Σ (here − there)²/Σ deviation²). What never varies differs nowhere.
 */
export function contrast(here: ArrayLike<number>, there: ArrayLike<number>, scale: Scale, most: number): Difference[] {
  const { row, features = [] } = scale;
  const columns =
    features.length > 0 ? shownColumns(features) : Array.from(here, (_, i) => ({ name: nameAt(i, row), places: [i] }));
  const differences = columns.flatMap(({ name, places }) => {
    const all = aspectsOf(places, features).map((aspect) => differenceOf(name, aspect, here, there, scale));
    // Of a date, what tells most of it: when, or where in the day, the week or the year.
    return all.reduce((best, each) => (Math.abs(each.effect) > Math.abs(best.effect) ? each : best));
  });
  return differences
    .filter(({ effect }) => effect !== 0)
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
    .slice(0, most);
}

function differenceOf(
  name: string,
  places: readonly number[],
  here: ArrayLike<number>,
  there: ArrayLike<number>,
  { deviation, features = [] }: Scale,
): Difference {
  // Of a category, the value that is there more often than elsewhere, by the most.
  const feature = places.reduce((best, place) =>
    here[place]! - there[place]! > here[best]! - there[best]! ? place : best,
  );
  const exact = [here, there].map((row) => spoken(places, features, row));
  const words = features[feature]?.kind === "date" ? datesApart(exact) : exact;
  const said = words[0] === undefined ? {} : { said: words as [string, string] };
  return {
    feature,
    name,
    here: here[feature]!,
    there: there[feature]!,
    effect: effectOf(places, here, there, deviation),
    ...said,
  };
}

/** Of two mean dates the time of day says nothing where their days differ. */
function datesApart(moments: (string | undefined)[]): (string | undefined)[] {
  const days = moments.map((moment) => moment?.replace(/ \d\d:\d\d$/, ""));
  return days[0] === days[1] ? moments : days;
}

function effectOf(
  places: readonly number[],
  here: ArrayLike<number>,
  there: ArrayLike<number>,
  deviation: ArrayLike<number>,
): number {
  const [only, second] = places;
  if (second === undefined) return deviation[only!]! > 0 ? (here[only!]! - there[only!]!) / deviation[only!]! : 0;
  let [apart, spread] = [0, 0];
  for (const place of places) {
    apart += (here[place]! - there[place]!) ** 2;
    spread += deviation[place]! ** 2;
  }
  return spread > 0 ? Math.sqrt(apart / spread) : 0;
}
