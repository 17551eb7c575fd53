/** Fits that were begun here: one at a time, the others wait for it. */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Fit, FitRequest } from "../../api/fits.ts";
import { epochOf, frameOf } from "../../api/told.ts";
import { type MovingFrame, type RunEvent, RunFolder } from "../../doors/inside.ts";
import type { EventHub } from "../eventHub.ts";
import { notFound, Refused } from "../refused.ts";
import type { RunShelf } from "../runShelf.ts";
import { changesBy } from "./heard.ts";
import type { FromProcess, Order, ToProcess } from "./messages.ts";

/** Fits that may wait, epochs and frames that are remembered. */
const [mostWaiting, mostEpochs, mostFrames] = [16, 2000, 400];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Work {
  readonly told: Mutable<Fit>;
  readonly path: string;
  order: Order;
  readonly frames: MovingFrame[];
  process?: ChildProcess;
  ended?: Promise<void>;
}

export class FitQueue {
  readonly #hub: EventHub;
  readonly #shelf: RunShelf;
  /** Where runs are written. */
  readonly #out: string;
  readonly #all = new Map<string, Work>();
  #isClosed = false;

  constructor({ hub, shelf, out }: { readonly hub: EventHub; readonly shelf: RunShelf; readonly out: string }) {
    this.#hub = hub;
    this.#shelf = shelf;
    this.#out = out;
  }

