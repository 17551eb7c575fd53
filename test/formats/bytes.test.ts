import { expect, test } from "vitest";
import { asBytes, isGzip, joined, latin1Bytes, latin1Text, tensorOfBytes } from "../../src/formats/bytes.ts";

test("every byte is the character of its number, and back", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  // Also from 0x80 to 0x9f, where a browser's decoder called latin1 gives quotes and the euro.
  expect([...latin1Text(bytes)].map((character) => character.charCodeAt(0))).toEqual([...bytes]);
  expect(latin1Bytes(latin1Text(bytes))).toEqual(bytes);
});

test("numbers are read from any byte on, as a copy", () => {
  const file = joined([Uint8Array.of(7), asBytes(Float64Array.of(1.5, -2)), Uint8Array.of(9)]);
  const { data, shape } = tensorOfBytes("float64", [2, 1], file.subarray(1, 17));
  expect([...data]).toEqual([1.5, -2]);
  expect(shape).toEqual([2, 1]);
  file.fill(0);
  expect(data[0]).toBe(1.5);
});

test("the bytes of a part of an array are that part's", () => {
  const numbers = Int32Array.of(1, 2, 3);
  expect([...asBytes(numbers.subarray(1, 2))]).toEqual([2, 0, 0, 0]);
});

test("a gzip file is known by its first two bytes", () => {
  expect([[0x1f, 0x8b, 8], [0x1f], [], [0x50, 0x4b]].map((head) => isGzip(Uint8Array.from(head)))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
