/**
 * Sample-assignment invariance: two ways to turn distances into assignments must agree.
 * Peng, Zhu, Feng, Shen, Zhang & Zhou, IEEE TNNLS 31, 2020; I6 is its equation 6 (docs/equations.md).
 *
 *   h  codes [n, d]           ω  centers [k, d]          z  distances [n, k], in one of four metrics
 *   Q  closeness [n, k]       f  cluster frequencies [k], kept as state: a label does not depend on its batch
 *   P₁, P₂  assignments that follow from two closenesses Q₁, Q₂
 */

import { concatenate, reshape, size } from "../graph/arrange.ts";
import {
  add,
  divide,
  isPositive,
  log,
  multiply,
  power,
  relu,
  square,
  stopGradient,
  subtract,
} from "../graph/elementwise.ts";
import { type Node, type Update, type Variable, variable } from "../graph/node.ts";
import { mean, sum } from "../graph/reduce.ts";
import {
  chord,
  distancesOf,
  inProportion,
  type Metric,
  nearest,
  partsOf,
  squaredDistances,
  unitRows,
} from "../nn/distances.ts";
import { lloyd, meansByLabel, unitTensor } from "../numerics/kmeans.ts";
import { choice, flag, number, type ValuesOf, whole } from "../options.ts";
import { filled, type Tensor, tensor } from "../tensor/tensor.ts";
import { firstCenters, firstValues } from "../training/firstCenters.ts";
import type { Clustering, Method, Problem } from "../training/method.ts";
import { withinLoss } from "./clusterMeans.ts";
import { followByDescent } from "./followByDescent.ts";

const options = {
  metric: choice(
    "z of P₂: how far a code is from a center.",
    ["euclidean", "cosine", "correlation", "cityBlock"],
    "euclidean",
  ),
  z: choice(
    "What I9–I11 become: matched to the scale of a Euclidean distance, the distances that the text names (1 − cosine, 1 − correlation, ‖h − ω‖₁), or as printed, where I9 and I10 are similarities.",
    ["matched", "named", "printed"],
    "matched",
  ),
  sharpness: whole("r: the power of the closeness (I6).", 2, { from: 1, to: 8 }),
  epsilon: number("ε, added to both assignments before their logarithm: P₁ has exact zeros.", 1e-7, { from: 1e-12 }),
  target: choice(
    "Which assignment leads; the gradient flows through the other, or through both.",
    ["P1", "P2", "both"],
    "P1",
  ),
  sphere: flag("Scale every code to the mean length that codes have at the start.", true),
  moving: flag("Let the loss move the centers too.", false),
  inference: choice("Which assignment gives the label.", ["P1", "P2"], "P1"),
  together: flag("Lead the assignments of all four metrics at once (I4).", false),
} as const;

type Options = ValuesOf<typeof options>;

const paper =
  "Peng, Zhu, Feng, Shen, Zhang & Zhou, Deep Clustering with Sample-Assignment Invariance Prior, IEEE TNNLS 31, 2020";

function withMetric(name: string, metric: Metric, about: string): Method<typeof options> {
  const sgd = { optimizer: "sgd", momentum: 0.9, metric } as const;
  return {
    name,
    about,
    paper,
    options,
    profiles: {
      // Algorithm 1 and Table II's row of mnist-test. What is illegible or not said is docs/methods/invariance.md's.
      paper: {
        ...sgd,
        ...{ network: "fullyConnected", weights: "xavier", output: "linear", weightDecay: 1e-6, corruption: 0.3 },
        ...{ pretraining: 300, pretrainingOptimizer: "sgd", pretrainingRate: 1 },
        ...{ epochs: 3000, rate: 1e-3, decay: 0.9, decayEvery: 300, labelChange: 3e-4, refill: false },
        ...{ target: "P2", moving: true, sphere: false, z: "named" },
      },
      practical: {
        ...sgd,
        ...{ corruption: 0.3, batch: 0, pretraining: 30, epochs: 15, rate: 1e-3, labelChange: 1e-3 },
        ...{ restarts: 3, keep: "silhouette" },
      },
    },
    // A city-block distance has no shorter way than through all differences.
    holds: ({ options: { metric, together }, clusters, latent }) =>
      metric === "cityBlock" || together ? { inBatch: clusters * latent } : {},
    start: invariant,
  };
}

export const homo = withMetric("homo", "euclidean", "Two assignments from Euclidean distances are made to agree.");
export const hoe = withMetric("hoe", "cosine", "An assignment by angles is led to one by distances.");
export const hot = withMetric("hot", "correlation", "An assignment by correlations is led to one by distances.");
export const hit = withMetric("hit", "cityBlock", "An assignment by city blocks is led to one by distances.");

