/** JSON that others have written: parsed, and no deeper than anything here is. */

/** Values inside values. */
const deepest = 64;

/** Without a bound, whatever goes through such a value by calling itself would end the process. */
export function parseJson(text: string): unknown {
  const found: unknown = JSON.parse(text);
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
