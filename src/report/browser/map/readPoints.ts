/** The points that a report holds, from the element they are stored in. */

import { type PagePoints, pointsIn } from "../../parts/pointBytes.ts";

export interface StoredPoints {
  readonly points: PagePoints;
  /** The place of each cluster's color in the theme, by the cluster's number. */
  readonly colors: readonly number[];
}

export function readPoints(store: HTMLElement): StoredPoints {
  const { count, wide, colors = "" } = store.dataset;
  const bytes = Uint8Array.from(atob(store.textContent ?? ""), (letter) => letter.charCodeAt(0));
  return {
    points: pointsIn(bytes, Number(count), wide === "1"),
    colors: colors.split(" ").filter(Boolean).map(Number),
  };
}
