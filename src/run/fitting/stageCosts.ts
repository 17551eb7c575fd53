/**
 * What the work beside the epochs costs, by its sizes: seconds of one processor, measured. Another processor, or a busy
 * one, is told by how slow it is.
 */

import { availableParallelism, loadavg } from "node:os";
import { reportedOf, shownOf } from "../../map/shownRows.ts";
import { mostDrawn } from "../../model/mapRows.ts";
import { squaredDistance } from "../../numerics/distances.ts";
import { Random } from "../../tensor/random.ts";
import { sizeOf } from "../../tensor/tensor.ts";
import { rowsToChooseBy } from "../../training/chooseClusters.ts";
import type { Plan } from "../../training/plan.ts";

/** Work that tells how far it has come. */
export type StageName =
  | "trying numbers of clusters"
  | "looking for groups"
  | "describing the clusters"
  | "drawing the map"
  | "assigning rows"
  | "writing the report";

interface Sizes {
  /** Rows, numbers in each, numbers in a code, and clusters. */
  readonly n: number;
  readonly d: number;
  readonly latent: number;
  readonly k: number;
  /** What teachers look at: codes, and of a table its columns. */
  readonly views: number;
}

/** A teacher is chosen on so many rows, and sees so many. */
const [compared, taught] = [4000, 50_000];

const costs: Readonly<Record<StageName | "teaching" | "settling", (sizes: Sizes) => number>> = {
  /** Fourteen numbers of clusters in two views. 300 rows: 3.3, 1,000: 8.1. */
  "trying numbers of clusters": ({ n }) => 0.8 + 0.0075 * Math.min(n, rowsToChooseBy),
  /** 1,000 rows: 1.6 where there are groups, 4.1 where there are none. */
  "looking for groups": ({ n }) => 0.3 + 0.002 * Math.min(n, rowsToChooseBy),
  /** Six teachers in each view, then one on all rows. 1,000 rows in two: 2.7 of 4 clusters, 4.3 of 10. */
  teaching: ({ n, k, views }) =>
    views * Math.min(n, compared) * (0.001 + 0.000115 * k) + 2e-4 * Math.max(0, Math.min(n, taught) - compared),
  /** A thread, programs to be opened, the silhouette of 3,000 rows, and labels row by row. */
  settling: ({ n }) => 1.3 + 3e-6 * n,
  "describing the clusters": ({ n, d }) => 0.05 + 2.5e-6 * n + 5e-9 * n * d,
  /** 1,000 × 10: 0.3, 5,000: 1.2, 20,000: 3.0, 20,000 × 14: 4.5; a row that is placed 4e-5, of many 1e-5. */
  "drawing the map": ({ n, latent }) => {
    const shown = shownOf(n);
    const drawn = Math.min(shown, mostDrawn);
    const each = (drawn <= 10_000 ? 2.3e-4 : 1.5e-4) + (latent > 12 ? 7e-5 : 0);
    return 0.1 + each * drawn + (shown <= 100_000 ? 4e-5 : 1e-5) * (shown - drawn);
  },
  "assigning rows": ({ n }) => 0.3 + 8e-6 * n,
  "writing the report": ({ n }) => 0.1 + 4e-6 * reportedOf(shownOf(n)),
};

/** Columns of wider tables are not looked at by teachers. */
const widest = 100;

export function secondsOf(part: keyof typeof costs, { count, row, clusters, options }: Plan): number {
  const d = sizeOf(row);
  const latent = options.network === "none" ? d : options.latent || clusters;
  const views = row.length === 1 && d <= widest ? 2 : 1;
  return costs[part]({ n: count, d, latent, k: clusters, views });
}

/** Seconds that the arithmetic below took where the costs were measured. */
const reference = 0.0036;

/**
 * How many times as long something takes here and now: by a few milliseconds of arithmetic, and by how many others want
 * the processors, of whom some only wait.
 */
export function slowness(): number {
  const rows = Random.seeded(1).normals(16 * 500);
  const times = Array.from({ length: 4 }, () => {
    const started = performance.now();
    let sum = 0;
    for (let i = 0; i < 250; i++) for (let j = 0; j < 500; j++) sum += squaredDistance(rows, i, rows, j, 16);
    return sum > 0 ? (performance.now() - started) / 1000 : 0;
  });
  const crowd = Math.sqrt(Math.max(1, loadavg()[0]! / availableParallelism()));
  return Math.min(20, Math.max(0.2, (crowd * Math.min(...times.slice(1))) / reference));
}
