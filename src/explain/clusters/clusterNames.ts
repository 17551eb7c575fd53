/** What features and clusters are called. */

import { type Feature, featureName } from "../../data/feature.ts";
import { saidBeside } from "../beside/besideWords.ts";
import { middlePhrase, phraseOf } from "../columnWords.ts";
import type { Beside, Difference } from "./clusterSummary.ts";
import { distinctNames } from "./distinctNames.ts";

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

/** A smaller difference, in deviations, does not make a name; half of it tells two clusters apart that have one. */
const leastEffect = 0.5;
const usualPhrases = 2;

export interface ClusterName {
  readonly name: string;
  /** The column that it is from, where that was not used to cluster. */
  readonly namedBy?: string;
}

export interface NamedBy {
  /** How each cluster differs from all other rows. */
  readonly distinguishing: readonly (readonly Difference[])[];
  readonly features: readonly Feature[];
  /** How a cluster differs from the rows of some others. */
  readonly apart?: (cluster: number, others: readonly number[]) => readonly Difference[];
  /** What columns say of each cluster that were not used to cluster. */
  readonly beside?: readonly (readonly Beside[])[];
}

/**
 * A name for each cluster, from how it differs from all other rows: one or two columns, more where two clusters would
 * be called the same. Where it is like the mean of all, and others are on both sides of it, it is in their middle;
 * where no feature tells, columns that were not used may; and where nothing does it is "cluster 3".
 */
export function clusterNames({ distinguishing, features, apart, beside = [] }: NamedBy): ClusterName[] {
  const said = distinguishing.map((differences, cluster) => {
    const telling = tellingOf(differences, features, leastEffect);
    // The second only where it tells nearly as much as the first.
    const first = telling.filter(({ effect }) => Math.abs(effect) >= Math.abs(telling[0]!.effect) / 2);
    const phrases = telling.map((difference) => phraseOf(difference, features[difference.feature]!));
    const own = { phrases, usual: Math.min(usualPhrases, first.length) };
    // What all rows say tells none from another.
    const isAlone = distinguishing.length === 1;
    if (phrases.length > 0 || isAlone) return own;
    const middle = middleOf(cluster, distinguishing, features);
    return middle.length > 0 ? { phrases: middle, usual: 1 } : (saidBeside(beside[cluster]) ?? own);
  });
  const names = distinctNames(said, (cluster, others) => {
    if (apart === undefined || "column" in said[cluster]!) return [];
    const theirs = others.flatMap((other) => said[other]!.phrases);
    return tellingOf(apart(cluster, others), features, leastEffect / 2).flatMap((difference) => {
      const feature = features[difference.feature]!;
      const plain = phraseOf(difference, feature);
      if (said[cluster]!.phrases.includes(plain) && !theirs.includes(plain)) return [plain];
      const compared = phraseOf(difference, feature, true);
      return compared === plain && theirs.includes(plain) ? [] : [compared];
    });
  });
  return names.map((name, cluster) => {
    const from = said[cluster]!;
    return { name, ...("column" in from && { namedBy: from.column }) };
  });
}

/** Columns in which it is in the middle, and some others are high and some low, where they are furthest apart first. */
function middleOf(
  cluster: number,
  distinguishing: readonly (readonly Difference[])[],
  features: readonly Feature[],
): string[] {
  const found = distinguishing[cluster]!.flatMap((own) => {
    const feature = features[own.feature];
    const phrase = isTelling(feature) ? middlePhrase(own, feature) : undefined;
    const effects = distinguishing.flat().flatMap(({ name, effect }) => (name === own.name ? [effect] : []));
    const reach = Math.min(Math.max(...effects), -Math.min(...effects));
    return phrase !== undefined && reach >= leastEffect ? [{ phrase, reach }] : [];
  });
  return found.sort((a, b) => b.reach - a.reach).map(({ phrase }) => phrase);
}

function tellingOf(differences: readonly Difference[], features: readonly Feature[], least: number): Difference[] {
  return differences.filter(({ feature, effect }) => isTelling(features[feature]) && Math.abs(effect) >= least);
}
