/** Who is whose neighbour, in both directions, as a sparse symmetric matrix. */

import type { Neighbours } from "./neighbours.ts";

/** Row i is tied to rows[at] with weights[at] for at from starts[i] to starts[i + 1]. */
export interface Graph {
  readonly starts: Int32Array;
  readonly rows: Int32Array;
  readonly weights: Float64Array;
}

/** aᵢⱼ = ½[j is a neighbour of i] + ½[i is a neighbour of j]. */
export function neighbourGraph({ count, rows: near }: Neighbours): Graph {
  const n = count > 0 ? near.length / count : 0;
  const isMutual = (i: number, j: number): boolean => near.subarray(j * count, (j + 1) * count).includes(i);
  const starts = new Int32Array(n + 1);
  // A tie is written in both rows; one that both name is written by each of them alone.
  const eachTie = (write: (i: number, j: number, weight: number) => void): void => {
    for (let i = 0; i < n; i++) {
      for (const j of near.subarray(i * count, (i + 1) * count)) {
        if (isMutual(i, j)) write(i, j, 1);
        else {
          write(i, j, 0.5);
          write(j, i, 0.5);
        }
      }
    }
  };
  eachTie((i) => {
    starts[i + 1]!++;
  });
  for (let i = 0; i < n; i++) starts[i + 1]! += starts[i]!;
  const rows = new Int32Array(starts[n]!);
  const weights = new Float64Array(starts[n]!);
  const next = starts.slice(0, n);
  eachTie((i, j, weight) => {
    rows[next[i]!] = j;
    weights[next[i]!++] = weight;
  });
  return { starts, rows, weights };
}
