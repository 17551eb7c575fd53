import { expect, test } from "vitest";
import { dtypes, filled, float32Of, fromNumbers, tensor, toNumbers } from "../../src/tensor/tensor.ts";

test("a tensor is a shape over a typed array, which is not copied", () => {
  const data = Float32Array.of(1, 2, 3, 4, 5, 6);
  const t = tensor("float32", [2, 3], data);
  data[0] = 9;
  expect(t.data[0]).toBe(9);
});

test("numbers go in and come out of every type", () => {
  expect(toNumbers(fromNumbers("int64", [2], [3, -4]))).toEqual([3, -4]);
  expect(filled("int64", [1], 7).data).toEqual(BigInt64Array.of(7n));
  expect(toNumbers(filled("bool", [3], 1))).toEqual([1, 1, 1]);
});

test.each(dtypes)("%s as float32", (dtype) => {
  const { data } = fromNumbers(dtype, [3], [0, 1, 1]);
  expect(float32Of(data)).toEqual(Float32Array.of(0, 1, 1));
  expect(float32Of(data) === data).toBe(dtype === "float32");
});

test.each([
  ["tensor: shape [2,2] needs 4 elements, got 3", () => tensor("float32", [2, 2], new Float32Array(3))],
  [
    "tensor: float32 needs a Float32Array, got Float64Array",
    () => tensor("float32", [3], new Float64Array(3) as never),
  ],
  ["tensor: sizes must be whole numbers from 0, got [-1]", () => tensor("float32", [-1], new Float32Array(0))],
])("%s", (message, make) => {
  expect(make).toThrow(message);
});
