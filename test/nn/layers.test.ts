import { describe, expect, test } from "vitest";
import { devices } from "../../src/doors/inside.ts";
import { multiply } from "../../src/graph/elementwise.ts";
import { input } from "../../src/graph/node.ts";
import {
  activations,
  type BatchNormOptions,
  batchNorm,
  conv,
  convTranspose,
  corruption,
  dense,
  dropout,
  inference,
  type Layer,
  maxPool,
  trainingPass,
  upsample,
} from "../../src/nn/layers.ts";
import { findDevice } from "../../src/runtime/device.ts";
import { program } from "../../src/runtime/program.ts";
import { Session } from "../../src/runtime/session.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, toNumbers } from "../../src/tensor/tensor.ts";
import { type Differentiated, differentiated, expectDifferentiated, inputsOf } from "./differentiated.ts";
import { expectRecorded, type Recorded, type RecordedAll, readFixture, toState, toTensor } from "./recorded.ts";

interface Options {
  readonly from: number;
  readonly to: number;
  readonly kernel: number;
  readonly stride: number;
  readonly padding: number;
  readonly outputPadding: number | [number, number];
  readonly factor: number;
  readonly rate: number;
}

interface LayerRecord extends Differentiated {
  readonly title: string;
  readonly kind: string;
  readonly options: Options;
  readonly state: RecordedAll;
}

interface BatchNormRecord {
  readonly title: string;
  readonly channels: number;
  readonly options: BatchNormOptions;
  readonly state: RecordedAll;
  readonly steps: readonly [Differentiated, ...Differentiated[]];
  readonly running: RecordedAll;
  readonly inference: { readonly x: Recorded; readonly output: Recorded };
}

const fixture = readFixture<{ layers: LayerRecord[]; batchNorm: BatchNormRecord[] }>("layers.json");
const device = await findDevice(devices, "cpu");
const random = Random.seeded(1);

const build: Record<string, (options: Options) => Layer> = {
  dense: ({ from, to }) => dense("layer", from, to, random),
  conv: (options) => conv("layer", options, random, { stride: options.stride, padding: options.padding }),
  convTranspose: ({ stride, padding, outputPadding, ...sizes }) =>
    convTranspose("layer", sizes, random, { stride, padding, outputPadding }),
  maxPool: ({ factor }) => maxPool(factor),
  upsample: ({ factor }) => upsample(factor),
  dropout: ({ rate }) => dropout("layer", rate),
  corruption: ({ rate }) => corruption("layer", rate),
  ...Object.fromEntries(Object.entries(activations).map(([name, layer]) => [name, () => layer])),
};

describe("a layer's output and gradients are PyTorch's:", () => {
  test.each(fixture.layers)("$title", async (record) => {
    const layer = build[record.kind]!(record.options);
    const outputs = differentiated(record, (x) => layer.apply(x!, trainingPass()));
    const session = await Session.open(program({ outputs }), device);
    await session.state.load(toState(record.state));
    expectDifferentiated(await session.run(inputsOf(record)), record);
    await session.close();
  });
});

describe.each(fixture.batchNorm)("batch norm of $title", (record) => {
  const { channels, options, state, steps, running, inference: after } = record;
  const layer = batchNorm("layer", channels, options);

  test("trains with each batch's statistics, and infers with the running ones, as PyTorch does", async () => {
    const pass = trainingPass();
    const outputs = differentiated(steps[0], (x) => layer.apply(x!, pass));
    const training = await Session.open(program({ outputs, updates: pass.updates }), device);
    await training.state.load(toState(state));
    const results = await training.runMany(steps.map(inputsOf));
    steps.forEach((step, i) => {
      expectDifferentiated(results[i]!, step);
    });
    expectRecorded(await training.state.save(), running);

    const x = input("x", ["n", ...after.x.shape.slice(1)]);
    const formulas = program({ outputs: { output: layer.apply(x, inference) } });
    const inferring = await Session.open(formulas, device, { state: training.state });
    const result = await inferring.run({ x: toTensor(after.x) });
    expectRecorded(new Map(Object.entries(result)), { output: after.output });
    await training.close();
    await inferring.close();
  });

  test("asks for no updates in inference", () => {
    layer.apply(input("x", ["n", ...after.x.shape.slice(1)]), inference);
    expect(inference.updates).toEqual([]);
  });
});

test("a layer that is used twice draws twice, and its running statistics take both in turn", async () => {
  const x = input("x", ["n", 2]);
  const pass = trainingPass();
  const [drop, normed] = [dropout("drop", 0.5), batchNorm("norm", 2, { momentum: 0.5 })];
  const outputs = { first: drop.apply(x, pass), second: drop.apply(x, pass) };
  normed.apply(x, pass);
  normed.apply(multiply(x, 3), pass);
  const session = await Session.open(program({ outputs, updates: pass.updates }), device);
  const rows = fromNumbers("float32", [64, 2], Array(128).fill(2));
  const { first, second } = await session.run({ x: rows }, { random: Random.seeded(1) });
  expect(toNumbers(first!)).not.toEqual(toNumbers(second!));
  // 0.5·(0.5·0 + 0.5·2) + 0.5·6
  expect(toNumbers(await session.state.read("norm.mean"))).toEqual([3.5, 3.5]);
});
