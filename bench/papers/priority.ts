/**
 * Which cells are worth the most where time is short: `papers --run` takes them in this order, so many seeds of each,
 * then all others.
 */

import { comparators } from "./cells.ts";

const seeds = (count: number, ...groups: readonly string[]) => groups.map((group) => [group, count] as const);
const on = (data: string, ...rest: readonly string[]) => rest.map((name) => `${data}/${name}`);

const taught = comparators.map((name) => `${name}/teacher`);
const family = ["dec/paper", "idec/paper", "dcn/paper", "dec/paper/np", "idec/paper/np", "dcn/paper/np"];

export const priority: readonly (readonly [group: string, seeds: number])[] = [
  // Invariance as published, its schedule whole (its Table VI by the same trainings); HOE with convolutions.
  ...seeds(
    1,
    ...on("mnist-test-centered", "homo/paper/whole", "hoe/paper/whole", "hot/paper/whole", "hit/paper/whole"),
  ),
  ...seeds(5, "mnist-test-centered/homo/paper/whole"),
  // The same with P₂ not held.
  ...seeds(1, ...on("mnist-test-centered", "homo/paper/whole-both", "hoe/paper/whole-both")),
  ...seeds(1, ...on("mnist-test-centered", "hot/paper/whole-both", "hit/paper/whole-both")),
  ...seeds(3, "mnist-test-centered/hoe/paper/chord-cnn"),
  // TELL with convolutions as published: a slice at a time.
  ...seeds(1, "mnist/tell/paper/whole"),
  // k-meansNet as published, from both starts.
  ...seeds(2, ...on("mnist", "kmeansnet/paper/500-epochs", "kmeansnet/paper/500-epochs-kmeans")),
  // Deep k-Means: text by Euclidean distances, and DKM-a.
  ...seeds(3, ...on("20news", "dkm-p/paper/relative", "dkm-a/paper/relative")),
  ...seeds(3, ...on("reuters10k", "dkm-p/paper/relative", "dkm-a/paper/relative")),
  ...seeds(3, "mnist/dkm-a/paper"),
  // TELL's Tables 4 and 6. (Table 5 is of raw rows, and has its records.)
  ...seeds(3, ...on("mnist", "aekm/paper/unit-fcn", "tell/paper/fcn-two-stage")),
  ...seeds(3, ...on("mnist-test", "tell/paper/adadelta-150", "tell/paper/adam-150")),
  ...seeds(3, ...on("mnist-test", "tell/paper/adadelta-no-norm-150", "tell/paper/adam-no-norm-150")),
  ...seeds(3, ...on("mnist", "aekm/paper/unit-cnn", "tell/paper/cnn-two-stage")),
  ...seeds(3, ...on("mnist-test", "tell/paper/fcn-150", "tell/paper/fcn-150-sums")),
  // PC-X's Table 6: on the test digits first, which a processor can do.
  ...seeds(3, ...on("mnist-test", "pcx/practical/dense", "pcx/practical/no-ci", "pcx/practical/fix")),
  ...seeds(3, ...on("mnist-test", "idec/practical/dense", "aekm/practical/dense")),
  ...seeds(1, ...on("mnist", "pcx/paper", "pcx/paper/no-ci", "pcx/paper/fix")),
  // DEC and its family, with and without pretraining; then what is generative.
  ...seeds(3, "mnist/aekm/paper", ...on("mnist", ...family), ...on("usps", ...family)),
  ...seeds(1, "mnist/vade/paper", "mnist/depict/paper"),
  // What is classical, for processors.
  ...seeds(1, ...on("mnist-test", ...taught), ...on("usps", ...taught)),
  // Records that were lost and are rounded.
  ...seeds(10, ...on("usps", "aekm/paper", "dkm-p/paper", "dkm-a/paper")),
  ...seeds(3, "mnist-test-centered/hoe/paper/cnn"),
  ...seeds(3, ...on("cifar10-test", "tell/practical/cnn", "kmeansnet/practical/cnn", "pcx/practical/cnn")),
];

/** What is listed, in that order; then the first seed of all others before the second of any. */
export function inOrder<C extends { readonly seed: number }>(cells: readonly C[], groupOf: (cell: C) => string): C[] {
  const rankOf = (cell: C): number => {
    const at = priority.findIndex(([group, count]) => group === groupOf(cell) && cell.seed <= count);
    return at < 0 ? priority.length : at;
  };
  return cells
    .map((cell) => ({ cell, rank: rankOf(cell) }))
    .sort((a, b) => a.rank - b.rank || a.cell.seed - b.cell.seed)
    .map(({ cell }) => cell);
}
