import { describe, expect, it } from "vitest";
import { power } from "../../src/graph/elementwise.ts";
import { constant, type Node } from "../../src/graph/node.ts";
import { sum } from "../../src/graph/reduce.ts";
import {
  assignmentProbability,
  invarianceLoss,
  positiveCloseness,
  studentCloseness,
} from "../../src/methods/invariance.ts";
import { divergence } from "../../src/metrics/divergence.ts";
import { squaredDistances } from "../../src/nn/distances.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { blobs } from "../support/blobs.ts";
import { numbers } from "../support/matrix.ts";

describe("the divergence of two assignments", () => {
  /** The same in formulas, with the columns' sums of Q for f. */
  const byFormulas = (codes: Node, centers: Node): number => {
    const z = power(squaredDistances(codes, centers), 0.5);
    const [p1, p2] = [positiveCloseness(z), studentCloseness(z)].map((q) =>
      assignmentProbability(q, sum(q, { axes: [0] }), 2),
    ) as [Node, Node];
    return numbers(invarianceLoss(p2, p1, 1e-7))[0]!;
  };

  it("I5–I8: is the loss of HOMO, with the columns' sums of Q for f", () => {
    for (let seed = 1; seed <= 5; seed++) {
      const random = Random.seeded(seed);
      const [codes, centers] = [
        tensor("float32", [12, 3], random.normals(36)),
        tensor("float32", [4, 3], random.normals(12)),
      ];
      expect(divergence(codes, centers)).toBeCloseTo(byFormulas(constant(codes), constant(centers)), 6);
    }
  });

  it("I5–I8: by hand, two codes in one dimension", () => {
    // Distances (0, 3) and (3, 0) of codes on their centers: Q₁ = (1.5, 0), P₁ = (1, 0); Q₂ = (10, 1)/11 and
    // P₂ = (100, 1)/101.
    const codes = fromNumbers("float32", [2, 1], [0, 3]);
    const p = 1 / 101;
    const expected = (1 - p) * Math.log(1 - p) + p * Math.log(p / 1e-7);
    expect(divergence(codes, codes)).toBeCloseTo(expected, 5);
  });

  it("Fig. 1(a): falls as clusters come apart, and as the same clusters grow, so that scales must be alike to compare", () => {
    const score = (deviation: number, scale: number): number => {
      const scaled = ({ shape, data }: Tensor<"float32">) =>
        tensor(
          "float32",
          shape,
          data.map((value) => scale * value),
        );
      return divergence(scaled(blobs(120, { deviation }).rows), scaled(blobs(3, { deviation: 0 }).rows));
    };
    const scores = [0.4, 0.2, 0.1, 0.05].map((deviation) => score(deviation, 10));
    scores.slice(1).forEach((lower, i) => {
      expect(lower).toBeLessThan(scores[i]! / 2);
    });
    // Clusters that are far apart, but small, do worse than blurred ones that are ten times as large.
    expect(score(0.05, 1)).toBeGreaterThan(2 * score(0.4, 10));
  });
});
