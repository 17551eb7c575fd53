/** Operations that move elements without computing with them. */

import { type DType, isFloat } from "../tensor/tensor.ts";
import { multiply } from "./elementwise.ts";
import { constant, type Node } from "./node.ts";
import {
  batch,
  bindSize,
  broadcastShapes,
  isBatch,
  isWhole,
  product,
  resolveAxes,
  resolveAxis,
  type Shape,
  type Size,
  sameShape,
  show,
} from "./size.ts";

/** The same elements in another shape. One size may be −1: it is what remains. */
export function reshape(x: Node, shape: readonly (Size | -1)[]): Node {
  if (shape.some((size) => typeof size === "number" && size !== -1 && !isWhole(size))) {
    throw new RangeError(
      `reshape: sizes must be whole numbers from 0, multiples of n or one -1, got [${shape.join(",")}]`,
    );
  }
  const full = shape.includes(-1) ? completed(x, shape) : (shape as Shape);
  if (product(full) !== product(x.shape)) {
    throw new RangeError(
      `reshape: ${show(x.shape)} has ${product(x.shape)} elements, ${show(full)} has ${product(full)}`,
    );
  }
  if (sameShape(full, x.shape)) return x;
  return { op: "reshape", inputs: [x], attributes: { shape: full }, shape: full, dtype: x.dtype };
}

function completed(x: Node, shape: readonly (Size | -1)[]): Shape {
  const known = shape.filter((size) => size !== -1);
  const total = product(x.shape);
  const rest = product(known);
  const fail = () => new RangeError(`reshape: ${show(x.shape)} does not divide into [${shape.join(",")}]`);
  if (known.length !== shape.length - 1) {
    throw new RangeError(`reshape: only one size may be -1, got [${shape.join(",")}]`);
  }
  // With n = 1 sizes become numbers; what remains depends on n if the total does and the known sizes do not.
  const [totalAtOne, restAtOne] = [bindSize(total, 1), bindSize(rest, 1)];
  if (restAtOne === 0 || totalAtOne % restAtOne !== 0) throw fail();
  if (isBatch(rest) && !isBatch(total)) throw fail();
  const remaining = totalAtOne / restAtOne;
  const missing = isBatch(total) && !isBatch(rest) ? batch(remaining) : remaining;
  return shape.map((size) => (size === -1 ? missing : size));
}

/** Everything after the first axis in one: [n,16,7,7] becomes [n,784]. */
export function flatten(x: Node): Node {
  return reshape(x, [x.shape[0] ?? 1, product(x.shape.slice(1))]);
}

/** x repeated along axes of size 1, and along new axes in front, until it has the shape. */
export function broadcast(x: Node, shape: Shape): Node {
  if (sameShape(x.shape, shape)) return x;
  if (!sameShape(broadcastShapes("broadcast", x.shape, shape), shape)) {
    throw new RangeError(`broadcast: ${show(x.shape)} does not stretch to ${show(shape)}`);
  }
  return { op: "broadcast", inputs: [x], attributes: { shape }, shape, dtype: x.dtype };
}

/** The axes in another order; without one, reversed. */
export function transpose(x: Node, permutation?: readonly number[]): Node {
  const order = permutation ?? x.shape.map((_, axis) => x.shape.length - 1 - axis);
  if (resolveAxes("transpose", order, x.shape.length).length !== x.shape.length || order.some((a) => a < 0)) {
    throw new RangeError(`transpose: needs each axis of ${show(x.shape)} once, got [${order}]`);
  }
  if (order.every((axis, i) => axis === i)) return x;
  const shape = order.map((axis) => x.shape[axis]!);
  return { op: "transpose", inputs: [x], attributes: { permutation: order }, shape, dtype: x.dtype };
}

/** Elements `start` to before `end` along one axis; a negative bound counts from the end. */
export function slice(x: Node, axis: number, start: number, end?: number): Node {
  const along = resolveAxis("slice", axis, x.shape.length);
  const size = x.shape[along];
  if (typeof size !== "number") {
    throw new RangeError(`slice: axis ${axis} of ${show(x.shape)} depends on n and has no fixed positions`);
  }
  const from = start < 0 ? start + size : start;
  const to = end === undefined ? size : end < 0 ? end + size : end;
  if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from < to && to <= size)) {
    throw new RangeError(
      `slice: needs 0 ≤ start < end ≤ ${size} on axis ${axis} of ${show(x.shape)}, got ${start} to ${end ?? size}`,
    );
  }
  if (from === 0 && to === size) return x;
  // An axis that is kept whole runs to infinity, so that one that depends on n needs no number.
  const starts = x.shape.map((_, i) => (i === along ? from : 0));
  const ends = x.shape.map((_, i) => (i === along ? to : Number.POSITIVE_INFINITY));
  const shape = x.shape.map((s, i) => (i === along ? to - from : s));
  return { op: "slice", inputs: [x], attributes: { starts, ends }, shape, dtype: x.dtype };
}

