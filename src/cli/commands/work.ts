/** telltale work: runs the jobs of a sweep: those of a file, or those of a queue as they come. */

import { dirname } from "node:path";
import type { Command } from "commander";
import { Option } from "commander";
import { beginSweep, readJobs, type SweepJob, workQueue, workSweep } from "../../doors/inside.ts";
import { shellPath } from "../../text/shellText.ts";
import { Ending, stoppedWith, wrongUsage } from "../ending.ts";
import { storedSqlOption } from "../rows.ts";
import { checkWorked, tellJobs, workedText } from "../sweeping.ts";
import { counted } from "../tables.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { given, names, wholeNumber } from "../values.ts";

interface Options extends CommonOptions {
  readonly out?: string;
  readonly only?: readonly string[];
  readonly line?: number;
  readonly workers?: number;
  readonly queue?: string;
  readonly untilEmpty?: boolean;
  readonly ownMethods?: boolean;
  readonly runStoredSql?: boolean;
}

export function define(command: Command, around: Surroundings): void {
  command.argument("[jobs]", "jobs as JSON lines, as telltale sweep plan writes them");
  withCommonOptions(
    command
      .optionsGroup("Work:")
      .option(
        "--queue <address>",
        "take jobs from a queue: redis://… or postgres://… (npm install bullmq ioredis or pg)",
      )
      .option("--until-empty", "end once the queue is empty")
      .option("--own-methods", "let jobs name files of methods, which are code")
      .addOption(storedSqlOption())
      .option("--only <names>", "of the jobs, those of these names", names)
      .option("--line <n>", "of the jobs, the one of this line, from 1: for runners that count", wholeNumber(1))
      .addOption(
        new Option("--workers <n>", "fits at a time").argParser(wholeNumber(1)).default(undefined, "as cores allow"),
      )
      .optionsGroup("Output:")
      .addOption(
        new Option("-o, --out <folder>", "the folder of the sweep").default(
          undefined,
          "where the jobs are; with --queue, sweeps",
        ),
      ),
    "telltale work sweeps/sensors/jobs.jsonl",
    "telltale work jobs.jsonl --line $SLURM_ARRAY_TASK_ID --out /shared/sensors",
  );
  command.action((file: string | undefined, options: Options) => {
    const { queue } = options;
    if ((file === undefined) === (queue === undefined)) {
      throw wrongUsage("there must be either a file of jobs or a --queue; see telltale work --help");
    }
    return queue === undefined ? work(file!, options, around) : workFrom(queue, options, around);
  });
}

/** Jobs as they come, until it is told to stop or nothing is left. */
async function workFrom(address: string, options: Options, around: Surroundings): Promise<void> {
  const { signal } = around;
  const { out = "sweeps", workers, untilEmpty, ownMethods, runStoredSql } = options;
  const talk = new Talk(around, options);
  talk.expectSilence();
  const counts = await workQueue(address, {
    out,
    ...given({ workers, untilEmpty, ownMethods, runStoredSql }),
    signal,
    onEvent: (event) => {
      if (event.kind === "begun") talk.say(`${event.job} begun`);
      else if (event.kind === "again") talk.say(`${event.job} failed, and is tried again: ${event.problem}`);
      else {
        const words = {
          ...{ done: "done", there: "was there", "taken back": "was taken back" },
          failed: `failed: ${event.problem}`,
        };
        talk.say(`${event.job} ${words[event.how]}`);
      }
    },
  }).catch((error) => {
    talk.clear();
    return stoppedWith("stopped; what was under way is put back into the queue", error, signal);
  });
  talk.result(counts, () => `${counts.done} done, ${counts.failed} failed`);
  if (counts.failed > 0) throw new Ending(`${counted(counts.failed, "job")} failed`);
}

async function work(file: string, options: Options, around: Surroundings): Promise<void> {
  const { signal } = around;
  const { workers, ownMethods, runStoredSql } = options;
  const talk = new Talk(around, options);
  const { out = dirname(file) } = options;
  const all = await readJobs(file);
  const jobs = chosenOf(file, all, options);
  // All of them, whichever this worker does: its folder is the one of these jobs, and of no others.
  await beginSweep(out, all);
  const worked = await workSweep(jobs, {
    out,
    ...given({ workers, ownMethods, runStoredSql }),
    signal,
    onEvent: tellJobs(talk),
  }).catch((error) => {
    talk.clear();
    return stoppedWith(`stopped; go on with: telltale work ${shellPath(file)}`, error, signal);
  });
  talk.result(worked, () => workedText(worked));
  checkWorked(worked);
}

function chosenOf(file: string, jobs: readonly SweepJob[], { only, line }: Options): readonly SweepJob[] {
  if (only === undefined && line === undefined) return jobs;
  if (line !== undefined && line > jobs.length) {
    throw wrongUsage(`${file}: --line must be a line up to ${jobs.length}, got ${line}`);
  }
  const strange = only?.find((name) => !jobs.some((job) => job.name === name));
  if (strange !== undefined) throw wrongUsage(`${file}: --only must name its jobs, got ${strange}`);
  return jobs.filter((job, i) => only?.includes(job.name) || i + 1 === line);
}
