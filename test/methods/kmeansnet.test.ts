import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { divide } from "../../src/graph/elementwise.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node, type Variable } from "../../src/graph/node.ts";
import { argmax, argmin } from "../../src/graph/reduce.ts";
import {
  clusteringLoss,
  coupledBias,
  descend,
  kmeansnet,
  layerScores,
  softAssignment,
  weightsOf,
} from "../../src/methods/kmeansnet.ts";
import { squaredDistances, unitRows } from "../../src/nn/distances.ts";
import { trainingPass } from "../../src/nn/layers.ts";
import { fromNumbers, type Tensor } from "../../src/tensor/tensor.ts";
import type { BatchFormulas } from "../../src/training/method.ts";
import { formulate, plan } from "../../src/training/plan.ts";
import { Restart } from "../../src/training/restart.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { matrix, numbers } from "../support/matrix.ts";
import { evaluate, type Value } from "../support/oracle.ts";
import { layerOf } from "./theory/kmeansnet.ts";

const device = await findDevice(devices, "cpu");

const toValue = (rows: number[][]): Value => ({
  shape: [rows.length, rows[0]!.length],
  data: Float64Array.from(rows.flat()),
});

describe("by hand, α = 0.5, centers (1, 0) and (0, 2), and the row (0.6, 0.8):", () => {
  const alpha = 0.5;
  const x = matrix([0.6, 0.8]);
  const { W, b } = layerOf(matrix([1, 0], [0, 2]), alpha);
  const scores = layerScores(x, W, b);

  it("K6: the layer's weights are 2αΩ, its biases −α‖Ω‖², and its scores α‖x‖² − α‖x − Ω‖²", () => {
    expect(numbers(W)).toEqual([1, 0, 0, 2]);
    expect([...weightsOf(fromNumbers("float32", [2, 2], [1, 0, 0, 2]), alpha).data]).toEqual([1, 0, 0, 2]);
    expect(numbers(b)).toEqual([-0.5, -2]);
    // The squared distances are 0.4² + 0.8² = 0.8 and 0.6² + 1.2² = 1.8.
    expectClose(numbers(scores), [0.5 - 0.4, 0.5 - 0.9], 1e-7);
  });

  it("K5 and K8: the assignment is the softmax of the scores, in which ‖x‖² cancels", () => {
    // e^−0.4 and e^−0.9: in parts, 1/(1 + e^−0.5) and the rest.
    expectClose(numbers(softAssignment(scores)), [0.62245933, 0.37754067], 1e-7);
  });

  it("the assignment can be made sharper than printed", () => {
    // The same with e^−1 instead of e^−0.5.
    expectClose(numbers(softAssignment(scores, 2)), [0.73105858, 0.26894142], 1e-7);
  });

  it("K7 and K9: the loss weighs squared distances with the assignment, whose ‖x‖² is 1", () => {
    expectClose(numbers(clusteringLoss(matrix([1, 0]), scores, alpha)), [0.8], 1e-7);
    expectClose(numbers(clusteringLoss(matrix([0, 1]), scores, alpha)), [1.8], 1e-7);
    const soft = 0.62245933 * 0.8 + 0.37754067 * 1.8;
    expectClose(numbers(clusteringLoss(softAssignment(scores), scores, alpha)), [soft], 1e-7);
  });

  it("K7: the loss is the mean over rows", () => {
    // (1, 0) lies on the first center.
    const both = layerScores(matrix([0.6, 0.8], [1, 0]), W, b);
    expectClose(numbers(clusteringLoss(matrix([1, 0], [1, 0]), both, alpha)), [0.4], 1e-7);
  });

  it("K10: the coupled bias is −‖W‖²/(4α)", () => {
    expect(numbers(coupledBias(matrix([1, 0], [0, 2], [3, 4]), alpha))).toEqual([-0.5, -2, -12.5]);
  });

  it("K11: a step takes η∇L off the weights", () => {
    // Of the row (0.6, 0.8) and the first center: ∇L = −(1/α)(x − Ω), which is (0.8, −1.6).
    const loss = clusteringLoss(matrix([1, 0]), layerScores(x, W, coupledBias(W, alpha)), alpha);
    const [slope] = gradient(loss, [W]) as [Node];
    expectClose(numbers(slope), [0.8, -1.6, 0, 0], 1e-7);
    expectClose(numbers(descend(W, slope, constant(0.25))), [0.8, 0.4, 0, 2], 1e-7);
  });
});

