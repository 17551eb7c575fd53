/** A fit that is under way, or was: the moving map, the curves, stop, resume, and its frames once more. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Fit } from "../../api/fits.ts";
import { duration, percent, quantity } from "../../report/parts/numbers.ts";
import { useAnswer } from "../panels/useAnswer.ts";
import type { Session } from "../state/session.ts";
import { look } from "../state/view.ts";
import { Curves } from "./Curves.tsx";
import { LiveMap } from "./LiveMap.tsx";

export function FitPanel({ session, fit }: { readonly session: Session; readonly fit: Fit }) {
  const { frames, epochs } = fit;
  /** undefined: the newest, as it comes. */
  const chosen = useSignal<number | undefined>(undefined);
  const plays = useSignal(false);
  const shown = Math.min(chosen.value ?? frames.length - 1, frames.length - 1);
  const frame = frames[shown];
  const { value: numbers } = useAnswer(
    async (signal) => frame && session.source.numbers("frame", { path: { fit: fit.id, frame: frame.frame }, signal }),
    [fit.id, frame?.frame],
  );
  useEffect(() => {
    if (!plays.value) return undefined;
    const playing = setInterval(() => {
      const next = (chosen.value ?? -1) + 1;
      if (next >= frames.length) plays.value = false;
      else chosen.value = next;
    }, 450);
    return () => clearInterval(playing);
  }, [plays.value, frames.length]);
  const act = (route: "stopFit" | "resumeFit"): void => {
    void session.attempt(async () => {
      await session.source.ask(route, { path: { fit: fit.id }, body: {} });
      await session.listFits();
    });
  };
  const isBusy = fit.state === "running" || fit.state === "queued" || fit.state === "stopping";
  return (
    <article class="fit" aria-label={`Training of ${fit.name}`}>
      <header>
        <h2>{fit.name}</h2>
        <p aria-live="polite">
          <span class={`state ${fit.state}`}>{fit.state}</span> {fit.stage?.words}
          {fit.state === "running" &&
            fit.remaining !== undefined &&
            `, about ${duration(Math.round(fit.remaining))} left`}
        </p>
        {fit.problem !== undefined && <p class="note">{fit.problem}</p>}
        {isBusy && <progress max={1} value={fit.stage?.share ?? 0} aria-label="How far it is" />}
        <p class="actions">
          {(fit.state === "running" || fit.state === "queued") && (
            <button type="button" onClick={() => act("stopFit")}>
              Stop
            </button>
          )}
          {fit.state === "stopped" && (
            <button type="button" onClick={() => act("resumeFit")}>
              Resume
            </button>
          )}
          {fit.run !== undefined && fit.state === "done" && (
            <button type="button" class="strong" onClick={() => look({ page: "map", run: fit.run!, fit: "" }, true)}>
              Look at the clusters
            </button>
          )}
        </p>
      </header>
      {frames.length > 0 && (
        <figure class="moving">
          <LiveMap
            frame={numbers}
            label={`Where ${quantity(frame?.rows ?? 0, "row")} are after epoch ${frame?.epoch ?? 0} of ${frame?.phase ?? ""}`}
          />
          <figcaption>
            <button
              type="button"
              onClick={() => {
                if (chosen.value === undefined || chosen.value >= frames.length - 1) chosen.value = 0;
                plays.value = !plays.value;
              }}
            >
              {plays.value ? "Pause" : "Replay"}
            </button>
            <input
              type="range"
              min={0}
              max={frames.length - 1}
              value={shown}
              aria-label="Frame"
              onInput={({ currentTarget }) => {
                plays.value = false;
                const at = Number(currentTarget.value);
                chosen.value = at === frames.length - 1 ? undefined : at;
              }}
            />
            <span class="soft">
              {frame?.phase}, epoch {frame?.epoch}
            </span>
          </figcaption>
        </figure>
      )}
      {epochs.length > 0 && <Curves epochs={epochs} />}
      <p class="soft">
        {fit.method}
        {fit.device !== undefined && ` on ${fit.device}`}
        {fit.clusters !== undefined && `, ${quantity(fit.clusters, "cluster")}`}
        {epochs.at(-1)?.changed !== undefined &&
          `; ${percent(epochs.at(-1)!.changed!)} of the rows changed in the last epoch`}
      </p>
      {fit.notices.length > 0 && (
        <ul class="notices">
          {fit.notices.map((notice) => (
            <li key={notice}>{notice}</li>
          ))}
        </ul>
      )}
    </article>
  );
}
