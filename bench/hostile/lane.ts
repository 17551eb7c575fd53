/** A lane in which inputs are tried: in a process that takes one after another, or each by a command of its own. */

import { type ChildProcess, fork, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answered, Asked } from "./child.ts";
import { type Around, cleared, type Input, isForCommand, laidOut, type Place, wordsIn } from "./input.ts";
import { beyondBudget, type Outcome } from "./outcome.ts";
import { snapshot, touched } from "./touched.ts";
import { endTree, forgetPeak, heldBy, peakOf } from "./watch.ts";

export interface LaneSettings {
  /** The folder dist/, whose command and whose library are tried. */
  readonly dist: string;
  readonly samples: string;
  /** In seconds. */
  readonly longest: number;
}

/** A process is not asked more often than this, nor when it keeps more than so many megabytes. */
const [mostAsked, mostKept] = [300, 1000];
/** In megabytes beyond what is a fault already: from here on the machine itself is in danger. */
const danger = 1500;
const every = 40;

export class Lane {
  readonly #settings: LaneSettings;
  #child: ChildProcess | undefined;
  #asked = 0;
  #said = "";

  constructor(settings: LaneSettings) {
    this.#settings = settings;
  }

  /** Tries an input in a folder of its own. */
  async tried(input: Input): Promise<Outcome> {
    const root = await mkdtemp(join(tmpdir(), "telltale-hostile-"));
    const place = await laidOut(input, root, this.#settings.samples);
    try {
      const before = await snapshot(root);
      const started = performance.now();
      const ended = isForCommand(input) ? await this.#byCommand(input, place) : await this.#inside(input, place);
      const seconds = (performance.now() - started) / 1000;
      // What we have ended ourselves could not tidy up.
      const isOurs = ended.isHanging || ended.signal || ended.peak > limitOf(input);
      const changed = isOurs ? [] : touched(before, await snapshot(root), place, input.writes);
      return { ...ended, seconds, touched: changed };
    } finally {
      await cleared(input, place);
    }
  }

  async close(): Promise<void> {
    if (this.#child?.pid) endTree(this.#child.pid);
    this.#child = undefined;
  }

  async #inside(input: Input, place: Place): Promise<Ended> {
    const words = wordsIn(input, place);
    return this.#ask({ isCheck: false, words, out: "", cwd: place.work, env: envOf(place) }, limitOf(input));
  }

  async #byCommand(input: Input, place: Place): Promise<Ended> {
    const words = wordsIn(input, place);
    const around = input.around ?? {};
    const one = (): Promise<Ended> => this.#spawned(words, around, place, limitOf(input));
    const ended = around.twice ? await both(one(), one()) : await one();
    if (ended.code !== 0) return ended;
    const asked = { isCheck: true, words, out: ended.out, cwd: place.work, env: envOf(place) };
    const { half, signal, isHanging } = await this.#ask(asked, Number.POSITIVE_INFINITY);
    const problem =
      half ?? (signal ? `reading it back ended in ${signal}` : isHanging ? "reading it back hangs" : undefined);
    return { ...ended, ...(problem !== undefined && { half: problem }) };
  }