/** The formulas without a network, one step in float64 from given weights. */
function withoutNetwork(rows: number[][], clusters: number, settings: Record<string, unknown>) {
  const x = input("x", ["n", rows[0]!.length]);
  const step = input("step", []);
  const job = plan(kmeansnet, toData(rows), { clusters, options: { network: "none", ...settings } });
  const { clustering } = formulate(job, 0);
  const { updates, loss } = clustering.steps.joint!({
    x,
    rows: input("rows", ["n"], "int32"),
    label: input("label", ["n"]),
    pass: trainingPass(),
    learn: () => [],
    move: () => [],
    scheduled: () => step,
  });
  const W = updates[0]![0];
  const b = updates.map(([target]) => target).find(({ attributes }) => attributes.name === "b");
  const given = (centers: number[][], taken: number, biases?: number[]): Map<Node, Value> => {
    const alpha = Math.fround(job.options.alpha as number);
    const values = new Map<Node, Value>([
      [x, toValue(rows)],
      [step, { shape: [], data: Float64Array.of(taken) }],
      [W, toValue(centers.map((row) => row.map((value) => 2 * alpha * value)))],
    ]);
    if (b && biases) values.set(b, { shape: [clusters], data: Float64Array.from(biases) });
    return values;
  };
  return { clustering, updates, loss, W, b, given };
}

describe("a step of the centers, by hand:", () => {
  // The first two rows are nearest to (1, 0), the third to (0, 0.5); none to (−1, 0).
  const rows = [
    [1, 0],
    [0.8, 0.6],
    [0, 1],
  ];
  const centers = [
    [1, 0],
    [0, 0.5],
    [-1, 0],
  ];

  it.each([1e-3, 0.5])("Ω moves by (1/B) Σ (x − Ω), the sum over its own rows, whatever α: α = %d", (alpha) => {
    const { updates, loss, W, clustering, given } = withoutNetwork(rows, 3, { alpha });
    for (const [step, factor] of [
      [1, 1 / 3],
      [0.25, 1 / 12],
    ] as const) {
      const [before, next] = evaluate([loss, updates[0]![1]], given(centers, step), 3);
      // Of the first: (0, 0) + (−0.2, 0.6). Of the second: (0, 0.5). The third has no rows.
      const expected = [1 - 0.2 * factor, 0.6 * factor, 0, 0.5 + 0.5 * factor, -1, 0];
      const [after] = evaluate([clustering.centers], new Map([[W as Node, next!]]), 3);
      expectClose(after!.data, expected, 1e-7);
      // Squared distances 0, 0.04 + 0.36 and 0.25.
      expectClose(before!.data, [0.65 / 3], 1e-6);
    }
  });

  it("the step of an epoch is 1/(1 + epoch), from 0", () => {
    const { clustering } = withoutNetwork(rows, 3, {});
    expect([0, 1, 9].map((epoch) => clustering.schedule!(epoch, 10))).toEqual([
      { step: 1 },
      { step: 0.5 },
      { step: 0.1 },
    ]);
  });

  it("K11: with soft assignments, too, a step of W is −η∇L, where η is 2α² times the epoch's step", () => {
    const alpha = 0.5;
    const { updates, loss, W, given } = withoutNetwork(rows, 3, { alpha, assignment: "soft", sharpness: 3 });
    const at = given(centers, 0.7);
    const [value, slope, next] = evaluate([loss, gradient(loss, [W])[0]!, updates[0]![1]], at, 3);
    const scores = layerScores(matrix(...rows), matrix(...centers), coupledBias(matrix(...centers), alpha));
    expectClose(value!.data, numbers(clusteringLoss(softAssignment(scores, 3), scores, alpha)), 1e-7);
    const expected = at.get(W)!.data.map((value, i) => value - 0.7 * 2 * alpha ** 2 * slope!.data[i]!);
    expectClose(next!.data, expected, 1e-7);
    expect(Math.max(...slope!.data.map(Math.abs))).toBeGreaterThan(0.1);
  });

  it("a free bias is moved as well, and W without regard to its length", () => {
    const alpha = 0.5;
    const { updates, b, given } = withoutNetwork(rows, 3, { alpha, bias: "free" });
    const at = given(centers, 1, [-0.5, -0.5, -0.5]);
    const next = (target: Variable): Float64Array =>
      evaluate([updates.find(([updated]) => updated === target)![1]], at, 3)[0]!.data;
    // ∂L/∂bⱼ = −(1/α)·(its share of the rows), and 2α² of that: 2α/B for each row.
    expectClose(next(b!), [-0.5 + 2 / 3, -0.5 + 1 / 3, -0.5], 1e-7);
    // 2α/B times the sum of the rows (1.8, 0.6) and (0, 1): no −Ω in it.
    expectClose(next(updates[0]![0]), [1 + 1.8 / 3, 0.6 / 3, 0, 0.5 + 1 / 3, -1, 0], 1e-7);
  });

  it("a stream moves centers in the same way, as far as the rate says", () => {
    const { clustering, W, given } = withoutNetwork(rows, 3, { alpha: 0.5 });
    // Twice as long, for only directions count.
    const { updates, loss } = clustering.follow(matrix([2, 0], [1.6, 1.2], [0, 2]), constant(0.5));
    const [next, value] = evaluate([updates[0]![1], loss], given(centers, 0), 3);
    const [after] = evaluate([clustering.centers], new Map([[W as Node, next!]]), 3);
    expectClose(after!.data, [1 - 0.2 / 6, 0.1, 0, 0.5 + 0.5 / 6, -1, 0], 1e-7);
    expectClose(value!.data, [0.65 / 3], 1e-6);
  });
});

