/** What an edit would do, before it is done. */

import { useEffect, useRef } from "preact/hooks";
import type { Session } from "../state/session.ts";
import { confirm, isEditing, proposal, questionOf } from "./edits.ts";

export function Question({ session }: { readonly session: Session }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const waiting = proposal.value;
  useEffect(() => {
    if (waiting && !dialog.current?.open) dialog.current?.showModal();
  }, [waiting]);
  if (!waiting) return null;
  const { words, waits, asks } = waiting.preview;
  return (
    <dialog ref={dialog} aria-labelledby="question" onClose={() => (proposal.value = undefined)}>
      <h2 id="question">{questionOf(waiting.edit)}</h2>
      <p>{sentence(words)}</p>
      {asks && <p class="note">That is more than one in a thousand: look twice.</p>}
      {waits !== undefined && <p class="note">It has to wait: {waits}</p>}
      <p class="actions">
        <button type="button" class="strong" disabled={isEditing.value} onClick={() => void confirm(session)}>
          {isEditing.value ? "Working …" : waits === undefined ? "Do it" : "Let it wait"}
        </button>
        <button type="button" onClick={() => (proposal.value = undefined)}>
          Leave it
        </button>
      </p>
    </dialog>
  );
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${/[.?!]$/.test(words) ? "" : "."}`;
}
