/** What people have changed, who and when; taken back and done again. */

import { useEffect } from "preact/hooks";
import { date } from "../../report/parts/numbers.ts";
import type { OpenRun } from "../state/openRun.ts";
import type { Session } from "../state/session.ts";
import { isEditing, step } from "./edits.ts";

export function History({ session, run }: { readonly session: Session; readonly run: OpenRun }) {
  useEffect(() => {
    if (run.description.value.edits > 0) void run.openCuration();
  }, [run]);
  const curation = run.curation.value;
  if (!curation || (curation.edits.length === 0 && !curation.canRedo)) return null;
  return (
    <section class="history" aria-label="Changes">
      <h3>
        Changes{" "}
        <button
          type="button"
          disabled={!curation.canUndo || isEditing.value}
          onClick={() => void step(session, run, "undo")}
        >
          Undo
        </button>{" "}
        <button
          type="button"
          disabled={!curation.canRedo || isEditing.value}
          onClick={() => void step(session, run, "redo")}
        >
          Redo
        </button>
      </h3>
      <ol reversed>
        {[...curation.edits].reverse().map(({ number, words, who, when, state }) => (
          <li key={number} class={state}>
            {words}{" "}
            <span class="soft">
              {who}, {date(when)}
              {state !== "holds" && `, ${state}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
