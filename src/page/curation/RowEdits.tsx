/** What can be done with rows: move them, make them a cluster of their own, mark them. */

import { useSignal } from "@preact/signals";
import { quantity } from "../../report/parts/numbers.ts";
import { nameOf } from "../panels/words.ts";
import type { OpenRun } from "../state/openRun.ts";
import type { Session } from "../state/session.ts";
import { isEditing, propose } from "./edits.ts";

interface Given {
  readonly session: Session;
  readonly run: OpenRun;
  readonly rows: readonly number[];
  /** Where they would go next. */
  readonly second?: number | undefined;
}

export function RowEdits({ session, run, rows, second }: Given) {
  const { clusters } = run.description.value;
  const from = new Set(rows.map((row) => run.clusterOf.value[row]));
  // Whoever moves rows of one cluster moves them elsewhere.
  const targets = from.size > 1 ? clusters : clusters.filter(({ cluster }) => !from.has(cluster));
  const chosen = useSignal<number | undefined>(undefined);
  const usual = second ?? targets[0]?.cluster;
  const to = targets.some(({ cluster }) => cluster === chosen.value) ? chosen.value : usual;
  const name = useSignal("");
  const mark = useSignal("");
  const busy = isEditing.value;
  if (run.fixed.value !== "") return <p class="hint">{run.fixed.value}</p>;
  const list = [...rows];
  const own = run.curation.value?.marks.find(({ row }) => rows.length === 1 && row === rows[0])?.mark;
  return (
    <details
      class="edits"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) void run.openCuration();
      }}
    >
      <summary>Change {rows.length === 1 ? "it" : quantity(rows.length, "row")}</summary>
      {own !== undefined && <p>Marked: {own}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (to !== undefined) void propose(session, run, { kind: "move", rows: list, to });
        }}
      >
        <label>
          Move to{" "}
          <select value={to} onChange={({ currentTarget }) => (chosen.value = Number(currentTarget.value))}>
            {targets.map((one) => (
              <option key={one.cluster} value={one.cluster}>
                {one.cluster}: {nameOf(one)}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" disabled={busy}>
          Move
        </button>
      </form>
      {rows.length > 1 && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const named = name.value.trim();
            void propose(session, run, { kind: "group", rows: list, ...(named !== "" && { name: named }) });
          }}
        >
          <label>
            New cluster{" "}
            <input
              placeholder="its name"
              maxLength={200}
              value={name.value}
              onInput={({ currentTarget }) => (name.value = currentTarget.value)}
            />
          </label>
          <button type="submit" disabled={busy}>
            Group
          </button>
        </form>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void propose(session, run, { kind: "mark", rows: list, mark: mark.value.trim() });
        }}
      >
        <label>
          Mark as{" "}
          <input
            maxLength={200}
            value={mark.value}
            onInput={({ currentTarget }) => (mark.value = currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={busy}>
          Mark
        </button>
      </form>
    </details>
  );
}
