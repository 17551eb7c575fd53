/**
 * The settings of each publication, written from the papers and from what their official code is known to do, apart
 * from our profiles. Each has its source:
 *
 *   text  what the paper says
 *   code  what the official code does where the text is silent, or where its units cannot have made its figures
 *   ours  what neither says, or what cannot be read or be meant: we chose, and docs/methods says so and why
 */

type Source = "text" | "code" | "ours";
type Setting = readonly [value: unknown, source: Source, where: string];

export interface Published {
  /** Its page in docs/methods. */
  readonly page: string;
  readonly settings: Readonly<Record<string, Setting>>;
}

const noRefill: Setting = [false, "text", "nothing is said of empty clusters"];
/** d-500-500-2000-code and back, as in DEC. */
const dense = {
  network: ["fullyConnected", "text", "the fully connected autoencoder"],
  hidden: [[500, 500, 2000], "text", "500-500-2000"],
} as const satisfies Published["settings"];

const tell: Published = {
  page: "tell.md",
  settings: {
    network: ["auto", "text", "§4.1: convolutions for images; §4.4: 500-500-2000-10"],
    hidden: [[500, 500, 2000], "text", "§4.4"],
    filters: [[], "text", "§4.1: conv(16)-conv(32)-conv(32)-conv(16), which are those of the empty list"],
    latent: [10, "text", "§4.1: fc(10)"],
    activation: ["relu", "text", "§4.1"],
    code: ["unit", "text", "T14: ‖h‖ = 1 before the decoder"],
    output: ["auto", "text", "§4.1: sigmoid, for pixels from 0 to 1"],
    dropout: [0, "text", "none is mentioned; the code has 0.2 in its fully connected network"],
    weights: ["he", "text", "§4.1: Kaiming uniform (He et al., 2015); the code has PyTorch's default"],
    pretraining: [0, "text", "§4.1: trained from random weights"],
    batch: [256, "code", "silent"],
    optimizer: ["adadelta", "text", "§4.1"],
    rate: [1, "text", "§4.1: default"],
    epochs: [3000, "text", "§4.1"],
    labelChange: [0, "text", "§4.1: all epochs"],
    lossChange: [0, "text", "§4.1: all epochs"],
    restarts: [5, "text", "§4.1, appendix B"],
    keep: ["loss", "text", "appendix B: the smallest L_clu"],
    start: ["random", "text", "§4.1"],
    refill: noRefill,
    lambda: [0.01, "text", "T15"],
    units: ["means", "code", "T15 prints sums; tables S1 and S2 fit the code's means alone"],
    assignment: ["hard", "text", "§2.2.1"],
    step: [0.1, "text", "§2.2.3: a tenth of ‖W‖"],
    normalizeGradient: [true, "text", "§2.2.3"],
    normalizeWeight: [true, "text", "§2.2.3"],
    centerStep: ["direct", "text", "T16; the code's Adadelta gives the same step to 0.03 %"],
    alternate: [true, "text", "T15: L_clu moves W and f alternately"],
    neighbours: [0, "text", "no votes"],
    twoStage: [false, "text", "§2.2.4: end to end"],
  },
};

const kmeansnet: Published = {
  page: "kmeansnet.md",
  settings: {
    ...dense,
    latent: [10, "text", "§4.1"],
    activation: ["relu", "text", "§4.1"],
    code: ["sigmoid", "text", "§4.1: the last layer of the encoder"],
    output: ["sigmoid", "text", "§4.1: the last layer of the decoder"],
    weights: ["xavier", "text", "§4.1: TensorFlow, whose default it is"],
    dropout: [0.2, "text", "§4.1"],
    dropoutAt: ["after", "text", "§4.1: after each layer of the encoder"],
    optimizer: ["adadelta", "text", "§4.1"],
    rate: [1, "ours", "§4.1: default, of which there are three"],
    pretraining: [50, "ours", "that there is a trained autoencoder is said, for how long is not"],
    pretrainingOptimizer: ["adadelta", "text", "§4.1: the autoencoder too"],
    pretrainingRate: [1, "ours", "as `rate`"],
    batch: [256, "ours", "silent; TELL's"],
    epochs: [3000, "text", "§4.1"],
    lossChange: [1e-3, "text", "§4.1: convergence error"],
    lossChangeOf: ["sum", "ours", "of what is not said: of K7, which is a sum over all rows"],
    labelChange: [0, "text", "not mentioned"],
    restarts: [1, "text", "not mentioned"],
    start: ["kmeans++", "text", "§4.2"],
    refill: noRefill,
    alpha: [1e-3, "text", "§4.4: fully connected; 1e-2 for convolutions"],
    bias: ["free", "text", "§3.1: W and b are updated independently"],
    assignment: ["soft", "text", "K8"],
    sharpness: [1, "text", "K8"],
    centerStep: ["optimizer", "text", "§4.1: Adadelta for k-meansNet too"],
    lambda: [0.01, "ours", "the two losses have no weights in the text; TELL's"],
  },
};

