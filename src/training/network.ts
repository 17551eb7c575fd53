/** From options to a network: one of ours, none, or the user's own. */

import { flatten, reshape } from "../graph/arrange.ts";
import type { Node } from "../graph/node.ts";
import {
  type Autoencoder,
  fullyConnected,
  halvingConvolutional,
  pooledConvolutional,
  tellConvolutional,
} from "../nn/autoencoders.ts";
import { heUniform, kaimingUniform, xavierUniform, zeros } from "../nn/initializers.ts";
import { type Activation, activations, type Pass } from "../nn/layers.ts";
import type { Random } from "../tensor/random.ts";
import { sizeOf } from "../tensor/tensor.ts";
import type { SharedOptions } from "./sharedOptions.ts";

/** A network of the user's own, written as formulas. */
export type NetworkBuilder = (row: readonly number[], random: Random) => Autoencoder;

/** What a network has to fit. */
export interface NetworkNeeds {
  readonly row: readonly number[];
  readonly range: readonly [number, number];
  readonly clusters: number;
}

type Kind = Exclude<SharedOptions["network"], "auto">;

/**
 * Which network it is: convolutions for images that are large enough to be halved twice, dense layers for everything
 * else.
 */
export function kindOf(network: SharedOptions["network"], row: readonly number[]): Kind {
  if (network !== "auto") return network;
  return row.length === 3 && Math.min(row[1]!, row[2]!) >= 8 ? "tellConvolutional" : "fullyConnected";
}

/** How many layers of filters a convolutional network has. */
const convolutions: Partial<Record<Kind, number>> = {
  tellConvolutional: 4,
  pooledConvolutional: 2,
  halvingConvolutional: 2,
};

export function isConvolutional(kind: Kind): boolean {
  return convolutions[kind] !== undefined;
}

/** The layers of a convolutional network have a number that no list of sizes can change. */
export function checkSizes(
  where: string,
  { network, hidden, filters }: Pick<SharedOptions, "network" | "hidden" | "filters">,
  row: readonly number[],
): void {
  const kind = kindOf(network, row);
  const layers = convolutions[kind];
  if (layers === undefined) return;
  const cure = "or choose network fullyConnected";
  if (hidden.length > 1) {
    throw new RangeError(`${where}: ${kind} has one dense layer: hidden must be one number, got [${hidden}]; ${cure}`);
  }
  if (filters.length > 0 && filters.length !== layers) {
    throw new RangeError(`${where}: ${kind} has ${layers} layers: filters must be as many, got [${filters}]; ${cure}`);
  }
}

export function buildNetwork(
  options: SharedOptions,
  { row, range, clusters }: NetworkNeeds,
  random: Random,
): Autoencoder {
  const { code, hidden, filters, activation, weights, biases, dropout, dropoutAt } = options;
  const latent = options.latent || clusters;
  const output: Activation =
    options.output !== "auto" ? options.output : range[0] >= 0 && range[1] <= 1 ? "sigmoid" : "linear";
  const kind = kindOf(options.network, row);
  if (kind === "none") return rowsThemselves(row, code);
  const weight = { kaiming: kaimingUniform, xavier: xavierUniform, he: heUniform }[weights];
  const bias = { auto: weights === "kaiming" ? kaimingUniform : zeros, zero: zeros, kaiming: kaimingUniform }[biases];
  if (kind === "fullyConnected") {
    const initializers = { weight, bias };
    const columns = sizeOf(row);
    const shape = { columns, latent, hidden, activation, code, output, dropout, dropoutAt };
    return flattened(row, fullyConnected({ ...shape, ...initializers }, random));
  }
  const [channels, height, width] = row;
  if (row.length !== 3) {
    throw new RangeError(`network: ${kind} needs images [channels,height,width], got rows of shape [${row}]`);
  }
  const initializers = weights === "he" ? { weight, bias } : {};
  const image = { channels: channels!, height: height!, width: width!, latent, code, output, ...initializers };
  if (kind === "halvingConvolutional") {
    const sizes = filters.length > 0 ? { filters: filters as readonly [number, number] } : {};
    return halvingConvolutional({ ...image, ...sizes, dropout }, random);
  }
  const own = hidden.length === 1 ? { hidden: hidden[0]! } : {};
  // checkSizes has counted the filters.
  const sized = <F>() => (filters.length > 0 ? { ...own, filters: filters as F } : own);
  return kind === "tellConvolutional"
    ? tellConvolutional({ ...image, ...sized<readonly [number, number, number, number]>() }, random)
    : pooledConvolutional({ ...image, ...sized<readonly [number, number]>() }, random);
}

/** A network of flat rows for rows of any shape. */
function flattened(row: readonly number[], network: Autoencoder): Autoencoder {
  if (row.length === 1) return network;
  return {
    ...network,
    row,
    encode: (x, pass) => network.encode(flatten(x), pass),
    decode: (z, pass) => reshape(network.decode(z, pass), [z.shape[0]!, ...row]),
    ...(network.encodedBy && { encodedBy: (x: Node, pass: Pass) => network.encodedBy!(flatten(x), pass) }),
  };
}

/** No network at all: the code is the row, scaled to length 1 where the method wants that. */
function rowsThemselves(row: readonly number[], code: Activation): Autoencoder {
  return {
    row,
    latent: sizeOf(row),
    parameters: [],
    encode: (x, pass) => activations[code === "unit" ? "unit" : "linear"].apply(flatten(x), pass),
    decode: (z) => reshape(z, [z.shape[0]!, ...row]),
  };
}
