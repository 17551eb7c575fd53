import { describe, expect, test } from "vitest";
import { devices } from "../../src/doors/inside.ts";
import { input } from "../../src/graph/node.ts";
import { corruption, dropout, inference, noise, trainingPass } from "../../src/nn/layers.ts";
import { findDevice } from "../../src/runtime/device.ts";
import { program } from "../../src/runtime/program.ts";
import { Session } from "../../src/runtime/session.ts";
import { Random } from "../../src/tensor/random.ts";
import { filled, toNumbers } from "../../src/tensor/tensor.ts";

const device = await findDevice(devices, "cpu");
const x = input("x", ["n", 50]);
const layers = { dropout, corruption, noise };
type Kind = keyof typeof layers;

/** Two steps of a layer on 200 rows of ones. */
async function twoSteps(kind: Kind, amount: number, seed: number): Promise<[number[], number[]]> {
  const y = layers[kind]("layer", amount).apply(x, trainingPass());
  const session = await Session.open(program({ outputs: { y } }), device);
  const ones = { x: filled("float32", [200, 50], 1) };
  const outputs = await session.runMany([ones, ones], { random: Random.seeded(seed) });
  await session.close();
  return outputs.map(({ y }) => toNumbers(y!)) as [number[], number[]];
}

const average = (values: readonly number[]): number => values.reduce((a, b) => a + b) / values.length;

describe.each(Object.keys(layers) as Kind[])("%s", (kind) => {
  test("draws from the session's random stream: the same seed gives the same steps, another seed others", async () => {
    const steps = await twoSteps(kind, 0.25, 7);
    expect(await twoSteps(kind, 0.25, 7)).toEqual(steps);
    expect(await twoSteps(kind, 0.25, 8)).not.toEqual(steps);
    expect(steps[0]).not.toEqual(steps[1]);
  });

  test("does nothing in inference, nor with an amount of 0", () => {
    expect(layers[kind]("layer", 0.25).apply(x, inference)).toBe(x);
    expect(layers[kind]("layer", 0).apply(x, trainingPass())).toBe(x);
  });
});

describe.each([
  { kind: "dropout", rate: 0.3, kept: 1 / 0.7 },
  { kind: "dropout", rate: 0.75, kept: 4 },
  { kind: "corruption", rate: 0.3, kept: 1 },
] as const)("$kind of $rate", ({ kind, rate, kept }) => {
  test(`drops about ${rate} of the elements and makes the others ${kept.toFixed(2)}`, async () => {
    const [values] = await twoSteps(kind, rate, 7);
    expect(new Set(values)).toEqual(new Set([0, Math.fround(kept)]));
    // Four deviations of √(0.3·0.7/10000).
    expect(Math.abs(average(values.map((value) => Number(value === 0))) - rate)).toBeLessThan(0.019);
  });
});

test("noise of 0.5 has mean 0 and deviation 0.5", async () => {
  const [values] = await twoSteps("noise", 0.5, 7);
  const differences = values.map((value) => value - 1);
  expect(Math.abs(average(differences))).toBeLessThan(0.02);
  expect(Math.sqrt(average(differences.map((difference) => difference ** 2)))).toBeCloseTo(0.5, 1);
});

describe.each(["dropout", "corruption"] as const)("%s", (kind) => {
  test.each([-0.1, 1, 1.5, Number.NaN])("refuses a rate of %s", (rate) => {
    expect(() => layers[kind]("layer", rate)).toThrow(
      new RangeError(`${kind}: the rate must be from 0 to below 1, got ${rate}`),
    );
  });
});
