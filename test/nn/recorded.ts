/** What PyTorch computed, as fixtures/make_fixtures.py recorded it. */

import { readFileSync } from "node:fs";
import type { Values } from "../../src/runtime/session.ts";
import { fromNumbers, type Tensor, toNumbers } from "../../src/tensor/tensor.ts";
import { expectClose } from "../support/close.ts";

export interface Recorded {
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

export type RecordedAll = Readonly<Record<string, Recorded>>;

/** How far we may be from PyTorch, where it is not said otherwise. */
export const tolerance = 1e-5;

export function readFixture<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8"));
}

export function toTensor({ shape, data }: Recorded): Tensor {
  return fromNumbers("float32", shape, data);
}

export function toTensors(all: RecordedAll): Values {
  return Object.fromEntries(Object.entries(all).map(([name, recorded]) => [name, toTensor(recorded)]));
}

/** As a state is loaded: by name. */
export function toState(all: RecordedAll): Map<string, Tensor> {
  return new Map(Object.entries(toTensors(all)));
}

/** Every recorded tensor is there, with its shape and its elements. */
export function expectRecorded(actual: ReadonlyMap<string, Tensor>, expected: RecordedAll): void {
  for (const [name, { shape, data }] of Object.entries(expected)) {
    const ours = actual.get(name);
    const fits = ours && `${ours.shape}` === `${shape}`;
    if (!fits) throw new Error(`${name}: the shape is [${ours?.shape}], PyTorch's is [${shape}]`);
    expectNumbers(name, toNumbers(ours), data);
  }
}

/** Says whose numbers they are when they differ. */
export function expectNumbers(name: string, actual: readonly number[], expected: readonly number[]): void {
  try {
    expectClose(actual, expected, tolerance);
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}
