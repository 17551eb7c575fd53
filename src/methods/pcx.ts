/**
 * PC-X: the decoder sees each code fused with its center, and centers are running means that no gradient moves.
 * Pan, Yao & Tsang, 2023; P6 is its equation 6 (docs/equations.md).
 *
 *   z  codes [n, d]       μ  centers [k, d]              δ, λ  hard and soft assignment [n, k]
 *   z̃  the own center     ẑ = h(z, z̃), what is decoded  α, ω  running sizes and relative sizes [k]
 */

import { concatenate, reshape } from "../graph/arrange.ts";
import {
  add,
  divide,
  greater,
  log,
  maximum,
  multiply,
  negate,
  stopGradient,
  subtract,
  where,
} from "../graph/elementwise.ts";
import { type Node, type Update, variable } from "../graph/node.ts";
import { matmul } from "../graph/products.ts";
import { max, mean, softmax, sum } from "../graph/reduce.ts";
import { replaced } from "../graph/replaced.ts";
import { nearest, squaredDistances } from "../nn/distances.ts";
import { type Initializer, xavierUniform, zeros } from "../nn/initializers.ts";
import { dense, noise, type Pass, trainingPass } from "../nn/layers.ts";
import { meanReconstruction } from "../nn/reconstruction.ts";
import { choice, flag, number, type ValuesOf, whole } from "../options.ts";
import { filled, tensor } from "../tensor/tensor.ts";
import { firstCenters, firstValues } from "../training/firstCenters.ts";
import type { Clustering, Method, Problem } from "../training/method.ts";
import { meansOf, sumsOf, withinLoss } from "./clusterMeans.ts";

const options = {
  eta1: number("η₁, the weight of the clustering loss.", 1e-2),
  eta2: number("η₂, the weight of the entropy of soft assignments.", 1e-3),
  tau: number("τ of the soft assignment (P2).", 5, { from: 1e-6 }),
  kappa: number("κ, what a center keeps of itself in a step.", 0.995, { to: 1 }),
  centers: choice(
    "How centers move: by κ, by a κ of their own from ρ and their size (P6), or not at all (PC-X-Fix).",
    ["kappa", "rho", "fixed"],
    "kappa",
  ),
  rho: number("ρ of P6, how strongly a center holds on to itself.", 1),
  fuse: flag("Let the decoder see the code fused with its center (the CI-Unit); off is PC-X-no CI.", true),
  fusedOutput: flag("Give ẑ, the code as it is decoded, beside z: an output `fused` of the model (Fig. 6).", false),
  straight: flag(
    "Let the reconstruction's gradient pass the chosen center straight to the code, as the published code does.",
    true,
  ),
  noise: number("The deviation of the noise on what is decoded, while training.", 0),
  follows: choice(
    "The codes that centers follow: those before the network's step (the published code), or after it (Alg. 1), which costs a second pass.",
    ["before", "after"],
    "before",
  ),
  burnIn: whole("Epochs before the entropy term and the sizes begin to count.", 250),
  imbalanced: flag("Weigh each cluster by its running size (PC-X-IMBA).", false),
  epsilon: number("ε, which keeps running sizes from 0 (P14): about 1e-5 for balanced data, 5 for imbalanced.", 1e-5),
} as const;

type Options = ValuesOf<typeof options>;

// Biases, η₁ and η₂ are not published: they are the official code's.
const published = {
  network: "fullyConnected",
  activation: "relu",
  weights: "xavier",
  biases: "kaiming",
  output: "linear",
  pretraining: 0,
  start: "random",
  epochs: 1000,
  rate: 5e-4,
  eta1: 5e-4,
  eta2: 1e-5,
  straight: false,
  follows: "after",
  refill: false,
} as const;

export const pcx: Method<typeof options> = {
  name: "pcx",
  about: "The decoder sees each code beside its center, so that a center decodes to a typical row.",
  paper: "Pan, Yao & Tsang, PC-X: Profound Clustering via Slow Exemplars, 2023",
  options,
  profiles: {
    paper: published,
    // Codes of length 1 begin better, and are what makes it steady (docs/methods/pcx.md).
    practical: {
      code: "unit",
      pretraining: 30,
      epochs: 60,
      batch: 0,
      rate: 5e-4,
      burnIn: 10,
      restarts: 3,
      keep: "silhouette",
    },
  },
  start: slowExemplars,
};

