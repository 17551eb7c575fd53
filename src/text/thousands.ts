/** A whole number with its thousands apart, the same on every machine: 12,345. */
export function thousands(value: number): string {
  return String(Math.round(value))
    .replace(/\B(?=(\d{3})+$)/g, ",")
    .replace("-", "−");
}
