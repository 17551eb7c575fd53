/**
 * TELL: k-means as a layer of a network, so that centers are weights and an assignment is an activation.
 * Peng, Li, Tsang, Zhu, Lv & Zhou, JMLR 23, 2022; T12 is its equation 12 (docs/equations.md).
 *
 *   x, z  rows and their codes, of length 1         Ω  centers, of length 1
 *   W, b  the layer: W = 2Ω [k, d], b = −‖Ω‖² = −1  I  assignment [n, k]
 *   β     ‖z‖² = 1                                  τ  temperature
 */

import { gatherRows } from "../graph/arrange.ts";
import { add, divide, multiply, negate, stopGradient, subtract } from "../graph/elementwise.ts";
import { gradient } from "../graph/gradient.ts";
import { type Node, type Update, variable } from "../graph/node.ts";
import { matmul } from "../graph/products.ts";
import { norm, softmax, sum } from "../graph/reduce.ts";
import { nearest, productParts, unitRows } from "../nn/distances.ts";
import { kaimingUniform } from "../nn/initializers.ts";
import { inference, type Pass } from "../nn/layers.ts";
import { meanReconstruction } from "../nn/reconstruction.ts";
import { unitTensor } from "../numerics/kmeans.ts";
import { choice, flag, number, type ValuesOf, whole } from "../options.ts";
import { filled, sizeOf, type Tensor, tensor } from "../tensor/tensor.ts";
import { firstCenters, firstValues } from "../training/firstCenters.ts";
import type { BatchFormulas, Clustering, Method, Problem, Step } from "../training/method.ts";
import { withinLoss } from "./clusterMeans.ts";

const options = {
  lambda: number("λ, the weight of the clustering loss against reconstruction (T15).", 0.01),
  units: choice(
    "The units of T15: means, as in the code of the published figures, or the sums that the text prints, whose pull is K/D of that.",
    ["means", "sums"],
    "means",
  ),
  assignment: choice(
    "Each row to one cluster, or to all in parts that a softmax gives (T8).",
    ["hard", "soft"],
    "hard",
  ),
  tau: number("τ, the temperature of the softmax.", 0.1, { from: 1e-6 }),
  step: number(
    "The length of a center's step: as a share of its own length, or, without that normalization, times its gradient.",
    0.1,
  ),
  normalizeGradient: flag("Scale each center's gradient to that length (Fig. 2c).", true),
  normalizeWeight: flag("Scale each center back to length 1 after its step (Fig. 2b and c).", true),
  centerStep: choice(
    "Centers step by their gradient directly, or through the optimizer.",
    ["direct", "optimizer"],
    "direct",
  ),
  alternate: flag(
    "Let the clustering loss move the centers in one epoch and the network in the next, never both at once (T15).",
    true,
  ),
  neighbours: whole(
    "How many of its nearest rows vote on the cluster a row is led to, or on its parts; 0 lets each row decide alone.",
    0,
  ),
  rounds: whole("How many times votes are passed on from neighbour to neighbour.", 60, { from: 1 }),
  twoStage: flag("Leave the network as pretraining made it and move the centers alone (TELL-TwoStage).", false),
} as const;

type Options = ValuesOf<typeof options>;

export const tell: Method<typeof options> = {
  name: "tell",
  about: "k-means written as a layer: centers are its weights, and the network learns codes that suit them.",
  paper: "Peng, Li, Tsang, Zhu, Lv & Zhou, XAI Beyond Classification: Interpretable Neural Clustering, JMLR 23, 2022",
  options,
  profiles: {
    paper: {
      ...{ code: "unit", weights: "he", pretraining: 0, epochs: 3000, optimizer: "adadelta", rate: 1 },
      ...{ start: "random", restarts: 5, refill: false },
    },
    // 30 epochs of reconstruction place codes well; neighbours, asked once, then know more about a row than its nearest
    // center does.
    practical: {
      code: "unit",
      batch: 0,
      pretraining: 30,
      epochs: 8,
      rate: 1e-3,
      decay: 0.5,
      decayEvery: 2,
      lambda: 0.3,
      alternate: false,
      neighbours: 10,
      rounds: 60,
      restarts: 3,
      keep: "silhouette",
    },
  },
  // Votes, and the nearest rows, both ways.
  holds: ({ options: { neighbours }, clusters, count }) =>
    neighbours > 0 && count * clusters <= mostVotes ? { perRow: clusters + 2 * Math.min(neighbours, count) } : {},
  start: clusterLayer,
};

