/** A checkpoint as the bytes of one file: its tensors in groups, and the rest as JSON beside them. */

import { problemIn } from "../formats/schema.ts";
import { decodeTensorGroups, encodeTensorGroups, type FileKind } from "../formats/tensorGroups.ts";
import { type Tensor, tensor } from "../tensor/tensor.ts";
import { checkpointValue } from "./fitSchemas.ts";
import type { Checkpoint, Kept } from "./job.ts";
import type { Lesson } from "./lesson.ts";

const kind: FileKind = { format: "telltale checkpoint 1", value: "checkpoint" };

export function encodeCheckpoint({ state, labels, kept, lesson, pretrained = [], ...rest }: Checkpoint): Uint8Array {
  const { state: keptState, labels: keptLabels, ...keptRest } = kept ?? ({} as Partial<Kept>);
  const { labels: taught, ...lessonRest } = lesson ?? ({} as Partial<Lesson>);
  const said = { ...(kept && { kept: keptRest }), ...(lesson && { lesson: lessonRest }) };
  return encodeTensorGroups(
    kind,
    { ...rest, ...said, ...(pretrained.length > 0 && { pretrainings: pretrained.length }) },
    {
      state,
      ...Object.fromEntries(pretrained.map((weights, i) => [pretraining(i), weights])),
      labels: labels && whole(labels),
      kept: keptState,
      "kept labels": keptLabels && whole(keptLabels),
      taught: taught && whole(taught),
    },
  );
}

const pretraining = (index: number): string => `pretraining ${index}`;

export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  const { value, group, alone } = decodeTensorGroups(kind, bytes);
  const problem = problemIn("checkpoint: its value", checkpointValue, value);
  if (problem) throw new TypeError(problem);
  const {
    kept,
    lesson,
    pretrainings = 0,
    ...rest
  } = value as Omit<Checkpoint, "state" | "labels" | "pretrained"> & {
    readonly pretrainings?: number;
  };
  const labels = labelsOf("labels", alone("labels"), rest);
  const keptLabels = labelsOf("kept labels", alone("kept labels"), rest);
  if (kept && !keptLabels) throw new TypeError("checkpoint: what was kept must have labels, it has none");
  const taught = labelsOf("taught", alone("taught"), rest, -1);
  if (lesson && !taught) throw new TypeError("checkpoint: what is taught must have labels, it has none");
  const pretrained = Array.from({ length: pretrainings }, (_, i) => group(pretraining(i)));
  return {
    ...rest,
    state: group("state"),
    ...(labels && { labels }),
    ...(kept && keptLabels && { kept: { ...kept, state: group("kept"), labels: keptLabels } }),
    ...(pretrained.length > 0 && { pretrained }),
    ...(lesson && taught && { lesson: { ...lesson, labels: taught } }),
  };
}

function labelsOf(
  name: string,
  found: Tensor | undefined,
  { plan: { count, clusters } }: Pick<Checkpoint, "plan">,
  from = 0,
): Int32Array | undefined {
  if (!found) return undefined;
  const { dtype, data } = found;
  if (dtype === "int32" && data.length === count && (data as Int32Array).every((n) => n >= from && n < clusters)) {
    return data as Int32Array;
  }
  throw new TypeError(`checkpoint: ${name} must be the clusters of ${count} rows, from ${from} to ${clusters - 1}`);
}

function whole(labels: Int32Array): Tensor {
  return tensor("int32", [labels.length], labels);
}
