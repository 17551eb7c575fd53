/** The models that edits make of a fit: its weights, what edits have learned since, and which centers are together. */

import { sha256 } from "../../disk/sha256.ts";
import { labelsName, modelFrom } from "../../model/storedModel.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";
import type { Weights } from "../../training/job.ts";
import { describePlan, type Plan } from "../../training/plan.ts";
import type { Counting } from "../folder/curationLog.ts";
import { NodeModel } from "../folder/nodeModel.ts";
import type { LoadOptions, Run } from "../folder/openRun.ts";
import { encodeLearned, keptLearned, learned, learnedFile } from "./learning.ts";
import type { RowsAtHand } from "./rowsAtHand.ts";
import {
  after,
  type CuratedState,
  clusterAfter,
  fittedState,
  hasFittedCenters,
  isLearned,
  isOfModel,
  type Moving,
} from "./state.ts";
import { isTeachable } from "./teach.ts";

/** What edits have come to. */
export interface Made {
  readonly state: CuratedState;
  readonly weights: Weights;
  /** The cluster of each row that it was fitted to. */
  readonly labels: Int32Array;
  /** The numbers of the edits whose learning is in the weights, and of those that have just learned, what. */
  readonly learnedBy: readonly number[];
  readonly learned: ReadonlyMap<number, Weights>;
}

/** Whether two are the same model, whatever its clusters are called. */
export function isSameModel(one: Pick<Made, "state" | "learnedBy">, other: Pick<Made, "state" | "learnedBy">): boolean {
  return `${one.learnedBy}` === `${other.learnedBy}` && isSameMembers(one.state, other.state);
}

function isSameMembers({ members: one }: CuratedState, { members: other }: CuratedState): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export class CuratedModels {
  readonly #run: Run;
  readonly #base: NodeModel;
  readonly #moving: Moving;
  /** As it was fitted. */
  readonly fitted: Made;

  private constructor(run: Run, base: NodeModel, weights: Weights, names: readonly string[]) {
    this.#run = run;
    this.#base = base;
    this.#moving = isTeachable(base) ? "by learning" : "by a center";
    const state = fittedState(names);
    this.fitted = { state, weights, labels: base.labels, learnedBy: [], learned: new Map() };
  }

  static async open(run: Run, options: LoadOptions): Promise<CuratedModels> {
    const base = await run.model(options);
    return new CuratedModels(run, base, base.fit.state, await run.names());
  }

  /** What makes features of rows, where something does. */
  get base(): NodeModel {
    return this.#base;
  }

  stateAfter(edits: readonly Counting[]): CuratedState {
    return edits.reduce((state, { edit }) => after(state, edit, this.#moving), this.fitted.state);
  }

  /** What edits come to, without making it. */
  planned(edits: readonly Counting[]): Pick<Made, "state" | "learnedBy"> {
    return { state: this.stateAfter(edits), learnedBy: learnedBy(edits) };
  }

  /** What edits have made, as a curated model has it. */
  async asWritten(edits: readonly Counting[], now: Run): Promise<Made> {
    const [state, tensors] = [this.stateAfter(edits), await now.tensors()];
    const weights = new Map([...tensors].filter(([name]) => name !== labelsName));
    return { state, weights, labels: await now.labels(), learnedBy: learnedBy(edits), learned: new Map() };
  }

  /** What edits make of a model; those that learn have what they learned, or learn it from the rows. */
  async after(
    before: Made,
    edits: readonly Counting[],
    rows: RowsAtHand | undefined,
    signal?: AbortSignal,
  ): Promise<Made> {
    let made = before;
    for (const counting of edits) {
      const { edit } = counting;
      const state = after(made.state, edit, this.#moving);
      if (!isOfModel(edit)) made = { ...made, state };
      else if (edit.kind === "merge") {
        made = { ...made, state, labels: made.labels.map((label) => clusterAfter(edit, label)) };
      } else {
        const changed = await this.#learned(made, counting, rows, signal);
        const next = {
          ...{ state, labels: made.labels, weights: new Map([...made.weights, ...changed]) },
          learnedBy: [...made.learnedBy, counting.number],
          learned: new Map([...made.learned, [counting.number, changed]]),
        };
        // Rows of a stream are others: those of the fit are where they were.
        made = edit.kind === "follow" || !rows ? next : { ...next, labels: await this.#predicted(next, rows) };
      }
    }
    return made;
  }

  async #learned(made: Made, counting: Counting, rows: RowsAtHand | undefined, signal?: AbortSignal): Promise<Weights> {
    const { folder } = this.#run;
    const kept = await keptLearned(folder, counting);
    if (kept) return kept;
    const file = learnedFile(counting.number);
    if (!rows || counting.edit.kind === "follow") {
      throw new RangeError(`${folder.path}: ${file} is missing or not as it was written; restore it, or undo the edit`);
    }
    const [model, byCenter] = [this.model(made), this.model(made, true)];
    try {
      const changed = await learned(
        {
          ...{ state: made.state, model, byCenter, labels: made.labels, moving: this.#moving },
          with: (weights, centers) => this.#grown(made, weights, centers),
          ...(signal && { signal }),
        },
        counting.edit,
        rows,
      );
      if (counting.made !== undefined && sha256(encodeLearned(counting.edit, changed)) !== counting.made) {
        throw new RangeError(
          `${folder.path}: ${file} is gone, and learned again from the rows it is not the same on this machine; restore the file, or undo the edit`,
        );
      }
      return changed;
    } finally {
      await model.close();
      await byCenter.close();
    }
  }

  async #predicted(made: Made, rows: RowsAtHand): Promise<Int32Array> {
    const model = this.model(made);
    try {
      return await model.predict(rows.data);
    } finally {
      await model.close();
    }
  }

  /**
   * The model that edits have come to; `byCenter`, with each of its centers as a cluster. Its rows come as features.
   */
  model({ state, weights, labels }: Pick<Made, "state" | "weights" | "labels">, byCenter = false): NodeModel {
    const members = byCenter || hasFittedCenters(state) ? {} : { members: state.members };
    return this.#with(weights, labels, { clusters: state.origins.length, ...members });
  }

  #grown({ weights, labels }: Made, changed: Weights, clusters: number): NodeModel {
    return this.#with(new Map([...weights, ...changed]), labels, { clusters });
  }

  #with(weights: Weights, labels: Int32Array, centers: Pick<Plan, "clusters" | "members">): NodeModel {
    const { plan: fitted, fit, device, formulas } = this.#base;
    // A code of as many numbers as there were clusters keeps them.
    const isAlike = centers.clusters === fitted.clusters && !centers.members;
    const latent = fitted.options.latent || formulas.network.latent;
    const plan = isAlike ? fitted : { ...fitted, ...centers, options: { ...fitted.options, latent } };
    const own: [string, Tensor] = [labelsName, tensor("int32", [labels.length], labels)];
    const description = { ...fit, plan: describePlan(plan) };
    return modelFrom(description, plan, new Map([...weights, own]), { device, history: fit.history }, NodeModel);
  }

  close(): Promise<void> {
    return this.#base.close();
  }
}

function learnedBy(edits: readonly Counting[]): number[] {
  return edits.filter(({ edit }) => isLearned(edit)).map(({ number }) => number);
}
