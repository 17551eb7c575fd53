/** How often values fall into each of a few steps. */

export interface Histogram {
  readonly from: number;
  readonly to: number;
  /** All rows, and those that are meant. */
  readonly all: Float64Array;
  readonly meant: Float64Array;
}

export const bins = 40;

export function histogramOf(values: ArrayLike<number>, isMeant?: (row: number) => boolean): Histogram | undefined {
  let [from, to] = [Infinity, -Infinity];
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (value < from) from = value;
    if (value > to) to = value;
  }
  if (!(from <= to) || !Number.isFinite(from) || !Number.isFinite(to)) return undefined;
  const [all, meant] = [new Float64Array(bins), new Float64Array(bins)];
  const scale = bins / (to - from || 1);
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (Number.isNaN(value)) continue;
    const bin = Math.min(bins - 1, Math.floor((value - from) * scale));
    all[bin]!++;
    if (!isMeant || isMeant(row)) meant[bin]!++;
  }
  return { from, to, all, meant };
}
