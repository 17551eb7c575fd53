import { describe, expect, test } from "vitest";
import { devices } from "../../src/doors/inside.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { input, type Node } from "../../src/graph/node.ts";
import { binaryCrossEntropy, klDivergence, meanSquaredError, squaredDistance } from "../../src/nn/losses.ts";
import { findDevice } from "../../src/runtime/device.ts";
import { program } from "../../src/runtime/program.ts";
import { Session } from "../../src/runtime/session.ts";
import { fromNumbers, toNumbers } from "../../src/tensor/tensor.ts";
import { type Differentiated, differentiated, expectDifferentiated, inputsOf } from "./differentiated.ts";
import { readFixture } from "./recorded.ts";

type Loss = (a: Node, b: Node) => Node;

const losses: Record<string, Loss> = { meanSquaredError, squaredDistance, binaryCrossEntropy, klDivergence };
const fixture = readFixture<{ losses: (Differentiated & { title: string; kind: string })[] }>("layers.json");
const device = await findDevice(devices, "cpu");

/** The loss of rows with the given shape. */
async function lossOf(loss: Loss, row: readonly number[], a: readonly number[], b: readonly number[]) {
  const [left, right] = [input("a", ["n", ...row]), input("b", ["n", ...row])];
  const session = await Session.open(program({ outputs: { value: loss(left, right) } }), device);
  const columns = row.reduce((product, size) => product * size, 1);
  const rows = (values: readonly number[]) => fromNumbers("float32", [values.length / columns, ...row], values);
  const { value } = await session.run({ a: rows(a), b: rows(b) });
  await session.close();
  return Number(value!.data[0]);
}

describe("a loss and its gradients are PyTorch's:", () => {
  test.each(fixture.losses)("$title", async (record) => {
    const outputs = differentiated(record, (a, b) => losses[record.kind]!(a!, b!));
    const session = await Session.open(program({ outputs }), device);
    expectDifferentiated(await session.run(inputsOf(record)), record);
    await session.close();
  });
});

// PyTorch gives ±10¹² times the loss's own gradient there.
test("binaryCrossEntropy has a finite gradient where y is exactly 0 or 1", async () => {
  const [y, x] = [input("y", [4]), input("x", [4])];
  const [dy] = gradient(binaryCrossEntropy(y, x), [y]);
  const session = await Session.open(program({ outputs: { dy: dy! } }), device);
  const vector = (...values: number[]) => fromNumbers("float32", [4], values);
  const outputs = await session.run({ y: vector(0, 0, 1, 1), x: vector(0, 1, 0, 1) });
  expect(toNumbers(outputs.dy!).every(Number.isFinite)).toBe(true);
  await session.close();
});

describe("by hand,", () => {
  test.each([
    // (1 + 4 + 9 + 16) / 4
    { name: "meanSquaredError", row: [2], a: [1, 2, 3, 4], b: [0, 0, 0, 0], value: 7.5 },
    // (1 + 4 + 9 + 16) / 2
    { name: "squaredDistance", row: [2], a: [1, 2, 3, 4], b: [0, 0, 0, 0], value: 15 },
    { name: "squaredDistance", row: [1, 1, 2], a: [1, 2, 3, 4], b: [1, 2, 3, 2], value: 2 },
    { name: "binaryCrossEntropy", row: [3], a: [0.5, 0.5, 0.5], b: [0, 1, 0.25], value: Math.LN2 },
    { name: "binaryCrossEntropy", row: [2], a: [0, 1], b: [0, 1], value: 0 },
    // −ln 0 counts as 100
    { name: "binaryCrossEntropy", row: [2], a: [0, 1], b: [1, 0], value: 100 },
    { name: "klDivergence", row: [2], a: [0.3, 0.7], b: [0.3, 0.7], value: 0 },
    // 0·ln 0 counts as 0
    { name: "klDivergence", row: [2], a: [1, 0], b: [0.5, 0.5], value: Math.LN2 },
    { name: "klDivergence", row: [2], a: [1, 0], b: [1, 0], value: 0 },
    { name: "klDivergence", row: [2], a: [1, 0, 0.5, 0.5], b: [0.5, 0.5, 0.5, 0.5], value: Math.LN2 / 2 },
  ])("$name of $a and $b is $value", async ({ name, row, a, b, value }) => {
    expect(await lossOf(losses[name]!, row, a, b)).toBeCloseTo(value, 6);
  });
});

test.each(Object.keys(losses))("%s is the same when every row comes twice", async (name) => {
  const [a, b] = [
    [0.25, 0.75, 0.5, 0.5],
    [0.5, 0.5, 0.125, 0.875],
  ] as const;
  const twice = await lossOf(losses[name]!, [2], [...a, ...a], [...b, ...b]);
  expect(twice).toBeCloseTo(await lossOf(losses[name]!, [2], a, b), 6);
});
