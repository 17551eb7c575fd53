/** What may be said to a function, by name and kind: a misspelt or misplaced word is refused, never ignored. */

import { nearest } from "./options.ts";

type Check = readonly [words: string, holds: (value: unknown) => boolean];

const kinds = {
  /** Whoever uses it has more to say about what it may be. */
  any: ["", () => true],
  flag: ["true or false", (value) => typeof value === "boolean"],
  text: ["a text", (value) => typeof value === "string"],
  texts: ["a list of texts", areTexts],
  names: ["a name, or a list of names", (value) => typeof value === "string" || areTexts(value)],
  number: ["a number", (value) => Number.isFinite(value)],
  whole: ["a whole number", (value) => Number.isSafeInteger(value)],
  call: ["a function", (value) => typeof value === "function"],
  signal: ["an AbortSignal", (value) => value instanceof AbortSignal],
  byName: ["an object with a value for each name", isObject],
} as const satisfies Readonly<Record<string, Check>>;

/** A setting for each name of T, and for no other: the compiler keeps the table whole. */
export type Settings<T> = { readonly [S in keyof Required<T>]: keyof typeof kinds };

/** `inside`: settings that are themselves objects, with what may be said in them. */
export function checkSettings<T extends object>(
  where: string,
  said: T,
  settings: Settings<T>,
  inside: Readonly<Record<string, object>> = {},
): void {
  if (!isObject(said)) throw new TypeError(`${where}: options must be an object such as { … }, got ${shown(said)}`);
  for (const [name, value] of Object.entries(said)) {
    if (!Object.hasOwn(settings, name)) throw unknown(where, name, settings, inside);
    const [words, holds]: Check = kinds[settings[name as keyof T]];
    if (value === undefined || holds(value)) continue;
    throw new TypeError(`${where}: ${name} must be ${words}, got ${shown(value)}`);
  }
}

function unknown(where: string, name: string, settings: object, inside: Readonly<Record<string, object>>): RangeError {
  const place = Object.entries(inside).find(([, table]) => Object.hasOwn(table, name))?.[0];
  if (place !== undefined) {
    return new RangeError(`${where}: ${name} belongs into ${place}: say ${place}: { ${name}: … }`);
  }
  const known = Object.keys(settings);
  const near = nearest(name, known);
  const cure = near ? `did you mean ${near}?` : known.length > 0 ? `there are ${known.join(", ")}` : "it takes none";
  return new RangeError(`${where}: there is no option ${name}; ${cure}`);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function shown(value: unknown): string {
  return typeof value === "string"
    ? JSON.stringify(value.slice(0, 80))
    : Array.isArray(value)
      ? "a list"
      : String(value);
}
