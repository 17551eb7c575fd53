import { expect, test } from "vitest";
import { MovingMap } from "../../src/map/movingMap.ts";
import { Random } from "../../src/tensor/random.ts";
import { tensor } from "../../src/tensor/tensor.ts";

const n = 120;

/** Three clouds, each of which is `apart` from the others. */
function codes(apart: number, seed = 1) {
  const random = Random.seeded(seed);
  const data = Float32Array.from(
    { length: 4 * n },
    (_, at) => random.uniform() + random.uniform() - 1 + (at % 4 === (at >> 2) % 3 ? apart : 0),
  );
  return tensor("float32", [n, 4], data);
}

const moved = (one: Float32Array, other: Float32Array): number =>
  Math.sqrt(one.reduce((sum, value, at) => sum + (value - other[at]!) ** 2, 0) / n);

test("the same codes again hardly move, and others move more", async () => {
  const map = new MovingMap();
  const first = await map.next(codes(8));
  for (let i = 0; i < 5; i++) await map.next(codes(8));
  const before = await map.next(codes(8));
  const same = await map.next(codes(8));
  const elsewhere = await map.next(codes(8, 2));
  expect(first).toHaveLength(2 * n);
  expect(moved(before, same)).toBeLessThan(0.2);
  expect(moved(same, elsewhere)).toBeGreaterThan(moved(before, same));
});

test("whoever goes on from kept places sees what has moved since, and no other picture", async () => {
  const map = new MovingMap();
  for (let i = 0; i < 4; i++) await map.next(codes(8));
  const before = await map.next(codes(8));
  // Any turn of a new picture would be as good.
  const turned = Float64Array.from(before, (_, at) => (at % 2 === 0 ? -before[at + 1]! : before[at - 1]!));
  const after = await new MovingMap(0, turned).next(codes(8));
  expect(moved(Float32Array.from(turned), after)).toBeLessThan(0.2);
});

test("clouds that part in the codes part on the map", async () => {
  const map = new MovingMap();
  const spread = (positions: Float32Array): number => {
    const centers = [0, 1, 2].map((cloud) => [0, 1].map((axis) => mean(positions, cloud, axis)));
    const between = Math.hypot(centers[0]![0]! - centers[1]![0]!, centers[0]![1]! - centers[1]![1]!);
    let within = 0;
    for (let i = 0; i < n; i++)
      within += Math.hypot(positions[2 * i]! - centers[i % 3]![0]!, positions[2 * i + 1]! - centers[i % 3]![1]!) / n;
    return between / within;
  };
  const together = spread(await map.next(codes(0)));
  let apart = 0;
  for (const distance of [2, 4, 8, 8, 8, 8]) apart = spread(await map.next(codes(distance)));
  expect(apart).toBeGreaterThan(3 * together);
});

function mean(positions: Float32Array, cloud: number, axis: number): number {
  const own = Array.from({ length: n }, (_, i) => i).filter((i) => i % 3 === cloud);
  return own.reduce((sum, i) => sum + positions[2 * i + axis]!, 0) / own.length;
}

test("it stays finite and about from −1 to 1, also where all codes are one", async () => {
  const map = new MovingMap();
  const flat = tensor("float32", [n, 4], new Float32Array(4 * n));
  for (const next of [flat, codes(3), flat, codes(8)]) {
    expect(Math.max(...(await map.next(next)).map(Math.abs))).toBeLessThan(1.5);
  }
});
