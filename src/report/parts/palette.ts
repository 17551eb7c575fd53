/** Ten colors for clusters, and who gets which. */

/**
 * Found by a search that keeps any two of a theme at least 0.1 apart in OKLab, as seen with and without protanopia, deuteranopia
 * and tritanopia; the test measures it. Same place, similar hue in both themes.
 */
export const palette = {
  light: "#0047aa #f48c09 #62acf7 #9b1f5f #05967e #44174c #a06104 #9e60ce #9bcd9a #404801".split(" "),
  dark: "#0191ec #ffaa14 #b4f5fd #de6326 #2be09c #6d4dbe #805b4c #e7adfe #e2f563 #9e9f9e".split(" "),
} as const;

/** The color of each of k clusters. More than ten share colors, those far apart on the map rather than neighbours. */
export function colorsOf(k: number, centers?: readonly (readonly [number, number])[]): number[] {
  const many = palette.light.length;
  const colors: number[] = [];
  for (let j = 0; j < k; j++) {
    const here = centers?.[j];
    if (j < many || !centers || !here) {
      colors.push(j % many);
      continue;
    }
    const nearest = new Float64Array(many).fill(Number.POSITIVE_INFINITY);
    for (const [i, color] of colors.entries()) {
      const there = centers[i];
      if (there) nearest[color] = Math.min(nearest[color]!, Math.hypot(here[0] - there[0], here[1] - there[1]));
    }
    colors.push(nearest.indexOf(nearest.reduce((a, b) => Math.max(a, b))));
  }
  return colors;
}
