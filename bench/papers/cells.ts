/**
 * The cells of the papers' tables that the accuracy benchmark does not have anyway. Their seeds are as many as can be
 * run; how long one would take is estimated (minutes.ts).
 */

import { methodOf } from "../../src/doors/inside.ts";
import { pretrainingOptions, type SharedOptions, sharedOptions } from "../../src/training/sharedOptions.ts";
import { type Cell, type CellRow, group } from "../cell.ts";

const dense = { network: "fullyConnected" };
const curve = { curve: 60 } as const;

/** What the tables compare with on raw rows: their names here. */
export const comparators = [
  ...["mixture", "fcm", "njw", "lrr", "lrsc", "lsr1", "lsr2", "slrr", "lsc-r", "lsc-k", "nmf", "gnmf", "lccf", "zac"],
  ...["average", "weighted", "ward", "ssc", "smr"],
] as const;

const asTeachers = (names: readonly string[]): CellRow[] => names.map((name) => [name, "teacher"]);

/** TELL's two networks as its Table 4 has them: codes of length 1, learned by reconstruction alone, then held. */
const held = { code: "unit", weights: "kaiming", pretrainingLoss: "mean", output: "auto" } as const;
const fcn = { ...dense, ...held, pretraining: 50 };
const cnn = { network: "tellConvolutional", ...held, pretraining: 30 };

/** PC-X has it for Fashion and YTF (A.7). */
const tellNetwork = { network: "tellConvolutional" } as const;

/** Epochs are counted, of which the publication has up to 3000 of each kind: of these so many of reconstruction. */
const fewer = { pretraining: 50 };
const kmeansNetCnn = { ...fewer, network: "pooledConvolutional", alpha: 1e-2 };

/** With and without pretraining, as Deep k-Means has them (§4.3). */
const family: readonly CellRow[] = [
  ["aekm", "paper", dense],
  ["dkm-a", "paper"],
  ["dcn", "paper"],
  ["idec", "paper"],
  ["dec", "paper"],
  ["dec", "paper", { pretraining: 0, epochs: 200, labelChange: 0 }, "np"],
  ["dcn", "paper", { pretraining: 0, epochs: 200 }, "np"],
  ["idec", "paper", { pretraining: 0, epochs: 200, labelChange: 0 }, "np"],
];
const isNew =
  (...there: readonly string[]) =>
  ([method, profile]: CellRow): boolean =>
    !there.includes(`${method}/${profile}`);

/** λ in units of the start: where rows have length 1, 1 is too large (docs/results.md). */
const euclidean: readonly CellRow[] = [
  ["dkm-p", "paper", { relative: true }, "relative"],
  ["dkm-a", "paper", { relative: true }, "relative"],
];

const models = ["homo", "hoe", "hot", "hit"] as const;

/** Table II: what differs from mnist-test, whose settings the profile has. Of cifar100's `ep` it has a dash. */
export const tableII = {
  "mnist-centered": { epochs: 4500 },
  "mnist-test-centered": {},
  "reuters10k-centered": { rate: 1, decayEvery: 500 },
  "cifar10-test-centered": { epochs: 4500, latent: 100 },
  "cifar100-s1-centered": { optimizer: "adadelta", rate: 1, decay: 0.95 },
} as const satisfies Readonly<Record<string, Partial<SharedOptions>>>;

/** What a method's profile says of its autoencoder: with it, k-means has the codes that the method starts from. */
function codesBy(method: string): Readonly<Record<string, unknown>> {
  const said: Readonly<Record<string, unknown>> = methodOf(method).profiles.paper;
  const silent = ["latent", "pretrainingLoss"] as const;
  return {
    ...Object.fromEntries(silent.map((name) => [name, sharedOptions[name].fallback])),
    ...Object.fromEntries(pretrainingOptions.flatMap((name) => (name in said ? [[name, said[name]]] : []))),
  };
}
const denoising = codesBy("homo");
/** k-means on k-meansNet's codes, as its Table 4 has it: one run from one start. */
const stacked = { ...codesBy("kmeansnet"), ...fewer, startRestarts: 1, epochs: 100 };
const codesOf = ({ latent = 10 }: Partial<SharedOptions>) => ({ latent });

/** The convolutional network of Table III's last row (§V-B): sigmoid on the code and on the output. */
export const pooled = { network: "pooledConvolutional", code: "sigmoid", output: "sigmoid" } as const;

/** As published; with labels by P₂ from the same training, as in Table VI. */
const invariance = (data: keyof typeof tableII): CellRow[] => [
  ["aekm", "paper", { ...denoising, ...codesOf(tableII[data]) }, "denoising"],
  ...models.map((method): CellRow => {
    const also = { variant: "P2", options: { inference: "P2" } };
    return [method, "paper", tableII[data], "whole", { ...curve, also }];
  }),
];

