/** From words to a command, and from whatever happens to an exit code. */

import { Command, Option } from "commander";
import { terminalLines } from "../text/terminalText.ts";
import { version } from "../version.ts";
import { commands } from "./commands.ts";
import { endingOf, exitCodes } from "./ending.ts";
import type { Surroundings } from "./talk.ts";
import { traceOf } from "./thrown.ts";

const width = 100;
const example = `
Example:
  $ telltale fit sensors.csv --out runs/sensors
  $ telltale assign runs/sensors new.csv > assigned.csv

telltale COMMAND --help says more about each.`;

/** Runs what the words after `telltale` say. It does not fail: what went wrong is said, and the exit code tells. */
export async function run(words: readonly string[], around: Surroundings): Promise<number> {
  const first = words[words[0] === "help" ? 1 : 0] ?? "";
  const name = Object.hasOwn(commands, first) ? first : undefined;
  try {
    const program = await programFor(name, around);
    // Whoever types the name alone asks what it is; that is no mistake.
    if (words.length === 0) program.outputHelp();
    else await program.parseAsync(withValuesApart(words), { from: "user" });
    return exitCodes.done;
  } catch (error) {
    return sayEnding(error, name ? `telltale ${name}` : "telltale", around);
  }
}

/** -o=FILE is -o FILE: Commander would take the sign into the name. */
function withValuesApart(words: readonly string[]): string[] {
  const end = words.indexOf("--");
  return words.flatMap((word, i) =>
    /^-[A-Za-z]=/.test(word) && (end < 0 || i < end) ? [word.slice(0, 2), word.slice(3)] : [word],
  );
}

/** The one line about whatever was thrown, and the exit code. */
export function sayEnding(error: unknown, where: string, { err, signal }: Surroundings): number {
  const { code, line } = endingOf(error, where, signal);
  if (line !== undefined) err.write(`${line}\n`);
  if (process.env.TELLTALE_DEBUG && line !== undefined) err.write(`${terminalLines(traceOf(error))}\n`);
  return code;
}

/** All commands by name, and all of the one that is called: loading the engine takes longer than printing help. */
async function programFor(called: string | undefined, around: Surroundings): Promise<Command> {
  const program = new Command("telltale")
    .description("Finds the groups in rows without labels, shows what each one is, and why a row is where it is.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpCommand(
      new Command("help").argument("[command]").description("print the help of a command").helpGroup("Look:"),
    )
    .usage("COMMAND [options]")
    .configureHelp({ optionDescription })
    .configureOutput({
      writeOut: (text) => around.out.write(text),
      writeErr: (text) => around.err.write(text),
      // Errors are said once, by `run`.
      outputError: () => {},
      getOutHelpWidth: () => Math.min(width, around.out.columns || width),
      getErrHelpWidth: () => width,
    })
    .exitOverride()
    .addHelpText("after", example);
  for (const [name, { group, about, load }] of Object.entries(commands)) {
    const command = program
      .command(name)
      .summary(about)
      .description(`${about[0]!.toUpperCase()}${about.slice(1)}.`);
    command.helpGroup(group).addHelpOption(new Option("-h, --help", "print this help").helpGroup("Output:"));
    if (name === called) (await load()).define(command, around);
  }
  return program;
}

/** What an option does, what it may be, and what it is unless said otherwise. */
function optionDescription({ description, argChoices, defaultValue, defaultValueDescription, negate }: Option): string {
  const fallback = defaultValueDescription ?? (negate ? undefined : defaultValue);
  const more = [
    ...(argChoices ? [`one of ${argChoices.join(", ")}`] : []),
    ...(fallback === undefined ? [] : [`default: ${fallback}`]),
  ];
  return more.length > 0 ? `${description} (${more.join("; ")})` : description;
}
