/** Options of a method as people write them: text that becomes values by what the method declares. */

import type { Method, Option } from "../doors/inside.ts";
import {
  checkLessons,
  defaultMethod,
  isMethodFile,
  methodOf,
  readMethodFile,
  resolveOptions,
  sharedOptions,
  taughtMethod,
} from "../doors/learn.ts";

export interface MethodChoice {
  readonly method?: string;
  readonly epochs?: number;
  readonly restarts?: number;
  /** name=value, each. */
  readonly set?: readonly string[];
  /** Who teaches, and how long it may take. */
  readonly teacher?: string;
  readonly effort?: "quick" | "normal" | "thorough";
  readonly clusters?: unknown;
}

/**
 * The options that were given, each known to the method and in its range; otherwise this fails and says what is meant.
 */
export async function checkedOptions({ method: name, epochs, restarts, set = [], ...lessons }: MethodChoice) {
  const isLesson = lessons.teacher !== undefined || lessons.effort !== undefined;
  const method = await methodFrom(name ?? (isLesson ? taughtMethod : defaultMethod));
  checkLessons(method, lessons);
  const table: Readonly<Record<string, Option>> = { ...sharedOptions, ...method.options };
  // A map, since people may write any name, __proto__ as well.
  const given = new Map<string, unknown>(
    Object.entries({ epochs, restarts }).filter(([, value]) => value !== undefined),
  );
  for (const text of set) {
    const [, option, value] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(text) ?? [];
    if (option === undefined) throw new RangeError(`--set must be name=value, such as --set latent=5, got "${text}"`);
    given.set(option, typed(Object.hasOwn(table, option) ? table[option] : undefined, value!.trim()));
  }
  const options = Object.fromEntries(given);
  resolveOptions(method.name, table, options);
  return options;
}

/** A method of ours by its name, or one of somebody's own by its file. */
export async function methodFrom(nameOrFile: string): Promise<Method> {
  return isMethodFile(nameOrFile) ? (await readMethodFile(nameOrFile)).method : methodOf(nameOrFile);
}

/**
 * A text as the value it stands for; one that does not look like any stays what it is, and the declaration says why it
 * is wrong.
 */
export function typed(option: Option | undefined, text: string): unknown {
  return option ? reading[option.kind](text) : text;
}

const reading: { readonly [K in Option["kind"]]: (text: string) => unknown } = {
  number: numberOf,
  whole: numberOf,
  choice: (text) => text,
  flag: (text) => ({ true: true, false: false })[text] ?? text,
  sizes: (text) => (text === "" ? [] : text.split(",").map(numberOf)),
};

function numberOf(text: string): number | string {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : text;
}
