/** telltale inspect: what is in a file, before anything is learned from it. */

import type { Command } from "commander";
import { type ColumnReport, inspectRows } from "../../doors/inside.ts";
import { columnTable, roleLegend } from "../columns.ts";
import { stoppedWith } from "../ending.ts";
import { everyRowOption, type RowValues, rowsFrom, sourceFrom, sourceKinds, withRows } from "../rows.ts";
import { counted, hanging } from "../tables.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";

interface Options extends CommonOptions, RowValues {}

export function define(command: Command, around: Surroundings): void {
  command
    .argument("[source]", sourceKinds)
    .addHelpText("after", "\nWith the options of fit it says what fit would do with each column. Nothing is written.");
  withRows(command, everyRowOption);
  withCommonOptions(command, "telltale inspect sensors.csv", "telltale inspect sensors.csv --encode firmware --json");
  command.action((source: string | undefined, options: Options) => inspect(source, options, around));
}

async function inspect(source: string | undefined, options: Options, around: Surroundings): Promise<void> {
  const from = sourceFrom(source, options, "inspect", "a file, a folder of images, or -");
  const talk = new Talk(around, options);
  const found = await inspectRows(from, { ...rowsFrom(options).rows, signal: around.signal }).catch((error) =>
    stoppedWith("stopped", error, around.signal),
  );
  const { rows, columns, description } = found;
  // Reasons want room.
  const width = Math.min(140, around.out.columns || 120);
  const first = hanging("", `${counted(rows, "row")}: ${description}`, width);
  const refusal = refusalWords(columns, options.missing !== undefined);
  const words = [
    ...[first, columnTable(columns, width), roleLegend(columns, width)],
    ...(refusal === undefined ? [] : [hanging("", refusal, width)]),
  ];
  talk.result(found, () => words.join("\n\n"));
}

/** Why a fit would be refused, although the file can be read. */
function refusalWords(columns: readonly ColumnReport[], isMissingSaid: boolean): string | undefined {
  const used = columns.filter(({ isUsed }) => isUsed);
  if (used.length === 0) return "fit refuses this: nothing is learned from; say what is, with --columns or --encode";
  const holed = used.filter(({ missing }) => missing > 0).length;
  if (holed === 0 || isMissingSaid) return undefined;
  return `fit refuses this: values are missing in ${holed === 1 ? "a column" : `${holed} columns`} that ${holed === 1 ? "is" : "are"} learned from; say --missing mean or --missing drop`;
}
