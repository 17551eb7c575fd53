/** Damage: bytes, JSON, safetensors and ONNX that are no longer what they were. */

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import {
  AttributeProto_AttributeType as AttributeType,
  TensorProto_DataLocation as DataLocation,
  TensorProto_DataType as DataType,
  GraphProtoSchema,
  type ModelProto,
  ModelProtoSchema,
  NodeProtoSchema,
  StringStringEntryProtoSchema,
  TensorProtoSchema,
  ValueInfoProtoSchema,
} from "onnx-buf";
import type { Random } from "../../src/doors/engine.ts";

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[random.below(from.length)]!;
}

/** One value of a generator of fast-check's, which leans towards what is odd. */
export function drawn<T>(random: Random, from: fc.Arbitrary<T>): T {
  return fc.sample(from, { seed: random.word() | 0, numRuns: 1 })[0]!;
}

type Mutation = (bytes: Buffer, at: number, random: Random, other: Buffer) => Buffer;

/** Numbers at which arithmetic turns: signs, powers of two, and what is between whole and not. */
const turning = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe];

const mutations: Readonly<Record<string, Mutation>> = {
  flipped: (bytes, at, random) => changed(bytes, at, bytes[at]! ^ (1 << random.below(8))),
  replaced: (bytes, at, random) => changed(bytes, at, random.below(256)),
  cut: (bytes, at) => bytes.subarray(0, at),
  "without its start": (bytes, at) => bytes.subarray(at),
  inserted: (bytes, at, random) =>
    Buffer.concat([bytes.subarray(0, at), someBytes(1 + random.below(16), random), bytes.subarray(at)]),
  removed: (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(32))]),
  duplicated: (bytes, at, random) => {
    const piece = bytes.subarray(at, at + 1 + random.below(64));
    return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
  },
  repeated: (bytes, at, random) => {
    const piece = bytes.subarray(at, at + 1 + random.below(64));
    const times = 2 ** (1 + random.below(15));
    return Buffer.concat([bytes.subarray(0, at), ...Array<Buffer>(times).fill(piece), bytes.subarray(at)]);
  },
  spliced: (bytes, at, random, other) =>
    Buffer.concat([bytes.subarray(0, at), other.subarray(random.below(other.length))]),
  zeroed: (bytes, at, random) => filled(bytes, 0, at, 1 + random.below(16)),
  "set to ones": (bytes, at, random) => filled(bytes, 255, at, 1 + random.below(8)),
  "given a number, the low byte first": (bytes, at, random) => {
    const copy = Buffer.from(bytes);
    if (at + 4 <= copy.length) copy.writeUInt32LE(pick(random, turning), at);
    return copy;
  },
  "given a number, the high byte first": (bytes, at, random) => {
    const copy = Buffer.from(bytes);
    if (at + 4 <= copy.length) copy.writeUInt32BE(pick(random, turning), at);
    return copy;
  },
  "given a number in digits": (bytes, _, random) => {
    const digits = [...bytes.toString("latin1").matchAll(/-?\d+(\.\d+)?/g)];
    if (digits.length === 0) return bytes;
    const found = pick(random, digits);
    const number = pick(random, [
      "-1",
      "1e308",
      "1e999",
      "9".repeat(400),
      "NaN",
      "4294967296",
      "999999999",
      "0x10",
      "1000000",
    ]);
    return Buffer.concat([
      bytes.subarray(0, found.index),
      Buffer.from(number),
      bytes.subarray(found.index + found[0].length),
    ]);
  },
};

function changed(bytes: Buffer, at: number, ...values: number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
}

function filled(bytes: Buffer, value: number, at: number, length: number): Buffer {
  return Buffer.from(bytes).fill(value, at, Math.min(bytes.length, at + length));
}

export function someBytes(n: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length: n }, () => random.below(256)));
}

export interface Damaged {
  readonly what: string;
  readonly bytes: Buffer;
}

/** One to four kinds of damage, half of them near an end, where headers and footers are. `other` is what is spliced. */
export function mutated(whole: Uint8Array, random: Random, other: Uint8Array = whole): Damaged {
  let bytes = Buffer.from(whole);
  const what: string[] = [];
  for (let left = 1 + random.below(4) * random.below(2); left > 0 && bytes.length > 0; left--) {
    const kind = pick(random, Object.keys(mutations));
    const near = Math.min(bytes.length, 96);
    const at = pick(random, [random.below(bytes.length), random.below(near), bytes.length - 1 - random.below(near)]);
    bytes = Buffer.from(mutations[kind]!(bytes, at, random, Buffer.from(other)));
    what.push(`${kind} at ${at}`);
  }
  return { what: what.join(", "), bytes };
}

