/**
 * PC-X: the decoder sees each code fused with its center, and centers are running means that no gradient moves.
 *
 *   z  codes [n, d]       μ  centers [k, d]                  δ, λ  hard and soft assignment [n, k]
 *   z̃  the own center     ẑ = h(z, z̃), what is decoded      α, ω  running sizes and relative sizes [k]
 */

import { add, divide, greater, multiply, stopGradient, subtract, where } from "../graph/elementwise.ts";
import { type Node, type Update, variable } from "../graph/node.ts";
import { matmul } from "../graph/products.ts";
import { sum } from "../graph/reduce.ts";
import { nearest, squaredDistances } from "../nn/distances.ts";
import { type Initializer, xavierUniform, zeros } from "../nn/initializers.ts";
import { dense, noise, trainingPass } from "../nn/layers.ts";
import { meanSquaredError } from "../nn/losses.ts";
import { filled, tensor } from "../tensor/tensor.ts";
import { firstCenters, firstValues } from "../training/firstCenters.ts";
import type { Clustering, Method, Problem } from "../training/method.ts";
import { choice, flag, number, type ValuesOf, whole } from "../training/options.ts";
import { entropyLoss, followCenters, fused, jointLoss, keptShare, softAssignment } from "./companion.ts";
import { withinLoss } from "./kmeans.ts";
import { followSizes, relativeSizes, reweightedLoss, smoothedSizes } from "./sizes.ts";

const options = {
  eta1: number("η₁, the weight of the clustering loss.", 1e-2),
  eta2: number("η₂, the weight of the entropy of soft assignments.", 1e-3),
  tau: number("τ of the soft assignment (P2).", 5, { from: 1e-6 }),
  kappa: number("κ, what a center keeps of itself in a step.", 0.995, { to: 1 }),
  centers: choice(
    "How centers move: by κ, by a κ of their own from ρ and their size (P6), or not at all (PC-X-Fix).",
    ["kappa", "rho", "fixed"],
    "kappa",
  ),
  rho: number("ρ of P6, how strongly a center holds on to itself.", 1),
  fuse: flag("Let the decoder see the code fused with its center (the CI-Unit); off is PC-X-no CI.", true),
  straight: flag(
    "Let the reconstruction's gradient pass the chosen center straight to the code, as the published code does.",
    true,
  ),
  noise: number("The deviation of the noise on what is decoded, while training.", 0),
  burnIn: whole("Epochs before the entropy term and the sizes begin to count.", 250),
  imbalanced: flag("Weigh each cluster by its running size (PC-X-IMBA).", false),
  epsilon: number("ε, which keeps running sizes from 0 (P14): about 1e-5 for balanced data, 5 for imbalanced.", 1e-5),
} as const;

type Options = ValuesOf<typeof options>;

const network = { activation: "leakyRelu", weights: "xavier", output: "linear" } as const;

export const pcx: Method<typeof options> = {
  name: "pcx",
  about: "The decoder sees each code beside its center, so that a center decodes to a typical row.",
  paper: "Pan, Yao & Tsang, PC-X: Profound Clustering via Slow Exemplars, 2023",
  options,
  profiles: {
    paper: { ...network, network: "fullyConnected", pretraining: 0, start: "random", epochs: 1000, rate: 5e-4 },
    // Codes of length 1 begin better, and are what makes it steady (docs/methods/pcx.md).
    practical: {
      code: "unit",
      pretraining: 30,
      epochs: 60,
      batch: 0,
      rate: 5e-4,
      burnIn: 10,
      restarts: 3,
      keep: "silhouette",
    },
  },
  start: slowExemplars,
};

/** PC-X for clusters of very different sizes. */
export const pcxImbalanced: Method<typeof options> = {
  ...pcx,
  name: "pcx-imba",
  about: "PC-X for clusters of very different sizes: each counts the same, however many rows it has.",
  profiles: {
    paper: { ...pcx.profiles.paper, imbalanced: true, epsilon: 5 },
    practical: { ...pcx.profiles.practical, imbalanced: true, epsilon: 5 },
  },
};

