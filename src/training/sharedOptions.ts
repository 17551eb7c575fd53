/** The options that every method has. */

import { choice, flag, number, sizes, type ValuesOf, whole } from "../options.ts";

/** More are a slip of the keyboard, and no fit would end. */
export const mostRestarts = 1000;

export const sharedOptions = {
  network: choice(
    "What turns rows into codes: chosen by the shape of the rows, one of ours, or none (the rows themselves).",
    ["auto", "fullyConnected", "tellConvolutional", "pooledConvolutional", "halvingConvolutional", "none"],
    "auto",
  ),
  scaling: choice(
    "Inside the model: standard takes columns to mean 0 and deviation 1, shared to mean 0 and all by one factor, length all numbers by one factor to mean square 1, columns each column of a table to a total variance of its weight, however many values it has. Auto takes tables with categories, booleans, dates or weights to columns; else it takes tables with numbers outside −1 to 1 to standard, pictures to 0 to 1, and in the practical profile tables of very small numbers, such as embeddings, to length.",
    ["auto", "none", "standard", "shared", "length", "columns"],
    "auto",
  ),
  hidden: sizes(
    "The widths of the dense layers between row and code; the practical profile takes less for rows of fewer than 200 numbers. A convolutional network has one, of 256 (TELL's) or 1024 (pooled).",
    [500, 500, 2000],
  ),
  filters: sizes(
    "The filters of a convolutional network, layer by layer; an empty list is the paper's: 16, 32, 32, 16 (TELL's), 64, 32 (pooled) or 50, 50 (halving).",
    [],
  ),
  latent: whole("How many numbers a code has; 0 means as many as there are clusters.", 10),
  activation: choice("What follows each layer of the fully connected network.", ["relu", "leakyRelu", "tanh"], "relu"),
  code: choice(
    "What follows the code; unit gives codes of length 1.",
    ["linear", "relu", "sigmoid", "tanh", "unit"],
    "linear",
  ),
  output: choice(
    "What follows the reconstruction; auto is sigmoid for numbers from 0 to 1, else linear.",
    ["auto", "linear", "sigmoid", "tanh"],
    "auto",
  ),
  weights: choice(
    "How weights begin: by PyTorch's rule; by Glorot's (of dense layers alone); by He's, √6 times as wide as PyTorch's (of every layer).",
    ["kaiming", "xavier", "he"],
    "kaiming",
  ),
  biases: choice(
    "How biases begin; auto is at zero beside Glorot's weights and He's, else by PyTorch's rule.",
    ["auto", "zero", "kaiming"],
    "auto",
  ),
  dropout: number(
    "The share of elements dropped while training, in the encoder of the fully connected network and of the halving one.",
    0,
    { to: 0.95 },
  ),
  dropoutAt: choice("Where: before each encoder layer, or after each.", ["before", "after"], "before"),
  batch: whole("Rows per step; 0 is chosen by the number of rows: about 270 steps an epoch, with 32 to 256 rows.", 256),
  pretraining: whole("Epochs of plain reconstruction before the clusters begin.", 50),
  pretrainingLoss: choice(
    "Its loss: the squared error averaged or summed over a row's elements (Adam's ε weighs more against small gradients), or 1 − the cosine of row and reconstruction.",
    ["mean", "sum", "cosine"],
    "mean",
  ),
  pretrainingOptimizer: choice(
    "What moves the parameters in these epochs; momentum and weightDecay count here too.",
    ["adam", "adadelta", "sgd", "adagrad", "rmsprop"],
    "adam",
  ),
  pretrainingRate: number("The learning rate of these epochs.", 1e-3),
  corruption: number("The share of each row set to 0 while pretraining: a denoising autoencoder.", 0, { to: 0.95 }),
  pretrainingNoise: number("The deviation of normal noise added to each row while pretraining, once it is scaled.", 0),
  epochs: whole("Epochs of clustering.", 100),
  steps: whole("Steps of clustering at most, one batch each: the last epoch may end early; 0 is no limit.", 0),
  optimizer: choice("What moves the parameters.", ["adam", "adadelta", "sgd", "adagrad", "rmsprop"], "adam"),
  rate: number("The learning rate.", 1e-3),
  momentum: number("The momentum of sgd.", 0, { to: 0.999 }),
  weightDecay: number("The L2 penalty on what the optimizer moves.", 0),
  adamEpsilon: number("ε of Adam.", 1e-8, { from: 1e-16 }),
  decay: number("What the learning rate is multiplied with, each time.", 1, { from: 1e-6, to: 1 }),
  decayEvery: whole("After how many epochs, each time; 0 is never.", 0),
  leastRate: number("What it never falls below.", 0),
  labelChange: number("Stop when at most this share of rows changes cluster in an epoch; 0 is never.", 0, { to: 1 }),
  lossChange: number(
    "Stop when the loss changes by at most this much in an epoch, pretraining and clustering each; 0 is never.",
    0,
    { to: 1 },
  ),
  lossChangeOf: choice(
    "What that is: a share of the loss, or a change of its sum over all rows.",
    ["share", "sum"],
    "share",
  ),
  restarts: whole("How many times to begin anew, keeping the best.", 1, { from: 1, to: mostRestarts }),
  keep: choice(
    "What makes a restart the best, without labels: the smallest loss, the largest silhouette, or the smallest KL(P₂‖P₁).",
    ["loss", "silhouette", "divergence"],
    "loss",
  ),
  start: choice(
    "Where the first centers come from: k-means on the codes, its ++ start alone, rows drawn at random, or the method's own random numbers.",
    ["kmeans", "kmeans++", "rows", "random"],
    "kmeans",
  ),
  startRestarts: whole("How many times the k-means that places the first centers begins anew.", 20, { from: 1 }),
  refill: flag(
    "Put the center of a cluster that has lost all rows where the loss is largest; the papers leave it where it is.",
    true,
  ),
} as const;

export type SharedOptions = ValuesOf<typeof sharedOptions>;

/** What decides a pretraining: with the same of these, data and seed, it gives the same weights to every method. */
export const pretrainingOptions = [
  ...([
    "network",
    "scaling",
    "hidden",
    "filters",
    "latent",
    "activation",
    "code",
    "output",
    "weights",
    "biases",
    "dropout",
    "dropoutAt",
  ] as const),
  ...(["batch", "pretraining", "pretrainingLoss", "pretrainingOptimizer", "pretrainingRate"] as const),
  ...(["momentum", "weightDecay", "adamEpsilon", "corruption", "pretrainingNoise"] as const),
  ...(["lossChange", "lossChangeOf"] as const),
];
