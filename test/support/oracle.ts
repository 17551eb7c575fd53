/**
 * A small, plain float64 evaluator of every primitive: slow, obvious, and independent of ONNX. The oracle of the tests.
 */

import { mapInputs, type Node, reachable } from "../../src/graph/node.ts";
import type { Attributes, Elementwise, Inputs, Primitive, Taking } from "../../src/graph/primitives.ts";
import { bind } from "../../src/graph/size.ts";
import { sizeOf, toNumbers } from "../../src/tensor/tensor.ts";

export interface Value {
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

interface Call<P extends Primitive> {
  /** The shape of the result. */
  readonly shape: readonly number[];
  readonly attributes: Attributes<P>;
}

type Kernel<P extends Primitive> = (call: Call<P>, inputs: Inputs<P, Value>) => Float64Array | number[];

/**
 * Values of the nodes for a batch of n rows, given those of inputs and variables (variables default to their initial
 * value).
 */
export function evaluate(nodes: readonly Node[], leaves: ReadonlyMap<Node, Value>, n: number): Value[] {
  const values = new Map<Node, Value>(leaves);
  for (const node of reachable(nodes)) {
    if (values.has(node)) continue;
    const shape = bind(node.shape, n);
    const data = Float64Array.from(compute(node, shape, values));
    if (data.length !== sizeOf(shape))
      throw new Error(`oracle: ${node.op} gave ${data.length} elements for [${shape}]`);
    values.set(node, { shape, data });
  }
  return nodes.map((node) => values.get(node)!);
}

function compute<P extends Primitive>(
  node: Node<P>,
  shape: readonly number[],
  values: ReadonlyMap<Node, Value>,
): Float64Array | number[] {
  const { attributes } = node;
  return kernels[node.op](
    { shape, attributes },
    mapInputs(node, (x) => values.get(x)!),
  );
}

const kernels: { [P in Primitive]: Kernel<P> } = {
  input: ({ attributes }) => {
    throw new Error(`oracle: no value for ${attributes.name}`);
  },
  variable: ({ attributes }) => toNumbers(attributes.initial),
  constant: ({ attributes }) => toNumbers(attributes.value),

  add: binary((a, b) => a + b),
  subtract: binary((a, b) => a - b),
  multiply: binary((a, b) => a * b),
  divide: binary((a, b) => a / b),
  power: binary((a, b) => a ** b),
  minimum: binary(Math.min),
  maximum: binary(Math.max),

  negate: unary((x) => -x),
  exp: unary(Math.exp),
  log: unary(Math.log),
  sqrt: unary(Math.sqrt),
  abs: unary(Math.abs),
  sign: unary(Math.sign),
  isPositive: unary((x) => Number(x > 0)),
  relu: unary((x) => Math.max(x, 0)),
  leakyRelu: ({ attributes: { slope } }, [x]) => x.data.map((v) => (v > 0 ? v : slope * v)),
  sigmoid: unary((x) => 1 / (1 + Math.exp(-x))),
  tanh: unary(Math.tanh),

  equal: binary((a, b) => Number(a === b)),
  less: binary((a, b) => Number(a < b)),
  greater: binary((a, b) => Number(a > b)),
  where: ({ shape }, [condition, a, b]) => fill(shape, (index) => (at(condition, index) ? at(a, index) : at(b, index))),

  cast: ({ attributes: { dtype } }, [x]) =>
    x.data.map((v) => (dtype === "bool" ? Number(v !== 0) : dtype.startsWith("float") ? v : Math.trunc(v))),
  stopGradient: unary((x) => x),
  size: ({ attributes: { axis } }, [x]) => [x.shape[axis]!],

  reshape: unary((x) => x),
  broadcast: ({ shape }, [x]) => fill(shape, (index) => at(x, index)),
  transpose: ({ shape, attributes: { permutation } }, [x]) =>
    fill(shape, (index) =>
      at(
        x,
        permutation.map((_, axis) => index[permutation.indexOf(axis)]!),
      ),
    ),
  slice: ({ shape, attributes: { starts } }, [x]) =>
    fill(shape, (index) =>
      at(
        x,
        index.map((i, axis) => i + starts[axis]!),
      ),
    ),
  concatenate: ({ shape, attributes: { axis } }, parts) =>
    fill(shape, (index) => {
      let position = index[axis]!;
      const part = parts.find((candidate) => {
        if (position < candidate.shape[axis]!) return true;
        position -= candidate.shape[axis]!;
        return false;
      })!;
      return at(part, index.with(axis, position));
    }),
  pad: ({ shape, attributes: { before, value } }, [x]) =>
    fill(shape, (index) => {
      const source = index.map((i, axis) => i - before[axis]!);
      return source.every((i, axis) => i >= 0 && i < x.shape[axis]!) ? at(x, source) : value;
    }),
  gatherRows: ({ shape }, [table, index]) => fill(shape, ([row, ...rest]) => at(table, [index.data[row!]!, ...rest])),
  oneHot: ({ shape }, [index]) =>
    fill(shape, (position) => Number(at(index, position.slice(0, -1)) === position.at(-1))),

  sum: ({ shape, attributes: { axes } }, [x]) => reduce(shape, axes, x, (values) => values.reduce((a, b) => a + b, 0)),
  max: ({ shape, attributes: { axes } }, [x]) => reduce(shape, axes, x, (values) => Math.max(...values)),
  argmax: ({ shape, attributes: { axis } }, [x]) =>
    reduce(shape, [axis], x, (values) => values.indexOf(Math.max(...values))),
  argmin: ({ shape, attributes: { axis } }, [x]) =>
    reduce(shape, [axis], x, (values) => values.indexOf(Math.min(...values))),
  softmax: ({ shape, attributes: { axis } }, [x]) =>
    fill(shape, (index) => {
      const along = Array.from({ length: shape[axis]! }, (_, i) => at(x, index.with(axis, i)));
      const largest = Math.max(...along);
      return Math.exp(at(x, index) - largest) / along.reduce((total, v) => total + Math.exp(v - largest), 0);
    }),

  matmul: ({ shape, attributes: { transposeA, transposeB } }, [a, b]) => {
    const inner = a.shape.at(transposeA ? -2 : -1)!;
    return fill(shape, (index) => {
      const batch = index.slice(0, -2);
      const [row, column] = index.slice(-2) as [number, number];
      let total = 0;
      for (let i = 0; i < inner; i++) {
        total +=
          at(a, [...batch, ...(transposeA ? [i, row] : [row, i])]) *
          at(b, [...batch, ...(transposeB ? [column, i] : [i, column])]);
      }
      return total;
    });
  },
  conv2d: ({ shape, attributes }, [x, w, bias]) => {
    const y = fill(shape, (index) => bias?.data[index[1]!] ?? 0);
    everyTerm(x.shape, w.shape, shape, attributes, (xi, wi, yi) => {
      y[yi]! += x.data[xi]! * w.data[wi]!;
    });
    return y;
  },
  convTranspose2d: ({ shape, attributes }, [y, w, bias]) => {
    const x = fill(shape, (index) => bias?.data[index[1]!] ?? 0);
    everyTerm(shape, w.shape, y.shape, attributes, (xi, wi, yi) => {
      x[xi]! += y.data[yi]! * w.data[wi]!;
    });
    return x;
  },
  conv2dWeight: ({ shape, attributes }, [x, y]) => {
    const w = new Float64Array(sizeOf(shape));
    everyTerm(x.shape, shape, y.shape, attributes, (xi, wi, yi) => {
      w[wi]! += x.data[xi]! * y.data[yi]!;
    });
    return w;
  },
  maxPool2d: ({ shape, attributes: { factor } }, [x]) =>
    fill(shape, (index) => Math.max(...square(x, index, factor).map(([, v]) => v))),
  maxPool2dGradient: ({ shape, attributes: { factor } }, [x, y, dy]) => {
    const dx = new Float64Array(sizeOf(shape));
    everyIndex(y.shape, (index, position) => {
      const [first] = square(x, index, factor).find(([, v]) => v === y.data[position])!;
      dx[first] = dy.data[position]!;
    });
    return dx;
  },
  upsample2d: ({ shape, attributes: { factor } }, [x]) =>
    fill(shape, ([b, c, h, w]) => at(x, [b!, c!, Math.floor(h! / factor), Math.floor(w! / factor)])),
};

function unary(f: (x: number) => number): Kernel<Taking<"one">> {
  return (_call, [x]) => x.data.map((v) => f(v));
}

function binary(f: (a: number, b: number) => number): Kernel<Elementwise<"two">> {
  return ({ shape }, [a, b]) => fill(shape, (index) => f(at(a, index), at(b, index)));
}

/** The element at an index of a shape that x was broadcast to. */
function at(x: Value, index: readonly number[]): number {
  return x.data[offset(x.shape, index)]!;
}

function offset(shape: readonly number[], index: readonly number[]): number {
  const extra = index.length - shape.length;
  return shape.reduce((total, size, axis) => total * size + (size === 1 ? 0 : index[axis + extra]!), 0);
}

function everyIndex(shape: readonly number[], visit: (index: number[], position: number) => void): void {
  const index = shape.map(() => 0);
  for (let position = 0; position < sizeOf(shape); position++) {
    visit([...index], position);
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index[axis]! += 1;
      if (index[axis]! < shape[axis]!) break;
      index[axis] = 0;
    }
  }
}

