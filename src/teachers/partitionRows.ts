/** Rows in, a partition out, by a teacher's name: what the door offers. */

import { type RowsLike, rowsAtOnce, toData } from "../data/data.ts";
import type { Multiply } from "../numerics/matrix.ts";
import { paceOf } from "../numerics/pace.ts";
import { Random } from "../tensor/random.ts";
import { sizeOf, tensor } from "../tensor/tensor.ts";
import { teacherOf } from "./index.ts";
import type { TeacherName } from "./names.ts";
import type { Partition } from "./partition.ts";

export interface PartitionOptions {
  /** Default: kmeans. */
  readonly teacher?: TeacherName;
  /** How many clusters are wanted; density finds out by itself. */
  readonly clusters?: number;
  readonly seed?: number;
  /** The teacher's own options, as it declares them. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Who makes large products of matrices: `productsOn(device).multiply`; plain numbers unless told. */
  readonly multiply?: Multiply;
  readonly signal?: AbortSignal;
}

/** The cluster of each row, by one of the teachers (docs/teachers.md). Rows of any shape are taken number by number. */
export async function partition(
  rows: RowsLike,
  { teacher = "kmeans", clusters, seed = 1, options, multiply, signal }: PartitionOptions = {},
): Promise<Partition> {
  const found = teacherOf(teacher);
  const { row, count, ...data } = toData(rows);
  const width = sizeOf(row);
  const all = new Float32Array(count * width);
  let at = 0;
  for await (const { x } of data.inOrder(rowsAtOnce(row))) {
    all.set(x.data, at);
    at += x.data.length;
  }
  const lesson = {
    random: Random.seeded(seed),
    pace: paceOf(signal),
    ...(clusters !== undefined && { clusters }),
    ...(options && { options }),
    ...(multiply && { multiply }),
  };
  return found.teach(tensor("float32", [count, width], all), lesson);
}
