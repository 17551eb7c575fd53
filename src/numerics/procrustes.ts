/** Positions turned and moved so that they lie on others as well as they can. */

import type { Numbers } from "./distances.ts";

/**
 * Positions [n, 2] on others [n, 2]: moved, turned or mirrored, and as widely spread, so that Σ ‖R yᵢ − xᵢ‖² is least
 * (orthogonal Procrustes; in the plane with the best angle of both hands, in closed form).
 *
 *   tan θ = Σ (yₓ x_y − y_y xₓ) / Σ (yₓ xₓ + y_y x_y)
 */
export function aligned(positions: Numbers, onto: Numbers): Float64Array {
  const n = positions.length / 2;
  const [from, to] = [centered(positions), centered(onto)];
  const turned = (mirror: 1 | -1): { cos: number; sin: number; agreement: number } => {
    let [along, across] = [0, 0];
    for (let i = 0; i < n; i++) {
      const [yx, yy] = [from.values[2 * i]!, mirror * from.values[2 * i + 1]!];
      const [xx, xy] = [to.values[2 * i]!, to.values[2 * i + 1]!];
      along += yx * xx + yy * xy;
      across += yx * xy - yy * xx;
    }
    const agreement = Math.hypot(along, across);
    return agreement > 0
      ? { cos: along / agreement, sin: across / agreement, agreement }
      : { cos: 1, sin: 0, agreement };
  };
  const [straight, mirrored] = [turned(1), turned(-1)];
  const isMirrored = mirrored.agreement > straight.agreement;
  const { cos, sin } = isMirrored ? mirrored : straight;
  const scale = from.spread > 0 && to.spread > 0 ? to.spread / from.spread : 1;
  const all = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) {
    const [x, y] = [scale * from.values[2 * i]!, scale * (isMirrored ? -1 : 1) * from.values[2 * i + 1]!];
    all[2 * i] = cos * x - sin * y + to.mean[0];
    all[2 * i + 1] = sin * x + cos * y + to.mean[1];
  }
  return all;
}

function centered(positions: Numbers): { mean: [number, number]; values: Float64Array; spread: number } {
  const n = positions.length / 2;
  const mean: [number, number] = [0, 0];
  for (let at = 0; at < positions.length; at++) mean[at % 2]! += positions[at]! / n;
  const values = Float64Array.from(positions, (value, at) => value - mean[at % 2]!);
  return { mean, values, spread: Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / n) };
}
