/** About how many minutes a cell takes two processors: one that would take too many is left to a GPU. */

import { methodOf } from "../../src/doors/inside.ts";
import { kindOf } from "../../src/training/network.ts";
import { type SharedOptions, sharedOptions } from "../../src/training/sharedOptions.ts";
import type { Cell } from "../cell.ts";

/** A processor is asked for cells of so many minutes at most, unless `--minutes` gives it more. */
export const mostMinutes = 150;

const digit = [1, 28, 28];
const picture = [3, 32, 32];

/** How many rows the data sets have, in thousands, and what a row is. */
const sizes: Readonly<Record<string, readonly [thousands: number, row: readonly number[]]>> = {
  mnist: [70, digit],
  "mnist-test": [10, digit],
  fashion: [70, digit],
  "mnist-iic": [70, [10]],
  usps: [9.3, [256]],
  cifar10: [60, picture],
  "cifar10-test": [10, picture],
  "cifar10-moco": [60, [512]],
  "imagenet10-moco": [13, [512]],
  ytf: [10, [3, 55, 55]],
  "20news": [18.8, [2000]],
  reuters10k: [10, [2000]],
  har: [10.3, [561]],
};
const superclass = [3, picture] as const;

/**
 * Seconds for an epoch of a thousand rows. Records have .33 for dense layers and 2.5 for TELL's convolutions; the
 * others by how many multiplications they are.
 */
const seconds: Readonly<Record<ReturnType<typeof kindOf>, number>> = {
  none: 0.01,
  fullyConnected: 0.33,
  tellConvolutional: 2.5,
  halvingConvolutional: 2.5,
  pooledConvolutional: 10,
};

/** If it runs all its epochs. Teachers have none, and no GPU is better at them. */
export function minutesOf({ data, method, profile, options }: Omit<Cell, "group">): number {
  if (profile === "teacher") return 0;
  const [thousands, row] = sizes[data.replace(/-centered$/, "")] ?? superclass;
  const said = { ...methodOf(method).profiles[profile], ...options } as Partial<SharedOptions>;
  const { pretraining = sharedOptions.pretraining.fallback, epochs = sharedOptions.epochs.fallback } = said;
  const kind = kindOf(said.network ?? sharedOptions.network.fallback, row);
  return ((kind === "none" ? 0 : pretraining) + epochs) * thousands * (seconds[kind] / 60);
}
