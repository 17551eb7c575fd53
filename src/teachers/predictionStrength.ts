/**
 * Prediction strength: two halves of the rows are divided, each by itself; does the one say which rows of the other
 * belong together? Tibshirani & Walther, Cluster validation by prediction strength, JCGS 14, 2005.
 *
 *   Bⱼ    cluster j of a half by its own division, of nⱼ rows
 *   a(i)  the cluster of the other half to which row i is carried
 */

/**
 * The share of the pairs of rows in each Bⱼ that the other half keeps together:
 * |{i ≠ i' ∈ Bⱼ: a(i) = a(i')}| / nⱼ(nⱼ − 1).
 */
export function keptTogether(own: Int32Array, carried: Int32Array, k: number): Float64Array {
  const sizes = new Float64Array(k);
  // Of Bⱼ's rows, how many are carried to each cluster of the other half.
  const counts = new Float64Array(k * k);
  own.forEach((j, i) => {
    sizes[j]!++;
    counts[j * k + carried[i]!]!++;
  });
  return sizes.map((n, j) => {
    let pairs = 0;
    for (let a = 0; a < k; a++) pairs += counts[j * k + a]! * (counts[j * k + a]! - 1);
    // A cluster of one row, or of none, foretells nothing.
    return n > 1 ? pairs / (n * (n - 1)) : 0;
  });
}

/** ps(k) = minⱼ of the pairs kept together: as strong as its weakest cluster. */
export function predictionStrength(own: Int32Array, carried: Int32Array, k: number): number {
  return Math.min(...keptTogether(own, carried, k));
}
