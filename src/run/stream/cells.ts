/** One value of a row that comes as text or JSON, read as files/ does: numbers, booleans as 0 and 1, dates as days. */

import { parseJson } from "../../formats/json.ts";

/** A row that cannot be used: what must hold, and what it has instead. Where it is, the stream knows. */
export class BadRow extends RangeError {}

const number = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;
const booleans = new Map(
  [
    ["true", "t", "yes"],
    ["false", "f", "no"],
  ].flatMap((words, i) => words.map((word) => [word, 1 - i])),
);
const date = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** NaN where the value is missing; undefined where it is nothing that can be a number. */
export function numberOf(value: unknown): number | undefined {
  if (value === null || value === undefined) return Number.NaN;
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return Number(value);
  if (typeof value !== "string") return undefined;
  if (number.test(value)) return Number(value);
  if (/^\s*nan\s*$/i.test(value)) return Number.NaN;
  return booleans.get(value.toLowerCase()) ?? daysOf(value);
}

/** Days since 1970, in universal time unless the text says otherwise. */
function daysOf(text: string): number | undefined {
  const parts = date.exec(text);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const midnight = new Date(Date.UTC(year!, month! - 1, day!));
  const isDay = midnight.getUTCMonth() === month! - 1 && midnight.getUTCDate() === day;
  if (!isDay || hour! > 23 || minute! > 59 || second! >= 60) return undefined;
  const seconds = hour! * 3600 + minute! * 60 + second! - zoneSeconds(parts[7]);
  return (midnight.getTime() / 1000 + seconds) / 86400;
}

function zoneSeconds(zone = "Z"): number {
  if (zone === "Z") return 0;
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone)!;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

/** A list of values; one that is text is JSON. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string" || !value.trimStart().startsWith("[")) return undefined;
  try {
    return parseJson(value) as unknown[];
  } catch {
    return undefined;
  }
}

/** What a row is called: as it is written, and nothing where there is nothing. */
export function idOf(column: string, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" && !Number.isSafeInteger(value) && Number.isInteger(value)) {
    throw new BadRow(`column ${column} must be an id of up to 15 digits, or written in quotes, got about ${value}`);
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
