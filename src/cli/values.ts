/** What people write after an option, as values. What is wrong with it ends in exit code 2. */

import { InvalidArgumentError } from "commander";

/** A whole number, from `from` on. */
export function wholeNumber(from = 0, to = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(value) && value >= from && value <= to) return value;
    const end = to === Number.MAX_SAFE_INTEGER ? "" : ` to ${to}`;
    throw new InvalidArgumentError(`It must be a whole number from ${from}${end}.`);
  };
}

/** A number above 0 and up to `to`. */
export function numberUpTo(to: number): (text: string) => number {
  return (text) => {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (value > 0 && value <= to) return value;
    throw new InvalidArgumentError(`It must be a number above 0, up to ${to}.`);
  };
}

/** Names with commas between them; given again, more of them. A comma that belongs to a name is written \, */
export function names(text: string, before: readonly string[] = []): readonly string[] {
  const more = text.split(/(?<!\\),/).map((name) => name.replaceAll("\\,", ",").trim());
  if (more.some((name) => name === "")) throw new InvalidArgumentError("It must be names with commas between them.");
  return [...before, ...more];
}

/** all, none, or names of columns. */
export function kept(text: string, before?: "all" | "none" | readonly string[]): "all" | "none" | readonly string[] {
  if (text === "all" || text === "none") return text;
  return names(text, typeof before === "object" ? before : []);
}

/** price=2, or several of them with commas between; given again, more of them. */
export function weights(text: string, before: Readonly<Record<string, number>> = {}): Readonly<Record<string, number>> {
  const more = names(text).map((each) => {
    const [, name, value] = /^(.+)=\s*(\d+(?:\.\d+)?|\.\d+)\s*$/s.exec(each) ?? [];
    if (name === undefined) throw new InvalidArgumentError("It must be a column and a number, such as price=2.");
    return [name.trim(), Number(value)] as const;
  });
  return Object.fromEntries([...Object.entries(before), ...more]);
}

/** size=small,medium,large; given again, of more columns. */
export function order(
  text: string,
  before: Readonly<Record<string, readonly string[]>> = {},
): Readonly<Record<string, readonly string[]>> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must be a column and its values, such as size=small,medium,large.");
  return Object.fromEntries([...Object.entries(before), [text.slice(0, at).trim(), names(text.slice(at + 1))]]);
}

/** What is given again and again. */
export function several(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

export type Clusters = number | readonly [number, number] | "auto";

/** 6, 2-12 or auto. */
export function clusters(text: string): Clusters {
  if (text === "auto") return "auto";
  const [, low, high] = /^(\d+)(?:\s*-\s*(\d+))?$/.exec(text.trim()) ?? [];
  const [from, to] = [Number(low), Number(high ?? low)];
  const isWhole = Number.isSafeInteger(from) && Number.isSafeInteger(to);
  if (isWhole && high === undefined && from >= 1) return from;
  if (isWhole && high !== undefined && from >= 2 && to > from) return [from, to];
  throw new InvalidArgumentError("It must be a number from 1, a range from 2 such as 2-12, or auto.");
}

/** 3-6, or 3,5,8, or both: 2-4,8. */
export function numberList(from: number): (text: string) => readonly number[] {
  return (text) => {
    const found = text.split(",").flatMap((part) => {
      const [, low, high] = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part) ?? [];
      const [first, last] = [Number(low), Number(high ?? low)];
      const isRange = Number.isSafeInteger(last) && first >= from && last >= first && last - first < 1000;
      return isRange ? Array.from({ length: last - first + 1 }, (_, i) => first + i) : [Number.NaN];
    });
    if (!found.some(Number.isNaN)) return [...new Set(found)];
    throw new InvalidArgumentError(`It must be whole numbers from ${from}, such as 3-6 or 3,5,8.`);
  };
}

/** The options that were given: an option that was not is not there at all. */
export function given<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

/**
 * How rows are written: as the name of the file ends, or as JSON lines for whoever wants JSON; otherwise the first
 * format.
 */
export function formatFor<F extends string>(formats: readonly [F, ...F[]], out: string | undefined, json = false): F {
  const ending = out === undefined ? (json ? "jsonl" : "") : out.split(".").at(-1)!.toLowerCase();
  return formats.find((format) => format === ending) ?? formats[0];
}
