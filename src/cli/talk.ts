/** Who hears what: data goes to standard output, talk to standard error. */

import { type Command, Option } from "commander";
import type { DriftReport, OnEvent } from "../doors/inside.ts";
import { jsonText } from "../text/jsonText.ts";
import { percent } from "../text/shares.ts";
import { terminalLines } from "../text/terminalText.ts";
import { thousands } from "../text/thousands.ts";
import { Progress, type Writer } from "./progress.ts";
import { decimal } from "./tables.ts";

/** What a command has around it. */
export interface Surroundings {
  readonly out: Writer;
  readonly err: Writer;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
}

/** The options of every command. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Gives a command the options that all have, and an example at the end of its help. */
export function withCommonOptions(command: Command, ...examples: readonly string[]): Command {
  return command
    .optionsGroup("Output:")
    .option("--json", "print the result as JSON")
    .option("-q, --quiet", "say nothing on standard error but errors")
    .addHelpText("after", `\nExample:\n${examples.map((line) => `  $ ${line}`).join("\n")}`);
}

/** For commands that write CSV. */
export function guardOption(): Option {
  return new Option("--guard-formulas", "in CSV, put a ' before texts that a spreadsheet would run");
}

export class Talk {
  readonly #around: Surroundings;
  readonly #options: CommonOptions;
  readonly #progress: Progress;
  readonly #pulse: NodeJS.Timeout;

  constructor(around: Surroundings, options: CommonOptions) {
    this.#around = around;
    this.#options = options;
    this.#progress = new Progress(options.quiet ? { write() {} } : around.err);
    const heard = (): void => this.say("stopping at the next safe moment; once more ends at once");
    around.signal.addEventListener("abort", heard, { once: true });
    // Nobody should have to wonder whether a command is still at work.
    this.#pulse = setInterval(() => this.#progress.beat(), 2000).unref();
  }

  /** Rows come when they come: silence means nothing. */
  expectSilence(): void {
    clearInterval(this.#pulse);
  }

  /** For long work. */
  get events(): { readonly signal: AbortSignal; readonly onEvent: OnEvent } {
    return { signal: this.#around.signal, onEvent: this.#progress.onEvent };
  }

  /** Of text for people. */
  get width(): number {
    return Math.min(100, this.#around.out.columns || 100);
  }

  say(line: string): void {
    this.#progress.say(line);
  }

  drift({ rows, loss, firstLoss, unsure, moved }: DriftReport): void {
    const farthest = Math.max(0, ...moved);
    this.#progress.status(
      "drift",
      `${thousands(rows)} rows  loss ${decimal(loss)} (at first ${decimal(firstLoss)})  unsure ${percent(unsure, 1)}  centers moved up to ${decimal(farthest)}`,
    );
  }

  /** What came out: as JSON, in which names are as they are; or as text, in which they command no terminal. */
  result(value: unknown, text: () => string): void {
    this.clear();
    this.#around.out.write(`${this.#options.json ? jsonText(value) : terminalLines(text())}\n`);
  }

  /** Work has ended, well or not. */
  clear(): void {
    this.expectSilence();
    this.#progress.clear();
  }
}
