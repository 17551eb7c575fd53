/** telltale sweep: many fits, one answer. Planned, run and collected at once, or step by step. */

import type { Command } from "commander";
import { InvalidArgumentError, Option } from "commander";
import {
  beginSweep,
  cancelSweep,
  collectSweep,
  jobLines,
  type Method,
  type Option as MethodOption,
  methods,
  planSweep,
  queueSweep,
  readJobs,
  readPlan,
  type SweepAnswer,
  type SweepJob,
  type SweepOptions,
  sharedOptions,
  type TakenBack,
  workSweep,
} from "../../doors/inside.ts";
import { shellPath } from "../../text/shellText.ts";
import { asUsage, stoppedWith, wrongUsage } from "../ending.ts";
import { methodFrom, typed } from "../options.ts";
import { everyRowOption, type RowValues, rowsFrom, sourceFrom, storedSqlOption, withRows } from "../rows.ts";
import { answerText, checkWorked, tellJobs } from "../sweeping.ts";
import { counted } from "../tables.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { given, names, numberList, several, weights, wholeNumber } from "../values.ts";
import { nameOf } from "./fit.ts";

interface Options extends CommonOptions, RowValues {
  readonly method?: readonly string[];
  readonly clusters?: readonly number[];
  readonly seeds?: readonly number[];
  readonly set?: readonly string[];
  readonly from?: string;
  readonly profile?: "paper" | "practical";
  readonly weight?: Readonly<Record<string, number>>;
  readonly threads?: number;
  readonly workers?: number;
  readonly queue?: string;
  readonly out?: string;
  readonly map?: boolean;
  readonly report?: boolean;
  readonly ownMethods?: boolean;
}

const steps = ["plan", "collect", "resume", "cancel"] as const;
type Step = (typeof steps)[number];

export function define(command: Command, around: Surroundings): void {
  command
    .argument(
      "[step]",
      "plan: print the jobs, or write them to --out; collect: merge the runs of a sweep's folder; resume: run what is missing there, and collect; cancel: take back what a queue still has of it",
    )
    .argument("[source]", "the rows, as for fit; for the other steps, the folder of a sweep");
  command.usage(
    "[plan] SOURCE [options]\n       telltale sweep collect|resume FOLDER [--queue ADDRESS] [--run-stored-sql]\n       telltale sweep cancel FOLDER --queue ADDRESS",
  );
  command
    .optionsGroup("What is tried:")
    .option("--method <names>", `methods with commas between them: ${Object.keys(methods).join(", ")}`, names)
    .addOption(
      new Option("-k, --clusters <numbers>", "numbers of clusters: 3-6, or 3,5,8")
        .argParser(numberList(1))
        .default(undefined, "2-8"),
    )
    .addOption(
      new Option("--seeds <numbers>", "how many seeds, or which: 5, 11-15 or 3,7; every setting has the same")
        .argParser(seeds)
        .default(undefined, "3"),
    )
    .option("--set <name=values>", "values of an option with / between them: lambda=0.1/0.5", several)
    .addOption(new Option("--profile <name>", "practical, or as published").choices(["practical", "paper"]))
    .option("--from <file>", "a JSON file that says all of this; what is said here overrules it");
  withRows(command, everyRowOption).option("--weight <name=number>", "how much a column weighs: price=2", weights);
  withCommonOptions(
    command
      .optionsGroup("Work:")
      .addOption(
        new Option("--workers <n>", "fits at a time").argParser(wholeNumber(1)).default(undefined, "as cores allow"),
      )
      .option("--queue <address>", "have it done by workers of a queue (telltale work): redis://… or postgres://…")
      .addOption(storedSqlOption())
      .option("--own-methods", "for sweep resume: let jobs name files of methods, which are code")
      .addOption(new Option("--threads <n>", "threads of each fit").argParser(wholeNumber(1)).default(undefined, "1"))
      .optionsGroup("Output:")
      .addOption(new Option("-o, --out <folder>", "the folder of the sweep").default(undefined, "sweeps/NAME"))
      .option("--map", "draw the map of each run")
      .option("--report", "write the report of each run"),
    "telltale sweep sensors.csv --method telltale,kmeans --clusters 2-6 --seeds 3",
    "telltale sweep plan sensors.csv --clusters 2-6 > jobs.jsonl",
  );
  command.action((first: string | undefined, second: string | undefined, options: Options) => {
    const step = steps.find((each) => each === first && (second !== undefined || options.sql !== undefined));
    const source = step ? second : first;
    if (!step && second !== undefined) {
      throw wrongUsage(`the step must be one of ${steps.join(", ")}, got ${first}; see telltale sweep --help`);
    }
    return sweep(step, source, options, around);
  });
}

