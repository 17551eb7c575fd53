/** How near two rows of the picture are, from 0 to 1. */

/** φ(y) = 1 / (1 + a·y²ᵇ), y the distance in the picture. */
export interface Curve {
  readonly a: number;
  readonly b: number;
}

/** Forces by the first 15 bits, after the sign, of the squared distance as a float32: see `forcesOf`. */
export interface Forces {
  readonly pull: Float64Array;
  readonly push: Float64Array;
}

/**
 * What multiplies (yᵢ − yⱼ) in a step that draws two rows together, and in one that drives them apart:
 *
 *   pull(s) = −2ab·sᵇ⁻¹ / (1 + a·sᵇ),   push(s) = 2b / ((0.001 + s)(1 + a·sᵇ)),   s = ‖yᵢ − yⱼ‖²,
 *
 * the slopes of log φ and log(1 − φ), the second kept finite. They are needed half a billion times, where a power takes
 * most of the time. So they are written down once for all s that share eight bits of exponent and seven of mantissa, at
 * their middle: within 1 % of the formula.
 */
export function forcesOf({ a, b }: Curve): Forces {
  const pull = new Float64Array(2 ** 15);
  const push = new Float64Array(2 ** 15);
  const bits = new Int32Array(1);
  const squared = new Float32Array(bits.buffer);
  // From 0x7f80 on they are not finite.
  for (let at = 0; at < 0x7f80; at++) {
    bits[0] = (at << 16) | 0x8000;
    const s = squared[0]!;
    const grown = a * s ** b;
    pull[at] = (-2 * b * grown) / (s * (1 + grown));
    push[at] = (2 * b) / ((0.001 + s) * (1 + grown));
  }
  return { pull, push };
}

/**
 * The a and b with which φ comes nearest, by least squares on 0 < y ≤ 3, to
 *
 *   1 for y ≤ m, and exp(m − y) beyond:
 *
 * rows nearer than m = `least` need not come nearer still. Gauss and Newton's method, in log a and b.
 */
export function curveFor(least: number): Curve {
  let [logA, b] = [0, 1];
  for (let iteration = 0; iteration < 50; iteration++) {
    // Normal equations (JᵀJ) step = Jᵀ residual for the two numbers.
    let [aa, ab, bb, ra, rb] = [0, 0, 0, 0, 0];
    for (let y = 0.01; y < 3.005; y += 0.01) {
      const grown = Math.exp(logA) * y ** (2 * b);
      const near = 1 / (1 + grown);
      const residual = (y <= least ? 1 : Math.exp(least - y)) - near;
      // ∂φ/∂log a = −φ²·a·y²ᵇ, and ∂φ/∂b = that times 2 log y.
      const byA = -near * near * grown;
      const byB = byA * 2 * Math.log(y);
      aa += byA * byA;
      ab += byA * byB;
      bb += byB * byB;
      ra += byA * residual;
      rb += byB * residual;
    }
    const determinant = aa * bb - ab * ab;
    logA += (bb * ra - ab * rb) / determinant;
    b += (aa * rb - ab * ra) / determinant;
  }
  return { a: Math.exp(logA), b };
}