function fill(shape: readonly number[], element: (index: number[]) => number): Float64Array {
  const out = new Float64Array(sizeOf(shape));
  everyIndex(shape, (index, position) => {
    out[position] = element(index);
  });
  return out;
}

function reduce(
  shape: readonly number[],
  axes: readonly number[],
  x: Value,
  summarize: (values: number[]) => number,
): number[] {
  const groups = Array.from({ length: sizeOf(shape) }, (): number[] => []);
  const kept = x.shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
  everyIndex(x.shape, (index, position) => groups[offset(kept, index)]!.push(x.data[position]!));
  return groups.map(summarize);
}

/** Visits every term x·w·y of the convolution: y[n,o,h,w] sums x[n,c,s·h+i−p,s·w+j−p]·w[o,c,i,j]. */
function everyTerm(
  x: readonly number[],
  w: readonly number[],
  y: readonly number[],
  { stride, padding }: { stride: number; padding: number },
  visit: (x: number, w: number, y: number) => void,
): void {
  const [batch, channels, height, width] = x as [number, number, number, number];
  const [outputs, , kernelHeight, kernelWidth] = w as [number, number, number, number];
  let yi = 0;
  for (let n = 0; n < batch; n++) {
    for (let o = 0; o < outputs; o++) {
      for (let h = 0; h < y[2]!; h++) {
        for (let v = 0; v < y[3]!; v++, yi++) {
          for (let c = 0; c < channels; c++) {
            for (let i = 0; i < kernelHeight; i++) {
              const row = h * stride + i - padding;
              if (row < 0 || row >= height) continue;
              for (let j = 0; j < kernelWidth; j++) {
                const column = v * stride + j - padding;
                if (column < 0 || column >= width) continue;
                const xi = ((n * channels + c) * height + row) * width + column;
                visit(xi, ((o * channels + c) * kernelHeight + i) * kernelWidth + j, yi);
              }
            }
          }
        }
      }
    }
  }
}

/** The positions and values of one pooling square, in reading order. */
function square(x: Value, [n, c, h, w]: readonly number[], factor: number): [number, number][] {
  return Array.from({ length: factor * factor }, (_, k) => {
    const position = offset(x.shape, [n!, c!, h! * factor + Math.floor(k / factor), w! * factor + (k % factor)]);
    return [position, x.data[position]!];
  });
}
