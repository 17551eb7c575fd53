/** A share of a whole as people write it in a line: 12 %, or with a digit 12.3 %. */
export function percent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)} %`.replace(/^-(?=[0.]+ )/, "").replace("-", "−");
}
