/**
 * The process that fits: what it computes keeps nobody waiting, and where it ends itself the server goes on. It stops
 * at the next safe moment when it is told to, or when the server is gone.
 */

import {
  type Epoch,
  fitRun,
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
  if (process.connected) process.send!(message);
};

process.on("disconnect", () => stop.abort());
// Ctrl-C reaches all processes of a terminal: the server says when to stop.
process.on("SIGINT", () => {});
process.on("message", (message: ToProcess) => {
  if (message.kind === "stop") stop.abort();
  else void work(message).finally(() => process.disconnect?.());
});

async function work(order: Order): Promise<void> {
  const frames = new Frames();
  const onEvent: OnEvent = (event) => {
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
    if (stop.signal.aborted) tell({ kind: "stopped" });
    else tell({ kind: "failed", problem: (error as Error).message });
  }
}

/** Pictures one after the other; where they come faster than they are drawn, the newest is. */
class Frames {
  readonly #frames = new MovingFrames();
  #kept: readonly KeptFrame[] = [];
  #drawing: Promise<void> | undefined;
  #next: (() => Promise<void>) | undefined;

  draw(epoch: Epoch, watched: NonNullable<Epoch["watched"]>): void {
    this.#next = async () => {
      const frame = await this.#frames.next(epoch, watched, stop.signal);
      const { clusters: _, exemplars: __, ...kept } = frame;
      this.#kept = thinned([...this.#kept, kept]);
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
