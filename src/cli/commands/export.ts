/** telltale export: the model, or what it says about its rows, for other programs. */

import { type Command, Option } from "commander";
import { type ExportTarget, exportEndings, exportRun, exportTargets, openRun } from "../../doors/inside.ts";
import { terminalLines, terminalText } from "../../text/terminalText.ts";
import { checkedGuard } from "../ending.ts";
import { originalOption } from "../rows.ts";
import { type CommonOptions, guardOption, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { given } from "../values.ts";

interface Options extends CommonOptions {
  readonly target: ExportTarget;
  readonly out?: string;
  readonly force?: boolean;
  readonly guardFormulas?: boolean;
  readonly original?: boolean;
}

export function define(command: Command, around: Surroundings): void {
  command
    .argument("<run>", "a run folder")
    .addHelpText(
      "after",
      [
        "",
        "onnx         the model, for any program that runs ONNX",
        "safetensors  its weights by name",
        "csv parquet  the cluster of every row it was fitted to",
        "sql          the model, and the statements by which databases run it",
        "spark        the model, and a Python program that assigns the rows of Parquet files on Spark,",
        "ray          on Ray,",
        "duckdb       or in one process with DuckDB",
        "step         the training step and its state, to train on several machines (docs/scale.md)",
      ].join("\n"),
    );
  withCommonOptions(
    command
      .optionsGroup("Output:")
      .addOption(new Option("--target <name>", "what to write").choices(exportTargets).default("onnx"))
      .option("-o, --out <file>", "where to; without it, the name of the run in the current folder")
      .option("--force", "replace the file that is there")
      .addOption(guardOption())
      .addOption(originalOption()),
    "telltale export runs/sensors --target onnx --out sensors.onnx",
  );
  command.action(async (path: string, { target, out, force, guardFormulas, original, ...options }: Options) => {
    checkedGuard(target, guardFormulas);
    const talk = new Talk(around, options);
    const run = await openRun(path, given({ original }));
    const made = await exportRun(run, {
      target,
      out: out ?? `${run.name}${exportEndings[target]}`,
      ...given({ force, guardFormulas }),
      signal: around.signal,
    });
    // Statements are what is wanted; where they and the model lie is said beside them.
    const { files, text } = made;
    if (text !== undefined) {
      for (const file of files) talk.say(file);
      if (terminalLines(text) !== text) talk.say("note: a name has characters that are not printed; the file has them");
    }
    talk.result(made, () => text?.trimEnd() ?? files.map(terminalText).join("\n"));
  });
}
