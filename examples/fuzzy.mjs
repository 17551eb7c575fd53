/**
 * A method of your own, in a file: fuzzy c-means, where each row belongs to every cluster to a degree.
 *
 *   z  codes [n, d]                              Ω  centers [k, d]
 *   u  degrees [n, k], rows that sum to one      m  fuzzifier, above 1
 *
 * Bezdek, Ehrlich & Full, FCM: The fuzzy c-means clustering algorithm, Computers & Geosciences 10, 1984.
 *
 * usage: telltale fit sensors.csv --clusters 4 --method ./fuzzy.mjs
 *        import fuzzy from "./fuzzy.mjs"; await fit(rows, { clusters: 4, method: fuzzy, fuzzifier: 1.5 });
 */

import {
  add,
  divide,
  filled,
  firstCenters,
  firstValues,
  inference,
  matmul,
  max,
  mean,
  multiply,
  negate,
  number,
  power,
  reshape,
  squaredDistances,
  stopGradient,
  subtract,
  sum,
  tensor,
  variable,
} from "telltale/method";

const options = {
  fuzzifier: number("m, how far clusters reach into each other: near 1 they hardly do.", 2, { from: 1.01, to: 10 }),
};

export default {
  name: "fuzzy",
  about: "Each row belongs to every cluster to a degree, and each center is the mean of all rows by their degrees.",
  paper: "Bezdek, Ehrlich & Full, FCM: The fuzzy c-means clustering algorithm, Computers & Geosciences 10, 1984",
  options,
  profiles: {
    paper: { network: "none", pretraining: 0, epochs: 100, lossChange: 1e-6, start: "rows", batch: 1024 },
    practical: {
      network: "none",
      pretraining: 0,
      epochs: 100,
      lossChange: 1e-5,
      restarts: 3,
      start: "kmeans++",
      batch: 1024,
    },
  },
  start({ options: { fuzzifier: m, start, startRestarts }, clusters: k, network, random }) {
    const d = network.latent;
    const centers = variable("centers", tensor("float32", [k, d], random.normals(k * d)));
    const sums = variable("centers.sums", filled("float32", [k, d], 0));
    const weights = variable("centers.weights", filled("float32", [k], 0));
    return {
      centers,
      distances: (z) => squaredDistances(z, centers),
      probabilities: (z) => degrees(squaredDistances(z, centers), m),
      begin: ({ codes, random }) =>
        firstValues([centers, firstCenters(start, codes, k, random, { restarts: startRestarts })]),
      steps: {
        gather({ x }) {
          const z = stopGradient(network.encode(x, inference));
          const { loss, total, weight } = weighed(z, centers, m);
          const updates = [
            [sums, add(sums, total)],
            [weights, add(weights, weight)],
          ];
          return { z, loss, updates };
        },
      },
      afterEpoch: [
        [centers, means(sums, weights)],
        [sums, multiply(sums, 0)],
        [weights, multiply(weights, 0)],
      ],
      follow(z, rate) {
        const { loss, total, weight } = weighed(z, centers, m);
        return { loss, updates: [[centers, add(centers, multiply(subtract(means(total, weight), centers), rate))]] };
      },
    };
  },
};

/**
 * uⱼ = d_j^(−1/(m−1)) / Σ d^(−1/(m−1)), d the squared distances. A little is added, since a row may lie on a center;
 * and they are taken in units of the smallest, which cancels, since a high power of a small number is no number.
 */
function degrees(distances, m) {
  const d = add(distances, 1e-9);
  const least = negate(max(negate(d), { axes: [1], keep: true }));
  const near = power(divide(d, least), -1 / (m - 1));
  return divide(near, sum(near, { axes: [1], keep: true }));
}

/** L = mean over rows of Σⱼ uⱼᵐ ‖z − Ωⱼ‖², and Σ uᵐ z and Σ uᵐ of each cluster. */
function weighed(z, centers, m) {
  const distances = squaredDistances(z, centers);
  const u = power(degrees(distances, m), m);
  return {
    loss: mean(sum(multiply(u, distances), { axes: [1] })),
    total: matmul(u, z, { transposeA: true }),
    weight: sum(u, { axes: [0] }),
  };
}

/** Ωⱼ = Σ uⱼᵐ z / Σ uⱼᵐ. */
function means(total, weight) {
  return divide(total, reshape(add(weight, 1e-9), [weight.shape[0], 1]));
}
