/** Training in a thread of its own, so that whoever waits for it stays responsive. */

import { Worker } from "node:worker_threads";
import { type Data, type RowsLike, toData } from "../data/data.ts";
import { defaultMethod } from "../methods/index.ts";
import { methodOf, oursOf } from "../methods/methodOf.ts";
import type { NamedFitOptions } from "../model/fitOptions.ts";
import { type FitByName, Fitting, fitByNameOn, modelOf, prepared, withEncoder } from "../model/fitting.ts";
import { Model, type ModelKind } from "../model/model.ts";
import { planOf } from "../model/storedModel.ts";
import { type Device, type DeviceName, type DeviceOffer, findDevice, sayOnce } from "../runtime/device.ts";
import { memoryLimit } from "../tensor/budget.ts";
import type { Encoder } from "../training/encoder.ts";
import type { Epoch } from "../training/epoch.ts";
import type { Fit } from "../training/job.ts";
import type { Method } from "../training/method.ts";
import { checkpointsTo, readCheckpoint } from "./checkpoints.ts";
import { lend } from "./loan.ts";
import { type Answer, failed, failureOf, type Order } from "./messages.ts";
import type { MethodFile } from "./methodFile.ts";

/**
 * `fitByName` in Node: in a worker, if everything can travel there. A network or a device of your own, a method that
 * came in no file, or a function that takes checkpoints, is code and cannot: then it is trained in this thread, which
 * rests between runs for whoever else needs it. Data that is streamed is read in this thread and trained in the other.
 */
export function fitInWorker<M extends Model = Model>(
  offers: readonly DeviceOffer[],
  Kind: ModelKind<M> = Model as unknown as ModelKind<M>,
  methodFile?: MethodFile,
): FitByName<M> {
  const here = fitByNameOn(offers);
  return (rows: RowsLike, options: NamedFitOptions): Fitting<M> => {
    const { checkpoint: given, resume, onEpoch, signal, ...rest } = options;
    const checkpoint = typeof given === "string" ? { file: given } : given;
    let found: DeviceName | undefined;
    let encoder: Encoder | undefined;
    const ownDevice = async (): Promise<Device> =>
      typeof rest.device === "object" ? rest.device : findDevice(offers, found ?? rest.device);

    async function* training(data: Data, more: NamedFitOptions): AsyncGenerator<Epoch, Fit> {
      const order = orderOf(more, methodFile);
      if (!order) {
        const writing = checkpoint && { onCheckpoint: checkpointsTo(checkpoint) };
        const fitting = here(data, { ...more, ...writing, ...(signal && { signal }) });
        yield* fitting;
        return fitting.ended();
      }
      const sent = { ...order, ...(checkpoint && { checkpoint }) };
      const { fit, plan, device } = yield* inThread(data, sent, signal);
      found = device;
      return { ...fit, plan: planOf(plan, { method: methodFile?.method ?? methodOf(plan.method) }) };
    }
    async function* epochs(): AsyncGenerator<Epoch, Fit> {
      const from = typeof resume === "string" ? await readCheckpoint(resume) : resume;
      // A frozen encoder stays on this side, where it can be ended; its features are what is learned from.
      const said = { ...rest, ...(from && { resume: from }), ...(signal && { signal }) };
      const made = await prepared(rows, said, ownDevice);
      encoder = made.encoder;
      const { signal: _, ...more } = made.options;
      return yield* withEncoder(encoder, training(toData(made.rows, rest.missing), more));
    }
    const open = async (fit: Fit): Promise<M> => modelOf(fit, encoder, await ownDevice(), Kind);
    return new Fitting(epochs(), open, onEpoch);
  };
}

/** What can be sent to a thread, or nothing. */
function orderOf({ method = defaultMethod, device, ...options }: NamedFitOptions, methodFile?: MethodFile) {
  const values = [...Object.values(options), ...Object.values(options.options ?? {})];
  const isCode = values.some((value) => typeof value === "function");
  const name = typeof method === "string" ? methodOf(method).name : isOurs(method) ? method.name : undefined;
  if ((name === undefined && !methodFile) || typeof device === "object" || isCode) return undefined;
  const known = methodFile ? { methodFile: { path: methodFile.path, sha256: methodFile.sha256 } } : { method: name! };
  // What is free is asked for once: over there some of it will be taken.
  const memory = options.memory ?? Math.floor(memoryLimit() / 1e6);
  return { ...known, options: { ...options, memory }, ...(device && { device }) };
}

function isOurs(method: Method): boolean {
  return oursOf(method.name) === method;
}

/**
 * Rows in memory are copied, for ONNX Runtime takes no memory that threads share; others stay here and are asked for.
 */
async function* inThread(data: Data, order: Omit<Order, "rows">, signal: AbortSignal | undefined) {
  signal?.throwIfAborted();
  const lent = data.tensor ? undefined : lend(data);
  try {
    const worker = takeThread();
    const sent = { ...order, rows: data.tensor ?? lent!.loan } satisfies Order;
    worker.postMessage(sent, lent ? [lent.loan.port] : []);
    return yield* answersOf(worker, signal);
  } catch (error) {
    // Whoever owns the rows gets back what they have thrown, not what is left of it after two journeys.
    throw signal?.aborted || !lent || lent.thrown.length === 0 ? error : lent.thrown[0];
  } finally {
    await lent?.end();
  }
}

/** A thread that nobody has told yet what to do. */
let waiting: Worker | undefined;

/** Begins a thread, which loads what training takes while rows are still read; the next training takes it. */
export function prepareThread(): void {
  if (waiting) return;
  const thread = newThread();
  waiting = thread;
  // What keeps it from starting is told by the training, which then begins one of its own.
  const forget = (): void => {
    if (waiting === thread) waiting = undefined;
  };
  thread.once("error", forget).once("exit", forget);
}

/** Nobody needs the thread that was prepared. */
export function dismissThread(): void {
  waiting?.postMessage("stop");
  waiting = undefined;
}

function takeThread(): Worker {
  const thread = waiting ?? newThread();
  waiting = undefined;
  return thread;
}

/** The flags of this process are for its own program: with some, such as --input-type, a thread would not start. */
const newThread = (): Worker => new Worker(new URL("./thread.js", import.meta.url), { execArgv: [] });

/** Epochs as they come, and in the end what the thread has found. */
async function* answersOf(worker: Worker, signal: AbortSignal | undefined) {
  const exited = new Promise((resolve) => worker.once("exit", resolve));
  const answers: Answer[] = [];
  let wake: () => void = () => {};
  const tell = (answer: Answer): void => {
    answers.push(answer);
    wake();
  };
  worker.on("message", tell);
  worker.on("error", (error) => tell({ kind: "failed", ...failureOf(error) }));
  worker.on("exit", (code) =>
    tell({ kind: "failed", name: "Error", message: `fit: the training ended itself (${code})` }),
  );
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
      else if (answer.kind === "notice") sayOnce(answer.sentence);
      else if (answer.kind === "done") return answer;
      else {
        signal?.throwIfAborted();
        throw failed(answer);
      }
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
    await exited;
  }
}
