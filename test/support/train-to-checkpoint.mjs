/**
 * Trains in a child process, going on from the checkpoint file if there is one; prints a fingerprint of the fit.
 * Where a number is given it kills itself without warning once it has seen so many epochs, so that no machine is too
 * quick or too slow for it.  usage: train-to-checkpoint.mjs FILE [EPOCHS]
 */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { Random } from "../../dist/src/doors/engine.js";
import { fit, tensor } from "../../dist/src/doors/node.js";

const [file, killAfter = Number.POSITIVE_INFINITY] = process.argv.slice(2);
let epochs = 0;
const rows = tensor("float32", [200, 6], Random.seeded(5).uniforms(1200));
const training = fit(rows, {
  clusters: 4,
  method: "tell",
  hidden: [12],
  latent: 3,
  batch: 32,
  pretraining: 15,
  epochs: 15,
  restarts: 2,
  device: "cpu",
  checkpoint: { file, everySeconds: 0 },
  ...(existsSync(file) && { resume: file }),
  onEpoch: () => ++epochs >= Number(killAfter) && process.kill(process.pid, "SIGKILL"),
});
const { labels, state } = (await training).fit;
const hash = createHash("sha256").update(Buffer.from(labels.buffer));
for (const [name, { data }] of [...state].sort()) hash.update(name).update(new Uint8Array(data.buffer));
console.log(hash.digest("hex"));
