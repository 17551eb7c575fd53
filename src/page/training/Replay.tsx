/** A training as it went: frame after frame, or the one that is dragged to. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Frame } from "../../api/fits.ts";
import { quantity } from "../../report/parts/numbers.ts";
import { useAnswer } from "../panels/useAnswer.ts";
import type { Numbers } from "../source/source.ts";
import { Exemplars, type Look } from "./Exemplars.tsx";
import { LiveMap } from "./LiveMap.tsx";

interface Given {
  readonly frames: readonly Frame[];
  /** Whether the newest is shown as it comes. */
  readonly follows: boolean;
  readonly ask: (frame: number, signal: AbortSignal) => Promise<Numbers>;
  /** What the clusters were then, and how it is drawn where rows are pictures. */
  readonly askExemplars: (frame: number, signal: AbortSignal) => Promise<Numbers>;
  readonly pictures?: Look;
}

/** Between two frames, in milliseconds. */
const pause = 450;

export function Replay({ frames, follows, ask, askExemplars, pictures }: Given) {
  /** undefined: the newest. */
  const chosen = useSignal<number | undefined>(undefined);
  const plays = useSignal(false);
  const last = frames.length - 1;
  const shown = Math.min(chosen.value ?? last, last);
  const frame = frames[shown];
  const { value: numbers } = useAnswer(async (signal) => frame && ask(frame.frame, signal), [frame?.frame]);
  useEffect(() => {
    if (!plays.value) return undefined;
    const playing = setInterval(() => {
      const next = (chosen.value ?? -1) + 1;
      if (next > last) plays.value = false;
      else chosen.value = next;
    }, pause);
    return () => clearInterval(playing);
  }, [plays.value, last]);
  return (
    <figure class="moving">
      <LiveMap
        frame={numbers}
        label={`Where ${quantity(frame?.rows ?? 0, "row")} are after epoch ${frame?.epoch ?? 0} of ${frame?.phase ?? ""}`}
      />
      <figcaption>
        <button
          type="button"
          onClick={() => {
            if (chosen.value === undefined || chosen.value >= last) chosen.value = 0;
            plays.value = !plays.value;
          }}
        >
          {plays.value ? "Pause" : "Replay"}
        </button>
        <input
          type="range"
          min={0}
          max={last}
          value={shown}
          aria-label="Frame"
          onInput={({ currentTarget }) => {
            plays.value = false;
            const at = Number(currentTarget.value);
            chosen.value = follows && at === last ? undefined : at;
          }}
        />
        <span class="soft">
          {frame?.phase}, epoch {frame?.epoch}
        </span>
      </figcaption>
      {pictures && frame?.hasExemplars && <Exemplars frame={frame} ask={askExemplars} look={pictures} />}
    </figure>
  );
}
