import { expect, test } from "vitest";
import { aligned } from "../../src/numerics/procrustes.ts";

/** A shape without symmetry. */
const shape = Float64Array.from([0, 0, 4, 0, 4, 1, 1, 3, -2, 2]);

/** Turned, mirrored, scaled and moved. */
function changed({ angle = 0, mirror = 1, scale = 1, x = 0, y = 0 }): Float64Array {
  return shape.map((_, at) => {
    const [px, py] = [shape[2 * (at >> 1)]!, mirror * shape[2 * (at >> 1) + 1]!];
    const turned =
      at % 2 === 0 ? px * Math.cos(angle) - py * Math.sin(angle) : px * Math.sin(angle) + py * Math.cos(angle);
    return scale * turned + (at % 2 === 0 ? x : y);
  });
}

test.each([
  { angle: 1 },
  { angle: -2.5, x: 10, y: -3 },
  { mirror: -1 },
  { angle: 0.7, mirror: -1, scale: 5, x: 1, y: 2 },
  { scale: 0.01 },
])("what was moved, turned, mirrored and scaled lies on itself again: %j", (change) => {
  aligned(changed(change), shape).forEach((value, at) => {
    expect(value).toBeCloseTo(shape[at]!, 9);
  });
});

test("of all turns it is the best: any other one is farther away", () => {
  const noisy = shape.map((value, at) => value + Math.sin(5 * at));
  const apart = (positions: Float64Array): number =>
    positions.reduce((sum, value, at) => sum + (value - shape[at]!) ** 2, 0);
  const best = aligned(noisy, shape);
  const mean = [0, 1].map((axis) => best.filter((_, at) => at % 2 === axis).reduce((a, b) => a + b, 0) / 5);
  for (const angle of [-0.2, -0.01, 0.01, 0.2]) {
    const turned = best.map((_, at) => {
      const [x, y] = [best[2 * (at >> 1)]! - mean[0]!, best[2 * (at >> 1) + 1]! - mean[1]!];
      return at % 2 === 0
        ? x * Math.cos(angle) - y * Math.sin(angle) + mean[0]!
        : x * Math.sin(angle) + y * Math.cos(angle) + mean[1]!;
    });
    expect(apart(turned)).toBeGreaterThan(apart(best));
  }
});

test("positions that are all one stay where the others are", () => {
  expect([...aligned(new Float64Array(10).fill(3), shape)].every(Number.isFinite)).toBe(true);
});
