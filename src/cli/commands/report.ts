/** telltale report: the report of a run, made anew. */

import type { Command } from "commander";
import { openRun, reportRun } from "../../doors/inside.ts";
import { terminalText } from "../../text/terminalText.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";

export function define(command: Command, around: Surroundings): void {
  command.argument("<run>", "a run folder");
  withCommonOptions(command, "telltale report runs/sensors");
  command.action(async (run: string, options: CommonOptions) => {
    const talk = new Talk(around, options);
    const report = await reportRun(await openRun(run));
    talk.result({ report }, () => terminalText(report));
  });
}
