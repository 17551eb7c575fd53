/**
 * Texts of new rows that the model has no number for. Such a row has none of the values of its column; where these have
 * an order, its value is missing.
 */

import { type Feature, isOfText } from "../../data/feature.ts";
import { oneLine } from "../../text/oneLine.ts";
import { thousands } from "../../text/thousands.ts";
import { type Database, quoteName, quoteText } from "./database.ts";

/** Said of so many columns. */
const mostSaid = 3;

/** ", with 12 rows whose city the model has not seen (Oslo, …)", for people. */
export async function unseenWords(database: Database, relation: string, features: readonly Feature[]): Promise<string> {
  const known = [...textsOf(features)];
  if (known.length === 0) return "";
  const asked = known.flatMap(([column, texts]) => {
    const text = `${quoteName(column)}::varchar`;
    const isUnseen = `filter (where ${text} not in (${texts.map(quoteText).join(", ")}))`;
    return [`count(*) ${isUnseen}`, `min(${text}) ${isUnseen}`];
  });
  const [found] = await database.rows(`select ${asked.join(", ")} from ${relation}`);
  const said = known.flatMap(([column], i) => {
    const count = Number(found![2 * i]);
    const text = oneLine(String(found![2 * i + 1]), 40);
    const rows = count === 1 ? "1 row" : `${thousands(count)} rows`;
    return count === 0 ? [] : [`${rows} whose ${column} the model has not seen (${text}${count > 1 ? ", …" : ""})`];
  });
  if (said.length === 0) return "";
  const more = said.length > mostSaid ? ` and so on in ${said.length - mostSaid} more columns` : "";
  return `, with ${said.slice(0, mostSaid).join(", ")}${more}`;
}

/** The texts of each column that has no number for all others. */
function textsOf(features: readonly Feature[]): Map<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const feature of features.filter(isOfText)) {
    const own = feature.kind === "category" ? [feature.value] : feature.kind === "ordered" ? feature.values : [];
    found.set(feature.column, [...(found.get(feature.column) ?? []), ...own]);
  }
  for (const { kind, column } of features) if (kind === "other") found.delete(column);
  return found;
}
