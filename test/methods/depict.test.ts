import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node, type Variable } from "../../src/graph/node.ts";
import { softmax } from "../../src/graph/reduce.ts";
import {
  crossEntropy,
  depict,
  layerScores,
  rootTarget,
  scoreParts,
  squaredTarget,
  surprise,
} from "../../src/methods/depict.ts";
import { squaredDistances } from "../../src/nn/distances.ts";
import { trainingPass } from "../../src/nn/layers.ts";
import { sgd } from "../../src/nn/optimizers.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { formulate, plan } from "../../src/training/plan.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { expectGradients } from "../support/differences.ts";
import { matrix, numbers } from "../support/matrix.ts";
import { evaluate, type Value } from "../support/oracle.ts";

const vector = (...values: number[]) => constant(fromNumbers("float32", [values.length], values));

describe("by hand,", () => {
  it("the softmax is (θᵀz + b)/s; with θ = 2μ and b = −‖μ‖² its largest is the nearest center", () => {
    const [z, mu] = [matrix([1, 2], [-1, 0]), matrix([1, 1], [-2, 1])];
    const scores = layerScores(z, matrix([2, 2], [-4, 2]), vector(-2, -5), constant(2));
    expectClose(numbers(scores), [2, -2.5, -2, -0.5], 1e-6);
    const distances = numbers(squaredDistances(z, mu));
    const softly = numbers(softmax(scores));
    for (const i of [0, 1]) {
      const weights = [0, 1].map((j) => Math.exp(-distances[2 * i + j]! / 2));
      expectClose(
        softly.slice(2 * i, 2 * i + 2),
        weights.map((weight) => weight / (weights[0]! + weights[1]!)),
        1e-6,
      );
    }
  });

  it("distances are −log p, and the parts add up to them but for what both clusters share", () => {
    const [z, theta, b, s] = [matrix([1, 2]), matrix([2, 2], [-4, 2]), vector(-2, -5), constant(2)];
    const near = numbers(surprise(layerScores(z, theta, b, s)));
    expectClose(near, [Math.log(1 + Math.exp(-4.5)), Math.log(1 + Math.exp(4.5))], 1e-6);
    const parts = numbers(scoreParts(z, theta, b, s));
    const sums = [0, 1].map((j) => parts.slice(3 * j, 3 * j + 3).reduce((all, part) => all + part, 0));
    expect(sums[1]! - sums[0]!).toBeCloseTo(near[1]! - near[0]!, 5);
  });

  it("the target is p²/f or p/√f, each row scaled to sum to one", () => {
    const p = matrix([0.9, 0.1], [0.6, 0.4]);
    // f = (1.5, 0.5).
    const squared = (a: number, b: number) => [a ** 2 / 1.5, b ** 2 / 0.5];
    const root = (a: number, b: number) => [a / Math.sqrt(1.5), b / Math.sqrt(0.5)];
    for (const [target, by] of [
      [squaredTarget, squared],
      [rootTarget, root],
    ] as const) {
      const expected = [by(0.9, 0.1), by(0.6, 0.4)].flatMap(([a, b]) => [a! / (a! + b!), b! / (a! + b!)]);
      expectClose(numbers(target(p)), expected, 1e-6);
    }
  });

  it("the clustering loss is the cross-entropy of p and its target", () => {
    const q = matrix([0.25, 0.75]);
    const scores = matrix([0, Math.log(3)]);
    expectClose(numbers(crossEntropy(q, scores)), [-(0.25 * Math.log(0.25) + 0.75 * Math.log(0.75))], 1e-6);
  });
});

describe("in training,", () => {
  const { rows } = blobs(6);
  const formulated = (more: object = {}, data: Parameters<typeof toData>[0] = rows) => {
    const options = { hidden: [5, 3], activation: "tanh", latent: 2, output: "linear", dropout: 0, ...more };
    const { network, clustering } = formulate(plan(depict, toData(data), { clusters: 3, options }), 0);
    const x = input("x", ["n", ...network.row]);
    const places = input("rows", ["n"], "int32");
    const learned: Variable[] = [];
    const step = clustering.steps.joint!({
      x,
      rows: places,
      label: input("label", ["n"]),
      pass: trainingPass(),
      learn(loss, parameters) {
        learned.push(...parameters);
        return sgd()(parameters, gradient(loss, parameters), constant(0.1));
      },
      move: () => [],
      scheduled: () => constant(0),
    });
    return { network, clustering, x, places, step, learned };
  };

  it("every hidden layer is reconstructed as the clean encoder has it, and the loss is the sum of its parts", () => {
    const { network, x, places, step, learned, clustering } = formulated({ layers: 0.5, gamma: 2 });
    const given = new Map<Node, Value>([
      [x, { shape: [6, 4], data: Float64Array.from(rows.data) }],
      [places, { shape: [6], data: Float64Array.of(0, 1, 2, 3, 4, 5) }],
    ]);
    for (const parameter of [...learned, clustering.centers])
      given.set(parameter, evaluate([parameter], new Map(), 6)[0]!);
    const pass = trainingPass();
    const up = network.encodedBy!(x, pass);
    const down = network.decodedBy!(up.at(-1)!, pass);
    const values = evaluate([...up.slice(0, -1), ...down.slice(0, -1)], given, 6).map(({ data }) => data);
    const [a, b, bDrawn, aDrawn] = values as [Float64Array, Float64Array, Float64Array, Float64Array];
    const apart = (one: Float64Array, other: Float64Array): number =>
      one.reduce((sum, value, i) => sum + (value - other[i]!) ** 2 / one.length, 0);
    const [hidden, loss, clusteringLoss, reconstruction] = evaluate(
      [step.terms!.hidden!, step.loss, step.terms!.clustering!, step.terms!.reconstruction!],
      given,
      6,
    ).map(({ data }) => data[0]!) as [number, number, number, number];
    expect(hidden).toBeCloseTo(0.5 * (apart(a, aDrawn) + apart(b, bDrawn)), 10);
    expect(loss).toBeCloseTo(2 * clusteringLoss + reconstruction + hidden, 10);
    expectGradients(step.loss, learned, given, 6, { most: 3 });
  });

  it("DEPICT's own network halves 28×28 to 13 and 7, comes back, and has the same maps on both ways", () => {
    const images = { shape: [3, 1, 28, 28], dtype: "float32", data: Random.seeded(1).uniforms(3 * 784) } as never;
    const { network, x } = formulated(
      { network: "halvingConvolutional", hidden: [], filters: [4, 3], activation: "relu" },
      images,
    );
    const shapes = (nodes: readonly Node[]) => nodes.map(({ shape }) => shape.slice(1));
    const up = network.encodedBy!(x, trainingPass());
    expect(shapes(up)).toEqual([[4, 13, 13], [3, 7, 7], [2]]);
    expect(shapes(network.decodedBy!(up.at(-1)!, trainingPass()))).toEqual([
      [3, 7, 7],
      [4, 13, 13],
      [1, 28, 28],
    ]);
  });
});
