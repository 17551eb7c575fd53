/**
 * Telltale: TELL's layer, taught. Any clustering of the rows, or of their codes, is the teacher; the network learns to
 * repeat it with centers that are weights, so that new rows have a cluster, a reason and an exemplar.
 *
 *   x, z  rows and their codes               Ω  centers [k, d]
 *   d     ‖z − Ωⱼ‖² = ‖z‖² − Wⱼᵀz − bⱼ, by the layer W = 2Ω, b = −‖Ω‖² (T5)
 *   y     what the teacher says [n, k], a row of zeros where it says nothing
 *   τ     temperature                        s  how far codes are spread, 1 for codes of length 1
 *
 * It obeys T5 to T8 and, on codes of length 1, T12 and T14; not T13 and T15, whose labels are the layer's own.
 */

import { reshape } from "../graph/arrange.ts";
import { abs, add, divide, maximum, multiply, negate, relu, stopGradient, subtract } from "../graph/elementwise.ts";
import { constant, type Node, type Update, variable } from "../graph/node.ts";
import { logSumExp, sum } from "../graph/reduce.ts";
import { nearest, productParts, squaredDistances, squaredParts, unitRows } from "../nn/distances.ts";
import { inference, type Pass } from "../nn/layers.ts";
import { meanReconstruction } from "../nn/reconstruction.ts";
import { squaredDistance } from "../numerics/distances.ts";
import { unitTensor } from "../numerics/kmeans.ts";
import { choice, flag, number, type ValuesOf, whole } from "../options.ts";
import { toldNames } from "../teachers/names.ts";
import { filled, fromNumbers, type Tensor, tensor } from "../tensor/tensor.ts";
import { firstValues } from "../training/firstCenters.ts";
import type { BatchFormulas, Clustering, Method, Problem, Step } from "../training/method.ts";
import { meansOf, sumsOf, withinLoss } from "./clusterMeans.ts";
import { jointLoss, layerScores, unitDistances } from "./tell.ts";

const options = {
  taughtBy: choice(
    "Who partitions the rows or their codes: the best without labels, or one of docs/teachers.md.",
    ["auto", ...toldNames],
    "auto",
  ),
  effort: choice(
    "How long it may take: quick has one short pretraining, thorough several long ones.",
    ["quick", "normal", "thorough"],
    "normal",
  ),
  pretrainingSteps: whole(
    "Steps of each pretraining, where nobody says how many epochs it has: as many epochs as fill them, 50 at most. Images have half of them, unless they are said.",
    5000,
    { from: 1 },
  ),
  plain: flag(
    "Go without a network where the rows of a table, or up to 200 images, are divided around their means; never where anything is said about the network or its epochs.",
    true,
  ),
  lambda: number("λ, the weight of what the teacher says against reconstruction.", 0.3),
  tau: number("τ, the temperature of the softmax that learns it.", 0.1, { from: 1e-6 }),
} as const;

type Options = ValuesOf<typeof options>;

const profile = { code: "unit", batch: 0, epochs: 8, rate: 1e-3, decay: 0.5, decayEvery: 2 } as const;

export const telltale: Method<typeof options> = {
  name: "telltale",
  about: "Any clustering teaches; the network learns to repeat it with centers that can be read.",
  paper:
    "The layer of Peng, Li, Tsang, Zhu, Lv & Zhou, XAI Beyond Classification: Interpretable Neural Clustering, JMLR 23, 2022, taught by a partition (docs/teachers.md)",
  isTaught: true,
  options,
  // Nobody has published it: both are what to run.
  profiles: { paper: profile, practical: profile },
  efforts: {
    quick: { restarts: 1, pretrainingSteps: 2000, epochs: 5 },
    normal: { restarts: 2 },
    thorough: { restarts: 4, pretrainingSteps: 10_000, plain: false },
  },
  start: taughtLayer,
};

