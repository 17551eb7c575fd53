#!/usr/bin/env node
/** The command `telltale`. */

import { writeSync } from "node:fs";
import { Ending, exitCodes } from "./ending.ts";
import { outputLost, writeWholeChunks } from "./output.ts";
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

writeWholeChunks(process.stdout);
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // Whoever reads our output may have seen enough (`telltale assign … | head`): that is a good end.
  if (error.code === "EPIPE") process.exit(exitCodes.done);
  try {
    writeSync(process.stderr.fd, `telltale: ${outputLost(error)}\n`);
  } finally {
    process.exit(exitCodes.failed);
  }
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