/** One of the two ways from codes to an assignment. */
interface Way {
  readonly metric: Metric;
  /** Q of distances. */
  closeness(z: Node): Node;
  /** How much of the rows each cluster has had by it. */
  readonly f: Variable;
  /** What is least where P is largest; and what that would be if all clusters were equally frequent. */
  distance(z: Node, f: Node, r: number): Node;
  evenDistance(z: Node): Node;
}

function invariant({ options, clusters: k, network, random }: Problem<Options>): Clustering {
  const { metric, sharpness: r, epsilon, target, moving, inference, start, startRestarts } = options;
  const d = network.latent;
  const omega = variable("centers", tensor("float32", [k, d], random.normals(k * d)));
  const radius = variable("radius", filled("float32", [], 1));
  const even = filled("float32", [k], 1 / k);
  const centers = moving ? omega : stopGradient(omega);
  const comparable = (h: Node): Node => (options.sphere ? multiply(unitRows(h), radius) : h);

  const ways: Readonly<Record<"P1" | "P2", Way>> = {
    P1: {
      metric: "euclidean",
      closeness: positiveCloseness,
      f: variable("frequencies.P1", even),
      distance: distanceByFirst,
      evenDistance: (z) => z,
    },
    P2: {
      metric,
      closeness: studentCloseness,
      f: variable("frequencies.P2", even),
      distance: distanceBySecond,
      evenDistance: square,
    },
  };
  const z = (h: Node, { metric }: Way): Node => distancesBy[options.z][metric](comparable(h), centers, radius);
  const q = (h: Node, way: Way): Node => way.closeness(z(h, way));

  // What is learned: the assignments of a batch by its own frequencies, one of them held, or neither.
  const assignment = (h: Node, way: Way): Node => {
    const closeness = q(h, way);
    return assignmentProbability(closeness, frequencies(closeness, r), r);
  };
  const held = (name: "P1" | "P2", p: Node): Node => (name === target ? stopGradient(p) : p);
  const led = options.together ? (Object.keys(distancesOf) as Metric[]) : [metric];
  const disagreement = (h: Node): Node => {
    const p1 = assignment(h, ways.P1);
    return led
      .map((metric) => assignment(h, { ...ways.P2, metric }))
      .map((p2) => invarianceLoss(held("P2", p2), held("P1", p1), epsilon))
      .reduce((total, part) => add(total, part));
  };

  // What follows without a gradient: the frequencies, a share of the way to those of a batch.
  const followed = (h: Node, way: Way, share: Node): Update => [
    way.f,
    add(way.f, multiply(subtract(stopGradient(frequencies(q(h, way), r)), way.f), share)),
  ];

  // What gives the label.
  const label = ways[inference];
  const distances = (h: Node): Node => label.distance(z(h, label), label.f, r);
  return {
    centers: omega,
    comparable,
    distances,
    // Without frequencies the distances would be z, or z² by P₂; what f adds is a part of its own.
    parts(h) {
      const near = label.evenDistance(z(h, label));
      const geometry = partsOf[label.metric](comparable(h), centers);
      const byFrequency = reshape(subtract(distances(h), near), [...near.shape, 1]);
      return concatenate([inProportion(geometry, near), byFrequency], 2);
    },
    partNames: ["cluster frequency"],
    probabilities: (h) => assignmentProbability(q(h, label), label.f, r),
    begin({ codes, random }) {
      const found = firstCenters(start, codes, k, random, { restarts: startRestarts });
      if (!found || !options.sphere) return firstValues([omega, found]);
      const { length, means } = onSphere(codes, found);
      return firstValues([radius, filled("float32", [], length)], [omega, means]);
    },
    // A cluster without rows has the frequency 0, and would be given too many: all begin anew as equals.
    withCenters: (placed) =>
      new Map([
        [omega, placed],
        [ways.P1.f, even],
        [ways.P2.f, even],
      ]),
    steps: {
      agree({ x, pass, learn }) {
        const h = network.encode(x, pass);
        const loss = disagreement(h);
        const learned = learn(loss, [...network.parameters, ...(moving ? [omega] : [])]);
        // A twentieth with a whole batch; a last one of few rows counts for no more than they are.
        const share = divide(size(h, [0]), 20 * options.batch);
        return { z: h, loss, updates: [...learned, followed(h, ways.P1, share), followed(h, ways.P2, share)] };
      },
    },
    follow(h, rate) {
      const squared = squaredDistances(comparable(h), omega);
      return followByDescent(withinLoss(nearest(squared), squared), omega, rate);
    },
    decoderIsStale: network.parameters.length > 0,
  };
}

