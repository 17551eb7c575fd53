/** Rows that go to a broker, one message each: whatever happens, each is there once, in its order. */

import { type Cell, lines, type OutputColumn } from "../../../files/output/openOutput.ts";
import { addressWords } from "../../../text/serverAddress.ts";
import type { StreamState } from "../../folder/schemas/streamState.ts";
import type { Sink, Target } from "../sink.ts";
import type { Outlet } from "./broker.ts";
import { openBroker, patiently } from "./openBroker.ts";

/** Rows of an earlier stream of this run may be there; those of anybody else may not. */
export async function brokerTarget(
  { out, format, restart = false, signal }: { out: string; format: string; restart?: boolean; signal?: AbortSignal },
  state: StreamState | undefined,
): Promise<Target> {
  const path = addressWords(out);
  if (format !== "jsonl") throw new RangeError(`${path}: messages are jsonl, got ${format}; leave out --format`);
  const broker = await openBroker(out);
  try {
    const outlet = await broker.outlet();
    const there = await outlet.rows();
    const written = state?.output;
    const isOurs = written?.path === path && !restart;
    if (there > 0 && !isOurs) {
      const cure = restart ? "; a stream that begins anew needs another place, or that one emptied" : "";
      throw new RangeError(`${path}: has ${there} rows already; choose another place${cure}`);
    }
    const length = isOurs ? written.length : 0;
    checkKept(path, there, length);
    const begun = length > 0 && written ? { columns: written.columns } : {};
    return {
      ...{ format: "jsonl", path, length, guardFormulas: false, isBegun: length > 0, ...begun },
      broker: {
        sink: (columns: readonly OutputColumn[]) => brokerSink(out, outlet, columns, length, signal),
        close: () => broker.close(),
      },
    };
  } catch (error) {
    await broker.close();
    throw error;
  }
}

function checkKept(path: string, there: number, written: number): void {
  if (there >= written) return;
  throw new RangeError(
    `${path}: must have the ${written} rows that the stream has written, it has ${there}; restore them, or say --restart to begin anew elsewhere`,
  );
}

export function brokerSink(
  address: string,
  outlet: Outlet,
  columns: readonly OutputColumn[],
  begin: number,
  signal: AbortSignal | undefined,
): Sink {
  const line = lines.jsonl(columns);
  let length = begin;
  /** How many are there, as far as that is known. */
  let there: number | undefined;
  return {
    get length() {
      return length;
    },
    async write(rows: readonly (readonly Cell[])[]) {
      if (rows.length === 0) return;
      const first = Number(rows[0]![0]);
      const texts = rows.map((row) => line(row).trimEnd());
      await patiently(address, signal, async () => {
        // After a kill, or an answer that did not come, some of them may be there.
        const known = there ?? (await outlet.rows());
        there = undefined;
        checkKept(addressWords(address), known, length);
        const from = Math.max(first, known);
        const missing = texts.slice(from - first);
        if (missing.length > 0) await outlet.append(missing, from);
        there = from + missing.length;
      });
      length = first + rows.length;
    },
    // What has been answered is kept by the server.
    async sync() {},
    async close() {},
  };
}