describe("the label is argmax(Wx + b):", () => {
  it("with a free bias it may be another than the nearest Ω, and distances follow the label", () => {
    const rows = [
      [0.6, 0.8],
      [1, 0],
    ];
    const { clustering, given } = withoutNetwork(rows, 2, { alpha: 0.5, bias: "free" });
    const centers = [
      [1, 0],
      [0, 2],
    ];
    const distances = (biases: number[]): number[] => [
      ...evaluate([clustering.distances(matrix([3, 4]))], given(centers, 0, biases), 1)[0]!.data,
    ];
    // (3, 4) counts as (0.6, 0.8). With the coupled bias they are the squared distances.
    expectClose(distances([-0.5, -2]), [0.8, 1.8], 1e-6);
    // A bias that is 1 larger takes 1/α off.
    expectClose(distances([-0.5, -1]), [0.8, -0.2], 1e-6);
  });

  it.each(["coupled", "free"])(
    "after a training with a %s bias, distances never contradict the scores",
    async (bias) => {
      const { rows } = blobs(60, { deviation: 0.15 });
      const data = toData(rows);
      const options = { network: "none", bias, centerStep: "optimizer", rate: 0.05, alpha: 0.5, batch: 20 };
      const restart = new Restart(plan(kmeansnet, data, { clusters: 4, options }), 0, data, device);
      await restart.begin();
      for (let epoch = 0; epoch < 5; epoch++) await restart.cluster(epoch);
      const state = await restart.save();
      const W = constant(state.get("W") as Tensor<"float32">);
      const b = bias === "free" ? constant(state.get("b") as Tensor<"float32">) : coupledBias(W, 0.5);
      const x = unitRows(constant(rows));
      const labels = [...(await restart.labels())];
      expect(labels).toEqual(numbers(argmax(layerScores(x, W, b))));
      expect(new Set(labels).size).toBeGreaterThan(1);
      const byCenters = numbers(argmin(squaredDistances(x, divide(W, 2 * 0.5))));
      if (bias === "coupled") expect(labels).toEqual(byCenters);
      else expect(labels).not.toEqual(byCenters);
      await restart.close();
    },
  );
});

