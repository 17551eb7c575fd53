/** What the rows that a run was fitted to are called, as its table of assignments has them. */

import { isThere } from "../../disk/isThere.ts";
import type { Ids } from "../../files/openedRows.ts";
import { Database, plainError, quoteName, quotePath } from "../../files/tables/database.ts";
import { checkParquet } from "../../files/tables/parquetOrJson.ts";
import type { Run } from "../folder/openRun.ts";
import { damaged } from "../folder/runFolder.ts";

/** Which columns of that table hold the ids: those between the number of the row and its cluster. */
export function idsAmong({ path, description: { source } }: Run, columns: readonly string[]): readonly string[] {
  const own = columns.slice(columns.indexOf("row") + 1, columns.indexOf("cluster"));
  if (own.length === source.ids.length) return own;
  const problem = `must have a column for each of ${source.ids.length} ids, it has ${own.length}`;
  throw damaged(path, "assignments.parquet", new RangeError(problem));
}

/** Nothing where rows have no names, or a model was only saved. */
export async function assignedIds(run: Run, reading: Reading): Promise<Ids | undefined> {
  const { ids: names } = run.description.source;
  const file = run.folder.file(run.place("assignments.parquet"));
  if (names.length === 0 || !(await isThere(file))) return undefined;
  return { names, inOrder: () => idsIn(run, file, reading) };
}

interface Reading {
  readonly memory?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

async function* idsIn(
  run: Run,
  file: string,
  { memory = 500, signal }: Reading,
): AsyncGenerator<readonly (readonly string[])[]> {
  await checkParquet(file, file);
  const settings = { memory, files: [file], ...(signal && { signal }) };
  const database = await Database.open(settings, (error) => plainError(file, error, memory));
  try {
    const from = `read_parquet(${quotePath(file)})`;
    const own = idsAmong(
      run,
      (await database.columns(`select * from ${from}`)).map(({ name }) => name),
    );
    const select = own.map((name) => `coalesce(${quoteName(name)}::varchar, '')`).join(", ");
    for await (const chunk of database.stream(`select ${select} from ${from} order by row`)) {
      yield chunk.getRows() as string[][];
    }
  } finally {
    database.close();
  }
}
