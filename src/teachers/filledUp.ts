/** As many clusters as were asked for. */

import { kmeans } from "../numerics/kmeans.ts";
import type { Random } from "../tensor/random.ts";
import { type Tensor, takeRows, tensor } from "../tensor/tensor.ts";
import type { Division } from "./partition.ts";

/** Each cluster that is divided is divided so often, and the best is kept. */
const restarts = 4;

/**
 * While there are fewer clusters than wanted, the one whose rows are farthest from their mean, Σ‖x − mean‖², is divided
 * in two by k-means. Where rows are different enough, there are then as many as were wanted.
 */
export function filledUp(division: Division, rows: Tensor<"float32">, wanted: number, random: Random): Division {
  const labels = division.labels.slice();
  const losses = new Map<number, number>();
  for (const name of new Set(labels)) if (name >= 0) losses.set(name, lossOf(rows, membersOf(labels, name)));
  let next = division.memberships?.shape[1] ?? Math.max(-1, ...losses.keys()) + 1;
  /** Of each new cluster, the one that it was a part of at first. */
  const whole = new Map<number, number>();
  while (losses.size < wanted) {
    const [largest, loss] = [...losses].reduce((most, each) => (each[1] > most[1] ? each : most), [-1, 0]);
    if (!(loss > 0)) break;
    const members = membersOf(labels, largest);
    const halves = kmeans(takeRows(rows, members), 2, random.fork(`part ${next}`), { restarts }).labels;
    members.forEach((row, at) => {
      if (halves[at] === 1) labels[row] = next;
    });
    for (const name of [largest, next]) losses.set(name, lossOf(rows, membersOf(labels, name)));
    whole.set(next++, whole.get(largest) ?? largest);
  }
  if (whole.size === 0) return division;
  const memberships = division.memberships && partedMemberships(division.memberships, labels, whole);
  return { labels, ...(memberships && { memberships }) };
}

function membersOf(labels: Int32Array, name: number): Int32Array {
  return Int32Array.from(labels.keys()).filter((row) => labels[row] === name);
}

/** Σ‖x − mean‖². */
function lossOf({ data, shape }: Tensor<"float32">, members: Int32Array): number {
  const d = shape[1]!;
  let loss = 0;
  for (let c = 0; c < d; c++) {
    let [mean, squares] = [0, 0];
    members.forEach((row, at) => {
      const value = data[row * d + c]!;
      const before = value - mean;
      mean += before / (at + 1);
      squares += before * (value - mean);
    });
    loss += squares;
  }
  return loss;
}

/** A row that now belongs to the new part belongs to it as much as it did to the whole. */
function partedMemberships(
  { data, shape }: Tensor<"float32">,
  labels: Int32Array,
  whole: ReadonlyMap<number, number>,
): Tensor<"float32"> {
  const [n, k] = shape as [number, number];
  const width = k + whole.size;
  const values = new Float32Array(n * width);
  for (let i = 0; i < n; i++) {
    values.set(data.subarray(i * k, (i + 1) * k), i * width);
    const [to, from] = [labels[i]!, whole.get(labels[i]!)];
    if (from === undefined) continue;
    values[i * width + to] = values[i * width + from]!;
    values[i * width + from] = 0;
  }
  return tensor("float32", [n, width], values);
}
