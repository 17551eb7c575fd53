/** Reports to look at: a few clusters of pictures, of a table, or of plain vectors. */

import type { ClusterSummary, ShownRow } from "../../src/explain/clusters/clusterSummary.ts";
import type { ReportData } from "../../src/report/reportData.ts";
import { Random } from "../../src/tensor/random.ts";
import type { Epoch } from "../../src/training/epoch.ts";

export interface SampleOptions {
  readonly kind?: "pictures" | "table" | "vectors";
  readonly clusters?: number;
  readonly rows?: number;
  readonly columns?: readonly string[];
}

const columnNames = ["price (EUR)", "weight (kg)", "range (km)", "seats"];

export function sample(options: SampleOptions = {}): ReportData {
  const { kind = "table", clusters: k = 3, columns = kind === "table" ? columnNames : [] } = options;
  const random = Random.seeded(1);
  const row = kind === "pictures" ? [1, 6, 6] : [kind === "table" ? columns.length : 8];
  const rows = options.rows ?? 40 * k;
  const cluster = Int32Array.from({ length: rows }, (_, i) => i % k);
  return {
    title: "sample",
    created: "2026-11-15T14:53:42.123Z",
    version: "0.1.0",
    source: { name: "rows.csv", description: "All columns were used.", rows, row, range: [0, 1], columns },
    method: {
      name: "tell",
      about: "k-means written as a layer.",
      paper: "Peng et al., JMLR 23, 2022",
      profile: "practical",
      seed: 1,
      device: "cpu",
      options: { epochs: 8, code: "unit", hidden: [500, 500] },
    },
    clusters: Array.from({ length: k }, (_, j) => summary(j, k, rows, row, columns, random)),
    map: {
      x: Float32Array.from(cluster, (j) => Math.cos(j) * 10 + random.uniform()),
      y: Float32Array.from(cluster, (j) => Math.sin(j) * 10 + random.uniform()),
      cluster,
      confidence: Float32Array.from(cluster, () => random.uniform()),
      centers: Array.from({ length: k }, (_, j) => [Math.cos(j) * 10 + 0.5, Math.sin(j) * 10 + 0.5] as const),
      shown: rows,
    },
    epochs: [0, 1].flatMap((restart) => epochsOf(restart)),
    restarts: [0, 1].map((restart) => ({
      restart,
      measures: { loss: 0.1 + restart, silhouette: 0.4, divergence: 0.2 },
      stopped: "all epochs done" as const,
    })),
    kept: 1,
    choice: {
      chosen: 3,
      reason: "The silhouette is largest at 3.",
      tried: [2, 3, 4].map((clusters) => ({ clusters, scores: { silhouette: clusters === 3 ? 0.5 : 0.3 } })),
    },
    taught: {
      ...{ teacher: "kmeans", view: "codes", pretraining: 0, reason: "the simplest within one standard error" },
      tried: [
        { view: "codes", teacher: "kmeans", score: 0.81, error: 0.02 },
        { view: "columns", teacher: "ward", score: 0.82, error: 0.03 },
      ],
      ...{ rows: 36 * k, agreement: 0.99, centers: "means" },
      held: { rows: 4 * k, agreement: 0.97, chance: 1 / k, clusters: Array(k).fill(0.97), calibration: 0.01 },
      none: { rows: 9, held: 4, distance: 1, error: 0.1, auroc: 0.9, neighbours: 0.93, isSaid: true },
    },
    scores: {
      metrics: { accuracy: 0.9, nmi: 0.8, ari: 0.7 },
      classes: Array.from({ length: k }, (_, j) => `class ${j}`),
      // Each class is mostly in the cluster after its own number.
      table: Array.from({ length: k }, (_, i) => Array.from({ length: k }, (_, j) => (j === (i + 1) % k ? 30 : 2))),
    },
    measures: { silhouette: 0.41, daviesBouldin: 0.8 },
    notices: ["12 values were filled in"],
    seconds: 75,
  };
}

function summary(
  cluster: number,
  k: number,
  rows: number,
  row: readonly number[],
  columns: readonly string[],
  random: Random,
): ClusterSummary {
  const numbers = row.reduce((a, b) => a * b, 1);
  const values = (): number[] => Array.from({ length: numbers }, () => random.uniform());
  const shown = (index: number): ShownRow => {
    const placed = { row: index, cluster, confidence: 0.5 + random.uniform() / 2, second: (cluster + 1) % k };
    const named = columns.length > 0 ? { id: `id-${index}` } : {};
    return { ...placed, ...named, margin: 0.1, distance: random.uniform(), outlier: 0.5, values: values() };
  };
  const size = Math.floor(rows / k);
  return {
    cluster,
    name: columns.length > 0 ? `high ${columns[cluster % columns.length]}` : `cluster ${cluster}`,
    size,
    share: size / rows,
    exemplar: values(),
    exemplarFrom: "decoder",
    mean: values(),
    typical: [0, 1, 2].map((i) => shown(i * k + cluster)),
    borderline: [3, 4, 5].map((i) => shown(i * k + cluster)),
    distinguishing: Array.from({ length: Math.min(numbers, 8) }, (_, feature) => ({
      feature,
      name: columns[feature] ?? "",
      here: 21_900.4 / (feature + 1),
      there: 19.56,
      effect: 2 - feature,
    })),
    neighbours: k > 1 ? [{ cluster: (cluster + 1) % k, share: 1 }] : [],
    confidence: { mean: 0.6 + 0.3 / (cluster + 1), histogram: [0, 0, 0, 0, 1, 2, 3, 4, 10, size - 20] },
    reach: [],
  };
}

function epochsOf(restart: number): Epoch[] {
  const rest = { restart, notices: [], seconds: 1, remaining: 1 };
  return [
    ...[1, 2, 3].map(
      (epoch): Epoch => ({ ...rest, phase: "pretraining", epoch, epochs: 3, losses: { loss: 9 / epoch } }),
    ),
    { ...rest, phase: "clustering", epoch: 0, epochs: 2, losses: {} },
    ...[1, 2].map(
      (epoch): Epoch => ({
        ...rest,
        phase: "clustering",
        epoch,
        epochs: 2,
        losses: { loss: 1 / epoch, reconstruction: 100 / 50 ** epoch },
        changed: 0.1 / epoch,
      }),
    ),
  ];
}