const pcx: Published = {
  page: "pcx.md",
  settings: {
    ...dense,
    latent: [10, "text", "A.7"],
    activation: ["relu", "text", "A.7; the code has LeakyReLU"],
    code: ["linear", "text", "A.7: all layers but the last"],
    output: ["linear", "text", "A.7: all layers but the last"],
    weights: ["xavier", "text", "A.7"],
    biases: ["kaiming", "code", "silent"],
    dropout: [0, "text", "not mentioned"],
    pretraining: [0, "text", "Alg. 1"],
    batch: [256, "text", "A.7; the code has 512"],
    optimizer: ["adam", "text", "A.7"],
    rate: [5e-4, "text", "A.7"],
    epochs: [1000, "text", "A.7; the code has 701"],
    start: ["random", "text", "A.7: centroids as the weights"],
    refill: noRefill,
    eta1: [5e-4, "code", "not published"],
    eta2: [1e-5, "code", "not published"],
    tau: [5, "text", "A.7"],
    kappa: [0.995, "text", "A.7"],
    centers: ["kappa", "text", "A.7: κ is fixed"],
    fuse: [true, "text", "P3"],
    straight: [false, "text", "P3 has no straight-through; the code does"],
    noise: [0, "text", "not mentioned; the code has 0.5"],
    follows: ["after", "text", "Alg. 1: the network first; the code the other way round"],
    burnIn: [250, "text", "A.3.1"],
  },
};

const invariance = (metric: string): Published => ({
  page: "invariance.md",
  settings: {
    ...dense,
    latent: [10, "text", "Table II"],
    activation: ["relu", "text", "§III-C"],
    code: ["linear", "ours", "whether the ReLU is on the code too is not said"],
    output: ["linear", "ours", "centred rows are negative too"],
    weights: ["xavier", "text", "§V-A: Keras, whose default it is"],
    corruption: [0.3, "text", "§III-C: noise ratio"],
    pretraining: [300, "ours", "until it converges"],
    pretrainingOptimizer: ["sgd", "text", "§III-C: with momentum and weight decay"],
    pretrainingRate: [1, "ours", "not said"],
    pretrainingLoss: ["mean", "ours", "I3 has no unit; Keras' is the mean"],
    batch: [256, "text", "Table II"],
    optimizer: ["sgd", "text", "Alg. 1"],
    rate: [1e-3, "ours", "illegible in our copy"],
    momentum: [0.9, "text", "§III-C"],
    weightDecay: [1e-6, "ours", "10⁻⁶ or 10⁻⁹, illegible"],
    decay: [0.9, "text", "Table II: de (printed: divided)"],
    decayEvery: [300, "text", "Table II: ep"],
    epochs: [3000, "text", "Table II: ep × re of mnist-test"],
    labelChange: [3e-4, "text", "§III-B: 0.03 %"],
    start: ["kmeans", "text", "Alg. 1"],
    refill: noRefill,
    metric: [metric, "text", "§III-B"],
    z: ["named", "ours", "I9 and I10 print a similarity and call it a distance"],
    sharpness: [2, "text", "I6"],
    epsilon: [1e-7, "ours", "log 0 in I5"],
    target: ["P2", "ours", "§III-B: P₂ is the target; that it is held while P₁ is led to it is not said"],
    sphere: [false, "text", "codes of any length"],
    moving: [true, "text", "Alg. 1: {Θ, Ω}"],
    inference: ["P1", "text", "I12"],
    together: [false, "text", "I5"],
  },
});

