import { test } from "vitest";
import { multiply, square } from "../../src/graph/elementwise.ts";
import { input, type Node, reachable } from "../../src/graph/node.ts";
import { sum } from "../../src/graph/reduce.ts";
import { bind } from "../../src/graph/size.ts";
import {
  type Autoencoder,
  fullyConnected,
  halvingConvolutional,
  pooledConvolutional,
  tellConvolutional,
} from "../../src/nn/autoencoders.ts";
import { batchNorm, trainingPass } from "../../src/nn/layers.ts";
import { meanSquaredError } from "../../src/nn/losses.ts";
import { Random } from "../../src/tensor/random.ts";
import { sizeOf, toNumbers } from "../../src/tensor/tensor.ts";
import { expectGradients } from "../support/differences.ts";
import type { Value } from "../support/oracle.ts";

const random = (): Random => Random.seeded(11);

const networks: Record<string, Autoencoder> = {
  "fully connected": fullyConnected(
    { columns: 7, hidden: [6, 5], latent: 3, activation: "tanh", output: "sigmoid" },
    random(),
  ),
  "fully connected, with dropout before each layer": fullyConnected(
    { columns: 7, hidden: [6, 5], latent: 3, activation: "leakyRelu", code: "unit", dropout: 0.3 },
    random(),
  ),
  "TELL's convolutional, with batch norm": tellConvolutional(
    { channels: 2, height: 5, width: 6, latent: 3, hidden: 8 },
    random(),
  ),
  "DEPICT's convolutional, with dropout": halvingConvolutional(
    { channels: 1, height: 9, width: 8, latent: 3, filters: [3, 2], dropout: 0.2 },
    random(),
  ),
  "convolutional with pooling": pooledConvolutional(
    { channels: 1, height: 9, width: 8, latent: 3, filters: [3, 2], hidden: 6 },
    random(),
  ),
};

test.each(Object.entries(networks))(
  "the loss of a whole autoencoder agrees with finite differences: %s",
  (_name, autoencoder) => {
    const n = 3;
    const x = input("x", ["n", ...autoencoder.row]);
    const pass = trainingPass();
    const loss = meanSquaredError(autoencoder.decode(autoencoder.encode(x, pass), pass), x);
    const values = leavesOf(loss, n);
    expectGradients(loss, [...autoencoder.parameters, x], values, n, { most: 4, h: 1e-6 });
  },
);

test("batch norm's gradient agrees with finite differences at every element, for rows and for images", () => {
  for (const shape of [
    ["n", 3],
    ["n", 3, 2, 2],
  ] as const) {
    const x = input("x", shape);
    const layer = batchNorm("norm", 3);
    const y = layer.apply(x, trainingPass());
    // Σ y and Σ y² of normalized values do not depend on x; their cubes do.
    const loss = sum(multiply(y, square(y)));
    expectGradients(loss, [...layer.parameters, x], leavesOf(loss, 5), 5);
  }
});

/** Random values for the inputs; variables keep their initial ones. */
function leavesOf(loss: Node, n: number): Map<Node, Value> {
  const values = new Map<Node, Value>();
  const random = Random.seeded(5);
  for (const node of reachable([loss])) {
    const shape = bind(node.shape, n);
    if (node.op === "input") values.set(node, { shape, data: Float64Array.from(random.uniforms(sizeOf(shape))) });
    if (node.op === "variable") {
      values.set(node, { shape, data: Float64Array.from(toNumbers(node.attributes.initial)) });
    }
  }
  return values;
}
