/**
 * k-means: each row belongs to the nearest center, each center is the mean of its rows. Lloyd, 1982.
 * Spherical k-means: the same of directions, with rows and centers of length 1. Dhillon & Modha, 2001.
 */

import { unitTensor } from "../numerics/kmeans.ts";
import { pacedKMeans } from "../numerics/pacedKMeans.ts";
import { takeRows } from "../tensor/tensor.ts";
import { teacher } from "./teacher.ts";

export const kmeans = teacher({
  name: "kmeans",
  about: "Round clusters of similar width: each row to the nearest of k means, the best of ten starts.",
  paper: "Lloyd, Least squares quantization in PCM, IEEE Transactions on Information Theory 28, 1982",
  clusters: "told",
  most: Number.POSITIVE_INFINITY,
  divide: (rows, { clusters, ...lesson }) => pacedKMeans(rows, clusters, lesson),
});

export const spherical = teacher({
  name: "spherical",
  about: "Directions, whatever the length of a row: k-means of rows and centers of length 1; a row of zeros has none.",
  paper:
    "Dhillon & Modha, Concept decompositions for large sparse text data using clustering, Machine Learning 42, 2001",
  clusters: "told",
  most: Number.POSITIVE_INFINITY,
  async divide(rows, { clusters, ...lesson }) {
    const d = rows.shape[1]!;
    const isZero = (i: number) => rows.data.subarray(i * d, (i + 1) * d).every((value) => value === 0);
    const directed = Int32Array.from({ length: rows.shape[0]! }, (_, i) => i).filter((i) => !isZero(i));
    const directions = unitTensor(takeRows(rows, directed));
    const found = await pacedKMeans(directions, clusters, { ...lesson, spherical: true });
    const labels = new Int32Array(rows.shape[0]!).fill(-1);
    directed.forEach((row, at) => {
      labels[row] = found.labels[at]!;
    });
    return { labels };
  },
});
