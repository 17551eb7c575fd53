/** Dates as people write them, Jun 12 1998 or 2015/01/01 13:00:00, which DuckDB takes for texts. */

import { type Database, quoteName, quoteText } from "./database.ts";

/** Where two of them read all values, the first does. */
const formats = [
  ...["%Y/%m/%d", "%Y/%m/%d %H:%M:%S", "%Y/%m/%d %H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d"],
  ...["%b %d %Y", "%b %d, %Y", "%B %d %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%d-%b-%Y", "%d-%b-%y"],
  ...["%d.%m.%Y", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S", "%m/%d/%Y", "%m/%d/%Y %H:%M", "%d/%m/%Y", "%d/%m/%Y %H:%M"],
];

/** The same table, in which texts that are all dates of one form are dates. */
export async function withWrittenDates(database: Database, relation: string): Promise<string> {
  const described = await database.rows(`describe select * from ${relation}`);
  const texts = described.filter(([, type]) => type === "VARCHAR").map(([name]) => String(name));
  if (texts.length === 0) return relation;
  // Few columns look like it: the others are not looked at, however many or long they are.
  const looks = texts.map((name) => `bool_and(regexp_full_match(${quoteName(name)}, '[\\w.,:/ -]{6,30}'))`);
  const first = `(select * from ${relation} limit 100)`;
  const [look] = await database.rows(`select ${looks.join(", ")} from ${first}`);
  const dates: string[] = [];
  for (const name of texts.filter((_, i) => look![i] === true)) {
    const format = await formatOf(database, { relation, first, name });
    if (format === undefined) continue;
    dates.push(`strptime(${quoteName(name)}, ${quoteText(format)}) as ${quoteName(name)}`);
  }
  return dates.length === 0 ? relation : `(select * replace (${dates.join(", ")}) from ${relation})`;
}

async function formatOf(
  database: Database,
  { relation, first, name }: { readonly relation: string; readonly first: string; readonly name: string },
): Promise<string | undefined> {
  const column = quoteName(name);
  const parsed = (format: string): string => `count(try_strptime(${column}, ${quoteText(format)}))`;
  const [counts] = await database.rows(`select count(${column}), ${formats.map(parsed).join(", ")} from ${first}`);
  const [present, ...found] = counts!.map(Number);
  const format = formats.find((_, i) => present! > 0 && found[i] === present);
  if (format === undefined) return undefined;
  const [row] = await database.rows(`select count(${column}), ${parsed(format)} from ${relation}`);
  return Number(row![0]) === Number(row![1]) ? format : undefined;
}
