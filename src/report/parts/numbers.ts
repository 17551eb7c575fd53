/** Numbers, dates and durations as people write them; the same on every machine, whatever its locale. */

import { minus, number } from "../../text/number.ts";
import { thousands } from "../../text/thousands.ts";

export { number, thousands };

const months = "January February March April May June July August September October November December".split(" ");

/** A difference to two decimals; its sign is always there. */
export function signed(value: number): string {
  if (!Number.isFinite(value)) return number(value);
  const rounded = Number(value.toFixed(2)) + 0;
  return `${rounded > 0 ? "+" : ""}${minus(rounded.toFixed(2))}`;
}

/** A share of 1 as a percentage. What is not quite all is not written as 100 %, nor what is there as 0 %. */
export function percent(share: number, digits = 0): string {
  if (!Number.isFinite(share)) return "–";
  const value = 100 * share;
  if (value > 99.9 && value < 100) return "over\u00a099.9\u00a0%";
  if (value > 0 && value < 0.1) return "under\u00a00.1\u00a0%";
  // Near the ends a tenth matters.
  return `${Number(value.toFixed(value < 9.95 || value > 99 ? 1 : digits))}\u00a0%`;
}

/** Words in which numbers and what they are of stay in one line: 72 %, 22 M. */
export function unbroken(words: string): string {
  return words.replaceAll(/(?<=\d) (?=(?:%|M|bn)(?![\p{L}\d]))/gu, "\u00a0");
}

/** "1 row", "2,000 rows". */
export function quantity(value: number, one: string, many = `${one}s`): string {
  return `${thousands(value)} ${Math.round(value) === 1 ? one : many}`;
}

/** "a, b and c". */
export function list(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** "15 November 2026, 14:53 UTC" of an ISO date; what is none stays as it is. */
export function date(iso: string): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2})[^Z+-]*(Z|[+-]\d{2}:?\d{2})?$/.exec(iso);
  const month = months[Number(parts?.[2]) - 1];
  if (!parts || !month) return iso;
  const zone = parts[5] === "Z" ? " UTC" : parts[5] ? ` (UTC${minus(parts[5])})` : "";
  return `${Number(parts[3])} ${month} ${parts[1]}, ${parts[4]}${zone}`;
}

/** "12.3 seconds", "4 minutes 10 seconds", "2 hours 5 minutes". */
export function duration(seconds: number): string {
  if (seconds < 60) return `${number(seconds)} seconds`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const parts = hours > 0 ? [quantity(hours, "hour"), quantity(minutes, "minute")] : [quantity(minutes, "minute")];
  return [...parts, ...(hours === 0 && whole % 60 > 0 ? [quantity(whole % 60, "second")] : [])].join(" ");
}
