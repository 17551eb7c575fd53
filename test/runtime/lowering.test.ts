import { fromBinary } from "@bufbuild/protobuf";
import { ModelProtoSchema } from "onnx-buf";
import { describe, expect, test } from "vitest";
import { devices } from "../../src/doors/inside.ts";
import { broadcast } from "../../src/graph/arrange.ts";
import { cast, multiply, power } from "../../src/graph/elementwise.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { input, type Node, variable } from "../../src/graph/node.ts";
import { type Primitive, primitives } from "../../src/graph/primitives.ts";
import { logSumExp, softmax, sum } from "../../src/graph/reduce.ts";
import { broadcastShapes, type Shape } from "../../src/graph/size.ts";
import { compile } from "../../src/runtime/compile.ts";
import { type Device, findDevice } from "../../src/runtime/device.ts";
import { program } from "../../src/runtime/program.ts";
import { Session } from "../../src/runtime/session.ts";
import { fromNumbers, isFloat, tensor, toNumbers } from "../../src/tensor/tensor.ts";
import { expectClose } from "../support/close.ts";
import { differentiable, type Example, examples, pose, toTensor } from "../support/examples.ts";
import { evaluate, type Value } from "../support/oracle.ts";
import { smallConvolutional, trainingStep } from "../support/training.ts";

/** Programs are written for a processor or for a GPU; either way they run anywhere, so each way is checked here. */
const places: Record<string, () => Promise<Device>> = {
  cpu: () => findDevice(devices, "cpu"),
  wasm: () => findDevice(devices, "wasm"),
  "cpu, written for a GPU": async () => ({ ...(await findDevice(devices, "cpu")), target: "gpu" }),
};

describe.each(Object.keys(places))("on %s", (place) => {
  test.each(Object.entries(examples))("%s and its gradient give what the oracle gives", async (op, cases) => {
    const device = await places[place]!();
    for (const example of cases as Example[]) {
      const { nodes, values, result } = pose(example, 2);
      // The gradient with its own argument in it, so that dy is not all ones.
      const smooth = op in differentiable ? gradient(sum(multiplyByItself(result)), nodes) : [];
      const outputs = Object.fromEntries([result, ...smooth].map((node, i) => [`y${i}`, node]));
      const session = await Session.open(program({ outputs }), device);
      // One compiled program serves any number of rows.
      for (const n of [2, 5, 1]) {
        const { nodes: _, values: fresh } = pose(example, n);
        const leaves = new Map(nodes.map((node, i) => [node, [...fresh.values()][i]!] as const));
        const needed = session.program.inputs;
        const got = await session.run(
          Object.fromEntries(needed.map((node) => [node.attributes.name, toTensor(leaves.get(node as Node)!)])),
        );
        const expected = evaluate(Object.values(outputs), leaves, n);
        expected.forEach(({ shape, data }, i) => {
          expect(got[`y${i}`]!.shape, `${op}, output ${i}`).toEqual(shape);
          expectClose(toNumbers(got[`y${i}`]!), [...data], 1e-5);
        });
      }
      await session.close();
      expect(values.size).toBe(nodes.length);
    }
  });
});

test.each(Object.keys(places))("softmax and logSumExp do not overflow on %s", async (place) => {
  const x = input("x", ["n", 3]);
  const outputs = { p: softmax(x), total: logSumExp(x, { axes: [1] }) };
  const session = await Session.open(program({ outputs }), await places[place]!());
  const { p, total } = await session.run({ x: fromNumbers("float32", [2, 3], [1000, 999, -1000, -500, -500, -500]) });
  const first = 1 / (1 + Math.exp(-1));
  expectClose(toNumbers(p!), [first, 1 - first, 0, 1 / 3, 1 / 3, 1 / 3], 1e-6);
  expectClose(toNumbers(total!), [1000 + Math.log1p(Math.exp(-1)), -500 + Math.log(3)], 1e-6);
});

