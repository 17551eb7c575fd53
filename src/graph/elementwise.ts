/** Operations that work element by element, with broadcasting, and the choices between elements. */

import { type DType, isFloat } from "../tensor/tensor.ts";
import { constant, type Node } from "./node.ts";
import type { Elementwise } from "./primitives.ts";
import { broadcastShapes } from "./size.ts";

/** A node, or a number that takes the type of the other operand. */
export type Operand = Node | number;

type Comparison = "equal" | "less" | "greater";

const binary =
  (op: Exclude<Elementwise<"two">, Comparison>) =>
  (a: Operand, b: Operand): Node =>
    combine(op, a, b);
const compare =
  (op: Comparison) =>
  (a: Operand, b: Operand): Node =>
    combine(op, a, b, "bool");
const unary =
  (op: Exclude<Elementwise<"one">, "leakyRelu" | "cast">) =>
  (x: Node): Node => {
    requireFloat(op, x);
    return { op, inputs: [x], attributes: {}, shape: x.shape, dtype: x.dtype };
  };

export const add = binary("add");
export const subtract = binary("subtract");
export const multiply = binary("multiply");
export const divide = binary("divide");
/** a to the power b; the gradient for b needs a ≥ 0. At a = 0, a⁰ = 1 has slope 0 in a, and 0ᵇ slope 0 in b ≥ 0. */
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
  return { op: "leakyRelu", inputs: [x], attributes: { slope }, shape: x.shape, dtype: x.dtype };
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
  return { op: "stopGradient", inputs: [x], attributes: {}, shape: x.shape, dtype: x.dtype };
}

function combine(op: Elementwise<"two">, a: Operand, b: Operand, dtype?: DType): Node {
  const [left, right] = operands(op, a, b);
  if (left.dtype === "bool" && op !== "equal") throw new TypeError(`${op}: needs numbers, got bool`);
  const shape = broadcastShapes(op, left.shape, right.shape);
  return { op, inputs: [left, right], attributes: {}, shape, dtype: dtype ?? left.dtype };
}

function operands(op: string, a: Operand, b: Operand): [Node, Node] {
  const dtype = typeof a !== "number" ? a.dtype : typeof b !== "number" ? b.dtype : "float32";
  const node = (operand: Operand): Node => {
    if (typeof operand !== "number") return operand;
    if (!isFloat(dtype) && !Number.isInteger(operand)) {
      throw new TypeError(`${op}: a number beside ${dtype} must be whole, got ${operand}`);
    }
    return constant(operand, dtype);
  };
  const [left, right] = [node(a), node(b)];
  if (left.dtype !== right.dtype) {
    throw new TypeError(`${op}: types differ, got ${left.dtype} and ${right.dtype}`);
  }
  return [left, right];
}

export function requireFloat(where: string, x: Node): void {
  if (!isFloat(x.dtype)) throw new TypeError(`${where}: needs float32 or float64, got ${x.dtype}`);
}
