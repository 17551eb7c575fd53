/** Somebody else's ONNX in a process of its own: what goes wrong there ends there. */

import { type ChildProcess, fork } from "node:child_process";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { bytesInWords } from "../../tensor/budget.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import type { DeviceName, ForeignModel, ForeignOptions } from "../device.ts";
import { ForeignEnded } from "../foreign.ts";
import { lastWords, type Reply, type Request, tooMuchMemory } from "./messages.ts";

/** What a model may take beyond its weights, unless said otherwise, in megabytes. */
const usualMemory = 2000;
/** What the process takes in which it runs, in bytes. */
const processItself = 2 ** 28;
/** Weights are there once as they came, once as they were read, once as they are used, and while that is made. */
const copiesOfWeights = 4;

/** What a process needs to know of the machine, and nothing else of what is around us. */
const passedOn = ["SystemRoot", "TEMP", "TMP", "TMPDIR", "LD_LIBRARY_PATH", "VK_ICD_FILENAMES", "VK_DRIVER_FILES"];

/** A process runs no TypeScript: from the source, it is what has been built of it. */
const place = import.meta.url.endsWith(".ts") ? "../../../dist/src/runtime/child/child.js" : "./child.js";
const program = new URL(place, import.meta.url);

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

export class ChildModel implements ForeignModel {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #waiting = new Map<number | undefined, Waiting>();
  #runs = 0;
  /** Why it has ended. */
  #ended: ForeignEnded | undefined;
  inputNames: readonly string[] = [];
  outputNames: readonly string[] = [];

  private constructor(child: ChildProcess, memory: number) {
    this.#child = child;
    let words = "";
    (child.stdio[lastWords] as Socket | null)?.on("data", (text) => {
      words += text;
    });
    child.on("message", (reply: Reply) => this.#settle("id" in reply ? reply.id : undefined)?.resolve(reply));
    child.on("error", (error) => this.#end(`its process could not be started (${error.message})`));
    // What could not be started has ended already.
    this.#exited = new Promise((resolve) => child.once(child.pid === undefined ? "error" : "close", resolve));
    child.once("close", (code, signal) => {
      if (words === tooMuchMemory) {
        const limit = bytesInWords(memory * 1e6);
        this.#end(`it needs more than ${limit} beyond its weights; raise the limit with --memory (memory)`);
      } else this.#end(`its process ended by itself (${signal ?? code})`);
    });
    this.#rest();
  }

  /** The bytes must have been looked at (`checkOnnx`). */
  static async open(
    bytes: Uint8Array,
    { device, memory = usualMemory, signal }: ForeignOptions & { readonly device: DeviceName },
  ): Promise<ChildModel> {
    signal?.throwIfAborted();
    const env = Object.fromEntries(passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
    const most = processItself + memory * 1e6 + copiesOfWeights * bytes.length;
    const child = fork(fileURLToPath(program), [String(process.pid), String(most)], {
      serialization: "advanced",
      execArgv: [],
      env,
      // Ctrl-C goes to all processes of a terminal: what it means is decided here.
      detached: process.platform !== "win32",
      stdio: ["ignore", "ignore", "ignore", "ipc", "pipe"],
    });
    const model = new ChildModel(child, memory);
    const reply = await model.#ask(undefined, { kind: "open", bytes, device }, signal).catch(async (error) => {
      await model.close();
      throw error;
    });
    if (reply.kind === "opened") ({ inputNames: model.inputNames, outputNames: model.outputNames } = reply);
    return model;
  }

  async run(
    inputs: Readonly<Record<string, Tensor>>,
    outputs: readonly string[],
    signal?: AbortSignal,
  ): Promise<Record<string, Tensor>> {
    const id = this.#runs++;
    const reply = await this.#ask(id, { kind: "run", id, inputs, outputs }, signal);
    return reply.kind === "ran" ? reply.outputs : {};
  }

  /** It has nothing to save: it is ended, whatever it is at. */
  async close(): Promise<void> {
    this.#end("it has been closed");
    this.#rest(true);
    await this.#exited;
  }

  async #ask(id: number | undefined, request: Request, signal: AbortSignal | undefined): Promise<Reply> {
    signal?.throwIfAborted();
    if (this.#ended) throw this.#ended;
    const stop = (): void => this.#end("it was stopped", signal!.reason);
    signal?.addEventListener("abort", stop);
    try {
      const reply = await new Promise<Reply>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        this.#rest();
        // What cannot be reached has died, or soon will have: its end says why.
        this.#child.send(request, (error) => error && this.#child.kill("SIGKILL"));
      });
      if (reply.kind === "failed") throw new Error(reply.message);
      return reply;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  #settle(id: number | undefined): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#rest();
    return waiting;
  }

  /** Only while somebody waits for it does it keep our own process alive. */
  #rest(isAwaited = this.#waiting.size > 0): void {
    const { channel } = this.#child;
    const words = this.#child.stdio[lastWords] as Socket | null;
    for (const handle of [this.#child, channel, words]) {
      if (isAwaited) handle?.ref();
      else handle?.unref();
    }
  }

  #end(why: string, reason: unknown = new ForeignEnded(why)): void {
    this.#ended ??= new ForeignEnded(why);
    this.#child.kill("SIGKILL");
    for (const id of [...this.#waiting.keys()]) this.#settle(id)!.reject(reason);
  }
}
