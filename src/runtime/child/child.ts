/** The process that runs somebody else's ONNX: it is told what, answers, and may be ended at any moment. */

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { type ForeignModel, findDevice } from "../device.ts";
import { cpu, gpu } from "../native.ts";
import { openHere, plainReason } from "../openHere.ts";
import { webAssembly } from "../wasm.ts";
import type { Reply, Request } from "./messages.ts";

// Whoever started us ends us.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit());

const [parent, most] = process.argv.slice(2).map(Number);
const watchdog = new Worker(new URL("./watchdog.js", import.meta.url), { workerData: { parent, most } });
const watched = new Promise((resolve) => watchdog.once("online", resolve));

let model: ForeignModel;
let last: Promise<void> = Promise.resolve();
process.on("message", (request: Request) => {
  last = last.then(() => serve(request));
});

async function serve(request: Request): Promise<void> {
  const id = request.kind === "run" ? { id: request.id } : {};
  try {
    answer(request.kind === "open" ? await opened(request) : await ran(request));
  } catch (error) {
    answer({ kind: "failed", ...id, message: plainReason(error as Error) });
  }
}

async function opened({ bytes, device }: Extract<Request, { kind: "open" }>): Promise<Reply> {
  const offers = [cpu, webAssembly(availableParallelism()), gpu];
  const [found] = await Promise.all([findDevice(offers, device), watched]);
  model = await openHere(bytes, found);
  return { kind: "opened", inputNames: model.inputNames, outputNames: model.outputNames };
}

async function ran({ id, inputs, outputs }: Extract<Request, { kind: "run" }>): Promise<Reply> {
  return { kind: "ran", id, outputs: await model.run(inputs, outputs) };
}

function answer(reply: Reply): void {
  process.send!(reply);
}
