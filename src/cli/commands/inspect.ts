/** telltale inspect: what is in a file, before anything is learned from it. */

import type { Command } from "commander";
import { inspectRows } from "../../doors/inside.ts";
import { columnTable, roleLegend } from "../columns.ts";
import { stoppedWith, wrongUsage } from "../ending.ts";
import { everyRowOption, type RowValues, rowsFrom, withRows } from "../rows.ts";
import { counted, hanging } from "../tables.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";

interface Options extends CommonOptions, RowValues {}

export function define(command: Command, around: Surroundings): void {
  command
    .argument("[source]", "CSV, JSON lines, Parquet, .npy, .npz, IDX, a folder of images, or - for standard input")
    .addHelpText("after", "\nWith the options of fit it says what fit would do with each column. Nothing is written.");
  withRows(command, everyRowOption);
  withCommonOptions(command, "telltale inspect sensors.csv", "telltale inspect sensors.csv --encode firmware --json");
  command.action((source: string | undefined, options: Options) => inspect(source, options, around));
}

async function inspect(source: string | undefined, options: Options, around: Surroundings): Promise<void> {
  if (source === undefined && options.sql === undefined) {
    throw wrongUsage(
      "missing required argument 'source': a file, a folder of images, or - ; see telltale inspect --help",
    );
  }
  const talk = new Talk(around, options);
  const found = await inspectRows(source ?? "sql", { ...rowsFrom(options).rows, signal: around.signal }).catch(
    (error) => stoppedWith("stopped", error, around.signal),
  );
  const { rows, columns, description } = found;
  // Reasons want room.
  const width = Math.min(140, around.out.columns || 120);
  const first = hanging("", `${counted(rows, "row")}: ${description}`, width);
  const words = [first, columnTable(columns, width), roleLegend(columns, width)];
  talk.result(found, () => words.join("\n\n"));
}
