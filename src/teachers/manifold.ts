/**
 * The manifold: rows laid out so that neighbours stay neighbours and clusters are packed tightly, then divided there.
 * After N2D (McConville, Santos-Rodríguez, Piechocki & Craddock, 2020), which lays out the codes of an autoencoder.
 */

import { embedNeighbours } from "../numerics/embedding/embedNeighbours.ts";
import { pacedKMeans } from "../numerics/pacedKMeans.ts";
import { float32Of, type Tensor, tensor } from "../tensor/tensor.ts";
import { mixtureDivision } from "./mixture.ts";
import { mayMiss, neighboursIn } from "./neighbourhood.ts";
import type { Division } from "./partition.ts";
import { type Lesson, type Teacher, teacher } from "./teacher.ts";

const neighbours = 20;

/** Below two dimensions clusters cannot pass each other, and above sixteen no tree finds their neighbours. */
const fewest = 2;
const most = 16;

function manifoldThen(
  name: string,
  then: string,
  divide: (positions: Tensor<"float32">, lesson: Required<Lesson>) => Promise<Division>,
): Teacher {
  return teacher({
    name,
    about: `Clusters of any form that lie apart: rows laid out by their neighbours in as many dimensions as clusters, then ${then}.`,
    paper: "McConville et al., N2D: (Not Too) Deep clustering via clustering the local manifold, ICPR 2020",
    clusters: "told",
    most: 50_000,
    async divide(rows, lesson) {
      const { clusters, random, pace } = lesson;
      const { data, shape } = await embedNeighbours(rows, {
        dimensions: Math.min(most, Math.max(fewest, clusters)),
        minimalDistance: 0,
        neighbours: neighboursIn(rows, neighbours, clusters),
        approximate: mayMiss(rows),
        random,
        pace,
      });
      return divide(tensor("float32", shape, float32Of(data)), lesson);
    },
  });
}

export const manifold = manifoldThen("manifold", "k-means", (positions, { clusters, ...lesson }) =>
  pacedKMeans(positions, clusters, lesson),
);

export const manifoldMixture = manifoldThen("manifold-mixture", "a mixture", (positions, { clusters, random, pace }) =>
  mixtureDivision(positions, clusters, random, pace),
);
