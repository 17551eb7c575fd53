/** About how many minutes a cell takes: one that would take two processors too many is left to a GPU. */

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
 * Seconds for an epoch of a thousand rows, of two processors and of a GPU that four runs share. Records of processors
 * have .33 for dense layers and 2.5 for TELL's convolutions, those of a GPU .1 for both and .6 for pooled ones; the
 * others by how many multiplications they are.
 */
const seconds: Readonly<Record<ReturnType<typeof kindOf>, Readonly<Record<Where, number>>>> = {
  none: { cpu: 0.01, gpu: 0.01 },
  fullyConnected: { cpu: 0.33, gpu: 0.1 },
  tellConvolutional: { cpu: 2.5, gpu: 0.1 },
  halvingConvolutional: { cpu: 2.5, gpu: 0.1 },
  pooledConvolutional: { cpu: 10, gpu: 0.6 },
};

export type Where = "cpu" | "gpu";

/** If it runs all its epochs. Teachers have none, and no GPU is better at them. */
export function minutesOf({ data, method, profile, options }: Omit<Cell, "group">, where: Where = "cpu"): number {
  if (profile === "teacher") return 0;
  const said = { ...methodOf(method).profiles[profile], ...options } as Partial<SharedOptions>;
  const { pretraining = sharedOptions.pretraining.fallback, epochs = sharedOptions.epochs.fallback } = said;
  const [, row] = sizeOf(data);
  const kind = kindOf(said.network ?? sharedOptions.network.fallback, row);
  return ((kind === "none" ? 0 : pretraining) + epochs) * thousandsOf(data) * (seconds[kind][where] / 60);
}

/** Whether it is for a processor or for a GPU. */
export function whereFor(cell: Cell): Where {
  return minutesOf(cell) > mostMinutes ? "gpu" : "cpu";
}

/** How many rows it has, in thousands. */
export const thousandsOf = (data: string): number => sizeOf(data)[0];

const sizeOf = (data: string) => sizes[data.replace(/-centered$/, "")] ?? superclass;
