/** How each primitive is written in ONNX's standard operations. */

import type { Node } from "../graph/node.ts";
import type { Inputs, Primitive } from "../graph/primitives.ts";
import { imageShape } from "../graph/products.ts";
import { bindSize, isStatic, type Shape } from "../graph/size.ts";
import { type Attribute, dataTypes, type OnnxGraph } from "../onnx/write.ts";
import { filled, fromNumbers } from "../tensor/tensor.ts";
import { lowerConv, lowerConvTranspose, lowerConvWeight } from "./convolution.ts";
import { lowerMatmul } from "./product.ts";
import type { Target } from "./target.ts";

/** Adds a primitive's ONNX nodes to a graph and returns the name of the result. */
type Lowering<P extends Primitive> = (at: Place, node: Node<P>, inputs: Inputs<P, string>) => string;

/**
 * Where nodes are written to: the graph, the hardware it is for, and this step's number of rows as an int64 vector of
 * one element.
 */
export interface Place {
  readonly graph: OnnxGraph;
  readonly target: Target;
  readonly rows: () => string;
}

const same =
  (op: string, attributes?: Record<string, Attribute>): Lowering<Primitive> =>
  ({ graph }, _node, inputs) =>
    graph.node(op, inputs, attributes);

const placedByCompile = (): never => {
  throw new Error("lowering: inputs, variables and stretching are compile's own");
};

/** Repeats a value until it has the shape. */
export function stretch(at: Place, value: string, shape: Shape): string {
  return at.graph.node("Expand", [value, vector(at, shape)]);
}

/** Writes a node whose inputs have these names. */
export function lower<P extends Primitive>(at: Place, node: Node<P>, inputs: Inputs<P, string>): string {
  return lowerings[node.op](at, node, inputs);
}

