/**
 * The manifold: rows laid out so that neighbours stay neighbours and clusters are packed tightly, then divided there.
 * After N2D (McConville, Santos-Rodríguez, Piechocki & Craddock, 2020), which lays out the codes of an autoencoder.
 */

import { embedNeighbours } from "../numerics/embedding/embedNeighbours.ts";
import { neighbourGraph } from "../numerics/neighbours/neighbourGraph.ts";
import type { Neighbours } from "../numerics/neighbours/neighbours.ts";
import type { Pace } from "../numerics/pace.ts";
import { pacedKMeans } from "../numerics/pacedKMeans.ts";
import type { Random } from "../tensor/random.ts";
import { float32Of, type Tensor, tensor } from "../tensor/tensor.ts";
import { mixtureDivision } from "./mixture.ts";
import { neighboursIn, neighboursOf } from "./neighbourhood.ts";
import type { Division } from "./partition.ts";
import { spectralEmbedding } from "./spectral.ts";
import { type Teacher, type ToldLesson, teacher } from "./teacher.ts";

const neighbours = 20;

/** Below two dimensions clusters cannot pass each other, and above sixteen no tree finds their neighbours. */
const fewest = 2;
const most = 16;

function manifoldThen(
  name: string,
  then: string,
  divide: (positions: Tensor<"float32">, lesson: ToldLesson) => Promise<Division>,
): Teacher {
  return teacher({
    name,
    about: `Clusters of any form that lie apart: rows laid out by their neighbours in as many dimensions as clusters, then ${then}.`,
    paper: "McConville et al., N2D: (Not Too) Deep clustering via clustering the local manifold, ICPR 2020",
    clusters: "told",
    most: 50_000,
    async divide(rows, lesson) {
      const { clusters, random, pace } = lesson;
      const dimensions = Math.min(most, Math.max(fewest, clusters));
      const known = await neighboursOf(rows, neighboursIn(rows, neighbours, clusters), pace);
      const start = await spectralStart(known, dimensions, random, pace);
      const options = { dimensions, minimalDistance: 0, known, start, random, pace };
      const { data, shape } = await embedNeighbours(rows, options);
      return divide(tensor("float32", shape, float32Of(data)), lesson);
    },
  });
}

/** The first eigenvectors of the neighbour graph after the one that all rows share: islands begin apart. */
async function spectralStart(
  known: Neighbours,
  dimensions: number,
  random: Random,
  pace: Pace,
): Promise<Tensor<"float32">> {
  const { data, shape } = await spectralEmbedding(await neighbourGraph(known, pace), dimensions + 1, random, pace);
  const [n, found] = shape as [number, number];
  const start = new Float32Array(n * dimensions);
  for (let i = 0; i < n; i++) start.set(data.subarray(i * found + 1, (i + 1) * found), i * dimensions);
  return tensor("float32", [n, dimensions], start);
}

export const manifold = manifoldThen("manifold", "k-means", (positions, { clusters, ...lesson }) =>
  pacedKMeans(positions, clusters, lesson),
);

export const manifoldMixture = manifoldThen("manifold-mixture", "a mixture", (positions, { clusters, random, pace }) =>
  mixtureDivision(positions, clusters, random, pace),
);
