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
import type { LinePosition } from "./lineReader.ts";
import type { Header } from "./records.ts";

export interface StreamState extends LinePosition {
  /** The input as people call it, and where it is if it is a file with a name. */
  readonly source: string;
  readonly path?: string;
  /** SHA-256 of the last 64 KiB before the place. */
  readonly tail: string;
  readonly header?: Header;
  /** Whether the input has ended. */
  readonly finished: boolean;
  /** Without it, rows went to standard output. */
  readonly output?: {
    readonly path: string;
    readonly format: "csv" | "jsonl";
    readonly columns: readonly string[];
    readonly length: number;
  };
  readonly rows: number;
  readonly skipped: number;
  readonly batch: number;
  readonly rate: number;
  readonly frozen: boolean;
}

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
    const { drift, ...state } = JSON.parse(metadata.state!) as StreamState & { drift?: DriftState["counted"] };
    const first = tensors.get("drift/first") as Tensor<"float32">;
    const now = { variables: named("now", tensors), ...(drift && { drift: { first, counted: drift } }) };
    return { state, now, begun: named("begun", tensors) };
  } catch (error) {
    const why = (error as Error).message;
    throw new RangeError(
      `${folder.path}: what the stream has kept, ${name}, cannot be read (${why}); delete it to begin anew`,
    );
  }
}

function under(prefix: string, tensors: ReadonlyMap<string, Tensor>): [string, Tensor][] {
  return [...tensors].map(([name, value]) => [`${prefix}/${name}`, value]);
}

function named(prefix: string, tensors: ReadonlyMap<string, Tensor>): Map<string, Tensor> {
  const own = [...tensors].filter(([name]) => name.startsWith(`${prefix}/`));
  return new Map(own.map(([name, value]) => [name.slice(prefix.length + 1), value]));
}
