/** The files that rows come from, so that no result replaces one of them. */

import { stat } from "node:fs/promises";
import { isPostgres } from "./recognize.ts";

/** What stands in quotes, 'a' or "b" or $$c$$; a quote is doubled where it belongs to the name. */
const quoted = /'((?:[^']|'')*)'|"((?:[^"]|"")*)"|\$\$(.*?)\$\$/gs;

/** A file, a folder, or what a query names: files, and patterns of files, as far as its text tells. */
export async function filesRead(source: string | undefined, sql: string | undefined): Promise<string[]> {
  if (sql === undefined) return source === undefined || source === "-" || isPostgres(source) ? [] : [source];
  const names = [...sql.matchAll(quoted)].map(
    ([, single, double, dollars]) => single?.replaceAll("''", "'") ?? double?.replaceAll('""', '"') ?? dollars ?? "",
  );
  const isFile = async (name: string): Promise<boolean> =>
    /[*?[]/.test(name) || ((await stat(name).catch(() => undefined))?.isFile() ?? false);
  const kept = await Promise.all(names.map(isFile));
  return names.filter((name, i) => name !== "" && kept[i]);
}
