/**
 * What the paper proves of its convergence (Theorem 1 and its Lemmas), where its assumptions hold: a linear encoder
 * into one number, assignments and centers held, so that the clustering loss is a strongly convex quadratic in the
 * network.
 */

import { describe, expect, it } from "vitest";
import { Random } from "../../src/tensor/random.ts";

type Pair = readonly [number, number];

const drawn = Random.seeded(4).normals(140);
let at = 0;
const normal = (): number => drawn[at++]!;
const rows = Array.from({ length: 40 }, (): Pair => [normal(), normal() / 2]);
/** The center of each row's cluster. */
const centers = rows.map(([a]) => (a > 0 ? 1 : -1));

const dot = ([a, b]: Pair, [c, d]: Pair): number => a * c + b * d;
const minus = ([a, b]: Pair, [c, d]: Pair): Pair => [a - c, b - d];
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** L(Δ) = (1/N) Σₙ (Δᵀxₙ − cₙ)², and its gradient, of all rows or of one. */
const loss = (delta: Pair): number => meanOf(rows.map((x, n) => (dot(delta, x) - centers[n]!) ** 2));
const slopeOf = (delta: Pair, n: number): Pair => {
  const error = 2 * (dot(delta, rows[n]!) - centers[n]!);
  return [error * rows[n]![0], error * rows[n]![1]];
};
const slope = (delta: Pair): Pair => {
  const all = rows.map((_, n) => slopeOf(delta, n));
  return [meanOf(all.map(([a]) => a)), meanOf(all.map(([, b]) => b))];
};

// The Hessian 2·mean(x xᵀ), its eigenvalues u ≤ L, and the optimum.
const [p, q, r] = [
  [0, 0],
  [0, 1],
  [1, 1],
].map(([i, j]) => 2 * meanOf(rows.map((x) => x[i!]! * x[j!]!))) as [number, number, number];
const spread = Math.hypot((p - r) / 2, q);
const [u, L] = [(p + r) / 2 - spread, (p + r) / 2 + spread];
const right = [0, 1].map((i) => 2 * meanOf(rows.map((x, n) => x[i!]! * centers[n]!))) as [number, number];
const best: Pair = [(r * right[0] - q * right[1]) / (p * r - q * q), (p * right[1] - q * right[0]) / (p * r - q * q)];
const points = Array.from({ length: 30 }, (): Pair => [3 * normal(), 3 * normal()]);

describe("PC-X with assignments and centers held, for a linear encoder:", () => {
  it("Lemma 1: the loss lies below the parabola of its smoothness, from any point", () => {
    for (const a of points) {
      for (const b of points) {
        const step = minus(b, a);
        const above = loss(a) + dot(slope(a), step) + (L / 2) * dot(step, step);
        expect(loss(b)).toBeLessThanOrEqual(above + 1e-9);
      }
    }
  });

  it("Lemma 2: no point is lower than another by more than its squared slope over 2u", () => {
    for (const a of points) {
      const most = dot(slope(a), slope(a)) / (2 * u);
      for (const b of [...points, best]) expect(loss(a) - loss(b)).toBeLessThanOrEqual(most + 1e-9);
    }
  });

  it("Theorem 1: single-row steps of length γ come near the optimum as fast as (1 − 2uγ)ᵗ, up to γLG/(4u)", () => {
    const gamma = 0.05;
    expect(gamma).toBeLessThan(1 / (2 * u));
    const [runs, steps] = [400, 60];
    const start: Pair = [3, -3];
    const gaps = new Float64Array(steps + 1);
    let G = 0;
    for (let run = 0; run < runs; run++) {
      const stream = Random.seeded(run);
      let delta = start;
      for (let t = 0; t <= steps; t++) {
        gaps[t]! += (loss(delta) - loss(best)) / runs;
        const g = slopeOf(delta, stream.below(rows.length));
        G = Math.max(G, dot(g, g));
        delta = [delta[0] - gamma * g[0], delta[1] - gamma * g[1]];
      }
    }
    // The mean over runs stands for the expectation; G bounds every squared slope that was met.
    gaps.forEach((gap, t) => {
      expect(gap).toBeLessThanOrEqual((1 - 2 * u * gamma) ** t * gaps[0]! + (gamma * L * G) / (4 * u));
    });
    // And it does come near: what is left is a small part of the beginning.
    expect(gaps[steps]!).toBeLessThan(0.1 * gaps[0]!);
  });
});