function taughtLayer({ options, clusters: k, network, random }: Problem<Options>): Clustering {
  const { lambda, tau, code, epochs, rate } = options;
  const d = network.latent;
  const isUnit = code === "unit";
  const shaped = isUnit ? unitRows : (z: Node): Node => z;
  const first = tensor("float32", [k, d], random.normals(k * d));
  const omega = variable("centers", isUnit ? unitTensor(first) : first);
  const s = variable("centers.spread", filled("float32", [], 1));

  // T5, T6; on codes of length 1, T12.
  const distances = (z: Node): Node =>
    isUnit ? unitDistances(layerScores(z, multiply(omega, 2))) : squaredDistances(z, omega);
  const teaching = (z: Node, label: Node): Node => crossEntropy(taughtAs(label, k), distances(z), multiply(s, tau));
  const restored = (updates: Update[]): Update[] =>
    updates.map(([target, next]) => [target, target === omega ? shaped(next) : next]);

  const encode = (x: Node, pass: Pass): Node => shaped(network.encode(x, pass));
  const towards = (I: Node, z: Node, rate: Node | number): Update => {
    const { total, size } = sumsOf(I, z);
    const step = multiply(subtract(meansOf(total, size, omega), omega), rate);
    return [omega, shaped(add(omega, step))];
  };
  const joint = ({ x, label, pass, learn }: BatchFormulas, isSettling: boolean): Step => {
    const z = encode(x, pass);
    const taught = teaching(z, label);
    const reconstruction = meanReconstruction(network, z, x, pass);
    const loss = jointLoss(reconstruction, taught, lambda, k);
    // Settling, the network alone learns: centers that learn too part from the means of their members.
    const updates = isSettling
      ? [...learn(loss, network.parameters), towards(taughtAs(label, k), stopGradient(z), 0.1)]
      : restored(learn(loss, [...network.parameters, omega]));
    return { z, loss, terms: { teaching: taught, reconstruction }, updates };
  };
  const layerAlone = ({ x, label, learn }: BatchFormulas): Step => {
    const z = stopGradient(encode(x, inference));
    const loss = teaching(z, label);
    return { z, loss, terms: { teaching: loss }, updates: restored(learn(loss, [omega])) };
  };

  return {
    centers: omega,
    comparable: shaped,
    distances: (z) => distances(shaped(z)),
    parts: (z) => (isUnit ? negate(productParts(unitRows(z), multiply(omega, 2))) : squaredParts(z, omega)),
    begin({ codes, labels }) {
      const seen = isUnit ? unitTensor(codes) : codes;
      const means = labels && meansOfTaught(seen, labels, omega.attributes.initial as Tensor<"float32">);
      const spread = isUnit || !means ? undefined : filled("float32", [], spreadAround(seen, labels, means));
      return firstValues([omega, means && (isUnit ? unitTensor(means) : means)], [s, spread]);
    },
    withCenters: (centers) => new Map([[omega, isUnit ? unitTensor(centers) : centers]]),
    steps:
      network.parameters.length === 0
        ? { taught: layerAlone }
        : { taught: (batch) => joint(batch, false), settling: (batch) => joint(batch, true) },
    // Epochs beyond the last are those that settle.
    kindOf: (epoch) => (epoch < epochs || network.parameters.length === 0 ? "taught" : "settling"),
    schedule: (epoch) => (epoch < epochs ? {} : { rate: rate / 2 }),
    follow(z, rate) {
      const codes = shaped(z);
      const far = distances(codes);
      const I = nearest(far);
      const pull = multiply(rate, steady(sum(I, { axes: [0] })));
      return { loss: withinLoss(I, far), updates: [towards(I, codes, pull)] };
    },
  };
}

/**
 * mⱼ/(mⱼ + 64), [k, 1], for mⱼ rows of a batch in cluster j: of few rows the mean is mostly chance, and a center that
 * followed it would stray where nothing drifts.
 */
export function steady(size: Node): Node {
  const m = reshape(size, [size.shape[0]!, 1]);
  return divide(m, add(m, 64));
}

/** yⱼ = max(0, 1 − |j − label|): 1 for the cluster of that number, and nothing at all for −1. */
export function taughtAs(label: Node, k: number): Node {
  const numbers = Array.from({ length: k }, (_, j) => j);
  const j = constant(fromNumbers("float32", [k], numbers));
  return relu(subtract(1, abs(subtract(j, reshape(label, [label.shape[0]!, 1])))));
}

/** CE = −Σᵢ Σⱼ yⱼ log softmax(−d/τ)ⱼ / Σᵢ Σⱼ yⱼ, the mean over the rows that are taught. */
export function crossEntropy(y: Node, d: Node, tau: Node | number): Node {
  const scores = negate(divide(d, tau));
  const surprise = subtract(logSumExp(scores, { axes: [1], keep: true }), scores);
  return divide(sum(multiply(y, surprise)), maximum(sum(y), 1));
}

/** Ωⱼ = the mean of the codes that are taught to be in cluster j; one without such codes keeps what it has. */
export function meansOfTaught(
  { data, shape }: Tensor<"float32">,
  labels: Int32Array,
  before: Tensor<"float32">,
): Tensor<"float32"> {
  const d = shape[1]!;
  const [means, sizes] = [new Float64Array(before.data.length), new Int32Array(before.shape[0]!)];
  labels.forEach((label, i) => {
    if (label < 0) return;
    sizes[label]!++;
    for (let c = 0; c < d; c++) means[label * d + c]! += data[i * d + c]!;
  });
  const values = before.data.map((old, at) => {
    const size = sizes[Math.floor(at / d)]!;
    return size > 0 ? means[at]! / size : old;
  });
  return tensor("float32", before.shape, values);
}

/** s: the mean squared distance of codes from the mean of their own cluster, and never nothing. */
function spreadAround({ data, shape }: Tensor<"float32">, labels: Int32Array, means: Tensor<"float32">): number {
  const d = shape[1]!;
  let [total, count] = [0, 0];
  labels.forEach((label, i) => {
    if (label < 0) return;
    count++;
    total += squaredDistance(data, i, means.data, label, d);
  });
  return Math.max(total / Math.max(1, count), 1e-12);
}