/** Names and texts that mean something to somebody: a shell, a terminal, a database, a page, JavaScript. */
export const hostileTexts = [
  ...["", " ", "__proto__", "constructor", "toString", "hasOwnProperty", "NaN", "-0", "1e308", "0x10"],
  ...[
    "'; drop table x; --",
    '"); import os; os.system("touch owned"); ("',
    "\\",
    "'",
    '"',
    "`touch owned`",
    "$(touch owned)",
  ],
  ...["<script>alert(1)</script>", "</script>", "<!--", "]]>", "| a | b |", "[x](javascript:alert(1))"],
  ...["\u001b[2J\u001b[31mred", "\u0007", "\u009b31m", "a\nb", "a\r\nb", "a\tb", "\u202egnp.exe", "\ufeffa", "\u0000"],
  ...["=cmd|' /C calc'!A0", "+1+1", "@SUM(A1)", "-2+3", "ph=7 dev", "../../outside/owned", "%s%n%x", "{{7*7}}"],
  ...["𝕏".repeat(40), "é", "e\u0301", "\ud800", "x".repeat(300), "y".repeat(70_000)],
];

/** Numbers, and what is none, in the place of a number. */
const hostileNumbers = [0, -1, 0.5, 1e6, 1e8, 1e9, 2 ** 31, 2 ** 32, 2 ** 53, 1e15, 1e300, -1e300];

function hostileValue(random: Random): unknown {
  const kind = random.below(10);
  if (kind < 4) return pick(random, hostileNumbers);
  if (kind < 6) return pick(random, hostileTexts);
  if (kind < 8) return pick(random, [null, true, [], {}, [[]], [null], "word", { length: 1e9 }, [1e9], [1e9, 1e9]]);
  return drawn(random, fc.jsonValue({ maxDepth: 3 }));
}

type Path = readonly (string | number)[];

function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...at, name]))];
}

/** JSON with one to three values changed, gone, many times there, or very deep. */
export function mutatedJson(value: unknown, random: Random): { readonly what: string; readonly value: unknown } {
  let result = structuredClone(value);
  const what: string[] = [];
  for (let left = 1 + random.below(3) * random.below(2); left > 0; left--) {
    const path = pick(random, pathsIn(result));
    const name = path.at(-1);
    if (name === undefined) result = hostileValue(random);
    else {
      const inner = path.slice(0, -1).reduce((from, key) => (from as Record<string, unknown>)[key]!, result) as Record<
        string,
        unknown
      >;
      const way = random.below(8);
      if (way === 0) delete inner[name];
      else if (way === 1 && Array.isArray(inner))
        inner.push(...Array(10 ** (1 + random.below(4))).fill(inner[Number(name)]));
      else if (way === 2) inner[pick(random, hostileTexts)] = inner[name];
      else inner[name] = hostileValue(random);
    }
    what.push(`at ${path.join(".") || "the top"}`);
  }
  return { what: what.join(", "), value: result };
}

