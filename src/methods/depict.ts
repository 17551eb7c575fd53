/**
 * DEPICT: a softmax on the codes of a denoising network, led to its own sharpened and evened version, while every layer
 * goes on being reconstructed.
 * Ghasedi Dizaji, Herandi, Deng, Cai & Huang, ICCV 2017.
 *
 *   x, z  rows and their codes, from a clean way through the network and from one with dropout
 *   θ, b  the softmax layer [k, d], [k]     p  what it says [n, k]     q  where it is led, kept for every row
 */

import { broadcast, concatenate, gatherRows, reshape } from "../graph/arrange.ts";
import { add, divide, maximum, multiply, negate, sqrt, square, stopGradient, subtract } from "../graph/elementwise.ts";
import { type Node, variable } from "../graph/node.ts";
import { matmul } from "../graph/products.ts";
import { logSumExp, mean, softmax, sum } from "../graph/reduce.ts";
import { nearest, productParts, squaredDistances } from "../nn/distances.ts";
import { inference, type Pass } from "../nn/layers.ts";
import { meanSquaredError } from "../nn/losses.ts";
import { meanReconstruction } from "../nn/reconstruction.ts";
import { lloyd } from "../numerics/kmeans.ts";
import { choice, number, type ValuesOf, whole } from "../options.ts";
import { filled, type Tensor, tensor } from "../tensor/tensor.ts";
import { firstCenters, firstValues } from "../training/firstCenters.ts";
import type { Clustering, Method, Problem } from "../training/method.ts";
import { meansOf, sumsOf, withinLoss } from "./clusterMeans.ts";
import { followByDescent } from "./followByDescent.ts";

const options = {
  target: choice(
    "What p is led to: p²/f, as in the published code, or p/√f, scaled to sum to one; f is how much each cluster has.",
    ["squared", "root"],
    "squared",
  ),
  layers: number("The weight of the hidden layers' reconstruction against that of the row.", 0.1),
  gamma: number("The weight of the clustering loss against reconstruction.", 1),
  renewEvery: whole("Epochs between two renewals of the target.", 1, { from: 1 }),
} as const;

type Options = ValuesOf<typeof options>;

export const depict: Method<typeof options> = {
  name: "depict",
  about: "A softmax on the codes of a denoising network is led to a sharper and more even one.",
  paper:
    "Ghasedi Dizaji, Herandi, Deng, Cai & Huang, Deep Clustering via Joint Convolutional Autoencoder Embedding and Relative Entropy Minimization, ICCV 2017",
  options,
  profiles: {
    paper: {
      ...{ network: "halvingConvolutional", latent: 0, code: "tanh", dropout: 0.1, batch: 100 },
      ...{ pretraining: 100, pretrainingRate: 1e-4, epochs: 100, rate: 1e-4, startRestarts: 40, refill: false },
    },
    practical: {
      ...{ pretraining: 30, epochs: 20, batch: 0, rate: 1e-4, dropout: 0.1, labelChange: 1e-3, restarts: 3 },
      keep: "silhouette",
    },
  },
  holds: ({ clusters }) => ({ perRow: clusters }),
  start: sharpenedSoftmax,
};

/** What a running mean of codes keeps of itself in a step. */
const kept = 0.9;

