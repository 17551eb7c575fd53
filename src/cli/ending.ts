/** How a command ends: its exit code, and one line for people if it did not go well. */

import { CommanderError } from "commander";
import { terminalText } from "../text/terminalText.ts";
import { wordsOf } from "./thrown.ts";

export const exitCodes = { done: 0, failed: 1, usage: 2, SIGINT: 130, SIGTERM: 143 } as const;

/** An end that is not success, with the exit code it asks for. */
export class Ending extends Error {
  readonly code: number;

  constructor(message: string, code: number = exitCodes.failed) {
    super(message);
    this.code = code;
  }
}

export function wrongUsage(message: string): Ending {
  return new Ending(message, exitCodes.usage);
}

/** Only CSV is opened by spreadsheets. */
export function checkedGuard(format: string, guardFormulas = false): void {
  if (guardFormulas && format !== "csv") throw wrongUsage(`--guard-formulas is for csv, got ${format}; leave it out`);
}

/** Rethrows an error about an option of the rows that this command calls otherwise. */
export function calledHere(error: unknown, option: string, here: string): never {
  if (error instanceof Error) error.message = error.message.replace(`--${option} must`, `--${here} must`);
  throw error;
}

/** Whatever a check throws was wrong usage. */
export async function asUsage<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw wrongUsage(wordsOf(error));
  }
}

/** Rethrows `error`; if it came because the user stopped the command, as that stop and with these words. */
export function stoppedWith(words: string, error: unknown, signal: AbortSignal): never {
  if (!signal.aborted) throw error;
  throw new Ending(words, stopCode(signal));
}

/** 130 after Ctrl-C, 143 after SIGTERM. */
export function stopCode({ reason }: AbortSignal): number {
  return reason instanceof Ending ? reason.code : exitCodes.SIGINT;
}

/** The exit code of whatever was thrown, and the line to say; none where all has been said. */
export function endingOf(error: unknown, where: string, signal: AbortSignal): { code: number; line?: string } {
  try {
    return knownEnding(error, where, signal);
  } catch {
    // Something was thrown that cannot even be looked at.
    return { code: exitCodes.failed, line: lineOf(where, wordsOf(error)) };
  }
}

function knownEnding(error: unknown, where: string, signal: AbortSignal): { code: number; line?: string } {
  if (error instanceof CommanderError) {
    // Help and version are thrown as well.
    if (error.exitCode === 0) return { code: exitCodes.done };
    return { code: exitCodes.usage, line: `${where}: ${usageLine(error.message, where)}` };
  }
  // Whoever read our output has seen enough, such as `head`.
  if ((error as NodeJS.ErrnoException)?.code === "EPIPE") return { code: exitCodes.done };
  if (error instanceof Ending) return { code: error.code, line: lineOf(where, error.message) };
  if (signal.aborted) return { code: stopCode(signal), line: `${where}: stopped` };
  return { code: exitCodes.failed, line: lineOf(where, wordsOf(error)) };
}

/** Where it happened is said once: a message may begin with the name of the command by itself. */
function lineOf(where: string, message: string): string {
  const name = `${where.split(" ").at(-1)}: `;
  return `${where}: ${startAndEnd(message.startsWith(name) ? message.slice(name.length) : message)}`;
}

/** Commander's message as ours: no "error:", the suggestion on the same line, and otherwise where to read on. */
function usageLine(message: string, where: string): string {
  const [, problem = "", near] = /^(?:error: )?(.*?)\.?(?:\s*\(Did you mean (.*)\?\))?\s*$/s.exec(message) ?? [];
  return `${startAndEnd(problem)}; ${near ? `did you mean ${near}?` : `see ${where} --help`}`;
}

/**
 * What names a file or a value may be as long as that is: the start and the end stay, where the problem and the cure
 * are.
 */
const [longest, end] = [330, 110];

function startAndEnd(text: string): string {
  const line = text.trim().replaceAll(/\s*[\r\n]+\s*/g, " ");
  return terminalText(line.length <= longest ? line : `${line.slice(0, longest - end)} … ${line.slice(-end)}`);
}
