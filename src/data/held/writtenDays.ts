/** Dates as files have them, 2024-02-29, 2024-02-29T13:00:05Z, 2015/01/01 13:00 or 29.2.2024, in days since 1970. */

/** [year, month, day, hour, minute, second] in the order of the pattern. */
const forms: readonly { readonly pattern: RegExp; readonly order: readonly [number, number, number] }[] = [
  {
    pattern: /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?)?(?:Z|\+00(?::?00)?)?$/,
    order: [1, 2, 3],
  },
  { pattern: /^(\d{4})\/(\d{1,2})\/(\d{1,2})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/, order: [1, 2, 3] },
  { pattern: /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/, order: [3, 2, 1] },
];

/** Nothing where not all that are there are dates of one form. */
export function writtenDays(texts: readonly (string | null)[]): (number | null)[] | undefined {
  for (const form of forms) {
    const days = texts.map((text) => (text === null ? null : daysOf(text.trim(), form)));
    if (days.every((day, i) => day !== undefined && (day !== null || texts[i] === null)))
      return days as (number | null)[];
  }
  return undefined;
}

function daysOf(text: string, { pattern, order }: (typeof forms)[number]): number | undefined {
  const found = pattern.exec(text);
  if (!found) return undefined;
  const [year, month, day] = order.map((place) => Number(found[place])) as [number, number, number];
  const [hour, minute, second] = found.slice(4, 7).map((part) => Number(part ?? 0)) as [number, number, number];
  const moment = Date.UTC(year, month - 1, day, hour, minute, 0, 1000 * second);
  const isReal =
    new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month <= 12 && hour < 24 && minute < 60;
  return isReal ? moment / 86_400_000 : undefined;
}
