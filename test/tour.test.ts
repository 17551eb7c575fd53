/** A tour of the engine, to be read from the top. */

import { expect, test } from "vitest";
import {
  activations,
  adam,
  add,
  compile,
  dense,
  describe,
  filled,
  fromNumbers,
  gradient,
  inference,
  input,
  matmul,
  meanSquaredError,
  multiply,
  program,
  Random,
  Session,
  sequence,
  softmax,
  sum,
  toNumbers,
  trainingPass,
  variable,
} from "../src/doors/engine.ts";
import { devices, findDevice, tensor } from "../src/doors/inside.ts";

const device = await findDevice(devices);

test("a tensor is a shape over a typed array", () => {
  const t = fromNumbers("float32", [2, 3], [1, 2, 3, 4, 5, 6]);
  expect(t.shape).toEqual([2, 3]);
  expect(t.data).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
});

test("a random stream is seeded, and its position is a number", () => {
  const random = Random.seeded(1);
  random.uniforms(10);
  expect(random.state).toEqual({ seed: 1, stream: 0, position: 10 });
  expect(Random.restore(random.state).uniform()).toBe(random.uniform());
});

test("a formula knows its shape when it is written; n is the number of rows", () => {
  const x = input("x", ["n", 784]);
  const W = variable("W", filled("float32", [784, 10], 0));
  expect(softmax(matmul(x, W)).shape).toEqual(["n", 10]);
  expect(() => matmul(x, x)).toThrow("matmul: inner sizes differ, got [n,784] and [n,784]");
});

test("a gradient is more formula", () => {
  const x = input("x", []);
  const [slope] = gradient(multiply(x, multiply(x, x)), [x]);
  expect(describe(slope!)).toBe(`a = multiply(x, x) []
b = multiply(1, a) []
c = multiply(1, x) []
d = multiply(c, 2) []
e = multiply(d, x) []
f = add(b, e) []`);
});

test("a program is outputs and updates; a session runs it on a device, for any number of rows", async () => {
  const x = input("x", ["n"]);
  const session = await Session.open(program({ outputs: { total: sum(x) } }), device);
  expect((await session.run({ x: fromNumbers("float32", [3], [1, 2, 3]) })).total!.data[0]).toBe(6);
  expect((await session.run({ x: fromNumbers("float32", [1], [5]) })).total!.data[0]).toBe(5);
});

test("a variable is kept from run to run, and read when asked for", async () => {
  const count = variable("count", filled("float32", [], 0));
  const session = await Session.open(program({ outputs: {}, updates: [[count, add(count, 1)]] }), device);
  await session.runMany(Array(20).fill({}));
  expect((await session.state.read("count")).data[0]).toBe(20);
});

test("layers, a loss and an optimizer are formulas too, so a training step is one program", async () => {
  const random = Random.seeded(1);
  const network = sequence([dense("hidden", 2, 16, random), activations.tanh, dense("out", 16, 1, random)]);
  const [x, y] = [input("x", ["n", 2]), input("y", ["n", 1])];
  const loss = meanSquaredError(network.apply(x, trainingPass()), y);
  const gradients = gradient(loss, network.parameters);
  const step = program({ outputs: { loss }, updates: adam()(network.parameters, gradients, input("rate", [])) });

  // Exclusive or: 1 where exactly one of the two is 1.
  const batch = {
    x: fromNumbers("float32", [4, 2], [0, 0, 0, 1, 1, 0, 1, 1]),
    y: fromNumbers("float32", [4, 1], [0, 1, 1, 0]),
    rate: filled("float32", [], 0.05),
  };
  const training = await Session.open(step, device);
  const losses = await training.runMany(Array(300).fill(batch));
  expect(losses.at(-1)!.loss!.data[0]).toBeLessThan(1e-3);

  // Another program on the same state uses what was learned.
  const using = program({ outputs: { answer: network.apply(x, inference) } });
  const session = await Session.open(using, device, { state: training.state });
  const { answer } = await session.run({ x: batch.x });
  expect(toNumbers(answer!).map((value) => value.toFixed(0).replace("-", ""))).toEqual(["0", "1", "1", "0"]);

  // With its weights fixed, it is a standard ONNX model that needs nothing of ours.
  const bytes = compile(using, { weights: await training.state.save() });
  const model = await device.runtime.InferenceSession.create(bytes);
  const result = await model.run({ x: new device.runtime.Tensor("float32", Float32Array.of(1, 0), [1, 2]) });
  expect(Math.round((result.answer!.data as Float32Array)[0]!)).toBe(1);
});

test("shapes are checked when data is fed, too", async () => {
  const x = input("x", ["n", 2]);
  const session = await Session.open(program({ outputs: { total: sum(x) } }), device);
  await expect(session.run({ x: tensor("float32", [1, 3], new Float32Array(3)) })).rejects.toThrow(
    "run: the input x must be float32 [n,2], got float32 [1,3]",
  );
});
