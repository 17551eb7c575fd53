/** What a report shows. */

import type { ColumnReport } from "../data/columnReport.ts";
import type { Feature } from "../data/feature.ts";
import type { ClusterSummary } from "../explain/clusters/clusterSummary.ts";
import type { ClusterChoice } from "../training/chooseClusters.ts";
import type { Epoch } from "../training/epoch.ts";
import type { RestartSummary } from "../training/job.ts";
import type { Taught } from "../training/lesson.ts";

export interface ReportData {
  /** What people call the run, such as the folder's name. */
  readonly title: string;
  /** ISO date and time. */
  readonly created: string;
  /** Of Telltale. */
  readonly version: string;
  readonly source: {
    /** Where the rows came from, such as a file's name. */
    readonly name: string;
    /** One line: what was used and what was not. */
    readonly description: string;
    readonly rows: number;
    /** The shape of one row: [32], or [channels, height, width] for images. */
    readonly row: readonly number[];
    /** The shape of a row as the model takes it, where an encoder makes something else of it first. */
    readonly given?: readonly number[];
    /** The smallest and the largest number in the rows. */
    readonly range: readonly [number, number];
    /** The name of each number in a row; empty for images and plain vectors. */
    readonly columns: readonly string[];
    /** Of a table: its columns, what each was used for and why. */
    readonly table?: readonly ColumnReport[];
    /** What each number is made of, where that is known. */
    readonly features?: readonly Feature[];
  };
  readonly method: {
    readonly name: string;
    readonly about: string;
    readonly paper: string;
    /** The file of a method of one's own, which some commands want again. */
    readonly file?: string;
    readonly profile: string;
    readonly seed: number;
    /** Where it ran: cpu, gpu or wasm. */
    readonly device: string;
    readonly options: Readonly<Record<string, unknown>>;
  };
  readonly clusters: readonly ClusterSummary[];
  /** Where people have changed the clusters since the fit: what holds of it, and how much waits. */
  readonly curated?: {
    readonly edits: readonly { readonly at: string; readonly who: string; readonly words: string }[];
    readonly waiting: number;
  };
  readonly map?: ReportMap;
  readonly epochs: readonly Epoch[];
  /** What the centers were after some epochs of the restart that was kept, decoded, [k, …row]; where that was kept. */
  readonly exemplars?: readonly { readonly epoch: number; readonly values: Float32Array }[];
  /** How each restart ended; `kept` is the one whose clusters these are. */
  readonly restarts: readonly RestartSummary[];
  readonly kept: number;
  /** What the choice of the number of clusters was made from, where it was left to Telltale. */
  readonly choice?: ClusterChoice;
  /** What it was taught, and how well it has learned; and where labels of a person's own were from. */
  readonly taught?: Taught & { readonly from?: string };
  /** Where labels were given: scores, and how many rows of each class are in each cluster. */
  readonly scores?: {
    readonly metrics: Readonly<Record<string, number>>;
    readonly classes: readonly string[];
    /** [classes][clusters]. */
    readonly table: readonly (readonly number[])[];
  };
  /** Label-free scores of the result, such as the silhouette. */
  readonly measures: Readonly<Record<string, number>>;
  /** What a person should know: empty clusters, sampled rows, filled values. */
  readonly notices: readonly string[];
  readonly seconds: number;
}

export interface ReportMap {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly cluster: Int32Array;
  /** 0 to 1, of each row. */
  readonly confidence: Float32Array;
  /** Where the centers are, [k][2]. */
  readonly centers: readonly (readonly [number, number])[];
  /** How many of all rows are drawn. */
  readonly shown: number;
}
