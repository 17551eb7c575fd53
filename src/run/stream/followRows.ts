/** From the first line to the end of the input, or to where it is stopped. */

import { featureNames, numberedFeatures } from "../../data/feature.ts";
import { OutputLock } from "../../disk/outputFile.ts";
import { sha256 } from "../../disk/sha256.ts";
import type { Model } from "../../model/model.ts";
import { isAddress } from "../../text/serverAddress.ts";
import { keepFollowed } from "../curation/curate.ts";
import type { OnEvent } from "../events.ts";
import { saveModel } from "../folder/modelFiles.ts";
import type { Run } from "../folder/openRun.ts";
import type { SourceDescription } from "../folder/schemas/runDescription.ts";
import type { StreamState } from "../folder/schemas/streamState.ts";
import { readMemory, type StreamMemory, writeMemory } from "../folder/streamMemory.ts";
import { asideOf } from "./aside.ts";
import { type Row, type Rows, rowsOf } from "./batch.ts";
import type { Input, Start } from "./intake.ts";
import { Progress } from "./progress.ts";
import type { Header } from "./records.ts";
import { openReports } from "./reports.ts";
import { idsIn } from "./rowReader.ts";
import { type StreamOptions, type StreamResult, type StreamSettings, settingsOf } from "./streamOptions.ts";
import { targetOf } from "./targetOf.ts";

export async function streamed(run: Run, source: Input, options: StreamOptions): Promise<StreamResult> {
  // What is to be closed in the end, the last one first.
  const open: (() => Promise<void>)[] = [];
  try {
    for (const file of [options.out, options.aside, options.metrics]) {
      if (file === undefined || isAddress(file)) continue;
      const lock = await OutputLock.take(file);
      open.push(() => lock.release());
    }
    return await labelled(run, source, options, open);
  } finally {
    for (const close of open.reverse()) await close();
  }
}

async function labelled(
  run: Run,
  source: Input,
  options: StreamOptions,
  open: (() => Promise<void>)[],
): Promise<StreamResult> {
  const { restart = false, newInput = false, signal, onEvent, onDrift, output: stdout = process.stdout } = options;
  const { folder } = run;
  const following = run.curated ? "curated" : "state";
  const kept = await readMemory(folder, following);
  const weights = run.curated && sha256(await folder.bytes(run.place("weights.safetensors")));
  // What a stream has kept of a model that was edited since is past, but for its place in the input.
  const isOfModel = kept?.state.model === weights;
  const memory = kept && isOfModel ? kept : undefined;
  // What was left unread of an input that is given up is not missed.
  const before = newInput && kept ? { ...kept.state, offset: 0, finished: true } : kept?.state;
  const state = restart ? undefined : before;
  const settings = settingsOf(options, state);
  const aside = await asideOf(options, before);
  const reports = await openReports(options, onEvent);
  open.push(() => reports.close());
  const target = await targetOf(options, before);
  if (target.broker) open.push(target.broker.close);
  // What will not be replaced in the end is said before anything is read.
  if (!run.curated) await folder.checkOurs("weights.safetensors", "model.onnx", "decoder.onnx");
  const reach = await run.reach();
  const { device, method } = options;
  const model = await run.model({
    ...(device && { device }),
    ...(method !== undefined && { method }),
    ...(signal && { signal }),
  });
  let progress: Progress | undefined;
  try {
    onEvent?.({ kind: "device", device: model.device.description });
    const begun = memory?.begun ?? (await model.followed()).variables;
    if (memory) await model.restoreFollowed(restart ? { variables: begun } : memory.now);
    const start = await source.start(state, skipping(options));
    const first = { ...stateAt(start, state, settings, source), ...(weights !== undefined && { model: weights }) };
    if (first.rows > 0)
      say(onEvent, `going on after row ${first.rows - 1}${start.isNew ? ", with another input" : ""}`);
    const working = {
      folder,
      following,
      model,
      begun,
      reach,
      intake: start.intake,
      target,
      stdout,
      reports,
      ...(aside && { aside }),
      ...(onDrift && { onDrift }),
    } as const;
    progress = new Progress(working, first);
    const hasEnded = await work(run, progress, start, skipping(options));
    await (hasEnded ? progress.finish() : progress.commit());
    const { rows, skipped } = progress.state;
    if (!first.frozen && rows > 0) {
      await keep(run, model, { state: progress.state, begun }, rows - first.rows);
    }
    const drift = model.drift();
    const counts = { first: first.rows, rows: rows - first.rows, skipped: skipped - first.skipped };
    const out = progress.state.output?.path;
    return { ...counts, finished: hasEnded, ...(out !== undefined && { out }), ...(drift && { drift }) };
  } catch (error) {
    // What came before it counts; and what went wrong first is what people should know.
    await progress?.commit().catch(() => {});
    throw error;
  } finally {
    await progress?.close();
    await model.close();
  }
}

