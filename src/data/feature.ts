/** A feature is one number of a row, and says what it is made of. */

export type Feature =
  /** A column of numbers; of booleans, as 0 and 1; of dates, as days since 1970 in universal time. */
  | { readonly kind: "number" | "boolean" | "date"; readonly column: string }
  /** Whole numbers from 0 with a long tail: as they are in a row, by their logarithms inside the model. */
  | { readonly kind: "count"; readonly column: string }
  /** One number of a column of vectors. */
  | { readonly kind: "element"; readonly column: string; readonly index: number }
  /** 1 where the text of a column is this one, else 0. */
  | { readonly kind: "category"; readonly column: string; readonly value: string }
  /** 1 where the text of a column is none of these, which have numbers of their own, else 0. */
  | { readonly kind: "other"; readonly column: string; readonly except: readonly string[] }
  /** The place of a text among these, from 0. */
  | { readonly kind: "ordered"; readonly column: string; readonly values: readonly string[] }
  /** Where a date is on a circle: the sine, or the cosine, of 2π·days/period. */
  | { readonly kind: "cycle"; readonly column: string; readonly period: Period; readonly part: "sin" | "cos" };

/** After how many days a circle comes round. */
export const periods = { day: 1, week: 7, year: 365.2425 } as const;
export type Period = keyof typeof periods;

/** What people call it: price, embedding[3], city=Rome. For people only: a column of numbers may be called so too. */
export function featureName(feature: Feature): string {
  switch (feature.kind) {
    case "element":
      return `${feature.column}[${feature.index}]`;
    case "category":
      return `${feature.column}=${feature.value}`;
    case "other":
      return `${feature.column}=other`;
    case "cycle":
      return `${feature.part} of the ${feature.period} of ${feature.column}`;
    default:
      return feature.column;
  }
}

export function featureNames(features: readonly Feature[]): string[] {
  return features.map(featureName);
}

/** The same text for the same feature only, whatever type its column has in one file or another. */
export function featureKey(feature: Feature): string {
  return JSON.stringify([feature.column, partOf(feature)]);
}

function partOf(feature: Feature): unknown {
  switch (feature.kind) {
    case "element":
      return feature.index;
    case "category":
      return feature.value;
    case "other":
      return ["other"];
    case "cycle":
      return [feature.period, feature.part];
    default:
      return null;
  }
}

/** What a date is on a circle. */
export function onCircle(days: number, { period, part }: Feature & { readonly kind: "cycle" }): number {
  return Math[part]((2 * Math.PI * days) / periods[period]);
}

/** Whether it is one of the numbers that say which value of a category a row has. */
export function isOfCategory(feature: Feature): feature is Feature & { readonly kind: "category" | "other" } {
  return feature.kind === "category" || feature.kind === "other";
}

/** Whether it is the share of a value, 0 or 1 in a row. */
export function isDiscrete(feature: Feature): boolean {
  return isOfCategory(feature) || feature.kind === "boolean";
}

/** Whether it is read as text, whatever the text looks like. */
export function isOfText({ kind }: Feature): boolean {
  return kind === "category" || kind === "other" || kind === "ordered";
}

/**
 * The places of the numbers that are made of one column, for each column in the order of its first; a vector's numbers
 * are columns of their own.
 */
export function placesByColumn(features: readonly Feature[]): { readonly column: string; readonly places: number[] }[] {
  const columns = new Map<string, { column: string; places: number[] }>();
  for (const [place, feature] of features.entries()) {
    const key = feature.kind === "element" ? featureKey(feature) : feature.column;
    const known = columns.get(key);
    if (known) known.places.push(place);
    else
      columns.set(key, { column: feature.kind === "element" ? featureName(feature) : feature.column, places: [place] });
  }
  return [...columns.values()];
}

/** What a column tells, each in numbers that belong together: which value; of a date, when, and where in a circle. */
export function aspectsOf(places: readonly number[], features: readonly Feature[]): number[][] {
  const aspects = new Map<unknown, number[]>();
  for (const place of places) {
    const feature = features[place];
    const key = feature && isOfCategory(feature) ? "value" : feature?.kind === "cycle" ? feature.period : place;
    aspects.set(key, [...(aspects.get(key) ?? []), place]);
  }
  return [...aspects.values()];
}

/** The columns of an array have no names: they are called by their numbers, from 0. */
export function numberedFeatures(count: number): Feature[] {
  return Array.from({ length: count }, (_, i) => ({ kind: "number", column: String(i) }));
}

/** Whether columns are only called by their numbers. */
export function areNumbered(features: readonly Feature[]): boolean {
  return features.every((feature, i) => feature.kind === "number" && feature.column === String(i));
}
