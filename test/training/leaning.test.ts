/** Centers that are not the means of their members lean towards them, and no further than they must. */

import { expect, test } from "vitest";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { leaning } from "../../src/training/leaning.ts";

const cosines = (codes: Tensor<"float32">, labels: Int32Array, { data, shape }: Tensor<"float32">): number[] => {
  const [k, d] = shape as [number, number];
  return Array.from({ length: k }, (_, j) => {
    const sum = new Float64Array(d);
    labels.forEach((label, i) => {
      if (label === j) for (let c = 0; c < d; c++) sum[c]! += codes.data[i * d + c]!;
    });
    const center = data.subarray(j * d, (j + 1) * d);
    return center.reduce((total, value, c) => total + value * sum[c]!, 0) / Math.hypot(...center) / Math.hypot(...sum);
  });
};

test("one at a right angle to its mean, until the tangent is T, by hand", () => {
  // cos = 0.8 where the tangent is 3/4: the mean is (4, 0), the center (0, 3), T = 3/4, a = 0, b = 3, t = 3/(3 + 3).
  const codes = fromNumbers("float32", [2, 2], [3, 0, 5, 0]);
  const moved = leaning(codes, Int32Array.of(0, 0), fromNumbers("float32", [1, 2], [0, 3]), 0.8)!;
  expect([...moved.data]).toEqual([2, 1.5]);
});

test("where all are near enough there is nothing to do, and a cluster without rows stays", () => {
  const codes = fromNumbers("float32", [2, 2], [3, 0, 5, 0]);
  const centers = fromNumbers("float32", [2, 2], [9, 1, 0, 7]);
  expect(leaning(codes, Int32Array.of(0, 0), centers, 0.98)).toBeUndefined();
  const moved = leaning(codes, Int32Array.of(0, 0), fromNumbers("float32", [2, 2], [1, 1, 0, 7]), 0.98)!;
  expect([...moved.data.subarray(2)]).toEqual([0, 7]);
});

test("of any centers, each that was farther is exactly as near as it must be, also one that looks away", () => {
  const random = Random.seeded(2);
  const [k, d, n] = [6, 5, 60];
  const codes = tensor(
    "float32",
    [n, d],
    random.normals(n * d).map((value) => value + 1),
  );
  const labels = Int32Array.from({ length: n }, (_, i) => i % k);
  const centers = tensor("float32", [k, d], random.normals(k * d));
  const before = cosines(codes, labels, centers);
  expect(Math.min(...before)).toBeLessThan(0);
  const after = cosines(codes, labels, leaning(codes, labels, centers, 0.9)!);
  for (const [j, cosine] of after.entries()) expect(cosine).toBeCloseTo(Math.max(before[j]!, 0.9), 5);
});
