/** Training in a thread of its own, so that whoever waits for it stays responsive. */

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type Data, type RowsLike, toData } from "../data/data.ts";
import { type FitOptions, Fitting, fitOn, type KnownFitOptions, modelOf, type OptionsByName } from "../methods/fit.ts";
import { methodOf } from "../methods/index.ts";
import { type DeviceName, type DeviceOffer, findDevice } from "../runtime/device.ts";
import type { Epoch } from "../training/epoch.ts";
import type { Model } from "../training/model.ts";
import type { Fit } from "../training/train.ts";
import { checkpointsTo, readCheckpoint } from "./files.ts";
import type { Answer, CheckpointFile, Order, Portable } from "./messages.ts";

interface InNode extends Omit<KnownFitOptions, "resume"> {
  /** Write a checkpoint to this file while training. */
  readonly checkpoint?: string | CheckpointFile;
  /** Go on from a checkpoint, or from a file that holds one. */
  readonly resume?: KnownFitOptions["resume"] | string;
}

export type NodeFitOptions = InNode & OptionsByName;

/**
 * `fit` in Node: in a worker, if everything can travel there. A method, a network or data of your own is code and cannot: it is trained in
 * this thread, which then rests every 50 ms for whoever else needs it.
 */
export function fitInWorker(offers: readonly DeviceOffer[]) {
  const here = fitOn(offers);
  return function fit(rows: RowsLike, options: NodeFitOptions): Fitting {
    const { checkpoint: given, resume, onEpoch, signal, ...rest } = options;
    const checkpoint = typeof given === "string" ? { file: given } : given;
    const data = toData(rows);
    const portable = portableOf(data, rest);
    let device: DeviceName | undefined;

    async function* epochs(): AsyncGenerator<Epoch, Fit> {
      const from = typeof resume === "string" ? await readCheckpoint(resume) : resume;
      const more = { ...(from && { resume: from }), ...(signal && { signal }) };
      if (!portable) {
        const writing = checkpoint && { onCheckpoint: checkpointsTo(checkpoint) };
        const fitting = here(data, { ...(rest as FitOptions), ...more, ...writing });
        yield* fitting;
        return (await fitting).fit;
      }
      const order = {
        ...portable,
        options: { ...portable.options, ...(from && { resume: from }), ...(checkpoint && { checkpoint }) },
      };
      const done = yield* inThread(order, signal);
      device = done.device;
      return done.fit;
    }
    const open = async (fit: Fit): Promise<Model> =>
      modelOf(fit, rest as FitOptions, await findDevice(offers, device ?? nameOf(rest.device)));
    return new Fitting(epochs(), open, onEpoch);
  };
}

/** What can be sent to a thread, or nothing. The rows are copied: ONNX Runtime takes no memory that threads share. */
function portableOf(
  data: Data,
  { method = "tell", device, ...rest }: Omit<KnownFitOptions, "onEpoch" | "signal">,
): Order | undefined {
  const name = nameOf(device);
  if (!data.tensor || typeof method !== "string" || (device !== undefined && name === undefined)) return undefined;
  if (Object.values(rest).some((value) => typeof value === "function")) return undefined;
  methodOf(method);
  return { rows: data.tensor, options: { ...rest, method, ...(name && { device: name }) } as Portable };
}

async function* inThread(order: Order, signal: AbortSignal | undefined) {
  signal?.throwIfAborted();
  const worker = new Worker(new URL("./thread.js", import.meta.url), { workerData: order });
  const exited = once(worker, "exit");
  const answers: Answer[] = [];
  let wake: () => void = () => {};
  const tell = (answer: Answer): void => {
    answers.push(answer);
    wake();
  };
  worker.on("message", tell);
  worker.on("error", ({ name, message }) => tell({ kind: "failed", name, message }));
  // A thread must never be ended in the middle of a run: it is asked, and goes by itself.
  const stop = (): void => worker.postMessage("stop");
  signal?.addEventListener("abort", stop);
  try {
    for (;;) {
      const answer = answers.shift();
      if (!answer) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if (answer.kind === "epoch") yield answer.epoch;
      else if (answer.kind === "done") {
        const { method, ...plan } = answer.plan;
        const fit: Fit = { ...answer.fit, plan: { ...plan, method: methodOf(method) } as Fit["plan"] };
        return { fit, device: answer.device };
      } else {
        signal?.throwIfAborted();
        throw Object.assign(new Error(answer.message), { name: answer.name });
      }
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
    await exited;
  }
}

function nameOf(device: KnownFitOptions["device"]): DeviceName | undefined {
  return typeof device === "string" ? device : device?.name;
}
