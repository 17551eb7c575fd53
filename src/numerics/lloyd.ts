/** Lloyd's algorithm, one iteration at a time, without the distances that cannot matter. */

import { type Tensor, tensor } from "../tensor/tensor.ts";
import { squaredDistance } from "./distances.ts";
import { sumsByLabel } from "./sumsByLabel.ts";

/** So many bounds are kept: 64 MB. Of more rows times centers, all distances are found each time. */
const mostBounds = 2 ** 24;

/** Bounds are rounded to float32: so much smaller, as a share, a bound is taken to be. */
const slack = 1e-6;

/**
 * Each row to its nearest center, of equals the first; each center to the mean of its rows, one without rows stays.
 *
 * A center that has moved by δⱼ in all since it was ℓᵢⱼ from row i is at least ℓᵢⱼ − δⱼ from it now, and the own center
 * at most uᵢ + δ (Elkan, 2003). What is farther by this than the own center is not looked at: the labels are those of
 * all distances. Sums change by the rows that change their center.
 */
export class Lloyd {
  readonly labels: Int32Array;
  centers: Tensor<"float32">;
  /** Σ of the squared distances to the nearest center. */
  inertia: number;
  readonly #rows: Float32Array;
  readonly #shaped: (centers: Tensor<"float32">) => Tensor<"float32">;
  readonly #sums: Float64Array;
  readonly #sizes: Int32Array;
  /** How far each center has moved, all steps added up. */
  readonly #moved: Float64Array;
  /** ℓᵢⱼ + what center j had moved by then, [n, k]; uᵢ less what the own center had. */
  readonly #lower: Float32Array | undefined;
  readonly #upper: Float64Array;
  /** Σ‖z − m‖², m the first center: with it the inertia follows from the sums alone. */
  readonly #total: number;
  readonly #origin: Float32Array;
  /** The centers as they are compared with rows, and the distances of one row. */
  readonly #compared: Float64Array;
  readonly #asked: Int32Array;
  readonly #squared: Float64Array;

  /** With `shaped`, what becomes of every set of centers, such as length 1. */
  constructor(
    { data, shape }: Tensor<"float32">,
    start: Tensor<"float32">,
    shaped: (centers: Tensor<"float32">) => Tensor<"float32"> = (centers) => centers,
  ) {
    const n = shape[0]!;
    const [k, d] = start.shape as [number, number];
    this.#rows = data;
    this.#shaped = shaped;
    this.centers = shaped(start);
    this.labels = new Int32Array(n);
    this.#moved = new Float64Array(k);
    this.#lower = n * k <= mostBounds ? new Float32Array(n * k) : undefined;
    this.#upper = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
    this.#compared = new Float64Array(k * d);
    this.#asked = new Int32Array(k + 3);
    this.#squared = new Float64Array(k + 3);
    this.#sums = new Float64Array(k * d);
    this.#sizes = new Int32Array(k);
    this.#assign(false);
    this.inertia = this.exactInertia();
    const { sums, sizes } = sumsByLabel(data, d, this.labels, k);
    this.#sums.set(sums);
    this.#sizes.set(sizes);
    this.#origin = this.centers.data.slice(0, d);
    this.#total = this.inertia + this.#explained();
  }

  /** Whether a center has no rows. */
  get isEmptySomewhere(): boolean {
    return this.#sizes.includes(0);
  }

