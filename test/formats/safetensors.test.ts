import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeSafetensors, encodeSafetensors } from "../../src/formats/safetensors.ts";
import {
  allocate,
  dtypes,
  filled,
  fromNumbers,
  sizeOf,
  type Tensor,
  tensor,
  toNumbers,
} from "../../src/tensor/tensor.ts";

/** A file of a header, padded or not, and data. */
function fileOf(header: unknown, data: readonly number[] = []): Uint8Array {
  const text = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const file = new Uint8Array(8 + text.length + data.length);
  new DataView(file.buffer).setUint32(0, text.length, true);
  file.set(text, 8);
  file.set(data, 8 + text.length);
  return file;
}

describe("a file that Python's safetensors wrote", async () => {
  // fixtures/make_safetensors.py
  const file: Uint8Array = await readFile(new URL("./fixtures/tensors.safetensors", import.meta.url));
  const { tensors, metadata } = decodeSafetensors(file);

  test("is read", () => {
    expect(metadata).toEqual({ "written by": "Python" });
    const read = [...tensors].map(([name, t]) => [name, t.dtype, t.shape, toNumbers(t)]);
    const values = [-1, 0, 1, 2, 3, 4];
    expect(read).toEqual([
      ["int64", "int64", [2, 3], values],
      ["float64", "float64", [2, 3], values],
      ["scalar", "float64", [], [1.5]],
      ["empty", "float32", [2, 0], []],
      ["float32", "float32", [2, 3], values],
      ['"µ/1"', "int32", [1], [7]],
      ["int32", "int32", [2, 3], values],
      ["uint8", "uint8", [3], [0, 128, 255]],
      ["bool", "bool", [3], [1, 0, 1]],
    ]);
  });

  test("is written byte for byte, in whatever order the tensors come", () => {
    expect(encodeSafetensors(new Map([...tensors].reverse()), metadata)).toEqual(new Uint8Array(file));
  });
});

test("a small file byte for byte: length, header padded to a multiple of 8, data", () => {
  const header =
    '{"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"U8","shape":[2],"data_offsets":[4,6]}}      ';
  const written = encodeSafetensors(
    new Map<string, Tensor>([
      ["a", fromNumbers("uint8", [2], [7, 255])],
      ["b", fromNumbers("float32", [1], [-2])],
    ]),
  );
  expect(written).toEqual(
    Uint8Array.of(112, 0, 0, 0, 0, 0, 0, 0, ...new TextEncoder().encode(header), 0, 0, 0, 0xc0, 7, 255),
  );
});

test("what is written is read back, for any names, types, shapes and bits, at any place in a buffer", () => {
  const shapes = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 });
  const anyTensor = fc
    .tuple(fc.constantFrom(...dtypes), shapes, fc.infiniteStream(fc.nat(255)))
    .map(([dtype, shape, stream]): Tensor => {
      const data = allocate(dtype, sizeOf(shape));
      const bytes = new Uint8Array(data.buffer);
      for (let i = 0; i < bytes.length; i++) bytes[i] = stream.next().value! % (dtype === "bool" ? 2 : 256);
      return tensor(dtype, shape, data);
    });
  const names = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("", "0", "__proto__", "constructor"));
  const metadata = fc.dictionary(names, fc.string({ unit: "grapheme" }));
  /** Bits rather than values, in which a NaN is like another. */
  const bits = ({ dtype, shape, data }: Tensor) => [
    dtype,
    shape,
    new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  ];
  const all = (tensors: ReadonlyMap<string, Tensor>) => new Map([...tensors].map(([name, t]) => [name, bits(t)]));
  fc.assert(
    fc.property(fc.array(fc.tuple(names, anyTensor)), metadata, fc.nat(7), (entries, texts, shift) => {
      const tensors = new Map(entries);
      const written = encodeSafetensors(tensors, texts);
      const shifted = new Uint8Array(shift + written.length).subarray(shift);
      shifted.set(written);
      const read = decodeSafetensors(shifted);
      expect(all(read.tensors)).toEqual(all(tensors));
      expect(Object.entries(read.metadata).sort()).toEqual(Object.entries(texts).sort());
    }),
    { numRuns: 200, seed: 1 },
  );
});

test("tensors that are views of a larger buffer are written as they are, and read ones are copies", () => {
  const view = tensor("float32", [2], Float32Array.of(1, 2, 3, 4).subarray(1, 3));
  const file = encodeSafetensors(new Map([["a", view]]));
  const { tensors } = decodeSafetensors(file);
  file.fill(0);
  expect(toNumbers(tensors.get("a")!)).toEqual([2, 3]);
});

test("data starts at a multiple of 8 bytes, and wide elements before narrow ones", () => {
  const tensors = new Map([...dtypes].reverse().map((dtype) => [dtype as string, filled(dtype, [3], 1)]));
  const file = encodeSafetensors(tensors);
  expect((file.length - 3 * (8 + 8 + 4 + 4 + 1 + 1)) % 8).toBe(0);
  const widths = [...decodeSafetensors(file).tensors.values()].map((t) => t.data.BYTES_PER_ELEMENT);
  expect(widths).toEqual([8, 8, 4, 4, 1, 1]);
});

test("a file without tensors", () => {
  expect(decodeSafetensors(encodeSafetensors(new Map()))).toEqual({ tensors: new Map(), metadata: {} });
});

test("the format's own name cannot be a tensor's", () => {
  expect(() => encodeSafetensors(new Map([["__metadata__", filled("bool", [], 1)]]))).toThrow(
    "safetensors: no tensor can be named __metadata__, which the format keeps for itself",
  );
});

