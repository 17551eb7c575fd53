/** What the accuracy benchmark runs: groups of methods on a data set, each with several seeds. */

import { type Cell, group } from "./cell.ts";
import { paperCells, pooled } from "./papers/cells.ts";

const dense = { network: "fullyConnected" };

/** The reading of the invariance models that works, from a short start: P₁ leads, fixed centers, codes on a sphere. */
const chord = {
  ...{ weights: "kaiming", pretraining: 60, pretrainingOptimizer: "adam", pretrainingRate: 1e-3, weightDecay: 0 },
  ...{ epochs: 15, decay: 1, decayEvery: 0, target: "P1", moving: false, sphere: true, z: "matched" },
};

/** The reading of k-meansNet that works: b follows from W, and each row counts for one cluster. */
const coupled = {
  ...{ output: "linear", optimizer: "adam", rate: 3e-4, pretrainingOptimizer: "adam", pretrainingRate: 3e-4 },
  ...{ weights: "kaiming", lossChange: 0, assignment: "hard", bias: "coupled", centerStep: "direct" },
};

/** PC-X as our first runs had it: the code's activation and straight-through, with η₁ and η₂ of a reference run. */
const tuned = {
  ...{ activation: "leakyRelu", biases: "auto", eta1: 1e-2, eta2: 1e-3, straight: true, follows: "before" },
};

export const cells: readonly Cell[] = [
  ...group("usps", "usps", 10, [
    ["aekm", "paper", dense],
    ["dkm-p", "paper"],
    ["dkm-a", "paper"],
    ["aekm", "practical"],
    ["dkm-p", "practical"],
    ["dkm-a", "practical"],
  ]),
  ...group("usps-family", "usps", 3, [
    ["dec", "practical"],
    ["idec", "practical"],
    ["dcn", "practical"],
  ]),
  ...group("mnist-test", "mnist-test-centered", 5, [
    [
      "aekm",
      "paper",
      { ...dense, latent: 10, weights: "kaiming", pretrainingLoss: "mean", corruption: 0.3, pretraining: 60 },
      "denoising-kaiming",
    ],
    ["homo", "paper", chord, "chord"],
    ["hoe", "paper", chord, "chord"],
    ["hot", "paper", chord, "chord"],
    ["hit", "paper", chord, "chord"],
    ["hoe", "paper", { ...chord, network: "pooledConvolutional" }, "chord-cnn"],
    ["hoe", "paper", pooled, "cnn"],
  ]),
  ...group("mnist-test-practical", "mnist-test", 5, [
    ["tell", "practical"],
    ["homo", "practical"],
    ["hoe", "practical"],
    ["hot", "practical"],
    ["hit", "practical"],
  ]),
  // What TELL's Tables 4 and 6 and Fig. 2 take away or put back, on one pretraining per seed (Adadelta has its own).
  ...group("tell-ablation", "mnist-test", 5, [
    ["tell", "practical", dense, "dense"],
    ["tell", "practical", { ...dense, twoStage: true }, "two-stage"],
    ["tell", "practical", { ...dense, neighbours: 0 }, "no-votes"],
    ["tell", "practical", { ...dense, assignment: "soft" }, "soft"],
    ["tell", "practical", { ...dense, alternate: true }, "alternating"],
    ["tell", "practical", { ...dense, normalizeGradient: false }, "no-gradient-norm"],
    ["tell", "practical", { ...dense, normalizeGradient: false, normalizeWeight: false }, "no-norms"],
    ["tell", "practical", { ...dense, optimizer: "adadelta", rate: 1 }, "adadelta"],
  ]),
  ...group("mnist-raw", "mnist", 5, [
    ["kmeans", "practical"],
    ["tell", "paper", { network: "none", epochs: 30, start: "kmeans++" }, "raw"],
    ["tell", "paper", { network: "none", epochs: 30 }, "raw-random"],
    ["kmeansnet", "paper", { network: "none", epochs: 20, start: "kmeans++" }, "raw-plusplus"],
    ["kmeansnet", "paper", { ...coupled, network: "none", epochs: 20, start: "kmeans++" }, "coupled-raw-plusplus"],
    ["kmeansnet", "paper", { network: "none", epochs: 20, start: "kmeans" }, "raw-kmeans"],
    ["kmeansnet", "paper", { ...coupled, network: "none", epochs: 20, start: "kmeans" }, "coupled-raw-kmeans"],
    ["kmeansnet", "paper", { network: "none", epochs: 20, start: "rows" }, "raw-random"],
    ["kmeansnet", "paper", { ...coupled, network: "none", epochs: 20, start: "rows" }, "coupled-raw-random"],
  ]),
  ...group("mnist-conv", "mnist", 8, [
    ["tell", "practical"],
    ["kmeansnet", "practical"],
  ]),
  ...group("mnist-dense", "mnist", 3, [
    ["dkm-p", "paper"],
    ["pcx", "paper", { ...tuned, epochs: 350 }, "tuned-350-epochs"],
    ["kmeansnet", "paper"],
    ["pcx", "practical", { ...dense, restarts: 1 }, "dense"],
  ]),
  ...group("mnist-published", "mnist", 2, [
    ["tell", "paper", { epochs: 150 }, "150-epochs"],
    ["tell", "paper", { weights: "kaiming", epochs: 150 }, "150-epochs-kaiming"],
    ["tell", "paper", { units: "sums", epochs: 150 }, "150-epochs-sums"],
  ]),
  ...group("mnist-practical", "mnist", 3, [
    ["pcx", "practical"],
    ["dkm-p", "practical"],
  ]),
  ...(["cifar10-test", "reuters10k", "20news", "har"] as const).flatMap((data) => {
    // A picture has another network, which has cells of its own.
    const own = data === "cifar10-test" ? "dense" : undefined;
    const isText = data === "reuters10k" || data === "20news";
    return group(`others-${data}`, data, 3, [
      ["kmeans", "practical"],
      ["aekm", "paper", dense],
      ["dkm-p", "paper", isText ? { distance: "cosine" } : {}, isText ? "cosine" : undefined],
      ["tell", "practical", dense, own],
      ["kmeansnet", "practical", dense, own],
      ["pcx", "practical", dense, own],
      ["dkm-p", "practical", dense, own],
      ...(data === "reuters10k" ? [["pcx-imba", "practical", dense] as const] : []),
      ["homo", "practical", dense, own],
    ]);
  }),
  // What of the published autoencoder makes it better on text than the practical profiles are: one thing taken away at
  // a time, and most of them put into the practical one.
  ...group("20news-autoencoder", "20news", 1, [
    ["aekm", "paper", { ...dense, latent: 10 }, "10-numbers"],
    ["aekm", "paper", { ...dense, pretraining: 30 }, "30-epochs"],
    ["aekm", "paper", { ...dense, scaling: "length" }, "scaled"],
    ["aekm", "paper", { ...dense, code: "unit", spherical: true }, "unit-codes"],
    [
      "aekm",
      "practical",
      { ...dense, code: "linear", spherical: false, latent: 20, batch: 256, weights: "xavier" },
      "linear-20-numbers",
    ],
  ]),
  // Codes on a table from batches of 256 rows, as they are and of length 1.
  ...group("har-batches", "har", 3, [
    ["aekm", "practical", { ...dense, code: "linear", spherical: false, batch: 256 }, "linear-batches-256"],
    ["aekm", "practical", { ...dense, code: "linear", spherical: false }, "linear"],
    ["aekm", "practical", { ...dense, batch: 256 }, "batches-256"],
  ]),
  ...paperCells,
];
