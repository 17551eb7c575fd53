/**
 * The process that fits: what it computes keeps nobody waiting, and where it ends itself the server goes on. It stops
 * at the next safe moment when it is told to, or when the server is gone.
 */

import {
  arePictures,
  type Epoch,
  fitRun,
  framesIn,
  type KeptFrame,
  keepFrames,
  MovingFrames,
  type OnEvent,
  RunFolder,
  resumeRun,
  thinned,
} from "../../doors/inside.ts";
import type { FromProcess, Order, ToProcess } from "./messages.ts";

/** Rows that are seen moving. */
const watch = 2000;

const stop = new AbortController();
const tell = (message: FromProcess): void => {
  // A server that is killed hears no more, and its process must not end of that before it has kept what it learned.
  if (process.connected) process.send!(message, undefined, undefined, () => {});
};

process.on("disconnect", () => stop.abort());
// Ctrl-C reaches all processes of a terminal: the server says when to stop.
process.on("SIGINT", () => {});
process.on("message", (message: ToProcess) => {
  if (message.kind === "stop") stop.abort();
  // Where the server has been killed meanwhile, there is nobody left to say it to.
  else void work(message).finally(() => process.connected && process.disconnect());
});

async function work(order: Order): Promise<void> {
  // A training that goes on has frames already; without them it goes on all the same.
  const before = order.kind === "fit" ? [] : await framesIn(new RunFolder(order.path)).catch(() => []);
  const frames = new Frames(before);
  const onEvent: OnEvent = (event) => {
    if (event.kind === "opened") frames.arePictures = arePictures(event.look?.row ?? []);
    if (event.kind !== "epoch") return tell({ kind: "event", event });
    const { watched, snapshot: _, ...epoch } = event.epoch;
    tell({ kind: "event", event: { kind: "epoch", epoch } });
    if (watched) frames.draw(event.epoch, watched);
  };
  const listening = { signal: stop.signal, onEvent, watch };
  try {
    const run =
      order.kind === "fit"
        ? await fitRun(order.source, { ...order.options, ...listening })
        : await resumeRun(order.path, listening);
    await keepFrames(new RunFolder(run.path), await frames.all());
    tell({ kind: "done" });
  } catch (error) {
    if (stop.signal.aborted) {
      const path = order.kind === "fit" ? order.options.out : order.path;
      await keepFrames(new RunFolder(path), await frames.all()).catch(() => {});
      tell({ kind: "stopped" });
    } else tell({ kind: "failed", problem: (error as Error).message });
  }
}

/** Pictures one after the other; where they come faster than they are drawn, the newest is. */
class Frames {
  readonly #frames: MovingFrames;
  #kept: readonly KeptFrame[];
  /** Whether those of before end where this training goes on. */
  #isCut = false;
  #drawing: Promise<void> | undefined;
  #next: (() => Promise<void>) | undefined;
  /** Whether exemplars are kept: those that can be seen. */
  arePictures = false;

  constructor(before: readonly KeptFrame[]) {
    this.#frames = new MovingFrames(before.at(-1));
    this.#kept = before;
  }

  draw(epoch: Epoch, watched: NonNullable<Epoch["watched"]>): void {
    if (!this.#isCut) this.#kept = until(this.#kept, epoch);
    this.#isCut = true;
    this.#next = async () => {
      const frame = await this.#frames.next(epoch, watched, stop.signal);
      const { clusters: _, exemplars, ...kept } = frame;
      this.#kept = thinned([...this.#kept, { ...kept, ...(exemplars && this.arePictures && { exemplars }) }]);
      tell({ kind: "frame", frame });
    };
    this.#drawing ??= this.#work();
  }

  async all(): Promise<readonly KeptFrame[]> {
    await this.#drawing;
    return this.#kept;
  }

  async #work(): Promise<void> {
    for (let next = this.#next; next; next = this.#next) {
      this.#next = undefined;
      // A picture that fails is no reason to stop learning.
      await next().catch(() => {});
    }
    this.#drawing = undefined;
  }
}

/** A training goes on from its last checkpoint, and repeats the epochs after it: these are seen once. */
function until(kept: readonly KeptFrame[], { restart, phase, epoch }: Epoch): readonly KeptFrame[] {
  const repeated = kept.findIndex((one) => one.restart === restart && one.phase === phase && one.epoch >= epoch);
  return repeated < 0 ? kept : kept.slice(0, repeated);
}
