/**
 * Rows drawn in a space of few dimensions so that neighbours stay neighbours (UMAP: McInnes, Healy & Melville, 2018): a
 * picture in two dimensions, or something to cluster in ten.
 */

import type { Random } from "../../tensor/random.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";
import { NeighbourSearch, type Neighbours, treeColumns } from "../neighbours/neighbours.ts";
import type { Pace } from "../pace.ts";
import { type Axes, firstAxes, principalAxes, projected } from "../principalAxes.ts";
import { curveFor, forcesOf } from "./curve.ts";
import { descend } from "./descend.ts";
import { framed } from "./framed.ts";
import { tiesOf } from "./ties.ts";

type Start = Tensor<"float32"> | Tensor<"float64">;

export interface EmbeddingOptions {
  /** 2 unless told. */
  readonly dimensions?: number;
  /**
   * Rows nearer than this in the embedding, which begins 20 wide, need not come nearer: 0 packs clusters tightly. From
   * 0 to 1, 0.1 unless told.
   */
  readonly minimalDistance?: number;
  /**
   * What to begin with: the principal axes unless told, or positions [n, dimensions], of which the place and the size
   * do not count.
   */
  readonly start?: "principal axes" | Start;
  /** Rows that each row is tied to: fewer show finer detail, more show the whole. 15 unless told. */
  readonly neighbours?: number;
  /** Rounds of the drawing; 0 stays with the start. Unless told, 500 for up to 10,000 rows, and 200 for more. */
  readonly epochs?: number;
  /** Whether the neighbours may be those of an approximate search (`NeighbourOptions`); exact unless told. */
  readonly approximate?: boolean;
  /** The neighbours of each row, as many as are wanted, where they are known already: they are then not searched. */
  readonly known?: Neighbours;
  readonly random: Random;
  readonly pace: Pace;
  /**
   * Called with the start as epoch 0 and after each epoch, with the positions [n, dimensions] as they are: to be
   * copied, not kept.
   */
  readonly onEpoch?: (epoch: number, positions: Float64Array) => void;
}

/** Half the width of the embedding at its start, and how far its rows are shaken, so that equal ones can part. */
const atStart = { half: 10, shaken: 1e-3 };

/** Ties between two looks at the clock. */
const piece = 8192;

/** Rounds unless told: fewer of many rows, of which each takes longer. */
export function defaultEpochs(rows: number): number {
  return rows <= 10_000 ? 500 : 200;
}

/**
 * Positions [n, dimensions] of finite rows [n, d], moved from the start downhill on the cross-entropy between ties and
 * embedding,
 *
 *   −Σ wᵢⱼ log φ(yᵢⱼ) − Σ log(1 − φ(yᵢⱼ)),
 *
 * the second sum over rows drawn at random. A tie of weight w has its turn in a share w / max w of the epochs. The step
 * falls from 1 to 0. The same rows, options and random numbers give the same bits. Without epochs, and for two rows or
 * equal ones, it is the start, framed.
 */
export async function embedNeighbours(rows: Tensor<"float32">, options: EmbeddingOptions): Promise<Tensor<"float64">> {
  const n = rows.shape[0]!;
  const { dimensions = 2, minimalDistance = 0.1, start = "principal axes", neighbours = 15 } = options;
  const { epochs = defaultEpochs(n), approximate = false, known, random, pace, onEpoch } = options;
  checkWhole("dimensions", dimensions, 1);
  checkWhole("neighbours", neighbours, 1);
  checkWhole("epochs", epochs, 0);
  checkMinimalDistance(minimalDistance);
  if (start !== "principal axes") checkStart(start, n, dimensions);

  // As many axes as an approximate search compares along, so that they are found once.
  const axes =
    start === "principal axes" ? await principalAxes(rows, Math.max(treeColumns, dimensions), pace) : undefined;
  const first = axes ? await alongFirstAxes(rows, axes, dimensions, pace) : (start as Start).data;
  const positions = Float64Array.from(framed(first, dimensions).data);
  const embedded = tensor("float64", [n, dimensions], positions);
  onEpoch?.(0, positions);
  // Equal rows have no picture, and two rows have only one.
  if (epochs === 0 || n <= 2 || positions.every((value) => value === 0)) return embedded;

  const search = { approximate, ...(axes && { axes }) };
  const near = known ?? (await (await NeighbourSearch.among(rows, pace, search)).ofEach(neighbours, pace));
  const ties = await tiesOf(near, pace);
  positions.forEach((value, at) => {
    positions[at] = atStart.half * value + atStart.shaken * (random.uniform() - 0.5);
  });
  const size = ties.weights.length;
  const most = ties.weights.reduce((largest, weight) => Math.max(largest, weight), 0);
  const descent = {
    positions,
    dimensions,
    ties,
    forces: forcesOf(curveFor(minimalDistance)),
    shares: ties.weights.map((weight) => weight / most),
    // Begun at different points, so that equal ties do not all move in the same epochs.
    saved: random.uniforms(size),
    words: Int32Array.of(random.word() | 1),
  };
  for (let epoch = 0; epoch < epochs; epoch++) {
    const step = 1 - epoch / epochs;
    for (let from = 0; from < size; from += piece) {
      await pace();
      descend(descent, from, Math.min(size, from + piece), step);
    }
    onEpoch?.(epoch + 1, positions);
  }
  return embedded;
}

/** Where rows are along the first axes, [n, dimensions]; zeros where there are fewer axes. */
async function alongFirstAxes(
  rows: Tensor<"float32">,
  axes: Axes,
  dimensions: number,
  pace: Pace,
): Promise<Float64Array> {
  const { data, shape } = await projected(rows, firstAxes(axes, dimensions), pace);
  const [n, m] = shape as [number, number];
  const positions = new Float64Array(n * dimensions);
  for (let i = 0; i < n; i++) positions.set(data.subarray(i * m, (i + 1) * m), i * dimensions);
  return positions;
}

function checkWhole(name: string, value: number, from: number): void {
  if (!Number.isInteger(value) || value < from) {
    throw new RangeError(`embedNeighbours: ${name} must be a whole number from ${from}, got ${value}`);
  }
}

function checkMinimalDistance(value: number): void {
  if (!(value >= 0 && value <= 1)) {
    throw new RangeError(`embedNeighbours: minimalDistance must be from 0 to 1, got ${value}`);
  }
}

function checkStart({ shape, data }: Start, n: number, dimensions: number): void {
  if (shape.length !== 2 || shape[0] !== n || shape[1] !== dimensions || !data.every(Number.isFinite)) {
    throw new RangeError(
      `embedNeighbours: start must be "principal axes", or finite positions of shape [${n},${dimensions}], got [${shape}]`,
    );
  }
}
