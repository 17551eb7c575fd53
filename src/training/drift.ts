/**
 * A running picture of a stream: how far the centers have moved, how the loss compares with before, how sure the labels
 * are.
 */

import { squaredDistance } from "../numerics/distances.ts";
import type { Tensor } from "../tensor/tensor.ts";

export interface DriftReport {
  /** Rows seen since the model was fitted. */
  readonly rows: number;
  /** How far each center is from where it began. */
  readonly moved: readonly number[];
  /** The mean loss of the latest rows (a running mean over about 20 batches). */
  readonly loss: number;
  /** The same over the first batches, to compare with. */
  readonly firstLoss: number;
  /** The share of the latest rows whose cluster has a probability below one half. */
  readonly unsure: number;
}

interface Counted {
  readonly rows: number;
  readonly loss: number;
  readonly unsure: number;
  /** Where the centers are now. */
  readonly centers: Tensor<"float32">;
}

/** All that a drift has counted: enough to go on with it. */
export interface DriftState {
  /** Where the centers began. */
  readonly first: Tensor<"float32">;
  readonly counted: {
    readonly rows: number;
    readonly batches: number;
    readonly loss: number;
    readonly firstLoss: number;
    readonly unsure: number;
  };
}

/** Batches that count as the beginning, and the memory of the running means. */
const memory = 20;

export class Drift {
  readonly #first: Tensor<"float32">;
  #latest: Tensor<"float32">;
  #rows = 0;
  #batches = 0;
  #loss = 0;
  #firstLoss = 0;
  #unsure = 0;

  /** From where the centers begin. */
  constructor(centers: Tensor<"float32">) {
    this.#first = centers;
    this.#latest = centers;
  }

  /** Goes on from a state, with the centers where they are now. */
  static restore({ first, counted }: DriftState, centers: Tensor<"float32">): Drift {
    const drift = new Drift(first);
    drift.#latest = centers;
    drift.#rows = counted.rows;
    drift.#batches = counted.batches;
    drift.#loss = counted.loss;
    drift.#firstLoss = counted.firstLoss;
    drift.#unsure = counted.unsure;
    return drift;
  }

  save(): DriftState {
    const counted = {
      rows: this.#rows,
      batches: this.#batches,
      loss: this.#loss,
      firstLoss: this.#firstLoss,
      unsure: this.#unsure,
    };
    return { first: this.#first, counted };
  }

  count({ rows, loss, unsure, centers }: Counted): void {
    this.#latest = centers;
    this.#rows += rows;
    this.#batches++;
    const share = 1 / Math.min(this.#batches, memory);
    this.#loss += share * (loss - this.#loss);
    this.#unsure += share * (unsure - this.#unsure);
    if (this.#batches <= memory) this.#firstLoss = this.#loss;
  }

  report(): DriftReport {
    const [from, to] = [this.#first, this.#latest];
    const [k, d] = from.shape as [number, number];
    const moved = Array.from({ length: k }, (_, j) => Math.sqrt(squaredDistance(to.data, j, from.data, j, d)));
    return { rows: this.#rows, moved, loss: this.#loss, firstLoss: this.#firstLoss, unsure: this.#unsure };
  }
}
