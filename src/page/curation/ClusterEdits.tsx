/** What can be changed about a cluster: its name, what it is joined with, what it is split into. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { nameOf } from "../panels/words.ts";
import type { OpenRun } from "../state/openRun.ts";
import type { Session } from "../state/session.ts";
import { isEditing, propose } from "./edits.ts";

interface Given {
  readonly session: Session;
  readonly run: OpenRun;
  readonly cluster: number;
  /** Those that its rows would go to next, the nearest first. */
  readonly near: readonly number[];
}

export function ClusterEdits({ session, run, cluster, near }: Given) {
  const brief = run.clusters.value.get(cluster)!;
  const others = run.description.value.clusters.filter((one) => one.cluster !== cluster);
  const name = useSignal(brief.name);
  const nearest = near[0] ?? others[0]?.cluster;
  const into = useSignal(nearest);
  const parts = useSignal("");
  useEffect(() => {
    name.value = brief.name;
    into.value = nearest;
  }, [run, cluster, brief.name, nearest]);
  const busy = isEditing.value;
  if (run.fixed.value !== "") return <p class="hint">{run.fixed.value}</p>;
  return (
    <details
      class="edits"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) void run.openCuration();
      }}
    >
      <summary>Change it</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.value.trim() !== "") void propose(session, run, { kind: "rename", cluster, name: name.value });
        }}
      >
        <label>
          Name{" "}
          <input
            value={name.value}
            maxLength={200}
            onInput={({ currentTarget }) => (name.value = currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={busy || name.value.trim() === "" || name.value === brief.name}>
          Rename
        </button>
      </form>
      {others.length > 0 && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (into.value !== undefined)
              void propose(session, run, { kind: "merge", clusters: [cluster, into.value] });
          }}
        >
          <label>
            Merge with{" "}
            <select value={into.value} onChange={({ currentTarget }) => (into.value = Number(currentTarget.value))}>
              {others.map((one) => (
                <option key={one.cluster} value={one.cluster}>
                  {one.cluster}: {nameOf(one)}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" disabled={busy}>
            Merge
          </button>
        </form>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = Number(parts.value);
          void propose(session, run, { kind: "split", cluster, ...(wanted >= 2 && { parts: wanted }) });
        }}
      >
        <label>
          Split into{" "}
          <input
            type="number"
            min={2}
            max={64}
            placeholder="two parts"
            value={parts.value}
            onInput={({ currentTarget }) => (parts.value = currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={busy}>
          Split
        </button>
      </form>
    </details>
  );
}
