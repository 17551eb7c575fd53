/**
 * Sparse subspace clustering: each row as a sum of as few other rows as possible.
 * Elhamifar & Vidal, 2013; by alternating directions (ADMM), some rows at a time, for each is by itself.
 *
 *   X  rows of length 1 [n, d], the paper's columns      C  who is made of whom [n, n], here one row for each row
 *   Z  the same before it is made sparse                 Δ  multipliers
 *   μ  α / minᵢ maxⱼ≠ᵢ |xᵢᵀxⱼ|: with α ≤ 1 nobody would be needed      ρ  α
 *
 *   min ‖C‖₁ + μ/2 ‖X − CX‖², Cᵢᵢ = 0
 */

import { type Multiply, scaledRows, transposed } from "../../numerics/matrix.ts";
import type { Pace } from "../../numerics/pace.ts";
import { number, whole } from "../../options.ts";
import { tensor } from "../../tensor/tensor.ts";
import { symmetric } from "./affinity.ts";
import { rowsBetween } from "./nearest.ts";
import { axes, type Expressed, selfExpressive } from "./selfExpression.ts";

/** Numbers of C that are worked on at a time. */
const atOnce = 2 ** 21;

const options = {
  alpha: number("α, how much the error counts against the number of rows.", 20, { from: 1.01, to: 1e6 }),
  tolerance: number("It ends where no coefficient differs from its sparse one by more than this.", 2e-4, {
    from: 1e-6,
  }),
  iterations: whole("Iterations at most.", 200, { from: 1 }),
  axes: axes(128),
} as const;

export const ssc = selfExpressive({
  name: "ssc",
  about: "Clusters that lie in subspaces: each row as a sum of as few others as possible, who are of its own.",
  paper: "Elhamifar & Vidal, Sparse subspace clustering: algorithm, theory, and applications, IEEE TPAMI 35, 2013",
  most: 10_000,
  options,
  async affinity(expressed, { multiply, pace, options }) {
    const n = expressed.v.shape[0]!;
    const mu = options.alpha / (await leastLargest(expressed, multiply, pace));
    const w = new Float32Array(n * n);
    const block = Math.max(1, Math.floor(atOnce / n));
    for (let from = 0; from < n; from += block) {
      const to = Math.min(n, from + block);
      const c = await sparse(expressed, from, to, { ...options, mu }, multiply, pace);
      for (let i = 0; i < to - from; i++) byLargest(c.subarray(i * n, (i + 1) * n));
      w.set(c, from * n);
    }
    const affinity = tensor("float32", [n, n], w);
    await symmetric(affinity, pace);
    return affinity;
  },
});

/** minᵢ maxⱼ≠ᵢ |xᵢᵀxⱼ|, X Xᵀ = V σ² Vᵀ. */
async function leastLargest({ v, sigma }: Expressed, multiply: Multiply, pace: Pace): Promise<number> {
  const n = v.shape[0]!;
  const turned = scaledRows(transposed(v), (a) => sigma[a]! ** 2);
  let least = Number.POSITIVE_INFINITY;
  const block = Math.max(1, Math.floor(atOnce / n));
  for (let from = 0; from < n; from += block) {
    const to = Math.min(n, from + block);
    const { data } = await multiply(rowsBetween(v, from, to), turned);
    for (let i = from; i < to; i++) {
      await pace();
      let largest = 0;
      for (let j = 0, at = (i - from) * n; j < n; j++, at++)
        if (j !== i) largest = Math.max(largest, Math.abs(data[at]!));
      // A row of zeros needs nobody.
      if (largest > 1e-6) least = Math.min(least, largest);
    }
  }
  return Number.isFinite(least) ? least : 1;
}

interface Sparsity {
  readonly mu: number;
  readonly alpha: number;
  readonly tolerance: number;
  readonly iterations: number;
}

/**
 * C for rows from one to another. In each round, with G = XXᵀ = V σ² Vᵀ,
 *
 *   Z = (μG + ρC − Δ)(μG + ρ)⁻¹,   C = soft(Z + Δ/ρ, 1/ρ),   Δ ← Δ + ρ(Z − C),   Cᵢᵢ = 0,
 *
 * where A(μG + ρ)⁻¹ = A/ρ + AV (1/(μσ² + ρ) − 1/ρ) Vᵀ.
 */
export async function sparse(
  { v, sigma }: Pick<Expressed, "v" | "sigma">,
  from: number,
  to: number,
  { mu, alpha: rho, tolerance, iterations }: Sparsity,
  multiply: Multiply,
  pace: Pace,
): Promise<Float32Array> {
  const n = v.shape[0]!;
  const vt = transposed(v);
  const own = rowsBetween(v, from, to);
  const fixed = await multiply(
    own,
    scaledRows(vt, (a) => (mu * sigma[a]! ** 2) / (mu * sigma[a]! ** 2 + rho)),
  );
  const back = scaledRows(vt, (a) => 1 / (mu * sigma[a]! ** 2 + rho) - 1 / rho);
  const size = (to - from) * n;
  const [c, delta, rest] = [new Float32Array(size), new Float32Array(size), new Float32Array(size)];
  for (let iteration = 0; iteration < iterations; iteration++) {
    await pace();
    for (let at = 0; at < size; at++) rest[at] = rho * c[at]! - delta[at]!;
    const projected = await multiply(tensor("float32", [to - from, n], rest), v);
    const { data } = await multiply(projected, back);
    let missed = 0;
    for (let i = from, at = 0; i < to; i++) {
      for (let j = 0; j < n; j++, at++) {
        const z = fixed.data[at]! + rest[at]! / rho + data[at]!;
        const now = i === j ? 0 : soft(z + delta[at]! / rho, 1 / rho);
        c[at] = now;
        delta[at]! += rho * (z - now);
        missed = Math.max(missed, Math.abs(z - now));
      }
    }
    if (missed <= tolerance) break;
  }
  return c;
}

/** Towards 0 by t, and no further. */
function soft(value: number, by: number): number {
  return value > by ? value - by : value < -by ? value + by : 0;
}

/** |c| over the largest of a row. */
function byLargest(c: Float32Array): void {
  const largest = c.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (let at = 0; at < c.length; at++) c[at] = largest > 0 ? Math.abs(c[at]!) / largest : 0;
}
