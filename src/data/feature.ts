/** A feature is one number of a row, and says what it is made of. */

export type Feature =
  /** A column of numbers; of booleans, as 0 and 1; of dates, as days since 1970 in universal time. */
  | { readonly kind: "number" | "boolean" | "date"; readonly column: string }
  /** One number of a column of vectors. */
  | { readonly kind: "element"; readonly column: string; readonly index: number }
  /** 1 where the text of a column is this one, else 0. */
  | { readonly kind: "category"; readonly column: string; readonly value: string };

/** What people call it: price, embedding[3], city=Rome. For people only: a column of numbers may be called so too. */
export function featureName(feature: Feature): string {
  switch (feature.kind) {
    case "element":
      return `${feature.column}[${feature.index}]`;
    case "category":
      return `${feature.column}=${feature.value}`;
    default:
      return feature.column;
  }
}

export function featureNames(features: readonly Feature[]): string[] {
  return features.map(featureName);
}

/** The same text for the same feature only, whatever type its column has in one file or another. */
export function featureKey(feature: Feature): string {
  const part = feature.kind === "element" ? feature.index : feature.kind === "category" ? feature.value : null;
  return JSON.stringify([feature.column, part]);
}

/** The columns of an array have no names: they are called by their numbers, from 0. */
export function numberedFeatures(count: number): Feature[] {
  return Array.from({ length: count }, (_, i) => ({ kind: "number", column: String(i) }));
}

/** Whether columns are only called by their numbers. */
export function areNumbered(features: readonly Feature[]): boolean {
  return features.every((feature, i) => feature.kind === "number" && feature.column === String(i));
}
