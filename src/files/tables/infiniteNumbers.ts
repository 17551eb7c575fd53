/** Columns of numbers that DuckDB takes for dates: it knows infinity as a day, and takes inf for one. */

import { type Database, quoteName } from "./database.ts";

/** The same table, in which a column of nothing but infinite days is one of infinite numbers. */
export async function withInfiniteNumbers(
  database: Database,
  relation: string,
  described: readonly unknown[][],
): Promise<string> {
  const dates = described.filter(([, type]) => /^(DATE|TIMESTAMP)/.test(String(type))).map(([name]) => String(name));
  if (dates.length === 0) return relation;
  const infinite = (name: string): string => `bool_and(not isfinite(${quoteName(name)}))`;
  // Days that are days are among the first: all rows are looked at only where none is.
  const found = async (names: readonly string[], from: string): Promise<string[]> => {
    if (names.length === 0) return [];
    const [row] = await database.rows(`select ${names.map(infinite).join(", ")} from ${from}`);
    return names.filter((_, i) => row![i] === true);
  };
  const likely = await found(dates, `(select * from ${relation} limit 100)`);
  const certain = await found(likely, relation);
  if (certain.length === 0) return relation;
  const numbers = certain.map((name) => `${quoteName(name)}::varchar::double as ${quoteName(name)}`);
  return `(select * replace (${numbers.join(", ")}) from ${relation})`;
}
