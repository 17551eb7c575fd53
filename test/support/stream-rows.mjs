/** Streams rows in a child process, which may be killed at any moment; says how far it is at every commit. */

import { devices } from "../../dist/src/doors/node.js";
import { streamRowsOn } from "../../dist/src/run/stream/streamRows.js";

const [run, source, out, batch] = process.argv.slice(2);
const done = await streamRowsOn(devices)(run, {
  source,
  out,
  batch: Number(batch),
  format: "csv",
  device: "cpu",
  onDrift: ({ rows }) => process.stderr.write(`${rows}\n`),
});
console.log(JSON.stringify(done));
