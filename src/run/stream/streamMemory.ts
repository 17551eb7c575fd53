/**
 * What a stream has done so far, in one file that is replaced whole: RUN/stream/state.safetensors. The place in the
 * input, the length of the output and the centers are of the same moment, the end of a batch; whatever came after it is
 * done again.
 */

import { stat } from "node:fs/promises";
import { problemIn } from "../../formats/schema.ts";
import { decodeTensorGroups, encodeTensorGroups, type FileKind } from "../../formats/tensorGroups.ts";
import type { Followed } from "../../model/model.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import type { DriftState } from "../../training/drift.ts";
import type { RunFolder } from "../folder/runFolder.ts";
import { type StreamState, streamState } from "../folder/schemas/streamState.ts";

export interface StreamMemory {
  readonly state: StreamState;
  readonly now: Followed;
  /** The same variables before the first row: to begin anew. */
  readonly begun: Followed["variables"];
}

const name = "stream/state.safetensors";
const kind: FileKind = { format: "telltale stream", version: 1, value: "state" };

export async function writeMemory(folder: RunFolder, { state, now, begun }: StreamMemory): Promise<void> {
  const { drift, variables } = now;
  const value = { ...state, ...(drift && { drift: drift.counted }) };
  const groups = { now: variables, begun, "drift/first": drift?.first };
  await folder.write(name, encodeTensorGroups(kind, value, groups));
}

/** Nothing where there was no stream. */
export async function readMemory(folder: RunFolder): Promise<StreamMemory | undefined> {
  if (!(await stat(folder.file(name)).catch(() => undefined))) return undefined;
  const bytes = await folder.bytes(name);
  try {
    const { value, group, alone } = decodeTensorGroups(kind, bytes);
    const { drift, ...state } = checked(value);
    const first = alone("drift/first") as Tensor<"float32"> | undefined;
    if (drift && first?.dtype !== "float32") throw new TypeError("it has no drift/first, where the centers began");
    const now = { variables: group("now"), ...(drift && first && { drift: { first, counted: drift } }) };
    return { state, now, begun: group("begun") };
  } catch (error) {
    const why = (error as Error).message;
    throw new RangeError(
      `${folder.path}: what the stream has kept, ${name}, cannot be read (${why}); delete it to begin anew`,
    );
  }
}

function checked(found: unknown): StreamState & { readonly drift?: DriftState["counted"] } {
  const problem = problemIn("its state", streamState, found);
  if (problem) throw new TypeError(problem);
  return found as StreamState;
}
