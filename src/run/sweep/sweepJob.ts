/** A job of a sweep: one fit, as a line of JSON that any runner can hand to any worker. */

import { join } from "node:path";
import type * as v from "valibot";
import { cannotWrite } from "../../disk/cannotWrite.ts";
import { isThere } from "../../disk/isThere.ts";
import { readRegular } from "../../disk/regularFile.ts";
import { writeWhole } from "../../disk/writeWhole.ts";
import { isPostgres } from "../../files/recognize.ts";
import { parseJson } from "../../formats/json.ts";
import {
  byName,
  flag,
  number,
  object,
  perhaps,
  problemIn,
  text,
  unknown,
  value,
  wholeNumber,
} from "../../formats/schema.ts";
import { oneLine } from "../../text/oneLine.ts";
import { mostClusters, profile } from "../../training/fitSchemas.ts";
import { isMethodFile } from "../../worker/methodFile.ts";
import { rowOptions, type SourceDescription } from "../folder/schemas/runDescription.ts";

/** It becomes a folder: no path, and nothing hidden. */
export const plainName = value<string>(
  "a name of letters, digits, dots, - and _ that begins with a letter or a digit",
  (name) => typeof name === "string" && /^[A-Za-z0-9][\w.-]{0,99}$/.test(name),
);

export const sweepJob = object({
  /** What its run is called; no other job of the sweep has it. */
  name: plainName,
  /** Where the rows are: a path that is the same for every worker. */
  source: text,
  rows: perhaps(rowOptions),
  method: text,
  clusters: wholeNumber(1, mostClusters),
  seed: wholeNumber(0),
  profile,
  options: byName(unknown),
  weight: perhaps(byName(number)),
  /** The name of the pretraining that it shares with other jobs. */
  pretraining: perhaps(plainName),
  /** How many threads compute: the same number gives the same bits on every worker. */
  threads: wholeNumber(1, 1024),
  map: flag,
  report: flag,
});

export type SweepJob = v.InferOutput<typeof sweepJob>;

/** What a job says, checked: it may come from anywhere. */
export function checkedJob(where: string, found: unknown): SweepJob {
  const problem = problemIn(where, sweepJob, found);
  if (problem) throw new TypeError(problem);
  return found as SweepJob;
}

/** What a worker does for jobs that others may have written. */
export interface JobTrust {
  /** Runs methods of one's own, which are files of code. */
  readonly ownMethods?: boolean;
  /** Runs queries, and asks databases. */
  readonly runStoredSql?: boolean;
}

/** What a job names is run only where somebody says so. */
export class Untrusted extends TypeError {}

/** A job is a line of data, which may come from anybody. */
export function checkTrusted(
  { name, method, source, rows }: SweepJob,
  { ownMethods = false, runStoredSql = false }: JobTrust,
): void {
  if (isMethodFile(method) && !ownMethods) {
    throw new Untrusted(
      `${name}: its method is code in a file, ${oneLine(method, 200)}, and is not run unless you say --own-methods (ownMethods: true)`,
    );
  }
  if (runStoredSql || (rows?.sql === undefined && !isPostgres(source))) return;
  throw new Untrusted(
    `${name}: its rows come from a query or a database, and neither is asked unless you say --run-stored-sql (runStoredSql: true): ${oneLine(rows?.sql ?? source, 200)}`,
  );
}

/** A run's folder may have come from anybody: a query or a database that it names is the one of its job. */
export function checkAsksAs(
  job: Pick<SweepJob, "source" | "rows">,
  path: string,
  { name, path: file = name, options }: Pick<SourceDescription, "name" | "path" | "options">,
): void {
  const isSame = options.sql === job.rows?.sql && (!isPostgres(file) || file === job.source);
  if (isSame || (options.sql === undefined && !isPostgres(file))) return;
  throw new RangeError(
    `${path}: its rows come from a query or a database that its job does not name; remove that folder, and telltale work makes the run again: ${oneLine(options.sql ?? file, 200)}`,
  );
}

export function jobLines(jobs: readonly SweepJob[]): string {
  return jobs.map((job) => `${JSON.stringify(job)}\n`).join("");
}

const longestFile = 2 ** 26;

/** The jobs of a file of JSON lines; each has a name of its own. */
export async function readJobs(file: string): Promise<readonly SweepJob[]> {
  const lines = new TextDecoder().decode(await readRegular(file, longestFile)).split("\n");
  const jobs = lines.flatMap((line, i) => {
    if (line.trim() === "") return [];
    const where = `${file}: line ${i + 1}`;
    try {
      return [checkedJob(where, parseJson(line))];
    } catch (error) {
      if (error instanceof TypeError) throw error;
      throw new TypeError(`${where} must be a job as JSON (${(error as Error).message})`);
    }
  });
  if (jobs.length === 0) throw new RangeError(`${file}: there must be a job at least, got none`);
  const names = new Set<string>();
  const again = jobs.find(({ name }) => names.size === names.add(name).size);
  if (again) throw new RangeError(`${file}: each job must have a name of its own, got ${again.name} twice`);
  return jobs;
}

/**
 * Makes a folder that of a sweep. One that has the same jobs goes on where it was; one that has others is refused,
 * since their runs would be taken for these, and so is one that has a file of somebody's where the answer is written.
 */
export async function beginSweep(out: string, jobs: readonly SweepJob[]): Promise<void> {
  const { jobs: file, answer, report, consensus } = placesIn(out);
  if (await isThere(file)) {
    if (jobLines(await readJobs(file)) === jobLines(jobs)) return;
    throw new RangeError(`${out}: is there already, with other jobs; choose another folder`);
  }
  for (const place of [answer, report, consensus]) {
    if (!(await isThere(place))) continue;
    throw new RangeError(`${place}: is there already, and no sweep has written it; choose another folder`);
  }
  await writeWhole(file, new TextEncoder().encode(jobLines(jobs))).catch((error) => {
    throw cannotWrite(out, error);
  });
}

/** Where the parts of a sweep lie in its folder. */
export const placesIn = (out: string) => ({
  jobs: join(out, "jobs.jsonl"),
  runs: join(out, "runs"),
  answer: join(out, "sweep.json"),
  report: join(out, "report.html"),
  consensus: join(out, "consensus.csv"),
  runOf: ({ name }: Pick<SweepJob, "name">) => join(out, "runs", name),
  /** Runs that are not whole yet: each machine has its own. */
  workOf: ({ name }: Pick<SweepJob, "name">, host: string) => join(out, "work", host, name),
  /** What is said of jobs: each machine has its own place for that. */
  notes: join(out, "state"),
  noteOf: ({ name }: Pick<SweepJob, "name">, host: string) => join(out, "state", host, `${name}.json`),
  pretraining: (name: string) => join(out, "pretrainings", `${name}.safetensors`),
});
