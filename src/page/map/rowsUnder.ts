/** How many rows are meant, and how many of them are on the map: of very many rows a map has some. */

import { percent, quantity, thousands } from "../../report/parts/numbers.ts";
import type { Mask } from "../state/mask.ts";

/** `meant` are the rows of the filter, or undefined where there is none. */
export function rowsUnder(rows: number, onMap: Mask, meant: Mask | undefined): string {
  const told = meant
    ? `${quantity(meant.count, "row")} of ${quantity(rows, "row")} (${percent(meant.count / rows)})`
    : quantity(rows, "row");
  if (onMap.count === rows) return told;
  return `${told}, ${thousands((meant ? meant.and(onMap) : onMap).count)} of them on the map`;
}
