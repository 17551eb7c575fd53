/** The papers' autoencoders. */

import { flatten, pad, reshape } from "../graph/arrange.ts";
import type { Node, Variable } from "../graph/node.ts";
import type { Random } from "../tensor/random.ts";
import type { Initializer } from "./initializers.ts";
import {
  type Activation,
  activations,
  batchNorm,
  conv,
  convTranspose,
  dense,
  dropout,
  type Layer,
  maxPool,
  type Pass,
  plain,
  sequence,
  upsample,
  type WeightOptions,
} from "./layers.ts";

export interface Autoencoder {
  /** The shape of one row: [784], or [channels,height,width]. */
  readonly row: readonly number[];
  readonly latent: number;
  readonly parameters: readonly Variable[];
  encode(x: Node, pass: Pass): Node;
  decode(z: Node, pass: Pass): Node;
  /**
   * What is wrong with each number of the row that it draws of a code, [n, …row], and how many columns these numbers
   * are; without it, (decode(z) − x)².
   */
  errors?(z: Node, x: Node, pass: Pass): Node;
  readonly columns?: number;
}

interface Common {
  latent: number;
  /** What follows the code's sum; `unit` gives codes of length 1. */
  code?: Activation;
  /** What follows the output's sum. */
  output?: Activation;
  /** How weights and biases begin; by default as in PyTorch. */
  weight?: Initializer;
  bias?: Initializer;
}

export interface FullyConnectedOptions extends Common {
  columns: number;
  hidden?: readonly number[];
  activation?: Activation;
  /** The probability of dropping an element in the encoder. */
  dropout?: number;
  /** Before each layer, the input included (TELL's code), or after each, the code included (k-meansNet). */
  dropoutAt?: "before" | "after";
}

/** d-500-500-2000-latent and back. */
export function fullyConnected(options: FullyConnectedOptions, random: Random): Autoencoder {
  const {
    columns,
    latent,
    hidden = [500, 500, 2000],
    activation = "relu",
    code = "linear",
    output = "linear",
  } = options;
  const { dropout: rate = 0, dropoutAt = "before" } = options;
  const sizes = [columns, ...hidden, latent];
  const begin = beginning(options);

  const stack = (side: string, widths: readonly number[], last: Activation, drop: number): Layer =>
    sequence(
      widths.slice(1).flatMap((to, i) => {
        const name = `${side}.${i}`;
        const isLast = i === widths.length - 2;
        const dropped = drop > 0 ? [dropout(`${name}.dropout`, drop)] : [];
        const layer = dense(name, widths[i]!, to, random, begin);
        const active = activations[isLast ? last : activation];
        return dropoutAt === "before" ? [...dropped, layer, active] : [layer, active, ...dropped];
      }),
    );
  const encoder = stack("encoder", sizes, code, rate);
  const decoder = stack("decoder", sizes.toReversed(), output, 0);
  return paired([columns], latent, encoder, decoder);
}

export interface ImageOptions extends Common {
  channels: number;
  height: number;
  width: number;
}

/**
 * TELL's convolutional network: four 3×3 convolutions with batch norm, two of them with stride 2, and two dense layers.
 */
