/** What is answered about what people change: edits, what they would do, and back again. */

import type { Edit, Curation as Told } from "../../api/curation.ts";
import type { ServerEvent } from "../../api/fits.ts";
import type { SomeHandlers } from "../../api/handlers.ts";
import {
  type Curation,
  NotConfirmed,
  type Edit as OwnEdit,
  type Preview,
  percent,
  quantity,
} from "../../doors/inside.ts";
import type { Curations } from "../curations.ts";
import { notFound, Refused } from "../refused.ts";
import type { RunShelf } from "../runShelf.ts";

interface Around {
  readonly shelf: RunShelf;
  readonly curations: Curations;
  readonly tell: (event: ServerEvent) => void;
}

export function curationAnswers({
  shelf,
  curations,
  tell,
}: Around): SomeHandlers<"curation" | "previewEdit" | "edit" | "undo" | "redo"> {
  /** Rows are said by their places here, and by their numbers in the file there. */
  const numbersOf = async (run: string): Promise<Int32Array> => (await (await shelf.get(run)).table()).fileNumbers();
  const told = async (run: string, curation: Curation): Promise<Told> => toldOf(curation, await numbersOf(run));
  const changed = async (
    run: string,
    version: number,
    change: (curation: Curation) => Promise<unknown>,
  ): Promise<Told> =>
    curations
      .use(await shelf.pathOf(run), async (curation) => {
        checkVersion(curation, version);
        await change(curation);
        await shelf.forget(run);
        tell({ kind: "curation", run, version: curation.log().length });
        return told(run, curation);
      })
      .catch(async (error) => {
        if (!(error instanceof Refused || error instanceof NotConfirmed)) {
          await Promise.all([curations.forget(), shelf.forget(run)]);
        }
        throw error instanceof NotConfirmed ? new Refused(409, error.message) : error;
      });
  return {
    curation: async ({ in: { run } }) => curations.use(await shelf.pathOf(run), (curation) => told(run, curation)),

    async previewEdit({ in: { run }, body: { edit, version } }) {
      const own = ownEdit(edit, await numbersOf(run));
      return curations.use(await shelf.pathOf(run), async (curation) => {
        checkVersion(curation, version);
        return previewOf(edit, await curation.preview(own));
      });
    },

    async edit({ in: { run }, body: { edit, version, confirmed = false } }) {
      const own = ownEdit(edit, await numbersOf(run));
      return changed(run, version, (curation) => curation.edit(own, { confirm: confirmed }));
    },

    undo: ({ in: { run }, body: { version } }) => changed(run, version, (curation) => curation.undo()),
    redo: ({ in: { run }, body: { version } }) => changed(run, version, (curation) => curation.redo()),
  };
}

function checkVersion(curation: Curation, version: number): void {
  if (curation.log().length === version) return;
  throw new Refused(409, "somebody has changed it meanwhile; look at it again");
}

/** The same edit, as the library takes it. */
function ownEdit(edit: Edit, numbers: Int32Array): OwnEdit {
  const rowsOf = (rows: readonly number[]): number[] =>
    [...new Set(rows)].map((place) => {
      const number = numbers[place];
      if (number === undefined) throw notFound(`row ${place}`);
      return number;
    });
  switch (edit.kind) {
    case "split":
      return { kind: "split", cluster: edit.cluster, into: edit.parts ?? 2, teacher: "ward" };
    case "move":
      return { ...edit, rows: rowsOf(edit.rows) };
    case "group":
      return { kind: "gather", rows: rowsOf(edit.rows), name: edit.name ?? "new cluster" };
    case "mark":
      return { kind: "mark", rows: rowsOf(edit.rows), tag: edit.mark };
    default:
      return edit;
  }
}

function previewOf(edit: Edit, { asked, followed, others, share, needsConfirmation, waits }: Preview) {
  const also =
    others > 0
      ? `; ${quantity(others, "other row")} (${percent(share)}) would change as well`
      : "; no other row changes";
  // A network that is taught need not learn all of it.
  const learned = followed < asked ? `, and ${followed === 0 ? "none" : followed} of them would be there` : "";
  const words =
    edit.kind === "rename" || edit.kind === "mark"
      ? "no row changes its cluster"
      : `it is about ${quantity(asked, "row")}${waits === undefined ? learned + also : ""}`;
  return { words, meant: asked, others, share, asks: needsConfirmation, ...(waits !== undefined && { waits }) };
}

function toldOf(curation: Curation, numbers: Int32Array): Told {
  const places = new Map(Array.from(numbers, (number, place) => [number, place]));
  return {
    version: curation.log().length,
    edits: curation.history().map(({ at, ...edit }) => ({ ...edit, when: at })),
    canUndo: curation.canUndo,
    canRedo: curation.canRedo,
    marks: [...curation.marks()].map(([row, mark]) => ({ row: places.get(row) ?? row, mark })),
  };
}
