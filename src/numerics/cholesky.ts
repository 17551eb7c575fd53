/** Cholesky's factor of a covariance, and what a density needs of it. */

/**
 * The lower L with LLᵀ = A of a symmetric matrix [d, d], or nothing where A is not positive definite:
 *
 *   Lᵢᵢ = √(Aᵢᵢ − Σₖ Lᵢₖ²),   Lᵢⱼ = (Aᵢⱼ − Σₖ Lᵢₖ Lⱼₖ) / Lⱼⱼ   for j < i, k < j.
 */
export function cholesky(a: Float64Array, d: number): Float64Array | undefined {
  const l = new Float64Array(d * d);
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = a[i * d + j]!;
      for (let k = 0; k < j; k++) rest -= l[i * d + k]! * l[j * d + k]!;
      if (i > j) l[i * d + j] = rest / l[j * d + j]!;
      else if (rest > 0) l[i * d + i] = Math.sqrt(rest);
      else return undefined;
    }
  }
  return l;
}

/**
 * xᵀA⁻¹x = ‖y‖² with Ly = x, by forward substitution: yᵢ = (xᵢ − Σₖ Lᵢₖ yₖ) / Lᵢᵢ. x becomes y. The factor may be one
 * of many, from `at` on.
 */
export function squaredLengthIn(l: Float64Array, at: number, x: Float64Array): number {
  const d = x.length;
  let sum = 0;
  for (let i = 0; i < d; i++) {
    let rest = x[i]!;
    const row = at + i * d;
    for (let k = 0; k < i; k++) rest -= l[row + k]! * x[k]!;
    x[i] = rest / l[row + i]!;
    sum += x[i]! * x[i]!;
  }
  return sum;
}
