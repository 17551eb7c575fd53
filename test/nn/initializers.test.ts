import { describe, expect, test } from "vitest";
import {
  heUniform,
  type Initializer,
  kaimingUniform,
  uniformBetween,
  xavierUniform,
  zeros,
} from "../../src/nn/initializers.ts";
import { conv, convTranspose, dense, type Layer } from "../../src/nn/layers.ts";
import { Random } from "../../src/tensor/random.ts";
import { type Tensor, toNumbers } from "../../src/tensor/tensor.ts";

const fan = { in: 40, out: 60 };
const shape = [40, 60];
const draw = (initializer: Initializer, seed: number): Tensor => initializer(Random.seeded(seed), shape, fan);
const largest = (values: readonly number[]): number => Math.max(...values.map(Math.abs));

describe.each([
  { name: "kaimingUniform", initializer: kaimingUniform, limit: 1 / Math.sqrt(40) },
  { name: "heUniform", initializer: heUniform, limit: Math.sqrt(6 / 40) },
  { name: "xavierUniform", initializer: xavierUniform, limit: Math.sqrt(6 / 100) },
  { name: "uniformBetween −0.05 and 0.05", initializer: uniformBetween(-0.05, 0.05), limit: 0.05 },
])("$name", ({ initializer, limit }) => {
  test(`fills the whole range from −${limit.toFixed(3)} to ${limit.toFixed(3)} evenly`, () => {
    const values = toNumbers(draw(initializer, 3));
    expect(values).toHaveLength(2400);
    expect(largest(values)).toBeLessThanOrEqual(Math.fround(limit));
    expect(Math.min(...values)).toBeLessThan(-0.99 * limit);
    expect(Math.max(...values)).toBeGreaterThan(0.99 * limit);
    for (const quarter of [-1, -0.5, 0, 0.5]) {
      const inside = values.filter((value) => value >= quarter * limit && value < (quarter + 0.5) * limit);
      // A quarter of 2400, give or take four deviations of √(2400·¼·¾).
      expect(Math.abs(inside.length - 600)).toBeLessThan(85);
    }
  });

  test("draws the same weights from the same seed, and others from another", () => {
    expect(draw(initializer, 3)).toEqual(draw(initializer, 3));
    expect(draw(initializer, 3)).not.toEqual(draw(initializer, 4));
  });
});

test("zeros are zeros, and draw nothing", () => {
  const random = Random.seeded(3);
  expect(toNumbers(zeros(random, [2, 3], fan))).toEqual([0, 0, 0, 0, 0, 0]);
  expect(random.state.position).toBe(0);
});

const window = { from: 8, to: 50, kernel: 3 };
type Build = (random: Random, options?: { weight: Initializer; bias: Initializer }) => Layer;

describe.each<{ kind: string; build: Build; shape: number[]; limit: number }>([
  { kind: "dense", build: (r, o) => dense("a", 16, 50, r, o), shape: [16, 50], limit: 1 / 4 },
  { kind: "conv", build: (r, o) => conv("a", window, r, o), shape: [50, 8, 3, 3], limit: 1 / Math.sqrt(8 * 9) },
  // PyTorch takes the second axis of [from,to,kernel,kernel] for the number of inputs.
  {
    kind: "convTranspose",
    build: (r, o) => convTranspose("a", window, r, o),
    shape: [8, 50, 3, 3],
    limit: 1 / Math.sqrt(50 * 9),
  },
])("$kind", ({ build, shape, limit }) => {
  const initial = (layer: Layer) => layer.parameters.map(({ attributes }) => attributes.initial);

  test(`draws weights [${shape}] and 50 biases within PyTorch's bound ${limit.toFixed(4)}`, () => {
    const [weight, bias] = initial(build(Random.seeded(3))) as [Tensor, Tensor];
    expect(weight.shape).toEqual(shape);
    expect(bias.shape).toEqual([50]);
    for (const values of [toNumbers(weight), toNumbers(bias)]) {
      expect(largest(values)).toBeLessThanOrEqual(Math.fround(limit));
      expect(largest(values)).toBeGreaterThan(0.9 * limit);
    }
  });

  test("takes other initializers for its weight and its bias", () => {
    const [weight, bias] = initial(build(Random.seeded(3), { weight: uniformBetween(-0.01, 0.01), bias: zeros }));
    expect(largest(toNumbers(weight!))).toBeLessThanOrEqual(Math.fround(0.01));
    expect(largest(toNumbers(weight!))).toBeGreaterThan(0.009);
    expect(largest(toNumbers(bias!))).toBe(0);
  });
});
