/** run.json as an older Telltale wrote it, told as this one would. */

import type { InferOutput } from "valibot";
import type { Feature } from "../../data/feature.ts";
import { list, object, perhaps, text } from "../../formats/schema.ts";
import { isFromMemory, runFormat } from "./schemas/runDescription.ts";

/** What is to be known of format 1, in which features were only names. */
export const formatOne = object({
  source: object({
    name: text,
    path: perhaps(text),
    columns: list(text),
    options: object({ encode: perhaps(list(text)), columns: perhaps(list(text)), sql: perhaps(text) }),
  }),
});

/** Format 2 has features in place of their names. */
export function upgraded({ source: { columns, ...source }, ...rest }: InferOutput<typeof formatOne>): object {
  const { encode = [], columns: asked = [] } = source.options;
  const texts = asked.flatMap((name) => (name.includes("=") ? [name.slice(0, name.indexOf("="))] : []));
  const known = isFromMemory(source) ? {} : { texts: [...encode, ...texts], asked };
  return { ...rest, version: runFormat, source: { ...source, features: featuresNamed(columns, known) } };
}

/**
 * What names stand for, where only names are known: in an older run, and where a model is saved with names. `x[3]` is
 * an element where there is an `x[0]`, or where someone asked for it; `city=Rome` is a category where city is a text.
 * Dates and booleans pass for numbers.
 */
export function featuresNamed(
  names: readonly string[],
  { texts, asked = [] }: { readonly texts?: readonly string[]; readonly asked?: readonly string[] } = {},
): Feature[] {
  const all = new Set([...names, ...asked]);
  return names.map((name) => {
    const end = texts ? texts.find((text) => name.startsWith(`${text}=`))?.length : name.indexOf("=");
    if (end !== undefined && end > 0) {
      return { kind: "category", column: name.slice(0, end), value: name.slice(end + 1) };
    }
    const [, vector, index] = /^(.+)\[(\d+)\]$/s.exec(name) ?? [];
    if (vector !== undefined && (all.has(`${vector}[0]`) || asked.includes(name))) {
      return { kind: "element", column: vector, index: Number(index) };
    }
    return { kind: "number", column: name };
  });
}
