/** Rows that stay with their owner: the thread that trains asks for one batch after the other, and the next is read meanwhile. */

import { MessageChannel } from "node:worker_threads";
import type { Batch, Data } from "../data/data.ts";
import { Random, type RandomState } from "../tensor/random.ts";
import { type Failure, failed, type Loan } from "./messages.ts";

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

/** Hands out the rows of the data to whoever has the loan, until it is ended. */
export function lend(data: Data): { readonly loan: Loan; end(): Promise<void> } {
  const { port1: port, port2: theirs } = new MessageChannel();
  const passes = new Map<number, AsyncIterator<Batch> | Iterator<Batch>>();
  const begun = ({ size, random }: Asked): AsyncIterator<Batch> | Iterator<Batch> => {
    const batches = random ? data.shuffled(size, Random.restore(random)) : data.inOrder(size);
    return Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]();
  };
  port.on("message", async (asked: Asked) => {
    const { pass } = asked;
    const answer = (given: Omit<Given, "pass">, taken: ArrayBuffer[] = []): void =>
      port.postMessage({ pass, ...given }, taken);
    try {
      if (asked.isOver) {
        await passes.get(pass)?.return?.();
        passes.delete(pass);
        return;
      }
      const batches = passes.get(pass) ?? begun(asked);
      passes.set(pass, batches);
      const step = await batches.next();
      if (step.done) return answer({});
      // Copies, for they are handed over and their owner may need his.
      const { x } = step.value;
      const [rows, numbers] = [step.value.rows.slice(), x.data.slice()];
      answer({ batch: { rows, x: { ...x, data: numbers } } }, [rows.buffer, numbers.buffer]);
    } catch (error) {
      const { name, message } = error as Error;
      answer({ failure: { name, message } });
    }
  });
  const { row, count, range } = data;
  return {
    loan: { row, count, range, port: theirs },
    async end() {
      port.close();
      for (const batches of passes.values()) await batches.return?.();
    },
  };
}

/** The rows at the other end, as data like any other. */
export function borrowed({ row, count, range, port }: Loan): Data {
  const waiting = new Map<number, (given: Given) => void>();
  port.on("message", (given: Given) => waiting.get(given.pass)?.(given));
  let passes = 0;
  async function* batches(size: number, random?: RandomState): AsyncGenerator<Batch> {
    const pass = passes++;
    const next = (): Promise<Given> =>
      new Promise((resolve) => {
        waiting.set(pass, resolve);
        port.postMessage({ pass, size, ...(random && { random }) } satisfies Asked);
      });
    try {
      let given = await next();
      while (given.batch) {
        const coming = next();
        yield given.batch;
        given = await coming;
      }
      if (given.failure) throw failed(given.failure);
    } finally {
      waiting.delete(pass);
      port.postMessage({ pass, size, isOver: true } satisfies Asked);
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
