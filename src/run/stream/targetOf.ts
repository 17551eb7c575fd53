/** Where to write, given what an earlier stream has written: as long as the state says, and nobody else's. */

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { checkGuard } from "../../files/output/openOutput.ts";
import { addressWords, isAddress } from "../../text/serverAddress.ts";
import type { StreamState } from "../folder/schemas/streamState.ts";
import { brokerTarget } from "./broker/brokerSink.ts";
import { beginsAs, type SinkFormat, type Target } from "./sink.ts";

/** Wrong wishes are refused before anything is read. */
export async function targetOf(
  {
    out,
    format,
    restart = false,
    guardFormulas = false,
    signal,
  }: { out?: string; format: SinkFormat; restart?: boolean; guardFormulas?: boolean; signal?: AbortSignal },
  state: StreamState | undefined,
): Promise<Target> {
  checkGuard(format, guardFormulas);
  const wanted = { format, guardFormulas };
  const isToBroker = out !== undefined && isAddress(out);
  const path = out === undefined ? undefined : isToBroker ? addressWords(out) : resolve(out);
  const written = state?.output;
  const isUnfinished = !restart && state !== undefined && !state.finished && state.offset > 0;
  if (isUnfinished && written && written.path !== path) {
    throw new RangeError(
      `stream: was stopped while it wrote to ${written.path}, got ${isToBroker ? path : (out ?? "standard output")}; name that again to go on, or say --restart to begin anew`,
    );
  }
  if (path === undefined) return { ...wanted, length: 0, isBegun: isUnfinished };
  if (isToBroker) return brokerTarget({ out, format, restart, ...(signal && { signal }) }, state);
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) throw new RangeError(`${out}: is a folder; name a file`);
  const size = there?.size;
  if (written?.path !== path) {
    if (size !== undefined) throw new RangeError(`${out}: is there already; choose another file, or delete it`);
    return { ...wanted, path, length: 0, isBegun: false };
  }
  // A folder that came from somebody else may name any file.
  if (!(await beginsAs(path, written))) {
    throw new RangeError(`${out}: does not begin as the stream has begun it; restore it, or name another file`);
  }
  if (restart) return { ...wanted, path, length: 0, isBegun: false };
  if (written.length > 0 && written.format !== format) {
    throw new RangeError(
      `${out}: holds ${written.format} and cannot go on as ${format}; say --format ${written.format}`,
    );
  }
  if ((size ?? 0) < written.length) {
    throw new RangeError(
      `${out}: must have the ${written.length} bytes that the stream has written, it has ${size ?? 0}; restore it, or say --restart to begin anew`,
    );
  }
  if (written.length > 0 && (written.guardFormulas ?? false) !== guardFormulas) {
    throw new RangeError(
      `${out}: was begun with${guardFormulas ? "out" : ""} --guard-formulas; say ${guardFormulas ? "nothing of it" : "it"} again, or --restart to begin anew`,
    );
  }
  const { length, columns } = written;
  return { ...wanted, path, length, isBegun: length > 0, ...(length > 0 && { columns }) };
}