describe("in training,", () => {
  it.each(["sgd", "adagrad", "rmsprop", "adadelta", "adam"])(
    "%s may move the layer, and lowers its loss",
    async (optimizer) => {
      const data = toData(blobs(60, { deviation: 0.15 }).rows);
      const rate = optimizer === "adadelta" ? 1 : 0.01;
      const options = {
        network: "none",
        centerStep: "optimizer",
        optimizer,
        rate,
        alpha: 0.5,
        batch: 20,
        start: "random",
      };
      const restart = new Restart(plan(kmeansnet, data, { clusters: 3, options }), 0, data, device);
      await restart.begin();
      const before = await restart.centers();
      const losses: number[] = [];
      for (let epoch = 0; epoch < 10; epoch++) losses.push((await restart.cluster(epoch)).losses.loss!);
      expect(losses.at(-1)).toBeLessThan(losses[0]!);
      expect([...(await restart.centers()).data]).not.toEqual([...before.data]);
      await restart.close();
    },
  );

  it.each(["kmeans", "kmeans++", "rows", "random"])(
    "the layer starts as that of centers of length 1, whose bias is −α, wherever they come from: %s",
    async (start) => {
      const data = toData(blobs(30).rows);
      const options = { network: "none", alpha: 0.25, bias: "free", start };
      const restart = new Restart(plan(kmeansnet, data, { clusters: 3, options }), 0, data, device);
      await restart.begin();
      const state = await restart.save();
      const [W, b] = ["W", "b"].map((name) => constant(state.get(name) as Tensor<"float32">)) as [Node, Node];
      const layer = layerOf(constant(await restart.centers()), 0.25);
      expectClose(numbers(W), numbers(layer.W), 1e-6);
      expectClose(numbers(b), [-0.25, -0.25, -0.25], 1e-6);
      expectClose(numbers(layer.b), numbers(b), 1e-6);
      await restart.close();
    },
  );

  const { rows } = blobs(12, { deviation: 0.2 });
  const x = input("x", ["n", 4]);
  const options = {
    hidden: [3],
    activation: "tanh",
    latent: 2,
    code: "linear",
    output: "linear",
    alpha: 0.5,
    lambda: 0.1,
  };
  const { network, clustering } = formulate(plan(kmeansnet, toData(rows), { clusters: 3, options }), 0);
  const learned: { loss: Node; parameters: readonly Variable[] }[] = [];
  const batch: BatchFormulas = {
    x,
    rows: input("rows", ["n"], "int32"),
    label: input("label", ["n"]),
    pass: trainingPass(),
    learn(loss, parameters) {
      learned.push({ loss, parameters });
      return [];
    },
    move: () => [],
    scheduled: () => constant(1),
  };
  const step = clustering.steps.joint!(batch);
  const given = new Map<Node, Value>([[x, { shape: [12, 4], data: Float64Array.from(rows.data) }]]);
  const at = (node: Node): number[] => [...evaluate([node], given, 12)[0]!.data];
  const W = step.updates[0]![0];
  const largest = (loss: Node, targets: readonly Variable[]): number =>
    Math.max(...gradient(loss, targets).flatMap((slope) => at(slope).map(Math.abs)));

  it("the network learns reconstruction and λ times the clustering loss, while W is held", () => {
    expect(learned).toHaveLength(1);
    const { loss, parameters } = learned[0]!;
    expect(parameters).toEqual(network.parameters);
    const { clustering: pull, reconstruction } = step.terms as Record<string, Node>;
    expect(at(loss)[0]).toBeCloseTo(at(reconstruction!)[0]! + 0.1 * at(pull!)[0]!, 7);
    expect(largest(loss, [W])).toBe(0);
    // Both parts pull at the encoder, and only reconstruction at the decoder.
    const [encoder, decoder] = ["encoder.0.weight", "decoder.0.weight"].map(
      (name) => network.parameters.find(({ attributes }) => attributes.name === name)!,
    ) as [Variable, Variable];
    const slopes = (target: Variable, of: Node): number[] => at(gradient(of, [target])[0]!);
    expect(slopes(decoder, loss)).toEqual(slopes(decoder, reconstruction!));
    expect(slopes(encoder, loss)).not.toEqual(slopes(encoder, reconstruction!));
  });

  it("centers move by the clustering loss, while the network is held", () => {
    expect(largest(step.terms!.clustering!, network.parameters)).toBe(0);
    expect(largest(step.terms!.clustering!, [W])).toBeGreaterThan(0.01);
    expect(at(step.loss)).toEqual(at(step.terms!.clustering!));
  });

  it("a center is shown with the length that codes have had of late", () => {
    const [length, next] = step.updates.find(([{ attributes }]) => attributes.name === "length")!;
    const codes = at(step.z);
    const mean = Array.from({ length: 12 }, (_, i) => Math.hypot(codes[2 * i]!, codes[2 * i + 1]!) / 12);
    expectClose(at(next), [0.99 + 0.01 * mean.reduce((a, b) => a + b, 0)], 1e-7);
    const shown = clustering.exemplar!(matrix([3, 4], [0, 0.5]));
    const [drawn] = evaluate([shown], new Map([[length as Node, { shape: [], data: Float64Array.of(2.5) }]]), 2);
    expectClose(drawn!.data, [1.5, 2, 0, 2.5], 1e-7);
  });
});