/** The same with nothing held: the gradient of I5 flows through P₂ too. */
const unheld = (data: keyof typeof tableII): CellRow[] =>
  models.map((method) => [method, "paper", { ...tableII[data], target: "both" }, "whole-both", curve]);

/** Data that is not here: each with the one seed that shows it is read. */
const elsewhere = [
  "cifar10",
  ...Array.from({ length: 20 }, (_, i) => `cifar100-s${i + 1}`),
  ...["fashion", "ytf", "cifar10-moco", "imagenet10-moco", "mnist-iic"],
];

export const paperCells: readonly Cell[] = [
  ...group("mnist-comparators", "mnist", 1, asTeachers(comparators)),
  ...group("usps-comparators", "usps", 3, asTeachers(comparators)),
  ...group("mnist-test-comparators", "mnist-test", 3, [
    ["kmeans", "practical"],
    ["dec", "paper"],
    ...asTeachers(comparators),
  ]),
  ...group("cifar10-test-comparators", "cifar10-test", 1, asTeachers(comparators)),
  ...group("reuters10k-comparators", "reuters10k", 1, asTeachers(comparators)),
  ...group("har-comparators", "har", 1, asTeachers(["mixture"])),
  // Deep k-Means, Tables 1 and 2.
  ...group("usps-kmeans", "usps", 3, [["kmeans", "practical"]]),
  ...group("usps-published", "usps", 3, family.filter(isNew("aekm/paper", "dkm-a/paper"))),
  ...group("mnist-family", "mnist", 3, family),
  ...(["20news", "reuters10k"] as const).flatMap((data) =>
    group(`${data}-family`, data, 3, [...euclidean, ...family.filter(isNew("aekm/paper", "dkm-a/paper"))]),
  ),
  // TELL, Tables 1, 4, 6 and S1.
  ...group("mnist-tell", "mnist", 1, [
    // Days of a processor, hours of a GPU: looked at often, so that a slice of it shows how far it is.
    ["tell", "paper", {}, "whole", { curve: 300 }],
    ["tell", "paper", dense, "fcn", { curve: 300 }],
  ]),
  ...group("mnist-tell-stages", "mnist", 3, [
    ["aekm", "paper", { ...fcn, latent: 10 }, "unit-fcn"],
    ["tell", "paper", { ...fcn, twoStage: true, epochs: 50 }, "fcn-two-stage"],
    ["aekm", "paper", { ...cnn, latent: 10 }, "unit-cnn"],
    ["tell", "paper", { ...cnn, twoStage: true, epochs: 50 }, "cnn-two-stage"],
  ]),
  ...group("mnist-test-tell", "mnist-test", 3, [
    ["tell", "paper", { epochs: 150 }, "adadelta-150"],
    ["tell", "paper", { epochs: 150, optimizer: "adam", rate: 1e-3 }, "adam-150"],
    ["tell", "paper", { epochs: 150, normalizeGradient: false }, "adadelta-no-norm-150"],
    ["tell", "paper", { epochs: 150, optimizer: "adam", rate: 1e-3, normalizeGradient: false }, "adam-no-norm-150"],
  ]),
  // T15 in both units, where a processor can run it.
  ...group("mnist-test-units", "mnist-test", 3, [
    ["tell", "paper", { ...dense, epochs: 150 }, "fcn-150"],
    ["tell", "paper", { ...dense, epochs: 150, units: "sums" }, "fcn-150-sums"],
  ]),
  ...group("cifar10-test-networks", "cifar10-test", 3, [
    ["aekm", "practical", tellNetwork, "cnn"],
    ["tell", "practical", tellNetwork, "cnn"],
    ["kmeansnet", "practical", tellNetwork, "cnn"],
    ["pcx", "practical", tellNetwork, "cnn"],
  ]),
  ...group("cifar10-test-tell", "cifar10-test", 5, [["tell", "paper", { epochs: 100 }, "100-epochs"]]),
  // k-meansNet, Tables 1, 4 and 5.
  ...group("mnist-kmeansnet", "mnist", 2, [
    ["kmeansnet", "paper", { ...fewer, epochs: 500 }, "500-epochs", curve],
    ["kmeansnet", "paper", { ...fewer, epochs: 500, start: "kmeans" }, "500-epochs-kmeans", curve],
    ["kmeansnet", "paper", { ...fewer, epochs: 500, start: "rows" }, "500-epochs-rows", curve],
  ]),
  ...group("mnist-kmeans-starts", "mnist", 3, [
    ["kmeans", "paper"],
    ["kmeans", "paper", { start: "rows" }, "rows"],
    ["aekm", "paper", { ...stacked, start: "rows" }, "rows"],
    ["aekm", "paper", { ...stacked, start: "kmeans++" }, "plusplus"],
    ["aekm", "paper", { ...stacked, network: "pooledConvolutional", start: "rows" }, "cnn-rows"],
    ["aekm", "paper", { ...stacked, network: "pooledConvolutional", start: "kmeans++" }, "cnn-plusplus"],
  ]),
  ...group("mnist-kmeansnet-cnn", "mnist", 1, [
    ["kmeansnet", "paper", { ...kmeansNetCnn, start: "rows", epochs: 100 }, "cnn-rows"],
    ["kmeansnet", "paper", { ...kmeansNetCnn, epochs: 100 }, "cnn"],
    ["kmeansnet", "paper", { ...kmeansNetCnn, start: "kmeans", epochs: 100 }, "cnn-kmeans"],
    [
      "kmeansnet",
      "paper",
      { ...kmeansNetCnn, epochs: 100, optimizer: "adagrad", rate: 0.01, alpha: 1e-3 },
      "cnn-adagrad",
    ],
    ["kmeansnet", "paper", { ...kmeansNetCnn, epochs: 100, optimizer: "adam", rate: 1e-3 }, "cnn-adam"],
    [
      "kmeansnet",
      "paper",
      { ...kmeansNetCnn, epochs: 100, optimizer: "rmsprop", rate: 1e-3, alpha: 1e-3 },
      "cnn-rmsprop",
    ],
  ]),
  // α from 1e-5 to 0.5 (k-meansNet, Fig. 3), on the test digits.
  ...group(
    "mnist-test-alpha",
    "mnist-test",
    1,
    [1e-5, 5e-5, 1e-4, 5e-4, 1e-3, 5e-3, 1e-2, 5e-2, 0.1, 0.5].map((alpha) => [
      "kmeansnet",
      "practical",
      { ...dense, alpha },
      `alpha-${alpha}`,
    ]),
  ),
  // PC-X, Tables 4 and 6 and sections A.2 and A.3.
  ...group("mnist-pcx", "mnist", 3, [
    ["pcx", "paper", {}, undefined, curve],
    ["pcx", "paper", { fuse: false }, "no-ci"],
    ["pcx", "paper", { centers: "fixed" }, "fix"],
  ]),
  ...group("mnist-test-pcx", "mnist-test", 3, [
    ["pcx", "practical", dense, "dense"],
    ["pcx", "practical", { ...dense, fuse: false }, "no-ci"],
    ["pcx", "practical", { ...dense, centers: "fixed" }, "fix"],
    ["pcx", "practical", { ...dense, eta2: 0 }, "no-entropy"],
    ["idec", "practical", dense, "dense"],
    ["aekm", "practical", dense, "dense"],
  ]),
  ...group("reuters10k-pcx", "reuters10k", 3, [
    ["pcx", "paper"],
    ["pcx-imba", "paper"],
  ]),
  ...group("har-pcx", "har", 3, [
    ["pcx", "paper"],
    ["dec", "paper"],
    ["idec", "paper"],
  ]),
  ...group("generative", "mnist", 1, [
    ["vade", "paper"],
    ["depict", "paper"],
  ]),
  ...(["reuters10k", "har"] as const).flatMap((data) =>
    group(`generative-${data}`, data, 1, [
      ["vade", "paper"],
      ["depict", "paper"],
    ]),
  ),
  // Invariance, Tables III to VI.
  ...group("mnist-test-invariance", "mnist-test-centered", 5, [
    ...invariance("mnist-test-centered"),
    ...unheld("mnist-test-centered"),
  ]),
  ...group("mnist-invariance", "mnist-centered", 1, [
    ...invariance("mnist-centered"),
    ["hoe", "paper", { ...tableII["mnist-centered"], ...pooled }, "cnn"],
  ]),
  ...(["cifar10-test-centered", "reuters10k-centered", "cifar100-s1-centered"] as const).flatMap((data) =>
    group(`${data}-invariance`, data, 1, invariance(data)),
  ),
  // What needs data that is not here.
  ...elsewhere.flatMap((data) =>
    group("elsewhere", data, 1, [
      ["kmeans", "practical"],
      ["aekm", "paper", dense],
      ...asTeachers(comparators),
      ["dec", "paper"],
      ["idec", "paper"],
      ["vade", "paper"],
      ["depict", "paper"],
      ["tell", "paper"],
      ["tell", "paper", { network: "none", epochs: 30, start: "kmeans++" }, "raw"],
      ["kmeansnet", "paper"],
      ["pcx", "paper"],
    ]),
  ),
  ...group("elsewhere", "fashion", 1, [
    ["pcx", "paper", tellNetwork, "cnn"],
    ["pcx", "paper", { ...tellNetwork, fuse: false }, "cnn-no-ci"],
    ["pcx", "paper", { ...tellNetwork, centers: "fixed" }, "cnn-fix"],
  ]),
  ...group("elsewhere", "ytf", 1, [["pcx-imba", "paper", tellNetwork, "cnn"]]),
];
