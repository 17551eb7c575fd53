/** How rows reach a program: handed over batch by batch, or kept on the device and named by their positions. */

import type { Batch, Data } from "../data/data.ts";
import type { Scaling } from "../data/scaling.ts";
import { gatherRows } from "../graph/arrange.ts";
import { input, type Node, variable } from "../graph/node.ts";
import type { Device } from "../runtime/device.ts";
import type { Program } from "../runtime/program.ts";
import type { RunOptions, Session, Values } from "../runtime/session.ts";
import { tensor } from "../tensor/tensor.ts";
import { scaled } from "./scaled.ts";

/** The name of the variable that holds the data on a device: state, but not of the model. */
export const dataName = "data";

export interface Feed {
  /** The rows, as the network is to see them. */
  readonly x: Node;
  /** Where the rows are in the data. */
  readonly rows: Node;
  /** What each row is taught, as a number of type float32, which stays on a GPU; −1 for nothing. */
  readonly label: Node;
  values(batch: Batch): Values;
}

/** A GPU keeps all rows if it can, since sending them at every step costs more than the step. */
export function feedOf(
  data: Pick<Data, "row" | "tensor">,
  device: Pick<Device, "keepsState">,
  scaling?: Scaling,
): Feed {
  const rows = input("rows", ["n"], "int32");
  const label = input("label", ["n"]);
  const about = ({ rows, labels }: Batch): Values => ({
    rows: tensor("int32", [rows.length], rows),
    ...(labels && { label: tensor("float32", [rows.length], labels) }),
  });
  if (device.keepsState && data.tensor && data.tensor.data.byteLength < largestKept) {
    const x = gatherRows(variable(dataName, data.tensor), rows);
    return { x: scaled(x, scaling), rows, label, values: about };
  }
  const x = input("x", ["n", ...data.row]);
  return { x: scaled(x, scaling), rows, label, values: (batch) => ({ x: batch.x, ...about(batch) }) };
}

const largestKept = 2 ** 31;

/** So many batches are prepared at a time: whole groups of steps for any device, and little memory. */
const prepared = 32;

/** Runs a program once for every batch; the outputs come as they are ready. */
export async function* runAll(
  session: Session,
  batches: AsyncIterable<Values> | Iterable<Values>,
  options: RunOptions,
): AsyncGenerator<Values> {
  let waiting: Values[] = [];
  for await (const values of batches) {
    waiting.push(values);
    if (waiting.length < prepared) continue;
    yield* await session.runMany(waiting, options);
    waiting = [];
  }
  if (waiting.length > 0) yield* await session.runMany(waiting, options);
}

/** Batches as a program wants them: what it has no input for is left out. */
export async function* fed(
  { inputs }: Program,
  batches: AsyncIterable<Batch> | Iterable<Batch>,
  feed: Feed,
  more: Values = {},
): AsyncGenerator<Values> {
  const names = new Set(inputs.map(({ attributes }) => attributes.name));
  for await (const batch of batches) {
    const values = { ...feed.values(batch), ...more };
    yield Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
  }
}
