import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeNpy, encodeNpy, encodeNpyGz } from "../../src/formats/npy.ts";
import { type DType, dtypes, fromNumbers, sizeOf, toNumbers } from "../../src/tensor/tensor.ts";

const fixture = (name: string): Promise<Uint8Array> => readFile(new URL(`./fixtures/${name}`, import.meta.url));

describe("files that NumPy wrote", () => {
  // fixtures/make_fixtures.py: numpy.arange(6).reshape(2, 3) − 1 in every type and order
  const expected = [-1, 0, 1, 2, 3, 4];
  test.each(["float32", "float64", "int64", "int32"])("%s", async (dtype) => {
    const t = await decodeNpy(await fixture(`${dtype}.npy`));
    expect([t.dtype, t.shape, toNumbers(t)]).toEqual([dtype, [2, 3], expected]);
  });

  test("columns first, scalars, booleans, bytes and gzip", async () => {
    expect(toNumbers(await decodeNpy(await fixture("fortran.npy")))).toEqual(expected);
    expect((await decodeNpy(await fixture("scalar.npy"))).shape).toEqual([]);
    expect(toNumbers(await decodeNpy(await fixture("bool.npy")))).toEqual([1, 0, 1]);
    expect(toNumbers(await decodeNpy(await fixture("uint8.npy.gz")))).toEqual([0, 128, 255]);
  });
});

test("what is written is read back, for any type and shape, gzipped or not", async () => {
  const shapes = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(shapes, fc.constantFrom(...dtypes), fc.boolean(), async (shape, dtype, zipped) => {
      const values = Array.from({ length: sizeOf(shape) }, (_, i) => i % 2);
      const t = fromNumbers(dtype as DType, shape, values);
      expect(await decodeNpy(zipped ? await encodeNpyGz(t) : encodeNpy(t))).toEqual(t);
    }),
    { numRuns: 50, seed: 1 },
  );
});

test("a header of 300,000 characters is read", async () => {
  const text = "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }".padEnd(300_000);
  const head = Uint8Array.from(`\x93NUMPY\x02\x00\x00\x00\x00\x00${text}\x07`, (c) => c.charCodeAt(0));
  new DataView(head.buffer).setUint32(8, text.length, true);
  expect(toNumbers(await decodeNpy(head))).toEqual([7]);
});

test("data starts at a multiple of 64 bytes, as NumPy wants it", () => {
  expect(encodeNpy(fromNumbers("float32", [3], [1, 2, 3])).length % 64).toBe(12);
});

describe("damaged files are refused with a reason", () => {
  const good = encodeNpy(fromNumbers("float32", [3], [1, 2, 3]));
  const header = (text: string): Uint8Array => {
    const bytes = Uint8Array.from(`\x93NUMPY\x01\x00\x00\x00${text}`, (c) => c.charCodeAt(0));
    new DataView(bytes.buffer).setUint16(8, text.length, true);
    return bytes;
  };
  test.each([
    ["npy: the file does not start like a .npy file", new Uint8Array(0)],
    ["npy: the file does not start like a .npy file", Uint8Array.of(1, 2, 3)],
    ["npy: the file is cut short in its header", good.subarray(0, 8)],
    ["npy: the file is cut short in its header", good.subarray(0, 40)],
    ["npy: shape [3] needs 12 bytes of data, the file has 8", good.subarray(0, good.length - 4)],
    ["npy: shape [99999999999] needs", header("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999,), }")],
    [
      "npy: the element type must be one of <f4 <f8 <i8 <i4 |u1 |b1 |i1 <i2 <u2 <u4 <f2, got <c8",
      header("{'descr': '<c8', 'fortran_order': False, 'shape': (), }"),
    ],
    [
      "npy: sizes must be whole numbers from 0, got (-3,)",
      header("{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }"),
    ],
    ["npy: the header names no shape", header("{'descr': '<f4'}")],
    ["npy: the gzip data is damaged or cut short", Uint8Array.of(0x1f, 0x8b, 8, 0, 1, 2, 3)],
  ])("%s", async (message, file) => {
    await expect(decodeNpy(file)).rejects.toThrow(message);
  });
});
