import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node, type Variable } from "../../src/graph/node.ts";
import { dcn } from "../../src/methods/dcn.ts";
import { trainingPass } from "../../src/nn/layers.ts";
import { sgd } from "../../src/nn/optimizers.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import type { BatchFormulas } from "../../src/training/method.ts";
import { formulate, plan } from "../../src/training/plan.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { expectGradients } from "../support/differences.ts";
import { evaluate, type Value } from "../support/oracle.ts";

const eta = 0.5;
const batch = (x: Node): BatchFormulas => ({
  x,
  rows: input("rows", ["n"], "int32"),
  label: input("label", ["n"]),
  pass: trainingPass(),
  learn: (loss, parameters) =>
    parameters.length === 0 ? [] : sgd()(parameters, gradient(loss, parameters), constant(eta)),
  move: () => [],
  scheduled: () => constant(0),
});

describe("a step without a network, by hand:", () => {
  // Rows 1 and 2 are nearest to the center 0, row 12 to 10, none to −30. Each center has had 3 rows before.
  const rows = [[1], [2], [12]];
  const x = input("x", ["n", 1]);
  const options = { network: "none", lambda: 0.5, counted: 3 };
  const { clustering } = formulate(plan(dcn, toData(rows), { clusters: 3, options }), 0);
  const step = clustering.steps.joint!(batch(x));
  const given = new Map<Node, Value>([
    [x, { shape: [3, 1], data: Float64Array.from(rows.flat()) }],
    [clustering.centers, { shape: [3, 1], data: Float64Array.of(0, 10, -30) }],
  ]);
  const updated = (name: string): number[] => {
    const [, next] = step.updates.find(([{ attributes }]) => attributes.name === name)!;
    return [...evaluate([next], given, 3)[0]!.data];
  };

  it("centers are running means of the codes they get; without codes they stay", () => {
    // (3·0 + 1 + 2)/5, (3·10 + 12)/4
    expectClose(updated("centers"), [0.6, 10.5, -30], 1e-12);
    expectClose(updated("centers.counts"), [5, 4, 3], 1e-12);
  });

  it("the loss is reconstruction and λ times the mean squared distance to the own center", () => {
    // Rows are their own reconstruction; (1 + 4 + 4)/3.
    expectClose(evaluate([step.loss], given, 3)[0]!.data, [0.5 * 3], 1e-12);
  });

  it("a stream moves centers by a step of gradient descent", () => {
    const { updates, loss } = clustering.follow(constant(fromNumbers("float32", [3, 1], rows.flat())), constant(0.5));
    // −∂L/∂M = (2/3) Σ (h − M) = (2/3)·3, (2/3)·2 and 0.
    expectClose(evaluate([updates[0]![1]], given, 3)[0]!.data, [1, 10 + 2 / 3, -30], 1e-7);
    expectClose(evaluate([loss], given, 3)[0]!.data, [3], 1e-12);
  });
});

describe("with a network,", () => {
  const { rows } = blobs(8, { deviation: 0.2 });
  const x = input("x", ["n", 4]);
  const options = { hidden: [3], activation: "tanh", latent: 2, output: "linear" };
  const { network, clustering } = formulate(plan(dcn, toData(rows), { clusters: 3, options }), 0);
  const step = clustering.steps.joint!(batch(x));
  const given = new Map<Node, Value>([[x, { shape: [8, 4], data: Float64Array.from(rows.data) }]]);
  for (const parameter of network.parameters) given.set(parameter, evaluate([parameter], new Map(), 8)[0]!);

  it("the network moves against the gradient of the whole loss, with centers and assignments held", () => {
    expectGradients(step.loss, network.parameters, given, 8, { most: 4 });
    const slopes = evaluate(gradient(step.loss, network.parameters), given, 8);
    network.parameters.forEach((parameter, t) => {
      const next = step.updates.find(([target]) => target === parameter)![1];
      const expected = given.get(parameter)!.data.map((value, i) => value - eta * slopes[t]!.data[i]!);
      expectClose(evaluate([next], given, 8)[0]!.data, expected, 1e-12);
    });
  });

  it("centers follow the codes before the network's step, and no gradient", () => {
    const [none] = evaluate(gradient(step.loss, [clustering.centers as Variable]), given, 8);
    expect([...none!.data].every((slope) => slope === 0)).toBe(true);
    const [codes, before] = evaluate([step.z, clustering.centers], given, 8).map(({ data }) => data);
    const [after] = evaluate([step.updates.find(([target]) => target === clustering.centers)![1]], given, 8);
    // One code after the other, as the paper writes it: each takes its center 1/count of the way.
    const [expected, counts] = [Float64Array.from(before!), [100, 100, 100]];
    for (let i = 0; i < 8; i++) {
      const far = [0, 1, 2].map((j) =>
        Math.hypot(codes![2 * i]! - before![2 * j]!, codes![2 * i + 1]! - before![2 * j + 1]!),
      );
      const own = far.indexOf(Math.min(...far));
      counts[own]! += 1;
      for (let c = 0; c < 2; c++)
        expected[2 * own + c]! += (codes![2 * i + c]! - expected[2 * own + c]!) / counts[own]!;
    }
    expectClose(after!.data, expected, 1e-12);
    expect([...expected]).not.toEqual([...before!]);
  });
});
