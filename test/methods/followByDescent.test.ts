import { expect, it } from "vitest";
import { constant, variable } from "../../src/graph/node.ts";
import { withinLoss } from "../../src/methods/clusterMeans.ts";
import { followByDescent } from "../../src/methods/followByDescent.ts";
import { squaredDistances } from "../../src/nn/distances.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { expectClose } from "../support/close.ts";
import { matrix, numbers } from "../support/matrix.ts";

it("centers step by η times the mean of the rows' gradients, and the loss is that before the step", () => {
  const centers = variable("centers", fromNumbers("float32", [2, 1], [0, 3]));
  // Each of the rows 1 and 3 pulls at both centers with half its weight: −½·2(x − Ω).
  const even = withinLoss(matrix([0.5, 0.5], [0.5, 0.5]), squaredDistances(matrix([1], [3]), centers));
  const { updates, loss } = followByDescent(even, centers, constant(0.5));
  expect(updates.map(([target]) => target)).toEqual([centers]);
  // Ω₁: 0 + 0.5·(1 + 3)/2; Ω₂: 3 + 0.5·(−2 + 0)/2.
  expectClose(numbers(updates[0]![1]), [1, 2.5], 1e-12);
  expectClose(numbers(loss), [(1 + 4 + 9 + 0) / 4], 1e-12);
});
