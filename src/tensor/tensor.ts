/** A tensor: a shape and a typed array in row-major order. */

/** The typed array behind each element type. Booleans are bytes, 0 or 1. */
export interface ArrayOf {
  float32: Float32Array;
  float64: Float64Array;
  int64: BigInt64Array;
  int32: Int32Array;
  uint8: Uint8Array;
  bool: Uint8Array;
}

export type DType = keyof ArrayOf;

export interface Tensor<D extends DType = DType> {
  readonly dtype: D;
  readonly shape: readonly number[];
  readonly data: ArrayOf[D];
}

const arrays: { [D in DType]: new (size: number) => ArrayOf[D] } = {
  float32: Float32Array,
  float64: Float64Array,
  int64: BigInt64Array,
  int32: Int32Array,
  uint8: Uint8Array,
  bool: Uint8Array,
};

export const dtypes = Object.keys(arrays) as readonly DType[];

/** The number of elements in a shape. */
export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

export function isFloat(dtype: DType): dtype is "float32" | "float64" {
  return dtype === "float32" || dtype === "float64";
}

/** An empty typed array for `size` elements of a type. */
export function allocate<D extends DType>(dtype: D, size: number): ArrayOf[D] {
  return new arrays[dtype](size);
}

/** The elements as float32: themselves if they are, else a copy. */
export function float32Of(data: ArrayOf[DType]): Float32Array {
  if (data instanceof Float32Array) return data;
  // Float32Array.from would collect them in a list first: forty times slower, and no list is longer than 2²⁷.
  if (!(data instanceof BigInt64Array)) return new Float32Array(data);
  const numbers = new Float32Array(data.length);
  for (let i = 0; i < data.length; i++) numbers[i] = Number(data[i]);
  return numbers;
}

/** A tensor over `data`, which is not copied. */
export function tensor<D extends DType>(dtype: D, shape: readonly number[], data: ArrayOf[D]): Tensor<D> {
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0)) {
    throw new RangeError(`tensor: sizes must be whole numbers from 0, got [${shape}]`);
  }
  if (!(data instanceof arrays[dtype])) {
    throw new TypeError(
      `tensor: ${dtype} needs a ${arrays[dtype].name}, got ${(data as object)?.constructor?.name ?? typeof data}`,
    );
  }
  if (sizeOf(shape) !== data.length) {
    throw new RangeError(`tensor: shape [${shape}] needs ${sizeOf(shape)} elements, got ${data.length}`);
  }
  return { dtype, shape, data };
}

/** A tensor of one value, written as a number whatever the type. */
export function filled<D extends DType>(dtype: D, shape: readonly number[], value: number): Tensor<D> {
  const data = allocate(dtype, sizeOf(shape));
  if (data instanceof BigInt64Array) data.fill(BigInt(value));
  else data.fill(value);
  return tensor(dtype, shape, data);
}

/** A tensor of the given numbers, converted to the type. */
export function fromNumbers<D extends DType>(dtype: D, shape: readonly number[], values: ArrayLike<number>): Tensor<D> {
  const data = allocate(dtype, values.length);
  if (data instanceof BigInt64Array) {
    for (let i = 0; i < values.length; i++) data[i] = BigInt(values[i]!);
  } else data.set(values);
  return tensor(dtype, shape, data);
}

/** The elements as ordinary numbers. */
export function toNumbers(t: Tensor): number[] {
  return Array.from(t.data as ArrayLike<number | bigint>, Number);
}

/** The given rows of a tensor, in that order. */
export function takeRows<D extends "float32" | "float64">(all: Tensor<D>, rows: Int32Array): Tensor<D> {
  const [, ...row] = all.shape;
  const width = sizeOf(row);
  const data = allocate(all.dtype, rows.length * width);
  rows.forEach((from, to) => {
    data.set(all.data.subarray(from * width, (from + 1) * width), to * width);
  });
  return tensor(all.dtype, [rows.length, ...row], data);
}
