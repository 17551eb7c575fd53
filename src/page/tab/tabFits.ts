/** Trainings in the tab: one at a time in a worker of its own, the others wait for it. */

import type { Fit, FitRequest, ServerEvent } from "../../api/fits.ts";
import { epochOf, frameOf, lookOf, progressAt } from "../../api/told.ts";
import { arePictures, type Checkpoint, defaultMethod, type MovingFrame } from "../../doors/tab.ts";
import { Refusal } from "../source/source.ts";
import type { Dropped } from "./tabFile.ts";
import type { FromTraining, Made } from "./trainingMessages.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Work {
  readonly told: Mutable<Fit>;
  readonly dropped: Dropped;
  readonly request: FitRequest;
  readonly frames: MovingFrame[];
  worker?: Worker;
  checkpoint?: Checkpoint;
}

interface Around {
  readonly tell: (event: ServerEvent) => void;
  /** Makes a run of what was learned, and gives its id. */
  readonly keep: (
    fit: Fit,
    dropped: Dropped,
    request: FitRequest,
    made: Made,
    frames: readonly MovingFrame[],
  ) => Promise<string>;
}

export class TabFits {
  readonly #around: Around;
  readonly #all = new Map<string, Work>();

  constructor(around: Around) {
    this.#around = around;
  }

  list(): Fit[] {
    return [...this.#all.values()].map(({ told }) => told);
  }

  get(id: string): Fit {
    return this.#work(id).told;
  }

  start(dropped: Dropped, request: FitRequest): Fit {
    const { name = dropped.name.replace(/(?<=.)\.\w+$/, ""), method = defaultMethod } = request;
    const id = `fit-${this.#all.size + 1}`;
    const told: Mutable<Fit> = {
      id,
      name,
      source: dropped.id,
      state: "queued",
      method,
      epochs: [],
      frames: [],
      notices: [],
    };
    this.#all.set(id, { told, dropped, request, frames: [] });
    this.#change(this.#work(id), {});
    this.#pump();
    return told;
  }

  /** At once: what the last checkpoint has is kept. */
  stop(id: string): Fit {
    const work = this.#work(id);
    if (work.told.state === "queued" || work.told.state === "running") this.#end(work, { state: "stopped" });
    return work.told;
  }

  resume(id: string): Fit {
    const work = this.#work(id);
    if (work.told.state !== "stopped")
      throw new Refusal(`only what was stopped can go on, and this is ${work.told.state}`, 409);
    this.#change(work, { state: "queued" });
    this.#pump();
    return work.told;
  }

  frame(id: string, place: number): MovingFrame {
    const found = this.#work(id).frames[place];
    if (!found) throw new Refusal("there is no such frame", 404);
    return found;
  }

  #work(id: string): Work {
    const work = this.#all.get(id);
    if (!work) throw new Refusal("there is no such fit", 404);
    return work;
  }

  #pump(): void {
    const works = [...this.#all.values()];
    const next = works.find(({ told }) => told.state === "queued");
    if (!next || works.some(({ worker }) => worker)) return;
    const worker =
      next.request.device === "gpu"
        ? new Worker(new URL("./gpuWorker.ts", import.meta.url), { type: "module" })
        : new Worker(new URL("./trainingWorker.ts", import.meta.url), { type: "module" });
    next.worker = worker;
    this.#change(next, { state: "running" });
    worker.addEventListener("message", ({ data }: MessageEvent<FromTraining>) => this.#hear(next, data));
    worker.addEventListener("error", ({ message }) =>
      this.#end(next, { state: "failed", problem: message || "the worker that trains has ended itself" }),
    );
    const { dropped, request, checkpoint } = next;
    worker.postMessage({ dropped, request, ...(checkpoint && { resume: checkpoint }) });
  }

  #hear(work: Work, message: FromTraining): void {
    if (message.kind === "begun") {
      const { device, description, look } = message;
      const pictures = arePictures(look.row) ? { pictures: lookOf(look) } : {};
      this.#change(work, { device, notices: [description], ...pictures });
    } else if (message.kind === "epoch") this.#epoch(work, message.epoch);
    else if (message.kind === "frame") this.#frame(work, message.frame);
    else if (message.kind === "stage") this.#change(work, { stage: { words: message.words, share: message.share } });
    else if (message.kind === "checkpoint") work.checkpoint = message.checkpoint;
    else if (message.kind === "failed") this.#end(work, { state: "failed", problem: message.problem });
    else {
      this.#done(work, message.made).catch(({ message: problem }: Error) =>
        this.#end(work, { state: "failed", problem }),
      );
    }
  }

  async #done(work: Work, made: Made): Promise<void> {
    const { told, dropped, request, frames } = work;
    const run = await this.#around.keep(told, dropped, request, made, frames);
    // Somebody may have stopped it meanwhile.
    if (work.told.state !== "running") return;
    const notices = [...told.notices, ...made.notices];
    this.#end(work, { state: "done", run, clusters: made.summaries.length, notices });
    this.#around.tell({ kind: "runs" });
  }

  #epoch(work: Work, epoch: Extract<FromTraining, { kind: "epoch" }>["epoch"]): void {
    const told = epochOf(epoch);
    work.told.epochs.push(told);
    this.#around.tell({ kind: "epoch", fit: work.told.id, epoch: told });
    this.#change(work, progressAt(epoch));
  }

  #frame(work: Work, sent: MovingFrame): void {
    const frame = frameOf(sent, work.frames.length);
    work.told.frames.push(frame);
    work.frames.push(sent);
    this.#around.tell({ kind: "frame", fit: work.told.id, frame });
  }

  #end(work: Work, changes: Partial<Fit>): void {
    work.worker?.terminate();
    delete work.worker;
    delete work.told.stage;
    delete work.told.remaining;
    this.#change(work, changes);
    this.#pump();
  }

  #change({ told }: Work, changes: Partial<Fit>): void {
    Object.assign(told, changes);
    const { epochs: _, frames: __, ...fit } = told;
    this.#around.tell({ kind: "fit", fit });
  }
}
