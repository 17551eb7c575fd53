import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node } from "../../src/graph/node.ts";
import { dec, idec, sharpened, studentAssignment } from "../../src/methods/dec.ts";
import { trainingPass } from "../../src/nn/layers.ts";
import { sgd } from "../../src/nn/optimizers.ts";
import type { BatchFormulas } from "../../src/training/method.ts";
import { formulate, plan } from "../../src/training/plan.ts";
import { Restart } from "../../src/training/restart.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { matrix, numbers } from "../support/matrix.ts";
import { evaluate, type Value } from "../support/oracle.ts";

describe("by hand,", () => {
  it("q is 1/(1 + distance²), in parts that sum to one", () => {
    // 1 and ½; ¼ and ½.
    expectClose(numbers(studentAssignment(matrix([0, 1], [3, 1]))), [2 / 3, 1 / 3, 1 / 3, 2 / 3], 1e-12);
  });

  it("p is q² by the cluster's frequency, in parts that sum to one: sharper, and small clusters gain", () => {
    // f = (1.4, 0.6): 0.25/1.4 against 0.25/0.6, and 0.81/1.4 against 0.01/0.6.
    expectClose(numbers(sharpened(matrix([0.5, 0.5], [0.9, 0.1]))), [0.3, 0.7, 0.972, 0.028], 1e-7);
  });
});

const eta = 0.5;
const batch = (x: Node): BatchFormulas & { rows: Node } => ({
  x,
  rows: input("rows", ["n"], "int32"),
  label: input("label", ["n"]),
  pass: trainingPass(),
  learn: (loss, parameters) => sgd()(parameters, gradient(loss, parameters), constant(eta)),
  move: () => [],
  scheduled: () => constant(0),
});

describe("a step, by hand:", () => {
  // Codes 0 and 2 in one dimension, centers 0 and 1: squared distances (0, 1) and (4, 1), so that q is (2/3, 1/3) and
  // (2/7, 5/7).
  const x = input("x", ["n", 1]);
  const formulas = batch(x);
  const options = { network: "none", gamma: 0.1 };
  const { clustering } = formulate(plan(dec, toData([[0], [2], [5]]), { clusters: 2, options }), 0);
  const step = clustering.steps.joint!(formulas);
  const [q, p] = [
    [
      [2 / 3, 1 / 3],
      [2 / 7, 5 / 7],
    ],
    [
      [0.8, 0.2],
      [0.1, 0.9],
    ],
  ] as const;
  const given = new Map<Node, Value>([
    [x, { shape: [2, 1], data: Float64Array.of(0, 2) }],
    // The batch has the rows 2 and 0 of the data, in this order.
    [formulas.rows, { shape: [2], data: Float64Array.of(2, 0) }],
    [clustering.perRow!.variable, { shape: [3, 2], data: Float64Array.of(...p[1], 0.5, 0.5, ...p[0]) }],
    [clustering.centers, { shape: [2, 1], data: Float64Array.of(0, 1) }],
  ]);

  it("the loss is γ times the divergence of q from each row's own target, the mean over rows", () => {
    const divergence = p.flat().reduce((sum, value, i) => sum + value * Math.log(value / q.flat()[i]!), 0) / 2;
    expectClose(evaluate([step.loss], given, 2)[0]!.data, [0.1 * divergence], 1e-8);
  });

  it("centers move by 2 Σ (1 + distance²)⁻¹ (p − q)(z − μ), the paper's gradient", () => {
    const [first, second] = [
      // Code 0 is at the first center; code 2 is 2 away.
      2 * ((1 / 5) * (0.1 - 2 / 7) * 2),
      2 * ((1 / 2) * (0.2 - 1 / 3) * -1 + (1 / 2) * (0.9 - 5 / 7) * 1),
    ];
    const [next] = evaluate([step.updates[0]![1]], given, 2);
    expectClose(next!.data, [0 + (eta * 0.1 * first) / 2, 1 + (eta * 0.1 * second) / 2], 1e-8);
  });

  it("a stream pulls centers towards its rows by their soft assignment", () => {
    const { updates, loss } = clustering.follow(matrix([0], [2]), constant(1));
    // Squared distances (0, 1) and (4, 1), q = (⅔, ⅓) and (²⁄₇, ⁵⁄₇), held while the centers move.
    expectClose(evaluate([loss], given, 2)[0]!.data, [(1 / 3 + 8 / 7 + 5 / 7) / 2], 1e-6);
    expectClose(evaluate([updates[0]![1]], given, 2)[0]!.data, [4 / 7, 1 - (2 / 3 - 10 / 7) / 2], 1e-6);
  });

  it("a single row that arrives moves them too", () => {
    const { updates } = clustering.follow(matrix([2]), constant(1));
    const [next] = evaluate([updates[0]![1]], given, 1);
    expect(next!.data[1]).toBeGreaterThan(1);
  });
});

