/** Which cells are worth the most where time is short: `papers --run` takes them in this order, then all others. */

export const priority: readonly string[] = [
  // Invariance as published, its schedule whole.
  "mnist-test-centered/homo/paper/whole",
  "mnist-test-centered/hoe/paper/whole",
  "mnist-test-centered/hot/paper/whole",
  "mnist-test-centered/hit/paper/whole",
  // k-meansNet as published, from both starts.
  "mnist/kmeansnet/paper/500-epochs",
  "mnist/kmeansnet/paper/500-epochs-kmeans",
  // Deep k-Means.
  "mnist/dkm-a/paper",
  "20news/dkm-p/paper/relative",
  "20news/dkm-a/paper/relative",
  "reuters10k/dkm-p/paper/relative",
  "reuters10k/dkm-a/paper/relative",
  // Records that were lost and are rounded: a minute each.
  "usps/aekm/paper",
  "usps/dkm-p/paper",
  "usps/dkm-a/paper",
  // TELL's Tables 4 and 6.
  "mnist/aekm/paper/unit-fcn",
  "mnist/tell/paper/fcn-two-stage",
  "mnist-test/tell/paper/adadelta-150",
  "mnist-test/tell/paper/adam-150",
  "mnist-test/tell/paper/adadelta-no-norm-150",
  "mnist-test/tell/paper/adam-no-norm-150",
  // DEC and its family, with and without pretraining.
  "mnist/aekm/paper",
  "mnist/dec/paper",
  "mnist/idec/paper",
  "mnist/dcn/paper",
  "mnist/dcn/paper/np",
  "mnist/idec/paper/np",
  "usps/dec/paper",
  "usps/idec/paper",
  "usps/dcn/paper",
  "usps/dcn/paper/np",
  "usps/idec/paper/np",
  "mnist/vade/paper",
  "mnist/depict/paper",
  "mnist-test-centered/hoe/paper/cnn",
  "mnist-test-centered/homo/paper/P2",
  "mnist-test-centered/hoe/paper/P2",
  "mnist-test-centered/hot/paper/P2",
  "mnist-test-centered/hit/paper/P2",
  "mnist/aekm/paper/unit-cnn",
  "mnist/tell/paper/cnn-two-stage",
  "cifar10-test/tell/practical/cnn",
  "cifar10-test/kmeansnet/practical/cnn",
  "cifar10-test/pcx/practical/cnn",
  // What remains is long: a slice at a time.
  "mnist/tell/paper/whole",
  "mnist/pcx/paper",
];

/** The first seed of all before the second of any, in that order; what is not listed comes last. */
export function inOrder<C extends { readonly seed: number }>(cells: readonly C[], groupOf: (cell: C) => string): C[] {
  const place = new Map(priority.map((group, at) => [group, at]));
  const rank = (cell: C): number => place.get(groupOf(cell)) ?? priority.length;
  return [...cells].sort((a, b) => {
    const [one, other] = [rank(a), rank(b)];
    if (one < priority.length !== other < priority.length) return one - other;
    return a.seed - b.seed || one - other;
  });
}
