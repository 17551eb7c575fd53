/**
 * Moved rows teach the student from its saved weights: it is shown them beside rows that are to stay where they are,
 * each with its label, until it says of all of them what it is taught.
 */

import { type Data, rowsAtOnce, toData } from "../../data/data.ts";
import type { Model } from "../../model/model.ts";
import { Random } from "../../tensor/random.ts";
import { sizeOf, type Tensor, tensor } from "../../tensor/tensor.ts";
import { agreementOf } from "../../training/lesson.ts";
import { stepsAnEpoch } from "../../training/plan.ts";
import { Restart } from "../../training/restart.ts";

/** So many rows that stay are shown, and of wide rows as many as have so many numbers together. */
const mostStaying = 20_000;
const mostNumbers = 2 ** 24;
/** Of the rows that are shown, so many are moved ones, each as often as that takes. */
const shareOfMoved = 0.2;
/** At most so many steps, in as many epochs as that is, within these bounds. */
const mostSteps = 1000;
const epochsBetween = [5, 60] as const;
/** Against the rate of the fit: what it knows already is not to be learned anew. */
const rateShare = 0.5;

/** Whether there is a network to be taught; otherwise rows are moved by a center of their own. */
export function isTeachable({ plan, formulas }: Model): boolean {
  return plan.method.isTaught === true && formulas.network.parameters.length > 0;
}

/**
 * The weights of a model, which has each of its centers as a cluster, once it has been taught: `labels` has the center
 * of every row, `moved` are those that it does not place so yet.
 */
export async function taught(
  model: Model,
  data: Data,
  labels: Int32Array,
  moved: readonly number[],
  signal?: AbortSignal,
): Promise<Map<string, Tensor>> {
  const { plan, fit, device } = model;
  const lesson = await shown(data, labels, moved, Random.seeded(plan.seed).fork("curation"));
  const rate = plan.options.rate * rateShare;
  const [fewest, most] = epochsBetween;
  const wanted = Math.round(mostSteps / stepsAnEpoch(lesson.data.count, plan.options.batch));
  const epochs = Math.min(most, Math.max(fewest, wanted));
  const options = { ...plan.options, epochs, rate, decay: 1, steps: 0, refill: false };
  const restart = new Restart({ ...plan, options, count: lesson.data.count }, fit.restart, lesson.data, device, signal);
  try {
    await restart.load(await model.weights());
    restart.teach(lesson.labels);
    let best = { score: Number.NEGATIVE_INFINITY, weights: new Map<string, Tensor>() };
    for (let epoch = 0; epoch < epochs; epoch++) {
      await restart.cluster(epoch);
      const found = await restart.labels();
      const [followed, stayed] = [lesson.moved, lesson.staying].map((rows) =>
        rows.length === 0 ? 1 : agreementOf(taken(found, rows), taken(lesson.labels, rows)),
      ) as [number, number];
      if (followed + stayed > best.score) best = { score: followed + stayed, weights: await restart.model() };
      if (followed === 1) break;
    }
    return best.weights;
  } finally {
    await restart.close();
  }
}

interface Shown {
  readonly data: Data;
  readonly labels: Int32Array;
  /** Where in it the rows are that are moved, and those that stay. */
  readonly moved: readonly number[];
  readonly staying: readonly number[];
}

/** Rows that stay, a sample of them where they are many, and those that are moved. */
async function shown(data: Data, labels: Int32Array, moved: readonly number[], random: Random): Promise<Shown> {
  const width = sizeOf(data.row);
  const isMoved = new Set(moved);
  const most = Math.max(1, Math.min(mostStaying, Math.floor(mostNumbers / width)));
  const some = [...random.permutation(data.count)].filter((row) => !isMoved.has(row)).slice(0, most);
  const repeats = Math.max(1, Math.round((some.length * shareOfMoved) / (1 - shareOfMoved) / moved.length));
  const order = [...some, ...Array.from({ length: repeats }, () => moved).flat()];
  const places = new Map<number, number[]>();
  order.forEach((row, at) => {
    const known = places.get(row);
    if (known) known.push(at);
    else places.set(row, [at]);
  });
  const x = new Float32Array(order.length * width);
  for await (const { rows, x: batch } of data.inOrder(rowsAtOnce(data.row))) {
    rows.forEach((row, i) => {
      for (const at of places.get(row) ?? []) x.set(batch.data.subarray(i * width, (i + 1) * width), at * width);
    });
  }
  return {
    data: toData(tensor("float32", [order.length, ...data.row], x)),
    labels: taken(labels, order),
    staying: [...some.keys()],
    moved: moved.map((_, i) => some.length + i),
  };
}

function taken(labels: Int32Array, rows: readonly number[]): Int32Array {
  return Int32Array.from(rows, (row) => labels[row]!);
}
