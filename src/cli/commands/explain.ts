/** telltale explain: why a row is in its cluster, in words and in parts that add up. */

import type { Command } from "commander";
import {
  besideWords,
  type DeviceName,
  type Explanation,
  explainFile,
  notUsed,
  oneLine,
  openRun,
} from "../../doors/inside.ts";
import { partsTable } from "../parts.ts";
import {
  deviceOption,
  laterRowOptions,
  methodFileOption,
  type RowValues,
  rowsFrom,
  storedSqlOption,
  withRows,
} from "../rows.ts";
import { decimal, hanging, percent, table } from "../tables.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { given, wholeNumber } from "../values.ts";

interface Options extends CommonOptions, RowValues {
  readonly row: number;
  readonly against?: number;
  readonly parts: number;
  readonly picture?: string;
  readonly force?: boolean;
  readonly device?: DeviceName;
  readonly method?: string;
}

export function define(command: Command, around: Surroundings): void {
  command
    .argument("<run>", "a run folder")
    .argument("[source]", "another file with the same columns; without it, the rows it was fitted to")
    .optionsGroup("Row:")
    .requiredOption("--row <n>", "which row, from 0", wholeNumber())
    .option("--against <cluster>", "the cluster to compare with, and not the second nearest", wholeNumber())
    .option("--parts <n>", "how many parts to show one by one", wholeNumber(1), 10)
    .option("--picture <file>", "of images: a PNG of the row, the other exemplar, and what each pixel adds")
    .option("--force", "replace the picture that is there");
  withRows(command, laterRowOptions)
    .addOption(storedSqlOption())
    .addOption(deviceOption())
    .addOption(methodFileOption());
  withCommonOptions(command, "telltale explain runs/sensors --row 17 --against 3");
  command.action(async (path: string, source: string | undefined, options: Options) => {
    const { row, against, parts, picture, force, device, method } = options;
    const talk = new Talk(around, options);
    const run = await openRun(path);
    const explanation = await explainFile(run, {
      row,
      ...given({ source, against, picture, force, device, method }),
      ...rowsFrom(options),
      signal: around.signal,
    });
    talk.result(explanation, () => explained(explanation, row, parts, talk.width));
  });
}

function explained({ words, placement, why, beside }: Explanation, row: number, most: number, width: number): string {
  const { confidence, margin, distance, outlier } = placement;
  const numbers = [
    `confidence ${percent(confidence)}`,
    `margin ${decimal(margin)}`,
    `distance ${decimal(distance)}`,
    ...(outlier === undefined ? [] : [`outlier ${decimal(outlier)}`]),
  ];
  return [
    hanging(`row ${row}: `, words, width),
    numbers.join(", "),
    ...(why ? ["", partsTable(why, most, width)] : []),
    ...(beside ? ["", `columns ${notUsed}:`, besideTable(beside, placement.cluster, width)] : []),
  ].join("\n");
}

/** Letters of a text: what a cluster's texts have in common is worth more room. */
const longestValue = 30;

function besideTable(beside: NonNullable<Explanation["beside"]>, cluster: number, width: number): string {
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
