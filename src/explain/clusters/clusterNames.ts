/** What features and clusters are called. */

import type { Difference } from "./clusterSummary.ts";

/** The name of a number of a row: its column's, or its place, such as x[3] or x[0,12,7] in a picture. */
export function featureName(feature: number, row: readonly number[], columns: readonly string[] = []): string {
  const name = columns[feature];
  if (name !== undefined) return name;
  let rest = feature;
  const place = row.toReversed().map((size) => {
    const along = rest % size;
    rest = Math.floor(rest / size);
    return along;
  });
  return `x[${place.reverse().join(",")}]`;
}

/** Whether a name tells a person something: "price" does, a place among others such as embedding[3] does not. */
export function isTelling(name: string): boolean {
  return !/\[[\d,]+\]$/.test(name);
}

/** A smaller difference, in deviations, does not make a name. */
const leastEffect = 0.5;
const [fewWords, manyWords] = [2, 4];

/**
 * A name for each cluster, from how it differs from all other rows: one or two columns, more where two clusters would be called the same.
 * Where nothing telling differs it is "cluster 3". No two are the same.
 */
export function clusterNames(distinguishing: readonly (readonly Difference[])[]): string[] {
  const said = distinguishing.map((differences) => {
    const telling = differences.filter(({ name, effect }) => isTelling(name) && Math.abs(effect) >= leastEffect);
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

function phrase(differences: readonly Difference[]): string | undefined {
  return differences.length === 0 ? undefined : differences.map(described).join(", ");
}

/** "high price"; for a column that says whether a text is this one, "city=Rome" or "not city=Rome". */
function described({ name, here, there, effect }: Difference): string {
  const isShare = [here, there].every((mean) => mean >= 0 && mean <= 1);
  if (name.includes("=") && isShare) return effect > 0 ? name : `not ${name}`;
  return `${effect > 0 ? "high" : "low"} ${name}`;
}

function repeatedIn(names: readonly string[]): Set<string> {
  return new Set(names.filter((name, i) => names.indexOf(name) !== i));
}
