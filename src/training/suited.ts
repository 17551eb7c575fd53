/** What suits the rows, decided by their shape and their numbers, never by a name (docs/choice.md). */

import { type Data, rowsAtOnce } from "../data/data.ts";
import { shareScale } from "../data/sharedScale.ts";
import { sizeOf } from "../tensor/tensor.ts";
import { type Plan, stepsAnEpoch } from "./plan.ts";
import type { SharedOptions } from "./sharedOptions.ts";

/** What can be seen of a table in one look. */
interface Seen {
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** The share of numbers that are 0. */
  readonly zeros: number;
  /** The share of rows whose length is 1, but for a twentieth. */
  readonly unit: number;
}

/** So many rows are looked at. */
const looked = 2 ** 18;
/** Rows of words have so many columns at least. */
const wide = 200;
const mostPretraining = 50;
/** A table that is so small is gone through more often. */
const fewestSteps = 200;
/** A filter sees each image at every place, so that images need this share of the steps (docs/results.md). */
const shareForImages = 0.5;

/** The plan with what suits the rows, where nothing else was said. */
export async function suited(
  plan: Plan,
  data: Data,
  given: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Plan> {
  // Whoever says something about the network gets one.
  const isOpen = plan.options.network === "auto" && !plan.network && Object.keys(given).every(isOfRows);
  const plain = plan.options.plain === true && !isOpen ? { plain: false } : {};
  if (data.row.length > 1) {
    return withEpochs({ ...plan, options: { ...plan.options, ...plain } }, given, shareForImages);
  }
  const seen = await look(data, signal);
  const isMixed = plan.options.scaling === "columns";
  const isText =
    !isMixed && sizeOf(data.row) >= wide && ((data.range[0] >= 0 && seen.zeros >= 0.5) || seen.unit >= 0.9);
  const suits: Partial<SharedOptions> = isText ? ofText(plan) : ofTable(plan, seen, data.range);
  const free = Object.entries(suits).filter(([name]) => given[name] === undefined);
  return withEpochs({ ...plan, options: { ...plan.options, ...Object.fromEntries(free), ...plain } }, given);
}

/** What may be said, and leaves it open whether there is a network. */
const isOfRows = (name: string): boolean => ["effort", "plain", "scaling", "taughtBy"].includes(name);

/** Words and embeddings: their length says something, and clusters need a number each. */
function ofText({ clusters }: Plan): Partial<SharedOptions> {
  return { code: "linear", latent: Math.max(10, clusters), batch: 256, scaling: "length" };
}

/**
 * A batch of a fortieth of the rows: smaller ones learn each row, and not what rows have in common. Layers as wide as
 * the row, and no narrower than 64: wider ones learn no better, and take several times as long. Columns that share a
 * scale keep it: as it is, where it is one that a network likes, else all are brought to such a one together.
 */
function ofTable(
  { count, row, network }: Plan,
  { low, high }: Seen,
  [least, most]: readonly [number, number],
): Partial<SharedOptions> {
  const batch = Math.min(256, Math.max(32, 2 ** Math.round(Math.log2(count / 40))));
  const width = Math.max(64, sizeOf(row));
  const hidden = network || sizeOf(row) >= wide ? {} : { hidden: [width, width, 4 * width] };
  const kept = least >= -1 && most <= 1 ? "none" : "shared";
  return { batch, ...hidden, ...(shareScale(low, high) && { scaling: kept }) };
}

/** As many epochs of pretraining as fill its steps; of these `share` where nobody says how many there are. */
function withEpochs(plan: Plan, given: Readonly<Record<string, unknown>>, share = 1): Plan {
  const { pretrainingSteps, batch } = plan.options;
  if (given.pretraining !== undefined || typeof pretrainingSteps !== "number") return plan;
  const wanted = given.pretrainingSteps === undefined ? share * pretrainingSteps : pretrainingSteps;
  const steps = stepsAnEpoch(plan.count, batch);
  const epochs = Math.max(Math.min(mostPretraining, Math.ceil(wanted / steps)), Math.ceil(fewestSteps / steps));
  return { ...plan, options: { ...plan.options, pretraining: epochs } };
}

async function look(data: Data, signal: AbortSignal | undefined): Promise<Seen> {
  const d = sizeOf(data.row);
  const [low, high] = [
    new Float64Array(d).fill(Number.POSITIVE_INFINITY),
    new Float64Array(d).fill(Number.NEGATIVE_INFINITY),
  ];
  let [zeros, unit, rows] = [0, 0, 0];
  for await (const { x } of data.inOrder(rowsAtOnce(data.row))) {
    signal?.throwIfAborted();
    for (let at = 0; at < x.data.length; at += d) {
      let squares = 0;
      for (let c = 0; c < d; c++) {
        const value = x.data[at + c]!;
        if (value === 0) zeros++;
        squares += value * value;
        if (value < low[c]!) low[c] = value;
        if (value > high[c]!) high[c] = value;
      }
      if (Math.abs(Math.sqrt(squares) - 1) < 0.05) unit++;
      rows++;
    }
    if (rows >= looked) break;
  }
  return { low, high, zeros: zeros / (rows * d), unit: unit / rows };
}
