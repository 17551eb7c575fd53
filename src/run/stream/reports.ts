/** What a stream tells at every commit, beside its rows: metrics to a file, drift to a broker. */

import { resolve } from "node:path";
import { oneLine } from "../../text/oneLine.ts";
import { addressWords } from "../../text/serverAddress.ts";
import type { OnEvent } from "../events.ts";
import { openBroker } from "./broker/openBroker.ts";
import { checkMetricsFile, type StreamFigures, writeMetrics } from "./metrics.ts";

export interface Reports {
  tell(figures: StreamFigures): Promise<void>;
  close(): Promise<void>;
}

export async function openReports(
  { metrics, drift }: { metrics?: string; drift?: string },
  onEvent: OnEvent | undefined,
): Promise<Reports> {
  const file = metrics === undefined ? undefined : resolve(metrics);
  if (file !== undefined) await checkMetricsFile(file);
  const broker = drift === undefined ? undefined : await openBroker(drift);
  const board = await broker?.board().catch(async (error) => {
    await broker.close();
    throw error;
  });
  let isSilent = false;
  return {
    async tell(figures) {
      if (file !== undefined) await writeMetrics(file, figures);
      // The next one says it all again: a server that is away is no reason to stop.
      await board?.say(driftText(figures)).catch((error: Error) => {
        if (!isSilent)
          onEvent?.({
            kind: "notice",
            sentence: `${addressWords(drift!)}: drift is not told: ${oneLine(error.message)}`,
          });
        isSilent = true;
      });
    },
    close: async () => broker?.close(),
  };
}

export function driftText({ rows, skipped, drift }: StreamFigures): string {
  const { loss, firstLoss, unsure, moved } = drift ?? {};
  return JSON.stringify({ rows, skipped, loss, firstLoss, unsure, moved });
}
