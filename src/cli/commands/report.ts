/** telltale report: the report of a run, made anew. */

import type { Command } from "commander";
import { openRun, reportRun } from "../../doors/inside.ts";
import { type Manners, Talk, type World, withManners } from "../talk.ts";

export function define(command: Command, world: World): void {
  command.argument("<run>", "a run folder");
  withManners(command, "telltale report runs/sensors");
  command.action(async (run: string, manners: Manners) => {
    const talk = new Talk(world, manners);
    const report = await reportRun(await openRun(run));
    talk.result({ report }, () => report);
  });
}