  list(): Fit[] {
    return [...this.#all.values()].map(({ told }) => told);
  }

  get(id: string): Fit {
    return this.#work(id).told;
  }

  /** Whether a run is being fitted here just now. */
  isAtWork(path: string): boolean {
    return [...this.#all.values()].some((work) => work.path === path && isActive(work.told));
  }

  /** Begins a fit of a file, or puts it behind those that wait. */
  async start(
    source: { readonly id: string; readonly path: string; readonly name: string },
    request: FitRequest,
  ): Promise<Fit> {
    this.#checkRoom();
    const {
      name = source.name.replace(/\.gz$/i, "").replace(/(?<=.)\.\w+$/, ""),
      rows,
      clusters,
      source: _,
      ...rest
    } = request;
    const path = join(this.#out, await this.#freeName(name));
    const range = Array.isArray(clusters) ? ([...clusters] as [number, number]) : clusters;
    const options = { ...rest, out: path, ...(rows && { rows }), ...(range !== undefined && { clusters: range }) };
    return this.#add(
      path,
      { kind: "fit", source: source.path, options },
      { source: source.id, method: request.method ?? "telltale" },
    );
  }

  /** Goes on with the training of a run that was stopped. */
  async resumeRun(path: string): Promise<Fit> {
    if (this.isAtWork(path)) throw new Refused(409, "it is being fitted already");
    this.#checkRoom();
    const { settings, status, result } = await new RunFolder(path).description();
    if (status === "done" && result && !result.unfinished)
      throw new Refused(409, "the run is done, and there is nothing to resume");
    const known = [...this.#all.values()].find((work) => work.path === path);
    if (known) return this.resume(known.told.id);
    return this.#add(path, { kind: "resume", path }, { method: settings.method });
  }

  /** At the next safe moment; what was learned is kept. */
  async stop(id: string): Promise<Fit> {
    const work = this.#work(id);
    if (work.told.state === "queued") this.#change(work, { state: "stopped" });
    else if (work.told.state === "running") {
      this.#change(work, { state: "stopping" });
      send(work, { kind: "stop" });
    }
    return work.told;
  }

  async resume(id: string): Promise<Fit> {
    const work = this.#work(id);
    if (work.told.state !== "stopped" && work.told.state !== "failed") {
      throw new Refused(409, `only what was stopped can go on, and this is ${work.told.state}`);
    }
    const hasBegun = await new RunFolder(work.path).description().catch(() => undefined);
    if (hasBegun) work.order = { kind: "resume", path: work.path };
    delete work.told.problem;
    this.#change(work, { state: "queued" });
    this.#pump();
    return work.told;
  }

  frame(id: string, place: number): MovingFrame {
    const work = this.#work(id);
    const at = work.told.frames.findIndex(({ frame }) => frame === place);
    const found = work.frames[at];
    if (!found) throw notFound("such frame");
    return found;
  }

  /** Stops what is at work and waits for it; nothing is lost. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const work of this.#all.values()) send(work, { kind: "stop" });
    await Promise.all([...this.#all.values()].map(({ ended }) => ended));
  }

  #work(id: string): Work {
    const work = this.#all.get(id);
    if (!work) throw notFound("such fit");
    return work;
  }

  #checkRoom(): void {
    const waiting = [...this.#all.values()].filter(({ told }) => told.state === "queued").length;
    if (waiting >= mostWaiting) throw new Refused(429, `${waiting} fits wait already; stop some`);
  }

  #add(path: string, order: Order, { source, method }: { readonly source?: string; readonly method: string }): Fit {
    const told: Mutable<Fit> = {
      id: `fit-${this.#all.size + 1}`,
      name: new RunFolder(path).name,
      state: "queued",
      method,
      ...(source !== undefined && { source }),
      ...{ epochs: [], frames: [], notices: [] },
    };
    const work: Work = { told, path, order, frames: [] };
    this.#all.set(told.id, work);
    this.#shelf.expect(path);
    this.#announce(work);
    this.#pump();
    return told;
  }

  /** A name that no folder has, and that nobody who waits will take. */
  async #freeName(wanted: string): Promise<string> {
    const taken = new Set([
      ...(await readdir(this.#out).catch(() => [])),
      ...[...this.#all.values()].map(({ told }) => told.name),
    ]);
    const bare = wanted.replace(/[^\p{L}\p{N} ._-]/gu, "_").replace(/^[. ]+|[. ]+$/g, "") || "rows";
    for (let i = 1; ; i++) {
      const name = i === 1 ? bare : `${bare}-${i}`;
      if (!taken.has(name)) return name;
    }
  }

  #pump(): void {
    const works = [...this.#all.values()];
    if (this.#isClosed || works.some(({ process }) => process)) return;
    const next = works.find(({ told }) => told.state === "queued");
    if (next) next.ended = this.#run(next);
  }

  async #run(work: Work): Promise<void> {
    const child = fork(fileURLToPath(new URL("./child.js", import.meta.url)), {
      serialization: "advanced",
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    work.process = child;
    this.#change(work, { state: "running" });
    child.on("message", (message: FromProcess) => this.#hear(work, message));
    child.on("error", () => {});
    send(work, work.order);
    const [code, signal] = await once(child, "exit").catch(() => [1, null]);
    delete work.process;
    await this.#shelf.forget(this.#shelf.idOf(work.path));
    if (work.told.state === "running" || work.told.state === "stopping") {
      const isKept = await new RunFolder(work.path).hasCheckpoint();
      const how = signal === null ? `with code ${code}` : `by ${signal}`;
      this.#change(work, {
        state: isKept ? "stopped" : "failed",
        problem: `the process that fits has ended itself (${how})`,
      });
    }
    this.#pump();
  }

  #hear(work: Work, message: FromProcess): void {
    if (message.kind === "event") this.#event(work, message.event);
    else if (message.kind === "frame") this.#frame(work, message.frame);
    else this.#end(work, message);
  }

  #end(work: Work, message: Extract<FromProcess, { kind: "done" | "stopped" | "failed" }>): void {
    delete work.told.stage;
    delete work.told.remaining;
    const run = message.kind === "done" ? { run: this.#shelf.idOf(work.path) } : {};
    const problem = message.kind === "failed" ? { problem: message.problem } : {};
    this.#change(work, { state: message.kind, ...run, ...problem });
    this.#hub.tell({ kind: "runs" });
  }

  #event(work: Work, event: RunEvent): void {
    const { told } = work;
    if (event.kind === "epoch") {
      const epoch = epochOf(event.epoch);
      told.epochs.push(epoch);
      if (told.epochs.length > mostEpochs) told.epochs.shift();
      Object.assign(told, changesBy(event, told));
      this.#hub.tell({ kind: "epoch", fit: told.id, epoch });
      return;
    }
    const changes = changesBy(event, told);
    if (changes) this.#change(work, changes);
  }

  #frame(work: Work, sent: MovingFrame): void {
    const frame = frameOf(sent, (work.told.frames.at(-1)?.frame ?? -1) + 1);
    work.told.frames.push(frame);
    work.frames.push(sent);
    if (work.frames.length > mostFrames) {
      work.told.frames.shift();
      work.frames.shift();
    }
    this.#hub.tell({ kind: "frame", fit: work.told.id, frame });
  }

  #change(work: Work, changes: Partial<Fit>): void {
    Object.assign(work.told, changes);
    this.#announce(work);
  }

  #announce({ told: { epochs: _, frames: __, ...fit } }: Work): void {
    this.#hub.tell({ kind: "fit", fit });
  }
}

function isActive({ state }: Fit): boolean {
  return state === "queued" || state === "running" || state === "stopping";
}

function send({ process }: Work, message: ToProcess): void {
  if (process?.connected) process.send(message);
}
