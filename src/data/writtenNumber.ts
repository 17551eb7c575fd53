/**
 * Numbers as people write them: $1,234.50 and 85 % and (12.00), 1.234,5 and 1 234,5. All of a column have the same
 * decimal mark, and at most one unit. The patterns are read by JavaScript and by DuckDB alike.
 */

export type DecimalMark = "point" | "comma";
/** The mark of each column whose numbers were not written as programs do. */
export type WrittenMarks = Readonly<Record<string, DecimalMark>>;

/** Currencies by their sign, as in US$, or by a code that is not likely to be anything else. */
const unit = "[A-Z]{0,2}\\p{Sc}|USD|EUR|GBP|CHF|JPY|CNY|CAD|AUD|SEK|NOK|DKK|PLN|INR|BRL|kr|%";
const space = "[ \u00a0\u2009\u202f]";
const sign = "[+\u2212-]?";

/** Thousands may stand apart: by the mark that is not the decimal one, by spaces, or by apostrophes. */
function pattern(decimal: string, group: string): string {
  const groups = [group, space, "['\u2019]"].map((mark) => `[0-9]{1,3}(?:${mark}[0-9]{3})+`).join("|");
  const digits = `(?:(?:[0-9]+|${groups})(?:${decimal}[0-9]*)?|${decimal}[0-9]+)(?:[eE][+-]?[0-9]+)?`;
  const number = `${sign}(?:(?:${unit})${space}?)?${sign}${digits}(?:${space}?(?:${unit}))?`;
  return `^${space}*(?:${number}|\\(${number}\\))${space}*$`;
}

/** What a number with this decimal mark looks like, and what is to be taken out of it. */
export const written: Readonly<Record<DecimalMark, { readonly pattern: string; readonly beside: string }>> = {
  point: { pattern: pattern("\\.", ","), beside: `${unit}|${space}|[,'\u2019()]` },
  comma: { pattern: pattern(",", "\\."), beside: `${unit}|${space}|[.'\u2019()]` },
};
export const unitPattern = unit;

const patterns = {
  point: new RegExp(written.point.pattern, "u"),
  comma: new RegExp(written.comma.pattern, "u"),
};
const beside = { point: new RegExp(written.point.beside, "gu"), comma: new RegExp(written.comma.beside, "gu") };

/** The number that a text is with this decimal mark; nothing where it is none. */
export function writtenNumber(text: string, mark: DecimalMark): number | undefined {
  if (!patterns[mark].test(text)) return undefined;
  const plain = text.replaceAll(beside[mark], "").replace(",", ".").replaceAll("\u2212", "-");
  const value = Number(plain);
  if (Number.isNaN(value)) return undefined;
  return text.includes("(") ? -value : value;
}
