/**
 * What a stream has done so far, in one file that is replaced whole: RUN/stream/state.safetensors, and
 * RUN/stream/curated.safetensors where the centers are those of a curated model. The place in the
 * input, the length of the output and the centers are of the same moment, the end of a batch; whatever came after it is
 * done again.
 */

import { stat } from "node:fs/promises";
import { problemIn } from "../../formats/schema.ts";
import { decodeTensorGroups, encodeTensorGroups, type FileKind } from "../../formats/tensorGroups.ts";
import type { Followed } from "../../model/model.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import type { DriftState } from "../../training/drift.ts";
import type { RunFolder } from "./runFolder.ts";
import { type StreamState, streamState } from "./schemas/streamState.ts";

export interface StreamMemory {
  readonly state: StreamState;
  readonly now: Followed;
  /** The same variables before the first row: to begin anew. */
  readonly begun: Followed["variables"];
}

/** Whose centers follow: those of the fit, or of what a person has made of it. */
export type Following = "state" | "curated";

const fileOf = (following: Following): string => `stream/${following}.safetensors`;
const kind: FileKind = { format: "telltale stream", version: 1, value: "state" };

export async function writeMemory(
  folder: RunFolder,
  following: Following,
  { state, now, begun }: StreamMemory,
): Promise<void> {
  const { drift, variables } = now;
  const value = { ...state, ...(drift && { drift: drift.counted }) };
  const groups = { now: variables, begun, "drift/first": drift?.first };
  await folder.write(fileOf(following), encodeTensorGroups(kind, value, groups));
}

/** Nothing where there was no stream. */
export async function readMemory(folder: RunFolder, following: Following): Promise<StreamMemory | undefined> {
  const name = fileOf(following);
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
