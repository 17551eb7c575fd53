/** What a stranger's ONNX must be before it is opened. */

import fc from "fast-check";
import { TensorProto_DataType as DataType } from "onnx-buf";
import { describe, expect, it } from "vitest";
import { relu } from "../../src/graph/elementwise.ts";
import { constant, input } from "../../src/graph/node.ts";
import { matmul } from "../../src/graph/products.ts";
import { checkOnnx } from "../../src/onnx/check.ts";
import { describeOnnx } from "../../src/onnx/read.ts";
import { compile } from "../../src/runtime/compile.ts";
import { cpu } from "../../src/runtime/native.ts";
import { program } from "../../src/runtime/program.ts";
import { filled } from "../../src/tensor/tensor.ts";
import {
  body,
  integer,
  integersOf,
  looping,
  model,
  node,
  several,
  tensorOf,
  value,
  withDataIn,
  yes,
} from "./strangers.ts";

const check = (bytes: Uint8Array) => (): void => checkOnnx(bytes, "enc.onnx");
const one = tensorOf("one", [1], [1]);
const identity = node("Identity", ["x"], ["y"]);
const layer = matmul(input("x", ["n", 4]), constant(filled("float32", [4, 4], 1)));
const ours = compile(program({ outputs: { y: relu(layer) } }));

describe("what is opened", () => {
  it.each([
    ["what we write ourselves", ours],
    ["operators that exporters write", model({ node: [node("Gelu", ["x"], ["y"], { domain: "com.microsoft" })] })],
    ["the default domain by its other name", model({ node: [node("Relu", ["x"], ["y"], { domain: "ai.onnx" })] })],
    ["a loop that ends", looping(integersOf("trips", [5], true))],
    ["a loop over a size", looping(undefined, sizeOfRows())],
    ["a branch", branching([node("Relu", ["x"], ["taken"])])],
    ["a function of its own", calling([{ name: "Twice", node: [node("Add", ["a", "a"], ["b"])] }])],
    ["a tensor without elements", model({ node: [identity], initializer: [tensorOf("none", [0], [])] })],
    ["weights that are among the inputs", withInput("one")],
  ])("%s", (_, bytes) => expect(check(bytes)).not.toThrow());

  it("runs: what is checked here is ONNX to ONNX Runtime too", async () => {
    const { runtime } = await cpu.find();
    for (const bytes of [looping(integersOf("trips", [5], true)), looping(undefined, sizeOfRows())]) {
      const session = await runtime.InferenceSession.create(bytes);
      const { y } = await session.run({ x: new runtime.Tensor("float32", new Float32Array(12), [3, 4]) });
      expect([5, 3]).toContain(y!.data[0]);
      await session.release();
    }
  });
});

