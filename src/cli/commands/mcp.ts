/** telltale mcp: runs and data files for agents, over standard input and output. */

import type { Command } from "commander";
import { serve } from "../../mcp/serve.ts";
import { counted } from "../tables.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { given } from "../values.ts";

interface Options extends CommonOptions {
  readonly allowWrite?: boolean;
  readonly out?: string;
}

export function define(command: Command, around: Surroundings): void {
  command
    .argument("[paths...]", "runs, folders of runs, folders of sweeps, and data files; without any, the folder runs")
    .addHelpText(
      "after",
      "\nSpeaks the Model Context Protocol: an agent starts it, and asks about what is named here and nothing\n" +
        "else. Standard output is the protocol's, with --json as without; it ends when standard input does.",
    )
    .optionsGroup("Server:")
    .option("--allow-write", "let the agent fit, change clusters, and export; without it, it can only look")
    .option("-o, --out <folder>", "where runs and exports of the agent are written");
  withCommonOptions(command, "telltale mcp runs sensors.csv", "telltale mcp runs/sensors --allow-write");
  command.action(async (paths: string[], { allowWrite = false, out, ...options }: Options) => {
    const talk = new Talk(around, options);
    talk.expectSilence();
    await serve({
      ...{ paths, allowWrite, signal: around.signal },
      ...given({ out }),
      onStart({ runs, dataFiles, tools }) {
        const may = allowWrite ? "may look and change" : "may look";
        talk.say(`${counted(runs, "run")}, ${counted(dataFiles, "data file")}, ${tools.length} tools: an agent ${may}`);
      },
    });
  });
}
