/**
 * k-means: each row belongs to the nearest center, each center is the mean of its rows.
 *
 *   z  codes [n, d] (the rows themselves, or what a frozen network makes of them)
 *   Ω  centers [k, d]
 *   I  assignment [n, k], one 1 in each row
 */

import { reshape } from "../graph/arrange.ts";
import { add, divide, greater, maximum, multiply, stopGradient, subtract, where } from "../graph/elementwise.ts";
import { type Node, variable } from "../graph/node.ts";
import { matmul } from "../graph/products.ts";
import { mean, sum } from "../graph/reduce.ts";
import { nearest, squaredDistances, unitRows } from "../nn/distances.ts";
import { inference } from "../nn/layers.ts";
import { unitTensor } from "../numerics/kmeans.ts";
import { filled, tensor } from "../tensor/tensor.ts";
import { firstCenters, firstValues } from "../training/firstCenters.ts";
import type { Clustering, Method, Problem } from "../training/method.ts";
import { flag, type ValuesOf } from "../training/options.ts";

const options = {
  spherical: flag("Rows and centers of length 1, so that only directions count.", false),
  miniBatch: flag(
    "Move the centers with every batch, by the mean of all rows seen so far, instead of once an epoch.",
    false,
  ),
} as const;

type Options = ValuesOf<typeof options>;

export const kmeans: Method<typeof options> = {
  name: "kmeans",
  about: "Each row to the nearest center, each center to the mean of its rows.",
  paper: "Lloyd, Least squares quantization in PCM, IEEE Transactions on Information Theory 28, 1982",
  options,
  profiles: {
    paper: {
      network: "none",
      pretraining: 0,
      epochs: 300,
      lossChange: 1e-6,
      restarts: 1,
      start: "kmeans++",
      batch: 1024,
    },
    practical: {
      network: "none",
      pretraining: 0,
      epochs: 100,
      lossChange: 1e-5,
      restarts: 10,
      start: "kmeans++",
      batch: 1024,
    },
  },
  start: meansOfCodes,
};

/** AE + k-means: the network learns to reconstruct, then k-means takes its codes. */
export const aekm: Method<typeof options> = {
  ...kmeans,
  name: "aekm",
  about: "An autoencoder first, k-means on its codes afterwards.",
  paper: "The baseline of Fard, Thonet & Gaussier, Deep k-Means, Pattern Recognition Letters 138, 2020",
  profiles: {
    paper: {
      network: "fullyConnected",
      latent: 0,
      weights: "xavier",
      output: "linear",
      pretrainingLoss: "sum",
      pretraining: 50,
      epochs: 1,
    },
    practical: { code: "unit", pretraining: 30, batch: 0, epochs: 1, spherical: true },
  },
};

function meansOfCodes({ options, clusters: k, network, random }: Problem<Options>): Clustering {
  const d = network.latent;
  const { spherical, miniBatch, start, startRestarts } = options;
  const first = tensor("float32", [k, d], random.normals(k * d));
  const centers = variable("centers", spherical ? unitTensor(first) : first);
  const sums = variable("centers.sums", filled("float32", [k, d], 0));
  const counts = variable("centers.counts", filled("float32", [k], 0));
  const shaped = (z: Node): Node => (spherical ? unitRows(z) : z);

  const assigned = (z: Node) => {
    const distances = squaredDistances(z, centers);
    const I = nearest(distances);
    return {
      I,
      loss: withinLoss(I, distances),
      total: matmul(I, z, { transposeA: true }),
      size: sum(I, { axes: [0] }),
    };
  };
  const moved = (total: Node, size: Node): Node => shaped(meansOf(total, size, centers));
  return {
    centers,
    placed: shaped,
    distances: (z) => squaredDistances(shaped(z), centers),
    begin: ({ codes, random }) =>
      firstValues([centers, firstCenters(start, codes, k, random, { restarts: startRestarts, spherical })]),
    steps: {
      lloyd({ x }) {
        const z = stopGradient(shaped(network.encode(x, inference)));
        const { loss, total, size } = assigned(z);
        if (!miniBatch)
          return {
            z,
            loss,
            updates: [
              [sums, add(sums, total)],
              [counts, add(counts, size)],
            ],
          };
        const seen = add(counts, size);
        return {
          z,
          loss,
          updates: [
            [counts, seen],
            [centers, shaped(followMeans(total, size, seen, centers))],
          ],
        };
      },
    },
    ...(!miniBatch && {
      afterEpoch: [
        [centers, moved(sums, counts)],
        [sums, multiply(sums, 0)],
        [counts, multiply(counts, 0)],
      ] as const,
    }),
    follow(code, rate) {
      const z = shaped(code);
      const { loss, total, size } = assigned(z);
      const step = multiply(subtract(meansOf(total, size, centers), centers), rate);
      return { loss, updates: [[centers, shaped(add(centers, step))]] };
    },
  };
}

/** T1, T3, K2, K4, P11: L = mean over rows of Σⱼ Iⱼ ‖x − Ωⱼ‖². */
export function withinLoss(I: Node, distances: Node): Node {
  return mean(sum(multiply(I, distances), { axes: [1] }));
}

/** T2, K3: Ωⱼ = (1/|Sⱼ|) Σ of the rows in Sⱼ; a cluster without rows stays where it is. */
export function meansOf(total: Node, size: Node, centers: Node): Node {
  const column = reshape(size, [size.shape[0]!, 1]);
  return where(greater(column, 0), divide(total, maximum(column, 1)), centers);
}

/** Ωⱼ ← Ωⱼ + (Σ x − mⱼ Ωⱼ)/nⱼ: the mean of all nⱼ rows seen so far, mⱼ of them in this batch (Sculley, 2010). */
export function followMeans(total: Node, size: Node, seen: Node, centers: Node): Node {
  const column = (x: Node): Node => reshape(x, [x.shape[0]!, 1]);
  return add(centers, divide(subtract(total, multiply(column(size), centers)), maximum(column(seen), 1)));
}
