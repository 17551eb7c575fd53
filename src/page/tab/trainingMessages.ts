/** What the worker that trains and the one that answers say to each other. */

import type { FitRequest } from "../../api/fits.ts";
import type { Checkpoint, ClusterSummary, Epoch, ModelDescription, MovingFrame, Tensor } from "../../doors/tab.ts";
import type { Placements } from "../here/cellTable.ts";
import type { Dropped } from "./tabFile.ts";

export interface TrainingOrder {
  readonly dropped: Dropped;
  readonly request: FitRequest;
  /** Where it was stopped, to go on from there. */
  readonly resume?: Checkpoint;
}

/** All that a training has made: enough to look at it, and to ask the model again. */
export interface Made {
  readonly model: ModelDescription;
  readonly weights: ReadonlyMap<string, Tensor>;
  readonly summaries: readonly ClusterSummary[];
  readonly placements: Placements;
  /** x and y of each row, NaN where it is not on the map; where the centers are. */
  readonly map: { readonly places: Float32Array; readonly centers: readonly (readonly [number, number])[] };
  readonly device: string;
  readonly seconds: number;
  readonly notices: readonly string[];
}

/** The shape of a row, and what is black and what is white. */
interface Look {
  readonly row: readonly number[];
  readonly range: readonly [number, number];
}

export type FromTraining =
  | { readonly kind: "begun"; readonly device: string; readonly description: string; readonly look: Look }
  | { readonly kind: "epoch"; readonly epoch: Omit<Epoch, "watched" | "snapshot"> }
  | { readonly kind: "frame"; readonly frame: MovingFrame }
  | { readonly kind: "stage"; readonly words: string; readonly share: number }
  | { readonly kind: "checkpoint"; readonly checkpoint: Checkpoint }
  | { readonly kind: "done"; readonly made: Made }
  | { readonly kind: "failed"; readonly problem: string };
