/** Distances between rows of plain numbers. */

export type Numbers = Float32Array | Float64Array;

/** ‖x − y‖² for row i of x and row j of y. */
export function squaredDistance(x: Numbers, i: number, y: Numbers, j: number, d: number): number {
  const [xAt, yAt] = [i * d, j * d];
  let sum = 0;
  for (let c = 0; c < d; c++) {
    const difference = x[xAt + c]! - y[yAt + c]!;
    sum += difference * difference;
  }
  return sum;
}
