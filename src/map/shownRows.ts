/** How many rows a map shows. */

/** A map shows so many rows at most. */
export const mostOnMap = 100_000;

/** Of more rows, so many. */
const sampled = 50_000;

/** How many rows a map of so many shows. */
export function shownOf(rows: number): number {
  return rows <= mostOnMap ? rows : sampled;
}