function stateAt(
  { position, isNew }: Start,
  before: StreamState | undefined,
  settings: StreamSettings,
  source: Input,
): StreamState {
  return {
    ...settings,
    ...position,
    source: source.name,
    ...(source.path !== undefined && { path: source.path }),
    tail: "",
    ...(!isNew && before?.header && { header: before.header }),
    ...(before?.output && { output: before.output }),
    ...(before?.aside && { aside: before.aside }),
    finished: false,
    rows: before?.rows ?? 0,
    skipped: before?.skipped ?? 0,
  };
}

/** Columns without names are called by their numbers, as those of arrays are. */
export function fittedTo({ path, description: { source } }: Run): SourceDescription {
  if (source.features.length > 0) return source;
  if (source.row.length === 1) return { ...source, features: numberedFeatures(source.row[0]!) };
  throw new RangeError(`${path}: its rows are pictures, which do not come as lines of text; use telltale assign`);
}

/** Whoever sets bad rows aside does not end with them. */
function skipping(options: StreamOptions): StreamOptions {
  return options.aside === undefined ? options : { ...options, skipBad: true };
}

/** Whole batches, and at the end of the input what is left. Gives whether that was reached. */
async function work(
  run: Run,
  progress: Progress,
  { intake, header: headerOf, readAs }: Start,
  { id, skipBad = false, signal, onEvent }: StreamOptions,
): Promise<boolean> {
  const { source, batch: size, header: known } = progress.state;
  const fitted = fittedTo(run);
  const wanted = id === undefined ? undefined : [id].flat();
  const named = (header: Header): Header => ({ ...header, ids: idsIn(source, header, fitted, wanted) });
  const rowsAs = (header: Header): Rows => rowsOf(source, header, fitted, skipBad);
  const found = known ? { header: known } : await headerOf((header) => rowsAs(named(header)));
  if (!found) return !signal?.aborted;
  if (known && wanted && `${known.ids ?? fitted.ids}` !== `${wanted}`) {
    throw new RangeError(
      `stream: id must be what the stream was stopped with, ${known.ids ?? fitted.ids}, got ${wanted}; leave it out to go on, or say --restart to begin anew`,
    );
  }
  const header = known ?? named(found.header);
  readAs(header);
  const rows = rowsAs(header);
  if (!known && rows.ignored.length > 0) say(onEvent, `ignoring ${listed(rows.ignored)}`);
  progress.begin(rows, header);

  const idle = { after: () => progress.untilCommit(), call: () => progress.commit() };
  let batch: Row[] = [];
  for (let line = found.line ?? (await intake.next(idle)); line; line = await intake.next(idle)) {
    const row = rows.of(line);
    if (row) batch.push(row);
    if (batch.length < size) continue;
    await progress.take(batch, intake.position);
    batch = [];
  }
  // A batch that is not whole is left unread: it comes again.
  if (signal?.aborted) return false;
  if (batch.length > 0) await progress.take(batch, intake.position);
  return true;
}

/**
 * The moved centers become the run's model. What the stream keeps for itself was written before, and counts for the
 * next one.
 */
async function keep(
  run: Run,
  model: Model,
  memory: Pick<StreamMemory, "state" | "begun">,
  rows: number,
): Promise<void> {
  if (run.curated) {
    const now = await model.followed();
    const weights = await keepFollowed(run.original(), now.variables, rows);
    return writeMemory(run.folder, "curated", { ...memory, state: { ...memory.state, model: weights }, now });
  }
  const columns = model.encoder ? [] : featureNames(run.description.source.features);
  await saveModel(run.folder, model, { names: await run.names(), columns });
}

function say(onEvent: OnEvent | undefined, sentence: string): void {
  onEvent?.({ kind: "notice", sentence });
}

function listed(columns: readonly string[]): string {
  const more = columns.length > 8 ? ` and ${columns.length - 8} more` : "";
  return `${columns.length === 1 ? "the column" : `${columns.length} columns:`} ${columns.slice(0, 8).join(", ")}${more}`;
}
