/** What training tells about itself while it goes on. */

import { squaredDistance } from "../numerics/distances.ts";
import type { Tensor } from "../tensor/tensor.ts";

export type Phase = "pretraining" | "teaching" | "clustering";

export interface Epoch {
  /** Which restart, from 0. */
  readonly restart: number;
  readonly phase: Phase;
  /** Finished epochs of this phase, from 1; 0 is the state in which the clusters begin. */
  readonly epoch: number;
  readonly epochs: number;
  /**
   * The mean of the loss and of its parts over the epoch's rows. `spread` is the mean squared distance of codes from
   * their mean.
   */
  readonly losses: Readonly<Record<string, number>>;
  /** The share of the rows that it had, where the last of the `steps` ended it early. */
  readonly share?: number;
  /** Rows in each cluster, as they were assigned during the epoch. */
  readonly sizes?: readonly number[];
  /** The share of rows that changed cluster, where that is looked at. */
  readonly changed?: number;
  /** Scores against labels, where labels were given; nothing depends on them. */
  readonly scores?: Readonly<Record<string, number>>;
  /** What a person should know: empty clusters, centers that coincide, codes that shrink. */
  readonly notices: readonly string[];
  readonly snapshot?: Snapshot;
  /** Where somebody watches. */
  readonly watched?: Watched;
  readonly seconds: number;
  /** Seconds until the last restart ends, as far as one can tell. */
  readonly remaining: number;
}

/** The clusters at one moment of training (TELL, Fig. 5 and 6). */
export interface Snapshot {
  readonly centers: Tensor<"float32">;
  /** The centers, decoded; not where training leaves the decoder behind. */
  readonly exemplars?: Tensor<"float32">;
  /** Codes of the same rows each time. */
  readonly codes: Tensor<"float32">;
}

/** What the network makes of some rows, always the same ones, at one moment of training. */
export interface Watched {
  /** Where they are in the data. */
  readonly rows: Int32Array;
  /** [n, latent]. */
  readonly codes: Tensor<"float32">;
  /** Their clusters, once there are any, and what these are, decoded; not where training leaves the decoder behind. */
  readonly labels?: Int32Array;
  readonly exemplars?: Tensor<"float32">;
}

/** The phases that have epochs. */
export type Learning = Exclude<Phase, "teaching">;

/** Estimates what remains from how long epochs of each phase took. */
export class Clock {
  readonly #planned: Record<Learning, number>;
  readonly #done = { pretraining: 0, clustering: 0 };
  readonly #seconds = { pretraining: 0, clustering: 0 };
  readonly #seen = { pretraining: 0, clustering: 0 };

  /** `planned` epochs of each phase, over all restarts. */
  constructor(planned: Readonly<Record<Learning, number>>) {
    this.#planned = { ...planned };
  }

  /** More epochs than were planned. */
  expect(phase: Learning, epochs: number): void {
    this.#planned[phase] += epochs;
  }

  /** Epochs that need not be run: they were, before a checkpoint, or stopping came early. */
  skip(phase: Learning, epochs: number): void {
    this.#done[phase] += epochs;
  }

  /** Counts an epoch and returns the seconds that remain. */
  count(phase: Learning, seconds: number): number {
    this.#done[phase]++;
    // The first also opens programs, which the others do not: it stands only until there is a second.
    const isEarly = this.#seen[phase]++ < 2;
    this.#seconds[phase] = isEarly ? seconds : 0.7 * this.#seconds[phase] + 0.3 * seconds;
    return this.left();
  }

  /** The seconds that remain. A phase that has not been seen is taken to be as slow as the other. */
  left(): number {
    const other = { pretraining: this.#seconds.clustering, clustering: this.#seconds.pretraining };
    return (["pretraining", "clustering"] as const)
      .map((phase) => Math.max(0, this.#planned[phase] - this.#done[phase]) * (this.#seconds[phase] || other[phase]))
      .reduce((a, b) => a + b, 0);
  }
}

/** The clusters that have no rows, by the rows of each. */
export function emptyIn(sizes: ArrayLike<number>): number[] {
  return Array.from(sizes).flatMap((size, j) => (size === 0 ? [j] : []));
}

/** What is wrong with the clusters, in sentences; `refill` says what was done about those without rows. */
export function noticesAbout(
  sizes: readonly number[],
  centers: Tensor<"float32">,
  spread: { readonly now: number; readonly first: number },
  refill: "done" | "off" | "failed" = "failed",
): string[] {
  const empty = emptyIn(sizes);
  const pairs = coincidingPairs(centers);
  const consequence = {
    done: `, so that ${empty.length > 1 ? "their centers were" : "its center was"} put where the loss is largest`,
    off: `, and ${empty.length > 1 ? "their centers stay" : "its center stays"} where ${empty.length > 1 ? "they are" : "it is"}, as in the paper (refill)`,
    failed: "",
  }[refill];
  return [
    ...(empty.length > 0 ? [`no row is in cluster${empty.length > 1 ? "s" : ""} ${list(empty)}${consequence}`] : []),
    ...(pairs.length > 0
      ? [`the same center is shared by clusters ${list(pairs.map(([i, j]) => `${i} and ${j}`))}`]
      : []),
    ...(spread.now < spread.first / 100
      ? [
          `the codes have shrunk to ${((100 * spread.now) / spread.first).toPrecision(2)} % of their spread at the start`,
        ]
      : []),
  ];
}

/**
 * Centers that are nearer to each other than a thousandth of their usual distance from the middle, each with the next
 * such one. Two that are so near have nearly the same distance from the middle: in that order, few have to be compared.
 */
function coincidingPairs({ data, shape }: Tensor<"float32">): [number, number][] {
  const [k, d] = shape as [number, number];
  const middle = Float32Array.from({ length: d }, (_, c) => {
    let sum = 0;
    for (let j = 0; j < k; j++) sum += data[j * d + c]!;
    return sum / k;
  });
  const fromMiddle = Array.from({ length: k }, (_, j) => squaredDistance(data, j, middle, 0, d));
  const near = 1e-3 * Math.sqrt(fromMiddle.reduce((a, b) => a + b, 0) / k);
  const radius = fromMiddle.map(Math.sqrt);
  const outward = Array.from(radius.keys()).sort((i, j) => radius[i]! - radius[j]! || i - j);
  const pairs: [number, number][] = [];
  outward.forEach((i, place) => {
    for (let next = place + 1; next < k; next++) {
      const j = outward[next]!;
      if (radius[j]! - radius[i]! > 1.01 * near) break;
      if (squaredDistance(data, i, data, j, d) <= near ** 2) {
        pairs.push([Math.min(i, j), Math.max(i, j)]);
        break;
      }
    }
  });
  return pairs.sort((one, other) => one[0] - other[0]);
}

function list(items: readonly (number | string)[]): string {
  const shown = items.slice(0, 8).join(", ");
  return items.length > 8 ? `${shown} and ${items.length - 8} more` : shown;
}
