import { describe, expect, test } from "vitest";
import { devices } from "../../src/doors/inside.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { input, type Variable, variable } from "../../src/graph/node.ts";
import { activations, dense, sequence, trainingPass } from "../../src/nn/layers.ts";
import { meanSquaredError } from "../../src/nn/losses.ts";
import { adam, type Optimizer, optimizers } from "../../src/nn/optimizers.ts";
import { findDevice } from "../../src/runtime/device.ts";
import { type Program, program } from "../../src/runtime/program.ts";
import { Session } from "../../src/runtime/session.ts";
import { Random } from "../../src/tensor/random.ts";
import { filled } from "../../src/tensor/tensor.ts";
import { losses } from "../support/training.ts";
import { expectNumbers, expectRecorded, type RecordedAll, readFixture, toState, toTensors } from "./recorded.ts";

interface OptimizerRecord {
  readonly title: string;
  readonly optimizer: keyof typeof optimizers;
  readonly options: { momentum?: number; weightDecay?: number };
  readonly rates: readonly number[];
  readonly losses: readonly number[];
  readonly afterFirst: RecordedAll;
  readonly final: RecordedAll;
}

const { initial, batches, cases } = readFixture<{
  initial: RecordedAll;
  batches: RecordedAll[];
  cases: OptimizerRecord[];
}>("optimizers.json");
const device = await findDevice(devices, "cpu");

/** A step of a 5-4-3 network. */
function step(optimizer: Optimizer): Program {
  const random = Random.seeded(1);
  const [x, target, rate] = [input("x", ["n", 5]), input("target", ["n", 3]), input("rate", [])];
  const network = sequence([dense("first", 5, 4, random), activations.tanh, dense("second", 4, 3, random)]);
  const loss = meanSquaredError(network.apply(x, trainingPass()), target);
  const updates = optimizer(network.parameters, gradient(loss, network.parameters), rate);
  return program({ outputs: { loss }, updates });
}

describe.each([
  ["together", Number.POSITIVE_INFINITY],
  ["one by one", 0],
])("twenty steps go as in PyTorch, with the parameters updated %s:", (_way, together) => {
  test.each(cases)("$title", async (record) => {
    const session = await Session.open(step(optimizers[record.optimizer]({ ...record.options, together })), device);
    await session.state.load(toState(initial));
    const steps = record.rates.map((rate, i) => ({ ...toTensors(batches[i]!), rate: filled("float32", [], rate) }));

    const first = await session.run(steps[0]);
    expectRecorded(await session.state.save(), record.afterFirst);
    const others = await session.runMany(steps.slice(1));
    expectNumbers("the loss of each step", losses([first, ...others]), record.losses);
    expectRecorded(await session.state.save(), record.final);
    await session.close();
  });
});

test.each(Object.entries(optimizers))(
  "%s wants one gradient of the right shape for each parameter",
  (name, optimizer) => {
    const [a, b] = ["a", "b"].map((id) => variable(id, filled("float32", [2], 0))) as [Variable, Variable];
    const rate = input("rate", []);
    expect(() => optimizer()([a, b], [a], rate)).toThrow(`${name}: needs a gradient for each of 2 parameters, got 1`);
    const wide = input("wide", [3]);
    expect(() => optimizer()([a, b], [a, wide], rate)).toThrow(`${name}: b is [2], and its gradient [3]`);
  },
);

test("the memory of other parameters is never found by mistake", () => {
  const [a, b, c] = ["a", "b", "c"].map((id) => variable(id, filled("float32", [2], 0))) as [
    Variable,
    Variable,
    Variable,
  ];
  const memory = (parameters: Variable[]) =>
    adam()(parameters, parameters, input("rate", []))
      .map(([{ attributes }]) => attributes.name)
      .filter((id) => id.includes("/"));
  expect(memory([a, b])).toHaveLength(4);
  expect(memory([a, b]).filter((id) => memory([a, c]).includes(id))).toEqual([]);
});
