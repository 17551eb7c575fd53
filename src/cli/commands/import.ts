/** telltale import: a state that was trained elsewhere becomes a run. */

import type { Command } from "commander";
import { importRun, type Run } from "../../doors/inside.ts";
import { stoppedWith } from "../ending.ts";
import { adviceAfterStop } from "../resume.ts";
import { storedSqlOption } from "../rows.ts";
import { fittedJson, fittedText } from "../summary.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { given } from "../values.ts";

interface Options extends CommonOptions {
  readonly out: string;
  readonly force?: boolean;
  readonly map: boolean;
  readonly report: boolean;
  readonly runStoredSql?: boolean;
}

export function define(command: Command, around: Surroundings): void {
  command
    .argument("<run>", "the run folder whose step was exported (telltale export --target step)")
    .argument("<state>", "the merged state: a safetensors file");
  withCommonOptions(
    command
      .optionsGroup("Output:")
      .requiredOption("-o, --out <folder>", "the run folder to write")
      .option("--force", "replace the run that is there")
      .addOption(storedSqlOption())
      .option("--no-map", "do not draw the map")
      .option("--no-report", "do not write report.html"),
    "telltale import runs/start merged.safetensors --out runs/sensors",
  );
  command.action(async (path: string, state: string, options: Options) => {
    const { out, force, map, report, runStoredSql } = options;
    const talk = new Talk(around, options);
    let run: Run;
    try {
      // Without a word, what was drawn of the run is drawn of this one.
      const drawn = { ...(!map && { map }), ...(!report && { report }) };
      run = await importRun(path, { state, out, ...drawn, ...given({ force, runStoredSql }), ...talk.events });
    } catch (error) {
      talk.clear();
      return stoppedWith(await adviceAfterStop(out), error, around.signal);
    }
    const found = await run.clusters();
    talk.result(fittedJson(run, found), () => fittedText(run, found));
  });
}
