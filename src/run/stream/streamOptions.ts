/** What people want of a stream, and what an earlier call has decided already. */

import type { Writable } from "node:stream";
import type { Device, DeviceName } from "../../runtime/device.ts";
import type { Settings } from "../../settings.ts";
import type { DriftReport } from "../../training/drift.ts";
import type { OnEvent } from "../events.ts";
import { largestBatch, type StreamState } from "../folder/schemas/streamState.ts";

export interface StreamOptions {
  /** A file, which may grow; messages, such as nats://host:4222/STREAM; or -, the default, for standard input. */
  readonly source?: string;
  /** Waits for more at the end of a file or of messages, until `signal` says otherwise. */
  readonly follow?: boolean;
  readonly format: "csv" | "jsonl";
  /** A file to append to, or an address to write messages to; without it, standard output. */
  readonly out?: string;
  /** In CSV, puts a ' before ids that a spreadsheet would take for formulas. */
  readonly guardFormulas?: boolean;
  /** Rows that are labelled with the same centers, and then followed in one step. Default 64. */
  readonly batch?: number;
  /** How far the centers go with each batch, as in `partialFit`. Default 0.1. */
  readonly rate?: number;
  /** Only labels: the centers stay. */
  readonly frozen?: boolean;
  /**
   * The rows are others than those that the stream was stopped in, such as a pipe that cannot be given again; the
   * centers go on.
   */
  readonly newInput?: boolean;
  /** Forgets the earlier stream: its place, its row numbers, and where it has moved the centers. */
  readonly restart?: boolean;
  /** The columns that name a row; by default those of the fit, or else those that are named like an id. */
  readonly id?: string | readonly string[];
  /** Rows that cannot be used are written with empty cells and counted; otherwise the first is an error. */
  readonly skipBad?: boolean;
  /** A file for what could not be used, and why; such rows then end no stream. */
  readonly aside?: string;
  /** A file that is replaced at every commit, with figures as Prometheus reads them. */
  readonly metrics?: string;
  /** An address to which the drift is told as a message at every commit. */
  readonly drift?: string;
  readonly device?: DeviceName | Device;
  /** The file of a method of your own, where the run was fitted by one. */
  readonly method?: string;
  /** Read in place of standard input. */
  readonly input?: AsyncIterable<Uint8Array>;
  /** Written to in place of standard output. */
  readonly output?: Writable;
  /** Stops after the last whole batch; nothing is lost. */
  readonly signal?: AbortSignal;
  readonly onEvent?: OnEvent;
  /** Called at every commit. */
  readonly onDrift?: (report: DriftReport) => void;
}

export const streamSettings: Settings<StreamOptions> = {
  ...{ source: "text", follow: "flag", format: "text", out: "text", guardFormulas: "flag", batch: "any", rate: "any" },
  ...{ frozen: "flag", newInput: "flag", restart: "flag", id: "names", skipBad: "flag", device: "any", method: "text" },
  ...{ aside: "text", metrics: "text", drift: "text" },
  ...{ input: "any", output: "any", signal: "signal", onEvent: "call", onDrift: "call" },
};

export interface StreamResult {
  /** The number of the first row of this call; they are counted from 0 and on over all calls. */
  readonly first: number;
  /** Rows of this call, and how many of them could not be used. */
  readonly rows: number;
  readonly skipped: number;
  /** Whether the input has ended, and not been stopped. */
  readonly finished: boolean;
  /** The file that was written; nothing where no line came that says what the columns are. */
  readonly out?: string;
  readonly drift?: DriftReport;
}

export type StreamSettings = Pick<StreamState, "batch" | "rate" | "frozen">;

const defaults: StreamSettings = { batch: 64, rate: 0.1, frozen: false };

/** A stream that was stopped goes on as it began, since its output is to be what it would have been. */
export function settingsOf(
  { batch, rate, frozen }: Pick<StreamOptions, "batch" | "rate" | "frozen">,
  state: StreamState | undefined,
): StreamSettings {
  const isUnfinished = state !== undefined && !state.finished && state.offset > 0;
  const before = isUnfinished ? state : defaults;
  const settings = { batch: batch ?? before.batch, rate: rate ?? before.rate, frozen: frozen ?? before.frozen };
  if (!Number.isInteger(settings.batch) || settings.batch < 1 || settings.batch > largestBatch) {
    throw new RangeError(`stream: batch must be a whole number from 1 to ${largestBatch}, got ${batch}`);
  }
  if (!(settings.rate > 0 && settings.rate <= 1)) {
    throw new RangeError(`stream: rate must be above 0 and at most 1, got ${rate}`);
  }
  for (const name of ["batch", "rate", "frozen"] as const) {
    if (isUnfinished && settings[name] !== state[name]) {
      throw new RangeError(
        `stream: ${name} must be what the stream was stopped with, ${state[name]}, got ${settings[name]}; leave it out to go on, or say --restart to begin anew`,
      );
    }
  }
  return settings;
}
