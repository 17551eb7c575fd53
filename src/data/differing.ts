/** How often two rows differ in a column of few values. */

import { sizeOf } from "../tensor/tensor.ts";
import { type Data, rowsAtOnce } from "./data.ts";
import type { Feature } from "./feature.ts";

/** So many rows are looked at. */
const mostRows = 20_000;

/** The chance that two rows have different values: 1 − Σ p². */
export function chanceToDiffer(shares: readonly number[]): number {
  return 1 - shares.reduce((sum, share) => sum + share * share, 0);
}

/** The same of each feature that is a place in an order, by its place in a row. */
export async function orderedToDiffer(
  data: Data,
  features: readonly Feature[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const places = features.flatMap(({ kind }, place) => (kind === "ordered" ? [place] : []));
  if (places.length === 0) return new Map();
  const d = sizeOf(data.row);
  const step = Math.ceil(data.count / mostRows);
  const counts = new Map(places.map((place) => [place, new Map<number, number>()]));
  let n = 0;
  for await (const { x, rows } of data.inOrder(rowsAtOnce(data.row))) {
    signal?.throwIfAborted();
    for (let i = 0; i < rows.length; i++) {
      if (rows[i]! % step !== 0) continue;
      n++;
      for (const [place, seen] of counts) {
        const value = x.data[i * d + place]!;
        seen.set(value, (seen.get(value) ?? 0) + 1);
      }
    }
  }
  const shares = (seen: ReadonlyMap<number, number>): number[] => [...seen.values()].map((count) => count / n);
  return new Map([...counts].map(([place, seen]) => [place, chanceToDiffer(shares(seen))]));
}
