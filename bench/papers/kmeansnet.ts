/**
 * k-meansNet: Peng, Zhou & Zhu, k-meansNet: When k-means Meets Differentiable Programming, arXiv 1808.07292v1, 2018.
 */

import { kmeansnetFigures } from "./figures/kmeansnet.ts";
import { type Column, type Paper, three } from "./paper.ts";
import { compared, superclasses, superclassRows } from "./tell.ts";

const mnist = (title = "MNIST"): Column => ({ title, data: ["mnist"], scores: three });

export const kmeansnet: Paper = {
  name: "kmeansnet",
  title: "k-meansNet (Peng et al., arXiv 2018)",
  geometricNmi: true,
  tables: [
    {
      id: "1",
      title: "MNIST and CIFAR-10",
      columns: [
        { title: "MNIST", data: ["mnist"], scores: [...three, "parameter"] },
        { title: "CIFAR-10", data: ["cifar10", "cifar10-test"], scores: [...three, "parameter"] },
      ],
      rows: [
        {
          name: "k-means",
          ours: compared["k-means"],
          published: "78.32 77.75 70.53 — | 19.81 5.94 3.01 —",
          marks: ["features"],
        },
        { name: "FCM", ours: compared.FCM, published: "21.56 12.39 5.10 — | 17.02 3.92 2.56 —", marks: ["features"] },
        { name: "SC", ours: compared.SC, published: "71.28 73.18 62.18 1 | 19.81 4.72 3.22 10", marks: ["tuned"] },
        {
          name: "LRR",
          ours: compared.LRR,
          published: "21.07 10.43 10.03 10.01 | 13.07 0.43 0.03 0.01",
          marks: ["tuned", "inconsistent"],
        },
        {
          name: "LSR1",
          ours: compared.LSR1,
          published: "40.42 31.51 21.35 0.4 | 19.79 6.05 3.64 0.6",
          marks: ["tuned"],
        },
        {
          name: "LSR2",
          ours: compared.LSR2,
          published: "41.43 30.03 20.00 0.1 | 19.08 6.37 3.16 0.5",
          marks: ["tuned"],
        },
        { name: "SLRR", ours: compared.SLRR, published: "21.75 7.57 5.55 2.1 | 13.09 1.31 0.94 0.1", marks: ["tuned"] },
        {
          name: "LSC-R",
          ours: compared["LSC-R"],
          published: "59.64 56.68 45.98 6 | 18.39 5.67 2.58 3",
          marks: ["tuned"],
        },
        {
          name: "LSC-K",
          ours: compared["LSC-K"],
          published: "72.07 69.88 60.81 6 | 19.29 6.34 3.89 3",
          marks: ["tuned"],
        },
        {
          name: "NMF-LP",
          ours: compared["NMF-LP"],
          published: "46.35 43.58 31.20 10 | 19.68 6.20 3.21 3",
          marks: ["tuned"],
        },
        { name: "ZAC", ours: compared.ZAC, published: "60.00 65.47 54.07 20 | 5.24 0.36 0.00 10", marks: ["tuned"] },
        { name: "DEC", ours: compared.DEC, published: "83.65 73.60 70.10 10 | 18.09 4.56 2.47 80", marks: ["tuned"] },
        {
          name: "k-meansNet",
          ours: ["kmeansnet/paper/500-epochs", "kmeansnet/paper"],
          published: "87.76 78.70 76.71 1.00E-03 | 20.23 6.87 3.95 0.5",
          marks: ["tuned"],
          epochs: 3000,
        },
        {
          name: "k-meansNet, practical",
          ours: ["kmeansnet/practical", "kmeansnet/practical/cnn"],
          published: "— — — — | — — — —",
          marks: ["practical"],
        },
      ],
      notes: [
        "α, the parameter of k-meansNet, was picked on labels too; ours is 1e-3 everywhere, as its text says for this network.",
      ],
    },
    {
      id: "2",
      title: "the first 10 superclasses of CIFAR-100 (ACC)",
      isWide: true,
      columns: superclasses(1),
      rows: superclassRows(`
        k-means 29.63 43.30 31.53 30.03 34.83 30.43 33.60 38.80 28.93 30.70
        FCM 26.77 37.80 25.30 25.97 29.77 26.37 32.60 36.73 25.00 25.33
        SC 31.90 39.30 33.67 27.53 34.27 27.77 33.10 36.17 26.90 32.30
        LRR 21.77 21.73 21.37 20.13 21.60 21.80 21.53 21.27 21.90 21.50
        LSR1 21.93 21.40 22.27 21.87 21.47 21.30 22.33 21.97 21.07 21.90
        LSR2 22.93 22.67 22.87 23.80 24.10 21.83 22.07 25.30 21.77 22.10
        SLRR 22.40 22.27 21.77 21.73 22.50 22.63 22.53 22.57 22.40 22.50
        LSC-R 31.97 40.50 30.77 28.87 34.30 28.67 32.90 35.27 27.13 32.03
        LSC-K 32.36 39.97 34.30 30.93 34.37 30.07 32.80 37.87 28.23 32.60
        NMF-LP 31.30 43.93 33.40 30.57 34.87 30.93 31.03 34.33 29.47 32.23
        ZAC 20.13 20.33 20.20 20.27 20.40 20.23 20.30 20.33 20.43 20.20
        DEC 31.17 43.97 29.97 30.60 34.87 28.50 33.40 20.07 29.87 31.97
        k-meansNet 33.00 45.00 35.53 31.27 35.33 31.80 36.43 40.63 29.53 33.77`),
      notes: ["As printed, max / mean / median: k-meansNet 45.00 / 35.23 / 34.55, k-means 43.30 / 33.18 / 31.12."],
    },
    {
      id: "3",
      title: "the last 10 superclasses of CIFAR-100 (ACC)",
      isWide: true,
      columns: superclasses(11),
      rows: superclassRows(`
        k-means 39.53 28.37 25.23 26.87 24.10 31.83 27.50 32.83 31.00 39.80
        FCM 41.80 29.33 23.77 26.77 23.30 29.40 27.43 23.27 25.70 32.97
        SC 40.77 31.80 24.83 26.33 23.97 31.03 30.57 30.97 28.50 39.30
        LRR 21.87 21.67 21.97 21.67 20.37 21.27 21.77 22.00 21.20 21.47
        LSR1 21.80 21.93 21.57 21.30 22.10 22.27 22.00 21.70 21.60 21.90
        LSR2 26.43 22.13 20.30 24.10 22.00 21.97 21.47 21.07 21.17 24.60
        SLRR 22.63 22.50 22.03 22.90 22.27 21.57 21.47 22.77 23.30 22.37
        LSC-R 41.53 30.87 24.47 26.43 23.70 20.97 29.10 31.97 28.63 32.93
        LSC-K 43.90 30.67 24.67 26.57 24.10 29.10 30.77 30.37 29.57 38.60
        NMF-LP 42.00 30.27 25.00 25.33 22.83 30.33 29.13 32.13 29.13 40.97
        ZAC 20.20 20.23 20.30 20.27 20.23 20.30 20.30 20.27 20.23 20.23
        DEC 21.80 20.17 25.03 26.90 23.80 31.83 27.07 28.57 30.63 41.17
        k-meansNet 44.20 32.23 25.87 27.50 24.80 33.60 31.33 34.10 30.00 43.17`),
      notes: ["As printed, max / mean / median: k-meansNet 44.20 / 32.68 / 31.78, k-means 39.80 / 30.71 / 29.69."],
    },
    {
      id: "4",
      title: "starts and features (MNIST)",
      columns: [mnist("Raw"), mnist("FCN"), mnist("CNN")],
      rows: [
        {
          name: "k-means, random",
          ours: ["kmeans/paper/rows", "aekm/paper/rows", "aekm/paper/cnn-rows"],
          published: "54.23 48.49 36.50 | 77.31 76.71 69.48 | 78.98 77.45 72.16",
        },
        {
          name: "k-means, k-means++",
          ours: ["kmeans/paper", "aekm/paper/plusplus", "aekm/paper/cnn-plusplus"],
          published: "53.24 49.98 36.52 | 78.32 77.75 70.53 | 79.98 79.46 73.16",
        },
        {
          name: "k-meansNet, random",
          ours: ["kmeansnet/paper/raw-random", "kmeansnet/paper/500-epochs-rows", "kmeansnet/paper/cnn-rows"],
          published: "57.31 51.14 38.89 | 87.72 78.26 75.91 | 93.20 85.51 85.66",
          epochs: 3000,
        },
        {
          name: "k-meansNet, k-means++",
          ours: ["kmeansnet/paper/raw-plusplus", "kmeansnet/paper/500-epochs", "kmeansnet/paper/cnn"],
          published: "57.55 50.31 38.90 | 87.76 78.70 76.21 | 91.26 83.81 82.68",
          epochs: 3000,
        },
        {
          name: "k-meansNet, k-means",
          ours: ["kmeansnet/paper/raw-kmeans", "kmeansnet/paper/500-epochs-kmeans", "kmeansnet/paper/cnn-kmeans"],
          published: "58.08 51.21 39.66 | 87.56 78.70 76.06 | 92.42 84.70 84.27",
          epochs: 3000,
        },
        {
          name: "k-meansNet, b coupled to W, random",
          ours: ["kmeansnet/paper/coupled-raw-random", undefined, undefined],
          published: "— — — | — — — | — — —",
        },
        {
          name: "k-meansNet, b coupled to W, k-means++",
          ours: ["kmeansnet/paper/coupled-raw-plusplus", undefined, undefined],
          published: "— — — | — — — | — — —",
        },
        {
          name: "k-meansNet, b coupled to W, k-means",
          ours: ["kmeansnet/paper/coupled-raw-kmeans", undefined, undefined],
          published: "— — — | — — — | — — —",
        },
        {
          name: "k-meansNet, practical",
          ours: [undefined, undefined, "kmeansnet/practical"],
          published: "— — — | — — — | — — —",
          marks: ["practical"],
        },
      ],
      notes: [
        "Reconstruction, too, ends after 3000 epochs or by a convergence error of 10⁻³ there; ours has 50 epochs of it, before clusters of 500 epochs (FCN) and 100 (CNN).",
        "The ARI of k-means++ on FCN is 76.21 here and 76.71 in Table 1 of the publication.",
        "The practical profile has TELL's convolutional network, not the one of this publication.",
      ],
    },
    {
      id: "5",
      title: "optimizers (MNIST, CNN)",
      columns: [{ title: "MNIST", data: ["mnist"], scores: [...three, "AMI", "Homo", "Comp", "V-measure"] }],
      rows: [
        {
          name: "Adadelta",
          ours: "kmeansnet/paper/cnn",
          published: "93.11 85.52 85.54 85.47 85.48 85.55 85.52",
          epochs: 3000,
        },
        {
          name: "Adagrad",
          ours: "kmeansnet/paper/cnn-adagrad",
          published: "61.09 71.55 56.11 65.03 65.04 78.71 71.22",
          epochs: 3000,
        },
        {
          name: "Adam",
          ours: "kmeansnet/paper/cnn-adam",
          published: "92.13 84.23 83.72 84.18 84.18 84.27 84.23",
          epochs: 3000,
        },
        {
          name: "RMSprop",
          ours: "kmeansnet/paper/cnn-rmsprop",
          published: "80.08 79.69 73.38 79.03 79.04 80.35 79.69",
          epochs: 3000,
        },
      ],
    },
  ],
  figures: kmeansnetFigures,
};
