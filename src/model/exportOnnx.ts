/**
 * The model as an ONNX file that runs anywhere: x [n, …row] in, with scaling and mean-filling inside; label [n],
 * probabilities [n, k], distances [n, k] and z [n, latent] out. A row on a boundary to the last bit may get the other
 * of its two clusters, since sums are made in another order there (docs/runs.md).
 */

import { compile } from "../runtime/compile.ts";
import { clusterCount } from "../training/membership.ts";
import type { Model } from "./model.ts";

export interface ContractOptions {
  /** What the clusters are called. */
  readonly names?: readonly string[];
  /** What the numbers of a row are called. */
  readonly columns?: readonly string[];
  /** What else the file tells about itself. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export async function modelOnnx(model: Model, { names, columns, metadata }: ContractOptions = {}): Promise<Uint8Array> {
  const { method, row } = model.plan;
  return compile(model.program(), {
    weights: await model.weights(),
    metadata: {
      producer: "telltale",
      method: method.name,
      clusters: String(clusterCount(model.plan)),
      row: JSON.stringify(row),
      ...(names && { cluster_names: JSON.stringify(names) }),
      ...(columns && columns.length > 0 && { columns: JSON.stringify(columns) }),
      ...metadata,
    },
  });
}

/**
 * From codes z [n, latent] to rows, as the model draws its exemplars. Nothing where training left the decoder behind.
 */
export async function decoderOnnx(
  model: Model,
  { metadata }: Pick<ContractOptions, "metadata"> = {},
): Promise<Uint8Array | undefined> {
  if (model.formulas.clustering.decoderIsStale) return undefined;
  return compile(model.decoder(), { weights: await model.weights(), metadata: { producer: "telltale", ...metadata } });
}