/** With more votes than this, rows times clusters, they would need too much memory: each row then decides alone. */
const mostVotes = 2 ** 25;

/** What the network learns in a step, and how the centers move in it. */
type Learned = (reconstruction: Node, clustering: Node) => Node;
type Centers = (z: Node, batch: BatchFormulas) => Update[];

function clusterLayer({ options, clusters: k, network, count, random }: Problem<Options>): Clustering {
  const { lambda, tau, neighbours, rounds, start, startRestarts } = options;
  const d = network.latent;
  const W = variable("W", weightsOf(unitTensor(kaimingUniform(random, [k, d], { in: d, out: k }))));
  const canVote = count * k <= mostVotes;
  const votes = neighbours > 0 && canVote ? variable("votes", filled("float32", [count, k], 1 / k)) : undefined;
  // T14: length 1 before anything else sees them, whatever the network is.
  const encode = (x: Node, pass: Pass): Node => unitRows(network.encode(x, pass));

  // Where a row is led: to what its own scores say, or to what its neighbours have voted.
  const assigned = { hard: hardAssignment, soft: (scores: Node) => softAssignment(scores, tau) }[options.assignment];
  const led = (scores: Node, rows: Node): Node => (votes ? gatherRows(votes, rows) : assigned(scores));

  // What is reported, whatever is learned: the clustering loss of codes, with the centers held.
  const clusteringOf = (z: Node, rows: Node): Node => {
    const scores = layerScores(z, stopGradient(W));
    return clusteringLoss(led(scores, rows), scores);
  };

  // What moves the centers: the gradient of that loss, with the codes held. Summed over rows as in T13, so that without
  // normalization the step has the paper's length.
  const slope = (z: Node, share: Node | number, I: (scores: Node) => Node): Node => {
    const scores = layerScores(z, W);
    const [g] = gradient(summedLoss(I(scores), scores), [W]) as [Node];
    return options.normalizeGradient ? normalizedGradient(g, W, share) : multiply(g, share);
  };
  const restored = options.normalizeWeight ? renormalized : (weight: Node): Node => weight;
  const direct = (step: Node): Update[] => [[W, restored(descend(W, step))]];
  const throughOptimizer = (step: Node, { move }: BatchFormulas): Update[] =>
    move([W], [step]).map(([target, next]) => [target, target === W ? restored(next) : next]);
  const moved = { direct, optimizer: throughOptimizer }[options.centerStep];
  const centersMove: Centers = (z, batch) => {
    const step = slope(stopGradient(z), options.step, (scores) => led(scores, batch.rows));
    return moved(step, batch);
  };
  const centersStay: Centers = () => [];

  // What the network learns.
  const reconstructionAlone: Learned = (reconstruction) => reconstruction;
  const joint: Learned = {
    means: (reconstruction: Node, clustering: Node) => jointLoss(reconstruction, clustering, lambda, k),
    sums: (reconstruction: Node, clustering: Node) =>
      jointSums(reconstruction, clustering, lambda, sizeOf(network.row)),
  }[options.units];

  const step =
    (learned: Learned, centers: Centers) =>
    (batch: BatchFormulas): Step => {
      const { x, rows, pass, learn } = batch;
      const z = encode(x, pass);
      const clustering = clusteringOf(z, rows);
      const reconstruction = meanReconstruction(network, z, x, pass);
      const updates = [...learn(learned(reconstruction, clustering), network.parameters), ...centers(z, batch)];
      return { z, loss: clustering, terms: { clustering, reconstruction }, updates };
    };
  const stepOfFrozen = (batch: BatchFormulas): Step => {
    const z = encode(batch.x, inference);
    return { z, loss: clusteringOf(z, batch.rows), updates: centersMove(z, batch) };
  };
  const inTurns = { centers: step(reconstructionAlone, centersMove), network: step(joint, centersStay) };
  const atOnce = { both: step(joint, centersMove) };
  const isFrozen = options.twoStage || network.parameters.length === 0;
  const steps = isFrozen ? { centers: stepOfFrozen } : options.alternate ? inTurns : atOnce;
  const kinds = Object.keys(steps);

  return {
    centers: divide(W, 2),
    comparable: unitRows,
    distances: (z) => unitDistances(layerScores(unitRows(z), W)),
    parts: (z) => negate(productParts(unitRows(z), W)),
    attends: true,
    begin({ codes, random }) {
      const found = firstCenters(start, codes, k, random, { restarts: startRestarts, spherical: true });
      return firstValues([W, found && weightsOf(found)]);
    },
    withCenters: (centers) => new Map([[W, weightsOf(centers)]]),
    steps,
    kindOf: (epoch) => kinds[epoch % kinds.length]!,
    ...(neighbours > 0 &&
      !canVote && { notices: [`${count} rows are too many to vote: each decides alone, as with neighbours: 0`] }),
    ...(votes && {
      perRow: {
        variable: votes,
        renews: (epoch) => epoch === 0,
        value: (z) => softAssignment(layerScores(unitRows(z), W), tau),
        spread: { neighbours, rounds },
        combined: (all) => (options.assignment === "hard" ? hardAssignment(all) : all),
      },
    }),
    follow: (z, rate) => {
      const code = unitRows(z);
      const scores = layerScores(code, W);
      return { loss: clusteringLoss(assigned(scores), scores), updates: direct(slope(code, rate, assigned)) };
    },
  };
}

