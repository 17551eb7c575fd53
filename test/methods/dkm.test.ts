import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node } from "../../src/graph/node.ts";
import {
  annealed,
  closeness,
  clusteringLoss,
  dkmAnnealed,
  dkmPretrained,
  firstRatio,
  jointLoss,
  withoutTies,
} from "../../src/methods/dkm.ts";
import { cosineDistances, squaredDistances } from "../../src/nn/distances.ts";
import { trainingPass } from "../../src/nn/layers.ts";
import { sgd } from "../../src/nn/optimizers.ts";
import { cosineReconstruction } from "../../src/nn/reconstruction.ts";
import type { BatchFormulas } from "../../src/training/method.ts";
import { formulate, plan } from "../../src/training/plan.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { expectGradients } from "../support/differences.ts";
import { matrix, numbers } from "../support/matrix.ts";
import { evaluate, type Value } from "../support/oracle.ts";

describe("by hand, two codes and two representatives in one dimension:", () => {
  // Squared distances (1, 4) and (9, 0).
  const f = squaredDistances(matrix([1], [3]), matrix([0], [3]));

  it("D5: closeness is the softmax of −αf", () => {
    // 1/(1 + e^(−3α)) for the first row, 1/(1 + e^(−9α)) for the second.
    expectClose(numbers(closeness(f, 1)), [0.95257413, 0.04742587, 0.00012339, 0.99987661], 1e-8);
    expectClose(numbers(closeness(f, 0.1)), [0.57444252, 0.42555748, 0.2890505, 0.7109495], 1e-8);
  });

  it("D5: large distances do not overflow, and α may be a number that a schedule feeds", () => {
    const far = matrix([1e6, 1e6 + 1]);
    expectClose(numbers(closeness(far, 1)), [0.73105858, 0.26894142], 1e-8);
    expect(numbers(closeness(far, constant(1000)))).toEqual([1, 0]);
  });

  it("D3: the clustering loss is Σ f·G, the mean over rows, and λ weighs it against reconstruction", () => {
    const first = 0.95257413 * 1 + 0.04742587 * 4;
    const second = 0.00012339 * 9;
    expectClose(numbers(clusteringLoss(f, 1)), [(first + second) / 2], 1e-7);
    expectClose(numbers(jointLoss(constant(0.5), constant(2), 0.1)), [0.7], 1e-7);
  });

  it("a relative λ is (V − R₀)/C₀ of the first step, at most 1 and never nothing, and stays what it was then", () => {
    const ratio = (before: number, ...[V, R, C]: [number, number, number]) =>
      numbers(firstRatio(constant(before), constant(V), constant(R), constant(C)));
    expectClose(ratio(0, 5, 3, 8), [0.25], 1e-7);
    expectClose(ratio(0, 9, 3, 3), [1], 1e-7);
    expectClose(ratio(0, 2, 3, 3), [1e-6], 1e-9);
    expectClose(ratio(0.25, 9, 3, 3), [0.25], 1e-7);
  });

  it("representatives equally near to a row are taken from elsewhere, others stay (§3.2)", () => {
    const [r, elsewhere] = [matrix([0], [2], [5]), matrix([0.1], [2.1], [5.1])];
    const at = (h: Node) => numbers(withoutTies(r, squaredDistances(h, r), elsewhere));
    expectClose(at(matrix([1], [4])), [0.1, 2.1, 5], 1e-6);
    expectClose(at(matrix([0.5], [4])), [0, 2, 5], 1e-6);
    // Equally far is not equally near.
    expectClose(at(matrix([2], [2])), [0, 2, 5], 1e-6);
  });

  it("g may be 1 − cosine of a row and its reconstruction", () => {
    const network = { row: [2], latent: 2, parameters: [], encode: (x: Node) => x, decode: (z: Node) => z };
    const loss = cosineReconstruction(network, matrix([3, 4], [1, 0]), matrix([4, 3], [-2, 0]), trainingPass());
    expectClose(numbers(loss), [(0.04 + 2) / 2], 1e-6);
  });

  it("D3: f may be 1 − cosine", () => {
    // h = (3, 4), representatives (4, 3) and (−3, −4): cosines 0.96 and −1.
    const cosine = cosineDistances(matrix([3, 4]), matrix([4, 3], [-3, -4]));
    const G = 1 / (1 + Math.exp(-(2 - 0.04)));
    expectClose(numbers(clusteringLoss(cosine, 1)), [0.04 * G + 2 * (1 - G)], 1e-7);
  });
});

describe("the 40 values of α in §4.2", () => {
  it.each([
    [1, 0.1],
    // 0.1·2^(1/ln²2) and so on
    [2, 0.4232],
    [3, 0.7516],
    [10, 3.24],
    [20, 8.37],
    [30, 16.3],
    [40, 28.13],
  ])("have as number %d: %d", (n, alpha) => {
    expect(Math.abs(annealed(n - 1) / alpha - 1)).toBeLessThan(1e-3);
  });

  it("each last five of 200 epochs, from 0.1 to 28.13, where they are annealed; else α is 1000", () => {
    const data = toData(blobs(10).rows);
    const schedule = (method: typeof dkmAnnealed, profile: "paper" | "practical") =>
      formulate(plan(method, data, { clusters: 3, profile }), 0).clustering.schedule!;
    const annealing = schedule(dkmAnnealed, "paper");
    const alphas = Array.from({ length: 200 }, (_, epoch) => annealing(epoch, 200).alpha!);
    expect(alphas).toEqual(Array.from({ length: 200 }, (_, epoch) => annealed(Math.floor(epoch / 5))));
    expect(schedule(dkmPretrained, "paper")(99, 100)).toEqual({ alpha: 1000 });
  });
});