/** The mean length of codes, and the means of the clusters once every code has that length. */
function onSphere(codes: Tensor<"float32">, centers: Tensor<"float32">): { length: number; means: Tensor<"float32"> } {
  const [n, d] = codes.shape as [number, number];
  const { labels } = lloyd(codes, centers, { iterations: 0 });
  let length = 0;
  for (let i = 0; i < n; i++) length += Math.hypot(...codes.data.subarray(i * d, (i + 1) * d)) / n;
  const unit = unitTensor(codes);
  const scaled = { ...unit, data: unit.data.map((value) => value * length) };
  return { length, means: meansByLabel(scaled, labels, centers) };
}

/** I4, I5: L = mean over rows of Σⱼ P₂ log(P₂/P₁), with ε added to both. */
export function invarianceLoss(p2: Node, p1: Node, epsilon: number): Node {
  const ratio = subtract(log(add(p2, epsilon)), log(add(p1, epsilon)));
  return mean(sum(multiply(p2, ratio), { axes: [1] }));
}

/** I6: P = (Qʳ/f) / Σⱼ (Qʳ/f). */
export function assignmentProbability(q: Node, f: Node, r: number): Node {
  return normalized(divide(power(q, r), f));
}

/**
 * f: how much of the rows each cluster has, by Qʳ alone. (The paper names f and does not define it.) A little is added:
 * none has nothing.
 */
export function frequencies(q: Node, r: number): Node {
  return add(mean(normalized(power(q, r)), { axes: [0] }), 1e-3 / (q.shape[1] as number));
}

/** I7: Q₁ = max(0, uᵢ − zᵢⱼ), uᵢ the mean of zᵢ over the centers. */
export function positiveCloseness(z: Node): Node {
  return relu(subtract(mean(z, { axes: [1], keep: true }), z));
}

/** I8: Q₂ = (1 + z²)⁻¹ / Σⱼ (1 + z²)⁻¹. */
export function studentCloseness(z: Node): Node {
  const near = divide(1, add(square(z), 1));
  return divide(near, sum(near, { axes: [1], keep: true }));
}

/**
 * I8–I11: z by the distance of each name. As printed, cosine and correlation are similarities; and 1 − similarity has
 * another scale than a distance, so that Q₂ comes out flat and pulls everything together. On a sphere of radius R,
 * R·√(2(1 − cos)) is the distance itself. A city-block distance is √(2d/π) times as long as the straight line, on
 * average over directions.
 */
export const distancesBy: Record<Options["z"], Record<Metric, (h: Node, centers: Node, radius: Node) => Node>> = {
  matched: {
    ...distancesOf,
    cosine: (h, centers, radius) => chord(distancesOf.cosine(h, centers), radius),
    correlation: (h, centers, radius) => chord(distancesOf.correlation(h, centers), radius),
    cityBlock: (h, centers) =>
      divide(distancesOf.cityBlock(h, centers), Math.sqrt((2 * (h.shape[1] as number)) / Math.PI)),
  },
  named: distancesOf,
  printed: {
    ...distancesOf,
    cosine: (h, centers) => subtract(1, distancesOf.cosine(h, centers)),
    correlation: (h, centers) => subtract(1, distancesOf.correlation(h, centers)),
  },
};

/** I12: the label is argmaxⱼ P₁. u − (u − zⱼ)·(k·fⱼ)^(−1/r) is least there, and is z itself where all f are 1/k. */
export function distanceByFirst(z: Node, f: Node, r: number): Node {
  const u = mean(z, { axes: [1], keep: true });
  return subtract(u, divide(subtract(u, z), relative(f, r)));
}

/**
 * Table VI: the label by P₂ instead. (1 + z²)·(k·fⱼ)^(1/r) − 1 is least where P₂ is largest, and is z² where all f are
 * 1/k.
 */
export function distanceBySecond(z: Node, f: Node, r: number): Node {
  return subtract(multiply(add(square(z), 1), relative(f, r)), 1);
}

/** (k·fⱼ)^(1/r). */
const relative = (f: Node, r: number): Node => power(multiply(f, f.shape[0] as number), 1 / r);

/** Rows to the sum 1; a row of zeros to 1/k each. */
function normalized(x: Node): Node {
  const total = sum(x, { axes: [1], keep: true });
  const empty = subtract(1, isPositive(total));
  return add(divide(x, add(total, empty)), divide(empty, x.shape[1] as number));
}
