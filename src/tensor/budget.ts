/**
 * A budget for memory: whatever is large is estimated before it is allocated, and refused where it would not fit.
 * It is a guard and no ledger: each thing is compared with the whole limit by itself.
 */

/** In megabytes, the least that can be said: the engine and DuckDB do not start with less. */
export const leastMemory = 64;

/** Of the memory that is free, so much is used unless a person says otherwise. */
const shareOfFree = 0.75;
/** In a browser nobody knows what is free: as much as a tab may have. */
const inBrowser = 4e9;

let usual: number | undefined;

/** The limit in bytes: what a person has said in megabytes, or a share of what was free when it was first asked for. */
export function memoryLimit(megabytes?: number): number {
  if (megabytes !== undefined) return megabytes * 1e6;
  usual ??= Math.max(leastMemory * 1e6, shareOfFree * freeMemory());
  return usual;
}

/** What the system, or the container, has left. */
function freeMemory(): number {
  const { process } = globalThis as { readonly process?: { availableMemory?(): number } };
  return process?.availableMemory?.() ?? inBrowser / shareOfFree;
}

/** What something would take: where it is, what it is, and what else could be done about it. */
export interface Need {
  readonly where: string;
  readonly what: string;
  readonly bytes: number;
  readonly cure?: string;
}

/** Refuses what does not fit into the limit, which is in bytes. */
export function checkMemory({ where, what, bytes, cure }: Need, limit: number): void {
  if (bytes <= limit) return;
  throw new RangeError(
    `${where}: ${what} would need about ${bytesInWords(bytes)} of memory, the limit is ${bytesInWords(limit)}; ${cure ? `${cure}, or ` : ""}raise the limit with --memory (memory, in megabytes)`,
  );
}

/** 3.2 GB. */
export function bytesInWords(bytes: number): string {
  const units = ["MB", "GB", "TB", "PB"];
  let amount = bytes / 1e6;
  let unit = 0;
  for (; amount >= 1000 && unit < units.length - 1; unit++) amount /= 1000;
  if (!(amount < 1e6)) return `more than a million ${units.at(-1)}`;
  return `${amount < 10 && unit > 0 ? amount.toFixed(1) : Math.ceil(amount)} ${units[unit]}`;
}
