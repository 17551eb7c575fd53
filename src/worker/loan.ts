/**
 * Rows that stay with their owner: the thread that trains asks for them batch by batch, some ahead of those it learns
 * from.
 */

import { MessageChannel } from "node:worker_threads";
import type { Batch, Data } from "../data/data.ts";
import { Random, type RandomState } from "../tensor/random.ts";
import { sizeOf } from "../tensor/tensor.ts";
import { type Failure, failed, failureOf, type Loan } from "./messages.ts";

/** The next batch of a pass over the rows, or its end. */
interface Asked {
  readonly pass: number;
  readonly size: number;
  /** What decides the order, unless it is the rows' own. */
  readonly random?: RandomState;
  readonly isOver?: boolean;
}

/** With neither a batch nor a failure the pass has come to its end. */
interface Given {
  readonly pass: number;
  readonly batch?: Batch;
  readonly failure?: Failure;
}

/** One pass over the rows, where they are. */
interface Pass {
  batches?: AsyncIterator<Batch> | Iterator<Batch>;
  isReading: boolean;
  isOver: boolean;
  /** What was asked for last: the next waits for it. */
  last: Promise<void>;
}

export interface Lent {
  readonly loan: Loan;
  /** What the owner's rows have thrown, as it was. */
  readonly thrown: readonly unknown[];
  end(): Promise<void>;
}

/** Hands out the rows of the data to whoever has the loan, until it is ended. */
export function lend(data: Data): Lent {
  const { port1: port, port2: theirs } = new MessageChannel();
  const passes = new Map<number, Pass>();
  const thrown: unknown[] = [];

  const begun = ({ size, random }: Asked): AsyncIterator<Batch> | Iterator<Batch> => {
    const batches = random ? data.shuffled(size, Random.restore(random)) : data.inOrder(size);
    return Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]();
  };
  const left = async ({ batches }: Pass): Promise<void> => {
    await batches?.return?.();
  };
  const read = async (pass: Pass, asked: Asked): Promise<Given> => {
    pass.isReading = true;
    try {
      pass.batches ??= begun(asked);
      const { done, value } = await pass.batches.next();
      if (done) return { pass: asked.pass };
      // Copies, for they are handed over and their owner may need his.
      return { pass: asked.pass, batch: { rows: value.rows.slice(), x: { ...value.x, data: value.x.data.slice() } } };
    } catch (error) {
      thrown.push(error);
      return { pass: asked.pass, failure: failureOf(error) };
    } finally {
      pass.isReading = false;
    }
  };
  const serve = async (pass: Pass, asked: Asked): Promise<void> => {
    if (asked.isOver) {
      passes.delete(asked.pass);
      await left(pass).catch(() => {});
    } else if (!pass.isOver) {
      const given = await read(pass, asked);
      const taken = given.batch ? [given.batch.rows.buffer, given.batch.x.data.buffer] : [];
      port.postMessage(given, taken as ArrayBuffer[]);
    }
  };
  port.on("message", (asked: Asked) => {
    const pass = passes.get(asked.pass) ?? { isReading: false, isOver: false, last: Promise.resolve() };
    passes.set(asked.pass, pass);
    pass.isOver ||= asked.isOver ?? false;
    pass.last = pass.last.then(() => serve(pass, asked));
  });

  const { row, count, range } = data;
  return {
    loan: { row, count, range, port: theirs },
    thrown,
    async end() {
      port.close();
      // Rows that do not come, now that nobody waits for them, are not waited for.
      const ended = [...passes.values()].map((pass) => ({ pass, over: left(pass).catch(() => {}) }));
      await Promise.all(ended.map(({ pass, over }) => (pass.isReading ? undefined : over)));
    },
  };
}

/** At most so many batches, and so many numbers, are asked for ahead: a group of steps and the next (see feed.ts). */
const mostAhead = 64;
const mostNumbersAhead = 2 ** 22;

/** The rows at the other end, as data like any other. */
export function borrowed({ row, count, range, port }: Loan, signal: AbortSignal): Data {
  const arrived = new Map<number, (given: Given) => void>();
  port.on("message", (given: Given) => arrived.get(given.pass)?.(given));
  let passes = 0;
  async function* batches(size: number, random?: RandomState): AsyncGenerator<Batch> {
    const pass = passes++;
    const came: Given[] = [];
    let wake: () => void = () => {};
    const wakeUp = (): void => wake();
    arrived.set(pass, (given) => {
      came.push(given);
      wakeUp();
    });
    signal.addEventListener("abort", wakeUp);
    const ask = (more: Partial<Asked> = {}): void =>
      port.postMessage({ pass, size, ...(random && { random }), ...more });
    const ahead = Math.min(mostAhead, Math.ceil(count / size), Math.floor(mostNumbersAhead / (size * sizeOf(row))));
    for (let i = 0; i < Math.max(1, ahead); i++) ask();
    try {
      for (;;) {
        while (came.length === 0) {
          signal.throwIfAborted();
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const { batch, failure } = came.shift()!;
        if (failure) throw failed(failure);
        if (!batch) return;
        ask();
        yield batch;
      }
    } finally {
      signal.removeEventListener("abort", wakeUp);
      arrived.delete(pass);
      ask({ isOver: true });
    }
  }
  return {
    row,
    count,
    range,
    shuffled: (size, random) => batches(size, random.state),
    inOrder: (size) => batches(size),
  };
}