  /** Centers to the means of their rows, rows to the nearest of these. */
  iterate(): void {
    this.moveTo(this.#shaped(this.#means()));
  }

  /** Other centers, and rows to the nearest of these. */
  moveTo(centers: Tensor<"float32">): void {
    const before = this.centers;
    this.centers = centers;
    const [k, d] = centers.shape as [number, number];
    for (let j = 0; j < k; j++) {
      this.#moved[j]! += Math.sqrt(squaredDistance(before.data, j, centers.data, j, d));
    }
    this.#assign(true);
    this.inertia = this.#total - this.#explained();
  }

  /** The inertia summed over all rows: to the last digit, which a difference of sums does not have. */
  exactInertia(): number {
    const { data, shape } = this.centers;
    let total = 0;
    for (let i = 0; i < this.labels.length; i++) {
      total += squaredDistance(this.#rows, i, data, this.labels[i]!, shape[1]!);
    }
    return total;
  }

  #means(): Tensor<"float32"> {
    const [k, d] = this.centers.shape as [number, number];
    const means = this.centers.data.slice();
    for (let j = 0; j < k; j++) {
      if (this.#sizes[j] === 0) continue;
      for (let c = 0; c < d; c++) means[j * d + c] = this.#sums[j * d + c]! / this.#sizes[j]!;
    }
    return tensor("float32", [k, d], means);
  }

  /** Σⱼ 2ωⱼᵀsⱼ − nⱼ‖ωⱼ‖², ωⱼ the center and sⱼ the sum of its rows, both from m: the inertia is Σ‖z − m‖² less this. */
  #explained(): number {
    const [k, d] = this.centers.shape as [number, number];
    let explained = 0;
    for (let j = 0; j < k; j++) {
      const size = this.#sizes[j]!;
      if (size === 0) continue;
      for (let c = 0; c < d; c++) {
        const center = this.centers.data[j * d + c]! - this.#origin[c]!;
        explained += center * (2 * (this.#sums[j * d + c]! - size * this.#origin[c]!) - size * center);
      }
    }
    return explained;
  }

  /** labels[i] = argminⱼ ‖zᵢ − Ωⱼ‖². With `summed`, the sums follow. */
  #assign(summed: boolean): void {
    const [k, d] = this.centers.shape as [number, number];
    const [moved, lower, asked, squared] = [this.#moved, this.#lower, this.#asked, this.#squared];
    this.#compared.set(this.centers.data);
    for (let i = 0; i < this.labels.length; i++) {
      const own = this.labels[i]!;
      const least = this.#upper[i]! + moved[own]!;
      let count = 0;
      for (let j = 0; j < k; j++) {
        if (j !== own && !(lower && lower[i * k + j]! * (1 - slack) - moved[j]! > least)) asked[count++] = j;
      }
      if (count === 0) continue;
      asked[count++] = own;
      this.#distances(i, count, d);
      let best = count - 1;
      for (let at = 0; at < count; at++) {
        const isNearer = squared[at]! < squared[best]!;
        if (isNearer || (squared[at]! === squared[best]! && asked[at]! < asked[best]!)) best = at;
        if (lower) lower[i * k + asked[at]!] = Math.sqrt(squared[at]!) + moved[asked[at]!]!;
      }
      const label = asked[best]!;
      this.#upper[i] = Math.sqrt(squared[best]!) - moved[label]!;
      if (label === own) continue;
      this.labels[i] = label;
      if (summed) this.#move(i, own, label, d);
    }
  }

  #move(i: number, from: number, to: number, d: number): void {
    const sums = this.#sums;
    this.#sizes[from]!--;
    this.#sizes[to]!++;
    for (let c = 0; c < d; c++) {
      const value = this.#rows[i * d + c]!;
      sums[from * d + c]! -= value;
      sums[to * d + c]! += value;
    }
  }

  /**
   * ‖zᵢ − Ωⱼ‖² for the centers that are asked for, each summed in the order of the columns; four at a time, since sums
   * that do not wait for each other are twice as fast.
   */
  #distances(i: number, count: number, d: number): void {
    const [rows, centers, asked, squared] = [this.#rows, this.#compared, this.#asked, this.#squared];
    asked.fill(asked[count - 1]!, count, count + 3);
    for (let at = 0; at < count; at += 4) {
      const [a, b, c, e] = [asked[at]! * d, asked[at + 1]! * d, asked[at + 2]! * d, asked[at + 3]! * d];
      let [sumA, sumB, sumC, sumE] = [0, 0, 0, 0];
      for (let column = 0, from = i * d; column < d; column++, from++) {
        const value = rows[from]!;
        const toA = value - centers[a + column]!;
        const toB = value - centers[b + column]!;
        const toC = value - centers[c + column]!;
        const toE = value - centers[e + column]!;
        sumA += toA * toA;
        sumB += toB * toB;
        sumC += toC * toC;
        sumE += toE * toE;
      }
      squared[at] = sumA;
      squared[at + 1] = sumB;
      squared[at + 2] = sumC;
      squared[at + 3] = sumE;
    }
  }
}
