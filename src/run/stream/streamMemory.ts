/**
 * What a stream has done so far, in one file that is replaced whole: RUN/stream/state.safetensors. The place in the input, the
 * length of the output and the centers are of the same moment, the end of a batch; whatever came after it is done again.
 */

import { readFile } from "node:fs/promises";
import { decodeSafetensors, encodeSafetensors } from "../../formats/safetensors.ts";
import type { Followed } from "../../model/model.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import type { DriftState } from "../../training/drift.ts";
import { damaged, type RunFolder } from "../folder/runFolder.ts";
import { problemIn } from "../folder/schema.ts";
import { type StreamState, streamState } from "../folder/streamState.ts";

export interface StreamMemory {
  readonly state: StreamState;
  readonly now: Followed;
  /** The same variables before the first row: to begin anew. */
  readonly begun: Followed["variables"];
}

const name = "stream/state.safetensors";
const format = "telltale stream";
/** Raised when an older Telltale could not read what is written. */
const version = 1;

export async function writeMemory(folder: RunFolder, { state, now, begun }: StreamMemory): Promise<void> {
  const { drift, variables } = now;
  const tensors = new Map<string, Tensor>([
    ...under("now", variables),
    ...under("begun", begun),
    ...(drift ? [["drift/first", drift.first] as const] : []),
  ]);
  const json = JSON.stringify({ ...state, ...(drift && { drift: drift.counted }) });
  await folder.write(name, encodeSafetensors(tensors, { format, version: String(version), state: json }));
}

/** Nothing where there was no stream. */
export async function readMemory(folder: RunFolder): Promise<StreamMemory | undefined> {
  const bytes = await readFile(folder.file(name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw damaged(folder.path, name, error);
  });
  if (!bytes) return undefined;
  try {
    const { tensors, metadata } = decodeSafetensors(bytes);
    if (metadata.format !== format) throw new TypeError(`is no ${format}`);
    if (Number(metadata.version) > version) throw new TypeError("is of a newer Telltale");
    const { drift, ...state } = parsed(metadata.state);
    const first = tensors.get("drift/first") as Tensor<"float32"> | undefined;
    if (drift && first?.dtype !== "float32") throw new TypeError("it has no drift/first, where the centers began");
    const now = { variables: within("now", tensors), ...(drift && first && { drift: { first, counted: drift } }) };
    return { state, now, begun: within("begun", tensors) };
  } catch (error) {
    const why = (error as Error).message;
    throw new RangeError(
      `${folder.path}: what the stream has kept, ${name}, cannot be read (${why}); delete it to begin anew`,
    );
  }
}

function parsed(json: string | undefined): StreamState & { readonly drift?: DriftState["counted"] } {
  const found: unknown = JSON.parse(json ?? "null");
  const problem = problemIn("its state", streamState, found);
  if (problem) throw new TypeError(problem);
  return found as StreamState;
}

function under(prefix: string, tensors: ReadonlyMap<string, Tensor>): [string, Tensor][] {
  return [...tensors].map(([name, value]) => [`${prefix}/${name}`, value]);
}

function within(prefix: string, tensors: ReadonlyMap<string, Tensor>): Map<string, Tensor> {
  const own = [...tensors].filter(([name]) => name.startsWith(`${prefix}/`));
  return new Map(own.map(([name, value]) => [name.slice(prefix.length + 1), value]));
}
