/** A checkpoint as the bytes of one file: its tensors in groups, and the rest as JSON beside them. */

import { problemIn } from "../formats/schema.ts";
import { decodeTensorGroups, encodeTensorGroups, type FileKind } from "../formats/tensorGroups.ts";
import { type Tensor, tensor } from "../tensor/tensor.ts";
import { checkpointValue } from "./fitSchemas.ts";
import type { Checkpoint, Kept } from "./train.ts";

const kind: FileKind = { format: "telltale checkpoint 1", value: "checkpoint" };

export function encodeCheckpoint({ state, labels, kept, ...rest }: Checkpoint): Uint8Array {
  const { state: keptState, labels: keptLabels, ...keptRest } = kept ?? ({} as Partial<Kept>);
  return encodeTensorGroups(
    kind,
    { ...rest, ...(kept && { kept: keptRest }) },
    { state, labels: labels && whole(labels), kept: keptState, "kept labels": keptLabels && whole(keptLabels) },
  );
}

export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  const { value, group, alone } = decodeTensorGroups(kind, bytes);
  const problem = problemIn("checkpoint: its value", checkpointValue, value);
  if (problem) throw new TypeError(problem);
  const { kept, ...rest } = value as Omit<Checkpoint, "state" | "labels">;
  const labels = labelsOf("labels", alone("labels"), rest);
  const keptLabels = labelsOf("kept labels", alone("kept labels"), rest);
  if (kept && !keptLabels) throw new TypeError("checkpoint: what was kept must have labels, it has none");
  return {
    ...rest,
    state: group("state"),
    ...(labels && { labels }),
    ...(kept && keptLabels && { kept: { ...kept, state: group("kept"), labels: keptLabels } }),
  };
}

function labelsOf(
  name: string,
  found: Tensor | undefined,
  { plan: { count, clusters } }: Pick<Checkpoint, "plan">,
): Int32Array | undefined {
  if (!found) return undefined;
  const { dtype, data } = found;
  if (dtype === "int32" && data.length === count && (data as Int32Array).every((n) => n >= 0 && n < clusters)) {
    return data as Int32Array;
  }
  throw new TypeError(`checkpoint: ${name} must be the clusters of ${count} rows, from 0 to ${clusters - 1}`);
}

function whole(labels: Int32Array): Tensor {
  return tensor("int32", [labels.length], labels);
}
