/**
 * TELL: k-means as a layer of a network, so that centers are weights and an assignment is an activation.
 *
 *   x, z  rows and their codes, of length 1        Ω  centers, of length 1
 *   W, b  the layer: W = 2Ω [k, d], b = −‖Ω‖² = −1  I  assignment [n, k]
 *   β     ‖z‖² = 1                                  τ  temperature
 */

import { matmul } from "../graph/contract.ts";
import { add, divide, multiply, negate, square, stopGradient, subtract } from "../graph/elementwise.ts";
import { gradient } from "../graph/gradient.ts";
import { type Node, type Update, variable } from "../graph/node.ts";
import { mean, norm, softmax, sum } from "../graph/reduce.ts";
import { nearest, unitRows } from "../nn/distances.ts";
import { kaimingUniform } from "../nn/initializers.ts";
import { inference, type Pass } from "../nn/layers.ts";
import { meanSquaredError } from "../nn/losses.ts";
import { type Tensor, tensor } from "../tensor/tensor.ts";
import type { BatchFormulas, Clustering, Method, Problem, Step } from "../training/contract.ts";
import { firstCenters, firstValues, unitTensor } from "../training/kmeans.ts";
import { choice, flag, number, type ValuesOf } from "../training/options.ts";
import { withinLoss } from "./kmeans.ts";

const options = {
  lambda: number("λ, the weight of the clustering loss against reconstruction (T15).", 0.01),
  assignment: choice(
    "Each row to one cluster, or to all in parts that a softmax gives (T8).",
    ["hard", "soft"],
    "hard",
  ),
  tau: number("τ, the temperature of the softmax.", 0.1, { from: 1e-6 }),
  step: number("The length of a center's step, as a share of the center's own length.", 0.1),
  normalizeGradient: flag("Scale each center's gradient to that length (Fig. 2c).", true),
  normalizeWeight: flag("Scale each center back to length 1 after its step (Fig. 2b and c).", true),
  centerStep: choice(
    "Centers step by their gradient directly, or through the optimizer.",
    ["direct", "optimizer"],
    "direct",
  ),
  twoStage: flag("Leave the network as pretraining made it and move the centers alone (TELL-TwoStage).", false),
} as const;

type Options = ValuesOf<typeof options>;

export const tell: Method<typeof options> = {
  name: "tell",
  about: "k-means written as a layer: centers are its weights, and the network learns codes that suit them.",
  paper: "Peng, Li, Tsang, Zhu, Lv & Zhou, XAI Beyond Classification: Interpretable Neural Clustering, JMLR 23, 2022",
  options,
  profiles: {
    paper: { code: "unit", pretraining: 0, epochs: 3000, optimizer: "adadelta", rate: 1, start: "random", restarts: 5 },
    practical: {
      code: "unit",
      batch: 0,
      pretraining: 30,
      epochs: 10,
      optimizer: "adadelta",
      rate: 1,
      lambda: 0.1,
      restarts: 3,
      keep: "silhouette",
    },
  },
  start: clusterLayer,
};

function clusterLayer({ options, clusters: k, network, random }: Problem<Options>): Clustering {
  const { lambda, assignment, tau, start, startRestarts } = options;
  const d = network.latent;
  const W = variable("W", twice(unitTensor(kaimingUniform(random, [k, d], { in: d, out: k }))));
  const attention = (scores: Node): Node =>
    assignment === "hard" ? hardAssignment(scores) : softAssignment(scores, tau);
  const clusteringOf = (z: Node, weight: Node): Node => {
    const scores = matmul(z, weight, { transposeB: true });
    return clusteringLoss(attention(scores), scores);
  };
  // Summed over rows as in T13, so that without normalization the step has the paper's length.
  const gradientOf = (z: Node): Node => {
    const scores = matmul(z, W, { transposeB: true });
    return gradient(sum(multiply(attention(scores), subtract(2, scores))), [W])[0]!;
  };
  const renormalize = (weight: Node): Node => (options.normalizeWeight ? renormalized(weight) : weight);
  const slope = (z: Node, share: Node | number): Node =>
    options.normalizeGradient ? normalizedGradient(gradientOf(z), W, share) : multiply(gradientOf(z), share);

  // T14: length 1 before anything else sees them, whatever the network is.
  const encode = (x: Node, pass: Pass): Node => unitRows(network.encode(x, pass));
  const centersStep = ({ x, pass, learn, move }: BatchFormulas, frozen: boolean): Step => {
    const z = encode(x, frozen ? inference : pass);
    const clustering = clusteringOf(stopGradient(z), W);
    const direction = slope(stopGradient(z), options.step);
    const centers: Update[] =
      options.centerStep === "direct"
        ? [[W, renormalize(descend(W, direction))]]
        : move([W], [direction]).map(([target, next]) => (target === W ? [W, renormalize(next)] : [target, next]));
    if (frozen) return { z, loss: clustering, terms: { clustering }, updates: centers };
    const reconstruction = meanSquaredError(network.decode(z, pass), x);
    const updates = [...learn(reconstruction, network.parameters), ...centers];
    return { z, loss: clustering, terms: { clustering, reconstruction }, updates };
  };

  const frozen = options.twoStage || network.parameters.length === 0;
  return {
    centers: divide(W, 2),
    distances: (z) => subtract(2, matmul(unitRows(z), W, { transposeB: true })),
    begin({ codes, random }) {
      const found = firstCenters(start, codes, k, random, { restarts: startRestarts, spherical: true });
      return firstValues([W, found && twice(found)]);
    },
    steps: {
      centers: (batch) => centersStep(batch, frozen),
      ...(!frozen && {
        network({ x, pass, learn }) {
          const z = encode(x, pass);
          const clustering = clusteringOf(z, stopGradient(W));
          const reconstruction = meanSquaredError(network.decode(z, pass), x);
          const loss = jointLoss(reconstruction, clustering, lambda, k);
          return {
            z,
            loss: clustering,
            terms: { clustering, reconstruction },
            updates: learn(loss, network.parameters),
          };
        },
      }),
    },
    // One epoch moves the centers, the next one the network: never both at once.
    kindOf: (epoch) => (frozen || epoch % 2 === 0 ? "centers" : "network"),
    follow: (z, rate) => ({
      loss: clusteringOf(unitRows(z), W),
      updates: [[W, renormalize(descend(W, slope(unitRows(z), rate)))]],
    }),
  };
}

