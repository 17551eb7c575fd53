/** telltale assign: which cluster each row of a file is in. */

import type { Command } from "commander";
import type { DeviceName } from "../../doors/inside.ts";
import { assignFile, openRun } from "../../doors/use.ts";
import { terminalText } from "../../text/terminalText.ts";
import { checkedGuard, stoppedWith, wrongUsage } from "../ending.ts";
import {
  deviceOption,
  formatOption,
  laterRowOptions,
  originalOption,
  type RowValues,
  rowsFrom,
  sourceFrom,
  withRows,
} from "../rows.ts";
import { counted } from "../tables.ts";
import { type CommonOptions, guardOption, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { formatFor, given } from "../values.ts";

const formats = ["csv", "jsonl", "parquet"] as const;
type Format = (typeof formats)[number];

interface Options extends CommonOptions, RowValues {
  readonly format?: Format;
  readonly out?: string;
  readonly force?: boolean;
  readonly guardFormulas?: boolean;
  readonly device?: DeviceName;
  readonly original?: boolean;
}

export function define(command: Command, around: Surroundings): void {
  command
    .argument("<run>", "a run folder")
    .argument("[source]", "a file with the same columns, or - for standard input")
    .addHelpText(
      "after",
      "\nEach row gets its ids (or its number in the file), the columns of --keep, cluster, cluster_name,\n" +
        "confidence, second (cluster), margin, distance and outlier.\n" +
        "confidence says how clear the choice is, 0 to 1. outlier says whether the row belongs there at all:\n" +
        "up to 1, the share of the cluster's rows that are less far out; 41, that it is 41 times as far out\n" +
        "as the farthest of them.",
    );
  withRows(command, [...laterRowOptions, "keep"])
    .addOption(deviceOption())
    .addOption(originalOption());
  withCommonOptions(
    command
      .optionsGroup("Output:")
      .addOption(formatOption(formats))
      .option("-o, --out <file>", "write to a file, whole or not at all, and not to standard output")
      .option("--force", "replace the file that is there")
      .addOption(guardOption()),
    "telltale assign runs/sensors new.parquet --format csv > assigned.csv",
    "telltale assign runs/sensors new.csv --keep all --out assigned.csv",
  );
  command.action((run: string, source: string | undefined, options: Options) => assign(run, source, options, around));
}

async function assign(path: string, source: string | undefined, options: Options, around: Surroundings): Promise<void> {
  const { out, force, guardFormulas, device } = options;
  const from = sourceFrom(source, options, "assign", "a file, or -");
  const format = options.format ?? formatFor(formats, out, options.json);
  if (format === "parquet" && out === undefined) {
    throw wrongUsage("parquet cannot go to standard output; name a file with --out");
  }
  checkedGuard(format, guardFormulas);
  const talk = new Talk(around, options);
  const made = assignFile(await openRun(path, given({ original: options.original })), from, {
    format,
    ...given({ out, force, guardFormulas, device }),
    ...rowsFrom(options),
    ...talk.events,
  });
  const { rows, dropped } = await made.catch((error) => {
    talk.clear();
    const left = out === undefined ? "the output is not complete" : `${out} was not written`;
    return stoppedWith(`stopped; ${left}`, error, around.signal);
  });
  const words = `${counted(rows, "row")} assigned${dropped ? `; ${droppedWords(dropped)}` : ""}`;
  if (out === undefined) talk.say(words);
  else talk.result({ rows, out, ...(dropped && { dropped }) }, () => terminalText(`${words}: ${out}`));
}

/** Of so many rows that are left out, their numbers are said. */
const mostNamed = 10;

function droppedWords(rows: readonly number[]): string {
  const named = `${rows.slice(0, mostNamed).join(", ")}${rows.length > mostNamed ? ", …" : ""}`;
  return `${counted(rows.length, "row")} left out, with missing values (${named})`;
}
