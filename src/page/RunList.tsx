/** The runs that the server was given. */

import { date, quantity } from "../report/parts/numbers.ts";
import { SweepList } from "./SweepList.tsx";
import type { Session } from "./state/session.ts";
import { look, lookAt } from "./state/view.ts";

export function RunList({ session }: { readonly session: Session }) {
  const runs = session.runs.value;
  const [file, ...others] = session.sources.value;
  if (!runs) return <p class="empty">Asking for the runs …</p>;
  const resume = (run: string): void => {
    void session.attempt(async () => {
      const fit = await session.source.ask("resumeRun", { path: { run }, body: {} });
      await session.listFits();
      look({ page: "training", fit: fit.id }, true);
    });
  };
  return (
    <section class="runs" aria-label="Runs">
      <h2>Runs</h2>
      <p>
        {runs.length === 0 &&
          (session.source.kind === "tab" ? "Drop a file, and see its clusters. " : "There is no run yet. ")}
        {session.server.value?.canFit !== false && (
          <button
            type="button"
            class={runs.length === 0 ? "strong" : ""}
            onClick={() => look({ page: "training", fit: "" }, true)}
          >
            Fit {file && others.length === 0 ? file.name : "a file"}
          </button>
        )}
      </p>
      <SweepList session={session} />
      <ul class="cards">
        {runs.map(({ id, name, state, problem, method, rows, clusters, created }) => (
          <li key={id}>
            {state === "done" ? (
              <button type="button" class="card" onClick={() => lookAt(id)}>
                <b>{name}</b>
                <span class="soft">
                  {clusters !== undefined && quantity(clusters, "cluster")}
                  {rows !== undefined && ` in ${quantity(rows, "row")}`}
                  {method !== undefined && `, by ${method}`}
                </span>
                {created !== undefined && <span class="soft">{date(created)}</span>}
              </button>
            ) : (
              <div class="card">
                <b>{name}</b> <span class={`state ${state}`}>{state}</span>
                {problem !== undefined && <span class="soft">{problem}</span>}
                {state === "stopped" && (
                  <button type="button" onClick={() => resume(id)}>
                    Resume
                  </button>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
