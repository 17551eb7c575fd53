/**
 * What a worker says of a job in the folder of its sweep: how far it is, or why it has failed. It is for whoever looks
 * at that folder, on whichever machine; nobody who runs or collects jobs goes by it.
 */

import { lstat, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname } from "node:path";
import type * as v from "valibot";
import { isThere } from "../../disk/isThere.ts";
import { checkNoLinks } from "../../disk/noLinks.ts";
import { readRegular } from "../../disk/regularFile.ts";
import { removeLeftParts, writeWhole } from "../../disk/writeWhole.ts";
import { parseJson } from "../../formats/json.ts";
import { object, oneOf, problemIn, value } from "../../formats/schema.ts";
import { oneLine } from "../../text/oneLine.ts";
import { placesIn, plainName, type SweepJob } from "./sweepJob.ts";

/** Letters that are said, and bytes of a file that says them. */
const [mostWords, mostBytes] = [500, 4096];

/** How often what is new is said, and how often that there is nothing new; in milliseconds. */
const [pace, heartbeat] = [2000, 20_000];

/** Who has said nothing for so long is at it no more. A folder on a network may show what is new a minute late. */
const silence = 120_000;

const jobNote = object({
  job: plainName,
  state: oneOf("under way", "failed"),
  words: value<string>(
    `a text of up to ${mostWords} letters`,
    (words) => typeof words === "string" && words.length <= 2 * mostWords,
  ),
});

type Note = v.InferOutput<typeof jobNote>;

/** What this machine is called in the folder of a sweep. */
export const thisHost = (): string => hostname().replaceAll(/[^\w.-]/g, "_") || "here";

export class JobNote {
  readonly #job: string;
  readonly #out: string;
  readonly #file: string;
  #words = "";
  #said: { readonly words: string; readonly at: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** One after the other, so that the last one stays. */
  #writing: Promise<void> = Promise.resolve();

  constructor(job: Pick<SweepJob, "name">, out: string) {
    this.#job = job.name;
    this.#out = out;
    this.#file = placesIn(out).noteOf(job, thisHost());
  }

  /** From now on it is under way. */
  begin(): void {
    this.#change((file) => removeLeftParts(dirname(file), basename(file)));
    this.#sayNow();
    this.#timer = setInterval(() => {
      const { words, at } = this.#said!;
      if (words !== this.#words || performance.now() - at >= heartbeat) this.#sayNow();
    }, pace);
  }

  /** How far it is. */
  say(words: string): void {
    this.#words = words;
  }

  /** It is done, or was stopped, of which the folder itself tells; or it has failed. */
  async end(problem?: string): Promise<void> {
    clearInterval(this.#timer);
    // The job's name stands beside it.
    const prefix = `${this.#job}: `;
    if (problem === undefined) this.#change((file) => rm(file, { force: true }));
    else this.#write("failed", problem.startsWith(prefix) ? problem.slice(prefix.length) : problem);
    await this.#writing;
  }

  #sayNow(): void {
    this.#said = { words: this.#words, at: performance.now() };
    this.#write("under way", this.#words);
  }

  #write(state: Note["state"], words: string): void {
    const note: Note = { job: this.#job, state, words: oneLine(words, mostWords) };
    this.#change((file) => writeWhole(file, new TextEncoder().encode(`${JSON.stringify(note)}\n`)));
  }

  /**
   * Somebody else's file stays, and nothing is written through a link. A fit does not fail because nobody hears of it.
   */
  #change(change: (file: string) => Promise<void>): void {
    const changed = async (): Promise<void> => {
      await checkNoLinks(this.#out, this.#file);
      if (!(await isThere(this.#file)) || (await readNote(this.#file))?.job === this.#job) await change(this.#file);
    };
    this.#writing = this.#writing.then(changed).catch(() => {});
  }
}

export interface NoteFound extends Note {
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  /** Whether nobody is at the job any more. */
  readonly isStale: boolean;
}

/** What a file says that may come from anybody; nothing where it is no note. */
export async function readNote(file: string): Promise<NoteFound | undefined> {
  try {
    const there = await lstat(file);
    if (!there.isFile()) return undefined;
    const found = parseJson(new TextDecoder().decode(await readRegular(file, mostBytes)));
    if (problemIn(file, jobNote, found)) return undefined;
    const { job, state, words } = found as Note;
    const isStale = state === "under way" && Date.now() - there.mtimeMs > silence;
    return { job, state, words: oneLine(words, mostWords), at: there.mtimeMs, isStale };
  } catch {
    return undefined;
  }
}
