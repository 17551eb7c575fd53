/** A training in words: what is to be done, where it is, and what came out. */

import type { Data } from "../data/data.ts";
import type { Labels } from "../metrics/labels.ts";
import type { Device } from "../runtime/device.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { ClusterChoice } from "./chooseClusters.ts";
import type { Epoch, Phase } from "./epoch.ts";
import type { Lesson, OwnLabels, Taught } from "./lesson.ts";
import type { Plan, PlanDescription } from "./plan.ts";
import type { Measures } from "./restartScores.ts";

/** Tensors by their names. */
export type Weights = ReadonlyMap<string, Tensor>;

/** A training, resolved to the last option: what the loop carries out. */
export interface Job {
  readonly plan: Plan;
  readonly data: Data;
  readonly device: Device;
  /** Stops between two runs of a program. What the last checkpoint holds is not lost. */
  readonly signal?: AbortSignal;
  /** The truth, one label per row: for `scores` in the epochs, never for a decision. */
  readonly labels?: Labels;
  /** What a method that is taught learns, where it is the person's own. Without it, a teacher says. */
  readonly teacher?: OwnLabels;
  /** Scores, and the share of rows that changed, are looked at every so many epochs. */
  readonly evaluateEvery?: number;
  /** How many snapshots of the clusters to take through training. */
  readonly snapshots?: number;
  /** After each epoch, also of pretraining, what the network makes of so many rows (`Epoch.watched`). */
  readonly watch?: number;
  /** Weights of an earlier pretraining by restart (`Fit.pretrained`), with the same seed, network and data. */
  readonly pretrained?: readonly (Weights | undefined)[];
  /** Return the weights after pretraining, for another fit with the same seed. */
  readonly keepPretrained?: boolean;
  /** Receives a checkpoint after each epoch; it decides whether to call `take` and pay for one. */
  readonly onCheckpoint?: (take: () => Promise<Checkpoint>) => Promise<void> | void;
  /** Goes on from a checkpoint, bit for bit. */
  readonly resume?: Checkpoint;
}

/** Where a training is, and all it needs to go on. */
export interface Checkpoint {
  /** What is being trained, in words; it can only go on as the same. */
  readonly plan: PlanDescription;
  readonly restart: number;
  readonly phase: Phase;
  /** Finished epochs of the phase. */
  readonly epoch: number;
  readonly state: Weights;
  /** Pretrainings that have ended, where a student is to go on from one of them. */
  readonly pretrained?: readonly Weights[];
  /** What the student is taught, once that is known. */
  readonly lesson?: Lesson;
  /** The labels and the loss by which stopping is decided. */
  readonly labels?: Int32Array;
  readonly loss?: number;
  /** Why no epoch follows, if none does. */
  readonly stopped?: RestartSummary["stopped"];
  readonly kept?: Kept;
  readonly finished: readonly RestartSummary[];
  readonly history: readonly Epoch[];
}

/** How one restart ended. */
export interface RestartSummary {
  readonly restart: number;
  /** The method's loss in the last epoch, and the other numbers by which one restart may be kept. */
  readonly measures: Measures;
  readonly scores?: Readonly<Record<string, number>>;
  /** Why it ended. */
  readonly stopped: "all epochs done" | "all steps done" | "labels stay" | "the loss stays";
}

/** The best restart so far. */
export interface Kept extends RestartSummary {
  readonly state: Weights;
  readonly labels: Int32Array;
}

export interface Fit extends Kept {
  readonly plan: Plan;
  /** The weights after pretraining, by restart, where they were asked for and pretraining took place. */
  readonly pretrained?: readonly (Weights | undefined)[];
  readonly restarts: readonly RestartSummary[];
  /** What it was taught, and how well it learned. */
  readonly taught?: Taught;
  /** Where the number of clusters was left open: which was found, and why. */
  readonly choice?: ClusterChoice;
  readonly history: readonly Epoch[];
}
