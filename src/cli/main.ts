#!/usr/bin/env node
/** The command `telltale`. */

import { writeSync } from "node:fs";
import { Ending, exitCodes } from "./ending.ts";
import { outputLost, writeWholeChunks } from "./output.ts";
import { run } from "./program.ts";

const stop = new AbortController();

const signals = ["SIGINT", "SIGTERM"] as const;
for (const name of signals) {
  process.once(name, () => {
    // The first one asks. The second finds nobody listening, and ends the process at once.
    for (const each of signals) process.removeAllListeners(each);
    stop.abort(new Ending("stopped", exitCodes[name]));
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

const code = await run(process.argv.slice(2), { out: process.stdout, err: process.stderr, signal: stop.signal });
process.exitCode = code;
// A read that is under way, of standard input for one, would keep a stopped process alive.
if (stop.signal.aborted) setTimeout(() => process.exit(code), 500).unref();
