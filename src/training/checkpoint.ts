/** A checkpoint as the bytes of one file: a safetensors file, whose tensors anybody can read, with the rest as JSON beside them. */

import { decodeSafetensors, encodeSafetensors } from "../formats/safetensors.ts";
import { type Tensor, tensor } from "../tensor/tensor.ts";
import type { Checkpoint, Kept } from "./train.ts";

const format = "telltale checkpoint 1";

export function encodeCheckpoint({ state, labels, kept, ...rest }: Checkpoint): Uint8Array {
  const { state: keptState, labels: keptLabels, ...keptRest } = kept ?? ({} as Partial<Kept>);
  const tensors = new Map<string, Tensor>([
    ...under("state", state),
    ...(labels ? [["labels", whole(labels)] as const] : []),
    ...under("kept", keptState ?? new Map()),
    ...(keptLabels ? [["kept labels", whole(keptLabels)] as const] : []),
  ]);
  const json = JSON.stringify({ ...rest, ...(kept && { kept: keptRest }) });
  return encodeSafetensors(tensors, { format, checkpoint: json });
}

export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  const { tensors, metadata } = decodeSafetensors(bytes);
  if (metadata.format !== format) {
    throw new TypeError(
      `checkpoint: the file must be a ${format}, got ${metadata.format ?? "a file without a format"}`,
    );
  }
  const { kept, ...rest } = JSON.parse(metadata.checkpoint!) as Omit<Checkpoint, "state" | "labels">;
  const named = (prefix: string): Map<string, Tensor> =>
    new Map(
      [...tensors]
        .filter(([name]) => name.startsWith(`${prefix}/`))
        .map(([name, value]) => [name.slice(prefix.length + 1), value]),
    );
  const numbers = (name: string): Int32Array | undefined => tensors.get(name)?.data as Int32Array | undefined;
  const labels = numbers("labels");
  return {
    ...rest,
    state: named("state"),
    ...(labels && { labels }),
    ...(kept && { kept: { ...kept, state: named("kept"), labels: numbers("kept labels")! } }),
  };
}

function under(prefix: string, tensors: ReadonlyMap<string, Tensor>): [string, Tensor][] {
  return [...tensors].map(([name, value]) => [`${prefix}/${name}`, value]);
}

function whole(labels: Int32Array): Tensor {
  return tensor("int32", [labels.length], labels);
}
