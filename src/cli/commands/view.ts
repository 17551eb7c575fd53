/** telltale view: runs in the browser, from a server on this machine, or as files that need none. */

import type { Command } from "commander";
import { exportPage } from "../../server/exported/exportPage.ts";
import { exportRunPage } from "../../server/exported/exportRunPage.ts";
import { terminalText } from "../../text/terminalText.ts";
import { counted } from "../tables.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { given, wholeNumber } from "../values.ts";
import { viewed } from "../viewed.ts";

interface Options extends CommonOptions {
  readonly out?: string;
  readonly host?: string;
  readonly port?: number;
  readonly open: boolean;
  readonly export?: string;
  readonly force?: boolean;
}

export function define(command: Command, around: Surroundings): void {
  command
    .argument(
      "[paths...]",
      "runs, folders of runs, folders of sweeps, and data files to fit; without any, the folder runs",
    )
    .optionsGroup("Server:")
    .option("--port <n>", "the port to begin with; where it is taken, the next is tried", wholeNumber(), 7411)
    .option(
      "--host <name>",
      "listen at another address than this machine's own, 0.0.0.0 for all; the token is asked for all the same",
    )
    .option("--no-open", "print the address and open no browser")
    .option("-o, --out <folder>", "where runs that are begun in the page are written")
    .optionsGroup("Without a server:")
    .option(
      "--export <path>",
      "write the page as a folder of static files, which trains in a tab; or, of one run, a file.html to look at",
    )
    .option("--force", "replace the file that is there");
  withCommonOptions(
    command,
    "telltale view runs/sensors",
    "telltale view sensors.csv",
    "telltale view sweeps/sensors",
    "telltale view --no-open --port 8000",
    "telltale view --export page",
    "telltale view runs/sensors --export sensors.html",
  );
  command.action(async (paths: string[], { out, host, port, open, export: to, force, ...options }: Options) => {
    const talk = new Talk(around, options);
    if (to !== undefined) return exported(paths, to, force ?? false, talk);
    await viewed({ paths, ...given({ out, host, port }) }, { open }, talk, around);
  });
}

/** One run becomes one file; without a run, the page itself becomes a folder. */
async function exported(paths: readonly string[], to: string, force: boolean, talk: Talk): Promise<void> {
  const [run, ...others] = paths;
  if (others.length > 0) throw new RangeError(`view --export: takes one run, got ${paths.length}`);
  const shown = terminalText(to);
  if (run === undefined) {
    if (/\.html?$/i.test(to)) throw new RangeError(`view --export: without a run it writes a folder, got ${to}`);
    const { files, bytes } = await exportPage(to);
    talk.result(
      { folder: to, files, bytes },
      () =>
        `${shown}: ${counted(files, "file")}, ${megabytes(bytes)}; serve the folder from anywhere, such as npx http-server ${shown}`,
    );
    return;
  }
  if (!/\.html?$/i.test(to)) throw new RangeError(`view --export: one run becomes a file.html, got ${to}`);
  const { bytes, rows, explained } = await exportRunPage(run, to, { force });
  talk.result(
    { file: to, bytes, rows, explained },
    () =>
      `${shown}: ${counted(rows, "row")}, ${counted(explained, "explanation")}, ${megabytes(bytes)}; it opens in any browser`,
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
