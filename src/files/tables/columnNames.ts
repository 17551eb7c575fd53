/** The names of a table's columns as DuckDB can have them: each once, whatever the case of its letters. */

export interface Renamed {
  readonly names: readonly string[];
  /** What was called otherwise, from and to. */
  readonly changed: readonly (readonly [string, string])[];
}

/** x, x becomes x, x_2, and T, t becomes T, t_2; without a name a column is called by its place, as DuckDB does. */
export function distinctNames(cells: readonly string[]): Renamed {
  const digits = String(cells.length - 1).length;
  // A zero would end the statement that it is named in; DuckDB leaves spaces around a name out, and nothing else.
  const plain = (cell: string): string => cell.replaceAll("\0", "").replaceAll(/^ +| +$/g, "");
  const wanted = cells.map((cell, i) => plain(cell) || `column${String(i).padStart(digits, "0")}`);
  // A name that is written so is not taken from its column by one that is made.
  const taken = new Set<string>();
  const isFirst = wanted.map((name) => taken.size < taken.add(name.toLowerCase()).size);
  const numbers = new Map<string, number>();
  const names = wanted.map((name, i) => {
    if (isFirst[i]) return name;
    const key = name.toLowerCase();
    let number = (numbers.get(key) ?? 1) + 1;
    while (taken.has(`${key}_${number}`)) number++;
    taken.add(`${key}_${number}`);
    numbers.set(key, number);
    return `${name}_${number}`;
  });
  return { names, changed: wanted.flatMap((name, i) => (name === names[i] ? [] : [[name, names[i]!] as const])) };
}