describe("damaged files are refused with a reason", () => {
  const good = encodeSafetensors(new Map([["a", fromNumbers("float32", [3], [1, 2, 3])]]));
  const entry = (dtype: unknown, shape: unknown, ...offsets: unknown[]) => ({ dtype, shape, data_offsets: offsets });
  const huge = 2 ** 52;

  test.each<[message: string, file: Uint8Array]>([
    ["safetensors: a file has 8 bytes or more, this one is cut short after 0", new Uint8Array(0)],
    ["safetensors: a file has 8 bytes or more, this one is cut short after 7", good.subarray(0, 7)],
    ["safetensors: the header should take 56 bytes, the file has 32: it is cut short, or no", good.subarray(0, 40)],
    ["safetensors: the header should take 18446744073709551615 bytes, the file has 2", new Uint8Array(10).fill(255)],
    ["safetensors: the tensors need 12 bytes of data, the file has 11", good.subarray(0, -1)],
    ["safetensors: the tensors need 12 bytes of data, the file has 13", Uint8Array.of(...good, 0)],
    ["safetensors: the header is not JSON", fileOf("")],
    ["safetensors: the header is not JSON", fileOf('{"a":')],
    ["safetensors: the header is not JSON", Uint8Array.of(4, 0, 0, 0, 0, 0, 0, 0, 0x22, 0xff, 0xfe, 0x22)],
    ["safetensors: the header must be a JSON object", fileOf("[]")],
    ["safetensors: the header must be a JSON object", fileOf("null")],
    ['safetensors: __metadata__ must hold texts by name, got {"a":1}', fileOf({ __metadata__: { a: 1 } })],
    ["safetensors: __metadata__ must hold texts by name, got null", fileOf({ __metadata__: null })],
    [
      'safetensors: "a": dtype must be one of I64 F64 F32 I32 U8 BOOL, got "BF16"',
      fileOf({ a: entry("BF16", [1], 0, 2) }, [0, 0]),
    ],
    ['safetensors: "a": dtype must be one of I64 F64 F32 I32 U8 BOOL, got nothing', fileOf({ a: null })],
    ['safetensors: "a": dtype must be one of I64 F64', fileOf({ a: entry("toString", [1], 0, 2) }, [0, 0])],
    ['safetensors: "a": shape must be whole numbers from 0, got [-3]', fileOf({ a: entry("U8", [-3], 0, 3) })],
    ['safetensors: "a": shape must be whole numbers from 0, got [1.5]', fileOf({ a: entry("U8", [1.5], 0, 3) })],
    ['safetensors: "a": shape must be whole numbers from 0, got "3"', fileOf({ a: entry("U8", "3", 0, 3) })],
    ['safetensors: "a": data_offsets must be a start and an end, got [0]', fileOf({ a: entry("U8", [1], 0) })],
    ['safetensors: "a": data_offsets must be a start and an end, got [3,0]', fileOf({ a: entry("U8", [3], 3, 0) })],
    ['safetensors: "a": data_offsets must be a start and an end, got [-1,2]', fileOf({ a: entry("U8", [3], -1, 2) })],
    ['safetensors: "a": data_offsets must be', fileOf({ a: entry("U8", [3], 0, "3") })],
    [
      'safetensors: "a": shape [2,2] of float32 needs 16 bytes, data_offsets are 4 apart',
      fileOf({ a: entry("F32", [2, 2], 0, 4) }, [0, 0, 0, 0]),
    ],
    [
      `safetensors: the tensors need ${huge} bytes of data, the file has 0`,
      fileOf({ a: entry("U8", [huge], 0, huge) }),
    ],
    ['safetensors: "a": shape [', fileOf({ a: entry("U8", Array(40).fill(huge), 0, 0) })],
    [
      'safetensors: "b" must start at byte 2 of the data, where the one before it ends, got 1',
      fileOf({ a: entry("U8", [2], 0, 2), b: entry("U8", [2], 1, 3) }, [1, 2, 3]),
    ],
    [
      'safetensors: "b" must start at byte 1 of the data, where the one before it ends, got 2',
      fileOf({ a: entry("U8", [1], 0, 1), b: entry("U8", [1], 2, 3) }, [1, 2, 3]),
    ],
    ['safetensors: "a" must start at byte 0 of the data', fileOf({ a: entry("U8", [1], 1, 2) }, [1, 2])],
    ['safetensors: "a": booleans must be bytes 0 or 1, got others', fileOf({ a: entry("BOOL", [2], 0, 2) }, [1, 2])],
  ])("%s", (message, file) => {
    expect(() => decodeSafetensors(file)).toThrow(message);
  });

  test("what is as long as the file is shortened in the error", () => {
    const refused = () => decodeSafetensors(fileOf({ ["a".repeat(100_000)]: 1 }));
    expect(refused).toThrow(/^safetensors: "a{79}…: dtype must be one of/);
  });

  test("whatever byte is changed, and wherever it is cut, there is a result or a reason", () => {
    const attempt = (file: Uint8Array) => {
      try {
        decodeSafetensors(file);
      } catch (error) {
        expect((error as Error).message).toMatch(/^safetensors: /);
      }
    };
    for (let i = 0; i < good.length; i++) {
      for (const value of [0, 34, 48, 57, 125, 255]) attempt(good.with(i, value));
      expect(() => decodeSafetensors(good.subarray(0, i))).toThrow(/^safetensors: /);
    }
  });
});
