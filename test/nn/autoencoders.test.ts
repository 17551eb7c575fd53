import { describe, expect, test } from "vitest";
import { devices } from "../../src/doors/inside.ts";
import { input, reachable } from "../../src/graph/node.ts";
import {
  type Autoencoder,
  type FullyConnectedOptions,
  fullyConnected,
  pooledConvolutional,
  tellConvolutional,
} from "../../src/nn/autoencoders.ts";
import { inference, trainingPass } from "../../src/nn/layers.ts";
import { findDevice } from "../../src/runtime/device.ts";
import { program } from "../../src/runtime/program.ts";
import { Session } from "../../src/runtime/session.ts";
import { Random } from "../../src/tensor/random.ts";
import { filled, fromNumbers, sizeOf, type Tensor, toNumbers } from "../../src/tensor/tensor.ts";
import { losses, trainingStep } from "../support/training.ts";
import { expectNumbers, expectRecorded, type Recorded, readFixture, toTensor } from "./recorded.ts";

const builders = { fullyConnected, tellConvolutional, pooledConvolutional };

/** Evenly spaced elements of a tensor, and the mean square of all. */
interface Sampled {
  readonly every: number;
  readonly data: readonly number[];
  readonly meanSquare: number;
}

interface AutoencoderRecord {
  readonly kind: keyof typeof builders;
  readonly options: never;
  /** How large each weight may be at the start, in the order in which they are filled. */
  readonly limits: Readonly<Record<string, number>>;
  /**
   * Biases before batch norm, which PyTorch did not train and we do not either: they have no true gradient, and Adam
   * would scale up its rounding noise to whole steps, which the running means would then show.
   */
  readonly frozen: readonly string[];
  readonly batches: readonly Recorded[];
  readonly losses: readonly number[];
  readonly final: Readonly<Record<string, Sampled>>;
  readonly code: Recorded;
  readonly reconstruction: Recorded;
}

const { cases } = readFixture<{ cases: AutoencoderRecord[] }>("autoencoders.json");
const device = await findDevice(devices, "cpu");

/** Numbers from −1 to 1 by Park & Miller's generator, as fixtures/make_fixtures.py draws them. */
function* minimalStandard(): Generator<number, never> {
  for (let x = (20 * 48271) % 2147483647; ; x = (x * 48271) % 2147483647) yield (2 * x) / 2147483647 - 1;
}

function startingWeights({ parameters }: Autoencoder, limits: AutoencoderRecord["limits"]): Map<string, Tensor> {
  const stream = minimalStandard();
  const shapes = new Map(parameters.map(({ attributes, shape }) => [attributes.name, shape as number[]]));
  return new Map(
    Object.entries(limits).map(([name, limit]) => {
      const shape = shapes.get(name)!;
      const values = Array.from({ length: sizeOf(shape) }, () => stream.next().value * limit);
      return [name, fromNumbers("float32", shape, values)];
    }),
  );
}

function sampled(tensor: Tensor, every: number): Sampled {
  const numbers = toNumbers(tensor);
  const meanSquare = numbers.reduce((total, value) => total + value ** 2, 0) / numbers.length;
  return { every, data: numbers.filter((_, i) => i % every === 0), meanSquare };
}

describe.each(cases)("$kind", (record) => {
  const autoencoder = builders[record.kind](record.options, Random.seeded(1));

  test("trains for twenty steps and then encodes and decodes as in PyTorch", async () => {
    const trained = autoencoder.parameters.filter(({ attributes }) => !record.frozen.includes(attributes.name));
    const training = await Session.open(trainingStep({ ...autoencoder, parameters: trained }), device);
    await training.state.load(startingWeights(autoencoder, record.limits));
    const rate = filled("float32", [], 1e-3);
    const batches = record.batches.map((batch) => ({ x: toTensor(batch), rate }));
    const steps = record.losses.map((_, i) => batches[i % batches.length]!);
    expectNumbers("the loss of each step", losses(await training.runMany(steps)), record.losses);
    for (const [name, expected] of Object.entries(record.final)) {
      const ours = sampled(await training.state.read(name), expected.every);
      expectNumbers(name, ours.data, expected.data);
      expectNumbers(`the mean square of ${name}`, [ours.meanSquare], [expected.meanSquare]);
    }

    const x = input("x", ["n", ...autoencoder.row]);
    const code = autoencoder.encode(x, inference);
    const outputs = { code, reconstruction: autoencoder.decode(code, inference) };
    const inferring = await Session.open(program({ outputs }), device, { state: training.state });
    const results = await inferring.run({ x: toTensor(record.batches[0]!) });
    expectRecorded(new Map(Object.entries(results)), { code: record.code, reconstruction: record.reconstruction });
    await training.close();
    await inferring.close();
  });

  test("has a weight for each name that PyTorch has, and no other", () => {
    const statistics = /\.(mean|variance)$/;
    const names = Object.keys(record.final).filter((name) => !statistics.test(name));
    expect(autoencoder.parameters.map(({ attributes }) => attributes.name).sort()).toEqual(names.sort());
  });
});

describe("fullyConnected draws its dropout", () => {
  const sizes: FullyConnectedOptions = { columns: 4, hidden: [3, 3], latent: 2, dropout: 0.5 };

  test.each([
    { where: "before", widths: [4, 3, 3] },
    { where: "after", widths: [3, 3, 2] },
  ] as const)("$where the encoder's layers, for $widths elements a row", ({ where, widths }) => {
    const autoencoder = fullyConnected({ ...sizes, dropoutAt: where }, Random.seeded(1));
    const pass = trainingPass();
    const output = autoencoder.decode(autoencoder.encode(input("x", ["n", 4]), pass), pass);
    const drawn = reachable([output]).flatMap((node) =>
      node.op === "input" && node.attributes.draw ? [[node.attributes.name, node.shape[1]]] : [],
    );
    const expected = widths.map((width, i) => [`encoder.${i}.dropout.uniform`, width]);
    expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(expected));
  });
});

test("pooledConvolutional refuses images that pooling leaves nothing of", () => {
  const sizes = { channels: 1, height: 3, width: 8, latent: 2 };
  expect(() => pooledConvolutional(sizes, Random.seeded(1))).toThrow("images must be 4×4 or larger, got 3×8");
});
