/** telltale view: runs in the browser, from a server on this machine. */

import type { Command } from "commander";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { given, wholeNumber } from "../values.ts";
import { viewed } from "../viewed.ts";

interface Options extends CommonOptions {
  readonly out?: string;
  readonly host?: string;
  readonly port?: number;
  readonly open: boolean;
}

export function define(command: Command, around: Surroundings): void {
  command
    .argument("[paths...]", "runs, folders of runs, and data files to fit; without any, the folder runs")
    .optionsGroup("Server:")
    .option("--port <n>", "the port to begin with; where it is taken, the next is tried", wholeNumber(), 7411)
    .option("--host <name>", "listen at another address than this machine's own; the token is asked for all the same")
    .option("--no-open", "print the address and open no browser")
    .option("-o, --out <folder>", "where runs that are begun in the page are written");
  withCommonOptions(
    command,
    "telltale view runs/sensors",
    "telltale view sensors.csv",
    "telltale view --no-open --port 8000",
  );
  command.action(async (paths: string[], { out, host, port, open, ...options }: Options) => {
    const talk = new Talk(around, options);
    await viewed({ paths, ...given({ out, host, port }) }, { open }, talk, around);
  });
}
