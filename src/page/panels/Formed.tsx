/** How the clusters of a finished run have formed: the frames that were kept of its training. */

import { useSignal } from "@preact/signals";
import type { OpenRun } from "../state/openRun.ts";
import { Replay } from "../training/Replay.tsx";
import { useAnswer } from "./useAnswer.ts";

export function Formed({ run }: { readonly run: OpenRun }) {
  const isOpen = useSignal(false);
  if (run.description.value.frames === 0) return null;
  return (
    <details
      class="formed"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>How they have formed</summary>
      {isOpen.value && <Frames run={run} />}
    </details>
  );
}

function Frames({ run }: { readonly run: OpenRun }) {
  const path = { run: run.id };
  const { value: frames, problem } = useAnswer((signal) => run.source.ask("runFrames", { path, signal }), [run]);
  if (problem !== "") return <p class="note">{problem}</p>;
  if (!frames || frames.length === 0) return <p class="soft">Asking for the frames …</p>;
  const ask = (frame: number, signal: AbortSignal) =>
    run.source.numbers("runFrame", { path: { ...path, frame }, signal });
  const askExemplars = (frame: number, signal: AbortSignal) =>
    run.source.numbers("runFrameExemplars", { path: { ...path, frame }, signal });
  const { arePictures, row, range } = run.description.value.source;
  return (
    <Replay {...{ frames, follows: false, ask, askExemplars }} {...(arePictures && { pictures: { row, range } })} />
  );
}
