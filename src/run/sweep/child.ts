/**
 * The process that fits one job: should it end itself, its worker goes on. It stops at the next safe moment when it is
 * told to, or when the worker is gone.
 */

import { saysCannotWrite } from "../../disk/cannotWrite.ts";
import { nodeDevices } from "../../runtime/nodeDevices.ts";
import type { OnEvent } from "../events.ts";
import { fitRunOn, resumeRunOn } from "../fitting/fitRun.ts";
import { RunFolder } from "../folder/runFolder.ts";
import type { FromProcess, Order, ToProcess } from "./messages.ts";
import { checkAsksAs } from "./sweepJob.ts";

const stop = new AbortController();
const tell = (message: FromProcess): void => {
  if (process.connected) process.send!(message);
};

process.on("disconnect", () => stop.abort());
// Ctrl-C reaches all processes of a terminal, and some runners end whole groups: the worker says when to stop.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
process.on("message", (message: ToProcess) => {
  if (message.kind === "stop") stop.abort();
  else void work(message).finally(() => process.disconnect?.());
});

async function work({ job, path, pretraining }: Order): Promise<void> {
  const { source, rows = {}, method, clusters, seed, profile, options, weight, map, report } = job;
  const onEvent: OnEvent = (event) => {
    if (event.kind === "stage") tell({ kind: "progress", at: event.stage, done: event.done, total: event.total });
    if (event.kind !== "epoch") return;
    const { phase, epoch, epochs } = event.epoch;
    tell({ kind: "progress", at: phase, done: epoch, total: epochs });
  };
  const listening = { signal: stop.signal, onEvent, ...(pretraining !== undefined && { pretraining }) };
  try {
    const begun = await new RunFolder(path).description().catch(() => undefined);
    if (begun) {
      // What is stored there asks nothing but what the job does, and the worker has been told that it may.
      checkAsksAs(job, path, begun.source);
      await resumeRunOn(nodeDevices)(path, { ...listening, source, method, runStoredSql: true });
    } else {
      await fitRunOn(nodeDevices)(source, {
        ...{ out: path, rows, method, clusters, seed, profile, options, map, report },
        ...(weight && { weight }),
        ...listening,
      });
    }
    tell({ kind: "done" });
  } catch (error) {
    if (stop.signal.aborted) tell({ kind: "stopped" });
    else tell({ kind: "failed", problem: (error as Error).message, isHere: saysCannotWrite(error) });
  }
}
