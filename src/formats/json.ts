/** JSON that others have written: parsed, and no deeper than anything here is. */

/** Values inside values. */
const deepest = 64;

/** Without a bound, whatever goes through such a value by calling itself would end the process. */
export function parseJson(text: string): unknown {
  const found = parsed(text);
  let level: unknown[] = [found];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw new RangeError(`JSON must not be nested deeper than ${deepest} values`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      for (const inner of Array.isArray(value) ? value : Object.values(value)) {
        if (typeof inner === "object" && inner !== null) next.push(inner);
      }
    }
    level = next;
  }
  return found;
}

/** What a parser of JSON says is about the parser; people are told where it stopped. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`it is no JSON${whereIn(text, (error as SyntaxError).message)}`);
  }
}

function whereIn(text: string, said: string): string {
  const position = Number(/at position (\d+)/.exec(said)?.[1]);
  if (/end of JSON input/.test(said) || position >= text.length) return ": it ends too early";
  if (Number.isNaN(position)) return "";
  const before = text.slice(0, position).split("\n");
  return ` at line ${before.length}, column ${before.at(-1)!.length + 1}`;
}
