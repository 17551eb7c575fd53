import { fromBinary } from "@bufbuild/protobuf";
import { ModelProtoSchema } from "onnx-buf";
import { describe, expect, test } from "vitest";
import { devices } from "../../src/doors/inside.ts";
import { broadcast } from "../../src/graph/arrange.ts";
import { add, multiply, stopGradient } from "../../src/graph/elementwise.ts";
import { constant, input, type Node, variable } from "../../src/graph/node.ts";
import { compile } from "../../src/runtime/compile.ts";
import { type Device, findDevice } from "../../src/runtime/device.ts";
import { type Program, program } from "../../src/runtime/program.ts";
import { Session, type Values } from "../../src/runtime/session.ts";
import { fromNumbers, type Tensor, toNumbers } from "../../src/tensor/tensor.ts";

const vector = (...values: number[]): Tensor => fromNumbers("float32", [values.length], values);
const scalar = (value: number): Tensor => fromNumbers("float32", [], [value]);
const numbers = (values: Values): Record<string, number[]> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toNumbers(value)]));

/** What needs no operation at all: it can be an output, and the next value of a variable, as it is. */
const v = variable("v", vector(1, 2));
const s = variable("s", scalar(3));
const x = input("x", ["n", 2]);
const rate = input("rate", []);
const flag = input("flag", ["n"], "bool");
const index = input("index", ["n"], "int64");
const long = Array.from({ length: 100 }, (_, i) => i / 2);

const places: Record<string, () => Promise<Device>> = {
  cpu: () => findDevice(devices, "cpu"),
  wasm: () => findDevice(devices, "wasm"),
  "cpu, written for a GPU": async () => ({ ...(await findDevice(devices, "cpu")), target: "gpu" }),
};

