/**
 * Sample-assignment invariance: two ways to turn distances into assignments must agree.
 *
 *   h  codes [n, d]           ω  centers [k, d]          z  distances [n, k], in one of four metrics
 *   Q  closeness [n, k]       f  cluster frequencies [k], kept as state: a label does not depend on its batch
 *   P₁, P₂  assignments that follow from two closenesses Q₁, Q₂
 */

import { concatenate, reshape, size } from "../graph/arrange.ts";
import { add, divide, multiply, square, stopGradient, subtract } from "../graph/elementwise.ts";
import { type Node, type Update, variable } from "../graph/node.ts";
import { inProportion, nearest, squaredDistances, unitRows } from "../nn/distances.ts";
import { lloyd, meansByLabel, unitTensor } from "../numerics/kmeans.ts";
import { filled, type Tensor, tensor } from "../tensor/tensor.ts";
import { firstCenters } from "../training/firstCenters.ts";
import type { Clustering, Method, Problem } from "../training/method.ts";
import { choice, flag, number, type ValuesOf, whole } from "../training/options.ts";
import {
  assignmentProbability,
  distanceByFirst,
  distanceBySecond,
  distancesBy,
  frequencies,
  invarianceLoss,
  type Metric,
  partsBy,
  positiveCloseness,
  studentCloseness,
} from "./agreement.ts";
import { descent } from "./descent.ts";
import { withinLoss } from "./kmeans.ts";

const options = {
  metric: choice(
    "z of P₂: how far a code is from a center.",
    ["euclidean", "cosine", "correlation", "cityBlock"],
    "euclidean",
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
  const sgd = { optimizer: "sgd", rate: 1e-3, momentum: 0.9, metric } as const;
  const dense = { network: "fullyConnected", output: "linear" } as const;
  return {
    name,
    about,
    paper,
    options,
    profiles: {
      paper: { ...dense, ...sgd, corruption: 0.3, pretraining: 60, epochs: 15, labelChange: 3e-4 },
      practical: {
        ...sgd,
        corruption: 0.3,
        batch: 0,
        pretraining: 30,
        epochs: 15,
        labelChange: 1e-3,
        restarts: 3,
        keep: "silhouette",
      },
    },
    start: invariant,
  };
}

export const homo = withMetric("homo", "euclidean", "Two assignments from Euclidean distances are made to agree.");
export const hoe = withMetric("hoe", "cosine", "An assignment by angles is led to one by distances.");
export const hot = withMetric("hot", "correlation", "An assignment by correlations is led to one by distances.");
export const hit = withMetric(
  "hit",
  "cityBlock",
  "An assignment by city-block distances is led to one by Euclidean ones.",
);

function invariant({ options, clusters: k, network, random }: Problem<Options>): Clustering {
  const { metric, sharpness: r, epsilon, target, moving, inference, start, startRestarts } = options;
  const d = network.latent;
  const omega = variable("centers", tensor("float32", [k, d], random.normals(k * d)));
  const radius = variable("radius", filled("float32", [], 1));
  const even = filled("float32", [k], 1 / k);
  const [f1, f2] = [variable("frequencies.P1", even), variable("frequencies.P2", even)];
  const centers = moving ? omega : stopGradient(omega);
  const placed = (h: Node): Node => (options.sphere ? multiply(unitRows(h), radius) : h);
  const z1 = (h: Node): Node => distancesBy.euclidean(placed(h), centers, radius);
  const z2 = (h: Node, name: Metric = metric): Node => distancesBy[name](placed(h), centers, radius);

  const distances = (h: Node): Node =>
    inference === "P1" ? distanceByFirst(z1(h), f1, r) : distanceBySecond(z2(h), f2, r);
  const disagreement = (h: Node): Node => {
    const q1 = positiveCloseness(z1(h));
    const p1 = assignmentProbability(q1, frequencies(q1, r), r);
    const led = options.together ? (Object.keys(distancesBy) as Metric[]) : [metric];
    const parts = led.map((name) => {
      const q2 = studentCloseness(z2(h, name));
      const p2 = assignmentProbability(q2, frequencies(q2, r), r);
      return invarianceLoss(target === "P2" ? stopGradient(p2) : p2, target === "P1" ? stopGradient(p1) : p1, epsilon);
    });
    return parts.reduce((total, part) => add(total, part));
  };
  return {
    centers: omega,
    placed,
    distances,
    // Without frequencies the distances would be z, or z² by P₂; what f adds is a part of its own.
    parts(h) {
      const near = inference === "P1" ? z1(h) : square(z2(h));
      const geometry = partsBy[inference === "P1" ? "euclidean" : metric](placed(h), centers);
      const byFrequency = reshape(subtract(distances(h), near), [...near.shape, 1]);
      return concatenate([inProportion(geometry, near), byFrequency], 2);
    },
    partNames: ["cluster frequency"],
    probabilities: (h) =>
      inference === "P1"
        ? assignmentProbability(positiveCloseness(z1(h)), f1, r)
        : assignmentProbability(studentCloseness(z2(h)), f2, r),
    begin({ codes, random }) {
      const found = firstCenters(start, codes, k, random, { restarts: startRestarts });
      if (!found) return new Map();
      const { length, means } = onSphere(codes, found);
      return options.sphere
        ? new Map([
            [radius, filled("float32", [], length)],
            [omega, means],
          ])
        : new Map([[omega, found]]);
    },
    steps: {
      agree({ x, pass, learn }) {
        const h = network.encode(x, pass);
        const loss = disagreement(h);
        // A last batch of few rows counts for no more than they are.
        const share = divide(size(h, [0]), 20 * options.batch);
        const follow = (f: Node, q: Node): Node =>
          add(f, multiply(subtract(stopGradient(frequencies(q, r)), f), share));
        const followed: Update[] = [
          [f1, follow(f1, positiveCloseness(z1(h)))],
          [f2, follow(f2, studentCloseness(z2(h)))],
        ];
        return {
          z: h,
          loss,
          updates: [...learn(loss, [...network.parameters, ...(moving ? [omega] : [])]), ...followed],
        };
      },
    },
    follow(h, rate) {
      const squared = squaredDistances(placed(h), omega);
      return descent(withinLoss(nearest(squared), squared), omega, rate);
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
  const placed = tensor(
    "float32",
    [n, d],
    unitTensor(codes).data.map((value) => value * length),
  );
  return { length, means: meansByLabel(placed, labels, centers) };
}
