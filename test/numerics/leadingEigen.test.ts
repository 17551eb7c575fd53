import { describe, expect, it } from "vitest";
import { eigen } from "../../src/numerics/eigen.ts";
import { leadingEigen } from "../../src/numerics/leadingEigen.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { Random } from "../../src/tensor/random.ts";
import { expectClose } from "../support/close.ts";

const pace = paceOf(undefined);

/** A symmetric matrix with eigenvalues from −1 to 1: a diagonal, turned by reflections. */
function symmetric(values: Float64Array): Float64Array {
  const n = values.length;
  const a = new Float64Array(n * n);
  values.forEach((value, i) => {
    a[i * (n + 1)] = value;
  });
  const random = Random.seeded(3);
  for (let reflection = 0; reflection < 3; reflection++) {
    const v = Float64Array.from(random.normals(n));
    const squared = v.reduce((sum, value) => sum + value * value, 0);
    // A ← HAH, H = 1 − 2vvᵀ/‖v‖²
    for (const [at, apart] of [
      [n, 1],
      [1, n],
    ] as const) {
      for (let i = 0; i < n; i++) {
        let part = 0;
        for (let j = 0; j < n; j++) part += (2 * v[j]! * a[i * at + j * apart]!) / squared;
        for (let j = 0; j < n; j++) a[i * at + j * apart]! -= part * v[j]!;
      }
    }
  }
  return a;
}

const times = (a: Float64Array, n: number) => (x: Float64Array, y: Float64Array) => {
  for (let i = 0; i < n; i++) {
    y[i] = 0;
    for (let j = 0; j < n; j++) y[i]! += a[i * n + j]! * x[j]!;
  }
};

describe("leadingEigen", () => {
  it.each([
    ["far apart", (i: number) => Math.cos(i / 40)],
    ["close together at the top", (i: number) => 1 - (i / 130) ** 2],
    ["four times the same", (i: number) => (i < 4 ? 0.9 : 0.5 - i / 200)],
    ["all the same", () => 0.5],
  ])("finds the largest eigenvalues and their vectors: %s", async (_, value) => {
    const n = 120;
    const a = symmetric(Float64Array.from({ length: n }, (_, i) => value(i)));
    const options = { from: -1, to: 1, random: Random.seeded(1), pace };
    const { values, vectors } = await leadingEigen(times(a, n), n, 5, options);
    expectClose(values, (await eigen(a, n, pace)).values.subarray(0, 5), 1e-8);
    for (let j = 0; j < 5; j++) {
      const v = vectors.slice(j * n, (j + 1) * n);
      const y = new Float64Array(n);
      times(a, n)(v, y);
      expectClose(
        y,
        v.map((x) => values[j]! * x),
        1e-4,
      );
      for (let i = 0; i <= j; i++) {
        const dot = v.reduce((sum, x, at) => sum + x * vectors[i * n + at]!, 0);
        expectClose([dot], [i === j ? 1 : 0], 1e-9);
      }
    }
  });

  it("of a small matrix finds all there are, and no more", async () => {
    const a = symmetric(Float64Array.of(0.5, -1, 1));
    const found = await leadingEigen(times(a, 3), 3, 10, { from: -1, to: 1, random: Random.seeded(1), pace });
    expectClose(found.values, [1, 0.5, -1], 1e-12);
    expect(found.vectors).toHaveLength(9);
  });
});
