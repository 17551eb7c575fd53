/** Whether columns are of one kind and keep their scale, or of different units and need one. */

/** The ranges of columns that share a scale are within this factor, but for a tenth of the columns at each end. */
const factor = 10;

/**
 * Whether the columns share a scale, by their smallest and largest numbers: then one factor is right for all, and each
 * column's spread says something; else each is standardized. Constant columns have no say. By ranges, and not by
 * deviations: a pixel that is seldom anything but 0 is still a pixel.
 */
export function shareScale(low: ArrayLike<number>, high: ArrayLike<number>): boolean {
  const ranges = Float64Array.from(low, (from, column) => high[column]! - from)
    .filter((range) => range > 0)
    .sort();
  const left = Math.floor(ranges.length / 10);
  return ranges.length === 0 || ranges[ranges.length - 1 - left]! <= factor * ranges[left]!;
}
