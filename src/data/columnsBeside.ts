/** Which columns are not learned from, and tell what clusters are all the same. */

import { type ColumnBeside, mostBeside } from "./beside.ts";
import type { Role } from "./columnGuess.ts";
import type { Column, Roles } from "./roles.ts";

const kinds: Partial<Record<Column["kind"], ColumnBeside["kind"]>> = {
  text: "text",
  boolean: "text",
  number: "number",
  date: "date",
};

/** The guesses of which columns are told. */
const told: ReadonlySet<Role> = new Set(["feature", "text", "time"]);

/**
 * What is neither a feature nor an id nor the label, and tells something: not a counter, a key, a constant or what says
 * the same as another. Of many columns the first, and what was said to be text.
 */
export function columnsBeside({ columns, ids, label, teacher, text }: Roles, ignore: readonly string[] = []) {
  const taken = new Set([...ids, label, teacher]);
  const free = columns.flatMap(({ column: { name, kind }, isUsed, guess }): ColumnBeside[] => {
    const beside = kinds[kind];
    // Texts that could name rows, and do not, may have words in common.
    const isTold = name === text || told.has(guess) || (guess === "id" && kind === "text");
    if (beside === undefined || isUsed || taken.has(name) || !isTold) return [];
    const said = { ...(name === text && { isText: true }), ...(ignore.includes(name) && { isLeftOut: true }) };
    return [{ name, kind: beside, ...said }];
  });
  const said = free.filter(({ isText }) => isText);
  return [...said, ...free.filter(({ isText }) => !isText)].slice(0, mostBeside);
}