function slowExemplars({ options, clusters: k, network, count, random }: Problem<Options>): Clustering {
  const { eta1, eta2, tau, kappa, start, startRestarts } = options;
  const d = network.latent;
  const mu = variable("centers", xavierUniform(random.fork("centers"), [k, d], { in: d, out: k }));
  const alpha = variable("centers.sizes", filled("float32", [k], Math.min(options.batch, count) / k));
  // After pretraining the decoder knows codes: the middle of code and center is one; without, weights begin at random as everywhere.
  const weight = options.pretraining > 0 ? halves : xavierUniform;
  const unit = dense("fusion", 2 * d, d, random.fork("fusion"), { weight, bias: zeros });
  const h = (z: Node, own: Node): Node =>
    options.fuse ? fused(z, own, (pair) => unit.apply(pair, trainingPass())) : z;
  const noisy = noise("latent", options.noise);
  return {
    centers: mu,
    distances: (z) => squaredDistances(z, mu),
    begin: ({ codes, random }) => firstValues([mu, firstCenters(start, codes, k, random, { restarts: startRestarts })]),
    steps: {
      joint({ x, pass, learn, scheduled }) {
        const burning = scheduled("burning");
        const z = network.encode(x, pass);
        const distances = squaredDistances(z, stopGradient(mu));
        const delta = nearest(distances);
        const own = matmul(delta, stopGradient(mu));
        const passed = options.straight ? add(z, stopGradient(subtract(own, z))) : own;
        const reconstruction = meanSquaredError(network.decode(noisy.apply(h(z, passed), pass), pass), x);

        const size = sum(delta, { axes: [0] });
        const sizes = followSizes(alpha, size, kappa);
        // Until the burn-in is over all clusters weigh the same: ω = 1. What is kept is not smoothed: done anew at every step, ε = 5 would
        // leave almost nothing of the differences.
        const omega = where(
          greater(burning, 0.5),
          filledLike(sizes, 1),
          relativeSizes(smoothedSizes(sizes, options.epsilon)),
        );
        const clustering = divide(
          options.imbalanced ? reweightedLoss(delta, distances, stopGradient(omega)) : withinLoss(delta, distances),
          d,
        );
        const entropy = entropyLoss(softAssignment(distances, tau));
        const loss = jointLoss({ reconstruction, clustering, entropy }, eta1, multiply(subtract(1, burning), eta2));

        const total = matmul(delta, stopGradient(z), { transposeA: true });
        const moved: Update[] =
          options.centers === "fixed"
            ? []
            : [
                [
                  mu,
                  options.centers === "kappa"
                    ? followCenters(mu, total, size, kappa)
                    : followCenters(mu, total, size, keptShare(size, options.rho, eta1 / d)),
                ],
              ];
        return {
          z,
          loss,
          terms: { clustering, reconstruction, entropy },
          updates: [...learn(loss, [...network.parameters, ...unit.parameters]), ...moved, [alpha, sizes]],
        };
      },
    },
    schedule: (epoch) => ({ burning: epoch < options.burnIn ? 1 : 0 }),
    follow(z, rate) {
      const distances = squaredDistances(z, mu);
      const delta = nearest(distances);
      const total = matmul(delta, z, { transposeA: true });
      const kept = subtract(1, rate);
      return {
        loss: withinLoss(delta, distances),
        updates: [[mu, followCenters(mu, total, sum(delta, { axes: [0] }), kept)]],
      };
    },
    // The decoder was trained on fused codes, so that a center is decoded as h(μ, μ).
    exemplar: (centers) => h(centers, centers),
  };
}

/** [½I; ½I]: h(z, z̃) = (z + z̃)/2. */
const halves: Initializer = (_random, [rows, columns]) => {
  const data = new Float32Array(rows! * columns!);
  for (let i = 0; i < rows!; i++) data[i * columns! + (i % columns!)] = 0.5;
  return tensor("float32", [rows!, columns!], data);
};

const filledLike = (x: Node, value: number): Node => add(multiply(x, 0), value);