/** T5: W = 2Ω, for first values; where ‖Ω‖ = 1, b = −1 needs no variable. */
export function weightsOf({ shape, data }: Tensor<"float32">): Tensor<"float32"> {
  const twice = data.map((value) => 2 * value);
  return tensor("float32", shape, twice);
}

/** Wⱼᵀx. */
export function layerScores(x: Node, W: Node): Node {
  return matmul(x, W, { transposeB: true });
}

/**
 * T7, T8: Iⱼ = exp((Wⱼᵀx + bⱼ − β)/τ) / Σₖ exp((Wₖᵀx + bₖ − β)/τ); what all scores of a row share, such as β and here
 * b, cancels.
 */
export function softAssignment(scores: Node, tau: number): Node {
  return softmax(divide(scores, tau));
}

/** τ → 0 in T8: 1 for the largest score, 0 for the others. No gradient flows. */
export function hardAssignment(scores: Node): Node {
  return nearest(negate(scores));
}

/** T12: 2 − Wⱼᵀx = ‖x − Ωⱼ‖²: all lengths are known, so that b = −1 and β = 1. */
export function unitDistances(scores: Node): Node {
  return subtract(2, scores);
}

/** T12: L = Σⱼ Iⱼ (2 − Wⱼᵀx), the mean over rows. */
export function clusteringLoss(I: Node, scores: Node): Node {
  return withinLoss(I, unitDistances(scores));
}

/** T13: L_clu = Σᵢ Σⱼ Iⱼ(xᵢ) (2 − Wⱼᵀxᵢ), the sum over rows. */
export function summedLoss(I: Node, scores: Node): Node {
  return sum(multiply(I, unitDistances(scores)));
}

/**
 * T15: L = L_rec + λ L_clu, in the units of the published code: the mean over the elements of x, and over the rows and
 * clusters of I.
 */
export function jointLoss(reconstruction: Node, clustering: Node, lambda: number, clusters: number): Node {
  return add(reconstruction, multiply(clustering, lambda / clusters));
}

/**
 * T15: L = L_rec + λ L_clu as printed, in sums over a row's elements; both are the mean over rows, which leaves the
 * balance as it is.
 */
export function jointSums(reconstruction: Node, clustering: Node, lambda: number, elements: number): Node {
  return add(multiply(reconstruction, elements), multiply(clustering, lambda));
}

/** T16: Wₜ₊₁ = Wₜ − ηₜ ∇L(Wₜ), where the step is ηₜ ∇L(Wₜ), or what its normalization makes of it. */
export function descend(W: Node, step: Node): Node {
  return subtract(W, step);
}

/** §2.2.3: each row of the gradient gets the given share of its weight's length; a row of zeros stays so. */
export function normalizedGradient(g: Node, W: Node, share: Node | number): Node {
  const length = (rows: Node): Node => norm(rows, { axes: [1], keep: true });
  return multiply(g, multiply(divide(length(W), length(g)), share));
}

/** §2.2.3: ‖Wⱼ‖ = 2. */
export function renormalized(W: Node): Node {
  return divide(multiply(W, 2), norm(W, { axes: [1], keep: true }));
}
