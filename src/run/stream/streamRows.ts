/**
 * Rows that arrive, labelled as they come, the centers following them. Batches are counted, never timed; the place in
 * the input, the length of the output and the centers are committed together: a stream that was killed goes on as if
 * nothing had happened.
 */

import type { DeviceOffer } from "../../runtime/device.ts";
import { checkSettings } from "../../settings.ts";
import { isAddress } from "../../text/serverAddress.ts";
import { openRunOn } from "../folder/openRun.ts";
import { openMessages } from "./broker/messages.ts";
import { fittedTo, streamed } from "./followRows.ts";
import { openLines } from "./startOf.ts";
import { type StreamOptions, type StreamResult, streamSettings } from "./streamOptions.ts";

export type { StreamOptions, StreamResult } from "./streamOptions.ts";

export function streamRowsOn(offers: readonly DeviceOffer[]) {
  const openRun = openRunOn(offers);
  /**
   * Labels rows as they arrive and lets the centers follow them. Goes on where an earlier call was stopped, however
   * hard.
   */
  return async function streamRows(path: string, options: StreamOptions): Promise<StreamResult> {
    checkSettings("stream", options, streamSettings);
    const run = await openRun(path);
    fittedTo(run);
    await run.folder.lock();
    try {
      const { source: named = "-", input } = options;
      const source = await (isAddress(named) && !input ? openMessages(named) : openLines(named, input));
      try {
        return await streamed(run, source, options);
      } finally {
        await source.close();
      }
    } finally {
      await run.folder.unlock();
    }
  };
}
