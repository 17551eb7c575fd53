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
   * What each layer gives on the way, the code or the row last: VaDE needs the layer before the code, DEPICT all of
   * them.
   */
  encodedBy?(x: Node, pass: Pass): readonly Node[];
  decodedBy?(z: Node, pass: Pass): readonly Node[];
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

  const stack = (side: string, widths: readonly number[], last: Activation, drop: number): Layer[] =>
    widths.slice(1).map((to, i) => {
      const name = `${side}.${i}`;
      const isLast = i === widths.length - 2;
      const dropped = drop > 0 ? [dropout(`${name}.dropout`, drop)] : [];
      const layer = dense(name, widths[i]!, to, random, begin);
      const active = activations[isLast ? last : activation];
      return sequence(dropoutAt === "before" ? [...dropped, layer, active] : [layer, active, ...dropped]);
    });
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

  const down = (i: number, from: number, to: number, stride: number): Layer =>
    sequence([
      conv(`encoder.${i}`, { from, to, kernel: 3 }, random, { stride, padding: 1, ...begin }),
      batchNorm(`encoder.${i}.norm`, to),
      relu,
    ]);
  const encoder = [
    down(0, channels, first, 1),
    down(1, first, second, 2),
    down(2, second, third, 1),
    down(3, third, last, 2),
    sequence([plain(flatten), dense("encoder.4", flat, hidden, random, begin), relu]),
    sequence([dense("encoder.5", hidden, latent, random, begin), activations[code]]),
  ];

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
  const image = plain((x) => reshape(x, [x.shape[0]!, last, ...small]));
  const decoder = [
    sequence([dense("decoder.0", latent, hidden, random, begin), relu]),
    sequence([dense("decoder.1", hidden, flat, random, begin), image]),
    sequence([up(2, last, third, middle), ...normed(2, third)]),
    sequence([up(3, third, second), ...normed(3, second)]),
    sequence([up(4, second, first, [height, width]), ...normed(4, first)]),
    sequence([up(5, first, channels), activations[output]]),
  ];
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

  const image = plain((x) => reshape(x, [x.shape[0]!, last, ...small]));
  const encoder = [
    sequence([same("encoder.0", channels, first), relu, maxPool(2)]),
    sequence([same("encoder.1", first, last), relu, maxPool(2)]),
    sequence([plain(flatten), dense("encoder.2", flat, hidden, random, begin), relu]),
    sequence([dense("encoder.3", hidden, latent, random, begin), activations[code]]),
  ];
  const decoder = [
    sequence([dense("decoder.0", latent, hidden, random, begin), relu]),
    sequence([dense("decoder.1", hidden, flat, random, begin), relu, image]),
    sequence([upsample(2), filledTo(middle), same("decoder.2", last, first), relu]),
    sequence([upsample(2), filledTo([height, width]), same("decoder.3", first, channels), activations[output]]),
  ];
  return paired([channels, height, width], latent, encoder, decoder);
}

/**
 * DEPICT's: two convolutions that halve, 4×4 without padding and 5×5 with a padding of 2, and one dense layer; leaky
 * ReLUs. Elements of the input and of the first layer's result may be dropped.
 */
export function halvingConvolutional(
  options: ImageOptions & { filters?: readonly [number, number]; dropout?: number },
  random: Random,
): Autoencoder {
  const { channels, height, width, latent, filters = [50, 50], code = "tanh", output = "sigmoid" } = options;
  const { dropout: rate = 0 } = options;
  const [first, last] = filters;
  const begin = beginning(options);
  const [middle, small] = halvings(height, width);
  if (Math.min(...middle, ...small) < 1) {
    throw new RangeError(`halvingConvolutional: images must be 4×4 or larger, got ${height}×${width}`);
  }
  const flat = last * small[0] * small[1];
  const active = activations.leakyRelu;
  const dropped = (i: number): Layer[] => (rate > 0 ? [dropout(`encoder.${i}.dropout`, rate)] : []);
  const [wide, narrow] = [
    { kernel: 4, stride: 2, padding: 0 },
    { kernel: 5, stride: 2, padding: 2 },
  ];
  const down = (i: number, from: number, to: number, { kernel, ...window }: typeof wide): Layer =>
    sequence([...dropped(i), conv(`encoder.${i}`, { from, to, kernel }, random, { ...window, ...begin }), active]);
  const encoder = [
    down(0, channels, first, wide),
    down(1, first, last, narrow),
    sequence([plain(flatten), dense("encoder.2", flat, latent, random, begin), activations[code]]),
  ];
  // What the transposed window lacks of the size it came from.
  const lacking = (size: Sides, from: Sides, { kernel, stride, padding }: typeof wide): [number, number] => [
    size[0] - ((from[0] - 1) * stride - 2 * padding + kernel),
    size[1] - ((from[1] - 1) * stride - 2 * padding + kernel),
  ];
  const up = (i: number, from: number, to: number, sides: readonly [Sides, Sides], window: typeof wide): Layer => {
    const { kernel, ...rest } = window;
    const outputPadding = lacking(sides[1], sides[0], window);
    return convTranspose(`decoder.${i}`, { from, to, kernel }, random, { ...rest, outputPadding, ...begin });
  };
  const image = plain((x) => reshape(x, [x.shape[0]!, last, ...small]));
  const decoder = [
    sequence([dense("decoder.0", latent, flat, random, begin), active, image]),
    sequence([up(1, last, first, [small, middle], narrow), active]),
    sequence([up(2, first, channels, [middle, [height, width]], wide), activations[output]]),
  ];
  return paired([channels, height, width], latent, encoder, decoder);
}

type Sides = readonly [height: number, width: number];

/** The sides after DEPICT's first convolution, and after its second. */
export function halvings(height: number, width: number): [Sides, Sides] {
  const first = (size: number): number => Math.floor((size - 4) / 2) + 1;
  const second = (size: number): number => Math.floor((size - 1) / 2) + 1;
  const middle: Sides = [first(height), first(width)];
  return [middle, [second(middle[0]), second(middle[1])]];
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

function paired(
  row: readonly number[],
  latent: number,
  encoder: readonly Layer[],
  decoder: readonly Layer[],
): Autoencoder {
  const [down, up] = [sequence(encoder), sequence(decoder)];
  return {
    row,
    latent,
    parameters: [...down.parameters, ...up.parameters],
    encode: down.apply,
    decode: up.apply,
    encodedBy: (x, pass) => through(encoder, x, pass),
    decodedBy: (z, pass) => through(decoder, z, pass),
  };
}

/** What each layer gives. */
function through(layers: readonly Layer[], x: Node, pass: Pass): Node[] {
  const values: Node[] = [];
  for (const layer of layers) values.push(layer.apply(values.at(-1) ?? x, pass));
  return values;
}
