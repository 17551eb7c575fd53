/** A checkpoint as the bytes of one file: its tensors in groups, and the rest as JSON beside them. */

import { decodeTensorGroups, encodeTensorGroups, type FileKind } from "../formats/tensorGroups.ts";
import { type Tensor, tensor } from "../tensor/tensor.ts";
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
  const { kept, ...rest } = value as Omit<Checkpoint, "state" | "labels">;
  const labels = alone("labels")?.data as Int32Array | undefined;
  const keptLabels = alone("kept labels")?.data as Int32Array;
  return {
    ...rest,
    state: group("state"),
    ...(labels && { labels }),
    ...(kept && { kept: { ...kept, state: group("kept"), labels: keptLabels } }),
  };
}

function whole(labels: Int32Array): Tensor {
  return tensor("int32", [labels.length], labels);
}
