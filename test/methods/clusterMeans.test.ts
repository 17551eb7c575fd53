import { describe, expect, it } from "vitest";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, type Node } from "../../src/graph/node.ts";
import { followMeans, meansOf, sumsOf, withinLoss } from "../../src/methods/clusterMeans.ts";
import { nearest, squaredDistances } from "../../src/nn/distances.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { expectClose } from "../support/close.ts";
import { matrix, numbers } from "../support/matrix.ts";

const vector = (...values: number[]) => constant(fromNumbers("float32", [values.length], values));

describe("by hand, four rows and two centers:", () => {
  const x = matrix([0, 0], [2, 0], [10, 0], [10, 4]);
  const centers = matrix([1, 0], [10, 2]);
  const distances = squaredDistances(x, centers);
  /** Each row to the cluster that a digit names. */
  const partition = (digits: string) => matrix(...[...digits].map((j) => (j === "0" ? [1, 0] : [0, 1])));

  it("T1, T3, K2 and K4: the loss is the mean squared distance of a row from its own center", () => {
    // 1 and 1 to the first center, 4 and 4 to the second.
    expect(numbers(withinLoss(partition("0011"), distances))).toEqual([10 / 4]);
    // The last row in the wrong cluster: (10 − 1)² + 4² = 97 instead of 4.
    expect(numbers(withinLoss(partition("0010"), distances))).toEqual([103 / 4]);
  });

  it("T1 and T3: of all 16 partitions, the nearest center has the least loss", () => {
    const [least] = numbers(withinLoss(nearest(distances), distances));
    const all = Array.from({ length: 16 }, (_, s) => s.toString(2).padStart(4, "0"));
    const losses = all.map((digits) => numbers(withinLoss(partition(digits), distances))[0]!);
    expect(losses.filter((loss) => loss <= least!)).toEqual([least]);
    expect(all[losses.indexOf(least!)]).toBe("0011");
  });

  it("the rows of a cluster are added up and counted", () => {
    const { total, size } = sumsOf(partition("0011"), x);
    expect(numbers(total)).toEqual([2, 0, 20, 4]);
    expect(numbers(size)).toEqual([2, 2]);
  });

  it("T2 and K3: a center is the mean of its rows, and without rows it stays", () => {
    const total = matrix([12, 3], [0, 0], [-4, 2]);
    const means = meansOf(total, vector(3, 0, 2), matrix([9, 9], [7, -7], [9, 9]));
    expect(numbers(means)).toEqual([4, 1, 7, -7, -2, 1]);
  });

  it("T2 and K3: at the means the loss has no slope, anywhere else it has", () => {
    const slopeAt = (omega: Node) =>
      numbers(gradient(withinLoss(partition("0011"), squaredDistances(x, omega)), [omega])[0]!);
    expect(slopeAt(matrix([1, 0], [10, 2]))).toEqual([0, 0, 0, 0]);
    // −(2/4) Σ (x − Ω): the second center is 1 too far right.
    expect(slopeAt(matrix([1, 0], [11, 2]))).toEqual([0, 0, 1, 0]);
  });

  it("a running mean is the mean of all rows so far, and without new rows it stays", () => {
    // The first center is the mean 2 of 3 rows; 4 and 6 come: (3·2 + 4 + 6)/5. The second has had 4 rows, the third
    // none, ever.
    const next = followMeans(matrix([10], [0], [0]), vector(2, 0, 0), vector(5, 4, 0), matrix([2], [5], [-1]));
    expectClose(numbers(next), [3.2, 5, -1], 1e-6);
  });
});
