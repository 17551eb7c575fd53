/**
 * k-meansNet: k-means as a softmax layer, TELL's predecessor.
 * Peng, Zhou & Zhu, arXiv 1808.07292v1, 2018; K6 is its equation 6 (docs/equations.md).
 *
 *   x  codes of length 1 [n, d]            Ω  centers [k, d]
 *   W, b  the layer: W = 2αΩ, b = −α‖Ω‖²   I  assignment [n, k]
 *
 * Profile `paper` reads it literally: a soft assignment, W and b free. At α = 10⁻³ the softmax is 1/k to three digits,
 * and what is learned says little about clusters. What works, and is the default, is K10, where b goes with W, and an
 * assignment sharp enough to tell clusters apart (docs/methods/kmeansnet.md).
 */

import { broadcast, concatenate, reshape } from "../graph/arrange.ts";
import { add, divide, multiply, negate, square, stopGradient, subtract } from "../graph/elementwise.ts";
import { gradient } from "../graph/gradient.ts";
import { type Node, type Update, type Variable, variable } from "../graph/node.ts";
import { matmul } from "../graph/products.ts";
import { mean, norm, softmax, sum } from "../graph/reduce.ts";
import { nearest, productParts, unitRows } from "../nn/distances.ts";
import { inference } from "../nn/layers.ts";
import { meanReconstruction } from "../nn/reconstruction.ts";
import { choice, number, type ValuesOf } from "../options.ts";
import { filled, type Tensor, tensor } from "../tensor/tensor.ts";
import { firstCenters, firstValues } from "../training/firstCenters.ts";
import type { BatchFormulas, Clustering, Method, Problem, Step } from "../training/method.ts";

const options = {
  alpha: number("α, how sharp the softmax of the layer is.", 1e-3, { from: 1e-9 }),
  bias: choice("b follows from W (K10), or is free and learned by itself (§3.1).", ["coupled", "free"], "coupled"),
  assignment: choice("Each row to one cluster, or to all by the softmax (K8).", ["hard", "soft"], "hard"),
  sharpness: number("What the scores are multiplied with before the softmax; 1 is K8 as printed.", 1),
  centerStep: choice(
    "The layer steps by its gradient directly, or through the optimizer.",
    ["direct", "optimizer"],
    "direct",
  ),
  lambda: number("The weight of the clustering loss against reconstruction.", 0.01),
} as const;

type Options = ValuesOf<typeof options>;

export const kmeansnet: Method<typeof options> = {
  name: "kmeansnet",
  about: "k-means as a softmax layer on codes of length 1, learned together with them.",
  paper: "Peng, Zhou & Zhu, k-meansNet: When k-means Meets Differentiable Programming, arXiv 1808.07292v1, 2018",
  options,
  profiles: {
    paper: {
      ...{ network: "fullyConnected", weights: "xavier", code: "sigmoid", output: "sigmoid" },
      ...{ dropout: 0.2, dropoutAt: "after" },
      ...{ optimizer: "adadelta", rate: 1, pretrainingOptimizer: "adadelta", pretrainingRate: 1 },
      ...{ pretraining: 3000, epochs: 3000, lossChange: 1e-3, lossChangeOf: "sum", start: "kmeans++", refill: false },
      ...{ assignment: "soft", bias: "free", centerStep: "optimizer" },
    },
    practical: { code: "unit", batch: 0, pretraining: 30, epochs: 10, rate: 3e-4, restarts: 3, keep: "silhouette" },
  },
  start: softmaxLayer,
};

