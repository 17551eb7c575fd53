/** A color as numbers from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

/** Of #rgb or #rrggbb: who bundles a style sheet may write the shorter one. */
export function colorOf(hex: string): Color {
  const digits = hex.slice(1);
  const long = digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits;
  const channel = (at: number): number => Number.parseInt(long.slice(at, at + 2), 16);
  return [channel(0), channel(2), channel(4)];
}
