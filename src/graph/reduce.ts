/** Operations that summarize along axes. Without axes they take all; with `keep` a reduced axis stays with size 1. */

import { reshape, size } from "./arrange.ts";
import { add, divide, exp, log, requireFloat, sqrt, square, stopGradient, subtract } from "./elementwise.ts";
import type { Node } from "./node.ts";
import { resolveAxes, resolveAxis, type Shape } from "./size.ts";

export interface Along {
  axes?: readonly number[];
  keep?: boolean;
}

export const sum = (x: Node, along?: Along): Node => reduce("sum", x, along);
export const max = (x: Node, along?: Along): Node => reduce("max", x, along);

export function mean(x: Node, along: Along = {}): Node {
  return divide(sum(x, along), size(x, along.axes));
}

/** log Σ exp(x), shifted by the largest element so that nothing overflows. */
export function logSumExp(x: Node, along: Along = {}): Node {
  const largest = stopGradient(max(x, { ...along, keep: true }));
  const kept = add(largest, log(sum(exp(subtract(x, largest)), { ...along, keep: true })));
  return along.keep ? kept : reshape(kept, reducedShape(x.shape, axesOf("logSumExp", x, along), false));
}

/** ‖x‖ = √(Σ x² ) along the axes, at least ε so that a zero vector has a gradient. */
export function norm(x: Node, along: Along = {}, epsilon = 1e-12): Node {
  return sqrt(add(sum(square(x), along), epsilon * epsilon));
}

/** exp(xᵢ) / Σ exp(x) along one axis, without overflow. */
export function softmax(x: Node, axis = -1): Node {
  requireFloat("softmax", x);
  const along = resolveAxis("softmax", axis, x.shape.length);
  return { op: "softmax", inputs: [x], attributes: { axis: along }, shape: x.shape, dtype: x.dtype };
}

/** The position of the largest element along an axis; of equals, the first. */
export const argmax = (x: Node, axis = -1): Node => position("argmax", x, axis);
/** The position of the smallest element along an axis; of equals, the first. */
export const argmin = (x: Node, axis = -1): Node => position("argmin", x, axis);

/** A shape after its axes are reduced. */
export function reducedShape(shape: Shape, axes: readonly number[], keep: boolean): Shape {
  return keep ? shape.map((s, axis) => (axes.includes(axis) ? 1 : s)) : shape.filter((_, axis) => !axes.includes(axis));
}

function reduce(op: "sum" | "max", x: Node, along: Along = {}): Node {
  requireFloat(op, x);
  const axes = axesOf(op, x, along);
  if (axes.length === 0) return x;
  const keep = along.keep ?? false;
  return { op, inputs: [x], attributes: { axes, keep }, shape: reducedShape(x.shape, axes, keep), dtype: x.dtype };
}

function axesOf(where: string, x: Node, { axes }: Along): number[] {
  return resolveAxes(where, axes ?? x.shape.map((_, axis) => axis), x.shape.length);
}

function position(op: "argmax" | "argmin", x: Node, axis: number): Node {
  requireFloat(op, x);
  const along = resolveAxis(op, axis, x.shape.length);
  return { op, inputs: [x], attributes: { axis: along }, shape: reducedShape(x.shape, [along], false), dtype: "int64" };
}
