/** Student's t-test of two samples, as the tables of the invariance paper and of Deep k-Means mark their results. */

export interface Tested {
  readonly t: number;
  readonly degrees: number;
  /** How likely a difference at least as large is where there is none; both sides count. */
  readonly p: number;
}

/** t = (ā − b̄) / √(s²(1/n + 1/m)), s² pooled over both, with n + m − 2 degrees of freedom. */
export function unpairedTest(a: readonly number[], b: readonly number[]): Tested {
  const [n, m] = [a.length, b.length];
  const degrees = n + m - 2;
  const pooled = (squaresOf(a) + squaresOf(b)) / degrees;
  return tested(meanOf(a) - meanOf(b), Math.sqrt(pooled * (1 / n + 1 / m)), degrees);
}

/** t = d̄ / (s/√n) of the differences d of runs with the same seed, with n − 1 degrees of freedom. */
export function pairedTest(a: readonly number[], b: readonly number[]): Tested {
  if (a.length !== b.length) throw new RangeError(`t-test: pairs must match, got ${a.length} and ${b.length}`);
  const differences = a.map((value, i) => value - b[i]!);
  const degrees = a.length - 1;
  return tested(meanOf(differences), Math.sqrt(squaresOf(differences) / degrees / a.length), degrees);
}

function tested(difference: number, error: number, degrees: number): Tested {
  if (error === 0) return { t: difference === 0 ? 0 : Number.POSITIVE_INFINITY, degrees, p: difference === 0 ? 1 : 0 };
  const t = difference / error;
  return { t, degrees, p: incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) };
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Σ (x − x̄)². */
function squaresOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

/** The regularized incomplete beta function, by its continued fraction (Lentz's method). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  // The fraction converges quickly below the mean; above, the mirror image does.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a;
  const tiny = 1e-300;
  let [c, d] = [1, 1 / Math.max(1 - ((a + b) * x) / (a + 1), tiny)];
  let fraction = d;
  for (let i = 1; i < 300; i++) {
    const even = (i * (b - i) * x) / ((a + 2 * i - 1) * (a + 2 * i));
    const odd = (-(a + i) * (a + b + i) * x) / ((a + 2 * i) * (a + 2 * i + 1));
    for (const term of [even, odd]) {
      d = 1 / (1 + term * d || tiny);
      c = 1 + term / c || tiny;
      fraction *= c * d;
    }
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return front * fraction;
}

/** ln Γ(x) for x ≥ ½: Stirling's series, from where it is exact. */
function logGamma(x: number): number {
  let [shift, at] = [0, x];
  for (; at < 12; at++) shift += Math.log(at);
  const series = 1 / (12 * at) - 1 / (360 * at ** 3) + 1 / (1260 * at ** 5);
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - shift;
}
