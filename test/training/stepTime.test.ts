import { expect, test } from "vitest";
import { passByFormula, passPlayed } from "../../bench/stepTime.ts";
import { Random } from "../../src/tensor/random.ts";

/** What docs/scale.md reckons with. */
const cluster = { rows: 1e9, batch: 256, step: 0.04, spread: 0, state: 25e6, line: 1.25e9, local: 100 };

test("the formula of a pass is what is played through, where no step is slower than another", () => {
  for (const workers of [1, 2, 8, 64, 256]) {
    const [told, played] = [passByFormula(cluster, workers), passPlayed(cluster, workers, Random.seeded(1))];
    // Only the first state to go up waits for nobody.
    expect(played / told, `${workers}`).toBeCloseTo(1, 6);
  }
  expect(passByFormula(cluster, 1) / 3600).toBeCloseTo(43.4, 1);
});

test("where the line is full, more workers are of no use", () => {
  const full = (cluster.local * cluster.step * cluster.line) / (2 * cluster.state);
  expect(full).toBe(100);
  const pass = (workers: number): number => passPlayed(cluster, workers, Random.seeded(1));
  expect(pass(full)).toBeLessThan(pass(1) / 49);
  // No number of workers is faster than the line: a hundredth of one worker's time here.
  expect(pass(400)).toBeGreaterThan(pass(1) / full);
});

test("all wait for the slowest; while they do, the line takes what the others have", () => {
  const slower = (state: number): number => {
    const [even, uneven] = [0, 0.3].map((spread) => passPlayed({ ...cluster, state, spread }, 16, Random.seeded(1)));
    return uneven! / even!;
  };
  expect(slower(1)).toBeGreaterThan(1.02);
  expect(slower(cluster.state)).toBeLessThan(1);
});
