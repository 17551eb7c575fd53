/** telltale eval: a run against classes that are known. */

import type { Command } from "commander";
import { evaluateRun, openRun } from "../../doors/inside.ts";
import { calledHere } from "../ending.ts";
import { memoryOption, originalOption, storedSqlOption } from "../rows.ts";
import { table } from "../tables.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { given } from "../values.ts";

interface Options extends CommonOptions {
  readonly labels?: string;
  readonly column?: string;
  readonly runStoredSql?: boolean;
  readonly memory?: number;
  readonly original?: boolean;
}

export function define(command: Command, around: Surroundings): void {
  command
    .argument("<run>", "a run folder")
    .addHelpText("after", "\nScores are from 0 (chance, or worse) to 1 (perfect). Nothing learns from the classes.")
    .optionsGroup("Classes:")
    .option("--labels <file>", "a class for each row, by id or in order; without it, the run's label column")
    .option("--column <name>", "the column that holds them")
    .addOption(memoryOption())
    .addOption(storedSqlOption())
    .addOption(originalOption());
  withCommonOptions(command, "telltale eval runs/sensors --labels labels.npy.gz --json");
  command.action(
    async (path: string, { labels: file, column, runStoredSql, memory, original, ...options }: Options) => {
      const talk = new Talk(around, options);
      const reading = { ...given({ file, column, runStoredSql, memory }), signal: around.signal };
      const run = await openRun(path, given({ original }));
      const scores = await evaluateRun(run, reading).catch((error) => calledHere(error, "label", "column"));
      const rows = Object.entries(scores).map(([name, value]) => [name, value.toFixed(4)]);
      talk.result(scores, () => table([{ title: "score" }, { title: "value", align: "right" }], rows));
    },
  );
}
