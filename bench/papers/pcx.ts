/** PC-X: Profound Clustering via Slow Exemplars, 2023. */

import { pcxFigures, singularShares } from "./figures/pcx.ts";
import { type Column, type Paper, three } from "./paper.ts";
import { scaleRows } from "./scale.ts";

const features = (title: string, data: string): Column => ({ title, data: [data], scores: three, marks: ["absent"] });

export const pcx: Paper = {
  name: "pcx",
  title: "PC-X (2023)",
  tables: [
    {
      id: "4",
      title: "classical and autoencoder-based methods on seven data sets",
      columns: [
        { title: "MNIST", data: ["mnist"], scores: three },
        features("Fashion", "fashion"),
        features("YTF", "ytf"),
        features("CIFAR-10 (MoCo)", "cifar10-moco"),
        features("ImageNet-10 (MoCo)", "imagenet10-moco"),
        { title: "Reuters10K", data: ["reuters10k"], scores: three },
        { title: "HAR", data: ["har"], scores: three },
      ],
      rows: [
        {
          name: "k-means",
          ours: "kmeans/practical",
          published:
            "53.5 50.0 36.6 | 47.6 51.2 34.9 | 58.3 76.9 53.8 | 33.5 41.0 9.8 | 88.3 79.1 76.6 | 51.7 31.1 20.8 | 60.0 58.9 40.1",
        },
        {
          name: "GMM",
          ours: "mixture/teacher",
          published:
            "43.4 37.1 23.7 | 49.8 53.3 34.9 | 59.4 77.9 55.1 | 78.5 74.4 68.2 | 88.5 79.2 76.9 | 73.6 48.5 46.5 | 59.7 59.4 47.1",
          marks: ["diagonal"],
        },
        {
          name: "AE",
          ours: "aekm/paper",
          published:
            "86.2 77.4 77.4 | 54.1 56.1 39.5 | 58.1 76.5 53.7 | 83.4 74.6 69.0 | 84.7 75.1 71.7 | 79.1 53.9 60.0 | 68.9 70.4 62.0",
        },
        {
          name: "DEC",
          ours: "dec/paper",
          published:
            "88.2 80.9 78.4 | 57.1 58.8 43.5 | 59.9 80.3 59.3 | 85.1 76.6 72.5 | 87.1 78.7 75.8 | 73.0 47.3 49.4 | 66.8 67.0 59.1",
        },
        {
          name: "IDEC",
          ours: "idec/paper",
          published:
            "89.8 84.3 81.7 | 52.9 56.8 42.9 | 65.1 78.2 55.7 | 84.8 76.5 72.4 | 87.2 78.7 76.0 | 72.9 47.2 49.0 | 68.7 74.0 64.2",
        },
        {
          name: "VaDE",
          ours: "vade/paper",
          published:
            "94.5 87.6 88.2 | 45.1 55.4 36.6 | 31.0 50.6 24.1 | N.A. N.A. N.A. | N.A. N.A. N.A. | 79.9 51.2 58.0 | 84.3 75.3 69.9",
        },
        {
          name: "DEPICT",
          ours: "depict/paper",
          published:
            "95.3 90.4 90.1 | 55.7 57.9 42.0 | 61.1 79.2 57.6 | 84.0 75.3 70.2 | 85.5 76.2 73.1 | 80.0 56.1 62.0 | 69.1 70.8 62.3",
        },
        {
          name: "PC-X",
          ours: [
            ...["pcx/paper", "pcx/paper/cnn", "pcx-imba/paper/cnn", "pcx/paper", "pcx/paper"],
            ...["pcx-imba/paper", "pcx/paper"],
          ],
          published:
            "97.5 93.5 94.7 | 64.1 67.0 51.6 | 66.7 82.8 62.8 | 87.9 79.8 77.0 | 92.3 83.4 84.0 | 82.2 57.0 63.1 | 87.1 80.1 75.1",
          epochs: 1000,
        },
        {
          name: "PC-X, practical",
          ours: ["pcx/practical", undefined, undefined, undefined, undefined, "pcx-imba/practical", "pcx/practical"],
          published: "— — — | — — — | — — — | — — — | — — — | — — — | — — —",
          marks: ["practical"],
        },
      ],
      notes: [
        "Imbalanced sets (YTF, Reuters10K) are PC-X-IMBA's. η₁ and η₂ are not published; `paper` takes the official code's.",
        "On Fashion and YTF PC-X has convolutions (A.7), those of TELL; on all other data 500-500-2000-10.",
        "Reuters10K is DEC's sample there and another one here.",
      ],
    },
    {
      id: "5",
      title: "methods that learn from augmented images",
      columns: [features("CIFAR-10", "cifar10-moco"), features("ImageNet-10", "imagenet10-moco")],
      rows: [
        { name: "IIC", ours: undefined, published: "61.7 51.3 41.1 | 24.7 15.4 10.0", marks: ["augmentation"] },
        { name: "PICA", ours: undefined, published: "64.5 56.1 46.7 | 85.0 78.2 73.3", marks: ["augmentation"] },
        { name: "CC", ours: undefined, published: "79.0 70.5 63.7 | 89.3 85.9 82.2", marks: ["augmentation"] },
        { name: "SPICE_s", ours: undefined, published: "83.8 73.4 70.5 | 92.1 82.8 83.6", marks: ["augmentation"] },
        { name: "TCC", ours: undefined, published: "90.6 79.0 73.3 | 89.7 84.8 82.5", marks: ["augmentation"] },
        { name: "DivClust", ours: undefined, published: "81.9 72.4 68.1 | 91.8 87.9 85.1", marks: ["augmentation"] },
        { name: "PC-X", ours: "pcx/paper", published: "87.9 79.8 77.0 | 92.4 83.4 84.0", epochs: 1000 },
      ],
      notes: ["PC-X has 92.3 on ImageNet-10 in Table 4 and 92.4 here."],
    },
    {
      id: "6",
      title: "parts of PC-X taken away",
      columns: [
        { title: "MNIST", data: ["mnist"], scores: ["ACC", "NMI"] },
        { title: "Fashion", data: ["fashion"], scores: ["ACC", "NMI"], marks: ["absent"] },
        { title: "test digits, practical", data: ["mnist-test"], scores: ["ACC", "NMI"], marks: ["practical"] },
      ],
      rows: [
        {
          name: "PC-X",
          ours: ["pcx/paper", "pcx/paper/cnn", "pcx/practical/dense"],
          published: "97.5 93.5 | 66.7 64.3 | — —",
          epochs: 1000,
        },
        {
          name: "PC-X-no CI",
          ours: ["pcx/paper/no-ci", "pcx/paper/cnn-no-ci", "pcx/practical/no-ci"],
          published: "94.1 87.8 | 57.4 62.0 | — —",
          epochs: 1000,
        },
        {
          name: "PC-X-Fix",
          ours: ["pcx/paper/fix", "pcx/paper/cnn-fix", "pcx/practical/fix"],
          published: "57.6 76.8 | 50.7 61.7 | — —",
          epochs: 1000,
        },
        {
          name: "IDEC",
          ours: ["idec/paper", "idec/paper", "idec/practical/dense"],
          published: "89.8 84.3 | 52.9 56.8 | — —",
        },
        {
          name: "AE",
          ours: ["aekm/paper", "aekm/paper", "aekm/practical/dense"],
          published: "86.2 77.4 | 54.1 56.1 | — —",
        },
      ],
      notes: ["PC-X has 64.1 / 67.0 on Fashion in Table 4 and 66.7 / 64.3 here."],
    },
    {
      id: "A.2",
      title: "PC-X-Div: the entropy term, with and without (no table in print)",
      columns: [{ title: "test digits, practical", data: ["mnist-test"], scores: three, marks: ["practical"] }],
      rows: [
        { name: "PC-X-Div (η₂ > 0)", ours: "pcx/practical/dense", published: "— — —" },
        { name: "PC-X (η₂ = 0)", ours: "pcx/practical/no-entropy", published: "— — —" },
      ],
    },
    {
      id: "A.3",
      title: "PC-X-IMBA beside PC-X on clusters of different sizes (Table 4 has the one figure)",
      columns: [{ title: "Reuters10K", data: ["reuters10k"], scores: three }],
      rows: [
        { name: "PC-X-IMBA", ours: "pcx-imba/paper", published: "82.2 57.0 63.1", epochs: 1000 },
        { name: "PC-X", ours: "pcx/paper", published: "— — —", epochs: 1000 },
        { name: "PC-X-IMBA, practical", ours: "pcx-imba/practical", published: "— — —", marks: ["practical"] },
        { name: "PC-X, practical", ours: "pcx/practical", published: "— — —", marks: ["practical"] },
      ],
    },
    {
      id: "7",
      title: "the share of the largest singular value, before and after the fusion (MNIST, %)",
      head: ["", ...Array.from({ length: 10 }, (_, digit) => String(digit)), "mean"],
      published: [
        [
          "before (after + difference)",
          "54.81",
          "52.63",
          "53.65",
          "64.57",
          "46.44",
          "57.76",
          "51.16",
          "53.34",
          "55.94",
          "29.12",
          "51.94",
        ],
        ["after", "40.13", "42.29", "27.72", "32.33", "31.47", "34.60", "33.14", "31.07", "27.38", "27.21", "32.74"],
        [
          "difference",
          "14.68",
          "10.34",
          "25.93",
          "32.24",
          "14.97",
          "23.16",
          "18.02",
          "22.27",
          "28.56",
          "1.91",
          "19.20",
        ],
      ],
      ours: singularShares,
      needs: ["pcx-training"],
      notes: [
        "The row `before` is blank in our copy: it follows from the other two. Columns are digits there and clusters here, each with its commonest digit.",
        "Ours: the short training of Figure 6.",
      ],
    },
    {
      id: "4.3",
      title: "the scale of ImageNet: 1,281,167 rows, 1000 clusters",
      head: ["", "rows × numbers", "clusters", "ACC", "NMI", "ARI", "rows / s", "peak memory"],
      published: [["published (MoCo features)", "1,281,167 × –", "1000", "38.4", "68.8", "31.7", "–", "–"]],
      ours: scaleRows,
      needs: ["pcx-scale-tenth", "pcx-scale"],
      notes: [
        "Ours are made-up rows, a cloud for each cluster, streamed from a file: speed and memory are what is measured.",
      ],
    },
  ],
  figures: pcxFigures,
};
