/** Columns of a table that are passed on as they are, whatever else they are for. */

import type { KeptColumns, OpenOptions } from "../openedRows.ts";
import { type Database, quoteName } from "./database.ts";

interface Kept {
  readonly where: string;
  /** What stands after `from`: the rows that are used, in their order. */
  readonly from: string;
  /** Passed on anyway. */
  readonly ids: readonly string[];
}

/** What is no such number goes as text. */
const types: readonly [RegExp, "integer" | "double"][] = [
  [/^U?(TINY|SMALL|BIG)?INT(EGER)?$/, "integer"],
  [/^(FLOAT|DOUBLE)$/, "double"],
];

export async function keptColumns(
  database: Database,
  { where, from, ids }: Kept,
  keep: OpenOptions["keep"] = "none",
): Promise<KeptColumns | undefined> {
  if (keep === "none") return undefined;
  const described = await database.described(from);
  const all = new Map(described.map(([name, type]) => [String(name), String(type)]));
  const unknown = keep === "all" ? undefined : keep.find((name) => !all.has(name));
  if (unknown !== undefined) {
    throw new RangeError(
      `${where}: --keep must name columns of it, got "${unknown}"; it has ${[...all.keys()].join(", ")}`,
    );
  }
  const names = (keep === "all" ? [...all.keys()] : [...new Set(keep)]).filter((name) => !ids.includes(name));
  if (names.length === 0) return undefined;
  const columns = names.map((name) => ({
    name,
    type: types.find(([pattern]) => pattern.test(all.get(name)!))?.[1] ?? ("text" as const),
  }));
  const select = columns.map(({ name, type }) => `${quoteName(name)}${type === "text" ? "::varchar" : ""}`).join(", ");
  return {
    columns,
    async *inOrder(size) {
      let batch: (string | number | null)[][] = [];
      for await (const chunk of database.stream(`select ${select} from ${from}`)) {
        for (const row of chunk.getRows() as (string | number | bigint | null)[][]) {
          batch.push(row.map(cellOf));
          if (batch.length < size) continue;
          yield batch;
          batch = [];
        }
      }
      if (batch.length > 0) yield batch;
    },
  };
}

/** Whole numbers that JavaScript does not hold exactly stay as they are written. */
function cellOf(value: string | number | bigint | null): string | number | null {
  if (typeof value !== "bigint") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
