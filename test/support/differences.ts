/** The gradient of a loss, checked against central finite differences in float64. */

import { expect } from "vitest";
import { gradient } from "../../src/graph/gradient.ts";
import type { Node } from "../../src/graph/node.ts";
import { evaluate, type Value } from "./oracle.ts";

/**
 * Moves every element of every target (or `most` of each, evenly spread) by ±h, and expects the slope to 1e-6 of the
 * largest.
 */
export function expectGradients(
  loss: Node,
  targets: readonly Node[],
  values: ReadonlyMap<Node, Value>,
  n: number,
  { most = Number.POSITIVE_INFINITY, h = 1e-5 } = {},
): void {
  const lossAt = (moved: ReadonlyMap<Node, Value>): number => evaluate([loss], moved, n)[0]!.data[0]!;
  const gradients = evaluate(gradient(loss, targets), values, n);
  targets.forEach((target, t) => {
    const { shape, data } = values.get(target)!;
    const stride = Math.max(1, Math.ceil(data.length / most));
    const exact = gradients[t]!;
    expect(exact.shape).toEqual(shape);
    const scale = Math.max(...exact.data.map(Math.abs), 1e-3);
    for (let i = 0; i < data.length; i += stride) {
      const slope = (lossAt(shifted(values, target, i, h)) - lossAt(shifted(values, target, i, -h))) / (2 * h);
      const error = Math.abs(slope - exact.data[i]!) / scale;
      expect(error, `input ${t}, element ${i}: gradient ${exact.data[i]}, difference quotient ${slope}`).toBeLessThan(
        1e-6,
      );
    }
  });
}

function shifted(values: ReadonlyMap<Node, Value>, target: Node, i: number, by: number): Map<Node, Value> {
  const { shape, data } = values.get(target)!;
  const moved = Float64Array.from(data);
  moved[i]! += by;
  return new Map(values).set(target, { shape, data: moved });
}
