/**
 * Sizes and shapes of formulas.
 *
 * A size is a number, or a multiple of n, the number of rows in the batch: "n", "49n". So one formula serves any number
 * of rows, and a shape reads as it prints: [n,784].
 */

export type Size = number | "n" | `${number}n`;
export type Shape = readonly Size[];

export function show(shape: Shape): string {
  return `[${shape.join(",")}]`;
}

/** How many times n a size is; 0 for a plain number. */
function timesBatch(size: Size): number {
  if (typeof size === "number") return 0;
  return size === "n" ? 1 : Number(size.slice(0, -1));
}

/** n as often as said: 49 times is "49n". */
export function batch(times: number): Size {
  return times === 1 ? "n" : `${times}n`;
}

export function isWhole(size: number): boolean {
  return Number.isSafeInteger(size) && size >= 0;
}

export function isBatch(size: Size): size is Exclude<Size, number> {
  return typeof size !== "number";
}

export function isStatic(shape: Shape): shape is readonly number[] {
  return !shape.some(isBatch);
}

/** The number of elements in a shape, itself a size: [n,7,7] has 49n. */
export function product(shape: Shape): Size {
  let times = 0;
  let plain = 1;
  for (const size of shape) {
    if (typeof size === "number") plain *= size;
    else if (times) throw new RangeError(`shape: only one size may depend on n, got ${show(shape)}`);
    else times = timesBatch(size);
  }
  return times ? batch(times * plain) : plain;
}

/** The size, and the shape, for a batch of n rows. */
export function bindSize(size: Size, n: number): number {
  return typeof size === "number" ? size : timesBatch(size) * n;
}
export function bind(shape: Shape, n: number): number[] {
  return shape.map((size) => bindSize(size, n));
}

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((size, axis) => size === b[axis]);
}

/** The shape that two operands take together: axes are matched from the right, and a size of 1 stretches. */
export function broadcastShapes(where: string, a: Shape, b: Shape): Shape {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, axis): Size => {
    const left = a[axis - rank + a.length] ?? 1;
    const right = b[axis - rank + b.length] ?? 1;
    if (left === right || right === 1) return left;
    if (left === 1) return right;
    throw new RangeError(`${where}: shapes do not broadcast, got ${show(a)} and ${show(b)}`);
  });
}

/** An axis may be counted from the end (−1 is the last); the result counts from the start. */
export function resolveAxis(where: string, axis: number, rank: number): number {
  if (!Number.isInteger(axis) || axis < -rank || axis >= rank) {
    throw new RangeError(`${where}: axis must be from ${-rank} to ${rank - 1}, got ${axis}`);
  }
  return axis < 0 ? axis + rank : axis;
}

/** Several axes, in ascending order. */
export function resolveAxes(where: string, axes: readonly number[], rank: number): number[] {
  const resolved = axes.map((axis) => resolveAxis(where, axis, rank));
  if (new Set(resolved).size !== axes.length) {
    throw new RangeError(`${where}: axes must differ, got [${axes}]`);
  }
  return resolved.sort((a, b) => a - b);
}
