#!/usr/bin/env node
/** The command `telltale`. */

import { Ending, exitCodes } from "./ending.ts";
import { run, sayEnding } from "./program.ts";

const stop = new AbortController();

const signals = ["SIGINT", "SIGTERM"] as const;
for (const name of signals) {
  process.once(name, () => {
    // The first one asks. The second finds nobody listening, and ends the process at once.
    for (const each of signals) process.removeAllListeners(each);
    stop.abort(new Ending("stopped", exitCodes[name]));
  });
}

// Whoever reads our output may have seen enough (`telltale assign … | head`): that is a good end.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? exitCodes.done : exitCodes.failed);
});
// Nobody to talk to is no reason to stop.
process.stderr.on("error", () => {});

const around = { out: process.stdout, err: process.stderr, signal: stop.signal };
// What nobody waited for has failed: the same one line, and no stack.
for (const name of ["uncaughtException", "unhandledRejection"]) {
  process.on(name, (error: unknown) => process.exit(sayEnding(error, "telltale", around)));
}

const code = await run(process.argv.slice(2), around);
process.exitCode = code;
// A read that is under way, of standard input for one, would keep a stopped process alive.
if (stop.signal.aborted) setTimeout(() => process.exit(code), 500).unref();