const dkm = {
  ...dense,
  latent: [0, "text", "§4.3: as many numbers as clusters"],
  activation: ["relu", "text", "§4.3"],
  code: ["linear", "text", "§4.3"],
  output: ["linear", "text", "§4.3"],
  weights: ["xavier", "text", "§4.3"],
  biases: ["auto", "code", "zero"],
  pretrainingOptimizer: ["adam", "text", "§4.3"],
  pretrainingRate: [1e-3, "text", "§4.3"],
  pretrainingLoss: ["sum", "code", "D1 has no unit"],
  batch: [256, "text", "§4.3"],
  optimizer: ["adam", "text", "§4.3"],
  rate: [1e-3, "text", "§4.3"],
  refill: noRefill,
  lambda: [1, "code", "searched on labels, in a supplement; the code's default"],
  relative: [false, "text", "D1"],
  distance: ["euclidean", "text", "§4.2"],
  reconstruction: ["euclidean", "text", "§4.2"],
  perturbation: [1e-3, "ours", "§3.2: slightly"],
} as const satisfies Published["settings"];

export const asPublished: Readonly<Record<string, Published>> = {
  tell,
  kmeansnet,
  pcx,
  "pcx-imba": {
    ...pcx,
    settings: {
      ...pcx.settings,
      imbalanced: [true, "text", "P12"],
      epsilon: [5, "text", "A.3: for imbalanced data"],
    },
  },
  homo: invariance("euclidean"),
  hoe: invariance("cosine"),
  hot: invariance("correlation"),
  hit: invariance("cityBlock"),
  "dkm-p": {
    page: "dkm.md",
    settings: {
      ...dkm,
      pretraining: [50, "text", "§4.2"],
      epochs: [100, "text", "§4.2"],
      start: ["kmeans", "text", "§4.2"],
      anneal: [false, "text", "§4.2"],
      alpha: [1000, "text", "§4.2"],
    },
  },
  "dkm-a": {
    page: "dkm.md",
    settings: {
      ...dkm,
      pretraining: [0, "text", "§4.2"],
      epochs: [200, "text", "§4.2: 40 values of α, 5 epochs each"],
      start: ["random", "text", "§4.3: U(−1, 1)"],
      anneal: [true, "text", "§4.2"],
      alphas: [40, "text", "§4.2"],
    },
  },
  vade: {
    page: "vade.md",
    settings: {
      ...dense,
      latent: [10, "code", "500-500-2000-10"],
      activation: ["relu", "code", "500-500-2000-10"],
      output: ["sigmoid", "code", "MNIST"],
      weights: ["xavier", "code", "Keras' default"],
      pretraining: [50, "ours", "never published"],
      pretrainingLoss: ["sum", "ours", "never published"],
      batch: [100, "code", "100"],
      optimizer: ["adam", "code", "Adam"],
      rate: [2e-3, "code", "lr_nn"],
      adamEpsilon: [1e-4, "code", "epsilon"],
      decay: [0.9, "code", "MNIST"],
      decayEvery: [10, "code", "MNIST"],
      leastRate: [2e-4, "code", "MNIST"],
      epochs: [3000, "code", "MNIST"],
      start: ["kmeans", "code", "a mixture on the codes"],
      refill: noRefill,
      likelihood: ["bernoulli", "code", "MNIST"],
      alpha: [1, "code", "MNIST"],
      variance: [1, "code", "an untrained layer"],
    },
  },
  depict: {
    page: "depict.md",
    settings: {
      network: ["halvingConvolutional", "code", "50-4×4/2, 50-5×5/2"],
      latent: [0, "code", "K"],
      code: ["tanh", "code", "dense K, tanh"],
      dropout: [0.1, "code", "0.1, 0.1, 0"],
      batch: [100, "code", "100"],
      pretraining: [100, "ours", "up to 4000, until labels of a tenth say so"],
      pretrainingRate: [1e-4, "code", "Adam 1e-4"],
      epochs: [100, "ours", "until p stays"],
      optimizer: ["adam", "code", "Adam"],
      rate: [1e-4, "code", "1e-4"],
      start: ["kmeans", "code", "MNIST"],
      startRestarts: [40, "code", "n_init 40"],
      refill: noRefill,
      target: ["squared", "code", "p²/f"],
      layers: [0.1, "code", "0.1"],
      gamma: [1, "code", "1"],
    },
  },
};