describe("what is not", () => {
  it.each([
    ["bytes that are something else", new Uint8Array([1, 2, 3]), "the bytes are not an ONNX model"],
    ["no bytes", new Uint8Array(), "the bytes are not an ONNX model"],
    ["ONNX Runtime's own format behind the same bytes", flat(), "the bytes are not an ONNX model"],
    ["messages within messages", nested(200), "the bytes are not an ONNX model"],
    ["very many messages in few bytes", bomb(), "the bytes are not an ONNX model"],
    ["an operator that nobody knows", model({ node: [node("Exec", ["x"], ["y"])] }), '"Exec"'],
    [
      "a name of ours that is none",
      model({ node: [node("constructor", ["x"], ["y"])] }),
      "is none of ONNX's operators",
    ],
    [
      "an operator of somebody's own",
      model({ node: [node("Relu", ["x"], ["y"], { domain: "my.ops", name: "own" })] }),
      'the node "own" ("Relu"): is none of the operators of "my.ops" that are opened',
    ],
    ["one that reads files", microsoft("EPContext"), '"EPContext"'],
    ["one that loops by itself", microsoft("BeamSearch"), '"BeamSearch"'],
    ["external data", withDataIn("weights.bin"), 'the tensor "w": its numbers must be in the file itself'],
    ["a loop without an end", looping(), 'the node "turning" ("Loop"): must say after how many rounds it ends'],
    ["a loop of very many rounds", looping(integersOf("trips", [2 ** 40], true)), "must end after 1048576 rounds"],
    ["a loop of rounds below zero", looping(integersOf("trips", [-1], true)), "must say after how many rounds"],
    ["a loop whose rounds are computed", looping(undefined, computed()), "must say after how many rounds"],
    ["loops within loops", loopInLoop(2 ** 12), "must end after 1048576 rounds in all, got 16777216"],
    ["a loop in a branch", branching(loopNodes("")), "must say after how many rounds it ends"],
    ["a loop that the name around it would bound", shadowed(), "must say after how many rounds it ends"],
    ["an unknown operator in a branch", branching([node("Exec", ["x"], ["taken"])]), '"Exec"'],
    [
      "a graph where none belongs",
      model({ node: [node("Relu", ["x"], ["y"], { attribute: [body("g", { name: "g" })] })] }),
      "must not carry a graph",
    ],
    ["training of its own", model({ node: [identity] }, { trainingInfo: [{}] }), "must not bring training of its own"],
    ["a shape that is not its data's", model({ node: [identity], initializer: [tensorOf("w", [9], [1])] }), "36 bytes"],
    [
      "typed values that are too few",
      model({ node: [identity], initializer: [{ name: "w", dims: [2n ** 20n], dataType: 1, floatData: [1] }] }),
      "1048576 values, got 1",
    ],
    ["a shape below zero", model({ node: [identity], initializer: [{ ...one, dims: [-1n] }] }), "at most 268435456"],
    ["a shape that hides behind a zero", model({ node: [identity], initializer: [hidden()] }), "at most 268435456"],
    ["a type that is none", model({ node: [identity], initializer: [{ ...one, dataType: 99 }] }), "got 99"],
    ["a segment", model({ node: [identity], initializer: [{ ...one, segment: { begin: 0n } }] }), "got a segment"],
    ["a wrong tensor in a constant", constantTensor(), "36 bytes, got 4"],
    ["a sparse tensor of a vast shape", sparse(), "a sparse initializer must have at most"],
    ["a vast input", model({ node: [identity], input: [value("x", ["n", 2 ** 40])] }), "elements a row"],
    ["a function that calls itself", calling([{ name: "Twice", node: [call("Twice", "a", "b")] }]), "call itself"],
    [
      "functions that call each other",
      calling([
        { name: "Twice", node: [call("Other", "a", "b")] },
        { name: "Other", node: [call("Twice", "a", "b")] },
      ]),
      "must not call itself",
    ],
    ["functions that become very many nodes", calling(doubling(40)), "must have at most 262144 nodes"],
    ["functions that call and call", calling(chain(50_000)), "is nested too deeply"],
    [
      "a function with the name of an operator",
      model({ node: [identity] }, { functions: [{ domain: "", name: "Loop", node: [] }] }),
      "must not have the name of an operator",
    ],
    ["an unknown operator in a function", calling([{ name: "Twice", node: [node("Exec", ["a"], ["b"])] }]), '"Exec"'],
    [
      "a loop in a function in a loop",
      calling([{ name: "Twice", node: [...roundsIn(2 ** 12), node("Identity", ["a"], ["b"])] }], 2 ** 12),
      "rounds in all",
    ],
    ["a shape", grows("ConstantOfShape", ["s"], [2 ** 20, 2 ** 20]), "must make at most 268435456 elements"],
    ["a shape behind a zero", grows("ConstantOfShape", ["s"], [0, 2 ** 40]), "must make at most"],
    ["an expansion", grows("Expand", ["x", "s"], [2 ** 31, 4]), "must make at most"],
    ["repetitions", grows("Tile", ["x", "s"], [2 ** 30, 1]), "must make at most"],
    ["padding", grows("Pad", ["x", "s"], [0, 0, 2 ** 40, 0]), "must make at most"],
    ["a depth", grows("OneHot", ["i", "s", "one"], [2 ** 40]), "must make at most"],
    ["a window", grows("HannWindow", ["s"], [2 ** 40]), "must make at most"],
    ["a size behind a cast", throughCast(), "must make at most"],
    ["a range", range(0, 1e12, 1), "must make at most"],
    ["a range without steps", range(0, 1, 0), "must make at most"],
    ["larger pictures", resize(), "must make at most"],
    ["random numbers", model({ node: [node("RandomNormal", [], ["y"], attributes("shape", [2 ** 40]))] }), "make"],
    ["padded pictures", model({ node: [node("Conv", ["x", "one"], ["y"], attributes("pads", [2 ** 40, 0]))] }), "make"],
    ["many targets", model({ node: [ml("TreeEnsembleRegressor", "n_targets", 2 ** 40)] }), "must make at most"],
  ])("%s", (_, bytes, message) => {
    let said = "";
    try {
      checkOnnx(bytes, "enc.onnx");
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
      said = (error as Error).message;
    }
    expect(said).toContain(message);
    expect(said).toMatch(/^enc\.onnx: [^\n]*$/);
    expect(said.length).toBeLessThan(300);
  });
});

