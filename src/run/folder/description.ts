/** What run.json says: enough to use the model, to go on with a training that was stopped, and to make it again. */

import type { Ids, OpenOptions } from "../../files/openRows.ts";
import type { ModelDescription } from "../../model/storedModel.ts";
import type { ClusterChoice } from "../../training/chooseClusters.ts";

/** Raised when an older Telltale could not read what is written. */
export const runFormat = 1;

export interface RunDescription {
  readonly format: "telltale run";
  readonly version: number;
  /** The version of Telltale that wrote it. */
  readonly telltale: string;
  /** A training that is under way, or was stopped, has a checkpoint and no model yet. */
  readonly status: "training" | "done";
  readonly created: string;
  readonly source: SourceDescription;
  /** What was asked for. */
  readonly settings: RunSettings;
  readonly choice?: ClusterChoice;
  /** Once it is done. */
  readonly result?: RunResult;
}

export interface SourceDescription {
  /** As it was given: a path, or - for standard input. */
  readonly name: string;
  /** Where it is, whatever the current folder. */
  readonly path?: string;
  readonly options: Omit<OpenOptions, "input">;
  /** One line: what was used, and what was not. */
  readonly description: string;
  readonly rows: number;
  readonly row: readonly number[];
  readonly range: readonly [number, number];
  /** A number that other rows, or the same in another order, would hardly have. */
  readonly fingerprint?: string;
  readonly columns: readonly string[];
  readonly ids: Ids["names"];
  /** The mean of each column where missing values were filled in. */
  readonly filled?: readonly number[];
  /** The names of the classes, where labels came along; they score and decide nothing. */
  readonly classes?: readonly string[];
}

export interface RunSettings {
  /** A number, or a range to choose from. */
  readonly clusters: number | readonly [number, number];
  readonly method: string;
  /** Of a method of one's own: the file it was in, a hash of its text, and what it says about itself. */
  readonly methodFile?: {
    readonly file: string;
    readonly sha256: string;
    readonly about: string;
    readonly paper: string;
  };
  readonly profile: "paper" | "practical";
  readonly seed: number;
  readonly device?: "cpu" | "gpu" | "wasm";
  /** False where no map is drawn, or no report written. */
  readonly map?: boolean;
  readonly report?: boolean;
  /** Whether a frozen encoder comes first: encoder.onnx in the folder. */
  readonly encoder?: boolean;
  /** Options of the method, where they were given. */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface RunResult extends ModelDescription {
  /** Against labels, where there were any. */
  readonly scores?: Readonly<Record<string, number>>;
  /** Then also how many rows of each class are in each cluster. */
  readonly confusion?: { readonly classes: readonly string[]; readonly table: readonly (readonly number[])[] };
  /** Where the centers are on the map, and how many rows are. */
  readonly map?: { readonly centers: readonly (readonly [number, number])[]; readonly shown: number };
  /** Where it was trained, in words. */
  readonly device: string;
  readonly seconds: number;
  readonly notices: readonly string[];
}
