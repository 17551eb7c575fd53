/**
 * What long work tells about itself, as text: one line that is rewritten on a terminal, a few plain lines in a pipe.
 */

import type { RunEvent } from "../doors/inside.ts";
import { shellPath } from "../text/shellText.ts";
import { terminalText } from "../text/terminalText.ts";
import { thousands } from "../text/thousands.ts";
import { fewColumns } from "./columns.ts";
import { counted, cut, decimal, duration, roughly } from "./tables.ts";

/** Where text goes: standard output or standard error, or what stands for them in a test. */
export interface Writer {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** In a pipe, lines come at most this often, in milliseconds; on a terminal the line is redrawn more often. */
const pace = { pipe: 10_000, terminal: 100 };
/** The first pieces of work also prepare the others: what they took says little of what is left. */
const leastTold = 0.05;
const clearLine = "\r\u001b[2K";

type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;

export class Progress {
  readonly #writer: Writer;
  readonly #now: () => number;
  readonly #said = new Set<string>();
  #drawn = false;
  #last = Number.NEGATIVE_INFINITY;
  #written: number;
  readonly #start: number;
  #work = "";
  #began = 0;
  #isRead = false;

  constructor(writer: Writer, now: () => number = () => performance.now()) {
    this.#writer = writer;
    this.#now = now;
    this.#start = now();
    this.#written = this.#start;
  }

  readonly onEvent = (event: RunEvent): void => {
    (this.#kinds[event.kind] as (event: RunEvent) => void)(event);
  };

  /** A line that stays. */
  say(line: string): void {
    this.clear();
    this.#written = this.#now();
    this.#writer.write(`${terminalText(line)}\n`);
  }

  /** Says that work goes on, where nothing else has said so for a while and no line stands on the terminal. */
  beat(): void {
    if (this.#drawn || this.#now() - this.#written < pace.pipe) return;
    const [what] = this.#work.split(" ");
    this.say(
      `still ${what || (this.#isRead ? "at work" : "reading")}, ${duration((this.#now() - this.#start) / 1000)} so far`,
    );
  }

  /** What goes on now: `key` tells pieces of work apart, and an `edge` is the first or the last of one. */
  status(key: string, line: string, edge = false): void {
    const [now, isNew] = [this.#now(), key !== this.#work];
    if (isNew) [this.#work, this.#began] = [key, now];
    const rest = this.#writer.isTTY ? pace.terminal : pace.pipe;
    if (!isNew && !edge && now - this.#last < rest) return;
    [this.#last, this.#written] = [now, now];
    if (!this.#writer.isTTY) return void this.#writer.write(`${terminalText(line)}\n`);
    // A full line would wrap, and only its last part could be rewritten.
    this.#writer.write(clearLine + cut(terminalText(line), this.#width - 1));
    this.#drawn = true;
  }

  /** Leaves the terminal's line empty for whoever writes next. */
  clear(): void {
    if (this.#drawn) this.#writer.write(clearLine);
    this.#drawn = false;
  }

  readonly #kinds: { readonly [K in RunEvent["kind"]]: (event: EventOf<K>) => void } = {
    opened: ({ description, rows, columns }) => {
      this.#isRead = true;
      this.say(/\brows\b/.test(description) ? description : `${counted(rows, "row")}: ${description}`);
      if (columns)
        for (const line of fewColumns(columns, (this.#writer.columns || 100) - 2).split("\n")) this.say(`  ${line}`);
    },
    device: ({ device }) => this.say(`on ${device}`),
    chosen: ({ choice }) => this.say(choice.reason),
    expected: ({ seconds, parts }) => this.say(`about ${roughly(seconds)}: ${parts.join(", ")}`),
    saved: ({ path }) => this.say(`the model is saved, and can be used: telltale assign ${shellPath(path)} FILE`),
    notice: ({ sentence }) => this.#sayOnce(`note: ${sentence}`),
    epoch: ({ epoch: { phase, epoch, epochs, restart, losses, remaining, notices } }) => {
      if (phase === "teaching") {
        if (epoch === 0) {
          return this.status("teaching", `teaching: comparing partitions  ${duration(remaining)} left`, true);
        }
        for (const reason of notices) this.#sayOnce(`taught by: ${reason}`);
        return;
      }
      for (const notice of notices) this.#sayOnce(`note: ${notice}`);
      if (epoch === 0) return;
      const parts = [
        `${phase} ${this.#bar(epoch, epochs)}${epoch}/${epochs}`,
        ...(restart > 0 ? [`restart ${restart + 1}`] : []),
        ...(losses.loss === undefined ? [] : [`loss ${decimal(losses.loss)}`]),
        `${duration(remaining)} left`,
      ];
      this.status(`${phase} ${restart}`, parts.join("  "), epoch === epochs);
    },
    stage: ({ stage, done, total, later = 0, under }) => {
      // Of a single piece there is no counting.
      const isKnown = total > 1 && Number.isFinite(total);
      const passed = stage === this.#work ? (this.#now() - this.#began) / 1000 : 0;
      const left =
        isKnown && done >= leastTold * total && passed > 1
          ? `  ${duration((passed * (total - done)) / done + later)} left`
          : "";
      const amount = isKnown
        ? `${this.#bar(done, total)}${thousands(done)}/${thousands(total)}`
        : done > 1
          ? thousands(done)
          : "";
      const parts = [`${stage} ${amount}${left}`.trimEnd(), ...(under === undefined ? [] : [under])];
      this.status(stage, parts.join("  "), isKnown && done >= total);
    },
  };

  /** Some terminals say 0, and mean that they do not know. */
  get #width(): number {
    return this.#writer.columns || 80;
  }

  #bar(done: number, total: number): string {
    if (!this.#writer.isTTY || this.#width < 60) return "";
    const full = Math.round(20 * Math.min(1, done / Math.max(1, total)));
    return `${"█".repeat(full)}${"░".repeat(20 - full)} `;
  }

  #sayOnce(line: string): void {
    if (this.#said.has(line)) return;
    this.#said.add(line);
    this.say(line);
  }
}
