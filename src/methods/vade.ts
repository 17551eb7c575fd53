/**
 * VaDE: a variational autoencoder whose codes come from a mixture of normal distributions, one for each cluster.
 * Jiang, Zheng, Tan, Tang & Zhou, IJCAI 2017.
 *
 *   x        rows                                      μ̃, σ̃²  what the encoder says of a code: mean and variance
 *   [n, d]
 *   z        a code, drawn: μ̃ + σ̃·ε                   γ      how likely each cluster is for it [n, k]
 *   π, μ, σ²  weights [k], means and variances [k, d] of the mixture
 */

import { broadcast, concatenate, flatten, reshape } from "../graph/arrange.ts";
import { add, exp, log, maximum, multiply, negate, subtract } from "../graph/elementwise.ts";
import { input, type Node, variable } from "../graph/node.ts";
import { max, mean, softmax, sum } from "../graph/reduce.ts";
import { product } from "../graph/size.ts";
import type { Autoencoder } from "../nn/autoencoders.ts";
import { nearest, squaredDistances, squaredParts } from "../nn/distances.ts";
import { type Initializer, xavierUniform } from "../nn/initializers.ts";
import { dense, inference, noise, type Pass } from "../nn/layers.ts";
import { binaryCrossEntropy } from "../nn/losses.ts";
import { summedReconstruction } from "../nn/reconstruction.ts";
import { diagonalMixture } from "../numerics/diagonalMixture.ts";
import { choice, number, type ValuesOf } from "../options.ts";
import { filled, sizeOf, type Tensor, tensor } from "../tensor/tensor.ts";
import { firstCenters, firstValues } from "../training/firstCenters.ts";
import type { Clustering, Method, Problem } from "../training/method.ts";
import { withinLoss } from "./clusterMeans.ts";
import { followByDescent } from "./followByDescent.ts";

const options = {
  likelihood: choice(
    "What a reconstruction is: the mean of a normal distribution, or the chances of ones, for numbers from 0 to 1.",
    ["normal", "bernoulli"],
    "normal",
  ),
  alpha: number("The weight of reconstruction.", 1),
  variance: number("σ̃², how uncertain codes are when the clusters begin.", 1, { from: 1e-8 }),
} as const;

type Options = ValuesOf<typeof options>;

export const vade: Method<typeof options> = {
  name: "vade",
  about: "A variational autoencoder whose codes come from a mixture of normal distributions.",
  paper: "Jiang, Zheng, Tan, Tang & Zhou, Variational Deep Embedding, IJCAI 2017",
  options,
  profiles: {
    // The settings of the official code for MNIST; its pretraining was never published.
    paper: {
      ...{ network: "fullyConnected", weights: "xavier", output: "sigmoid", batch: 100, pretrainingLoss: "sum" },
      ...{ epochs: 3000, rate: 2e-3, adamEpsilon: 1e-4, decay: 0.9, decayEvery: 10, leastRate: 2e-4, refill: false },
      likelihood: "bernoulli",
    },
    practical: {
      ...{ pretraining: 30, pretrainingLoss: "sum", epochs: 30, batch: 0, rate: 1e-3, restarts: 3, variance: 0.01 },
      keep: "silhouette",
    },
  },
  // How far each row is from each mean, number by number.
  holds: ({ clusters, latent }) => ({ inBatch: 3 * clusters * latent }),
  start: mixtureOfCodes,
};

function mixtureOfCodes({ options, clusters: k, network, random }: Problem<Options>): Clustering {
  const { start, startRestarts } = options;
  const d = network.latent;
  const mu = variable("centers", tensor("float32", [k, d], random.normals(k * d)));
  const logVariance = variable("centers.logVariance", filled("float32", [k, d], 0));
  // π as a softmax, so that it stays one.
  const logits = variable("centers.logits", filled("float32", [k], 0));
  const prior: Prior = { logPi: log(softmax(logits)), mu, logVariance };

  const before = layerBefore(network);
  const width = product(before(input("x", ["n", ...network.row]), inference).hidden.shape.slice(1)) as number;
  const first: Initializer = (_random, shape) => filled("float32", shape, Math.log(options.variance));
  const head = dense("variance", width, d, random.fork("variance"), { weight: xavierUniform, bias: first });
  const drawn = noise("code", 1);

  const even = new Map([
    [logVariance, filled("float32", [k, d], 0)],
    [logits, filled("float32", [k], 0)],
  ]);
  return {
    centers: mu,
    distances: (z) => clusterDistances(z, prior),
    parts: (z) => distanceParts(z, prior),
    partNames: ["size and spread"],
    begin({ codes, random }) {
      const centers = firstCenters(start, codes, k, random, { restarts: startRestarts });
      if (!centers) return new Map();
      const { weights, means, variances } = diagonalMixture(codes, centers);
      return firstValues([mu, means], [logVariance, logarithms(variances)], [logits, logarithms(weights)]);
    },
    // A cluster that has lost its rows has lost its weight too: all begin anew as equals.
    withCenters: (placed) => new Map<typeof mu, Tensor>([[mu, placed], ...even]),
    steps: {
      joint({ x, pass, learn }) {
        const { code, hidden } = before(x, pass);
        const logDeviation = multiply(head.apply(hidden, pass), 0.5);
        const z = sampled(code, logDeviation, drawn.apply(multiply(code, 0), pass));
        const gamma = responsibilities(z, prior);
        const reconstruction = likelihoods[options.likelihood](network, z, x, pass);
        const divergence = priorDivergence(gamma, code, multiply(logDeviation, 2), prior);
        const loss = add(multiply(reconstruction, options.alpha), divergence);
        const learned = learn(loss, [...network.parameters, ...head.parameters, mu, logVariance, logits]);
        return { z: code, loss, terms: { clustering: divergence, reconstruction }, updates: learned };
      },
    },
    follow(z, rate) {
      const loss = withinLoss(nearest(clusterDistances(z, prior)), squaredDistances(z, mu));
      return followByDescent(loss, mu, rate);
    },
  };
}

