/**
 * A sweep as its folder shows it, for whoever looks again and again, also while others are at it on other machines.
 * The folder may come from anybody: what is read of it is bounded, and nothing is followed out of it.
 */

import type { Dirent } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type * as v from "valibot";
import { isThere } from "../../disk/isThere.ts";
import { checkNoLinks } from "../../disk/noLinks.ts";
import { readRegular } from "../../disk/regularFile.ts";
import { object, problemIn, wholeNumber } from "../../formats/schema.ts";
import { mostClusters } from "../../training/fitSchemas.ts";
import { sealedIn } from "../folder/sealed.ts";
import { type NoteFound, readNote } from "./jobNote.ts";
import { placesIn, plainName, readJobs } from "./sweepJob.ts";

export interface SweepState {
  /** How many jobs there are, and how many of them have a run. */
  readonly jobs: number;
  readonly done: number;
  readonly underWay: readonly SaidOfJob[];
  readonly failed: readonly SaidOfJob[];
  /** Those of which there is nothing yet, and those that nobody is at any more. */
  readonly waiting: number;
  /** The run that the answer recommends, and how many clusters it has, once there is an answer. */
  readonly best?: { readonly job: string; readonly clusters: number };
  /** What of the folder cannot be read, and why. */
  readonly problem?: string;
}

/** How far a job is, or why it has failed, in the words of the machine that said so. */
export interface SaidOfJob {
  readonly job: string;
  readonly words: string;
  readonly host: string;
}

/** So many runs, machines and notes are looked at. */
const [mostRuns, mostHosts, mostNotes] = [200_000, 1000, 20_000];
const mostAnswer = 2 ** 26;

type Said = NoteFound & { readonly host: string };

const recommended = object({ best: plainName, clusters: wholeNumber(1, mostClusters) });

export class SweepFolder {
  readonly path: string;
  /** What was read, by its file, and when that was written. */
  readonly #read = new Map<string, { readonly mark: string; readonly found: unknown }>();
  /** Jobs whose runs were seen: a run comes whole. */
  readonly #done = new Set<string>();

  constructor(path: string) {
    this.path = resolve(path);
  }

  /** Whether a folder says that it is one of a sweep. */
  static async isOne(path: string): Promise<boolean> {
    return isThere(placesIn(path).jobs);
  }

  get name(): string {
    return basename(this.path);
  }

  runOf(job: string): string {
    return placesIn(this.path).runOf({ name: job });
  }

  /** The runs that are there of its jobs; none where the folder cannot be read. */
  async runs(): Promise<readonly string[]> {
    await this.#jobs().catch(() => this.#done.clear());
    return [...this.#done].map((job) => this.runOf(job));
  }

  async state(): Promise<SweepState> {
    try {
      const jobs = await this.#jobs();
      const said = await this.#said(new Set(jobs));
      const of = (state: "under way" | "failed"): SaidOfJob[] =>
        jobs.flatMap((job) => {
          const note = said.get(job);
          return note?.state === state ? [{ job, words: note.words, host: note.host }] : [];
        });
      const [done, underWay, failed] = [this.#done.size, of("under way"), of("failed")];
      const waiting = jobs.length - done - underWay.length - failed.length;
      return { jobs: jobs.length, done, underWay, failed, waiting, ...(await this.#answer()) };
    } catch (error) {
      return { jobs: 0, done: 0, underWay: [], failed: [], waiting: 0, problem: (error as Error).message };
    }
  }

  /** By name; and looks which of them have a run. */
  async #jobs(): Promise<readonly string[]> {
    const places = placesIn(this.path);
    for (const place of [places.jobs, places.runs, places.notes, places.answer]) await checkNoLinks(this.path, place);
    const jobs = await this.#once(places.jobs, async () => (await readJobs(places.jobs)).map(({ name }) => name));
    const there = new Set((await foldersIn(placesIn(this.path).runs, mostRuns)).map(({ name }) => name));
    const known = new Set(jobs);
    for (const job of this.#done) if (!there.has(job) || !known.has(job)) this.#done.delete(job);
    for (const job of jobs) {
      if (!there.has(job) || this.#done.has(job)) continue;
      if ((await lstat(join(this.runOf(job), "run.json")).catch(() => undefined))?.isFile()) this.#done.add(job);
    }
    return jobs;
  }

  /** What is said of jobs that are not done: of one that is under way anywhere, that; else what was said last. */
  async #said(jobs: ReadonlySet<string>): Promise<ReadonlyMap<string, Said>> {
    const { notes } = placesIn(this.path);
    const found = new Map<string, Said>();
    let left = mostNotes;
    for (const { name: host } of await foldersIn(notes, mostHosts)) {
      if (!/^[\w.-]+$/.test(host)) continue;
      const names = await entriesIn(join(notes, host), left);
      left -= names.length;
      for (const { name } of names) {
        const job = name.replace(/\.json$/, "");
        if (!jobs.has(job) || this.#done.has(job)) continue;
        const note = await readNote(join(notes, host, name));
        if (note?.job !== job || note.isStale) continue;
        const other = found.get(job);
        const isBetter = other?.state === note.state ? note.at > other.at : note.state === "under way";
        if (!other || isBetter) found.set(job, { ...note, host });
      }
    }
    return found;
  }

  async #answer(): Promise<Pick<SweepState, "best" | "problem">> {
    const { answer } = placesIn(this.path);
    if (!(await isThere(answer))) return {};
    const { best, problem } = await this.#once(answer, async () => {
      const sealed = sealedIn(new TextDecoder().decode(await readRegular(answer, mostAnswer)));
      if (!sealed || problemIn(answer, recommended, sealed.description)) {
        return { problem: `${answer}: is not as telltale sweep wrote it` };
      }
      const { best: job, clusters } = sealed.description as v.InferOutput<typeof recommended>;
      return { best: { job, clusters } };
    });
    if (problem !== undefined) return { problem };
    // A run that is not there any more can be recommended to nobody.
    return best && this.#done.has(best.job) ? { best } : {};
  }

  /** What is read of a file: once, and again when that has changed. */
  async #once<T>(file: string, read: () => Promise<T>): Promise<T> {
    const { mtimeMs = 0, size = 0, ino = 0 } = (await lstat(file).catch(() => undefined)) ?? {};
    const mark = `${mtimeMs} ${size} ${ino}`;
    const known = this.#read.get(file);
    if (known?.mark === mark) return known.found as T;
    const found = await read();
    this.#read.set(file, { mark, found });
    return found;
  }
}

/** The first so many of what is in a folder: it may have any number. */
async function entriesIn(folder: string, most: number): Promise<readonly Dirent[]> {
  const found: Dirent[] = [];
  const entries = await opendir(folder).catch(() => []);
  for await (const entry of entries) if (found.push(entry) >= most) break;
  return found;
}

/** Of those that are folders, and no links to any. */
async function foldersIn(folder: string, most: number): Promise<readonly Dirent[]> {
  return (await entriesIn(folder, most)).filter((entry) => entry.isDirectory());
}
