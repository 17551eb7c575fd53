/** Numbers that should be nearly equal. */

import { expect } from "vitest";

/** |a − b| ≤ tolerance·max(1, |b|) for every element; says which is not, with both values. */
export function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) {
    const [a, b] = [actual[i]!, expected[i]!];
    const close = Object.is(a, b) || Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b));
    if (!close) expect.fail(`element ${i}: got ${a}, expected ${b} within ${tolerance}`);
  }
}
