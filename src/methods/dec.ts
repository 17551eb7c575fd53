/**
 * DEC and IDEC: soft assignments are pulled towards their own sharpened version.
 * Xie, Girshick & Farhadi, ICML 2016; Guo, Gao, Liu & Yin, IJCAI 2017.
 *
 *   z  codes        μ  centers [k, d]
 *   q  soft assignment by Student's t     p  target, kept for every row and renewed now and then
 */

import { gatherRows } from "../graph/arrange.ts";
import { add, divide, multiply, square, stopGradient } from "../graph/elementwise.ts";
import { type Node, variable } from "../graph/node.ts";
import { sum } from "../graph/reduce.ts";
import { squaredDistances } from "../nn/distances.ts";
import { klDivergence } from "../nn/losses.ts";
import { meanReconstruction } from "../nn/reconstruction.ts";
import { number, type ValuesOf, whole } from "../options.ts";
import { filled, tensor } from "../tensor/tensor.ts";
import { firstCenters, firstValues } from "../training/firstCenters.ts";
import type { Clustering, Method, Problem } from "../training/method.ts";
import { withinLoss } from "./clusterMeans.ts";
import { followByDescent } from "./followByDescent.ts";

const options = {
  gamma: number("The weight of the clustering loss against reconstruction; DEC has no reconstruction.", 0.1),
  reconstruction: number("The weight of reconstruction while clustering: 0 is DEC, 1 is IDEC.", 0),
  renewEvery: whole("Epochs between two renewals of the target.", 1, { from: 1 }),
} as const;

type Options = ValuesOf<typeof options>;

/** What the practical profiles of both have in common. */
const quick = {
  ...{ pretraining: 50, epochs: 30, batch: 0, rate: 1e-4, labelChange: 1e-3, restarts: 3 },
  keep: "silhouette",
} as const;

export const dec: Method<typeof options> = {
  name: "dec",
  about: "Soft assignments of the codes are pulled towards their own sharpened version.",
  paper: "Xie, Girshick & Farhadi, Unsupervised Deep Embedding for Clustering Analysis, ICML 2016",
  options,
  profiles: {
    paper: {
      network: "fullyConnected",
      output: "linear",
      pretraining: 100,
      epochs: 100,
      optimizer: "sgd",
      rate: 0.01,
      momentum: 0.9,
      gamma: 1,
      labelChange: 1e-3,
      refill: false,
    },
    practical: { ...quick, gamma: 1 },
  },
  holds: ({ clusters }) => ({ perRow: clusters }),
  start: embeddedClustering,
};

/** DEC that goes on reconstructing, so that codes keep what distinguishes rows. */
export const idec: Method<typeof options> = {
  ...dec,
  name: "idec",
  about: "DEC that goes on reconstructing, so that codes keep what makes rows different.",
  paper: "Guo, Gao, Liu & Yin, Improved Deep Embedded Clustering with Local Structure Preservation, IJCAI 2017",
  profiles: {
    paper: {
      network: "fullyConnected",
      output: "linear",
      pretraining: 100,
      epochs: 100,
      rate: 1e-3,
      reconstruction: 1,
      labelChange: 1e-3,
      refill: false,
    },
    practical: { ...quick, reconstruction: 1 },
  },
};

function embeddedClustering({ options, clusters: k, network, count, random }: Problem<Options>): Clustering {
  const { gamma, start, startRestarts } = options;
  const d = network.latent;
  const mu = variable("centers", tensor("float32", [k, d], random.normals(k * d)));
  const target = variable("targets", filled("float32", [count, k], 1 / k));
  return {
    centers: mu,
    distances: (z) => squaredDistances(z, mu),
    probabilities: (z) => studentAssignment(squaredDistances(z, mu)),
    begin: ({ codes, random }) => firstValues([mu, firstCenters(start, codes, k, random, { restarts: startRestarts })]),
    withCenters: (centers) => new Map([[mu, centers]]),
    perRow: {
      variable: target,
      renews: (epoch) => epoch % options.renewEvery === 0,
      value: (z) => studentAssignment(squaredDistances(z, mu)),
      combined: sharpened,
    },
    steps: {
      joint({ x, rows, pass, learn }) {
        const z = network.encode(x, pass);
        const clustering = klDivergence(gatherRows(target, rows), studentAssignment(squaredDistances(z, mu)));
        const pull = multiply(clustering, gamma);
        if (options.reconstruction === 0 || network.parameters.length === 0) {
          return { z, loss: pull, updates: learn(pull, [...network.parameters, mu]) };
        }
        const reconstruction = meanReconstruction(network, z, x, pass);
        const loss = add(multiply(reconstruction, options.reconstruction), pull);
        return { z, loss, terms: { clustering, reconstruction }, updates: learn(loss, [...network.parameters, mu]) };
      },
    },
    // The target needs many rows; a few that have just arrived move the centers by their soft assignment.
    follow(z, rate) {
      const squared = squaredDistances(z, mu);
      return followByDescent(withinLoss(stopGradient(studentAssignment(squared)), squared), mu, rate);
    },
    decoderIsStale: options.reconstruction === 0 && network.parameters.length > 0,
  };
}

/** qᵢⱼ = (1 + ‖zᵢ − μⱼ‖²)⁻¹ / Σ (1 + ‖zᵢ − μₗ‖²)⁻¹: Student's t with one degree of freedom. */
export function studentAssignment(squared: Node): Node {
  const near = divide(1, add(squared, 1));
  return divide(near, sum(near, { axes: [1], keep: true }));
}

/** pᵢⱼ = (q²/f) / Σ (q²/f), fⱼ = Σᵢ qᵢⱼ over all rows. */
export function sharpened(q: Node): Node {
  const weighted = divide(square(q), sum(q, { axes: [0], keep: true }));
  return divide(weighted, sum(weighted, { axes: [1], keep: true }));
}
