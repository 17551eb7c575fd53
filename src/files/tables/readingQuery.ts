/** A query of a person's own, looked at before it runs: one SELECT that only reads, and the files that it names. */

import { oneLine } from "../../text/oneLine.ts";

/** What may stand after `from` with parentheses. DuckDB has others that write, set, or run a text as a query. */
const readers = new Set([
  ...["read_csv", "read_csv_auto", "sniff_csv", "read_text", "read_blob", "glob"],
  ...["read_json", "read_json_auto", "read_json_objects", "read_json_objects_auto"],
  ...["read_ndjson", "read_ndjson_auto", "read_ndjson_objects", "json_each", "json_tree"],
  ...["read_parquet", "parquet_scan", "parquet_schema", "parquet_metadata", "parquet_file_metadata"],
  ...["parquet_full_metadata", "parquet_kv_metadata", "parquet_bloom_probe"],
  ...["range", "generate_series", "unnest", "repeat", "repeat_row", "summary"],
]);

/** Functions among the values that do more than compute. */
const doers = /^(write_log|nextval|currval|getenv|getvariable|__internal_.*)$/;

/** What a query names after `from`, each perhaps a file, a folder of them, or a pattern. */
export interface QueryFiles {
  readonly paths: readonly string[];
  readonly folders: readonly string[];
  /** Of the paths, those that are read as JSON. */
  readonly json: readonly string[];
}

/** As DuckDB writes down what it has parsed. */
type Tree = { readonly [key: string]: unknown };

/** The files that a query names, by its tree (`json_serialize_sql`); it fails where the query does more than read. */
export function filesOfQuery(where: string, serialized: string): QueryFiles {
  const { error, error_type: kind, error_message: message, statements } = JSON.parse(serialized) as Tree;
  if (error && kind !== "not implemented") throw new RangeError(`${where}: ${oneLine(String(message))}`);
  if (error || (statements as unknown[]).length !== 1) throw notReading(where);
  const names = new Set<string>();
  const json = new Set<string>();
  for (const tree of treesIn(statements)) {
    if (tree.type === "BASE_TABLE") {
      const name = String(tree.table_name);
      names.add(name);
      if (/\.(json|jsonl|ndjson)(\.gz|\.zst)?$/i.test(name)) json.add(name);
    } else if (tree.type === "TABLE_FUNCTION") {
      if (!readers.has(nameOf(tree.function))) throw doesMore(where, tree.function);
      for (const text of textsIn(tree.function)) {
        names.add(text);
        if (/json/.test(nameOf(tree.function))) json.add(text);
      }
    } else if (tree.class === "FUNCTION" && doers.test(nameOf(tree))) throw doesMore(where, tree);
  }
  names.delete("");
  const paths = [...names];
  return { paths, folders: paths.map(folderOf), json: [...json] };
}

function notReading(where: string): TypeError {
  return new TypeError(`${where}: sql must be one query that only reads: select … from 'file.parquet'`);
}

function doesMore(where: string, called: unknown): TypeError {
  return new TypeError(
    `${where}: sql must be one query that only reads, and ${oneLine(nameOf(called), 60)}() may do more; read files by their names, or with read_csv, read_json, read_parquet and the like`,
  );
}

/** DuckDB does not care about case. */
function nameOf(called: unknown): string {
  return String((called as Tree).function_name).toLowerCase();
}

/** data/2024-*.parquet → data: everything before the part with the pattern. A name without one may be a folder. */
function folderOf(path: string): string {
  const at = path.search(/[*?[]/);
  if (at < 0) return path;
  const end = path.lastIndexOf("/", at);
  return end < 0 ? "." : path.slice(0, Math.max(1, end));
}

function textsIn(value: unknown): string[] {
  return [...treesIn(value)].flatMap((tree) => {
    const { type, value: text } = (tree.class === "CONSTANT" ? tree.value : {}) as Tree;
    return (type as Tree | undefined)?.id === "VARCHAR" && typeof text === "string" ? [text] : [];
  });
}

function* treesIn(value: unknown): Generator<Tree> {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null) continue;
    if (!Array.isArray(next)) yield next as Tree;
    waiting.push(...Object.values(next));
  }
}
