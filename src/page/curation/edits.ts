/** An edit of the clusters: first what it would do, then, if need be, a question, then the edit itself. */

import { signal } from "@preact/signals";
import type { Edit, EditPreview } from "../../api/curation.ts";
import { list, quantity } from "../../report/parts/numbers.ts";
import type { OpenRun } from "../state/openRun.ts";
import type { Session } from "../state/session.ts";
import { look } from "../state/view.ts";

/** An edit that waits for a person to say yes. */
export interface Proposal {
  readonly run: OpenRun;
  readonly edit: Edit;
  readonly preview: EditPreview;
}

export const proposal = signal<Proposal | undefined>(undefined);
export const isEditing = signal(false);

async function versionOf(run: OpenRun): Promise<number> {
  await run.openCuration();
  return run.curation.value?.version ?? 0;
}

/** Asks what it would do. A rename and a mark change no row: they are done at once. */
export async function propose(session: Session, run: OpenRun, edit: Edit): Promise<void> {
  isEditing.value = true;
  await session.attempt(async () => {
    const version = await versionOf(run);
    if (edit.kind === "rename" || edit.kind === "mark") return carryOut(run, edit, version, false);
    const preview = await run.source.ask("previewEdit", { path: { run: run.id }, body: { edit, version } });
    proposal.value = { run, edit, preview };
  });
  isEditing.value = false;
}

export async function confirm(session: Session): Promise<void> {
  const waiting = proposal.value;
  if (!waiting) return;
  isEditing.value = true;
  await session.attempt(async () => carryOut(waiting.run, waiting.edit, await versionOf(waiting.run), true));
  isEditing.value = false;
  proposal.value = undefined;
}

async function carryOut(run: OpenRun, edit: Edit, version: number, confirmed: boolean): Promise<void> {
  const body = { edit, version, ...(confirmed && { confirmed }) };
  const curation = await run.source.ask("edit", { path: { run: run.id }, body });
  // Clusters that are joined or parted have other numbers now.
  if (renumbers.has(edit.kind)) look({ cluster: undefined });
  run.curation.value = curation;
  await run.refresh();
}

const renumbers = new Set<Edit["kind"]>(["merge", "split", "group"]);

/** What is asked, before it is done. */
export function questionOf(edit: Edit): string {
  if (edit.kind === "rename") return `Call cluster ${edit.cluster} ${edit.name}?`;
  if (edit.kind === "merge") return `Make clusters ${list(edit.clusters.map(String))} one?`;
  if (edit.kind === "split") return `Split cluster ${edit.cluster}?`;
  if (edit.kind === "move") return `Move ${quantity(edit.rows.length, "row")} to cluster ${edit.to}?`;
  if (edit.kind === "group") return `Make ${quantity(edit.rows.length, "row")} a cluster of their own?`;
  return `Mark ${quantity(edit.rows.length, "row")}?`;
}

/** Takes the last edit back, or does it again. */
export async function step(session: Session, run: OpenRun, which: "undo" | "redo"): Promise<void> {
  isEditing.value = true;
  await session.attempt(async () => {
    const version = await versionOf(run);
    const curation = await run.source.ask(which, { path: { run: run.id }, body: { version } });
    look({ cluster: undefined });
    run.curation.value = curation;
    await run.refresh();
  });
  isEditing.value = false;
}