function sharpenedSoftmax({ options, clusters: k, network, count, random }: Problem<Options>): Clustering {
  const { gamma, start, startRestarts } = options;
  const d = network.latent;
  const theta = variable("theta", tensor("float32", [k, d], random.normals(k * d)));
  const b = variable("b", filled("float32", [k], 0));
  /** The scale of scores: first, how far codes are from their centers. */
  const scale = variable("scores.scale", filled("float32", [], 1));
  /** Running means of the codes of each cluster: where it is, for the softmax says only where it ends. */
  const centers = variable("centers", tensor("float32", [k, d], random.normals(k * d)));
  const q = variable("targets", filled("float32", [count, k], 1 / k));
  const scores = (z: Node): Node => layerScores(z, theta, b, scale);
  const led = { squared: squaredTarget, root: rootTarget }[options.target];

  return {
    centers,
    distances: (z) => surprise(scores(z)),
    parts: (z) => scoreParts(z, theta, b, scale),
    partNames: ["bias"],
    begin({ codes, random }) {
      const found = firstCenters(start, codes, k, random, { restarts: startRestarts });
      if (!found) return new Map();
      const { inertia } = lloyd(codes, found, { iterations: 0 });
      const apart = Math.max((2 * inertia) / codes.shape[0]!, 1e-6);
      return firstValues(
        [centers, found],
        [theta, doubled(found)],
        [b, negatedSquares(found)],
        [scale, filled("float32", [], apart)],
      );
    },
    withCenters: (placed) =>
      new Map<typeof theta, Tensor>([
        [centers, placed],
        [theta, doubled(placed)],
        [b, negatedSquares(placed)],
      ]),
    perRow: {
      variable: q,
      renews: (epoch) => epoch % options.renewEvery === 0,
      value: (z) => softmax(scores(z)),
      combined: led,
    },
    steps: {
      joint({ x, rows, pass, learn }) {
        const noisy = network.encodedBy?.(x, pass) ?? [network.encode(x, pass)];
        const z = noisy.at(-1)!;
        const clustering = crossEntropy(gatherRows(q, rows), scores(z));
        const reconstruction = meanReconstruction(network, z, x, pass);
        const hidden = multiply(hiddenReconstruction(x, z, pass), options.layers);
        const loss = add(multiply(clustering, gamma), add(reconstruction, hidden));
        const { total, size } = sumsOf(nearest(negate(scores(z))), stopGradient(z));
        const followed = add(multiply(centers, kept), multiply(meansOf(total, size, centers), 1 - kept));
        const learned = learn(loss, [...network.parameters, theta, b]);
        return { z, loss, terms: { clustering, reconstruction, hidden }, updates: [...learned, [centers, followed]] };
      },
    },
    follow(z, rate) {
      const { loss, updates } = followByDescent(
        withinLoss(nearest(negate(scores(z))), squaredDistances(z, centers)),
        centers,
        rate,
      );
      const next = updates[0]![1];
      const squares = (rows: Node): Node => sum(square(rows), { axes: [1] });
      return {
        loss,
        updates: [
          ...updates,
          [theta, add(theta, multiply(subtract(next, centers), 2))],
          [b, subtract(b, subtract(squares(next), squares(centers)))],
        ],
      };
    },
  };

  /** Σ over hidden layers of the mean squared difference of what the clean encoder and the decoder have there. */
  function hiddenReconstruction(x: Node, z: Node, pass: Pass): Node {
    const clean = network.encodedBy?.(x, inference).slice(0, -1) ?? [];
    const drawn = network.decodedBy?.(z, pass).slice(0, -1).reverse() ?? [];
    return clean
      .slice(0, drawn.length)
      .map((layer, i) => meanSquaredError(drawn[i]!, layer))
      .reduce((all, each) => add(all, each), multiply(mean(z), 0));
  }
}

/** (θₖᵀz + bₖ)/s: with θ = 2μ and b = −‖μ‖², (‖z‖² − ‖z − μₖ‖²)/s. */
export function layerScores(z: Node, theta: Node, b: Node, scale: Node): Node {
  return divide(add(matmul(z, theta, { transposeB: true }), b), scale);
}

/** −log p, p = softmax of the scores. */
export function surprise(scores: Node): Node {
  return subtract(logSumExp(scores, { axes: [1], keep: true }), scores);
}

/** −θₖᵢzᵢ/s and −bₖ/s: what each number of a code, and the bias, add to −log p, up to something all clusters share. */
export function scoreParts(z: Node, theta: Node, b: Node, scale: Node): Node {
  const weighed = productParts(z, theta);
  const [n, k] = weighed.shape;
  const bias = broadcast(reshape(b, [1, k!, 1]), [n!, k!, 1]);
  return negate(divide(concatenate([weighed, bias], 2), scale));
}

/** q = (p²/f) / Σₖ (p²/f), fₖ = Σᵢ pᵢₖ: as in DEC. */
export function squaredTarget(p: Node): Node {
  return normalized(divide(square(p), maximum(sum(p, { axes: [0], keep: true }), 1e-12)));
}

/** q = (p/√f) / Σₖ (p/√f). */
export function rootTarget(p: Node): Node {
  return normalized(divide(p, sqrt(maximum(sum(p, { axes: [0], keep: true }), 1e-12))));
}

/** −mean over rows of Σₖ q log p. */
export function crossEntropy(q: Node, scores: Node): Node {
  return mean(sum(multiply(q, surprise(scores)), { axes: [1] }));
}

function normalized(rows: Node): Node {
  return divide(rows, maximum(sum(rows, { axes: [1], keep: true }), 1e-30));
}

/** 2μ. */
function doubled({ shape, data }: Tensor<"float32">): Tensor<"float32"> {
  return tensor(
    "float32",
    shape,
    data.map((value) => 2 * value),
  );
}

/** −‖μ‖². */
function negatedSquares({ shape, data }: Tensor<"float32">): Tensor<"float32"> {
  const [k, d] = shape as [number, number];
  const squares = Float32Array.from({ length: k }, (_, j) =>
    data.subarray(j * d, (j + 1) * d).reduce((sum, value) => sum - value * value, 0),
  );
  return tensor("float32", [k], squares);
}
