/** The point that a pointer means. */

import { farthest, type PagePoints } from "../../parts/pointBytes.ts";

/** A pointer farther away than so many pixels means none. */
const nearby = 12;

/** The point nearest to a place within a map of so many pixels; -1 where none is near. */
export function nearestPoint(
  { x, y }: Pick<PagePoints, "x" | "y">,
  place: { readonly left: number; readonly top: number },
  { width, height }: { readonly width: number; readonly height: number },
): number {
  let nearest = -1;
  let least = nearby ** 2;
  for (let i = 0; i < x.length; i++) {
    const across = (x[i]! / farthest) * width - place.left;
    const down = (y[i]! / farthest) * height - place.top;
    const squared = across ** 2 + down ** 2;
    if (squared < least) {
      least = squared;
      nearest = i;
    }
  }
  return nearest;
}
