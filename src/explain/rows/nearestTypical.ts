/** Which typical rows of a cluster a row is like: what can be said where numbers have no names. */

import { squaredDistance } from "../../numerics/distances.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";
import type { ClusterSummary } from "../clusters/clusterSummary.ts";
import type { Explainable } from "../explainable.ts";
import type { NearRow } from "./explanation.ts";

const mostNear = 2;

/** Of the typical rows those whose codes are nearest to a row's code [1, latent]; none without a summary. */
export async function nearestTypical(
  model: Explainable,
  code: Tensor<"float32">,
  summary: ClusterSummary | undefined,
): Promise<NearRow[]> {
  const { typical, cluster } = summary ?? { typical: [], cluster: 0 };
  if (typical.length === 0) return [];
  const rows = Float32Array.from(typical.flatMap(({ values }) => values));
  const x = tensor("float32", [typical.length, ...model.plan.row], rows);
  const { z } = await model.run(x);
  const near = typical.map(({ row, id, text }, i) => {
    const apart = Math.sqrt(squaredDistance(z!.data as Float32Array, i, code.data, 0, code.data.length));
    return { row, cluster, ...(id !== undefined && { id }), ...(text !== undefined && { text }), apart };
  });
  return near.sort((a, b) => a.apart - b.apart).slice(0, mostNear);
}
