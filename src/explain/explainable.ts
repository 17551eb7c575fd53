/** What an explanation needs of a model: its formulas, and a place to run more of them. */

import { input } from "../graph/node.ts";
import { type Program, program } from "../runtime/program.ts";
import type { Session, Values } from "../runtime/session.ts";
import { filled, type Tensor } from "../tensor/tensor.ts";
import { clusterCount } from "../training/membership.ts";
import type { Formulas, Plan } from "../training/plan.ts";
import { scaled } from "../training/scaled.ts";

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
  /** [m, latent]: one for each cluster, or more where a person has merged some. */
  centers(): Promise<Tensor<"float32">>;
  /** [m, …row], of the centers; undefined where training left the decoder behind. */
  exemplars(): Promise<Tensor<"float32"> | undefined>;
}

/** Two clusters to compare: why the own one and not the other. */
export interface Pair {
  readonly own: number;
  readonly other: number;
}

function checkPair({ own, other }: Pair, clusters: number): void {
  for (const cluster of [own, other]) {
    if (!Number.isInteger(cluster) || cluster < 0 || cluster >= clusters) {
      throw new RangeError(`explain: a cluster must be a whole number from 0 to ${clusters - 1}, got ${cluster}`);
    }
  }
  if (own === other) throw new RangeError(`explain: two different clusters are compared, got ${own} twice`);
}

/**
 * Of two clusters, the center of each that is nearest to a row [1, …row]. A merged cluster is as far as its nearest
 * center, so that what explains the margin between these two explains that between the clusters, exactly.
 */
export async function nearestCenters(model: Explainable, x: Tensor<"float32">, pair: Pair): Promise<Pair> {
  const { plan } = model;
  checkPair(pair, clusterCount(plan));
  const { members } = plan;
  if (!members) return pair;
  const d = (await (await model.session(centersProgram)).run({ x })).d!.data as Float32Array;
  const nearest = (cluster: number): number =>
    members[cluster]!.reduce((best, center) => (d[center]! < d[best]! ? center : best));
  return { own: nearest(pair.own), other: nearest(pair.other) };
}

/** How far rows are from each center. */
function centersProgram({ plan, formulas: { code, clustering } }: Explainable): Program {
  const x = scaled(input("x", ["n", ...plan.row]), plan.scaling);
  return program({ outputs: { d: clustering.distances(code(x)) } });
}

/** w = e_b − e_a of two centers, so that Σⱼ wⱼdⱼ = d_b − d_a: one program serves all pairs. */
export function weightsOf({ own, other }: Pair, { plan: { clusters } }: Explainable): Tensor<"float32"> {
  checkPair({ own, other }, clusters);
  const w = filled("float32", [clusters], 0);
  w.data[other] = 1;
  w.data[own] = -1;
  return w;
}
