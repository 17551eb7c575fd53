import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node, type variable } from "../../src/graph/node.ts";
import {
  clusterDistances,
  distanceParts,
  type Prior,
  priorDivergence,
  responsibilities,
  sampled,
  vade,
} from "../../src/methods/vade.ts";
import { trainingPass } from "../../src/nn/layers.ts";
import { sgd } from "../../src/nn/optimizers.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { formulate, plan } from "../../src/training/plan.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { expectGradients } from "../support/differences.ts";
import { matrix, numbers } from "../support/matrix.ts";
import { evaluate, type Value } from "../support/oracle.ts";

const vector = (...values: number[]) => constant(fromNumbers("float32", [values.length], values));
/** Two clusters in one dimension: a quarter around 0 with variance 1, the others around 3 with variance 4. */
const prior: Prior = {
  logPi: vector(Math.log(0.25), Math.log(0.75)),
  mu: matrix([0], [3]),
  logVariance: matrix([0], [Math.log(4)]),
};
const density = (z: number, c: 0 | 1): number => {
  const [pi, mu, variance] = [
    [0.25, 0, 1],
    [0.75, 3, 4],
  ][c] as [number, number, number];
  return (pi * Math.exp(-((z - mu) ** 2) / (2 * variance))) / Math.sqrt(2 * Math.PI * variance);
};

describe("by hand, two clusters in one dimension:", () => {
  it("a code is its mean and its deviation times what was drawn", () => {
    expectClose(numbers(sampled(matrix([1]), matrix([Math.log(0.5)]), matrix([-3]))), [-0.5], 1e-6);
  });

  it("γ is the share of each cluster in π N(z)", () => {
    for (const z of [-1, 1, 2.5]) {
      const all = density(z, 0) + density(z, 1);
      expectClose(numbers(responsibilities(matrix([z]), prior)), [density(z, 0) / all, density(z, 1) / all], 1e-6);
    }
  });

  it("distances are −2 log(π N), less the same for both, and at least 0", () => {
    const [near, far] = numbers(clusterDistances(matrix([1]), prior)) as [number, number];
    expect(near - far).toBeCloseTo(-2 * Math.log(density(1, 0) / density(1, 1)), 5);
    expect(Math.min(...numbers(clusterDistances(matrix([0], [3]), prior)))).toBeGreaterThanOrEqual(0);
  });

  it("the parts add up to the distances", () => {
    const z = matrix([1], [-2]);
    const parts = numbers(distanceParts(z, prior));
    expectClose(
      [0, 1, 2, 3].map((at) => parts[2 * at]! + parts[2 * at + 1]!),
      numbers(clusterDistances(z, prior)),
      1e-5,
    );
  });

  it("the divergence from the mixture is what its three terms say", () => {
    // μ̃ = 1, σ̃² = 0.5, γ = (0.4, 0.6).
    const [code, variance, gamma] = [1, 0.5, [0.4, 0.6] as const];
    const normal = [0 + variance / 1 + code ** 2, Math.log(4) + variance / 4 + (code - 3) ** 2 / 4] as const;
    const expected =
      (gamma[0] * normal[0] + gamma[1] * normal[1]) / 2 -
      (gamma[0] * Math.log(0.25 / gamma[0]) + gamma[1] * Math.log(0.75 / gamma[1])) -
      (1 + Math.log(variance)) / 2;
    const found = priorDivergence(matrix([...gamma]), matrix([code]), matrix([Math.log(variance)]), prior);
    expectClose(numbers(found), [expected], 1e-5);
  });

  it("the divergence is 0 where one cluster is all there is, and the code is as it says", () => {
    const one: Prior = { logPi: vector(0), mu: matrix([2]), logVariance: matrix([Math.log(3)]) };
    expectClose(numbers(priorDivergence(matrix([1]), matrix([2]), matrix([Math.log(3)]), one)), [0], 1e-6);
  });
});

describe("in training,", () => {
  const { rows } = blobs(6);
  const x = input("x", ["n", 4]);
  const options = { hidden: [3], activation: "tanh", latent: 2, output: "sigmoid" };
  const formulated = (more: object) => {
    const { network, clustering } = formulate(
      plan(vade, toData(rows), { clusters: 3, options: { ...options, ...more } }),
      0,
    );
    const learned: Node[] = [];
    const pass = trainingPass();
    const step = clustering.steps.joint!({
      x,
      rows: input("rows", ["n"], "int32"),
      label: input("label", ["n"]),
      pass,
      learn(loss, parameters) {
        learned.push(...parameters);
        return sgd()(parameters, gradient(loss, parameters), constant(0.1));
      },
      move: () => [],
      scheduled: () => constant(0),
    });
    const given = new Map<Node, Value>([[x, { shape: [6, 4], data: Float64Array.from(rows.data) }]]);
    for (const parameter of learned) given.set(parameter, evaluate([parameter], new Map(), 6)[0]!);
    return { network, clustering, step, given, learned, pass };
  };

  it("one loss moves the network, the variance of codes and the whole mixture", () => {
    const { network, learned } = formulated({});
    const names = learned.map((node) => (node.op === "variable" ? node.attributes.name : ""));
    expect(names).toEqual([
      ...network.parameters.map(({ attributes }) => attributes.name),
      ...["variance.weight", "variance.bias", "centers", "centers.logVariance", "centers.logits"],
    ]);
  });

  it.each(["normal", "bernoulli"])(
    "its gradient is that of the loss with a %s likelihood, for the codes drawn",
    (likelihood) => {
      const { step, given, learned, pass } = formulated({ likelihood });
      const [name] = [...pass.draws];
      const drawn = findDraw(step.loss, name!);
      given.set(drawn, { shape: [6, 2], data: Float64Array.from({ length: 12 }, (_, i) => Math.sin(i)) });
      expectGradients(step.loss, learned as ReturnType<typeof variable>[], given, 6, { most: 3 });
    },
  );

  it("codes begin as uncertain as they are said to be", () => {
    const { learned } = formulated({ variance: 0.25 });
    const bias = learned.find((node) => node.op === "variable" && node.attributes.name === "variance.bias")!;
    expectClose(numbers(bias), [Math.log(0.25), Math.log(0.25)], 1e-6);
  });
});

function findDraw(node: Node, name: string): Node {
  const [seen, stack] = [new Set<Node>(), [node]];
  for (let at = stack.pop(); at; at = stack.pop()) {
    if (at.op === "input" && at.attributes.name === name) return at;
    if (!seen.has(at)) stack.push(...at.inputs);
    seen.add(at);
  }
  throw new Error(`no input ${name}`);
}
