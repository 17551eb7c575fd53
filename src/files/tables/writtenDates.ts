/** Dates as people write them, Jun 12 1998 or 2015/01/01 13:00:00, which DuckDB takes for texts. */

import { type Database, quoteName, quoteText } from "./database.ts";

/** Where two of them read all values, the first does. */
const formats = [
  ...["%Y/%m/%d", "%Y/%m/%d %H:%M:%S", "%Y/%m/%d %H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d"],
  ...["%b %d %Y", "%b %d, %Y", "%B %d %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%d-%b-%Y", "%d-%b-%y"],
  ...["%d.%m.%Y", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S", "%m/%d/%Y", "%m/%d/%Y %H:%M", "%d/%m/%Y", "%d/%m/%Y %H:%M"],
];

/** How they all begin: 2015/1, 12.6.98, 3 Jun, June. */
const month = "(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)";
const begins = `(\\d{1,4}[./-]\\d{1,2}[./-]|\\d{1,2}[ -]${month}|${month})`;
/** DuckDB is asked about so many columns at once: each question reads the rows anew. */
const columnsAtOnce = 16;

/** The same table, in which texts that are all dates of one form are dates. */
export async function withWrittenDates(database: Database, relation: string): Promise<string> {
  const described = await database.described(relation);
  const texts = described.filter(([, type]) => type === "VARCHAR").map(([name]) => String(name));
  if (texts.length === 0) return relation;
  // Few columns look like it: the others are not looked at, however many or long they are.
  const pattern = quoteText(`${begins}[\\w.,:/ -]{3,28}`);
  const looks = texts.map((name) => `bool_and(regexp_full_match(${quoteName(name)}, ${pattern}))`);
  const first = `(select * from ${relation} limit 100)`;
  const [look] = await database.rows(`select ${looks.join(", ")} from ${first}`);
  const likely = texts.filter((_, i) => look![i] === true);
  const dates: string[] = [];
  for (let at = 0; at < likely.length; at += columnsAtOnce) {
    const found = await formatsOf(database, { relation, first, names: likely.slice(at, at + columnsAtOnce) });
    for (const [name, format] of found) {
      dates.push(`strptime(${quoteName(name)}, ${quoteText(format)}) as ${quoteName(name)}`);
    }
  }
  return dates.length === 0 ? relation : `(select * replace (${dates.join(", ")}) from ${relation})`;
}

/** The columns of which one format reads all values, with that format: of the first rows, then of all. */
async function formatsOf(
  database: Database,
  { relation, first, names }: { readonly relation: string; readonly first: string; readonly names: readonly string[] },
): Promise<[name: string, format: string][]> {
  const likely = await readBy(
    database,
    first,
    names.map((name) => [name, formats]),
  );
  return readBy(
    database,
    relation,
    likely.map(([name, format]) => [name, [format]]),
  );
}

/** Of each column the first of these formats that reads all its values, if one does. */
async function readBy(
  database: Database,
  relation: string,
  asked: readonly (readonly [name: string, formats: readonly string[]])[],
): Promise<[name: string, format: string][]> {
  if (asked.length === 0) return [];
  const counts = asked.flatMap(([name, formats]) => {
    const column = quoteName(name);
    return [`count(${column})`, ...formats.map((format) => `count(try_strptime(${column}, ${quoteText(format)}))`)];
  });
  const [row] = await database.rows(`select ${counts.join(", ")} from ${relation}`);
  let at = 0;
  return asked.flatMap(([name, formats]): [string, string][] => {
    const [present, ...found] = row!.slice(at, at + 1 + formats.length).map(Number);
    at += 1 + formats.length;
    const format = formats.find((_, i) => present! > 0 && found[i] === present);
    return format === undefined ? [] : [[name, format]];
  });
}
