/**
 * The words that schemas of files are written in. One schema gives the type, the check and what people are told: every
 * part carries the sentence of what must hold, and what it got is said beside it.
 */

import * as v from "valibot";

/** What a file must be to be a `T`. */
export type Schema<T> = v.GenericSchema<unknown, T>;

/** A value that a test tells, and what must hold in words. */
export function value<T>(requirement: string, test: (value: unknown) => boolean) {
  return v.custom<T>(test, requirement);
}

export const unknown = v.unknown();
export const text = v.string("a text");
export const flag = v.boolean("true or false");
export const number = value<number>("a number", Number.isFinite);
/** JSON has no word for a number that is none: it becomes null. */
export const measure = value<number>("a number, or null where it is none", (n) => n === null || Number.isFinite(n));
export const numbers = value<readonly number[]>(
  "a list of numbers",
  (list) => Array.isArray(list) && list.every(Number.isFinite),
);
export const range = value<readonly [number, number]>(
  "two numbers, the smaller first",
  (pair) => Array.isArray(pair) && pair.length === 2 && pair.every(Number.isFinite) && pair[0] <= pair[1],
);

/** Rows, and whatever else is counted, are at most so many. */
export const largestCount = 2 ** 31 - 1;

export function wholeNumber(from: number, to = Number.MAX_SAFE_INTEGER) {
  const upTo = to === Number.MAX_SAFE_INTEGER ? "" : ` to ${to}`;
  return value<number>(
    `a whole number from ${from}${upTo}`,
    (n) => Number.isSafeInteger(n) && (n as number) >= from && (n as number) <= to,
  );
}

export const count = wholeNumber(0, largestCount);

export function oneOf<const T extends readonly string[]>(...words: T) {
  return v.picklist(words, `one of ${words.join(", ")}`);
}

export function list<S extends v.GenericSchema>(item: S) {
  return v.pipe(v.array(item, "a list"), v.readonly());
}

export function byName<S extends v.GenericSchema>(item: S) {
  return v.pipe(noList(v.record(v.string(), item, "an object")), v.readonly());
}

/** Keys that it does not name may be there as well: a newer Telltale may have written them. */
export function object<const E extends v.ObjectEntries>(entries: E) {
  return v.pipe(noList(bareObject(entries)), v.readonly());
}

/** The same where it is one of several. */
export function bareObject<const E extends v.ObjectEntries>(entries: E) {
  return v.object(entries, ({ path }) => {
    const missing = path?.at(-1);
    return missing ? requirementOf(entries[String(missing.key)]!) : "an object";
  });
}

/** The same schema, and no list: to valibot, a list is an object as well. */
function noList<S extends v.GenericSchema>(schema: S): S {
  const isNone = (found: unknown): boolean => !Array.isArray(found);
  return v.pipe(v.custom<unknown>(isNone, "an object"), schema) as unknown as S;
}

/** A key that need not be there. */
export const perhaps = v.exactOptional;

/** What must hold for a part that is not there at all. */
function requirementOf(schema: v.GenericSchema): string {
  const { message } = schema as { readonly message?: unknown };
  return typeof message === "string" ? message : "an object";
}

/** Where something does not agree with the rest, and what must hold there. */
export type Disagreement = readonly [path: readonly (string | number)[], requirement: string];

/** A schema whose parts must also agree with each other. */
export function agreeing<S extends v.GenericSchema>(
  schema: S,
  disagreements: (found: v.InferOutput<S>) => Iterable<Disagreement>,
) {
  return v.pipe(
    schema,
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const [path, message] of disagreements(dataset.value)) {
        const items = path.map(
          (key) => ({ type: "unknown", origin: "value", input: undefined, key, value: undefined }) as const,
        );
        addIssue({ message, path: items as unknown as [v.IssuePathItem, ...v.IssuePathItem[]] });
      }
    }),
  );
}

/** What is wrong with what a file says: where, what must hold there, what it has. Nothing where all is well. */
export function problemIn(file: string, schema: Schema<unknown>, found: unknown): string | undefined {
  const { issues } = v.safeParse(schema, found, { abortEarly: true, message: "what Telltale writes there" });
  if (!issues) return undefined;
  const [{ path = [], message }] = issues;
  const got = path.reduce(
    (from: unknown, { key }) => (from as Record<PropertyKey, unknown>)?.[key as PropertyKey],
    found,
  );
  const where = path.map(({ key }) => String(key)).join(".");
  return `${file} must ${where ? `have ${where}, ${message}` : `be ${message}`}, got ${briefly(got)}`;
}

/** A value in a sentence for people. */
export function briefly(value: unknown): string {
  const said = JSON.stringify(value) ?? "nothing";
  return said.length > 60 ? `${said.slice(0, 60)}…` : said;
}
