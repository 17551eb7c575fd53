/** telltale stream: rows as they arrive, and clusters that follow them. */

import { type Command, Option } from "commander";
import { type DeviceName, streamRows } from "../../doors/inside.ts";
import { isAddress } from "../../text/serverAddress.ts";
import { terminalText } from "../../text/terminalText.ts";
import { checkedGuard, Ending, stopCode, stoppedWith, wrongUsage } from "../ending.ts";
import { deviceOption, formatOption, methodFileOption } from "../rows.ts";
import { counted } from "../tables.ts";
import { type CommonOptions, guardOption, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { formatFor, given, names, numberUpTo, wholeNumber } from "../values.ts";

const formats = ["csv", "jsonl"] as const;

interface Options extends CommonOptions {
  readonly from?: string;
  readonly to?: string;
  readonly follow?: boolean;
  readonly format?: (typeof formats)[number];
  readonly out?: string;
  readonly guardFormulas?: boolean;
  readonly batch?: number;
  readonly rate?: number;
  readonly frozen?: boolean;
  readonly skipBad?: boolean;
  readonly aside?: string;
  readonly metrics?: string;
  readonly drift?: string;
  readonly id?: readonly string[];
  readonly restart?: boolean;
  readonly newInput?: boolean;
  readonly device?: DeviceName;
  readonly method?: string;
}

export function define(command: Command, around: Surroundings): void {
  command
    .argument("<run>", "a run folder")
    .argument("[source]", "a file that may still grow, or - for standard input, the default")
    .addHelpText(
      "after",
      "\nIt can be ended at any moment, and goes on where it was: no row is lost, none comes twice.",
    )
    .optionsGroup("Rows:")
    .option("--from <address>", "read messages, and no file: nats://…/STREAM, redis://…/stream, kafka://…/topic")
    .option("--follow", "wait for more rows at the end of the file, or for more messages")
    .addOption(
      new Option("--batch <rows>", "how many are taken at once").argParser(wholeNumber(1)).default(undefined, "64"),
    )
    .addOption(
      new Option("--rate <share>", "how far centers go with each batch")
        .argParser(numberUpTo(1))
        .default(undefined, "0.1"),
    )
    .addOption(
      new Option("--id <names>", "the columns that name a row, with commas between them")
        .argParser(names)
        .default(undefined, "those of the fit, or found by their names"),
    )
    .option("--frozen", "let the centers stay where they are")
    .option("--skip-bad", "write rows that cannot be used with empty cells, and go on")
    .option("--aside <file>", "the same, and set aside in a file what stood there, and why it cannot be used")
    .option("--new-input", "go on with the centers, although these rows are others than before")
    .option("--restart", "forget what was streamed before, and begin at the first row")
    .addOption(deviceOption())
    .addOption(methodFileOption());
  withCommonOptions(
    command
      .optionsGroup("Output:")
      .addOption(formatOption(formats))
      .option("-o, --out <file>", "write to a file, and not to standard output")
      .option("--to <address>", "write messages: nats://…/subject, redis://…/stream, kafka://…/topic; or a file")
      .addOption(guardOption())
      .option("--metrics <file>", "keep figures about rows and drift there, as Prometheus reads them")
      .option("--drift <address>", "tell the drift as messages there"),
    "cat sensors.csv | telltale stream runs/sensors --format jsonl",
    "telltale stream runs/sensors sensors.csv --follow --out assigned.csv",
    "telltale stream runs/sensors --from nats://host:4222/ROWS --to nats://host:4222/assigned",
  );
  command.action((run: string, source: string | undefined, options: Options) => stream(run, source, options, around));
}

async function stream(run: string, named: string | undefined, options: Options, around: Surroundings): Promise<void> {
  const { follow, guardFormulas, batch, rate, frozen, skipBad, id, restart, newInput, device, method } = options;
  const { aside, metrics, drift } = options;
  const source = either(named, options.from, "a source or --from") ?? "-";
  const out = either(options.out, options.to, "--out or --to");
  if (follow && source === "-")
    throw wrongUsage("--follow waits at the end of a file; standard input is waited for anyway");
  const talk = new Talk(around, options);
  talk.expectSilence();
  const format =
    options.format ?? (out !== undefined && isAddress(out) ? "jsonl" : formatFor(formats, out, options.json));
  checkedGuard(format, guardFormulas);
  const once = [...(restart ? ["--restart"] : []), ...(newInput ? ["--new-input"] : [])];
  const again = `the same command${once.length > 0 ? ` without ${once.join(" and ")}` : ""} goes on from there`;
  const done = await streamRows(run, {
    source,
    format,
    ...given({ follow, out, guardFormulas, batch, rate, frozen, skipBad, id, restart, newInput, device, method }),
    ...given({ aside, metrics, drift }),
    ...talk.events,
    onDrift: (report) => talk.drift(report),
  }).catch((error) => {
    talk.clear();
    return stoppedWith(`stopped; ${again}`, error, around.signal);
  });
  const skipped = done.skipped > 0 ? ` (${done.skipped} could not be used)` : "";
  const words = `${counted(done.rows, "row")}${skipped}`;
  if (around.signal.aborted) {
    talk.clear();
    throw new Ending(`stopped after ${words}; ${again}`, stopCode(around.signal));
  }
  const where = out !== undefined && isAddress(out) ? done.out : out;
  if (out === undefined) talk.say(`${words} assigned`);
  else if (done.out === undefined) talk.result(done, () => `${words} assigned; nothing came, and nothing is written`);
  else talk.result({ ...done, out: where }, () => terminalText(`${words} assigned: ${where}`));
}

function either(one: string | undefined, other: string | undefined, words: string): string | undefined {
  if (one !== undefined && other !== undefined) throw wrongUsage(`give either ${words}, not both`);
  return one ?? other;
}
