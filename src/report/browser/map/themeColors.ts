/** The colors of the theme that is shown, as numbers to paint with. */

import { type Color, colorOf } from "./color.ts";

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
