/** What is answered about what people have changed. */

import type { EventHub } from "../eventHub.ts";
import { Refused } from "../refused.ts";
import type { SomeHandlers } from "../replies.ts";
import type { RunShelf } from "../runShelf.ts";

export function curationAnswers(
  shelf: RunShelf,
  _hub: EventHub,
): SomeHandlers<"curation" | "previewEdit" | "edit" | "undo" | "redo"> {
  const none = async (run: string): Promise<never> => {
    await shelf.get(run);
    throw new Refused(409, "runs cannot be changed here yet");
  };
  return {
    curation: ({ in: { run } }) => none(run),
    previewEdit: ({ in: { run } }) => none(run),
    edit: ({ in: { run } }) => none(run),
    undo: ({ in: { run } }) => none(run),
    redo: ({ in: { run } }) => none(run),
  };
}
