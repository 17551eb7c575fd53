/** How a stream is doing, as Prometheus reads it: a file that is replaced whole at every commit. */

import { open, stat } from "node:fs/promises";
import { cannotWrite } from "../../disk/cannotWrite.ts";
import { writeWhole } from "../../disk/writeWhole.ts";
import type { DriftReport } from "../../training/drift.ts";

export interface StreamFigures {
  readonly rows: number;
  readonly skipped: number;
  /** When, in seconds since 1970. */
  readonly committed: number;
  readonly drift?: DriftReport;
}

/** What each is called and means, and its values. */
const metrics: readonly {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  values(figures: StreamFigures): readonly (readonly [labels: string, value: number])[];
}[] = [
  {
    ...{ name: "telltale_stream_rows_total", type: "counter" },
    help: "Rows that were read, of all calls of the stream.",
    values: ({ rows }) => [["", rows]],
  },
  {
    ...{ name: "telltale_stream_skipped_rows_total", type: "counter" },
    help: "Rows among them that could not be used.",
    values: ({ skipped }) => [["", skipped]],
  },
  {
    ...{ name: "telltale_stream_commit_timestamp_seconds", type: "gauge" },
    help: "When what was read last was made to last.",
    values: ({ committed }) => [["", committed]],
  },
  {
    ...{ name: "telltale_stream_loss", type: "gauge" },
    help: "Mean loss of the latest rows.",
    values: ({ drift }) => (drift ? [["", drift.loss]] : []),
  },
  {
    ...{ name: "telltale_stream_first_loss", type: "gauge" },
    help: "Mean loss of the first rows.",
    values: ({ drift }) => (drift ? [["", drift.firstLoss]] : []),
  },
  {
    ...{ name: "telltale_stream_unsure_ratio", type: "gauge" },
    help: "Share of the latest rows whose cluster has a probability below one half.",
    values: ({ drift }) => (drift ? [["", drift.unsure]] : []),
  },
  {
    ...{ name: "telltale_stream_center_moved", type: "gauge" },
    help: "How far the center of a cluster is from where it was fitted.",
    values: ({ drift }) => drift?.moved.map((moved, i) => [`{cluster="${i}"}`, moved] as const) ?? [],
  },
];

export function metricsText(figures: StreamFigures): string {
  return metrics
    .flatMap(({ name, help, type, values }) => {
      const found = values(figures).map(([labels, value]) => `${name}${labels} ${value}`);
      return found.length > 0 ? [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...found] : [];
    })
    .map((line) => `${line}\n`)
    .join("");
}

/** A file of ours is replaced; one of anybody else's is not. */
export async function checkMetricsFile(path: string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (!there) return;
  const expected = Buffer.from(`# HELP ${metrics[0]!.name}`);
  const file = there.isFile() ? await open(path).catch(() => undefined) : undefined;
  try {
    const begins = Buffer.alloc(expected.length);
    await file?.read(begins, 0, begins.length, 0);
    if (file && begins.equals(expected)) return;
  } finally {
    await file?.close();
  }
  throw new RangeError(`${path}: is there already and not the metrics of a stream; choose another file, or delete it`);
}

export async function writeMetrics(path: string, figures: StreamFigures): Promise<void> {
  await writeWhole(path, new TextEncoder().encode(metricsText(figures))).catch((error) => {
    throw cannotWrite(path, error);
  });
}
