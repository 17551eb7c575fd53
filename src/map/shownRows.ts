/** How many rows a map shows, and how many of them a report does. */

/** A map shows so many rows at most; of more, so many that are spread over all. */
export const mostOnMap = 1_000_000;

/** A report is one file, and shows so many points at most. */
const mostInReport = 100_000;

/** Of more, so many. */
const sampled = 50_000;

/** How many rows a map of so many shows. */
export const shownOf = (rows: number): number => Math.min(rows, mostOnMap);

/** How many points of so many on a map a report shows. */
export const reportedOf = (points: number): number => (points <= mostInReport ? points : sampled);