it("bytes that have been changed anywhere are opened or refused, with one line and at once", () => {
  const originals = [ours, looping(integersOf("trips", [5], true)), branching([node("Relu", ["x"], ["taken"])])];
  const change = fc.record({ at: fc.nat(), to: fc.nat(255), cut: fc.boolean() });
  fc.assert(
    fc.property(
      fc.constantFrom(...originals),
      fc.array(change, { minLength: 1, maxLength: 6 }),
      (original, changes) => {
        let bytes = original.slice();
        for (const { at, to, cut } of changes) {
          if (cut) bytes = bytes.slice(0, Math.max(1, at % bytes.length));
          else bytes[at % bytes.length] = to;
        }
        try {
          checkOnnx(bytes, "enc.onnx");
          describeOnnx(bytes);
        } catch (error) {
          expect((error as Error).message).toMatch(/^enc\.onnx: [^\n]+$/);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

function attributes(name: string, values: readonly number[]) {
  return { attribute: [several(name, values)] };
}

function microsoft(name: string): Uint8Array {
  return model({ node: [node(name, ["x"], ["y"], { domain: "com.microsoft" })] });
}

function ml(name: string, attribute: string, value: number) {
  return node(name, ["x"], ["y"], { domain: "ai.onnx.ml", attribute: [integer(attribute, value)] });
}

function withInput(name: string): Uint8Array {
  return model({
    node: [node("Add", ["x", name], ["y"])],
    initializer: [one],
    input: [value("x", ["n", 4]), value(name, [1])],
  });
}

/** The number of rows, as exporters of loops over them write it. */
function sizeOfRows() {
  return [
    node("Shape", ["x"], ["shape"]),
    node("Constant", [], ["first"], { attribute: [{ ...integer("value_int", 0) }] }),
    node("Gather", ["shape", "first"], ["trips"]),
  ];
}

function computed() {
  return [node("ReduceMax", ["x"], ["m"], { attribute: [integer("keepdims", 0)] }), cast("m", "trips")];
}

function cast(from: string, to: string) {
  return node("Cast", [from], [to], { attribute: [integer("to", DataType.INT64)] });
}

function branching(taken: ReturnType<typeof node>[]): Uint8Array {
  const way = { name: "way", node: taken, output: [value("taken", ["n", 4])] };
  const other = { name: "other", node: [node("Identity", ["x"], ["left"])], output: [value("left", ["n", 4])] };
  const attribute = [body("then_branch", way), body("else_branch", other)];
  return model({ node: [node("If", ["yes"], ["y"], { attribute })], initializer: [yes("yes"), one] });
}

function loopNodes(trips: string, inside: ReturnType<typeof node>[] = []) {
  const turn = {
    name: "turn",
    input: [value("i", [], DataType.INT64), value("go", [], DataType.BOOL), value("a", ["n", 4])],
    output: [value("on", [], DataType.BOOL), value("b", ["n", 4])],
    node: [node("Identity", ["go"], ["on"]), ...inside, node("Identity", ["a"], ["b"])],
  };
  return [node("Loop", [trips, "yes", "x"], ["taken"], { attribute: [body("body", turn)] })];
}

function roundsIn(trips: number, inside: ReturnType<typeof node>[] = []) {
  const count = node("Constant", [], ["count"], { attribute: [integer("value_int", trips)] });
  return [count, ...loopNodes("count", inside)];
}

function loopInLoop(trips: number): Uint8Array {
  return model({ node: [...roundsIn(trips, loopNodes("count")), node("Identity", ["taken"], ["y"])] });
}

/** The body's own input has the name of a constant around it. */
function shadowed(): Uint8Array {
  const inner = loopNodes("trips");
  const turn = {
    name: "outer",
    input: [value("trips", [], DataType.INT64), value("go", [], DataType.BOOL)],
    output: [value("go on", [], DataType.BOOL)],
    node: [node("Identity", ["go"], ["go on"]), ...inner],
  };
  return model({
    node: [node("Loop", ["trips", "yes"], [], { attribute: [body("body", turn)] }), identity],
    initializer: [integersOf("trips", [3], true), yes("yes")],
  });
}

function call(name: string, from: string, to: string) {
  return node(name, [from], [to], { domain: "own" });
}

/** A model that calls the first function, in a loop where so many rounds are given. */
function calling(functions: readonly { name: string; node: object[] }[], rounds = 1): Uint8Array {
  const calls = [call("Twice", "x", "y")];
  return model(
    { node: rounds > 1 ? [...roundsIn(rounds, calls), identity] : calls },
    { functions: functions.map((each) => ({ domain: "own", input: ["a"], output: ["b"], ...each })) },
  );
}

/** Each calls the next one twice. */
function doubling(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    name: i === 0 ? "Twice" : `F${i}`,
    node: i === count - 1 ? [] : [call(`F${i + 1}`, "a", "c"), call(`F${i + 1}`, "c", "b")],
  }));
}

function chain(count: number) {
  return doubling(count).map(({ name, node }) => ({ name, node: node.slice(0, 1) }));
}

function grows(op: string, inputs: readonly string[], sizes: readonly number[]): Uint8Array {
  return model({ node: [node(op, inputs, ["y"])], initializer: [integersOf("s", sizes), one, integersOf("i", [0])] });
}

function throughCast(): Uint8Array {
  const nodes = [cast("s", "t"), node("Identity", ["t"], ["u"]), node("ConstantOfShape", ["u"], ["y"])];
  return model({ node: nodes, initializer: [integersOf("s", [2 ** 40])] });
}

function range(start: number, limit: number, delta: number): Uint8Array {
  const initializer = Object.entries({ start, limit, delta }).map(([name, of]) => integersOf(name, [of], true));
  return model({ node: [node("Range", ["start", "limit", "delta"], ["y"])], initializer });
}

function resize(): Uint8Array {
  const scales = tensorOf("scales", [4], [1, 1, 1e6, 1e6]);
  return model({ node: [node("Resize", ["x", "", "scales"], ["y"])], initializer: [scales] });
}

function hidden() {
  return { name: "w", dims: [0n, 2n ** 60n], dataType: DataType.FLOAT };
}

function sparse(): Uint8Array {
  const sparseInitializer = [{ values: tensorOf("v", [1], [1]), indices: integersOf("i", [0]), dims: [2n ** 40n] }];
  return model({ node: [identity], sparseInitializer });
}

function constantTensor(): Uint8Array {
  const attribute = [{ name: "value", type: 4, t: tensorOf("", [9], [1]) }];
  return model({ node: [node("Constant", [], ["c"], { attribute }), identity] });
}

/** The producer's name stands where ONNX Runtime looks for the mark of its own format. */
function flat(): Uint8Array {
  return model({ node: [identity] }, { producerName: "ORTM" });
}

/** Graphs within attributes within nodes within graphs. */
function nested(depth: number): Uint8Array {
  let graph: object = { name: "g" };
  for (let i = 0; i < depth; i++) graph = { name: "g", node: [node("If", [], [], { attribute: [body("b", graph)] })] };
  return model(graph);
}

/** Four million nodes of two bytes each. */
function bomb(): Uint8Array {
  const nodes = new Uint8Array(8_000_000).map((_, i) => (i % 2 === 0 ? 0x0a : 0));
  const length = [nodes.length & 0x7f, (nodes.length >> 7) & 0x7f, (nodes.length >> 14) & 0x7f, nodes.length >> 21];
  return Uint8Array.from([0x3a, length[0]! | 0x80, length[1]! | 0x80, length[2]! | 0x80, length[3]!, ...nodes]);
}