  /** Asks the process, which may not survive it. */
  async #ask(asked: Asked, limit: number): Promise<Ended> {
    const child = this.#ready();
    forgetPeak(child.pid!);
    this.#said = "";
    const ending = watched(child, { longest: this.#settings.longest, limit });
    const answer = new Promise<Answered | undefined>((resolve) => {
      child.once("message", (message) => resolve(message as Answered));
      ending.over.then(() => resolve(undefined));
    });
    child.send(asked);
    const answered = await answer;
    if (!answered) {
      this.#child = undefined;
      const { signal, code, isHanging, peak } = await ending.over;
      return { code, out: "", err: this.#said, peak, ...(isHanging && { isHanging }), ...(signal && { signal }) };
    }
    const peak = ending.stop();
    if (heldBy(child.pid!) > mostKept || ++this.#asked >= mostAsked || peak > limit) await this.close();
    return { ...answered, err: answered.err + this.#said, peak };
  }

  #ready(): ChildProcess {
    if (this.#child && this.#child.exitCode === null && this.#child.signalCode === null) return this.#child;
    const file = join(this.#settings.dist, "bench/hostile/child.js");
    const child = fork(file, [], { stdio: ["ignore", "ignore", "pipe", "ipc"], execArgv: [] });
    child.stderr!.setEncoding("utf8").on("data", (text) => {
      this.#said = (this.#said + text).slice(-20_000);
    });
    child.on("error", () => {});
    this.#asked = 0;
    this.#child = child;
    return child;
  }

  async #spawned(words: readonly string[], around: Around, place: Place, limit: number): Promise<Ended> {
    const { limits = {}, stdin, fullOutput, interruptAfter } = around;
    const shell = [
      ...(limits.files ? [`ulimit -n ${limits.files}`] : []),
      ...(limits.fileKilobytes === undefined ? [] : [`ulimit -f ${limits.fileKilobytes}`]),
      'exec "$@"',
    ].join("; ");
    const command = [process.execPath, join(this.#settings.dist, "src/cli/main.js"), ...words];
    const child = spawn("/bin/bash", ["-c", shell, "bash", ...command], {
      cwd: place.work,
      env: environment(place, around),
      stdio: [
        stdin ? openSync(join(place.work, stdin), "r") : "ignore",
        fullOutput ? openSync("/dev/full", "w") : "pipe",
        "pipe",
      ],
    });
    let [out, err] = ["", ""];
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      out = (out + text).slice(-1_000_000);
    });
    child.stderr!.setEncoding("utf8").on("data", (text) => {
      err = (err + text).slice(-100_000);
    });
    const timer = interruptAfter && setTimeout(() => child.kill("SIGINT"), interruptAfter);
    const { over } = watched(child, { longest: this.#settings.longest, limit });
    const { code, signal, isHanging, peak } = await over;
    if (timer) clearTimeout(timer);
    // Ctrl-C before anybody listens ends a process as it always did.
    const isAsked = interruptAfter !== undefined && signal === "SIGINT";
    return { code, out, err, peak, ...(isHanging && { isHanging }), ...(signal && !isAsked && { signal }) };
  }
}

type Ended = Omit<Outcome, "touched" | "seconds">;

function limitOf({ memory = 1000 }: Input): number {
  return memory + beyondBudget;
}

function envOf({ home, temporary }: Place): Record<string, string> {
  return { HOME: home, TMPDIR: temporary };
}

function environment(place: Place, { env = {} }: Around): Record<string, string> {
  const all = { ...process.env, ...envOf(place), ...env };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** Of two at once: where one has failed the other must have made it whole; what is worse of them is told. */
async function both(one: Promise<Ended>, other: Promise<Ended>): Promise<Ended> {
  const [a, b] = await Promise.all([one, other]);
  const bad = [a, b].find(({ signal, isHanging }) => signal || isHanging);
  const good = [a, b].find(({ code }) => code === 0);
  return { ...(bad ?? good ?? a), err: a.err + b.err, peak: Math.max(a.peak, b.peak) };
}

interface Over {
  readonly code: number | null;
  readonly signal?: string;
  readonly isHanging: boolean;
  readonly peak: number;
}

/** How much longer a command may take that says how far it has come. */
const patience = 4;

/**
 * Looks at a process until it ends, and ends it where it takes too much or hangs: where it says nothing for the longest
 * time, or goes on for several of them.
 */
function watched(child: ChildProcess, { longest, limit }: { longest: number; limit: number }) {
  let [peak, isHanging, isOurs] = [0, false, false];
  const pid = child.pid!;
  const started = performance.now();
  let heard = started;
  const hear = (): void => {
    heard = performance.now();
  };
  child.stderr!.on("data", hear);
  const look = (): void => {
    peak = Math.max(peak, peakOf(pid));
    const now = performance.now();
    isHanging = now - heard > 1000 * longest || now - started > 1000 * longest * patience;
    if (!isHanging && heldBy(pid) < limit + danger) return;
    isOurs = true;
    endTree(pid);
  };
  const timer = setInterval(look, every);
  let resolve: (over: Over) => void;
  const over = new Promise<Over>((found) => {
    resolve = found;
  });
  const onClose = (code: number | null, signal: string | null): void => {
    clearInterval(timer);
    resolve({ code, isHanging, peak, ...(signal && !isOurs && { signal }) });
  };
  child.once("close", onClose);
  /** It has answered, and lives on. */
  const stop = (): number => {
    look();
    clearInterval(timer);
    child.off("close", onClose);
    child.stderr!.off("data", hear);
    return peak;
  };
  return { over, stop };
}
