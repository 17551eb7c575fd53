/**
 * Neighbour votes: k-means first, and then each row is what its neighbours are, over and over.
 * Label propagation after Zhu & Ghahramani, 2002; balanced after Sinkhorn, 1967.
 *
 *   V  votes [n, k], rows that sum to 1: at first the cluster that k-means gives     N(i)  10 nearest rows of row i
 *   b  balance, from 0 (none) to 1 (all clusters as large as each other)
 */

import type { Pace } from "../numerics/pace.ts";
import { pacedKMeans } from "../numerics/pacedKMeans.ts";
import { tensor } from "../tensor/tensor.ts";
import { neighboursIn, neighboursOf } from "./neighbourhood.ts";
import { type Teacher, teacher } from "./teacher.ts";

const neighbours = 10;

/** At most so many rounds; fewer where for so many of them no row's first choice has changed. */
const rounds = { most: 60, quiet: 5 };

/** A teacher by votes with this balance. */
export function votesWith(name: string, balance: number): Teacher {
  if (!(balance >= 0 && balance <= 1)) throw new RangeError(`votes: balance must be from 0 to 1, got ${balance}`);
  const balanced = balance === 0 ? "" : balance === 1 ? " and of one size" : ` and, by ${balance}, of one size`;
  return teacher({
    name,
    about: `Clusters of any form that k-means finds roughly${balanced}: each row becomes what its neighbours are.`,
    paper: "Zhu & Ghahramani, Learning from labeled and unlabeled data with label propagation, CMU-CALD-02-107, 2002",
    clusters: "told",
    most: 50_000,
    async divide(rows, { clusters: k, random, pace }) {
      const n = rows.shape[0]!;
      const { labels } = await pacedKMeans(rows, k, { random, pace });
      const near = await neighboursOf(rows, neighboursIn(rows, neighbours, k), pace);
      const votes = new Float32Array(n * k);
      for (let i = 0; i < n; i++) votes[i * k + labels[i]!] = 1;
      for (let round = 0, quiet = 0; round < rounds.most && quiet < rounds.quiet; round++) {
        await spread(votes, near.rows, n, k, pace);
        balanceColumns(votes, n, k, balance);
        quiet = chosen(votes, labels, k) === 0 ? quiet + 1 : 0;
      }
      return { labels, memberships: tensor("float32", [n, k], votes) };
    },
  });
}

/** Vᵢ ← mean of Vⱼ over j ∈ N(i), all at once. */
export async function spread(votes: Float32Array, near: Int32Array, n: number, k: number, pace: Pace): Promise<void> {
  const before = votes.slice();
  const count = near.length / n;
  votes.fill(0);
  for (let i = 0; i < n; i++) {
    if (i % 1024 === 0) await pace();
    for (let at = i * count; at < (i + 1) * count; at++) {
      const from = near[at]! * k;
      for (let j = 0; j < k; j++) votes[i * k + j]! += before[from + j]! / count;
    }
  }
}

/** Vᵢⱼ ← Vᵢⱼ / sⱼᵇ with sⱼ = Σᵢ Vᵢⱼ, then rows to 1: no cluster grows by being spread alone. */
export function balanceColumns(votes: Float32Array, n: number, k: number, b: number): void {
  const s = new Float64Array(k);
  for (let at = 0; at < n * k; at++) s[at % k]! += votes[at]!;
  const scale = s.map((sum) => (sum > 0 ? sum ** -b : 0));
  for (let i = 0; i < n; i++) {
    let total = 0;
    for (let j = 0; j < k; j++) total += votes[i * k + j]! * scale[j]!;
    for (let j = 0; j < k; j++) votes[i * k + j] = total > 0 ? (votes[i * k + j]! * scale[j]!) / total : 1 / k;
  }
}

/** Each row's first choice becomes its label; of equals, the one it had. How many have changed. */
function chosen(votes: Float32Array, labels: Int32Array, k: number): number {
  let changed = 0;
  labels.forEach((before, i) => {
    let best = before;
    for (let j = 0; j < k; j++) if (votes[i * k + j]! > votes[i * k + best]!) best = j;
    if (best !== before) changed++;
    labels[i] = best;
  });
  return changed;
}

export const votes = votesWith("votes", 0);
export const balancedVotes = votesWith("balanced-votes", 1);