export function tellConvolutional(
  options: ImageOptions & { filters?: readonly [number, number, number, number]; hidden?: number },
  random: Random,
): Autoencoder {
  const {
    channels,
    height,
    width,
    latent,
    filters = [16, 32, 32, 16],
    hidden = 256,
    code = "unit",
    output = "sigmoid",
  } = options;
  const begin = beginning(options);
  const [first, second, third, last] = filters;
  const half = (size: number): number => Math.ceil(size / 2);
  const [middle, small] = [
    [half(height), half(width)],
    [half(half(height)), half(half(width))],
  ] as [[number, number], [number, number]];
  const relu = activations.relu;
  const flat = last * small[0] * small[1];

  const down = (i: number, from: number, to: number, stride: number): Layer[] => [
    conv(`encoder.${i}`, { from, to, kernel: 3 }, random, { stride, padding: 1, ...begin }),
    batchNorm(`encoder.${i}.norm`, to),
    relu,
  ];
  const encoder = sequence([
    ...down(0, channels, first, 1),
    ...down(1, first, second, 2),
    ...down(2, second, third, 1),
    ...down(3, third, last, 2),
    plain(flatten),
    dense("encoder.4", flat, hidden, random, begin),
    relu,
    dense("encoder.5", hidden, latent, random, begin),
    activations[code],
  ]);

  // A 3×3 window with stride 2 and padding 1 maps 2h − 1 and 2h to the same h: an even side needs one more row and
  // column.
  const even = (size: readonly [number, number]): [number, number] => [1 - (size[0] % 2), 1 - (size[1] % 2)];
  const up = (i: number, from: number, to: number, doubled?: readonly [number, number]): Layer =>
    convTranspose(`decoder.${i}`, { from, to, kernel: 3 }, random, {
      padding: 1,
      ...begin,
      ...(doubled && { stride: 2, outputPadding: even(doubled) }),
    });
  const normed = (i: number, to: number): Layer[] => [batchNorm(`decoder.${i}.norm`, to), relu];
  const decoder = sequence([
    dense("decoder.0", latent, hidden, random, begin),
    relu,
    dense("decoder.1", hidden, flat, random, begin),
    plain((x) => reshape(x, [x.shape[0]!, last, ...small])),
    up(2, last, third, middle),
    ...normed(2, third),
    up(3, third, second),
    ...normed(3, second),
    up(4, second, first, [height, width]),
    ...normed(4, first),
    up(5, first, channels),
    activations[output],
  ]);
  return paired([channels, height, width], latent, encoder, decoder);
}

/**
 * conv(64,5)-pool(2)-conv(32,5)-pool(2)-1024-latent of k-meansNet §4.4 and the invariance paper, and its mirror image.
 * The papers give no padding: ours keeps the size, and the mirror of pooling is repeating each element.
 */
export function pooledConvolutional(
  options: ImageOptions & { filters?: readonly [number, number]; hidden?: number },
  random: Random,
): Autoencoder {
  const {
    channels,
    height,
    width,
    latent,
    filters = [64, 32],
    hidden = 1024,
    code = "sigmoid",
    output = "sigmoid",
  } = options;
  const begin = beginning(options);
  const [first, last] = filters;
  const middle = [Math.floor(height / 2), Math.floor(width / 2)] as const;
  const small = [Math.floor(middle[0] / 2), Math.floor(middle[1] / 2)] as const;
  const flat = last * small[0] * small[1];
  if (flat === 0) throw new RangeError(`pooledConvolutional: images must be 4×4 or larger, got ${height}×${width}`);
  const relu = activations.relu;
  const same = (name: string, from: number, to: number): Layer =>
    conv(name, { from, to, kernel: 5 }, random, { padding: 2, ...begin });

  const encoder = sequence([
    same("encoder.0", channels, first),
    relu,
    maxPool(2),
    same("encoder.1", first, last),
    relu,
    maxPool(2),
    plain(flatten),
    dense("encoder.2", flat, hidden, random, begin),
    relu,
    dense("encoder.3", hidden, latent, random, begin),
    activations[code],
  ]);
  const decoder = sequence([
    dense("decoder.0", latent, hidden, random, begin),
    relu,
    dense("decoder.1", hidden, flat, random, begin),
    relu,
    plain((x) => reshape(x, [x.shape[0]!, last, ...small])),
    upsample(2),
    filledTo(middle),
    same("decoder.2", last, first),
    relu,
    upsample(2),
    filledTo([height, width]),
    same("decoder.3", first, channels),
    activations[output],
  ]);
  return paired([channels, height, width], latent, encoder, decoder);
}

/** The initializers that were said. */
function beginning({ weight, bias }: Common): WeightOptions {
  return { ...(weight && { weight }), ...(bias && { bias }) };
}

/** Zeros for the last row or column that pooling an odd side left out. */
function filledTo([height, width]: readonly [number, number]): Layer {
  return plain((x) => {
    const more = [0, 0, height - (x.shape[2] as number), width - (x.shape[3] as number)];
    return pad(x, [0, 0, 0, 0], more);
  });
}

function paired(row: readonly number[], latent: number, encoder: Layer, decoder: Layer): Autoencoder {
  return {
    row,
    latent,
    parameters: [...encoder.parameters, ...decoder.parameters],
    encode: encoder.apply,
    decode: decoder.apply,
  };
}
