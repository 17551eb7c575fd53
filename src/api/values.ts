/** The words that requests and answers are written in: valibot's own, so that OpenAPI can be made of them. */

import * as v from "valibot";

export const text = v.string();
export const number = v.number();
export const flag = v.boolean();
export const perhaps = v.exactOptional;
export const list = v.array;

/** A whole number from 0, below 2³¹. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31 - 1));
/** A text of so many letters at most. */
export const short = (most: number) => v.pipe(v.string(), v.maxLength(most));
/** A list of so many at most. */
export const few = <const S extends v.GenericSchema>(item: S, most: number) => v.pipe(v.array(item), v.maxLength(most));

/** What runs, sources and fits are known by: made by the server, never a path. */
export const id = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,47}$/));

/** The same in an address, where everything is text. */
export const countInText = v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number));

/** A value in a table: a date is a text, 2024-02-29; null where there is none. */
export const cell = v.nullable(v.union([v.string(), v.number(), v.boolean()]));
export type Cell = v.InferOutput<typeof cell>;
