/** What the paper proves or claims about Deep k-Means: between one place for all and k-means lies nothing but α. */

import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node, variable } from "../../src/graph/node.ts";
import { withinLoss } from "../../src/methods/clusterMeans.ts";
import { closeness, clusteringLoss, dkmPretrained, jointLoss } from "../../src/methods/dkm.ts";
import { followByDescent } from "../../src/methods/followByDescent.ts";
import { nearest, squaredDistances } from "../../src/nn/distances.ts";
import { trainingPass } from "../../src/nn/layers.ts";
import { sgd } from "../../src/nn/optimizers.ts";
import { kmeans } from "../../src/numerics/kmeans.ts";
import { Random } from "../../src/tensor/random.ts";
import { tensor } from "../../src/tensor/tensor.ts";
import { formulate, plan } from "../../src/training/plan.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { matrix, numbers } from "../support/matrix.ts";
import { evaluate, type Value } from "../support/oracle.ts";

const number = (node: Node): number => numbers(node)[0]!;
const { rows } = blobs(30, { deviation: 0.1 });
const x = constant(rows);

describe("closeness,", () => {
  it("D5: with α → ∞, is 1 for the unique nearest and 0 for the others (Property 1)", () => {
    const f = matrix([0.3, 0.5, 0.31], [2, 1, 4]);
    const distanceTo = (alpha: number): number => {
      const indicator = [1, 0, 0, 0, 1, 0];
      return Math.max(...numbers(closeness(f, alpha)).map((value, i) => Math.abs(value - indicator[i]!)));
    };
    const errors = [1, 10, 100, 1000, 10_000].map(distanceTo);
    errors.slice(1).forEach((error, i) => {
      expect(error).toBeLessThan(errors[i]!);
    });
    // The nearest two differ by 0.01: e^(−0.01·1000) is left at α = 1000, nothing at 10,000.
    expect(errors[3]).toBeCloseTo(Math.exp(-10), 6);
    expect(errors[4]).toBeLessThan(1e-12);
  });

  it("D5: where two are equally near, stays one half for both at any α", () => {
    expect(numbers(closeness(matrix([1, 1, 2]), 1e4))).toEqual([0.5, 0.5, 0]);
  });

  it("D5: at α = 0, is 1/K for all", () => {
    expectClose(numbers(closeness(matrix([0, 7, 100, 3]), 0)), [0.25, 0.25, 0.25, 0.25], 1e-12);
  });
});

it("D5: at α = 0, all representatives are pulled to one place, the mean of the codes", () => {
  const r = variable("r", tensor("float32", [3, 4], Random.seeded(2).normals(12)));
  const loss = clusteringLoss(squaredDistances(x, r), 0);
  const [[, next]] = followByDescent(loss, r, constant(0.5)).updates as [[Node, Node]];
  let at = evaluate([r], new Map(), 30)[0]!;
  for (let t = 0; t < 60; t++) [at] = evaluate([next], new Map([[r, at]]), 30) as [Value];
  const mean = [0, 1, 2, 3].map((c) => {
    let sum = 0;
    for (let i = 0; i < 30; i++) sum += rows.data[4 * i + c]!;
    return sum / 30;
  });
  expectClose(at.data, [...mean, ...mean, ...mean], 1e-8);
});

describe("without a network and with a large α it is k-means:", () => {
  const eta = 0.2;
  const batch = {
    x: input("x", ["n", 4]),
    rows: input("rows", ["n"], "int32"),
    label: input("label", ["n"]),
    pass: trainingPass(),
    learn: (loss: Node, parameters: Parameters<ReturnType<typeof sgd>>[0]) =>
      parameters.length === 0 ? [] : sgd()(parameters, gradient(loss, parameters), constant(eta)),
    move: () => [],
    scheduled: () => constant(1e6),
  };
  const options = { network: "none", lambda: 1, relative: false };
  const { clustering } = formulate(plan(dkmPretrained, toData(rows), { clusters: 3, options }), 0);
  const step = clustering.steps.joint!(batch);
  const r = clustering.centers;
  const given = (centers: ArrayLike<number>) =>
    new Map<Node, Value>([
      [batch.x, { shape: [30, 4], data: Float64Array.from(rows.data) }],
      [r, { shape: [3, 4], data: Float64Array.from(centers) }],
    ]);
  const anywhere = [...rows.data.slice(0, 4), ...rows.data.slice(12, 16), ...rows.data.slice(4, 8)];

  it("D2: loss and gradient are those of k-means, anywhere", () => {
    expect(step.updates.map(([target]) => target)).toEqual([r]);
    const distances = squaredDistances(batch.x, r);
    const hard = withinLoss(nearest(distances), distances);
    const [loss, expected, next, slope] = evaluate(
      [step.loss, hard, step.updates[0]![1], gradient(hard, [r])[0]!],
      given(anywhere),
      30,
    ).map(({ data }) => data) as [Float64Array, Float64Array, Float64Array, Float64Array];
    expectClose(loss, expected, 1e-10);
    expectClose(
      next,
      anywhere.map((value, i) => value - Math.fround(eta) * slope[i]!),
      1e-10,
    );
    expect(Math.max(...slope.map(Math.abs))).toBeGreaterThan(0.1);
  });

  it("D2: training ends where k-means does, and stays there", () => {
    let at = given(anywhere);
    for (let t = 0; t < 200; t++) at = given(evaluate([step.updates[0]![1]], at, 30)[0]!.data);
    const best = kmeans(rows, 3, Random.seeded(1));
    const [loss] = evaluate([step.loss], at, 30);
    expect(30 * loss!.data[0]!).toBeCloseTo(best.inertia, 6);
    const [stayed] = evaluate([step.updates[0]![1]], given(best.centers.data), 30);
    expectClose(stayed!.data, best.centers.data, 1e-6);
  });
});

it("D1 and D3: the loss falls with α, and for α → ∞ each code counts its nearest representative alone", () => {
  const r = matrix([0, 0, 1, 0], [1, 0, 0, 0.5], [0, 1, 0.5, 1]);
  const f = squaredDistances(x, r);
  const reconstruction = constant(0.25);
  const limit = number(jointLoss(reconstruction, withinLoss(nearest(f), f), 0.1));
  const losses = [0, 1, 10, 100, 1000, 10_000].map((alpha) =>
    number(jointLoss(reconstruction, clusteringLoss(f, alpha), 0.1)),
  );
  losses.slice(1).forEach((loss, i) => {
    expect(loss).toBeLessThanOrEqual(losses[i]!);
  });
  expect(losses[0]! - limit).toBeGreaterThan(0.01);
  expect(losses.at(-1)).toBeCloseTo(limit, 10);
  // D1 by hand: 0.25 and a tenth of the mean squared distance to the nearest.
  const least = Array.from({ length: 30 }, (_, i) => Math.min(...numbers(f).slice(3 * i, 3 * i + 3)));
  expect(limit).toBeCloseTo(0.25 + (0.1 * least.reduce((a, b) => a + b, 0)) / 30, 8);
});
