/**
 * k-meansNet: k-means as a softmax layer, TELL's predecessor.
 *
 *   x  codes of length 1 [n, d]            Ω  centers [k, d]
 *   W, b  the layer: W = 2αΩ, b = −α‖Ω‖²   I  assignment [n, k]
 *
 * Read literally it does not work: at α = 10⁻³ the softmax is 1/k to three digits, and a free b only ever rises, until one cluster has
 * it all. What works is K10, where b goes with W, and an assignment sharp enough to tell clusters apart (docs/methods/kmeansnet.md).
 */

import { broadcast, concatenate, reshape } from "../graph/arrange.ts";
import { add, divide, multiply, negate, square, stopGradient, subtract } from "../graph/elementwise.ts";
import { gradient } from "../graph/gradient.ts";
import { type Node, type Update, type Variable, variable } from "../graph/node.ts";
import { matmul } from "../graph/products.ts";
import { mean, norm, softmax, sum } from "../graph/reduce.ts";
import { nearest, productParts, unitRows } from "../nn/distances.ts";
import { inference } from "../nn/layers.ts";
import { meanSquaredError } from "../nn/losses.ts";
import { filled, type Tensor, tensor } from "../tensor/tensor.ts";
import { firstCenters, firstValues } from "../training/firstCenters.ts";
import type { Clustering, Method, Problem } from "../training/method.ts";
import { choice, number, type ValuesOf } from "../training/options.ts";

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
      network: "fullyConnected",
      // A sigmoid on both ends never leaves the mean image (docs/methods/kmeansnet.md).
      code: "sigmoid",
      output: "linear",
      dropout: 0.2,
      dropoutAt: "after",
      pretraining: 50,
      pretrainingRate: 3e-4,
      epochs: 100,
      rate: 3e-4,
      lossChange: 0,
      start: "kmeans++",
    },
    practical: { code: "unit", batch: 0, pretraining: 30, epochs: 10, rate: 3e-4, restarts: 3, keep: "silhouette" },
  },
  start: softmaxLayer,
};

function softmaxLayer({ options, clusters: k, network, random }: Problem<Options>): Clustering {
  const { alpha, lambda, start, startRestarts } = options;
  const d = network.latent;
  const W = variable(
    "W",
    tensor(
      "float32",
      [k, d],
      random.normals(k * d).map((value) => 2 * alpha * value),
    ),
  );
  const b = variable("b", filled("float32", [k], -alpha));
  /** The mean length of codes, so that a center can be given one the decoder knows. */
  const length = variable("length", filled("float32", [], 1));
  const free = options.bias === "free";
  const layer: readonly Variable[] = free ? [W, b] : [W];

  const scores = (x: Node, weight: Node = W): Node => layerScores(x, weight, free ? b : coupledBias(weight, alpha));
  const lossOf = (z: Node): Node =>
    options.assignment === "hard"
      ? clusteringLoss(nearest(negate(z)), z, alpha)
      : clusteringLoss(softAssignment(z, options.sharpness), z, alpha);
  // 2α² makes a step of one: Ωⱼ moves by the mean over the batch of x − Ωⱼ, whatever α is.
  const moved = (x: Node, step: Node): Update[] =>
    gradient(lossOf(scores(x)), layer).map((slope, i) => [
      layer[i]!,
      subtract(layer[i]!, multiply(slope, multiply(step, 2 * alpha * alpha))),
    ]);

  const frozen = network.parameters.length === 0;
  return {
    centers: divide(W, 2 * alpha),
    placed: unitRows,
    distances: (z) => subtract(1, divide(scores(unitRows(z)), alpha)),
    // With b coupled, distances are ‖z − Ω‖², whose parts need no word.
    ...(free && { parts: (z: Node) => layerParts(unitRows(z), W, b, alpha), partNames: ["bias"] }),
    begin({ codes, random }) {
      const found = firstCenters(start === "random" ? "rows" : start, codes, k, random, {
        restarts: startRestarts,
        spherical: true,
      });
      return firstValues([W, found && scaled(found, 2 * alpha)]);
    },
    steps: {
      joint({ x, pass, learn, scheduled }) {
        const z = network.encode(x, frozen ? inference : pass);
        const code = unitRows(z);
        const clustering = lossOf(scores(stopGradient(code)));
        const direct = options.centerStep === "direct";
        const centers = direct ? moved(stopGradient(code), scheduled("step")) : learn(clustering, layer);
        const followed: Update = [
          length,
          add(multiply(length, 0.99), multiply(mean(norm(stopGradient(z), { axes: [1] })), 0.01)),
        ];
        if (frozen) return { z, loss: clustering, updates: [...centers, followed] };
        const reconstruction = meanSquaredError(network.decode(z, pass), x);
        const pull = lossOf(scores(code, stopGradient(W)));
        const loss = add(reconstruction, multiply(pull, lambda));
        const terms = { clustering, reconstruction };
        return { z, loss: clustering, terms, updates: [...learn(loss, network.parameters), ...centers, followed] };
      },
    },
    // Steps may become small where codes stay; where the network moves them, centers must keep up.
    schedule: (epoch) => ({ step: frozen ? 1 / (1 + epoch) : 1 }),
    follow: (z, rate) => ({ loss: lossOf(scores(unitRows(z))), updates: moved(unitRows(z), rate) }),
    exemplar: (centers) => multiply(unitRows(centers), length),
  };
}

/** K6: −α‖x − Ωⱼ‖² = −α‖x‖² + 2αΩⱼᵀx − α‖Ωⱼ‖²: with W = 2αΩ and b = −α‖Ω‖², all but its first term is Wⱼᵀx + bⱼ. */
export function layerOf(centers: Node, alpha: number): { W: Node; b: Node } {
  return { W: multiply(centers, 2 * alpha), b: multiply(sum(square(centers), { axes: [1] }), -alpha) };
}

/** Wⱼᵀx + bⱼ. */
export function layerScores(x: Node, W: Node, b: Node): Node {
  return add(matmul(x, W, { transposeB: true }), b);
}

/** −Wⱼᵢxᵢ/α for each number of a code, and −bⱼ/α: with 1 they sum to the distance. */
export function layerParts(x: Node, W: Node, b: Node, alpha: number): Node {
  const weighed = productParts(x, W);
  const [n, k] = weighed.shape;
  const bias = broadcast(reshape(b, [1, k!, 1]), [n!, k!, 1]);
  return divide(concatenate([weighed, bias], 2), -alpha);
}

/** K10: bⱼ = −‖Wⱼ‖²/(4α). */
export function coupledBias(W: Node, alpha: number): Node {
  return divide(sum(square(W), { axes: [1] }), -4 * alpha);
}

/** K5, K8: Iⱼ = exp(Wⱼᵀx + bⱼ) / Σₖ exp(Wₖᵀx + bₖ), which is exp(−α‖x − Ωⱼ‖²) / Σ exp(−α‖x − Ωₖ‖²); sharpness 1 as printed. */
export function softAssignment(scores: Node, sharpness = 1): Node {
  return softmax(multiply(scores, sharpness));
}

/** K7, K9: L = mean over rows of Σⱼ Iⱼ (−(1/α)(Wⱼᵀx + bⱼ)), and 1 for ‖x‖², so that with b coupled it is k-means' loss. */
export function clusteringLoss(I: Node, scores: Node, alpha: number): Node {
  return subtract(1, divide(mean(sum(multiply(I, scores), { axes: [1] })), alpha));
}

function scaled({ shape, data }: Tensor<"float32">, factor: number): Tensor<"float32"> {
  const values = data.map((value) => value * factor);
  return tensor("float32", shape, values);
}
