/** telltale fit: from a file to a run folder. */

import { basename } from "node:path";
import { type Command, Option } from "commander";
import type { DeviceName, Run } from "../../doors/inside.ts";
import { defaultMethod, fitRun, methods, resumeRun, sharedOptions } from "../../doors/learn.ts";
import { asUsage, stoppedWith } from "../ending.ts";
import { checkedOptions, type MethodChoice } from "../options.ts";
import { adviceAfterStop } from "../resume.ts";
import {
  deviceOption,
  everyRowOption,
  type RowValues,
  rowsFrom,
  sourceFrom,
  sourceKinds,
  storedSqlOption,
  withRows,
} from "../rows.ts";
import { fittedJson, fittedText } from "../summary.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { type Clusters, clusters, given, several, weights, wholeNumber } from "../values.ts";

interface Options extends CommonOptions, MethodChoice, RowValues {
  readonly clusters?: Clusters;
  readonly profile?: "paper" | "practical";
  readonly seed?: number;
  readonly device?: DeviceName;
  readonly network?: string;
  readonly weight?: Readonly<Record<string, number>>;
  readonly out?: string;
  readonly force?: boolean;
  readonly resume?: string;
  readonly snapshots?: number;
  readonly groups: boolean;
  readonly map: boolean;
  readonly report: boolean;
}

export function define(command: Command, around: Surroundings): void {
  command.argument("[source]", sourceKinds);
  command
    .optionsGroup("Clusters:")
    .addOption(
      new Option("-k, --clusters <n>", "how many: a number, a range such as 2-12, or auto")
        .argParser(clusters)
        .default(undefined, "auto"),
    )
    .addOption(
      new Option(
        "--method <name>",
        `how: ${Object.keys(methods).join(", ")}, or a JavaScript file with one of your own`,
      ).default(undefined, defaultMethod),
    )
    .addOption(
      new Option("--profile <name>", "practical, or as published").choices(["practical", "paper"]).default("practical"),
    )
    .addOption(
      new Option(
        "--teacher <who>",
        "who says which rows belong together: a teacher of ours by name, a file of labels (FILE or FILE:COLUMN), or a column of the rows",
      ).default(undefined, "the one that suits them best"),
    )
    .addOption(
      new Option("--effort <how>", "how long it may take")
        .choices(["quick", "normal", "thorough"])
        .default(undefined, "normal"),
    )
    .option("--seed <n>", "the same seed gives the same clusters", wholeNumber(), 1)
    .addOption(declared("epochs", 0))
    .addOption(declared("restarts", 1))
    .option("--set <name=value>", "any other option of the method; telltale methods NAME lists them", several)
    .option("--network <file>", "an ONNX encoder that turns rows into vectors and stays as it is")
    .addOption(deviceOption());
  withRows(command, everyRowOption).option(
    "--weight <name=number>",
    "how much a column weighs against the others, each of which weighs 1: price=2",
    weights,
  );
  withCommonOptions(
    command
      .optionsGroup("Output:")
      .addOption(
        new Option("-o, --out <folder>", "the run folder to write").default(undefined, "runs/NAME, as the source"),
      )
      .option("--force", "replace the run that is there")
      .option("--snapshots <n>", "keep the clusters at so many moments of training, up to 24", wholeNumber(1, 24))
      // A training goes on as it began: nothing that has been named up to here can be said about it again, but where
      // its method is.
      .addOption(new Option("--resume <run>", "go on with a training that was stopped").conflicts(named(command)))
      .addOption(storedSqlOption())
      .option("--no-groups", "do not ask whether there are groups at all, where k is given")
      .option("--no-map", "do not draw the map")
      .option("--no-report", "do not write report.html"),
    "telltale fit sensors.csv --clusters 6 --seed 1 --out runs/sensors",
    "telltale fit sensors.csv --teacher labels.csv",
    "telltale fit --resume runs/sensors",
  );
  command.action((source: string | undefined, options: Options) => fit(source, options, around));
}

/** What was said with --no-…: without it, a training goes on as it was begun. */
function onlyNo(flags: Readonly<Record<string, boolean>>): Record<string, false> {
  return Object.fromEntries(Object.keys(flags).flatMap((name) => (flags[name] ? [] : [[name, false as const]])));
}

function named(command: Command): string[] {
  return command.options.map((option) => option.attributeName()).filter((name) => name !== "method");
}

async function fit(source: string | undefined, options: Options, around: Surroundings): Promise<void> {
  const { groups, map, report, method, runStoredSql } = options;
  const start = options.resume === undefined ? await checked(source, options) : undefined;
  const out = start?.settings.out ?? options.resume!;
  const talk = new Talk(around, options);
  let run: Run;
  try {
    run = start
      ? await fitRun(start.source, { ...start.settings, ...talk.events })
      : await resumeRun(out, {
          ...given({ source, method, runStoredSql }),
          ...onlyNo({ groups, map, report }),
          ...talk.events,
        });
  } catch (error) {
    talk.clear();
    return stoppedWith(await adviceAfterStop(out, method), error, around.signal);
  }
  const found = await run.clusters();
  talk.result(fittedJson(run, found), () => fittedText(run, found));
}

/** Everything that can be wrong with the words is found before anything is opened. */
async function checked(source: string | undefined, options: Options) {
  const { method, teacher, effort, clusters, profile, seed, device, network, weight } = options;
  const { force, snapshots, groups, map, report } = options;
  const from = sourceFrom(source, options, "fit", "a file, a folder of images, or -");
  const settings = {
    ...given({ method, teacher, effort, clusters, profile, seed, device, network, weight, force, snapshots }),
    ...{ groups, map, report },
    ...rowsFrom(options),
    out: options.out ?? `runs/${nameOf(from)}`,
    options: await asUsage(() => checkedOptions(options)),
  };
  return { source: from, settings };
}

/** data/sensors.csv.gz → sensors */
export function nameOf(source: string): string {
  const name = basename(source)
    .replace(/\.gz$/i, "")
    .replace(/(?<=.)\.[a-z0-9]+$/i, "");
  return source === "-" ? "input" : name === "" || name === "." || name === ".." ? "rows" : name;
}

/** An option that every method has, as it is declared. */
function declared(name: "epochs" | "restarts", from: number): Option {
  const [first = "", ...rest] = sharedOptions[name].about.replace(/\.$/, "");
  const option = new Option(`--${name} <n>`, `${first.toLowerCase()}${rest.join("")}`);
  return option.argParser(wholeNumber(from)).default(undefined, "as the profile says");
}