test.each(Object.keys(places))("the slopes of powers of zero are numbers on %s", async (place) => {
  const [a, b] = [input("a", ["n"]), input("b", ["n"])];
  const [da, db] = gradient(sum(power(a, b)), [a, b]) as [Node, Node];
  const session = await Session.open(program({ outputs: { da, db } }), await places[place]!());
  const slopes = await session.run({
    a: fromNumbers("float32", [4], [0, 0, 0, 3]),
    b: fromNumbers("float32", [4], [0, 1, 2, 0]),
  });
  expect(toNumbers(slopes.da!)).toEqual([0, 1, 0, 0]);
  expectClose(toNumbers(slopes.db!), [0, 0, 0, Math.log(3)], 1e-6);
});

describe("an elementwise operation works on operands before they are stretched, and its result is stretched", () => {
  const elementwise = Object.entries(examples).filter(([op]) => primitives[op as Primitive].isElementwise);

  test.each(elementwise)("%s", async (_op, cases) => {
    for (const example of cases as Example[]) {
      const wide: Shape = [3, ...example.shapes.reduce((a, b) => broadcastShapes("example", a, b))];
      const apply: Example["apply"] = (...operands) =>
        example.apply(...(operands.map((x) => broadcast(x, wide)) as [Node, Node, Node]));
      const { nodes, values, result, n } = pose({ ...example, apply }, 2);
      const stretched = program({ outputs: { y: result } });
      const { graph } = fromBinary(ModelProtoSchema, compile(stretched));
      expect(graph!.node.filter(({ opType }) => opType === "Expand")).toHaveLength(1);
      const session = await Session.open(stretched, await findDevice(devices, "cpu"));
      const feeds = nodes.map((node, i) => [`x${i}`, toTensor(values.get(node)!)] as const);
      const { y } = await session.run(Object.fromEntries(feeds));
      const [expected] = evaluate([result], values, n) as [Value];
      expect(y!.shape).toEqual(expected.shape);
      expectClose(toNumbers(y!), [...expected.data], 1e-5);
      await session.close();
    }
  });
});

test("a training step stretches nothing: elementwise operations do it by themselves", () => {
  const bytes = compile(trainingStep(smallConvolutional(1)));
  const { graph } = fromBinary(ModelProtoSchema, bytes);
  expect(graph!.node.length).toBeGreaterThan(300);
  expect(graph!.node.filter(({ opType }) => opType === "Expand")).toHaveLength(0);
});

test("float64 programs run where the runtime has the operation", async () => {
  const x = input("x", ["n", 2], "float64");
  const session = await Session.open(
    program({ outputs: { y: sum(multiplyByItself(x)) } }),
    await findDevice(devices, "cpu"),
  );
  const { y } = await session.run({ x: toTensor({ shape: [1, 2], data: Float64Array.of(1e-9, 1) }, "float64") });
  expect(y!.data[0]).toBe(1 + 1e-18);
  expect(y!.dtype).toBe("float64");
});

describe("weights that are fixed into a program", () => {
  const W = variable("W", tensor("float32", [2], Float32Array.of(1, 2)));
  const standing = program({ outputs: { y: multiply(input("x", ["n", 2]), W) } });

  test("let it stand alone", async () => {
    const device = await findDevice(devices, "cpu");
    const bytes = compile(standing, { weights: new Map([["W", tensor("float32", [2], Float32Array.of(3, 4))]]) });
    const model = await device.runtime.InferenceSession.create(bytes, device.options);
    expect(model.inputNames).toEqual(["x"]);
    const { y } = await model.run({ x: new device.runtime.Tensor("float32", Float32Array.of(1, 10), [1, 2]) });
    expect([...(y!.data as Float32Array)]).toEqual([3, 40]);
  });

  test("must be there and fit", () => {
    const fix = (name: string, size: number) => () =>
      compile(standing, { weights: new Map([[name, tensor("float32", [size], new Float32Array(size))]]) });
    expect(fix("V", 2)).toThrow("compile: the weights have no W, which the program needs");
    expect(fix("W", 3)).toThrow("compile: W is float32 [2], and was given float32 [3]");
  });
});

function multiplyByItself(y: Node): Node {
  const float = isFloat(y.dtype) ? y : cast(y, "float32");
  return multiply(float, float);
}
