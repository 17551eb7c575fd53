/** From what is to be tried to jobs: every method with every number of clusters, option and seed. */

import { resolve } from "node:path";
import { sha256 } from "../../disk/sha256.ts";
import { type OpenOptions, openRows } from "../../files/openRows.ts";
import { isPostgres } from "../../files/recognize.ts";
import { defaultMethod } from "../../methods/index.ts";
import { methodOf } from "../../methods/methodOf.ts";
import { suitedPlan } from "../../model/fitOptions.ts";
import { resolve as resolveOptions } from "../../options.ts";
import type { Method, Profile } from "../../training/method.ts";
import { isOpenToPlainRows } from "../../training/plainRows.ts";
import { sharedOptions } from "../../training/sharedOptions.ts";
import { isMethodFile, readMethodFile } from "../../worker/methodFile.ts";
import { pretrainingWords } from "../fitting/sharedPretraining.ts";
import type { SweepJob } from "./sweepJob.ts";

/** What is to be tried. */
export interface SweepOptions {
  /** By name, or files of one's own. */
  readonly methods?: readonly string[];
  readonly clusters?: readonly number[];
  /** The same for every setting, so that settings are compared seed by seed. */
  readonly seeds?: readonly number[];
  /** The values of an option, each tried with those of all others. A method that does not know it goes without. */
  readonly options?: Readonly<Record<string, readonly unknown[]>>;
  readonly profile?: Profile;
  readonly rows?: OpenOptions;
  readonly weight?: Readonly<Record<string, number>>;
  /** Threads of each fit. */
  readonly threads?: number;
  readonly map?: boolean;
  readonly report?: boolean;
  readonly signal?: AbortSignal;
}

/** More than this is a mistake, or needs a plan that is made by other means. */
const mostJobs = 100_000;

/** All that may be wrong with a job is found here, before the first one begins. */
export async function planSweep(source: string, options: SweepOptions = {}): Promise<readonly SweepJob[]> {
  const { methods = [defaultMethod], clusters = range(2, 8), seeds = range(1, 3), profile = "practical" } = options;
  const { threads = 1, map = false, report = false, weight, signal } = options;
  if (source === "-") throw new RangeError("sweep: the rows must be a file, since every worker reads them");
  const { input: _, signal: __, runStoredSql: ___, withBeside: ____, keep: _____, ...rows } = options.rows ?? {};
  const isPath = rows.sql === undefined && !isPostgres(source);
  const known = await Promise.all(methods.map(methodFrom));
  const varied = checkedOptions(known, options.options ?? {});
  const settings = known.flatMap(({ name, method }) =>
    combinations(Object.entries(varied).filter(([option]) => isKnown(method, option))).map((own) => ({
      ...{ name, method, own },
    })),
  );
  const count = settings.length * clusters.length * seeds.length;
  if (count === 0) throw new RangeError("sweep: there must be a method, a number of clusters and a seed at least");
  if (count > mostJobs) throw new RangeError(`sweep: there may be ${mostJobs} jobs at most, got ${count}`);
  const opened = await openRows(source, { ...rows, ...(signal && { signal }) });
  try {
    const { data, features } = opened;
    const jobs: Omit<SweepJob, "name">[] = [];
    const words: (string | undefined)[] = [];
    for (const { name, method, own } of settings) {
      for (const k of clusters) {
        for (const seed of seeds) {
          const said = { clusters: k, profile, seed, options: own, ...(weight && { weight }) };
          const limits = { ...(rows.memory !== undefined && { memory: rows.memory }), ...(signal && { signal }) };
          const plan = await suitedPlan(method, data, {
            ...said,
            ...limits,
            ...(features.length > 0 && { columns: features }),
          });
          resolveOptions(method.name, { ...sharedOptions, ...method.options }, own);
          words.push(isOpenToPlainRows(plan) ? undefined : await pretrainingWords(plan, data, weight));
          jobs.push({
            source: isPath ? resolve(source) : source,
            ...(Object.keys(rows).length > 0 && { rows }),
            method: name,
            ...said,
            ...{ threads, map, report },
          });
        }
      }
    }
    return numbered(jobs, words);
  } finally {
    await opened.close();
  }
}

/**
 * Jobs with names. What several of them begin with is shared; the first of each such group comes first, so that two
 * workers seldom make the same.
 */
function numbered(jobs: readonly Omit<SweepJob, "name">[], words: readonly (string | undefined)[]): SweepJob[] {
  const uses = new Map<string, number>();
  for (const each of words) if (each !== undefined) uses.set(each, (uses.get(each) ?? 0) + 1);
  const isShared = (i: number): boolean => words[i] !== undefined && uses.get(words[i])! > 1;
  const isFirst = (i: number): boolean => isShared(i) && words.indexOf(words[i]) === i;
  const order = [...jobs.keys()].sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)) || a - b);
  const digits = String(jobs.length).length;
  return order.map((i, at) => {
    const job = jobs[i]!;
    const method = job.method.replace(/^.*[/\\]|\.[cm]?[jt]s$/g, "").replaceAll(/[^\w.-]/g, "_");
    const name = `${String(at + 1).padStart(digits, "0")}-${method.slice(0, 40)}-k${job.clusters}-s${job.seed}`;
    const shared = isShared(i) && { pretraining: sha256(new TextEncoder().encode(words[i])).slice(0, 16) };
    return { name, ...job, ...shared };
  });
}

async function methodFrom(name: string): Promise<{ readonly name: string; readonly method: Method }> {
  if (!isMethodFile(name)) return { name, method: methodOf(name) };
  const { method, path } = await readMethodFile(name);
  return { name: path, method };
}

const isKnown = ({ options }: Method, name: string): boolean =>
  Object.hasOwn(sharedOptions, name) || Object.hasOwn(options, name);

function checkedOptions(
  methods: readonly { readonly method: Method }[],
  options: Readonly<Record<string, readonly unknown[]>>,
): Readonly<Record<string, readonly unknown[]>> {
  const strange = Object.keys(options).find((name) => !methods.some(({ method }) => isKnown(method, name)));
  if (strange !== undefined) {
    throw new RangeError(
      `sweep: options must be known to a method, got ${strange}; telltale methods NAME lists those of each`,
    );
  }
  const empty = Object.keys(options).find((name) => options[name]!.length === 0);
  if (empty !== undefined) throw new RangeError(`sweep: ${empty} must have a value at least, got none`);
  return options;
}

/** Each value of each option with those of all others, in order. */
function combinations(options: readonly (readonly [string, readonly unknown[]])[]): Record<string, unknown>[] {
  return options.reduce<Record<string, unknown>[]>(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