function softmaxLayer({ options, clusters: k, network, random }: Problem<Options>): Clustering {
  const { alpha, lambda, sharpness, start, startRestarts } = options;
  const d = network.latent;
  const W = variable("W", weightsOf(tensor("float32", [k, d], random.normals(k * d)), alpha));
  const b = variable("b", filled("float32", [k], -alpha));
  /** The mean length of codes, so that a center can be given one the decoder knows. */
  const length = variable("length", filled("float32", [], 1));
  const isFree = options.bias === "free";
  const isFrozen = network.parameters.length === 0;
  const layer: readonly Variable[] = isFree ? [W, b] : [W];

  // What is reported: the clustering loss of the layer's scores.
  const scores = (x: Node, weight: Node = W): Node => layerScores(x, weight, isFree ? b : coupledBias(weight, alpha));
  const assigned = {
    hard: (scores: Node): Node => nearest(negate(scores)),
    soft: (scores: Node): Node => softAssignment(scores, sharpness),
  }[options.assignment];
  const lossOf = (scores: Node): Node => clusteringLoss(assigned(scores), scores, alpha);

  // What moves the layer: the gradient of that loss, with the codes held. 2α² makes a step of one: Ωⱼ moves by the mean
  // over the batch of x − Ωⱼ, whatever α is.
  const direct = (loss: Node, step: Node): Update[] =>
    gradient(loss, layer).map((slope, i) => [layer[i]!, descend(layer[i]!, slope, multiply(step, 2 * alpha * alpha))]);
  const moved = {
    direct: (loss: Node, { scheduled }: BatchFormulas): Update[] => direct(loss, scheduled("step")),
    optimizer: (loss: Node, { learn }: BatchFormulas): Update[] => learn(loss, layer),
  }[options.centerStep];

  // What follows without a gradient.
  const followed = (z: Node): Update => [
    length,
    add(multiply(length, 0.99), multiply(mean(norm(stopGradient(z), { axes: [1] })), 0.01)),
  ];

  const joint = (batch: BatchFormulas): Step => {
    const { x, pass, learn } = batch;
    const z = network.encode(x, pass);
    const code = unitRows(z);
    const clustering = lossOf(scores(stopGradient(code)));
    const reconstruction = meanReconstruction(network, z, x, pass);
    // What the network learns: reconstruction, and the clustering loss with W held.
    const learned = add(reconstruction, multiply(lossOf(scores(code, stopGradient(W))), lambda));
    const updates = [...learn(learned, network.parameters), ...moved(clustering, batch), followed(z)];
    return { z, loss: clustering, terms: { clustering, reconstruction }, updates };
  };
  const layerAlone = (batch: BatchFormulas): Step => {
    const z = network.encode(batch.x, inference);
    const clustering = lossOf(scores(stopGradient(unitRows(z))));
    return { z, loss: clustering, updates: [...moved(clustering, batch), followed(z)] };
  };

  return {
    centers: divide(W, 2 * alpha),
    comparable: unitRows,
    distances: (z) => subtract(1, divide(scores(unitRows(z)), alpha)),
    // With b coupled, distances are ‖z − Ω‖², whose parts need no word.
    ...(isFree && { parts: (z: Node) => layerParts(unitRows(z), W, b, alpha), partNames: ["bias"] }),
    begin({ codes, random }) {
      const from = start === "random" ? "rows" : start;
      const found = firstCenters(from, codes, k, random, { restarts: startRestarts, spherical: true });
      return firstValues([W, found && weightsOf(found, alpha)]);
    },
    // With a free bias nearness does not say where a row belongs.
    ...(!isFree && { withCenters: (centers: Tensor<"float32">) => new Map([[W, weightsOf(centers, alpha)]]) }),
    steps: { joint: isFrozen ? layerAlone : joint },
    // Steps may become small where codes stay; where the network moves them, centers must keep up.
    schedule: (epoch) => ({ step: isFrozen ? 1 / (1 + epoch) : 1 }),
    follow(z, rate) {
      const loss = lossOf(scores(unitRows(z)));
      return { loss, updates: direct(loss, rate) };
    },
    exemplar: (centers) => multiply(unitRows(centers), length),
  };
}

/** K6: W = 2αΩ, for first values; where ‖Ω‖ = 1, b begins as −α. */
export function weightsOf({ shape, data }: Tensor<"float32">, alpha: number): Tensor<"float32"> {
  const weights = data.map((value) => 2 * alpha * value);
  return tensor("float32", shape, weights);
}

/** K6: Wⱼᵀx + bⱼ, which is α‖x‖² − α‖x − Ωⱼ‖² for W = 2αΩ and b = −α‖Ω‖². */
export function layerScores(x: Node, W: Node, b: Node): Node {
  return add(matmul(x, W, { transposeB: true }), b);
}

/**
 * K5, K8: Iⱼ = exp(Wⱼᵀx + bⱼ) / Σₖ exp(Wₖᵀx + bₖ), which is exp(−α‖x − Ωⱼ‖²) / Σ exp(−α‖x − Ωₖ‖²); sharpness 1 as
 * printed.
 */
export function softAssignment(scores: Node, sharpness = 1): Node {
  return softmax(multiply(scores, sharpness));
}

/**
 * K7, K9: L = mean over rows of Σⱼ Iⱼ (−(1/α)(Wⱼᵀx + bⱼ)), and 1 for ‖x‖², so that with b coupled it is the loss of
 * k-means.
 */
export function clusteringLoss(I: Node, scores: Node, alpha: number): Node {
  return subtract(1, divide(mean(sum(multiply(I, scores), { axes: [1] })), alpha));
}

/** K10: bⱼ = −‖Wⱼ‖²/(4α). */
export function coupledBias(W: Node, alpha: number): Node {
  return divide(sum(square(W), { axes: [1] }), -4 * alpha);
}

/** K11: W ← W − η ∇L(W). */
export function descend(W: Node, slope: Node, eta: Node): Node {
  return subtract(W, multiply(slope, eta));
}

/** −Wⱼᵢxᵢ/α for each number of a code, and −bⱼ/α: with 1 they sum to the distance. */
export function layerParts(x: Node, W: Node, b: Node, alpha: number): Node {
  const weighed = productParts(x, W);
  const [n, k] = weighed.shape;
  const bias = broadcast(reshape(b, [1, k!, 1]), [n!, k!, 1]);
  return divide(concatenate([weighed, bias], 2), -alpha);
}