/** T5: W = 2Ω, b = −‖Ω‖². */
export function layerOf(centers: Node): { W: Node; b: Node } {
  return { W: multiply(centers, 2), b: negate(sum(square(centers), { axes: [1] })) };
}

/** T4, T6: ‖x − Ωⱼ‖² = ‖x‖² − 2Ωⱼᵀx + ‖Ωⱼ‖² = β − Wⱼᵀx − bⱼ. */
export function distanceByLayer(x: Node, W: Node, b: Node): Node {
  const beta = sum(square(x), { axes: [1], keep: true });
  return subtract(subtract(beta, matmul(x, W, { transposeB: true })), b);
}

/** T7, T8: Iⱼ = exp((Wⱼᵀx + bⱼ − β)/τ) / Σₖ exp((Wₖᵀx + bₖ − β)/τ); what all scores of a row share, such as β, cancels. */
export function softAssignment(scores: Node, tau: number): Node {
  return softmax(divide(scores, tau));
}

/** τ → 0 in T8: 1 for the largest score, 0 for the others. No gradient flows. */
export function hardAssignment(scores: Node): Node {
  return nearest(negate(scores));
}

/** T9: L = Σⱼ Iⱼ (−Wⱼᵀx − bⱼ + β), the mean over rows. */
export function layerLoss(I: Node, x: Node, W: Node, b: Node): Node {
  return withinLoss(I, distanceByLayer(x, W, b));
}

/** T10, T11, TA3, TA4: −f(zⱼ) = −softmaxⱼ(z/τ) zⱼ for each row and cluster; their sum is the loss. */
export function softTerms(z: Node, tau: number): Node {
  return negate(multiply(softmax(divide(z, tau)), z));
}

/** T12, T13: L = Σⱼ Iⱼ (2 − Wⱼᵀx), the mean over rows: all lengths are known, so that b = −1 and β = 1. */
export function clusteringLoss(I: Node, scores: Node): Node {
  return mean(sum(multiply(I, subtract(2, scores)), { axes: [1] }));
}

/** T15: L = L_rec + λ L_clu, in the units of the published code: the mean over elements of x, and over rows and clusters of I. */
export function jointLoss(reconstruction: Node, clustering: Node, lambda: number, clusters: number): Node {
  return add(reconstruction, multiply(clustering, lambda / clusters));
}

/** §2.2.3: each row of the gradient gets the given share of its weight's length; a row of zeros stays so, and its center where it is. */
export function normalizedGradient(g: Node, W: Node, share: Node | number): Node {
  const length = (rows: Node): Node => norm(rows, { axes: [1], keep: true });
  return multiply(g, multiply(divide(length(W), length(g)), share));
}

/** T16: Wₜ₊₁ = Wₜ − ηₜ ∇L(Wₜ), with ηₜ in the gradient already. */
export function descend(W: Node, step: Node): Node {
  return subtract(W, step);
}

/** ‖Wⱼ‖ = 2. */
export function renormalized(W: Node): Node {
  return divide(multiply(W, 2), norm(W, { axes: [1], keep: true }));
}

/** 2Ω for first values. */
function twice({ shape, data }: Tensor<"float32">): Tensor<"float32"> {
  return tensor(
    "float32",
    shape,
    data.map((value) => 2 * value),
  );
}
