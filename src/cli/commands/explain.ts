/** telltale explain: why a row is in its cluster, in words and in parts that add up. */

import type { Command } from "commander";
import {
  besideWords,
  type DeviceName,
  explainFile,
  notUsed,
  oneLine,
  openRun,
  type RowExplanation,
} from "../../doors/inside.ts";
import { percent } from "../../text/shares.ts";
import { calledHere, wrongUsage } from "../ending.ts";
import { attentionTable, partsTable } from "../parts.ts";
import {
  checkOneSource,
  deviceOption,
  laterRowOptions,
  methodFileOption,
  originalOption,
  type RowValues,
  rowsFrom,
  storedSqlOption,
  withRows,
} from "../rows.ts";
import { cut, decimal, hanging, table } from "../tables.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { given, names, wholeNumber } from "../values.ts";

interface Options extends CommonOptions, RowValues {
  readonly row?: number;
  readonly id?: string;
  readonly idColumn?: readonly string[];
  readonly against?: number;
  readonly parts: number;
  readonly picture?: string;
  readonly force?: boolean;
  readonly device?: DeviceName;
  readonly method?: string;
  readonly original?: boolean;
}

export function define(command: Command, around: Surroundings): void {
  command
    .argument("<run>", "a run folder")
    .argument("[source]", "another file with the same columns; without it, the rows it was fitted to")
    .optionsGroup("Row:")
    .option("--row <n>", "which row, by its number in the file, from 0", wholeNumber())
    .option("--id <value>", "or which row, by what it is called in a column of ids")
    .option("--id-column <names>", "the columns that name a row, if not those of the fit", names)
    .option("--against <cluster>", "the cluster to compare with, and not the second nearest", wholeNumber())
    .option("--parts <n>", "how many parts to show one by one", wholeNumber(1), 10)
    .option("--picture <file>", "of images: a PNG of the row, the other exemplar, and what each pixel adds")
    .option("--force", "replace the picture that is there");
  withRows(
    command,
    laterRowOptions.filter((name) => name !== "id"),
  )
    .addOption(storedSqlOption())
    .addOption(deviceOption())
    .addOption(methodFileOption())
    .addOption(originalOption());
  withCommonOptions(
    command,
    "telltale explain runs/sensors --row 17 --against 3",
    "telltale explain runs/sensors --id pump-00042",
  );
  command.action(async (path: string, source: string | undefined, options: Options) => {
    const { row, id, idColumn, against, parts, picture, force, device, method, original, ...values } = options;
    if ((row === undefined) === (id === undefined)) {
      throw wrongUsage("say which row: its number with --row, or what it is called with --id (one of the two)");
    }
    checkOneSource(source, values.sql);
    const talk = new Talk(around, options);
    const run = await openRun(path, given({ original }));
    const explanation = await explainFile(run, {
      ...given({ row, id, source, against, picture, force, device, method }),
      ...rowsFrom({ ...values, ...(idColumn && { id: idColumn }) }),
      signal: around.signal,
    }).catch((error) => calledHere(error, "id", "id-column"));
    talk.result(explanation, () => explained(explanation, parts, talk.width));
  });
}

function explained(explanation: RowExplanation, most: number, width: number): string {
  const { row, id, words, placement, why, attention, beside } = explanation;
  const { confidence, margin, distance, outlier } = placement;
  const numbers = [
    `confidence ${percent(confidence, 1)}`,
    `margin ${decimal(margin)}`,
    `distance ${decimal(distance)}`,
    ...(outlier === undefined ? [] : [`outlier ${decimal(outlier)}`]),
  ];
  return [
    hanging(`row ${row}${id === undefined || id === "" ? "" : ` (${cut(id, 40)})`}: `, words, width),
    numbers.join(", "),
    ...(why ? ["", partsTable(why, most, width)] : []),
    ...(attention ? ["", attentionTable(attention, most, width)] : []),
    ...(beside ? ["", `columns ${notUsed}:`, besideTable(beside, placement.cluster, width)] : []),
  ].join("\n");
}

/** Letters of a text: what a cluster's texts have in common is worth more room. */
const longestValue = 30;

function besideTable(beside: NonNullable<RowExplanation["beside"]>, cluster: number, width: number): string {
  const columns = [{ title: "column" }, { title: "row" }, { title: `cluster ${cluster}` }];
  const lines = beside.map(({ column, value, cluster: says }) => [
    oneLine(column, longestValue),
    valueWords(value),
    besideWords(says),
  ]);
  return table(columns, lines, width);
}

function valueWords(value: string | number | null = null): string {
  if (value === null) return "";
  return typeof value === "string" ? oneLine(value, longestValue) : decimal(value);
}
