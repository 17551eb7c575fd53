/** The five papers, by name. */

import { deepKMeans } from "./deepKMeans.ts";
import { invariance } from "./invariance.ts";
import { kmeansnet } from "./kmeansnet.ts";
import type { Figure, Paper, PlainTable, Table } from "./paper.ts";
import { pcx } from "./pcx.ts";
import { tell } from "./tell.ts";

export const papers: readonly Paper[] = [tell, kmeansnet, pcx, invariance, deepKMeans];

/** A table or a figure with its paper, such as tell/4 or tell/fig2. */
export interface Item {
  readonly name: string;
  readonly paper: Paper;
  readonly table?: Table | PlainTable | undefined;
  readonly figure?: Figure | undefined;
}

export const items: readonly Item[] = papers.flatMap((paper) => [
  ...paper.tables.map((table) => ({ name: `${paper.name}/${table.id}`, paper, table })),
  ...paper.figures.map((figure) => ({ name: `${paper.name}/fig${figure.id}`, paper, figure })),
]);

/** All whose name is this, or begins with it and a slash: `tell` means all of TELL's. */
export function itemsOf(wanted: string): readonly Item[] {
  if (wanted === "figures") return items.filter(({ figure }) => figure);
  const found = items.filter(({ name }) => name === wanted || name.startsWith(`${wanted}/`));
  if (found.length > 0) return found;
  throw new RangeError(`papers: there is no "${wanted}"; there are ${items.map(({ name }) => name).join(", ")}`);
}
