/** The colors of the theme that is shown, as numbers to paint with. */

import type { Color } from "./paintPoints.ts";

export interface ThemeColors {
  readonly ground: Color;
  /** Of points that are not looked at. */
  readonly faded: Color;
  /** Of each cluster. */
  readonly clusters: readonly Color[];
  readonly unsure: Color;
  readonly sure: Color;
}

/** `places` says which of the theme's colors each cluster has. */
export function themeColors(places: readonly number[]): ThemeColors {
  const styles = getComputedStyle(document.documentElement);
  const read = (property: string): Color => colorOf(styles.getPropertyValue(property).trim());
  return {
    ground: read("--raised"),
    faded: read("--rule"),
    clusters: places.map((place) => read(`--c${place}`)),
    unsure: read("--unsure"),
    sure: read("--sure"),
  };
}

/** #rgb or #rrggbb: a bundler may write the shorter one. */
export function colorOf(hex: string): Color {
  const digits = hex.slice(1);
  const long = digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits;
  const channel = (at: number): number => Number.parseInt(long.slice(at, at + 2), 16);
  return [channel(0), channel(2), channel(4)];
}
