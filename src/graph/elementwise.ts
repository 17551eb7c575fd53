/** Operations that work element by element, with broadcasting, and the choices between elements. */

import { type DType, isFloat } from "../tensor/tensor.ts";
import { constant, type Node, type Primitive, type Primitives } from "./node.ts";
import { broadcastShapes } from "./size.ts";

/** A node, or a number that takes the type of the other operand. */
export type Operand = Node | number;

type BinaryOp = "add" | "subtract" | "multiply" | "divide" | "power" | "minimum" | "maximum";
type CompareOp = "equal" | "less" | "greater";
type UnaryOp = "negate" | "exp" | "log" | "sqrt" | "abs" | "sign" | "isPositive" | "relu" | "sigmoid" | "tanh";

const binary =
  (op: BinaryOp) =>
  (a: Operand, b: Operand): Node =>
    combine(op, a, b);
const compare =
  (op: CompareOp) =>
  (a: Operand, b: Operand): Node =>
    combine(op, a, b, "bool");
const unary =
  (op: UnaryOp) =>
  (x: Node): Node => {
    requireFloat(op, x);
    return each(op, x, {});
  };

export const add = binary("add");
export const subtract = binary("subtract");
export const multiply = binary("multiply");
export const divide = binary("divide");
/** a to the power b; the gradient for b needs a > 0. */
export const power = binary("power");
export const minimum = binary("minimum");
export const maximum = binary("maximum");

export const equal = compare("equal");
export const less = compare("less");
export const greater = compare("greater");

export const negate = unary("negate");
export const exp = unary("exp");
export const log = unary("log");
export const sqrt = unary("sqrt");
export const abs = unary("abs");
export const sign = unary("sign");
/** 1 where x > 0, else 0. (What float32 holds only roughly, below 10⁻³⁸, may give something in between.) */
export const isPositive = unary("isPositive");
export const relu = unary("relu");
export const sigmoid = unary("sigmoid");
export const tanh = unary("tanh");

export const square = (x: Node): Node => multiply(x, x);

/** x where x > 0, slope·x elsewhere. */
export function leakyRelu(x: Node, slope = 0.01): Node {
  requireFloat("leakyRelu", x);
  return each("leakyRelu", x, { slope });
}

/** a where the condition holds, b elsewhere. */
export function where(condition: Node, a: Operand, b: Operand): Node {
  if (condition.dtype !== "bool") {
    throw new TypeError(`where: the condition must be bool, got ${condition.dtype}`);
  }
  const [left, right] = operands("where", a, b);
  const shape = broadcastShapes("where", condition.shape, broadcastShapes("where", left.shape, right.shape));
  return { op: "where", inputs: [condition, left, right], attributes: {}, shape, dtype: left.dtype };
}

export function cast(x: Node, dtype: DType): Node {
  if (x.dtype === dtype) return x;
  return { op: "cast", inputs: [x], attributes: { dtype }, shape: x.shape, dtype };
}

/** The same value, through which no gradient flows. */
export function stopGradient(x: Node): Node {
  return each("stopGradient", x, {});
}

function combine(op: BinaryOp | CompareOp, a: Operand, b: Operand, dtype?: DType): Node {
  const inputs = operands(op, a, b);
  if (inputs[0].dtype === "bool" && op !== "equal") throw new TypeError(`${op}: needs numbers, got bool`);
  const shape = broadcastShapes(op, inputs[0].shape, inputs[1].shape);
  return { op, inputs, attributes: {}, shape, dtype: dtype ?? inputs[0].dtype };
}

function operands(op: string, a: Operand, b: Operand): [Node, Node] {
  const dtype = typeof a !== "number" ? a.dtype : typeof b !== "number" ? b.dtype : "float32";
  const [left, right] = [a, b].map((operand) => {
    if (typeof operand !== "number") return operand;
    if (!isFloat(dtype) && !Number.isInteger(operand)) {
      throw new TypeError(`${op}: a number beside ${dtype} must be whole, got ${operand}`);
    }
    return constant(operand, dtype);
  }) as [Node, Node];
  if (left.dtype !== right.dtype) {
    throw new TypeError(`${op}: types differ, got ${left.dtype} and ${right.dtype}`);
  }
  return [left, right];
}

export function requireFloat(where: string, x: Node): void {
  if (!isFloat(x.dtype)) throw new TypeError(`${where}: needs float32 or float64, got ${x.dtype}`);
}

function each<P extends Primitive>(op: P, x: Node, attributes: Primitives[P]): Node<P> {
  return { op, inputs: [x], attributes, shape: x.shape, dtype: x.dtype };
}