/** PC-X for clusters of very different sizes. */
export const pcxImbalanced: Method<typeof options> = {
  ...pcx,
  name: "pcx-imba",
  about: "PC-X for clusters of very different sizes: each counts the same, however many rows it has.",
  profiles: {
    paper: { ...pcx.profiles.paper, imbalanced: true, epsilon: 5 },
    practical: { ...pcx.profiles.practical, imbalanced: true, epsilon: 5 },
  },
};

function slowExemplars({ options, clusters: k, network, count, random }: Problem<Options>): Clustering {
  const { eta1, eta2, tau, kappa, epsilon, start, startRestarts } = options;
  const d = network.latent;
  const mu = variable("centers", xavierUniform(random.fork("centers"), [k, d], { in: d, out: k }));
  const alpha = variable("centers.sizes", filled("float32", [k], Math.min(options.batch, count) / k));

  // What is decoded. After pretraining the decoder knows codes, and the middle of code and center is one; without,
  // weights begin at random as everywhere.
  const weight = options.pretraining > 0 ? halves : xavierUniform;
  const unit = dense("fusion", 2 * d, d, random.fork("fusion"), { weight, bias: zeros });
  const linear = (pair: Node): Node => unit.apply(pair, trainingPass());
  const h = (z: Node, own: Node): Node => (options.fuse ? fused(z, own, linear) : z);
  // The value of the second, the gradient of the first.
  const straight = (z: Node, own: Node): Node => add(z, stopGradient(subtract(own, z)));
  const noisy = noise("latent", options.noise);
  const toDecode = (z: Node, delta: Node, pass: Pass): Node => {
    const own = ownCenter(delta, stopGradient(mu));
    return noisy.apply(h(z, options.straight ? straight(z, own) : own), pass);
  };

  // What a cluster weighs: until the burn-in is over all the same, ω = 1. The sizes that are kept are not smoothed:
  // done anew at every step, ε = 5 would leave almost nothing of the differences.
  const weights = (sizes: Node, burning: Node): Node =>
    where(greater(burning, 0.5), filledLike(sizes, 1), relativeSizes(smoothedSizes(sizes, epsilon)));
  const clusteringLoss = (delta: Node, distances: Node, omega: Node): Node =>
    options.imbalanced ? reweightedLoss(delta, distances, stopGradient(omega)) : withinLoss(delta, distances);

  // How the centers move: by κ, each by a κ of its own, or not at all.
  const moved = {
    kappa: (total: Node, size: Node): Update[] => [[mu, followCenters(mu, total, size, kappa)]],
    rho: (total: Node, size: Node): Update[] => [
      [mu, followCenters(mu, total, size, keptShare(size, options.rho, eta1 / d))],
    ],
    fixed: (): Update[] => [],
  }[options.centers];

  return {
    centers: mu,
    distances: (z) => squaredDistances(z, mu),
    begin: ({ codes, random }) => firstValues([mu, firstCenters(start, codes, k, random, { restarts: startRestarts })]),
    withCenters: (centers) => new Map([[mu, centers]]),
    steps: {
      joint({ x, pass, learn, scheduled }) {
        const burning = scheduled("burning");
        const z = network.encode(x, pass);
        const distances = squaredDistances(z, stopGradient(mu));
        const delta = nearest(distances);
        const { size } = sumsOf(delta, stopGradient(z));
        const sizes = followSizes(alpha, size, kappa);

        const reconstruction = meanReconstruction(network, toDecode(z, delta, pass), x, pass);
        const clustering = divide(clusteringLoss(delta, distances, weights(sizes, burning)), d);
        const lambda = softAssignment(distances, tau);
        const entropy = entropyLoss(lambda);
        const terms = { clustering, reconstruction, entropy };
        const loss = jointLoss(terms, eta1, multiply(subtract(1, burning), eta2));
        const learned = learn(loss, [...network.parameters, ...unit.parameters]);
        // Alg. 1: δ as it was, and the codes that the new network gives.
        const codes = stopGradient(options.follows === "after" ? replaced(z, new Map(learned)) : z);
        const { total } = sumsOf(delta, codes);
        const sureness = meanLargest(lambda);
        return { z, loss, terms: { ...terms, sureness }, updates: [...learned, ...moved(total, size), [alpha, sizes]] };
      },
    },
    schedule: (epoch) => ({ burning: epoch < options.burnIn ? 1 : 0 }),
    follow(z, rate) {
      const distances = squaredDistances(z, mu);
      const delta = nearest(distances);
      const { total, size } = sumsOf(delta, z);
      const loss = withinLoss(delta, distances);
      return { loss, updates: [[mu, followCenters(mu, total, size, subtract(1, rate))]] };
    },
    // The decoder was trained on fused codes, so that a center is decoded as h(μ, μ).
    exemplar: (centers) => h(centers, centers),
    ...(options.fusedOutput && {
      outputs: (z: Node) => ({ fused: h(z, ownCenter(nearest(squaredDistances(z, mu)), mu)) }),
    }),
  };
}

