/** One pass of learning over the rows: batches in a shuffled order, and the mean of each scalar. */

import type { Batch, Data } from "../data/data.ts";
import type { Session } from "../runtime/session.ts";
import type { Random } from "../tensor/random.ts";
import { filled } from "../tensor/tensor.ts";
import { type Feed, fed, runAll } from "./feed.ts";

/** What goes through the network, and how. */
interface Learned {
  readonly data: Data;
  readonly feed: Feed;
  readonly batch: number;
  /** Each epoch has a stream of its own: resuming needs no more than its number. */
  readonly random: Random;
  /** What each row is taught, −1 for nothing. */
  readonly taught?: Int32Array;
  readonly signal?: AbortSignal;
}

/** One epoch, or as many steps of it as are left: the mean of each scalar over the rows. */
export async function runEpoch(
  session: Session,
  { data, feed, batch, random, taught, signal }: Learned,
  scheduled: Readonly<Record<string, number>>,
  left = Number.POSITIVE_INFINITY,
): Promise<{ losses: Record<string, number>; share: number }> {
  // Groups of steps are counted from the beginning of an epoch, wherever a training was stopped.
  session.steps = 0;
  const scalars = Object.fromEntries(
    Object.entries(scheduled).map(([name, value]) => [name, filled("float32", [], value)]),
  );
  const weights: number[] = [];
  const batches = async function* (): AsyncGenerator<Batch> {
    for await (const each of data.shuffled(batch, random.fork("order"))) {
      weights.push(each.rows.length);
      yield taught ? labelled(each, taught) : each;
      if (weights.length >= left) return;
    }
  };
  const options = { random: random.fork("draws"), ...(signal && { signal }) };
  const sums: Record<string, number> = {};
  let [step, rows] = [0, 0];
  for await (const values of runAll(session, fed(session.program, batches(), feed, scalars), options)) {
    const weight = weights[step++]!;
    rows += weight;
    for (const [name, { data: of }] of Object.entries(values)) sums[name] = (sums[name] ?? 0) + weight * Number(of[0]);
  }
  if (rows !== data.count && step < left) {
    throw new RangeError(`data: an epoch must have ${data.count} rows, as the data says, got ${rows}`);
  }
  const losses = Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / rows]));
  return { losses, share: rows / data.count };
}

/** The same batch, lazy as it may be, with a label for each row. */
function labelled(batch: Batch, all: Int32Array): Batch {
  const labels = Float32Array.from(batch.rows, (row) => all[row]!);
  return {
    rows: batch.rows,
    labels,
    get x() {
      return batch.x;
    },
  };
}
