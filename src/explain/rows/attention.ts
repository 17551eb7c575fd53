/** A row's loss as attention (TELL, §2.3 and Fig. 4): how unlike each center it is, times how much it attends to it. */

import { toNumbers } from "../../tensor/tensor.ts";
import type { Explainable } from "../explainable.ts";

/** What one cluster adds to a row's loss. */
export interface AttentionPart {
  readonly cluster: number;
  /** 2 − Wⱼᵀx = ‖x − Ωⱼ‖². */
  readonly dissimilarity: number;
  /** Iⱼ: above 0, and 1 over all clusters. */
  readonly attention: number;
  /** Iⱼ (2 − Wⱼᵀx). */
  readonly part: number;
}

/** Σ parts + the part of the others = loss. */
export interface Attention {
  /** The clusters that it attends to, the most first. */
  readonly parts: readonly AttentionPart[];
  /** Those that are not told of one by one, together. */
  readonly others?: { readonly clusters: number; readonly attention: number; readonly part: number };
  /** Σⱼ Iⱼ (2 − Wⱼᵀx), T12 of this row. */
  readonly loss: number;
}

/** Whether a model can be read so: merged clusters have no one center to attend to. */
export function attends({ plan, formulas }: Explainable): boolean {
  return formulas.clustering.attends === true && !plan.members;
}

/** Of each row, from its distances and probabilities [n, k]; so many clusters one by one. */
export function attentionsOf(
  { distances, probabilities }: Awaited<ReturnType<Explainable["run"]>>,
  most = Number.POSITIVE_INFINITY,
): Attention[] {
  const [n, k] = distances!.shape as [number, number];
  const [d, I] = [toNumbers(distances!), toNumbers(probabilities!)];
  return Array.from({ length: n }, (_, i) => {
    const all = Array.from({ length: k }, (_, cluster): AttentionPart => {
      const [dissimilarity, attention] = [d[i * k + cluster]!, I[i * k + cluster]!];
      return { cluster, dissimilarity, attention, part: attention * dissimilarity };
    });
    all.sort((a, b) => b.attention - a.attention || a.cluster - b.cluster);
    const [parts, rest] = [all.slice(0, most), all.slice(most)];
    const others = { clusters: rest.length, attention: total(rest, "attention"), part: total(rest, "part") };
    return { parts, ...(rest.length > 0 && { others }), loss: total(parts, "part") + others.part };
  });
}

function total(parts: readonly AttentionPart[], of: "attention" | "part"): number {
  return parts.reduce((sum, each) => sum + each[of], 0);
}
