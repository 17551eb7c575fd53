/** The page: what is at its top, and whichever part of a run is looked at. */

import { useEffect, useRef } from "preact/hooks";
import { startThemeButton } from "../report/browser/theme.ts";
import { quantity } from "../report/parts/numbers.ts";
import { CompareView } from "./compare/CompareView.tsx";
import { History } from "./curation/History.tsx";
import { Question } from "./curation/Question.tsx";
import { Filters } from "./filters/Filters.tsx";
import { MapView } from "./map/MapView.tsx";
import { ClusterList } from "./panels/ClusterList.tsx";
import { ClusterPanel } from "./panels/ClusterPanel.tsx";
import { Formed } from "./panels/Formed.tsx";
import { RowPanel } from "./panels/RowPanel.tsx";
import { RunList } from "./RunList.tsx";
import { keep } from "./source/keep.ts";
import type { PageName } from "./state/address.ts";
import type { OpenRun } from "./state/openRun.ts";
import type { Session } from "./state/session.ts";
import { look, lookAt, view } from "./state/view.ts";
import { TableView } from "./table/TableView.tsx";
import { TrainingView } from "./training/TrainingView.tsx";

export function App({ session }: { readonly session: Session }) {
  const { page, run: wanted } = view.value;
  const run = session.run.value;
  const isReady = run !== undefined && run.id === wanted;
  const needsRun = page === "map" || page === "table" || page === "compare";
  return (
    <>
      <Top session={session} run={isReady ? run : undefined} />
      {session.source.kind === "tab" && (
        <section class="here" aria-label="Where this happens">
          Nothing leaves this machine: files are read, and models trained, in this tab alone. Closing it forgets them.
        </section>
      )}
      <Problems session={session} />
      <main>
        {page === "runs" && <RunList session={session} />}
        {page === "training" && <TrainingView session={session} />}
        {needsRun && !isReady && <p class="empty">Opening …</p>}
        {needsRun && isReady && (
          <div class="run" data-page={page}>
            {page === "compare" ? (
              <CompareView session={session} run={run} />
            ) : (
              <>
                <Filters session={session} run={run} />
                {page === "map" ? (
                  <MapView key={run.id} session={session} run={run} />
                ) : (
                  <TableView key={run.id} session={session} run={run} />
                )}
                <Side session={session} run={run} />
              </>
            )}
          </div>
        )}
      </main>
      <Question session={session} />
    </>
  );
}

function Side({ session, run }: { readonly session: Session; readonly run: OpenRun }) {
  const { row, cluster } = view.value;
  return (
    <aside aria-label="What is chosen">
      {row !== undefined && row < run.rows ? (
        <RowPanel session={session} run={run} row={row} />
      ) : cluster !== undefined ? (
        <ClusterPanel key={`${run.id} ${cluster}`} session={session} run={run} cluster={cluster} />
      ) : (
        <>
          <ClusterList run={run} />
          <Formed run={run} />
        </>
      )}
      <History session={session} run={run} />
    </aside>
  );
}

function Top({ session, run }: { readonly session: Session; readonly run: OpenRun | undefined }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => startThemeButton(button.current!), []);
  const { source } = session;
  const { page } = view.value;
  const runs = (session.runs.value ?? []).filter(({ state }) => state === "done");
  const tab = (name: PageName, title: string) => (
    <button type="button" aria-current={page === name ? "page" : undefined} onClick={() => look({ page: name }, true)}>
      {title}
    </button>
  );
  const description = run?.description.value;
  return (
    <header class="top">
      <h1>
        <button type="button" onClick={() => look({ page: "runs" }, true)}>
          Telltale
        </button>
      </h1>
      {runs.length > 0 && (
        <label>
          <span class="unseen">Run</span>
          <select value={view.value.run} onChange={({ currentTarget }) => lookAt(currentTarget.value)}>
            <option value="" disabled>
              a run …
            </option>
            {runs.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <nav aria-label="Pages">
        {run && tab("map", "Map")}
        {run && tab("table", "Table")}
        {run && source.kind === "server" && tab("compare", "Compare")}
        {source.kind !== "file" && tab("training", "Train")}
      </nav>
      {run && source.kind !== "file" && (
        <button
          type="button"
          title="The model as an ONNX file, which runs anywhere"
          onClick={() => void session.attempt(async () => keep(await source.file("model", { path: { run: run.id } })))}
        >
          Model
        </button>
      )}
      {description && (
        <p class="soft about">
          {description.method.name}, {quantity(description.source.rows, "row")} of {description.source.name}
        </p>
      )}
      <button type="button" ref={button} id="theme" />
    </header>
  );
}

function Problems({ session }: { readonly session: Session }) {
  const { problem, isLost } = session;
  return (
    <div role="status">
      {isLost.value && <p class="problem">The server does not answer. The page goes on as soon as it does.</p>}
      {problem.value !== "" && (
        <p class="problem">
          {problem.value}{" "}
          <button type="button" aria-label="Put away" onClick={() => (problem.value = "")}>
            ×
          </button>
        </p>
      )}
    </div>
  );
}