/** A text of JSON, by its bytes or by what it says; sometimes brackets and nothing else. */
export function mutatedText(text: Uint8Array, random: Random): Damaged {
  const way = random.below(10);
  if (way < 3) return mutated(text, random);
  if (way === 3) {
    const [open, close] = pick(random, [
      ["[", "]"],
      ['{"a":', "}"],
    ]) as [string, string];
    const deep = pick(random, [100, 5000, 60_000]);
    return {
      what: `${deep} brackets`,
      bytes: Buffer.from(open.repeat(deep) + (open === "[" ? "" : "1") + close.repeat(deep)),
    };
  }
  const lines = Buffer.from(text).toString("utf8").split("\n");
  const isLines = lines.length > 2 && lines.slice(0, 2).every(isJson);
  if (isLines) {
    const at = random.below(lines.length - 1);
    const { what, value } = mutatedJson(isJson(lines[at]!) ? JSON.parse(lines[at]!) : null, random);
    lines[at] = JSON.stringify(value) ?? "";
    return { what: `line ${at}, ${what}`, bytes: Buffer.from(lines.join("\n")) };
  }
  const whole = lines.join("\n");
  if (!isJson(whole)) return mutated(text, random);
  const { what, value } = mutatedJson(JSON.parse(whole), random);
  return { what, bytes: Buffer.from(`${JSON.stringify(value, null, 2) ?? ""}\n`) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Weights whose header says something else: it is JSON behind its length. */
export function mutatedSafetensors(bytes: Uint8Array, random: Random): Damaged {
  const whole = Buffer.from(bytes);
  const length = whole.length >= 8 ? Number(whole.readBigUInt64LE(0)) : 0;
  if (random.below(3) === 0 || length === 0 || length > whole.length - 8) return mutated(bytes, random);
  const { what, value } = mutatedJson(JSON.parse(whole.toString("utf8", 8, 8 + length)), random);
  const header = Buffer.from(JSON.stringify(value) ?? "");
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(header.length));
  return { what: `header, ${what}`, bytes: Buffer.concat([size, header, whole.subarray(8 + length)]) };
}

type OfModel = (model: ModelProto, random: Random) => void;

const tensorOf = (dims: readonly number[], type: DataType, data: Uint8Array<ArrayBuffer>, name = "") =>
  create(TensorProtoSchema, { name, dims: dims.map(BigInt), dataType: type, rawData: data });
const int64 = (...values: number[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(BigInt64Array.from(values.map(BigInt)).buffer);

/** Puts a node between what was the output and the output. */
function append(model: ModelProto, opType: string, more: readonly string[] = [], attribute: object[] = []): void {
  const graph = model.graph!;
  const output = graph.output[0]!.name;
  for (const node of graph.node) node.output = node.output.map((name) => (name === output ? "inner" : name));
  for (const node of graph.node) node.input = node.input.map((name) => (name === output ? "inner" : name));
  graph.node.push(
    create(NodeProtoSchema, { opType, name: "appended", input: ["inner", ...more], output: [output], attribute }),
  );
}

/** A value by its type, and by its shape where that is known. */
function valueInfo(name: string, elemType: DataType, shape?: readonly []) {
  const tensorType = { elemType, ...(shape && { shape: { dim: [] } }) };
  return create(ValueInfoProtoSchema, { name, type: { value: { case: "tensorType", value: tensorType } } });
}

/** A loop that carries the value round and round, as often as `times` says, and never says that it is enough. */
function looped(model: ModelProto, times: number): void {
  const graph = model.graph!;
  const body = create(GraphProtoSchema, {
    name: "body",
    input: [valueInfo("i", DataType.INT64, []), valueInfo("more", DataType.BOOL, []), valueInfo("v", DataType.FLOAT)],
    output: [valueInfo("more_on", DataType.BOOL, []), valueInfo("v_on", DataType.FLOAT)],
    node: [
      { opType: "Identity", input: ["more"], output: ["more_on"] },
      { opType: "Identity", input: ["v"], output: ["v_on"] },
    ],
  });
  graph.initializer.push(tensorOf([], DataType.INT64, int64(times), "times"));
  graph.initializer.push(tensorOf([], DataType.BOOL, Uint8Array.of(1), "go"));
  append(model, "Loop", [], [{ name: "body", type: AttributeType.GRAPH, g: body }]);
  const loop = graph.node.at(-1)!;
  loop.input = ["times", "go", "inner"];
}

const ofModels: Readonly<Record<string, OfModel>> = {
  "an endless loop": (model) => looped(model, Number.MAX_SAFE_INTEGER),
  "a loop of three": (model) => looped(model, 3),
  "data outside": (model, random) => {
    const weights = model.graph!.initializer[0]!;
    weights.rawData = new Uint8Array(0);
    weights.dataLocation = DataLocation.EXTERNAL;
    const location = pick(random, ["../outside/secret.csv", "/etc/hostname", "weights.bin", "rows.csv", "/dev/zero"]);
    weights.externalData = [{ key: "location", value: location }].map((entry) =>
      create(StringStringEntryProtoSchema, entry),
    );
  },
  "weights larger than all memory": (model) => {
    model.graph!.initializer[0]!.dims = [2n ** 40n, 2n ** 20n];
  },
  "negative sizes": (model) => {
    model.graph!.initializer[0]!.dims = [-4n, -3n];
  },
  "a constant of 40 GB": (model) => {
    model.graph!.initializer.push(tensorOf([2], DataType.INT64, int64(100_000, 100_000), "wide"));
    const steps = [
      { opType: "ConstantOfShape", input: ["wide"], output: ["huge"] },
      { opType: "ReduceMax", input: ["huge"], output: ["most"] },
    ];
    model.graph!.node.unshift(...steps.map((step) => create(NodeProtoSchema, step)));
    append(model, "Add", ["most"]);
  },
  "features as wide as a page is long": (model) => {
    model.graph!.initializer.push(tensorOf([2], DataType.INT64, int64(1, 2_000_000), "times"));
    append(model, "Tile", ["times"]);
  },
  "an unknown operation": (model, random) => {
    pick(random, model.graph!.node).opType = pick(random, ["Nothing", "__proto__", "", "com.evil.Op"]);
  },
  "an unknown domain": (model, random) => {
    pick(random, model.graph!.node).domain = pick(random, ["com.microsoft", "ai.onnx.ml", "x"]);
  },
  "a circle": (model) => {
    model.graph!.node[0]!.input[0] = model.graph!.node.at(-1)!.output[0]!;
  },
  "hostile names": (model, random) => {
    const [graph, name] = [model.graph!, pick(random, hostileTexts)];
    const place = pick(random, ["input", "output", "node", "graph"] as const);
    if (place === "graph") graph.name = name;
    else if (place === "node") graph.node[0]!.name = name;
    else {
      const old = graph[place][0]!.name;
      graph[place][0]!.name = name;
      for (const node of graph.node) {
        node.input = node.input.map((each) => (each === old ? name : each));
        node.output = node.output.map((each) => (each === old ? name : each));
      }
    }
  },
  "another version": (model, random) => {
    if (model.opsetImport[0]) model.opsetImport[0].version = pick(random, [0n, 1n, 99n, -1n, 2n ** 60n]);
    model.irVersion = pick(random, [0n, 3n, 8n, 99n]);
  },
  "no inputs": (model) => {
    model.graph!.input = [];
  },
  "no outputs": (model) => {
    model.graph!.output = [];
  },
  "no graph": (model) => {
    delete (model as { graph?: unknown }).graph;
  },
  "ten thousand steps": (model) => {
    for (let i = 0; i < 10_000; i++) {
      const [from, to] = [i === 0 ? model.graph!.input[0]!.name : `s${i - 1}`, `s${i}`];
      model.graph!.node.push(create(NodeProtoSchema, { opType: "Relu", input: [from], output: [to] }));
    }
  },
  "graphs within graphs": (model) => {
    let inner = create(GraphProtoSchema, { name: "g", output: [{ name: "q" }] });
    for (let i = 0; i < 300; i++) {
      const node = create(NodeProtoSchema, {
        opType: "If",
        input: ["go"],
        output: ["q"],
        attribute: ["then_branch", "else_branch"]
          .map((name) => ({ name, type: AttributeType.GRAPH, g: inner }))
          .slice(0, 1),
      });
      inner = create(GraphProtoSchema, { name: "g", node: [node], output: [{ name: "q" }] });
    }
    append(model, "If", [], [{ name: "then_branch", type: AttributeType.GRAPH, g: inner }]);
  },
  "no number": (model) => {
    const weights = model.graph!.initializer[0]!;
    weights.rawData = new Uint8Array(new Float32Array(weights.rawData.length / 4).fill(Number.NaN).buffer);
  },
};

/** An ONNX model by its bytes, or one that says something it should not. */
export function mutatedOnnx(bytes: Uint8Array, random: Random): Damaged {
  if (random.below(3) === 0) return mutated(bytes, random);
  const what = pick(random, Object.keys(ofModels));
  return { what, bytes: onnxWith(bytes, what, random) };
}

export function onnxWith(bytes: Uint8Array, what: string, random: Random): Buffer {
  try {
    const model = fromBinary(ModelProtoSchema, bytes);
    ofModels[what]!(model, random);
    return Buffer.from(toBinary(ModelProtoSchema, model));
  } catch {
    // A model without weights has none that could be changed.
    return mutated(bytes, random).bytes;
  }
}

/** By what a file is. */
export function damaged(name: string, bytes: Uint8Array, random: Random, other?: Uint8Array): Damaged {
  if (bytes.length === 0) return { what: "some bytes", bytes: someBytes(1 + random.below(200), random) };
  if (/\.onnx$/.test(name)) return mutatedOnnx(bytes, random);
  if (/\.safetensors$/.test(name)) return mutatedSafetensors(bytes, random);
  if (/\.jsonl?$/.test(name)) return mutatedText(bytes, random);
  return mutated(bytes, random, other);
}
