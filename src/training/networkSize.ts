/** How large a network will be, known from its options before anything of it is built. */

import { halvings } from "../nn/autoencoders.ts";
import { sizeOf } from "../tensor/tensor.ts";
import { kindOf, type NetworkNeeds } from "./network.ts";
import type { SharedOptions } from "./sharedOptions.ts";

/** In numbers. */
export interface NetworkSize {
  /** All parameters, of encoder and decoder. */
  readonly weights: number;
  /** What the layers give for one row. */
  readonly activations: number;
  /** Of a code. */
  readonly latent: number;
}

type Sized = Pick<SharedOptions, "network" | "hidden" | "filters" | "latent">;

export function networkSize(options: Sized, { row, clusters }: Pick<NetworkNeeds, "row" | "clusters">): NetworkSize {
  const kind = kindOf(options.network, row);
  const latent = kind === "none" ? sizeOf(row) : options.latent || clusters;
  return { ...sizes[kind](options, row, latent), latent };
}

type Counted = Omit<NetworkSize, "latent">;

const sizes: Readonly<
  Record<ReturnType<typeof kindOf>, (options: Sized, row: readonly number[], latent: number) => Counted>
> = {
  none: (_, row) => ({ weights: 0, activations: 2 * sizeOf(row) }),
  fullyConnected({ hidden }, row, latent) {
    const widths = [sizeOf(row), ...hidden, latent];
    return together([denseLayers(widths), denseLayers(widths.toReversed())]);
  },
  tellConvolutional({ hidden, filters }, [channels = 1, height = 1, width = 1], latent) {
    const [a, b, c, d] = (filters.length > 0 ? filters : [16, 32, 32, 16]) as [number, number, number, number];
    const half = (size: number): number => Math.ceil(size / 2);
    const [full, middle] = [height * width, half(height) * half(width)];
    const small = half(half(height)) * half(half(width));
    const dense = [d * small, hidden[0] ?? 256, latent];
    const normed = (from: number, to: number, places: number): Counted => {
      const layer = convolution(from, to, 3, places);
      return { weights: layer.weights + 2 * to, activations: layer.activations };
    };
    return together([
      ...[normed(channels, a, full), normed(a, b, middle), normed(b, c, middle), normed(c, d, small)],
      ...[denseLayers(dense), denseLayers(dense.toReversed())],
      ...[normed(d, c, middle), normed(c, b, middle), normed(b, a, full), convolution(a, channels, 3, full)],
    ]);
  },
  halvingConvolutional({ filters }, [channels = 1, height = 1, width = 1], latent) {
    const [a, b] = (filters.length > 0 ? filters : [50, 50]) as [number, number];
    const [middle, small] = halvings(height, width).map(([h, w]) => h * w) as [number, number];
    const dense = [b * small, latent];
    return together([
      ...[convolution(channels, a, 4, middle), convolution(a, b, 5, small)],
      ...[denseLayers(dense), denseLayers(dense.toReversed())],
      ...[convolution(b, a, 5, middle), convolution(a, channels, 4, height * width)],
    ]);
  },
  pooledConvolutional({ hidden, filters }, [channels = 1, height = 1, width = 1], latent) {
    const [a, b] = (filters.length > 0 ? filters : [64, 32]) as [number, number];
    const half = (size: number): number => Math.floor(size / 2);
    const [full, middle] = [height * width, half(height) * half(width)];
    const small = half(half(height)) * half(half(width));
    const dense = [b * small, hidden[0] ?? 1024, latent];
    return together([
      ...[convolution(channels, a, 5, full), convolution(a, b, 5, middle)],
      ...[denseLayers(dense), denseLayers(dense.toReversed())],
      ...[convolution(b, a, 5, middle), convolution(a, channels, 5, full)],
      // Repeated before the last convolution.
      { weights: 0, activations: a * full },
    ]);
  },
};

function denseLayers(widths: readonly number[]): Counted {
  const layers = widths.slice(1).map((to, i) => ({ weights: (widths[i]! + 1) * to, activations: to }));
  return together(layers);
}

/** `places`: of the map that it gives. */
function convolution(from: number, to: number, kernel: number, places: number): Counted {
  return { weights: (from * kernel ** 2 + 1) * to, activations: to * places };
}

function together(parts: readonly Counted[]): Counted {
  return {
    weights: parts.reduce((sum, { weights }) => sum + weights, 0),
    activations: parts.reduce((sum, { activations }) => sum + activations, 0),
  };
}
