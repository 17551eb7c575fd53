/** Which cluster gets which color of the theme. */

/** A theme has so many colors for clusters: --c0 to --c9 of browser/styles/theme.css. */
export const themeColorCount = 10;

/** The color of each of k clusters. More than ten share colors, those far apart on the map rather than neighbours. */
export function clusterColors(k: number, centers?: readonly (readonly [number, number])[]): number[] {
  const colors: number[] = [];
  for (let j = 0; j < k; j++) {
    const here = centers?.[j];
    if (j < themeColorCount || !centers || !here) {
      colors.push(j % themeColorCount);
      continue;
    }
    const nearest = new Float64Array(themeColorCount).fill(Number.POSITIVE_INFINITY);
    for (const [i, color] of colors.entries()) {
      const there = centers[i];
      if (there) nearest[color] = Math.min(nearest[color]!, Math.hypot(here[0] - there[0], here[1] - there[1]));
    }
    colors.push(nearest.indexOf(nearest.reduce((a, b) => Math.max(a, b))));
  }
  return colors;
}
