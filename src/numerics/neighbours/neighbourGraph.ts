/** Who is whose neighbour, in both directions, as a sparse symmetric matrix. */

import type { Pace } from "../pace.ts";
import type { Neighbours } from "./neighbours.ts";

/** Row i is tied to rows[at] with weights[at] for at from starts[i] to starts[i + 1]. */
export interface Graph {
  readonly starts: Int32Array;
  readonly rows: Int32Array;
  readonly weights: Float64Array;
}

/** aᵢⱼ = ½[j is a neighbour of i] + ½[i is a neighbour of j]. */
export async function neighbourGraph({ count, rows: near }: Neighbours, pace: Pace): Promise<Graph> {
  const n = count > 0 ? near.length / count : 0;
  const isMutual = (i: number, j: number): boolean => {
    for (let at = j * count; at < (j + 1) * count; at++) if (near[at] === i) return true;
    return false;
  };
  // A tie is written in both rows; one that both name is written by each of them alone.
  const eachTie = async (write: (i: number, j: number, weight: number) => void): Promise<void> => {
    for (let at = 0; at < near.length; at++) {
      if (at % 8192 === 0) await pace();
      const [i, j] = [Math.floor(at / count), near[at]!];
      if (isMutual(i, j)) write(i, j, 1);
      else {
        write(i, j, 0.5);
        write(j, i, 0.5);
      }
    }
  };
  const starts = new Int32Array(n + 1);
  await eachTie((i) => {
    starts[i + 1]!++;
  });
  for (let i = 0; i < n; i++) starts[i + 1]! += starts[i]!;
  const rows = new Int32Array(starts[n]!);
  const weights = new Float64Array(starts[n]!);
  const next = starts.slice(0, n);
  await eachTie((i, j, weight) => {
    rows[next[i]!] = j;
    weights[next[i]!++] = weight;
  });
  return { starts, rows, weights };
}
