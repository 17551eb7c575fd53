/** The two-dimensional picture of codes. */

import { defaultEpochs, embedNeighbours } from "../numerics/embedding/embedNeighbours.ts";
import { framed } from "../numerics/embedding/framed.ts";
import { paceOf } from "../numerics/pace.ts";
import { checkSettings, type Settings } from "../settings.ts";
import { Random } from "../tensor/random.ts";
import type { Tensor } from "../tensor/tensor.ts";

export interface CodeMap {
  /** The rows that were mapped, [n, latent]. */
  readonly codes: Tensor<"float32">;
  /**
   * Where they are, [n, 2]: their mean is 0, and the largest coordinate, of either sign, is 1; all 0 where all codes
   * are equal.
   */
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
  /** Rounds of the drawing; 0 stays with the principal axes. Unless told, 500 for up to 10,000 rows, 200 for more. */
  readonly epochs?: number;
  readonly onProgress?: (progress: MapProgress) => void;
  /** The same for whoever does not look: positions are then not framed each time. */
  readonly onRound?: (epoch: number, epochs: number) => void;
  readonly signal?: AbortSignal;
}

const mapSettings: Settings<MapOptions> = {
  ...{ seed: "whole", neighbours: "whole", epochs: "whole", onProgress: "call", onRound: "call", signal: "signal" },
};

/** A picture of wide codes is as good with neighbours that are found fast: which ones, says `NeighbourOptions`. */
export const approximate = true;

/**
 * Draws codes [n, latent] in the plane: principal axes first, then by neighbours, so that rows that are neighbours in
 * the latent space are neighbours in the picture. The same codes, options and seed give the same bits.
 */
export async function map(codes: Tensor<"float32">, options: MapOptions = {}): Promise<CodeMap> {
  checkSettings("map", options, mapSettings);
  const { seed = 0, neighbours = 15, onProgress, onRound, signal } = options;
  checkCodes("map", codes);
  const { epochs = defaultEpochs(codes.shape[0]!) } = options;
  const positions = await embedNeighbours(codes, {
    dimensions: 2,
    neighbours,
    epochs,
    approximate,
    random: Random.seeded(seed).fork("map"),
    pace: paceOf(signal),
    ...((onProgress || onRound) && {
      onEpoch: (epoch: number, positions: Float64Array) => {
        onRound?.(epoch, epochs);
        onProgress?.({ epoch, epochs, positions: framed(positions, 2) });
      },
    }),
  });
  return { codes, positions: framed(positions.data, 2), neighbours };
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
