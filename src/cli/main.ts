#!/usr/bin/env node
/** The command `telltale`. */

import { Ending, exitCodes } from "./ending.ts";
import { run, sayEnding } from "./program.ts";

const stop = new AbortController();

const signals = ["SIGINT", "SIGTERM"] as const;
/** From now on the system answers, however busy we are: a signal ends the process, with nothing left to run. */
const stopListening = (): void => {
  for (const name of signals) process.removeAllListeners(name);
};
for (const name of signals) {
  process.on(name, () => {
    if (stop.signal.aborted) {
      stopListening();
      process.kill(process.pid, name);
      return;
    }
    // The first one asks. Those that came while we were busy are told to us before we stop listening.
    stop.abort(new Ending("stopped", exitCodes[name]));
    setImmediate(stopListening);
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