describe("in training,", () => {
  const { rows } = blobs(6, { deviation: 0.2 });
  const x = input("x", ["n", 4]);
  const eta = 0.1;
  const batch: BatchFormulas = {
    x,
    rows: input("rows", ["n"], "int32"),
    label: input("label", ["n"]),
    pass: trainingPass(),
    learn: (loss, parameters) => sgd()(parameters, gradient(loss, parameters), constant(eta)),
    move: () => [],
    scheduled: () => constant(2),
  };
  const options = { hidden: [3], activation: "tanh", latent: 2, output: "linear", lambda: 0.5, relative: false };
  const { network, clustering } = formulate(plan(dkmPretrained, toData(rows), { clusters: 3, options }), 0);
  const step = clustering.steps.joint!(batch);
  const given = new Map<Node, Value>([[x, { shape: [6, 4], data: Float64Array.from(rows.data) }]]);
  for (const parameter of [...network.parameters, clustering.centers]) {
    given.set(parameter, evaluate([parameter], new Map(), 6)[0]!);
  }

  it("D4: one step moves the network and the representatives, both from where they were", () => {
    const targets = [...network.parameters, clustering.centers];
    expect(new Set(step.updates.map(([target]) => target))).toEqual(new Set(targets));
    const slopes = evaluate(gradient(step.loss, targets), given, 6);
    targets.forEach((target, t) => {
      const next = step.updates.find(([updated]) => updated === target)![1];
      const before = given.get(target)!.data;
      expectClose(
        evaluate([next], given, 6)[0]!.data,
        before.map((value, i) => value - Math.fround(eta) * slopes[t]!.data[i]!),
        1e-12,
      );
      expect(slopes[t]!.data.some((slope) => Math.abs(slope) > 1e-3)).toBe(true);
    });
  });

  it("a relative λ is found by the first step, from the spread of the rows and its own losses", () => {
    const own = { ...options, lambda: 1, relative: true };
    const formulas = formulate(plan(dkmPretrained, toData(rows), { clusters: 3, options: own }), 0);
    const { terms, loss, updates } = formulas.clustering.steps.joint!(batch);
    const [unit, found] = updates.find(([{ attributes }]) => attributes.name === "lambda.unit")!;
    const values = new Map(given);
    for (const parameter of [...formulas.network.parameters, formulas.clustering.centers, unit]) {
      values.set(parameter, evaluate([parameter], new Map(), 6)[0]!);
    }
    const [R, C, L, ratio] = evaluate([terms!.reconstruction!, terms!.clustering!, loss, found], values, 6).map(
      ({ data }) => data[0]!,
    ) as [number, number, number, number];
    const mean = (c: number): number => [0, 1, 2, 3, 4, 5].reduce((sum, i) => sum + rows.data[4 * i + c]! / 6, 0);
    const V = rows.data.reduce((sum, value, at) => sum + (value - mean(at % 4)) ** 2 / 6, 0);
    expect(ratio).toBeCloseTo(Math.max(1e-6, Math.min(1, (V - R) / C)), 6);
    expect(L).toBeCloseTo(R + ratio * C, 6);
  });

  it("D4: the gradient is that of the whole loss, through closeness and both distances", () => {
    expectGradients(step.loss, [...network.parameters, clustering.centers], given, 6, { most: 4 });
  });

  it("D3: the loss is the squared distance of each reconstruction, and λ times the clustering loss", () => {
    const pass = trainingPass();
    const h = network.encode(x, pass);
    const [codes, decoded, loss, r] = evaluate(
      [h, network.decode(h, pass), step.loss, clustering.centers],
      given,
      6,
    ).map(({ data }) => data) as [Float64Array, Float64Array, Float64Array, Float64Array];
    let total = 0;
    for (let i = 0; i < 6; i++) {
      for (let c = 0; c < 4; c++) total += (decoded[4 * i + c]! - rows.data[4 * i + c]!) ** 2 / 6;
      const f = [0, 1, 2].map((k) => (codes[2 * i]! - r[2 * k]!) ** 2 + (codes[2 * i + 1]! - r[2 * k + 1]!) ** 2);
      const weights = f.map((distance) => Math.exp(-2 * distance));
      const all = weights.reduce((a, b) => a + b, 0);
      total += (0.5 * f.reduce((sum, distance, k) => sum + (distance * weights[k]!) / all, 0)) / 6;
    }
    expect(loss[0]).toBeCloseTo(total, 12);
  });

  it("representatives begin between −1 and 1 where no k-means places them", () => {
    const initial = evaluate([clustering.centers], new Map(), 0)[0]!.data;
    expect(Math.max(...initial.map(Math.abs))).toBeLessThanOrEqual(1);
    expect(new Set(initial).size).toBe(6);
  });
});
