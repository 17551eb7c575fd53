/**
 * TELL: k-means as a layer of a network, so that centers are weights and an assignment is an activation.
 *
 *   x, z  rows and their codes, of length 1        Ω  centers, of length 1
 *   W, b  the layer: W = 2Ω [k, d], b = −‖Ω‖² = −1  I  assignment [n, k]
 *   β     ‖z‖² = 1                                  τ  temperature
 */

import { gatherRows } from "../graph/arrange.ts";
import { add, divide, multiply, negate, stopGradient, subtract } from "../graph/elementwise.ts";
import { gradient } from "../graph/gradient.ts";
import { type Node, type Update, variable } from "../graph/node.ts";
import { matmul } from "../graph/products.ts";
import { sum } from "../graph/reduce.ts";
import { productParts, unitRows } from "../nn/distances.ts";
import { kaimingUniform } from "../nn/initializers.ts";
import { inference, type Pass } from "../nn/layers.ts";
import { meanSquaredError } from "../nn/losses.ts";
import { unitTensor } from "../numerics/kmeans.ts";
import { filled, type Tensor, tensor } from "../tensor/tensor.ts";
import { firstCenters, firstValues } from "../training/firstCenters.ts";
import type { BatchFormulas, Clustering, Method, Problem, Step } from "../training/method.ts";
import { choice, flag, number, type ValuesOf, whole } from "../training/options.ts";
import {
  clusteringLoss,
  descend,
  hardAssignment,
  jointLoss,
  normalizedGradient,
  renormalized,
  softAssignment,
} from "./layer.ts";

const options = {
  lambda: number("λ, the weight of the clustering loss against reconstruction (T15).", 0.01),
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
    paper: { code: "unit", pretraining: 0, epochs: 3000, optimizer: "adadelta", rate: 1, start: "random", restarts: 5 },
    // 30 epochs of reconstruction place codes well; neighbours, asked once, then know more about a row than its nearest center does.
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
  start: clusterLayer,
};

/** With more votes than this, rows times clusters, they would need too much memory: each row then decides alone. */
const mostVotes = 2 ** 25;

function clusterLayer({ options, clusters: k, network, count, random }: Problem<Options>): Clustering {
  const { lambda, tau, rounds, start, startRestarts } = options;
  const d = network.latent;
  const W = variable("W", twice(unitTensor(kaimingUniform(random, [k, d], { in: d, out: k }))));
  const isVoting = options.neighbours > 0 && count * k <= mostVotes;
  const votes = isVoting ? variable("votes", filled("float32", [count, k], 1 / k)) : undefined;
  // T14: length 1 before anything else sees them, whatever the network is.
  const encode = (x: Node, pass: Pass): Node => unitRows(network.encode(x, pass));
  const scoresOf = (z: Node, weight: Node): Node => matmul(z, weight, { transposeB: true });
  const attention = (scores: Node, rows?: Node): Node => {
    if (votes && rows) return gatherRows(votes, rows);
    return options.assignment === "hard" ? hardAssignment(scores) : softAssignment(scores, tau);
  };

  const renormalize = (weight: Node): Node => (options.normalizeWeight ? renormalized(weight) : weight);
  const slope = (z: Node, share: Node | number, rows?: Node): Node => {
    // Summed over rows as in T13, so that without normalization the step has the paper's length.
    const scores = scoresOf(z, W);
    const [g] = gradient(sum(multiply(attention(scores, rows), subtract(2, scores))), [W]) as [Node];
    return options.normalizeGradient ? normalizedGradient(g, W, share) : multiply(g, share);
  };
  const moved = (z: Node, { rows, move }: BatchFormulas): Update[] => {
    const direction = slope(z, options.step, rows);
    if (options.centerStep === "direct") return [[W, renormalize(descend(W, direction))]];
    return move([W], [direction]).map(([target, next]) => [target, target === W ? renormalize(next) : next]);
  };

  const frozen = options.twoStage || network.parameters.length === 0;
  const step =
    (moves: "centers" | "network" | "both") =>
    (batch: BatchFormulas): Step => {
      const { x, rows, pass, learn } = batch;
      const z = encode(x, frozen ? inference : pass);
      const scores = scoresOf(z, stopGradient(W));
      const clustering = clusteringLoss(attention(scores, rows), scores);
      const centers = moves === "network" ? [] : moved(stopGradient(z), batch);
      if (frozen) return { z, loss: clustering, updates: centers };
      const reconstruction = meanSquaredError(network.decode(z, pass), x);
      const loss = moves === "centers" ? reconstruction : jointLoss(reconstruction, clustering, lambda, k);
      const terms = { clustering, reconstruction };
      return { z, loss: clustering, terms, updates: [...learn(loss, network.parameters), ...centers] };
    };
  const kinds = frozen
    ? (["centers"] as const)
    : options.alternate
      ? (["centers", "network"] as const)
      : (["both"] as const);
  return {
    centers: divide(W, 2),
    placed: unitRows,
    distances: (z) => subtract(2, scoresOf(unitRows(z), W)),
    parts: (z) => negate(productParts(unitRows(z), W)),
    begin({ codes, random }) {
      const found = firstCenters(start, codes, k, random, { restarts: startRestarts, spherical: true });
      return firstValues([W, found && twice(found)]);
    },
    steps: Object.fromEntries(kinds.map((kind) => [kind, step(kind)])),
    kindOf: (epoch) => kinds[epoch % kinds.length]!,
    ...(options.neighbours > 0 &&
      !isVoting && { notices: [`${count} rows are too many to vote: each decides alone, as with neighbours: 0`] }),
    ...(votes && {
      perRow: {
        variable: votes,
        renews: (epoch) => epoch === 0,
        value: (z) => softAssignment(scoresOf(unitRows(z), W), tau),
        spread: { neighbours: options.neighbours, rounds },
        combined: (all) => (options.assignment === "hard" ? hardAssignment(all) : add(all, 0)),
      },
    }),
    follow: (z, rate) => {
      const code = unitRows(z);
      const scores = scoresOf(code, W);
      const loss = clusteringLoss(attention(scores), scores);
      return { loss, updates: [[W, renormalize(descend(W, slope(code, rate)))]] };
    },
  };
}

/** 2Ω for first values. */
function twice({ shape, data }: Tensor<"float32">): Tensor<"float32"> {
  return tensor(
    "float32",
    shape,
    data.map((value) => 2 * value),
  );
}
