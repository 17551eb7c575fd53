/** The two-dimensional picture of codes. */

import { curveFor } from "../numerics/embedding/curve.ts";
import { embed } from "../numerics/embedding/embed.ts";
import { tiesOf } from "../numerics/embedding/ties.ts";
import { nearestOfOwn, neighbourhoodOf } from "../numerics/neighbourhood.ts";
import { paceOf } from "../numerics/pace.ts";
import { along } from "../numerics/principalAxes.ts";
import { Random } from "../tensor/random.ts";
import { type Tensor, tensor } from "../tensor/tensor.ts";

export interface CodeMap {
  /** The rows that were mapped, [n, latent]. */
  readonly codes: Tensor<"float32">;
  /** Where they are, [n, 2]: their mean is 0, and the largest coordinate, of either sign, is 1; all 0 where all codes are equal. */
  readonly positions: Tensor<"float32">;
  /** How many neighbours place a row. */
  readonly neighbours: number;
}

/** What is there so far: epoch 0 has the principal axes, the last one the finished picture. */
export interface MapProgress {
  readonly epoch: number;
  readonly epochs: number;
  readonly positions: Tensor<"float32">;
}

export interface MapOptions {
  readonly seed?: number;
  /** Rows that each row is tied to: fewer show finer detail, more show the whole. 15 unless told. */
  readonly neighbours?: number;
  /** Rounds of the drawing; 0 stays with the principal axes. Unless told, 500 for up to 10,000 rows, and 200 for more. */
  readonly epochs?: number;
  readonly onProgress?: (progress: MapProgress) => void;
  readonly signal?: AbortSignal;
}

/** Rows nearer than this in the picture, which begins about 20 wide, need not come nearer. */
const leastDistance = 0.1;

/** Half the width of the picture at its start, and how far its points are shaken, so that equal rows can part. */
const start = { half: 10, shaken: 1e-3 };

/**
 * Draws codes [n, latent] in the plane: principal axes first, then by neighbours (UMAP: McInnes, Healy & Melville, 2018), so that rows that are neighbours in
 * the latent space are neighbours in the picture. The same codes, options and seed give the same bits.
 */
export async function map(codes: Tensor<"float32">, options: MapOptions = {}): Promise<CodeMap> {
  const { seed = 0, neighbours = 15, onProgress, signal } = options;
  checkCodes("map", codes);
  const n = codes.shape[0]!;
  const { epochs = n <= 10_000 ? 500 : 200 } = options;
  checkWhole("neighbours", neighbours, 1);
  checkWhole("epochs", epochs, 0);
  const random = Random.seeded(seed).fork("map");
  const pace = paceOf(signal);
  const around = await neighbourhoodOf(codes, pace);
  const positions = firstPositions(await along(codes, around.axes, pace));
  const report = (epoch: number): void => onProgress?.({ epoch, epochs, positions: framed(positions) });
  report(0);
  // Equal rows have no picture, and two rows have only one.
  if (epochs > 0 && n > 2 && positions.some((value) => value !== 0)) {
    const ties = await tiesOf(await nearestOfOwn(around, neighbours, pace), pace);
    positions.forEach((value, at) => {
      positions[at] = start.half * value + start.shaken * (random.uniform() - 0.5);
    });
    await embed(positions, ties, curveFor(leastDistance), epochs, random, pace, report);
  }
  return { codes, positions: framed(positions), neighbours };
}

/** The first two columns, or one and zeros, the largest number 1. */
function firstPositions({ data, shape }: Tensor<"float32">): Float64Array {
  const [n, m] = shape as [number, number];
  const positions = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < Math.min(2, m); j++) positions[2 * i + j] = data[i * m + j]!;
  return Float64Array.from(framed(positions).data);
}

/** Moved so that the mean is 0, and scaled so that the largest coordinate is 1. */
function framed(positions: Float64Array): Tensor<"float32"> {
  const n = positions.length / 2;
  const mean = [0, 0];
  positions.forEach((value, at) => {
    mean[at % 2]! += value / n;
  });
  let largest = 0;
  positions.forEach((value, at) => {
    largest = Math.max(largest, Math.abs(value - mean[at % 2]!));
  });
  const scale = largest > 0 ? 1 / largest : 0;
  return tensor(
    "float32",
    [n, 2],
    Float32Array.from(positions, (value, at) => (value - mean[at % 2]!) * scale),
  );
}

/** Larger numbers than this have squares that a sum may not hold. */
const largestCode = 1e18;

export function checkCodes(where: string, { data, shape }: Tensor<"float32">): void {
  const [n, d] = shape;
  if (shape.length !== 2 || !n || !d) {
    throw new RangeError(`${where}: codes must be rows of numbers, [n, latent], got shape [${shape}]`);
  }
  const wrong = data.findIndex((value) => !(Math.abs(value) <= largestCode));
  if (wrong >= 0) {
    throw new RangeError(
      `${where}: codes must be finite and at most 1e18 in size, got ${data[wrong]} in row ${Math.floor(wrong / d)}, ` +
        `column ${wrong % d}; leave such rows out, or scale the data before training`,
    );
  }
}

function checkWhole(name: string, value: number, from: number): void {
  if (!Number.isInteger(value) || value < from) {
    throw new RangeError(`map: ${name} must be a whole number from ${from}, got ${value}`);
  }
}
