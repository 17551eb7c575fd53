/** A running picture of a stream: how far the centers have moved, how the loss compares with before, how sure the labels are. */

import { squaredDistance } from "../metrics/rows.ts";
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