async function sweep(
  step: Step | undefined,
  source: string | undefined,
  options: Options,
  around: Surroundings,
): Promise<void> {
  const talk = new Talk(around, options);
  const { signal } = around;
  if (step !== undefined && step !== "plan") {
    const { queue, ownMethods = false, runStoredSql = false } = options;
    const trust = { ownMethods, runStoredSql };
    const ofFolder = {
      collect: async () => showAnswer(talk, source!, await collected(talk, source!, signal, runStoredSql)),
      resume: async () => done(talk, source!, await readJobs(`${source}/jobs.jsonl`), { ...trust, ...options, signal }),
      cancel: async () => showTakenBack(talk, await cancelSweep(queue!, source!)),
    };
    if (step === "cancel" && queue === undefined) throw wrongUsage("cancel needs the --queue that has the jobs");
    return ofFolder[step]();
  }
  if (options.runStoredSql) {
    throw wrongUsage("--run-stored-sql is for sweep collect and resume; a sweep's own query runs anyhow");
  }
  const from = sourceFrom(source, options, "sweep", "a file or a folder of images");
  const wanted = await asUsage(() => wantedOf(options));
  const jobs = await planSweep(from, { ...wanted, signal });
  if (step === "plan" && options.out === undefined) {
    talk.clear();
    around.out.write(jobLines(jobs));
    return;
  }
  const out = options.out ?? `sweeps/${nameOf(from)}`;
  await beginSweep(out, jobs);
  if (step === "plan") {
    return talk.result(
      { out, jobs: jobs.length },
      () => `${counted(jobs.length, "job")}: ${shellPath(`${out}/jobs.jsonl`)}`,
    );
  }
  // These jobs are the person's own words.
  await done(talk, out, jobs, { ...options, ownMethods: true, runStoredSql: true, signal });
}

interface DoneOptions extends Pick<Options, "queue" | "workers"> {
  readonly ownMethods: boolean;
  readonly runStoredSql: boolean;
  readonly signal: AbortSignal;
}

/** Runs the jobs that have no run yet, here or by a queue, and says what came of all. */
async function done(talk: Talk, out: string, jobs: readonly SweepJob[], options: DoneOptions): Promise<void> {
  const { queue, workers, ownMethods, runStoredSql, signal } = options;
  talk.say(`${counted(jobs.length, "fit")} to ${out}/runs`);
  const work = queue === undefined ? workSweep : queueSweep.bind(undefined, queue);
  const onEvent = tellJobs(talk);
  const worked = await work(jobs, { out, ...given({ workers }), ownMethods, runStoredSql, signal, onEvent }).catch(
    (error) => {
      talk.clear();
      const again = `telltale sweep resume ${shellPath(out)}${queue === undefined ? "" : " --queue …"}`;
      return stoppedWith(`stopped; go on with: ${again}`, error, signal);
    },
  );
  if (worked.done + worked.there > 0) showAnswer(talk, out, await collected(talk, out, signal, runStoredSql));
  talk.clear();
  checkWorked(worked);
}

function showTakenBack(talk: Talk, taken: TakenBack): void {
  const { waiting, stopping } = taken;
  talk.result(taken, () => `${counted(waiting, "job")} taken back; ${counted(stopping, "job")} told to stop`);
}

function collected(talk: Talk, out: string, signal: AbortSignal, runStoredSql = false): Promise<SweepAnswer> {
  const { onEvent } = talk.events;
  return collectSweep(out, {
    runStoredSql,
    signal,
    onTried: (done, total) => onEvent({ kind: "stage", stage: "trying numbers of clusters", done, total }),
  });
}

function showAnswer(talk: Talk, out: string, answer: SweepAnswer): void {
  talk.result(answer, () => answerText(answer, out, talk.width));
}

/** What is to be tried, by the file and by what is said beside it. */
async function wantedOf(options: Options): Promise<SweepOptions> {
  const { method, clusters, seeds, set = [], from, profile, weight, threads, map, report } = options;
  const file = from === undefined ? {} : await readPlan(from);
  const methods = method ?? file.methods;
  const rows = { ...file.rows, ...rowsFrom(options).rows };
  return {
    ...file,
    ...given({ methods, clusters, seeds, profile, weight, threads, map, report }),
    ...(Object.keys(rows).length > 0 && { rows }),
    options: { ...file.options, ...(await valuesOf(set, methods ?? [])) },
  };
}

/** lambda=0.1/0.5 as the values that the option's declaration makes of them. */
async function valuesOf(set: readonly string[], methods: readonly string[]): Promise<Record<string, unknown[]>> {
  const known: Method[] = [];
  for (const name of methods.length > 0 ? methods : ["telltale"]) known.push(await methodFrom(name));
  const entries = set.map((text) => {
    const [, name, values] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(text) ?? [];
    if (name === undefined) throw new RangeError(`--set must be name=values, such as lambda=0.1/0.5, got "${text}"`);
    const tables: readonly Readonly<Record<string, MethodOption>>[] = [
      sharedOptions,
      ...known.map((one) => one.options),
    ];
    const option = tables.find((table) => Object.hasOwn(table, name))?.[name];
    return [name, values!.split("/").map((value) => typed(option, value.trim()))] as const;
  });
  return Object.fromEntries(entries);
}

/** More fits of one setting say nothing new. */
const mostSeeds = 1000;

/** 5 is five of them, from 1. */
function seeds(text: string): readonly number[] {
  const found = numberList(0)(text);
  if (!/^\d+$/.test(text.trim())) return found;
  const [count] = found;
  if (count! < 1 || count! > mostSeeds) {
    throw new InvalidArgumentError(`It must be how many, from 1 to ${mostSeeds}, or which, such as 11-15 or 3,7.`);
  }
  return Array.from({ length: count! }, (_, i) => i + 1);
}
