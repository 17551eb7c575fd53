/**
 * k-means: each row belongs to the nearest center, each center is the mean of its rows.
 * Lloyd, 1982. Its formulas are in clusterMeans.ts, for most of the other methods use them too.
 *
 *   z  codes [n, d] (the rows themselves, or what a frozen network makes of them)
 *   Ω  centers [k, d]
 *   I  assignment [n, k], one 1 in each row
 */

import { add, multiply, stopGradient, subtract } from "../graph/elementwise.ts";
import { type Node, type Update, variable } from "../graph/node.ts";
import { nearest, squaredDistances, unitRows } from "../nn/distances.ts";
import { inference } from "../nn/layers.ts";
import { unitTensor } from "../numerics/kmeans.ts";
import { flag, type ValuesOf } from "../options.ts";
import { filled, takeRows, tensor } from "../tensor/tensor.ts";
import { firstCenters, firstValues } from "../training/firstCenters.ts";
import type { Clustering, Method, Problem } from "../training/method.ts";
import { followMeans, meansOf, sumsOf, withinLoss } from "./clusterMeans.ts";

const options = {
  spherical: flag("Rows and centers of length 1, so that only directions count.", false),
  miniBatch: flag(
    "Move the centers with every batch, by the mean of all rows seen so far, instead of once an epoch.",
    false,
  ),
} as const;

type Options = ValuesOf<typeof options>;

/** Of more rows a part is begun with. */
const mostAtStart = 20_000;

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
      refill: false,
    },
    practical: {
      network: "none",
      pretraining: 0,
      epochs: 100,
      lossChange: 1e-5,
      start: "kmeans",
      startRestarts: 10,
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
      refill: false,
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
  const shaped = spherical ? unitRows : (z: Node): Node => z;

  const assigned = (z: Node) => {
    const distances = squaredDistances(z, centers);
    const I = nearest(distances);
    return { loss: withinLoss(I, distances), ...sumsOf(I, z) };
  };

  /** Lloyd: a batch adds to the sums, and the end of the epoch makes means of them. */
  const gathered = (total: Node, size: Node): Update[] => [
    [sums, add(sums, total)],
    [counts, add(counts, size)],
  ];
  const means: readonly Update[] = [
    [centers, shaped(meansOf(sums, counts, centers))],
    [sums, multiply(sums, 0)],
    [counts, multiply(counts, 0)],
  ];
  /** In mini-batches: with every batch, the means of all rows so far. */
  const followed = (total: Node, size: Node): Update[] => {
    const seen = add(counts, size);
    return [
      [counts, seen],
      [centers, shaped(followMeans(total, size, seen, centers))],
    ];
  };
  return {
    centers,
    comparable: shaped,
    distances: (z) => squaredDistances(shaped(z), centers),
    begin({ codes, random }) {
      // Which start is best shows on a part of many rows as well; epochs then polish it on all.
      const [n] = codes.shape as [number];
      const isMany = options.epochs > 1 && n > Math.max(mostAtStart, 20 * k);
      const some = isMany ? takeRows(codes, random.permutation(n).subarray(0, Math.max(mostAtStart, 20 * k))) : codes;
      return firstValues([centers, firstCenters(start, some, k, random, { restarts: startRestarts, spherical })]);
    },
    withCenters: (placed) => new Map([[centers, placed]]),
    steps: {
      lloyd({ x }) {
        const z = stopGradient(shaped(network.encode(x, inference)));
        const { loss, total, size } = assigned(z);
        return { z, loss, updates: miniBatch ? followed(total, size) : gathered(total, size) };
      },
    },
    ...(!miniBatch && { afterEpoch: means }),
    summed: [sums, counts],
    follow(code, rate) {
      const { loss, total, size } = assigned(shaped(code));
      const step = multiply(subtract(meansOf(total, size, centers), centers), rate);
      return { loss, updates: [[centers, shaped(add(centers, step))]] };
    },
  };
}