describe.each(Object.keys(places))("on %s", (place) => {
  const open = async (p: Program, stepsPerRun = 1) => Session.open(p, await places[place]!(), { stepsPerRun });

  test("variables, inputs and constants are outputs by themselves, to the bit", async () => {
    const session = await open(
      program({
        outputs: {
          kept: v,
          keptScalar: s,
          fed: x,
          fedScalar: rate,
          fedFlag: flag,
          fedIndex: index,
          fixed: constant(vector(5, 6)),
          fixedScalar: constant(7),
          fixedLong: constant(vector(...long)),
          stretched: broadcast(v, ["n", 2]),
          stopped: stopGradient(v),
        },
      }),
    );
    const outputs = await session.run({
      x: fromNumbers("float32", [2, 2], [-0, 1, 2, Number.NaN]),
      rate: scalar(0.5),
      flag: fromNumbers("bool", [2], [1, 0]),
      index: fromNumbers("int64", [2], [8, 9]),
    });
    expect(numbers(outputs)).toEqual({
      kept: [1, 2],
      keptScalar: [3],
      fed: [-0, 1, 2, Number.NaN],
      fedScalar: [0.5],
      fedFlag: [1, 0],
      fedIndex: [8, 9],
      fixed: [5, 6],
      fixedScalar: [7],
      fixedLong: long,
      stretched: [1, 2, 1, 2],
      stopped: [1, 2],
    });
    expect([outputs.fedFlag!.dtype, outputs.fedIndex!.dtype]).toEqual(["bool", "int64"]);
  });

  test("a program of constants alone needs nothing and gives them", async () => {
    const session = await open(program({ outputs: { one: constant(1), two: constant(vector(2, 2)) } }));
    expect(numbers(await session.run())).toEqual({ one: [1], two: [2, 2] });
  });

  test("one node may leave under two names, computed or not", async () => {
    const sum = add(x, v);
    const half = multiply(s, 0.5);
    const twice = (name: string, node: Node) => ({ [`${name}1`]: node, [`${name}2`]: node });
    const session = await open(
      program({
        outputs: { ...twice("x", x), ...twice("v", v), ...twice("s", s), ...twice("sum", sum), ...twice("half", half) },
      }),
    );
    const outputs = numbers(await session.run({ x: fromNumbers("float32", [1, 2], [10, 20]) }));
    for (const name of ["x", "v", "s", "sum", "half"]) expect(outputs[`${name}1`]).toEqual(outputs[`${name}2`]);
    expect([outputs.sum1, outputs.half1]).toEqual([[11, 22], [1.5]]);
  });

  describe.each([1, 4])("with %i steps in a run", (stepsPerRun) => {
    const steps = Array.from({ length: 9 }, (_, step) => step);

    test("an updated variable leaves with the value before the update, and again after it", async () => {
      const [nextV, nextS] = [add(v, 1), multiply(s, 2)];
      const counting = program({
        outputs: { before: v, again: v, after: nextV, beforeScalar: s, afterScalar: nextS },
        updates: [
          [v, nextV],
          [s, nextS],
        ],
      });
      const session = await open(counting, stepsPerRun);
      const outputs = await session.runMany(steps.map(() => ({})));
      expect(outputs.map(numbers)).toEqual(
        steps.map((step) => ({
          before: [1 + step, 2 + step],
          again: [1 + step, 2 + step],
          after: [2 + step, 3 + step],
          beforeScalar: [3 * 2 ** step],
          afterScalar: [3 * 2 ** (step + 1)],
        })),
      );
      expect(toNumbers(await session.state.read("v"))).toEqual([10, 11]);
    });

    test("what left does not change when the state does", async () => {
      const session = await open(program({ outputs: { before: v }, updates: [[v, multiply(v, 10)]] }), stepsPerRun);
      const first = await session.runMany(steps.slice(0, 4).map(() => ({})));
      const seen = first.map(numbers);
      await session.runMany(steps.slice(0, 4).map(() => ({})));
      expect(first.map(numbers)).toEqual(seen);
      expect(seen[3]).toEqual({ before: [1000, 2000] });
    });

    test("a variable can become an input, a constant, another variable, or stay", async () => {
      const fed = variable("a", scalar(0));
      const fixed = variable("b", scalar(1));
      const moved = variable("c", scalar(2));
      const kept = variable("d", scalar(3));
      const moving = program({
        outputs: { fed, fixed, moved, kept, given: rate },
        updates: [
          [fed, rate],
          [fixed, constant(7)],
          [moved, fed],
          [kept, kept],
        ],
      });
      const session = await open(moving, stepsPerRun);
      const outputs = await session.runMany(steps.map((step) => ({ rate: scalar(step) })));
      expect(outputs.map(numbers)).toEqual(
        steps.map((step) => ({
          fed: [[0][step] ?? step - 1],
          fixed: [[1][step] ?? 7],
          moved: [[2, 0][step] ?? step - 2],
          kept: [3],
          given: [step],
        })),
      );
    });
  });
});

describe("exported with its weights", () => {
  const passing = program({ outputs: { fed: x, kept: v, again: v, fixed: constant(vector(5, 6)), sum: add(x, v) } });
  const bytes = compile(passing, { weights: new Map([["v", vector(3, 4)]]) });

  test("every name is made once, before it is used, and every output is there", () => {
    const { graph } = fromBinary(ModelProtoSchema, bytes);
    const known = new Set([...graph!.input, ...graph!.initializer].map(({ name }) => name));
    for (const node of graph!.node) {
      for (const name of node.input) expect(known).toContain(name);
      for (const name of node.output) {
        expect(known).not.toContain(name);
        known.add(name);
      }
    }
    const made = new Set(graph!.node.flatMap(({ output }) => output));
    expect(graph!.output.map(({ name }) => name)).toEqual(["fed", "kept", "again", "fixed", "sum"]);
    for (const { name } of graph!.output) expect(made).toContain(name);
  });

  test.each(["cpu", "wasm"] as const)("it opens and runs on %s", async (name) => {
    const { runtime, options } = await findDevice(devices, name);
    const model = await runtime.InferenceSession.create(bytes, options);
    const results = await model.run({ x: new runtime.Tensor("float32", Float32Array.of(1, -0), [1, 2]) });
    const values = Object.fromEntries(
      Object.entries(results).map(([key, { data }]) => [key, [...(data as Float32Array)]]),
    );
    expect(values).toEqual({ fed: [1, -0], kept: [3, 4], again: [3, 4], fixed: [5, 6], sum: [4, 4] });
  });
});