/** Nodes side by side along one axis; the other sizes must agree. */
export function concatenate(nodes: readonly Node[], axis: number): Node {
  const first = nodes[0];
  if (!first) throw new RangeError("concatenate: needs at least one node, got none");
  const along = resolveAxis("concatenate", axis, first.shape.length);
  let total = 0;
  for (const { shape, dtype } of nodes) {
    const fits = shape.length === first.shape.length && shape.every((s, i) => i === along || s === first.shape[i]);
    if (!fits) {
      throw new RangeError(
        `concatenate: shapes differ outside axis ${axis}, got ${show(first.shape)} and ${show(shape)}`,
      );
    }
    if (dtype !== first.dtype) throw new TypeError(`concatenate: types differ, got ${first.dtype} and ${dtype}`);
    const size = shape[along];
    if (typeof size !== "number") {
      throw new RangeError(`concatenate: axis ${axis} of ${show(shape)} depends on n and cannot be joined`);
    }
    total += size;
  }
  if (nodes.length === 1) return first;
  const shape = first.shape.map((s, i) => (i === along ? total : s));
  return { op: "concatenate", inputs: nodes, attributes: { axis: along }, shape, dtype: first.dtype };
}

/** `before` and `after` more elements of one value along each axis. */
export function pad(x: Node, before: readonly number[], after: readonly number[], value = 0): Node {
  const valid = (amounts: readonly number[]) =>
    amounts.length === x.shape.length && amounts.every((amount) => Number.isInteger(amount) && amount >= 0);
  if (!valid(before) || !valid(after)) {
    throw new RangeError(
      `pad: needs a whole number from 0 for each axis of ${show(x.shape)}, got [${before}] and [${after}]`,
    );
  }
  const shape = x.shape.map((size, axis) => {
    const more = before[axis]! + after[axis]!;
    if (more === 0) return size;
    if (typeof size === "number") return size + more;
    throw new RangeError(`pad: axis ${axis} of ${show(x.shape)} depends on n and cannot be padded`);
  });
  if (sameShape(shape, x.shape)) return x;
  return { op: "pad", inputs: [x], attributes: { before, after, value }, shape, dtype: x.dtype };
}

/** Row `index[i]` of a table for each i: [m,d] and [n] give [n,d]. Indices are from 0 to below m. */
export function gatherRows(table: Node, index: Node): Node {
  if (table.shape.length === 0) throw new RangeError("gatherRows: the table needs rows, got a scalar");
  const [count, ...others] = index.shape;
  if (count === undefined || others.length > 0) {
    throw new RangeError(`gatherRows: the index must have one axis, got ${show(index.shape)}`);
  }
  requireInteger("gatherRows", index);
  const shape = [count, ...table.shape.slice(1)];
  return { op: "gatherRows", inputs: [table, index], attributes: {}, shape, dtype: table.dtype };
}

/** 1 at the position that each index names, 0 elsewhere: [n] gives [n,depth]. */
export function oneHot(index: Node, depth: number, dtype: DType = "float32"): Node {
  requireInteger("oneHot", index);
  if (!Number.isInteger(depth) || depth < 1) {
    throw new RangeError(`oneHot: the depth must be a whole number from 1, got ${depth}`);
  }
  if (!isFloat(dtype)) throw new TypeError(`oneHot: gives float32 or float64, got ${dtype}`);
  return { op: "oneHot", inputs: [index], attributes: { depth }, shape: [...index.shape, depth], dtype };
}

/**
 * How many elements x has along the axes (by default all), as a scalar of x's type; known only at run time if it
 * depends on n.
 */
export function size(x: Node, axes?: readonly number[]): Node {
  const along = resolveAxes("size", axes ?? x.shape.map((_, axis) => axis), x.shape.length);
  const counted = x.shape.filter((_, axis) => along.includes(axis));
  const fixed = counted.filter((size) => typeof size === "number").reduce((product, size) => product * size, 1);
  // Each axis that depends on n counts by itself, so that two of them are no difficulty.
  return x.shape
    .flatMap((size, axis) => (isBatch(size) && along.includes(axis) ? [axis] : []))
    .map((axis): Node => ({ op: "size", inputs: [x], attributes: { axis }, shape: [], dtype: x.dtype }))
    .reduce<Node>((product, rows) => multiply(product, rows), constant(fixed, x.dtype));
}

function requireInteger(where: string, index: Node): void {
  if (index.dtype !== "int64" && index.dtype !== "int32") {
    throw new TypeError(`${where}: the index must be int32 or int64, got ${index.dtype}`);
  }
}
