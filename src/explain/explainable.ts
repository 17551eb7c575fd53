/** What an explanation needs of a model: its formulas, and a place to run more of them. */

import type { Program } from "../runtime/program.ts";
import type { Session, Values } from "../runtime/session.ts";
import { filled, type Tensor } from "../tensor/tensor.ts";
import type { Formulas, Plan } from "../training/plan.ts";

/** Something that says where rows are. */
export interface Assigns {
  /** Rows [n, …row] to label [n], distances [n, k], probabilities [n, k] and z [n, latent]. */
  run(x: Tensor<"float32">): Promise<Values>;
  /**
   * The same, and of each row how far it is from the exemplar of its cluster (apart [n]) and from what the decoder
   * makes of its code (error [n]).
   */
  place?(x: Tensor<"float32">): Promise<Values>;
}

export interface Explainable extends Assigns {
  readonly plan: Plan;
  readonly formulas: Formulas;
  /** A program over the model's weights, opened once: the function that builds it is what it is known by. */
  session(build: (model: Explainable) => Program): Promise<Session>;
  /** [k, latent]. */
  centers(): Promise<Tensor<"float32">>;
  /** [k, …row]; undefined where training left the decoder behind. */
  exemplars(): Promise<Tensor<"float32"> | undefined>;
}

/** Two clusters to compare: why the own one and not the other. */
export interface Pair {
  readonly own: number;
  readonly other: number;
}

/** w = e_b − e_a, so that Σⱼ wⱼdⱼ = d_b − d_a: one program serves all pairs. */
export function weightsOf({ own, other }: Pair, { plan: { clusters } }: Explainable): Tensor<"float32"> {
  for (const cluster of [own, other]) {
    if (!Number.isInteger(cluster) || cluster < 0 || cluster >= clusters) {
      throw new RangeError(`explain: a cluster must be a whole number from 0 to ${clusters - 1}, got ${cluster}`);
    }
  }
  if (own === other) throw new RangeError(`explain: two different clusters are compared, got ${own} twice`);
  const w = filled("float32", [clusters], 0);
  w.data[other] = 1;
  w.data[own] = -1;
  return w;
}
