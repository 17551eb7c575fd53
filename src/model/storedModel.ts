/** A model as what is kept of it: a description, and weights by name. */

import { resolve } from "../options.ts";
import { checkWeights } from "../runtime/compile.ts";
import type { Device } from "../runtime/device.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { tensor } from "../tensor/tensor.ts";
import type { Encoder } from "../training/encoder.ts";
import type { Epoch } from "../training/epoch.ts";
import type { RestartSummary } from "../training/job.ts";
import type { Taught } from "../training/lesson.ts";
import type { Method } from "../training/method.ts";
import type { NetworkBuilder } from "../training/network.ts";
import { networkSize } from "../training/networkSize.ts";
import { membersName } from "../training/none.ts";
import { describePlan, type Plan, type PlanDescription } from "../training/plan.ts";
import { sharedOptions } from "../training/sharedOptions.ts";
import { Model, type ModelKind } from "./model.ts";

export interface ModelDescription {
  readonly plan: PlanDescription;
  /** The restart that was kept, and how all ended. */
  readonly restart: number;
  readonly restarts: readonly RestartSummary[];
  readonly measures: RestartSummary["measures"];
  readonly stopped: RestartSummary["stopped"];
  /** What it was taught, and how well it has learned. */
  readonly taught?: Taught;
}

/** The tensor that holds the cluster of each fitted row; no variable has such a name. */
export const labelsName = ":labels";

export function describeModel({ fit }: Model): ModelDescription {
  const { plan, restart, restarts, measures, stopped, taught } = fit;
  return { plan: describePlan(plan), restart, restarts, measures, stopped, ...(taught && { taught }) };
}

/** All that a model has learned. */
export async function savedWeights(model: Model): Promise<Map<string, Tensor>> {
  const labels = tensor("int32", [model.labels.length], model.labels);
  const members = model.fit.state.get(membersName);
  const more: [string, Tensor][] = members ? [[membersName, members]] : [];
  return new Map([...(await model.weights()), [labelsName, labels], ...more]);
}

export interface Opening {
  readonly device: Device;
  readonly encoder?: Encoder;
  readonly history?: readonly Epoch[];
}

/** What a model is made of that is code and not data: its method, and a network of your own, which is given again. */
export interface Code {
  readonly method: Method;
  readonly network?: NetworkBuilder;
}

/** Of the weights that a model needs, some are not there, or are others. */
export class MissingWeights extends TypeError {}

export function modelFrom<M extends Model = Model>(
  description: ModelDescription,
  plan: Plan,
  weights: ReadonlyMap<string, Tensor>,
  { device, encoder, history = [] }: Opening,
  Kind: ModelKind<M> = Model as unknown as ModelKind<M>,
): M {
  const labels = labelsIn(weights);
  checkSizes(plan, weights, labels);
  const state = new Map([...weights].filter(([name]) => name !== labelsName));
  checkFinite(state);
  checkMembers(description, state);
  const model = new Kind({ ...description, plan, state, labels, history }, device, encoder);
  try {
    // A weight that is not there would keep the value it had before training.
    checkWeights(model.program(), state);
  } catch (error) {
    throw new MissingWeights((error as Error).message);
  }
  return model;
}

/** A weight that is no number makes none of any row, and labels all the same. */
function checkFinite(weights: ReadonlyMap<string, Tensor>): void {
  for (const [name, { data, dtype }] of weights) {
    if (dtype !== "float32" && dtype !== "float64") continue;
    const wrong = (data as Float32Array).findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0) throw new MissingWeights(`${name} must be finite everywhere, got ${data[wrong]}`);
  }
}

/** Where a row belongs to none by its distance from others, these must be there. */
function checkMembers({ taught }: ModelDescription, state: ReadonlyMap<string, Tensor>): void {
  const { near } = taught?.none ?? {};
  if (!near) return;
  const { dtype, shape = [] } = state.get(membersName) ?? {};
  const latent = state.get("centers")?.shape[1];
  if (dtype === "float32" && shape.length === 2 && shape[0]! >= near.place && shape[1] === latent) return;
  throw new MissingWeights(
    `load: the weights must have ${membersName}, ${near.place} codes or more of ${latent} numbers, got [${shape}]`,
  );
}

/** A plan that promises more than there is would be built first, and found wrong later. */
function checkSizes(plan: Plan, weights: ReadonlyMap<string, Tensor>, labels: Int32Array): void {
  if (labels.length !== plan.count) {
    throw new MissingWeights(`load: the plan has ${plan.count} rows, and the weights labels of ${labels.length}`);
  }
  if (plan.network) return;
  const { weights: planned, latent } = networkSize(plan.options, plan);
  const there = [...weights.values()].reduce((sum, { data }) => sum + data.length, -labels.length);
  if (planned + plan.clusters * latent <= there) return;
  throw new MissingWeights(
    `load: the plan needs ${planned + plan.clusters * latent} weights or more, there are ${there}`,
  );
}

/** The cluster of each fitted row. */
export function labelsIn(weights: ReadonlyMap<string, Tensor>): Int32Array {
  const labels = weights.get(labelsName)?.data;
  if (!(labels instanceof Int32Array))
    throw new MissingWeights(`load: the weights must have the labels, ${labelsName}`);
  return labels;
}

/** The plan that a description describes. */
export function planOf({ method: name, network, ...rest }: PlanDescription, { method, ...code }: Code): Plan {
  if (network !== undefined && `${code.network}` !== network) {
    throw new TypeError(
      code.network
        ? "load: the network must be the one that the model was fitted with, and its formulas are others"
        : "load: the model was fitted with a network of your own, which is code and is not saved; give it again as `network`",
    );
  }
  // An option that came later than the model has the value that changes nothing.
  const options = resolve(name, { ...sharedOptions, ...method.options }, rest.options);
  return { ...rest, options, method, ...code } as unknown as Plan;
}
