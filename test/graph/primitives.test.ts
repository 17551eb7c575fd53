import { describe, expect, expectTypeOf, test } from "vitest";
import { gradient } from "../../src/graph/gradient.ts";
import { input, mapInputs, type Node, reachable } from "../../src/graph/node.ts";
import { type Attributes, type Elementwise, type Inputs, primitives, type Taking } from "../../src/graph/primitives.ts";
import { conv2d } from "../../src/graph/products.ts";
import { sum } from "../../src/graph/reduce.ts";
import { differentiable, type Example, examples, pose } from "../support/examples.ts";

const x = input("x", [2]);
const attributes = {};
const { shape, dtype } = x;

describe("what an operation takes is a tuple by its kind", () => {
  test("of nodes, of names, or of anything else", () => {
    expectTypeOf<Inputs<"input", string>>().toEqualTypeOf<readonly []>();
    expectTypeOf<Inputs<"exp", string>>().toEqualTypeOf<readonly [x: string]>();
    expectTypeOf<Inputs<"add", Node>>().toEqualTypeOf<readonly [a: Node, b: Node]>();
    expectTypeOf<Inputs<"where", Node>>().toEqualTypeOf<readonly [a: Node, b: Node, c: Node]>();
    expectTypeOf<Inputs<"concatenate", Node>>().toEqualTypeOf<readonly Node[]>();
    expectTypeOf<Inputs<"conv2d", number>>().toEqualTypeOf<
      readonly [x: number, weight: number] | readonly [x: number, weight: number, bias: number]
    >();
  });

  test("a node with too few, too many or no attributes does not compile", () => {
    const right: Node = { op: "add", inputs: [x, x], attributes, shape, dtype };
    // @ts-expect-error: add takes two
    const one: Node = { op: "add", inputs: [x], attributes, shape, dtype };
    // @ts-expect-error: exp takes one
    const two: Node = { op: "exp", inputs: [x, x], attributes, shape, dtype };
    // @ts-expect-error: leakyRelu has a slope
    const level: Node = { op: "leakyRelu", inputs: [x], attributes, shape, dtype };
    expect([right, one, two, level].map(({ inputs }) => inputs.length)).toEqual([2, 1, 2, 1]);
  });

  test("the name of its operation tells what a node has", () => {
    const node = conv2d(input("image", ["n", 1, 3, 3]), input("weight", [1, 1, 2, 2]), { stride: 2 });
    if (node.op !== "conv2d") throw new Error(`expected a conv2d, got ${node.op}`);
    const [image, weight, bias] = node.inputs;
    expectTypeOf(image).toEqualTypeOf<Node>();
    expectTypeOf(bias).toEqualTypeOf<Node | undefined>();
    expectTypeOf(node.attributes).toEqualTypeOf<Attributes<"conv2d">>();
    expect([image.shape[0], weight.shape[0], bias, node.attributes.stride]).toEqual(["n", 1, undefined, 2]);
  });

  test("something in the place of each input is a tuple of the same kind", () => {
    const node: Node<"add"> = { op: "add", inputs: [x, input("y", [2])], attributes, shape, dtype };
    const names = mapInputs(node, ({ op }) => `an ${op}`);
    expectTypeOf(names).toEqualTypeOf<readonly [a: string, b: string]>();
    expect(names).toEqual(["an input", "an input"]);
  });
});

test("groups of operations follow from the table", () => {
  expectTypeOf<Taking<"nothing">>().toEqualTypeOf<"input" | "variable" | "constant">();
  expectTypeOf<Taking<"withBias">>().toEqualTypeOf<"conv2d" | "convTranspose2d">();
  expectTypeOf<Elementwise<"three">>().toEqualTypeOf<"where">();
  expectTypeOf<"softmax" | "reshape">().not.toExtend<Elementwise<"one">>();
  expectTypeOf<"exp" | "cast" | "leakyRelu">().toExtend<Elementwise<"one">>();
});

const counts = { nothing: [0], one: [1], two: [2], three: [3], withBias: [2, 3] };

test.each(Object.entries(examples))(
  "%s and its gradient are built of nodes with as many inputs as they take",
  (op, cases) => {
    for (const example of cases as Example[]) {
      const { nodes, result } = pose(example, 2);
      const built = reachable(op in differentiable ? [result, ...gradient(sum(result), nodes)] : [result]);
      for (const { op, inputs } of built) {
        const { takes } = primitives[op];
        if (takes === "many") expect(inputs.length).toBeGreaterThan(1);
        else expect(counts[takes], op).toContain(inputs.length);
      }
    }
  },
);
