/** A fit that is under way, or was: the moving map, the curves, stop, resume, and its frames once more. */

import type { Fit } from "../../api/fits.ts";
import { duration, percent, quantity } from "../../report/parts/numbers.ts";
import type { Session } from "../state/session.ts";
import { lookAt } from "../state/view.ts";
import { Curves } from "./Curves.tsx";
import { Replay } from "./Replay.tsx";

export function FitPanel({ session, fit }: { readonly session: Session; readonly fit: Fit }) {
  const { frames, epochs } = fit;
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
            (fit.remaining ?? 0) >= 1 &&
            `, about ${duration(Math.round(fit.remaining!))} left`}
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
            <button type="button" class="strong" onClick={() => lookAt(fit.run!)}>
              Look at the clusters
            </button>
          )}
        </p>
      </header>
      {frames.length > 0 && (
        <Replay
          frames={frames}
          follows={isBusy}
          ask={(frame, signal) => session.source.numbers("frame", { path: { fit: fit.id, frame }, signal })}
          askExemplars={(frame, signal) =>
            session.source.numbers("frameExemplars", { path: { fit: fit.id, frame }, signal })
          }
          {...(fit.pictures && { pictures: fit.pictures })}
        />
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
