/**
 * A clustering corrected by a person: clusters renamed, merged and split, rows moved, marked and gathered, each edit
 * taken back and made again. The fit never changes; what the edits make of it is a model beside it (docs/curation.md).
 */

import { userInfo } from "node:os";
import { sha256 } from "../../disk/sha256.ts";
import { openSettings } from "../../files/openedRows.ts";
import type { OpenOptions } from "../../files/openRows.ts";
import { problemIn } from "../../formats/schema.ts";
import type { Device, DeviceName, DeviceOffer } from "../../runtime/device.ts";
import { checkSettings, type Settings } from "../../settings.ts";
import type { TeacherName } from "../../teachers/names.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import { shellPath } from "../../text/shellText.ts";
import type { Method } from "../../training/method.ts";
import { CurationUnfinished, checkedLog, curatedRun, fitHash } from "../folder/curatedRun.ts";
import {
  type Counting,
  type CurationLog,
  doneEntries,
  emptyLog,
  positionOf,
  replay,
  upTo,
  withEntry,
} from "../folder/curationLog.ts";
import { type PastEdit, pastEdits } from "../folder/curationWords.ts";
import { openRunOn, Run } from "../folder/openRun.ts";
import { type Edit, type Entry, entrySchema, type Step } from "../folder/schemas/curation.ts";
import { isFromMemory } from "../folder/schemas/runDescription.ts";
import { readMemory } from "../folder/streamMemory.ts";
import { commit, makeRoom, settle, writeCurated } from "./curatedFiles.ts";
import { CuratedModels, isSameModel, type Made } from "./curatedModels.ts";
import { encodeLearned } from "./learning.ts";
import { compared, mostUnasked, NotConfirmed, type Preview } from "./preview.ts";
import { type RowsAtHand, rowsAtHand } from "./rowsAtHand.ts";
import { checkClusters, checkKind, checkRows } from "./state.ts";

export interface CurateOptions {
  /** Who makes the edits; by default who is logged in here. */
  readonly who?: string;
  readonly device?: DeviceName | Device;
  /** The file of a method of your own, where the run was fitted by one. */
  readonly method?: Method | string;
  /** How its rows are opened: `runStoredSql`, `memory`. */
  readonly rows?: Pick<OpenOptions, "runStoredSql" | "memory">;
  readonly signal?: AbortSignal;
}

export interface EditOptions {
  /** Does it although more than 0.1 % of the other rows would change. */
  readonly confirm?: boolean;
}

const curateSettings: Settings<CurateOptions> = {
  ...{ who: "text", device: "any", method: "any", rows: "byName", signal: "signal" },
};
const editSettings: Settings<EditOptions> = { confirm: "flag" };

/** What came of an edit. */
export interface Edited extends Preview {
  /** The line of the log. */
  readonly entry: Entry;
}

/** A cluster as it is now. */
export interface CuratedCluster {
  readonly cluster: number;
  readonly name: string;
  readonly size: number;
  /** How many centers it has. */
  readonly centers: number;
}

/** What came of undo, redo or apply. */
export interface Stepped {
  readonly entry: Entry;
  readonly clusters: readonly CuratedCluster[];
  /** Why it has to wait, in words. */
  readonly waits?: string;
}

export interface SplitOptions extends EditOptions {
  /** How many parts; 2 unless said. */
  readonly into?: number;
  /** Who divides its rows (docs/teachers.md); ward unless said. */
  readonly teacher?: TeacherName;
  /** What the parts are called. */
  readonly names?: readonly string[];
}

/** Rows that an edit names, by their numbers in the file, from 0. */
type Rows = readonly number[] | Int32Array;

export class Curation {
  readonly #run: Run;
  readonly #models: CuratedModels;
  readonly #options: CurateOptions;
  #log: CurationLog;
  /** What the edits that are done have come to. */
  #made: Made;
  #rows: Promise<RowsAtHand | string> | undefined;
  /** What a preview has made, for the edit that follows it. */
  #tried: { readonly said: string; readonly made: Made | undefined; readonly preview: Preview } | undefined;

  private constructor(run: Run, models: CuratedModels, log: CurationLog, options: CurateOptions) {
    this.#run = run;
    this.#models = models;
    this.#log = log;
    this.#made = models.fitted;
    this.#options = options;
  }