/** [½I; ½I]: h(z, z̃) = (z + z̃)/2. */
const halves: Initializer = (_random, [rows, columns]) => {
  const data = new Float32Array(rows! * columns!);
  for (let i = 0; i < rows!; i++) data[i * columns! + (i % columns!)] = 0.5;
  return tensor("float32", [rows!, columns!], data);
};

const filledLike = (x: Node, value: number): Node => add(multiply(x, 0), value);

/** P1, P9: L = L_rec + η₁ L_cluster + η₂ L_ME. */
export function jointLoss(
  parts: { reconstruction: Node; clustering: Node; entropy: Node },
  eta1: number,
  eta2: Node | number,
): Node {
  const { reconstruction, clustering, entropy } = parts;
  return add(add(reconstruction, multiply(clustering, eta1)), multiply(entropy, eta2));
}

/** P2: λ = softmax(−τ ‖z − μ‖²), δ the largest of them. */
export function softAssignment(distances: Node, tau: number): Node {
  return softmax(multiply(distances, -tau));
}

/** P3: z̃ = Σₖ δₖ μₖ. */
export function ownCenter(delta: Node, mu: Node): Node {
  return matmul(delta, mu);
}

/** P3: ẑ = h(z, z̃), one linear layer on the two side by side. */
export function fused(z: Node, own: Node, linear: (pair: Node) => Node): Node {
  return linear(concatenate([z, own], 1));
}

/** P6, P7: μ ← κ μ + (1 − κ) μ̄, where μ̄ is the mean of the cluster's codes; without any, μ stays. */
export function followCenters(mu: Node, total: Node, size: Node, kappa: Node | number): Node {
  const rest = subtract(1, kappa);
  return add(multiply(mu, kappa), multiply(meansOf(total, size, mu), rest));
}

/**
 * P6: κₖ = ρ / (ρ + (η₁/N) Σₙ δₙₖ), one for each cluster; η₁ is that of the loss per row, which the published code
 * divides by d.
 */
export function keptShare(size: Node, rho: number, eta1: number): Node {
  const share = divide(size, sum(size, { axes: [0], keep: true }));
  const kappa = divide(rho, add(multiply(share, eta1), rho));
  return reshape(kappa, [size.shape[0]!, 1]);
}

/** P8: L_ME = −mean over rows of Σₖ λ log λ. */
export function entropyLoss(lambda: Node): Node {
  return negate(mean(sum(multiply(lambda, log(maximum(lambda, 1e-9))), { axes: [1] })));
}

/** Fig. 4: (1/N) Σₙ maxₖ λₙₖ, how decided rows are: 1/K for none, 1 for all. */
export function meanLargest(lambda: Node): Node {
  return mean(max(stopGradient(lambda), { axes: [1] }));
}

// Clusters of very different sizes (appendix A.3): each counts the same, however many rows it has.

/** P10: ω = α / mean of α. */
export function relativeSizes(alpha: Node): Node {
  return divide(alpha, mean(alpha));
}

/** P12: mean over rows of Σₖ (1/ωₖ) δₖ ‖z − μₖ‖²: each cluster's own mean counts the same. */
export function reweightedLoss(delta: Node, distances: Node, omega: Node): Node {
  return withinLoss(divide(delta, omega), distances);
}

/** P13: α ← κ α + (1 − κ) Σₙ δₙ. */
export function followSizes(alpha: Node, size: Node, kappa: number): Node {
  return add(multiply(alpha, kappa), multiply(size, 1 - kappa));
}

/** P14: α ← (α + ε) Σα / (Σα + εK), which keeps the sum. */
export function smoothedSizes(alpha: Node, epsilon: number): Node {
  const total = sum(alpha);
  return multiply(add(alpha, epsilon), divide(total, add(total, epsilon * (alpha.shape[0] as number))));
}
