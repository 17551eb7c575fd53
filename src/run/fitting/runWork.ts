/** A run at work: its folder, its rows, and who listens. */

import type { OpenedRows } from "../../files/openRows.ts";
import type { DeviceOffer } from "../../runtime/device.ts";
import type { OwnLabels } from "../../training/lesson.ts";
import type { MethodFile } from "../../worker/methodFile.ts";
import type { OnEvent } from "../events.ts";
import type { RunFolder } from "../folder/runFolder.ts";
import type { RunDescription } from "../folder/schemas/runDescription.ts";
import type { StageName } from "./stageCosts.ts";
import type { Timetable } from "./timetable.ts";

export interface RunWork {
  readonly folder: RunFolder;
  /** What was asked for, as the folder stores it. */
  readonly description: RunDescription;
  readonly opened: OpenedRows;
  readonly offers: readonly DeviceOffer[];
  /** A frozen encoder that comes first. */
  readonly encoder?: Uint8Array;
  /** What is taught, where it is the person's own. */
  readonly teacher?: OwnLabels;
  /** Where the method is none of ours. */
  readonly methodFile?: MethodFile;
  /** A file of weights to begin with, which other fits begin with too. */
  readonly pretraining?: string;
  readonly signal?: AbortSignal;
  readonly onEvent?: OnEvent;
  /** Where somebody watches, of how many rows. */
  readonly watch?: number;
  /** When it began, by `performance.now()`. */
  readonly started: number;
  /** How long what is still to come will take, as far as one can tell. */
  readonly timetable: Timetable;
}

/** Tells how far a piece of work beside the epochs has come, and how long all that follows it will take. */
export function stageOf({ onEvent, timetable }: Pick<RunWork, "onEvent" | "timetable">) {
  return (stage: StageName, done: number, total: number): void =>
    onEvent?.({ kind: "stage", stage, done, total, later: timetable.after(stage) });
}