describe("with a network,", () => {
  const { rows } = blobs(12);
  const options = { hidden: [4], latent: 2, batch: 12 };

  it("IDEC adds reconstruction, DEC leaves its decoder behind", () => {
    const x = input("x", ["n", 4]);
    const steps = [dec, idec].map((method) => {
      const { network, clustering } = formulate(plan(method, toData(rows), { clusters: 3, options }), 0);
      const formulas = batch(x);
      const step = clustering.steps.joint!(formulas);
      const given = new Map<Node, Value>([
        [x, { shape: [12, 4], data: Float64Array.from(rows.data) }],
        [formulas.rows, { shape: [12], data: Float64Array.from({ length: 12 }, (_, i) => i) }],
      ]);
      const decoder = network.parameters.find(({ attributes }) => attributes.name === "decoder.0.weight")!;
      const [slope] = evaluate(gradient(step.loss, [decoder]), given, 12);
      return { clustering, step, given, moves: slope!.data.some((value) => value !== 0) };
    });
    expect(steps.map(({ moves }) => moves)).toEqual([false, true]);
    expect(steps.map(({ clustering }) => clustering.decoderIsStale)).toEqual([true, false]);
    const { step, given } = steps[1]!;
    const { clustering, reconstruction } = step.terms as Record<string, Node>;
    const [loss, pull, rest] = evaluate([step.loss, clustering!, reconstruction!], given, 12).map(
      ({ data }) => data[0]!,
    );
    expect(loss).toBeCloseTo(rest! + 0.1 * pull!, 8);
  });

  it("targets are sharpened over all rows, renewed when the option says, and kept between", async () => {
    const device = await findDevice(devices, "cpu");
    const data = toData(rows);
    const job = plan(dec, data, { clusters: 3, options: { ...options, batch: 5, renewEvery: 2, rate: 0.01 } });
    const restart = new Restart(job, 0, data, device);
    await restart.begin();
    const targets = async () => [...(await restart.save()).get("targets")!.data].map(Number);
    const expected = async () => {
      const [codes, centers] = [(await restart.codes(12)).data, (await restart.centers()).data];
      const squared = Array.from({ length: 12 }, (_, i) =>
        [0, 1, 2].map((j) => (codes[2 * i]! - centers[2 * j]!) ** 2 + (codes[2 * i + 1]! - centers[2 * j + 1]!) ** 2),
      );
      return numbers(sharpened(studentAssignment(matrix(...squared))));
    };
    const first = await expected();
    await restart.cluster(0);
    expectClose(await targets(), first, 1e-5);
    await restart.cluster(1);
    expectClose(await targets(), first, 1e-5);
    const third = await expected();
    await restart.cluster(2);
    expectClose(await targets(), third, 1e-5);
    expect(Math.max(...third.map((value, i) => Math.abs(value - first[i]!)))).toBeGreaterThan(1e-3);
    await restart.close();
  });
});
