/**
 * Deep k-Means: representatives and network learn together, under a softmax that hardens until it is k-means.
 * Fard, Thonet & Gaussier, Pattern Recognition Letters 138, 2020; D5 is its equation 5 (docs/equations.md).
 *
 *   x, h  rows and their codes            r  representatives [k, d]
 *   f     distance of a code to each r    G  how close it is to each, rows that sum to one
 *   α     inverse temperature             λ  weight of the clustering loss
 */

import { reshape } from "../graph/arrange.ts";
import {
  add,
  divide,
  greater,
  isPositive,
  maximum,
  multiply,
  negate,
  square,
  stopGradient,
  subtract,
  where,
} from "../graph/elementwise.ts";
import { type Node, type Update, variable } from "../graph/node.ts";
import { max, mean, softmax, sum } from "../graph/reduce.ts";
import { cosineDistances, cosineParts, inProportion, squaredDistances } from "../nn/distances.ts";
import { uniformBetween } from "../nn/initializers.ts";
import { noise } from "../nn/layers.ts";
import { cosineReconstruction, summedReconstruction } from "../nn/reconstruction.ts";
import { choice, flag, number, type ValuesOf, whole } from "../options.ts";
import { filled } from "../tensor/tensor.ts";
import { firstCenters, firstValues } from "../training/firstCenters.ts";
import type { Clustering, Method, Problem } from "../training/method.ts";
import { withinLoss } from "./clusterMeans.ts";
import { followByDescent } from "./followByDescent.ts";

const options = {
  lambda: number("λ, the weight of the clustering loss against reconstruction (D1).", 1),
  relative: flag(
    "λ relative to what reconstruction has learned of the rows when the clusters begin, where that is less than the first clustering loss.",
    false,
  ),
  distance: choice(
    "f: the squared Euclidean distance, or 1 − cosine for directions such as word counts.",
    ["euclidean", "cosine"],
    "euclidean",
  ),
  reconstruction: choice(
    "g: the squared Euclidean distance of a row and its reconstruction, or 1 − their cosine.",
    ["euclidean", "cosine"],
    "euclidean",
  ),
  perturbation: number(
    "The deviation by which representatives that are equally near to a row are moved apart (§3.2); 0 is never.",
    0,
  ),
  anneal: flag("Raise α from 0.1 in steps (DKM-a) instead of keeping it (DKM-p).", false),
  alpha: number("α, where it is not annealed.", 1000),
  alphas: whole("How many values α takes where it is annealed.", 40, { from: 1 }),
} as const;

type Options = ValuesOf<typeof options>;

const paper =
  "Fard, Thonet & Gaussier, Deep k-Means: Jointly clustering with k-Means and learning representations, Pattern Recognition Letters 138, 2020";
const network = { network: "fullyConnected", latent: 0, weights: "xavier", output: "linear" } as const;
// One scale for both losses, so that the optimizer can go on from pretraining.
const scale = { pretrainingLoss: "sum" } as const;

export const dkmPretrained: Method<typeof options> = {
  name: "dkm-p",
  about: "Deep k-Means from a pretrained network: centers and codes learn together under a sharp softmax.",
  paper,
  options,
  profiles: {
    paper: { ...network, ...scale, pretraining: 50, epochs: 100, perturbation: 1e-3, refill: false },
    practical: { ...scale, relative: true, pretraining: 30, epochs: 20, batch: 0, restarts: 3, keep: "silhouette" },
  },
  start: deepKMeans,
};

export const dkmAnnealed: Method<typeof options> = {
  ...dkmPretrained,
  name: "dkm-a",
  about: "Deep k-Means without pretraining: the softmax is nearly even at first and hardens step by step.",
  profiles: {
    paper: {
      ...{ ...network, ...scale, pretraining: 0, epochs: 200, anneal: true, start: "random" },
      ...{ perturbation: 1e-3, refill: false },
    },
    practical: {
      ...scale,
      latent: 0,
      weights: "xavier",
      lambda: 0.1,
      relative: true,
      pretraining: 0,
      epochs: 80,
      batch: 0,
      anneal: true,
      start: "random",
      restarts: 3,
      keep: "silhouette",
    },
  },
};

