/**
 * Are the borders of clusters emptier than their insides? A cut through one cloud, however straight or stable, has as
 * many rows at it as elsewhere; between groups there are few, and they lie far apart.
 *
 *   rᵢ    how far row i has it to the last of its nearest rows in its own half
 *   Rᵢ    how far to the last of those in the other half
 *   Fⱼ    share of the rows of cluster j with a smaller r, and half of those with the same
 *   B     rows at a border: their nearest rows of the other half are not all in one cluster
 *
 * A row is at a border by the other half, and sparse by its own: one that is far from all others by chance is not for
 * that reason at a border. And one that has to look far, R, sees a border from further away: it counts 1/R.
 */

export interface Borders {
  /** |B|. */
  readonly rows: number;
  /** Σ over i ∈ B of 1/Rᵢ, and of F(rᵢ)/Rᵢ, F of the row's own cluster. */
  readonly weight: number;
  readonly ranks: number;
}

/** The borders of k clusters; R is 0 where a row is at no border. */
export function bordersOf(labels: Int32Array, r: Float64Array, R: Float64Array, k: number): Borders {
  let [rows, weight, ranks] = [0, 0, 0];
  for (let j = 0; j < k; j++) {
    const own = r.filter((_, i) => labels[i] === j).sort();
    for (let i = 0; i < r.length; i++) {
      if (labels[i] !== j || R[i] === 0) continue;
      rows++;
      weight += 1 / R[i]!;
      ranks += (below(own, r[i]!) + notAbove(own, r[i]!)) / (2 * own.length) / R[i]!;
    }
  }
  return { rows, weight, ranks };
}

/** A cut through a mere line, the thinnest there is, has about so many rows at it: five neighbours, two halves. */
const fewest = 8;

/**
 * E = Σ F(rᵢ)/Rᵢ / Σ 1/Rᵢ, from 0 to 1: ½ where rows at borders lie as dense as others. Rows that are missing at a
 * border, for even a line would have 8 there, count as the sparsest: E = 1 where there is none.
 */
export function emptiness({ rows, weight, ranks }: Borders): number {
  const mean = rows > 0 ? ranks / weight : 1;
  return (rows * mean + Math.max(0, fewest - rows)) / Math.max(fewest, rows);
}

/** The deviation of a number that is uniform from 0 to 1. */
const deviation = Math.sqrt(1 / 12);

/** So many standard errors above ½ are no chance, although some dozen cuts of the same rows are looked at. */
const usualErrors = 3;

/** ½ + 3·√(1/12) / √|B|: borders that are emptier than this are so in all rows, and not in these by chance. */
export function emptyFrom(rows: number, errors = usualErrors): number {
  return 0.5 + (errors * deviation) / Math.sqrt(Math.max(fewest, rows));
}

function below(sorted: Float64Array, value: number): number {
  return firstWhere(sorted, (each) => each >= value);
}

function notAbove(sorted: Float64Array, value: number): number {
  return firstWhere(sorted, (each) => each > value);
}

function firstWhere(sorted: Float64Array, holds: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(sorted[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
