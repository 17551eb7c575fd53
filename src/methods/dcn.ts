/**
 * DCN: the network reconstructs and moves codes to their centers; each center is the running mean of the codes it got.
 * Yang, Fu, Sidiropoulos & Hong, ICML 2017.
 *
 *   h  codes        M  centers [k, d]
 *   s  assignment   c  how many codes each center has had
 */

import { add, multiply, stopGradient } from "../graph/elementwise.ts";
import { variable } from "../graph/node.ts";
import { nearest, squaredDistances } from "../nn/distances.ts";
import { summedReconstruction } from "../nn/reconstruction.ts";
import { number, type ValuesOf } from "../options.ts";
import { filled, tensor } from "../tensor/tensor.ts";
import { firstCenters, firstValues } from "../training/firstCenters.ts";
import type { Clustering, Method, Problem } from "../training/method.ts";
import { followMeans, sumsOf, withinLoss } from "./clusterMeans.ts";
import { followByDescent } from "./followByDescent.ts";

const options = {
  lambda: number("The weight of the clustering loss against reconstruction.", 1),
  counted: number("How many codes each center is taken to have had when clustering begins.", 100),
} as const;

type Options = ValuesOf<typeof options>;

export const dcn: Method<typeof options> = {
  name: "dcn",
  about: "Reconstruction and k-means in turn: the network moves codes to centers, centers follow the codes they get.",
  paper: "Yang, Fu, Sidiropoulos & Hong, Towards K-means-friendly Spaces, ICML 2017",
  options,
  profiles: {
    // From a random network (DCN-np) with pretraining: 0.
    paper: { network: "fullyConnected", output: "linear", pretraining: 50, epochs: 50, rate: 1e-4, refill: false },
    practical: { pretraining: 50, epochs: 30, batch: 0, rate: 1e-4, lambda: 0.5, restarts: 3, keep: "silhouette" },
  },
  start: friendlyCodes,
};

function friendlyCodes({ options, clusters: k, network, random }: Problem<Options>): Clustering {
  const { lambda, start, startRestarts } = options;
  const d = network.latent;
  const M = variable("centers", tensor("float32", [k, d], random.normals(k * d)));
  const c = variable("centers.counts", filled("float32", [k], options.counted));
  return {
    centers: M,
    distances: (h) => squaredDistances(h, M),
    begin: ({ codes, random }) => firstValues([M, firstCenters(start, codes, k, random, { restarts: startRestarts })]),
    withCenters: (centers) => new Map([[M, centers]]),
    summed: [c],
    steps: {
      // The codes before the network's step serve both: they are assigned, move the network, and move the centers.
      joint({ x, pass, learn }) {
        const h = network.encode(x, pass);
        const s = nearest(squaredDistances(h, M));
        const clustering = withinLoss(s, squaredDistances(h, stopGradient(M)));
        const reconstruction = summedReconstruction(network, h, x, pass);
        const loss = add(reconstruction, multiply(clustering, lambda));
        const { total, size } = sumsOf(s, stopGradient(h));
        const seen = add(c, size);
        return {
          z: h,
          loss,
          terms: { clustering, reconstruction },
          updates: [...learn(loss, network.parameters), [c, seen], [M, followMeans(total, size, seen, M)]],
        };
      },
    },
    follow(h, rate) {
      const near = squaredDistances(h, M);
      return followByDescent(withinLoss(nearest(near), near), M, rate);
    },
  };
}