function deepKMeans({ options, clusters: k, network, random }: Problem<Options>): Clustering {
  const { lambda, relative, distance, anneal, start, startRestarts } = options;
  const d = network.latent;
  // U(−1, 1) where no k-means places them (§4.3).
  const r = variable("centers", uniformBetween(-1, 1)(random, [k, d], { in: d, out: k }));
  // 0 until the first step has found it.
  const unit = variable("lambda.unit", filled("float32", [], 0));
  const isCosine = distance === "cosine";
  const f = (h: Node, centers: Node = r): Node =>
    isCosine ? cosineDistances(h, centers) : squaredDistances(h, centers);
  const g = { euclidean: summedReconstruction, cosine: cosineReconstruction }[options.reconstruction];
  const jolt = noise("centers", options.perturbation);
  return {
    centers: r,
    distances: (h) => f(h),
    ...(isCosine && { parts: (h: Node) => inProportion(cosineParts(h, r), f(h)) }),
    begin: ({ codes, random }) =>
      firstValues([r, firstCenters(start, codes, k, random, { restarts: startRestarts, spherical: isCosine })]),
    withCenters: (centers) => new Map([[r, centers]]),
    // The published code goes on with the optimizer of pretraining; its loss has the same scale.
    continuesOptimizer: true,
    steps: {
      joint({ x, pass, learn, scheduled }) {
        const h = network.encode(x, pass);
        const apart = options.perturbation > 0 ? withoutTies(r, f(h), jolt.apply(r, pass)) : r;
        const clustering = clusteringLoss(f(h, apart), scheduled("alpha"));
        const reconstruction = g(network, h, x, pass);
        const found = relative ? firstRatio(unit, spreadOf(x), reconstruction, clustering) : undefined;
        const loss = jointLoss(reconstruction, clustering, found ? multiply(found, lambda) : lambda);
        // D4, by the optimizer: both in the same step.
        const moved = learn(loss, [r]).map(
          ([target, next]): Update => [target, target === r ? add(next, subtract(apart, r)) : next],
        );
        const updates = [...learn(loss, network.parameters), ...(apart === r ? learn(loss, [r]) : moved)];
        const kept: readonly Update[] = found ? [[unit, found]] : [];
        return { z: h, loss, terms: { clustering, reconstruction }, updates: [...updates, ...kept] };
      },
    },
    schedule: (epoch, epochs) => ({
      alpha: anneal ? annealed(Math.floor((epoch * options.alphas) / epochs)) : options.alpha,
    }),
    follow: (h, rate) => followByDescent(withinLoss(closeness(f(h), 1000), f(h)), r, rate),
  };
}

/** D1, D3: L = Σ g(x, x̂) + λ Σₖ f(h, rₖ) Gₖ, the mean over rows; with α → ∞, G is the nearest alone. */
export function jointLoss(reconstruction: Node, clustering: Node, lambda: Node | number): Node {
  return add(reconstruction, multiply(clustering, lambda));
}

/**
 * min(1, (V − R₀)/C₀), of the first step, and never nothing: V − R₀ is what reconstruction has learned of the rows, and
 * all it can lose to the clusters. What was found stays.
 */
export function firstRatio(before: Node, spread: Node, reconstruction: Node, clustering: Node): Node {
  const ratio = stopGradient(divide(subtract(spread, reconstruction), maximum(clustering, 1e-12)));
  const bounded = maximum(negate(maximum(negate(ratio), -1)), 1e-6);
  return where(greater(before, 0), before, bounded);
}

/** V = mean over rows of ‖x − their mean‖². */
function spreadOf(x: Node): Node {
  return sum(mean(square(subtract(x, mean(x, { axes: [0], keep: true }))), { axes: [0] }));
}

/** D2, D3: Σₖ f(h, rₖ) Gₖ(h, α); where the code is the row itself and α is large, k-means. */
export function clusteringLoss(f: Node, alpha: Node | number): Node {
  return withinLoss(closeness(f, alpha), f);
}

/**
 * D5: Gₖ = exp(−α f(h, rₖ)) / Σ exp(−α f(h, rₖ′)), with distances shifted by the smallest, which changes nothing but
 * the range.
 */
export function closeness(f: Node, alpha: Node | number): Node {
  const least = negate(max(negate(f), { axes: [1], keep: true }));
  return softmax(negate(multiply(subtract(f, stopGradient(least)), alpha)));
}

/** §3.2: where two representatives are equally near to a row, but for rounding, both are taken from elsewhere. */
export function withoutTies(r: Node, f: Node, elsewhere: Node): Node {
  const least = negate(max(negate(f), { axes: [1], keep: true }));
  const rounding = multiply(max(f, { axes: [1], keep: true }), 1e-6);
  const isNearest = subtract(1, isPositive(subtract(f, add(least, rounding))));
  const isTied = isPositive(subtract(sum(isNearest, { axes: [1], keep: true }), 1));
  const tied = max(multiply(isNearest, isTied), { axes: [0] });
  return where(greater(reshape(tied, [r.shape[0]!, 1]), 0), elsewhere, r);
}

/**
 * §4.2: α₁ = 0.1, αₙ₊₁ = αₙ · 2^(1/ln(n + 1)²), counted from 0 here. (As printed, with ln(n), the second would not
 * exist.)
 */
export function annealed(index: number): number {
  let alpha = 0.1;
  for (let n = 1; n <= index; n++) alpha *= 2 ** (1 / Math.log(n + 1) ** 2);
  return alpha;
}
