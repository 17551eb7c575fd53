/** A number as people read it; the same on every machine, whatever its locale. */

import { thousands } from "./thousands.ts";

/**
 * 3 digits, but no whole digit is lost below a million: 0.0123, 1.5, 1998, 39,246, 22.1 M, 2.77 bn. Four stay
 * together: they may be a year. Of more than six, rows of 32 bits do not keep the last, and nobody reads them.
 */
export function number(value: number): string {
  // A number that is none comes from a file as null.
  if (value === null || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 999.5e9)) return minus(value.toExponential(2).replace("e+", "e"));
  if (size >= 999.5e6) return minus(`${Number((value / 1e9).toPrecision(3))} bn`);
  if (size >= 999_999.5) return minus(`${Number((value / 1e6).toPrecision(3))} M`);
  if (size >= 99.95) return size < 9999.5 ? minus(String(Math.round(value))) : thousands(value);
  return minus(String(Number(value.toPrecision(3))));
}

/** A minus sign is as wide as a plus sign; a hyphen is not. */
export function minus(text: string): string {
  return text.replaceAll("-", "−");
}
