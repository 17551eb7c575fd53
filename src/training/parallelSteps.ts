/**
 * The steps of a training as programs that several machines can run side by side: each makes some steps on rows of its
 * own, then what they have learned is merged, tensor by tensor, and all go on from that.
 */

import type { Variable } from "../graph/node.ts";
import type { Program } from "../runtime/program.ts";
import { feedOf } from "./feed.ts";
import { networkSize } from "./networkSize.ts";
import { type Formulas, formulate, type Plan } from "./plan.ts";
import { Programs } from "./programs.ts";
import { epochOf, type ScheduledEpoch } from "./schedule.ts";
import { sharedOptions } from "./sharedOptions.ts";

/**
 * How tensors of several machines become one, where b is what all of them began with:
 * average: (1/m) Σ xᵢ;  sum: b + Σ (xᵢ − b);  take: any one, for they are all the same.
 */
export type MergeRule = "average" | "sum" | "take";

export interface KeptTensor {
  readonly variable: Variable;
  readonly merge: MergeRule;
}

export interface ParallelSteps {
  /** A step for each kind of epoch. */
  readonly steps: ReadonlyMap<string, Program>;
  /** Once for the merged state, when an epoch has ended. */
  readonly end: Program;
  /** All that the programs keep. */
  readonly state: readonly KeptTensor[];
  /** What a model takes of it. */
  readonly modelVariables: readonly string[];
  readonly epochs: readonly ScheduledEpoch[];
}

/** Refuses a method whose step needs something that is kept for every row. */
export function parallelSteps(plan: Plan, restart: number): ParallelSteps {
  const { method, options, clusters, count } = plan;
  const { perRow = 0 } = method.holds?.({ options, clusters, count, ...networkSize(options, plan) }) ?? {};
  if (perRow > 0) throw new RangeError(`${method.name}: keeps something for every row${refusal}`);
  const formulas = formulate(plan, restart);
  const onProcessor = { keepsState: false };
  const feed = feedOf(plan, onProcessor, plan.scaling);
  const programs = new Programs(plan, formulas, feed, onProcessor);
  const steps = new Map([...programs.steps].map(([kind, build]) => [kind, build()]));
  const isPerRow = ({ inputs }: Program): boolean => inputs.some((node) => node === feed.rows || node === feed.label);
  if ([...steps.values()].some(isPerRow)) {
    throw new RangeError(`${method.name}: is taught something about every row${refusal}`);
  }
  const end = programs.endOfEpoch();
  const all = new Set([...steps.values(), end].flatMap(({ variables }) => variables));
  const moved = new Set([...steps.values()].flatMap(({ updates }) => updates.map(([variable]) => variable)));
  const rule = (variable: Variable): MergeRule => {
    if (!moved.has(variable)) return "take";
    return programs.summed.includes(variable) ? "sum" : "average";
  };
  const state = [...all].map((variable) => ({ variable, merge: rule(variable) }));
  return { steps, end, state, modelVariables: programs.modelVariables(), epochs: epochsOf(plan, formulas) };
}

const refusal =
  ", which only the machine that fits it has, so that its step cannot run on several; docs/scale.md says which methods can";

/** Those of the run; one that has none, since it is to be trained elsewhere, is given those of its profile. */
function epochsOf(plan: Plan, { clustering }: Formulas): ScheduledEpoch[] {
  const { method, profile, options } = plan;
  const count = options.epochs || (method.profiles[profile].epochs ?? sharedOptions.epochs.fallback);
  return Array.from({ length: count }, (_, epoch) => epochOf(plan, clustering, epoch, count));
}