/** The mixture that codes come from. */
export interface Prior {
  readonly logPi: Node;
  readonly mu: Node;
  readonly logVariance: Node;
}

/** z = μ̃ + σ̃·ε. */
export function sampled(code: Node, logDeviation: Node, epsilon: Node): Node {
  return add(code, multiply(exp(logDeviation), epsilon));
}

/**
 * Σⱼ (zⱼ − μⱼ)²/σⱼ² + Σⱼ log σⱼ² − 2 log π, less the least of what does not depend on z: −2 log(π N(z; μ, σ²)) up to
 * something that is the same for every cluster, and never negative.
 */
export function clusterDistances(z: Node, prior: Prior): Node {
  return add(sum(scaledSquares(z, prior), { axes: [2] }), offsets(prior));
}

/** The parts of these distances: one for each number of a code, and one for the cluster's size and spread. */
export function distanceParts(z: Node, prior: Prior): Node {
  const squares = scaledSquares(z, prior);
  const [n, k] = squares.shape;
  return concatenate([squares, broadcast(reshape(offsets(prior), [1, k!, 1]), [n!, k!, 1])], 2);
}

/** γ = π N(z; μ, σ²) / Σ π N(z; μ, σ²). */
export function responsibilities(z: Node, prior: Prior): Node {
  return softmax(multiply(clusterDistances(z, prior), -0.5));
}

/**
 * −(log p(z, c) − log q(z, c | x)), expected, the mean over rows:
 * ½ Σ_c γ_c Σⱼ (log σ²_cⱼ + σ̃ⱼ²/σ²_cⱼ + (μ̃ⱼ − μ_cⱼ)²/σ²_cⱼ) − Σ_c γ_c log(π_c/γ_c) − ½ Σⱼ (1 + log σ̃ⱼ²).
 */
export function priorDivergence(gamma: Node, code: Node, logVariance: Node, prior: Prior): Node {
  const [k, d] = prior.mu.shape;
  const inverse = reshape(exp(negate(prior.logVariance)), [1, k!, d!]);
  const uncertain = multiply(reshape(exp(logVariance), [code.shape[0]!, 1, d!]), inverse);
  const normal = add(
    sum(add(scaledSquares(code, prior), uncertain), { axes: [2] }),
    sum(prior.logVariance, { axes: [1] }),
  );
  const ofCodes = multiply(sum(multiply(gamma, normal), { axes: [1] }), 0.5);
  const ofClusters = sum(multiply(gamma, subtract(log(maximum(gamma, 1e-10)), prior.logPi)), { axes: [1] });
  const entropy = multiply(sum(add(logVariance, 1), { axes: [1] }), 0.5);
  return mean(subtract(add(ofCodes, ofClusters), entropy));
}

/** (z − μ)²/σ², [n, k, d]. */
function scaledSquares(z: Node, { mu, logVariance }: Prior): Node {
  const [k, d] = mu.shape;
  return multiply(squaredParts(z, mu), reshape(exp(negate(logVariance)), [1, k!, d!]));
}

/** Σⱼ log σⱼ² − 2 log π of each cluster, less the least of them, [k]. */
function offsets({ logPi, logVariance }: Prior): Node {
  const all = subtract(sum(logVariance, { axes: [1] }), multiply(logPi, 2));
  return subtract(all, negate(max(negate(all), { axes: [0], keep: true })));
}

const likelihoods = {
  normal: summedReconstruction,
  /** D times the mean over elements: the sum. */
  bernoulli: (network: Autoencoder, z: Node, x: Node, pass: Pass): Node =>
    multiply(binaryCrossEntropy(network.decode(z, pass), x), sizeOf(network.row)),
} as const;

/**
 * The code, and what the layer before it gives, from which the variance is read; the code itself where a network does
 * not show its layers.
 */
function layerBefore(network: Autoencoder): (x: Node, pass: Pass) => { code: Node; hidden: Node } {
  return (x, pass) => {
    const layers = network.encodedBy?.(x, pass);
    const code = layers?.at(-1) ?? network.encode(x, pass);
    return { code, hidden: flatten(layers?.at(-2) ?? code) };
  };
}

function logarithms({ shape, data }: Tensor<"float32">): Tensor<"float32"> {
  return tensor("float32", shape, data.map(Math.log));
}
