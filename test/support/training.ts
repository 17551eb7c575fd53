/** Small trainings for the tests of the runtime. */

import { gradient } from "../../src/graph/gradient.ts";
import { input } from "../../src/graph/node.ts";
import { type Autoencoder, fullyConnected, tellConvolutional } from "../../src/nn/autoencoders.ts";
import { trainingPass } from "../../src/nn/layers.ts";
import { meanSquaredError } from "../../src/nn/losses.ts";
import { adam, type Optimizer } from "../../src/nn/optimizers.ts";
import { type Program, program } from "../../src/runtime/program.ts";
import type { Values } from "../../src/runtime/session.ts";
import { Random } from "../../src/tensor/random.ts";
import { filled, sizeOf, tensor } from "../../src/tensor/tensor.ts";

/** A dense network with dropout, so that every step draws random numbers. */
export function denseWithDropout(seed: number): Autoencoder {
  const sizes = { columns: 20, hidden: [16, 12], latent: 3, output: "sigmoid", dropout: 0.2 } as const;
  return fullyConnected(sizes, Random.seeded(seed));
}

export function smallConvolutional(seed: number): Autoencoder {
  return tellConvolutional({ channels: 1, height: 6, width: 6, latent: 3, hidden: 8 }, Random.seeded(seed));
}

/** One training step of an autoencoder: forward, backward, optimizer. */
export function trainingStep(autoencoder: Autoencoder, optimizer: Optimizer = adam()): Program {
  const x = input("x", ["n", ...autoencoder.row]);
  const rate = input("rate", []);
  const pass = trainingPass();
  const loss = meanSquaredError(autoencoder.decode(autoencoder.encode(x, pass), pass), x);
  const gradients = gradient(loss, autoencoder.parameters);
  return program({
    outputs: { loss },
    updates: [...optimizer(autoencoder.parameters, gradients, rate), ...pass.updates],
  });
}

/** Batches of random rows. */
export function batches(autoencoder: Autoencoder, count: number, { rows = 8, rate = 1e-2, seed = 5 } = {}): Values[] {
  const random = Random.seeded(seed);
  const shape = [rows, ...autoencoder.row];
  return Array.from({ length: count }, () => ({
    x: tensor("float32", shape, random.uniforms(sizeOf(shape))),
    rate: filled("float32", [], rate),
  }));
}

export const losses = (outputs: readonly Values[]): number[] => outputs.map(({ loss }) => Number(loss!.data[0]));
