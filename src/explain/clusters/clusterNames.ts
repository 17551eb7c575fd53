/** What features and clusters are called. */

import { type Feature, featureName } from "../../data/feature.ts";
import type { Difference } from "./clusterSummary.ts";

/** What the numbers of a row are: features, or only names, each of a column of numbers. */
export type ColumnsOfRow = readonly (Feature | string)[];

export function featuresOf(columns: ColumnsOfRow): readonly Feature[] {
  return columns.map((column) => (typeof column === "string" ? { kind: "number", column } : column));
}

/** The name of a number of a row: its feature's, or its place, such as x[3] or x[0,12,7] in a picture. */
export function nameAt(place: number, row: readonly number[], features: readonly Feature[] = []): string {
  const feature = features[place];
  if (feature) return featureName(feature);
  let rest = place;
  const along = row.toReversed().map((size) => {
    const at = rest % size;
    rest = Math.floor(rest / size);
    return at;
  });
  return `x[${along.reverse().join(",")}]`;
}

/** Whether a feature tells a person something: "price" does, a place among others such as embedding[3] does not. */
export function isTelling(feature: Feature | undefined): feature is Feature {
  return feature !== undefined && feature.kind !== "element";
}

/** A smaller difference, in deviations, does not make a name. */
const leastEffect = 0.5;
const [fewWords, manyWords] = [2, 4];

/**
 * A name for each cluster, from how it differs from all other rows: one or two columns, more where two clusters would
 * be called the same. Where nothing telling differs it is "cluster 3". No two are the same.
 */
export function clusterNames(
  distinguishing: readonly (readonly Difference[])[],
  features: readonly Feature[],
): string[] {
  const phrase = (differences: readonly Difference[]): string | undefined =>
    differences.map((difference) => described(difference, features[difference.feature]!)).join(", ") || undefined;
  const said = distinguishing.map((differences) => {
    const telling = differences.filter(
      ({ feature, effect }) => isTelling(features[feature]) && Math.abs(effect) >= leastEffect,
    );
    // The second only where it tells nearly as much as the first.
    const first = telling.filter(({ effect }) => Math.abs(effect) >= Math.abs(telling[0]!.effect) / 2);
    return { telling, usual: Math.min(fewWords, first.length) };
  });
  let names = said.map(({ telling, usual }, cluster) => phrase(telling.slice(0, usual)) ?? `cluster ${cluster}`);
  for (let words = fewWords; words <= manyWords; words++) {
    const repeated = repeatedIn(names);
    names = names.map((name, j) => (repeated.has(name) ? (phrase(said[j]!.telling.slice(0, words)) ?? name) : name));
  }
  const repeated = repeatedIn(names);
  return names.map((name, cluster) => (repeated.has(name) ? `${name} (cluster ${cluster})` : name));
}

/** "high price"; of a feature that says whether a text is this one, "city=Rome" or "not city=Rome". */
function described({ name, effect }: Difference, { kind }: Feature): string {
  if (kind === "category") return effect > 0 ? name : `not ${name}`;
  return `${effect > 0 ? "high" : "low"} ${name}`;
}

function repeatedIn(names: readonly string[]): Set<string> {
  return new Set(names.filter((name, i) => names.indexOf(name) !== i));
}
