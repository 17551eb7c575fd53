/** telltale report: the report of a run, made anew. */

import type { Command } from "commander";
import { openRun, reportRun } from "../../doors/inside.ts";
import { terminalText } from "../../text/terminalText.ts";
import { originalOption } from "../rows.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { given } from "../values.ts";

export function define(command: Command, around: Surroundings): void {
  command.argument("<run>", "a run folder").addOption(originalOption());
  withCommonOptions(command, "telltale report runs/sensors");
  command.action(async (run: string, { original, ...options }: CommonOptions & { readonly original?: boolean }) => {
    const talk = new Talk(around, options);
    const report = await reportRun(await openRun(run, given({ original })));
    talk.result({ report }, () => terminalText(report));
  });
}