/** One entry per primitive. A missing one does not compile. */
const lowerings: { readonly [P in Primitive]: Lowering<P> } = {
  input: placedByCompile,
  variable: placedByCompile,
  constant: ({ graph }, { attributes }) => graph.constant(attributes.value),

  add: same("Add"),
  subtract: same("Sub"),
  multiply: same("Mul"),
  divide: same("Div"),
  power: same("Pow"),
  minimum: same("Min"),
  maximum: same("Max"),

  negate: same("Neg"),
  exp: same("Exp"),
  log: same("Log"),
  sqrt: same("Sqrt"),
  abs: same("Abs"),
  sign: same("Sign"),
  relu: same("Relu"),
  // 3·10³⁸·x, held between 0 and 1: one pass, where a comparison and a cast are two. Full float32 numbers are above
  // 10⁻³⁸.
  isPositive: ({ graph }, { dtype }, [x]) =>
    dtype === "float32"
      ? graph.node("HardSigmoid", [x], { alpha: { float: 3e38 }, beta: { float: 0 } })
      : graph.node("Cast", [graph.node("Greater", [x, graph.constant(filled(dtype, [], 0))])], {
          to: dataTypes[dtype],
        }),
  leakyRelu: ({ graph }, { attributes }, x) => graph.node("LeakyRelu", x, { alpha: { float: attributes.slope } }),
  sigmoid: same("Sigmoid"),
  tanh: same("Tanh"),

  equal: same("Equal"),
  less: same("Less"),
  greater: same("Greater"),
  where: same("Where"),

  cast: ({ graph }, { attributes }, x) => graph.node("Cast", x, { to: dataTypes[attributes.dtype] }),
  stopGradient: (_at, _node, [x]) => x,
  size: (at, { inputs, attributes, dtype }) => {
    const counted = vector(at, inputs[0].shape.slice(attributes.axis, attributes.axis + 1));
    const scalar = at.graph.node("Squeeze", [counted, at.graph.integers([0])]);
    return at.graph.node("Cast", [scalar], { to: dataTypes[dtype] });
  },

  reshape: ({ graph }, { attributes }, [x]) => {
    // At most one size depends on n, and ONNX can infer one.
    const shape = attributes.shape.map((size) => (typeof size === "number" ? size : -1));
    return graph.node("Reshape", [x, graph.integers(shape)]);
  },
  broadcast: placedByCompile,
  transpose: ({ graph }, { attributes }, x) => graph.node("Transpose", x, { perm: attributes.permutation }),
  slice: ({ graph }, { attributes }, [x]) => {
    const axes = attributes.ends.flatMap((end, axis) => (Number.isFinite(end) ? [axis] : []));
    const at = (positions: readonly number[]) => graph.integers(positions.filter((_, axis) => axes.includes(axis)));
    return graph.node("Slice", [x, at(attributes.starts), at(attributes.ends), graph.integers(axes)]);
  },
  concatenate: ({ graph }, { attributes }, parts) => graph.node("Concat", parts, { axis: attributes.axis }),
  pad: ({ graph }, { attributes: { before, after, value }, dtype }, [x]) =>
    graph.node("Pad", [x, graph.integers([...before, ...after]), graph.constant(filled(dtype, [], value))]),
  gatherRows: ({ graph }, _node, inputs) => graph.node("Gather", inputs, { axis: 0 }),
  // Compared with 0, 1, …, depth−1: ONNX's own OneHot exists for fewer types and devices.
  oneHot: ({ graph }, { attributes: { depth }, dtype, inputs }, [index]) => {
    const column = graph.node("Unsqueeze", [index, graph.integers([-1])]);
    const positions = fromNumbers(
      inputs[0].dtype,
      [depth],
      Array.from({ length: depth }, (_, i) => i),
    );
    return graph.node("Cast", [graph.node("Equal", [column, graph.constant(positions)])], { to: dataTypes[dtype] });
  },

  sum: ({ graph }, { inputs, attributes: { axes, keep } }, [x]) => {
    const total = (of: string, along: readonly number[]) =>
      graph.node("ReduceSum", [of, graph.integers(along)], { keepdims: Number(keep) });
    // Around axes that stay, in two stages: ONNX Runtime is several times faster on each than on both.
    const inner = axes.filter((axis) => axis > 0);
    const rank = inputs[0].shape.length;
    const around = axes[0] === 0 && inner.length > 0 && axes.length < rank && inner.at(-1) === rank - 1;
    return around ? total(total(x, inner), [0]) : total(x, axes);
  },
  max: ({ graph }, { attributes: { axes, keep } }, x) => graph.node("ReduceMax", x, { axes, keepdims: Number(keep) }),
  argmax: ({ graph }, { attributes }, x) => graph.node("ArgMax", x, { axis: attributes.axis, keepdims: 0 }),
  argmin: ({ graph }, { attributes }, x) => graph.node("ArgMin", x, { axis: attributes.axis, keepdims: 0 }),
  softmax: ({ graph }, { attributes }, x) => graph.node("Softmax", x, { axis: attributes.axis }),

  matmul: ({ graph, target }, node, names) => lowerMatmul(graph, target, node, names),
  conv2d: ({ graph }, node, names) => lowerConv(graph, node, names),
  convTranspose2d: ({ graph, target }, node, names) => lowerConvTranspose(graph, target, node, names),
  conv2dWeight: ({ graph, target }, node, names) => lowerConvWeight(graph, target, node, names),
  maxPool2d: ({ graph }, { attributes: { factor } }, x) =>
    graph.node("MaxPool", x, { kernel_shape: [factor, factor], strides: [factor, factor] }),
  // The square's positions one after the other: the first that equals the maximum takes dy.
  maxPool2dGradient: ({ graph }, { inputs, attributes: { factor }, dtype }, [x, y, dy]) => {
    const [, , height, width] = imageShape("maxPool2dGradient", inputs[0]);
    const zero = graph.constant(filled(dtype, [], 0));
    let left = dy;
    const parts: string[] = [];
    for (let i = 0; i < factor; i++) {
      for (let j = 0; j < factor; j++) {
        const steps = graph.integers([factor, factor]);
        const ends = graph.integers([height, width]);
        const element = graph.node("Slice", [x, graph.integers([i, j]), ends, graph.integers([2, 3]), steps]);
        const largest = graph.node("Equal", [element, y]);
        parts.push(graph.node("Where", [largest, left, zero]));
        left = graph.node("Where", [largest, zero, left]);
      }
    }
    // [n, position·c, h, w] to [n, c, h·factor, w·factor]
    return graph.node("DepthToSpace", [graph.node("Concat", parts, { axis: 1 })], { blocksize: factor });
  },
  upsample2d: ({ graph }, { attributes: { factor } }, [x]) => {
    const scales = graph.constant(fromNumbers("float32", [4], [1, 1, factor, factor]));
    return graph.node("Resize", [x, "", scales], {
      mode: "nearest",
      coordinate_transformation_mode: "asymmetric",
      nearest_mode: "floor",
    });
  },
};

/** Sizes as an int64 vector, computed at run time where they depend on n. */
function vector(at: Place, shape: Shape): string {
  const { graph } = at;
  if (isStatic(shape)) return graph.integers(shape);
  const parts = shape.map((size) => {
    if (typeof size === "number") return graph.integers([size]);
    const times = bindSize(size, 1);
    return times === 1 ? at.rows() : graph.node("Mul", [at.rows(), graph.integers([times])]);
  });
  const [only, ...more] = parts;
  return only && more.length === 0 ? only : graph.node("Concat", parts, { axis: 0 });
}
