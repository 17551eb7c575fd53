/** dropped.csv: the rows that were left out, since a value is missing. */

import type { Dropped, Ids } from "../../files/openRows.ts";
import { openOutput } from "../../files/output/openOutput.ts";
import type { RunFolder } from "../folder/runFolder.ts";
import { idColumns } from "../use/assignFile.ts";

const row = { name: "row", type: "integer" } as const;

/** Their numbers in the file, and their ids where they have some. */
export async function writeDropped(folder: RunFolder, { rows, ids }: Dropped, names: Ids["names"] = []): Promise<void> {
  // People look at it in spreadsheets; no program reads it.
  const settings = { out: folder.output("dropped.csv"), guardFormulas: true };
  const output = await openOutput("csv", [row, ...idColumns(names, [row])], settings);
  try {
    await output.write(Array.from(rows, (number, i) => [number, ...(ids?.[i] ?? [])]));
    await output.end();
  } catch (error) {
    await output.abandon();
    throw error;
  }
}
