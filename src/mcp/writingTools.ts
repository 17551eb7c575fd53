/** What an agent may do where the person has said `--allow-write`: fits, edits that can be taken back, and files. */

import { join } from "node:path";
import * as v from "valibot";
import { type Edit, edit } from "../api/curation.ts";
import { type Fit, fitRequest } from "../api/fits.ts";
import { flag, id, perhaps } from "../api/values.ts";
import { checkNoLinks, exportEndings, exportRun, exportTargets } from "../doors/inside.ts";
import type { Given } from "../server/given.ts";
import { ask, type Said, type Tool, tool } from "./tool.ts";

const [rename, merge, split, , , mark] = edit.options;
/** Which run, and whether the person was asked where many rows would change that nobody named. */
const edited = { run: id, confirmed: perhaps(flag) };

async function change(given: Given, run: string, wanted: Edit, confirmed = false): Promise<Said> {
  const { version } = await ask(given, "curation", { in: { run } });
  const { edits, canUndo } = await ask(given, "edit", { in: { run }, body: { edit: wanted, version, confirmed } });
  return { data: { done: edits.at(-1), canUndo } };
}

/** Of all epochs the last ones tell. */
function briefly({ frames: _, epochs, source, ...fit }: Fit): Said {
  return { data: { ...fit, ...(source !== undefined && { dataFile: source }), epochs: epochs.slice(-3) } };
}

export const writingTools: Readonly<Record<string, Tool>> = {
  start_fit: tool({
    about: "Begins to cluster a data file, or queues it behind the fit that runs; fit_status says how far it is.",
    input: v.strictObject({ ...v.omit(fitRequest, ["source"]).entries, dataFile: id }),
    async answer({ dataFile, ...rest }, given) {
      return briefly(await ask(given, "startFit", { body: { ...rest, source: dataFile } }));
    },
  }),

  fit_status: tool({
    about: "Says how far a fit is, what is left in seconds, and the id of its run once it is done.",
    input: v.strictObject({ fit: id }),
    async answer({ fit }, given) {
      return briefly(await ask(given, "fit", { in: { fit } }));
    },
  }),

  cancel_fit: tool({
    about: "Stops a fit at the next safe moment; what was learned is kept.",
    input: v.strictObject({ fit: id }),
    async answer({ fit }, given) {
      return briefly(await ask(given, "stopFit", { in: { fit }, body: {} }));
    },
  }),

  rename_cluster: tool({
    about: "Gives a cluster a name.",
    input: v.strictObject({ ...edited, ...v.omit(rename, ["kind"]).entries }),
    answer: ({ run, confirmed, ...rest }, given) => change(given, run, { kind: "rename", ...rest }, confirmed),
  }),

  merge_clusters: tool({
    about: "Makes one cluster of several.",
    input: v.strictObject({ ...edited, ...v.omit(merge, ["kind"]).entries }),
    answer: ({ run, confirmed, ...rest }, given) => change(given, run, { kind: "merge", ...rest }, confirmed),
  }),

  split_cluster: tool({
    about: "Splits a cluster into parts, two unless told.",
    input: v.strictObject({ ...edited, ...v.omit(split, ["kind"]).entries }),
    answer: ({ run, confirmed, ...rest }, given) => change(given, run, { kind: "split", ...rest }, confirmed),
  }),

  mark_rows: tool({
    about: "Puts a word beside rows, by which a person finds them again; their clusters stay.",
    input: v.strictObject({ ...edited, ...v.omit(mark, ["kind"]).entries }),
    answer: ({ run, confirmed, ...rest }, given) => change(given, run, { kind: "mark", ...rest }, confirmed),
  }),

  undo_edit: tool({
    about: "Takes the last edit of a run back.",
    input: v.strictObject({ run: id }),
    async answer({ run }, given) {
      const { version } = await ask(given, "curation", { in: { run } });
      const { edits, canUndo } = await ask(given, "undo", { in: { run }, body: { version } });
      return { data: { edits, canUndo } };
    },
  }),

  export_run: tool({
    about: "Writes the model or the assignments of a run as a file into the folder `exports`, and says where.",
    input: v.strictObject({ run: id, target: v.picklist(exportTargets) }),
    needsNoRows: true,
    async answer({ run: id, target }, given, signal) {
      const { run } = await given.shelf.get(id);
      const folder = join(given.folder, "exports");
      await checkNoLinks(given.folder, folder);
      const { files } = await exportRun(run, {
        target,
        out: join(folder, `${run.name}${exportEndings[target]}`),
        signal,
      });
      return { data: { files } };
    },
  }),
};