  /** Opens a run as it was fitted, and what was made of it since. */
  static async open(run: Run, options: CurateOptions): Promise<Curation> {
    const { folder, description } = run;
    const log = (await checkedLog(folder)) ?? emptyLog(await fitHash(folder));
    const { device, method, signal } = options;
    const given = { ...(device && { device }), ...(method && { method }), ...(signal && { signal }) };
    const models = await CuratedModels.open(run, given);
    const curation = new Curation(run, models, log, options);
    try {
      const { edits } = replay(upTo(log, doneEntries(log)));
      const curated = await curatedRun(folder, description, log).catch(orUnfinished);
      if (curated === "unfinished") await curation.#remake(edits);
      else if (curated) curation.#made = await models.asWritten(edits, new Run(folder, run.description, [], curated));
      return curation;
    } catch (error) {
      await curation.close();
      throw error;
    }
  }

  get path(): string {
    return this.#run.path;
  }

  /** The clusters as they are now. */
  clusters(): readonly CuratedCluster[] {
    const { names, members } = this.#made.state;
    const sizes = sizesOf(this.#made);
    return names.map((name, cluster) => ({ cluster, name, size: sizes[cluster]!, centers: members[cluster]!.length }));
  }

  /** What somebody has written beside rows, by their numbers in the file. */
  marks(): ReadonlyMap<number, string> {
    return this.#made.state.marks;
  }

  /** Every line: who has done what, and when. */
  log(): readonly Entry[] {
    return this.#log.entries;
  }

  /** The edits in words, and what has become of each. */
  history(): readonly PastEdit[] {
    return pastEdits(this.#log);
  }

  get canUndo(): boolean {
    return replay(this.#log).edits.length > 0;
  }

  get canRedo(): boolean {
    return replay(this.#log).undone.length > 0;
  }

  /** The lines that wait for the rows. */
  waiting(): readonly Entry[] {
    return this.#log.entries.slice(doneEntries(this.#log));
  }

  rename(cluster: number, name: string): Promise<Edited> {
    return this.edit({ kind: "rename", cluster, name });
  }

  /** Several clusters as one, which keeps their centers; the first leads: its exemplar and name stand for all. */
  merge(clusters: readonly number[], { name }: { readonly name?: string } = {}): Promise<Edited> {
    return this.edit({ kind: "merge", clusters: [...clusters], ...(name !== undefined && { name }) });
  }

  /** One cluster as several: a teacher divides the codes of its rows, and the means of the parts are its centers. */
  split(cluster: number, { into = 2, teacher = "ward", names, ...options }: SplitOptions = {}): Promise<Edited> {
    return this.edit({ kind: "split", cluster, into, teacher, ...(names && { names: [...names] }) }, options);
  }

  /** Rows to another cluster. */
  move(rows: Rows, to: number, options?: EditOptions): Promise<Edited> {
    return this.edit({ kind: "move", rows: [...rows], to }, options);
  }

  /** Rows as a cluster of their own. */
  gather(rows: Rows, name: string, options?: EditOptions): Promise<Edited> {
    return this.edit({ kind: "gather", rows: [...rows], name }, options);
  }

  /** A word beside rows, by which somebody finds them again; an empty one takes it away. The model stays as it is. */
  mark(rows: Rows, tag: string): Promise<Edited> {
    return this.edit({ kind: "mark", rows: [...rows], tag });
  }

  /** What an edit would change; nothing is written. */
  async preview(edit: Edit): Promise<Preview> {
    const said = JSON.stringify(edit);
    if (this.#tried?.said !== said) this.#tried = { said, ...(await this.#try(edit)) };
    return this.#tried.preview;
  }

  /** Makes an edit; one that would change more than was asked for only where that is confirmed. */
  async edit(edit: Edit, options: EditOptions = {}): Promise<Edited> {
    checkSettings("curate", options, editSettings);
    const preview = await this.preview(edit);
    if (preview.needsConfirmation && !options.confirm) throw new NotConfirmed(preview);
    return { ...preview, entry: await this.#write(edit, this.#tried!.made) };
  }

  /** Takes the last edit back: the model is what it was before, byte for byte. */
  async undo(): Promise<Stepped> {
    if (!this.canUndo) throw new RangeError(`${this.path}: there is no edit to take back`);
    return this.#step({ kind: "undo" });
  }

  /** Makes the edit again that was taken back last. */
  async redo(): Promise<Stepped> {
    if (this.canRedo) return this.#step({ kind: "redo" });
    throw new RangeError(`${this.path}: no edit was taken back that could be made again`);
  }

  /** Does what waits for the rows. */
  async apply(): Promise<Stepped> {
    return this.#step({ kind: "apply" });
  }

  async close(): Promise<void> {
    const rows = await this.#rows;
    if (typeof rows === "object") await rows.opened.close();
    await this.#models.close();
  }

  async #try(edit: Edit): Promise<{ readonly made: Made | undefined; readonly preview: Preview }> {
    checkKind(edit);
    const entry = { number: 1, at: new Date(0).toISOString(), who: "nobody", edit };
    const problem = problemIn("an edit", entrySchema, entry);
    if (problem) throw new RangeError(`curate: ${problem.replace("have edit.", "have ")}`);
    const { edits } = replay(this.#log);
    const { rows: count, options } = this.#run.description.source;
    const isInFile = (row: number): boolean => row < count || options.missing === "drop";
    checkClusters(this.#models.stateAfter(edits), edit);
    checkRows(edit, isInFile);
    const next: Counting = { number: this.#log.entries.length + 1, edit };
    const before = this.waiting().length === 0 ? this.#made : await this.#makeOf(edits);
    const made = typeof before === "string" ? before : await this.#makeOf([...edits, next], before, [next]);
    if (typeof made === "string") {
      const { names } = this.#models.stateAfter([...edits, next]);
      const nothing = { asked: 0, followed: 0, others: 0, share: 0, needsConfirmation: false };
      return { made: undefined, preview: { edit, ...nothing, clusters: names.map((name) => ({ name })), waits: made } };
    }
    const rows = await this.#rows;
    const placeOf = (row: number): number => (typeof rows === "object" ? rows.placeOf(row) : row);
    const { state, labels } = before as Made;
    const counts = compared(edit, state.names.length, labels, made.labels, placeOf);
    const share = counts.others / labels.length;
    const sizes = sizesOf(made);
    const clusters = made.state.names.map((name, cluster) => ({ name, size: sizes[cluster]! }));
    const needsConfirmation = share > mostUnasked;
    return { made, preview: { edit, rows: labels.length, ...counts, share, needsConfirmation, clusters } };
  }

  async #step(step: Exclude<Step, Edit>): Promise<Stepped> {
    const { edits } = replay(withEntry(this.#log, this.#entry(step)));
    const made = await this.#makeOf(edits);
    const entry = await this.#write(step, typeof made === "string" ? undefined : made);
    return { entry, clusters: this.clusters(), ...(typeof made === "string" && { waits: made }) };
  }

  /**
   * What edits come to, from a model that some of them have made; or why that has to wait, in words. Other names need
   * no rows, nor does merging what was saved without any.
   */
  async #makeOf(
    edits: readonly Counting[],
    from: Made = this.#models.fitted,
    more: readonly Counting[] = edits,
  ): Promise<Made | string> {
    const planned = this.#models.planned(edits);
    if (edits.length === 0) return this.#models.fitted;
    if (isSameModel(planned, this.#made)) return { ...this.#made, state: planned.state };
    const needsRows = !isFromMemory(this.#run.description.source) || planned.learnedBy.length > 0;
    const rows = needsRows ? await this.#rowsAtHand() : undefined;
    if (typeof rows === "string") return rows;
    for (const { edit } of more) if (rows) checkRows(edit, (row) => rows.placeOf(row) >= 0);
    return this.#models.after(from, more, rows, this.#options.signal);
  }

  async #rowsAtHand(): Promise<RowsAtHand | string> {
    const { rows, signal } = this.#options;
    this.#rows ??= rowsAtHand(this.#run, this.#models.base, { ...rows, ...(signal && { signal }) });
    const found = await this.#rows;
    // They may be there the next time.
    if (typeof found === "string") this.#rows = undefined;
    return found;
  }

  /** Where curated/ does not go with the log, it is made of it once more. */
  async #remake(edits: readonly Counting[]): Promise<void> {
    const isWithoutRows = isFromMemory(this.#run.description.source);
    const rows = isWithoutRows ? undefined : await this.#rowsAtHand();
    if (typeof rows === "string") {
      throw new RangeError(
        `${this.path}: curated/ was not made of what curation.jsonl says, and cannot be made again: ${rows}`,
      );
    }
    const made = await this.#models.after(this.#models.fitted, edits, rows, this.#options.signal);
    await this.#write({ kind: "apply" }, made);
  }

  #entry(edit: Step): Omit<Entry, "number"> {
    return { at: new Date().toISOString(), who: this.#options.who ?? whoIsHere(), edit };
  }

  /** Rows of a stream, which the centers have followed to these values; the folder is locked already. */
  async follow(variables: ReadonlyMap<string, Tensor>, rows: number): Promise<void> {
    const { state, weights, labels, learnedBy } = this.#made;
    const number = this.#log.entries.length + 1;
    await this.#writeLocked(
      { kind: "follow", rows },
      {
        ...{ state, labels, weights: new Map([...weights, ...variables]) },
        ...{ learnedBy: [...learnedBy, number], learned: new Map([[number, variables]]) },
      },
    );
  }

  /** Writes the line, and first what it has made; without that, the line waits. */
  async #write(step: Step, made: Made | undefined): Promise<Entry> {
    this.#tried = undefined;
    const { folder } = this.#run;
    await folder.lock();
    try {
      await this.#checkNoStream();
      return await this.#writeLocked(step, made);
    } finally {
      await folder.unlock();
    }
  }

  async #writeLocked(step: Step, made: Made | undefined): Promise<Entry> {
    const { folder } = this.#run;
    await this.#checkUnchanged();
    if ((await this.#now())?.curated?.folder === "curated.next") await settle(folder, "curated");
    await makeRoom(folder);
    const learned = made?.learned.get(this.#log.entries.length + 1);
    const log = withEntry(this.#log, {
      ...this.#entry(step),
      ...(!made && { waits: true as const }),
      ...(learned && { made: sha256(encodeLearned(step as Edit, learned)) }),
    });
    if (made) await this.#writeMade(log, made, step);
    await commit(folder, log, made && (replay(log).edits.length > 0 ? "curated" : "as fitted"));
    this.#log = log;
    if (made) this.#made = { ...made, learned: new Map() };
    return log.entries.at(-1)!;
  }

  async #writeMade(log: CurationLog, made: Made, step: Step): Promise<void> {
    const rows = await this.#rows;
    // A stream leaves what is said of the fitted rows as it is, as it does without edits.
    const isListed = isSameModel(made, this.#made) || step.kind === "follow";
    const now = isListed ? await this.#now() : undefined;
    await writeCurated({
      ...{ run: this.#run, models: this.#models, log, made },
      ...(now && { now }),
      ...(typeof rows === "object" && { rows }),
      ...(this.#options.signal && { signal: this.#options.signal }),
    });
  }

  /** The run as its edits have left it; nothing where that is not on the disk. */
  async #now(): Promise<Run | undefined> {
    const { folder, description } = this.#run;
    const curated = await curatedRun(folder, description, this.#log).catch(orUnfinished);
    return curated === "unfinished" ? undefined : new Run(folder, description, [], curated);
  }

  /** A stream that was ended hard has moved centers that are not in the model yet: they would be lost. */
  async #checkNoStream(): Promise<void> {
    const { folder } = this.#run;
    const now = await this.#now();
    const memory = await readMemory(folder, now?.curated ? "curated" : "state");
    const isOfModel =
      !now?.curated || memory?.state.model === sha256(await folder.bytes(now.place("weights.safetensors")));
    if (!memory || memory.state.frozen || !isOfModel) return;
    const isKept = [...memory.now.variables].every(
      ([name, { data }]) => `${data}` === `${this.#made.weights.get(name)?.data}`,
    );
    if (isKept) return;
    throw new RangeError(
      `${this.path}: a stream of it was ended in the middle; let it end before anything is changed: telltale stream ${shellPath(this.path)}`,
    );
  }

  /** Another process may have changed it since it was opened. */
  async #checkUnchanged(): Promise<void> {
    const log = (await checkedLog(this.#run.folder)) ?? emptyLog(await fitHash(this.#run.folder));
    if (positionOf(log).sha256 === positionOf(this.#log).sha256) return;
    throw new RangeError(`${this.path}: somebody else has changed it meanwhile; open it again to see what it is now`);
  }
}

/** A curated model that does not go with the log is made again; anything else is an error. */
function orUnfinished(error: unknown): "unfinished" {
  if (error instanceof CurationUnfinished) return "unfinished";
  throw error;
}

function sizesOf({ state, labels }: Made): Int32Array {
  const sizes = new Int32Array(state.names.length);
  for (const label of labels) sizes[label]!++;
  return sizes;
}

function whoIsHere(): string {
  try {
    return userInfo().username || "somebody";
  } catch {
    return "somebody";
  }
}

/** What a stream has made of the centers of a curated run becomes a line of its log; gives the hash of its weights. */
export async function keepFollowed(run: Run, variables: ReadonlyMap<string, Tensor>, rows: number): Promise<string> {
  const curation = await Curation.open(run, {});
  try {
    await curation.follow(variables, rows);
  } finally {
    await curation.close();
  }
  return sha256(await run.folder.bytes("curated/weights.safetensors"));
}

export function curateOn(offers: readonly DeviceOffer[]) {
  const openRun = openRunOn(offers);
  /** Opens a run to correct its clusters. */
  return async function curate(path: string, options: CurateOptions = {}): Promise<Curation> {
    checkSettings("curate", options, curateSettings, { rows: openSettings });
    return Curation.open(await openRun(path, { original: true }), options);
  };
}
