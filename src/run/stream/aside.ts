/** Rows that cannot be used, set aside in a file of JSON lines: which, why, and what stood there. */

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { addressWords, isAddress } from "../../text/serverAddress.ts";
import type { StreamState } from "../folder/schemas/streamState.ts";
import type { Row } from "./batch.ts";
import { beginsAs } from "./sink.ts";

/** A file that is not there yet, or has so many bytes of ours. */
export interface AsideTarget {
  readonly path: string;
  readonly length: number;
}

const columns = ["row", "where", "problem", "text"];

export async function asideOf(
  { aside, out, restart = false }: { aside?: string; out?: string; restart?: boolean },
  state: StreamState | undefined,
): Promise<AsideTarget | undefined> {
  const written = state?.aside;
  const isUnfinished = !restart && state !== undefined && !state.finished && state.offset > 0;
  if (aside !== undefined && isAddress(aside)) {
    throw new RangeError(`${addressWords(aside)}: rows that cannot be used are set aside in a file; name one`);
  }
  const path = aside === undefined ? undefined : resolve(aside);
  if (isUnfinished && written && written.path !== path) {
    throw new RangeError(
      `stream: was stopped while it set rows aside in ${written.path}, got ${aside ?? "no file"}; name that with --aside to go on, or say --restart to begin anew`,
    );
  }
  if (path === undefined) return undefined;
  if (out !== undefined && resolve(out) === path) {
    throw new RangeError(`${aside}: rows that cannot be used need a file of their own, and this is the output`);
  }
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) throw new RangeError(`${aside}: is a folder; name a file`);
  if (written?.path !== path) {
    if (there) throw new RangeError(`${aside}: is there already; choose another file, or delete it`);
    return { path, length: 0 };
  }
  if (!(await beginsAs(path, { format: "jsonl", columns }))) {
    throw new RangeError(`${aside}: does not begin as the stream has begun it; restore it, or name another file`);
  }
  const length = restart ? 0 : written.length;
  if ((there?.size ?? 0) < length) {
    throw new RangeError(
      `${aside}: must have the ${length} bytes that the stream has written, it has ${there?.size ?? 0}; restore it, or say --restart to begin anew`,
    );
  }
  return { path, length };
}

/** A line for each that cannot be used; `first` is the number of the first row. */
export function asideLines(rows: readonly Row[], first: number): string {
  return rows.map(({ problem }, i) => (problem ? `${JSON.stringify({ row: first + i, ...problem })}\n` : "")).join("");
}
