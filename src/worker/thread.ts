/**
 * The thread that trains: it is told once what to do, answers with every epoch, and stops between two runs when asked
 * to. It may have begun before anybody knows what there is to do.
 */

import { parentPort } from "node:worker_threads";
import { fitting } from "../model/fitting.ts";
import { findDevice } from "../runtime/device.ts";
import { nodeDevices } from "../runtime/nodeDevices.ts";
import { describePlan } from "../training/plan.ts";
import { checkpointsTo } from "./checkpoints.ts";
import { borrowed } from "./loan.ts";
import { type Answer, failureOf, type Order } from "./messages.ts";
import { readMethodFile } from "./methodFile.ts";

const port = parentPort!;
const answer = (message: Answer): void => port.postMessage(message);
const stopping = new AbortController();
const order = await new Promise<Order | "stop">((begin) => {
  port.on("message", (message: Order | "stop") => {
    if (message === "stop") stopping.abort();
    begin(message);
  });
});
if (order === "stop") port.close();
else await train(order);

async function train({ rows, method, methodFile, device: wanted, checkpoint, options }: Order): Promise<void> {
  try {
    const device = await findDevice(nodeDevices, wanted, (sentence) => answer({ kind: "notice", sentence }));
    const own = methodFile === undefined ? method : (await readMethodFile(methodFile.path, methodFile)).method;
    const writing = checkpoint && { onCheckpoint: checkpointsTo(checkpoint) };
    const data = "port" in rows ? borrowed(rows, stopping.signal) : rows;
    const said = { ...options, ...writing, ...(own && { method: own }), signal: stopping.signal };
    const training = fitting(data, said, device);
    let step = await training.next();
    while (!step.done) {
      answer({ kind: "epoch", epoch: step.value });
      step = await training.next();
    }
    const { plan, ...fit } = step.value;
    answer({ kind: "done", fit, plan: describePlan(plan), device: device.name });
  } catch (error) {
    answer({ kind: "failed", ...failureOf(error) });
  } finally {
    port.close();
    if ("port" in rows) rows.port.close();
  }
}
