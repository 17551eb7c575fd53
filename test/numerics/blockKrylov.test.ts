import { expect, it } from "vitest";
import { leadingByBlocks, type TimesEach } from "../../src/numerics/blockKrylov.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { symmetricEigen } from "../../src/numerics/symmetricEigen.ts";
import { Random } from "../../src/tensor/random.ts";
import { expectClose } from "../support/close.ts";

const pace = paceOf(undefined);

it("one large eigenvalue over many small ones, by products in float32: those of the whole matrix", async () => {
  const n = 300;
  const noise = Random.seeded(3).uniforms(n * n);
  const a = new Float64Array(n * n);
  // About 1 for the vector of ones, then some groups, then what is left of noise.
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++)
      a[i * n + j] = a[j * n + i] = (1 + Number(i % 5 === j % 5) + noise[i * n + j]!) / (1.7 * n);
  }
  let products = 0;
  const times: TimesEach = async (x, y) => {
    products += x.length / n;
    for (let at = 0; at < x.length; at += n) {
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += a[i * n + j]! * Math.fround(x[at + j]!);
        y[at + i] = Math.fround(sum);
      }
    }
  };
  const { values, vectors } = await leadingByBlocks(times, n, 7, { random: Random.seeded(1), pace, residual: 1e-4 });
  const whole = await symmetricEigen(a, n, pace);
  expectClose(values, whole.values.subarray(0, 7), 1e-5);
  expect(products).toBeLessThan(n * 3);
  // The space of the first five, whatever turns equal values have.
  for (let j = 0; j < 5; j++) {
    let inside = 0;
    for (let l = 0; l < 5; l++) {
      let dot = 0;
      for (let i = 0; i < n; i++) dot += vectors[j * n + i]! * whole.vectors[l * n + i]!;
      inside += dot * dot;
    }
    expect(inside).toBeCloseTo(1, 5);
  }
});
