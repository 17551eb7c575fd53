/** From the first line to the end of the input, or to where it is stopped. */

import { featureNames, numberedFeatures } from "../../data/feature.ts";
import { OutputLock } from "../../disk/outputFile.ts";
import { sha256 } from "../../disk/sha256.ts";
import type { Model } from "../../model/model.ts";
import { keepFollowed } from "../curation/curate.ts";
import type { OnEvent } from "../events.ts";
import { saveModel } from "../folder/modelFiles.ts";
import type { Run } from "../folder/openRun.ts";
import type { SourceDescription } from "../folder/schemas/runDescription.ts";
import type { StreamState } from "../folder/schemas/streamState.ts";
import { readMemory, type StreamMemory, writeMemory } from "../folder/streamMemory.ts";
import { type Row, rowsOf } from "./batch.ts";
import { headerOf, readAs } from "./header.ts";
import { Intake } from "./intake.ts";
import { LineReader } from "./lineReader.ts";
import { Progress } from "./progress.ts";
import { idsIn } from "./rowReader.ts";
import { targetOf } from "./sink.ts";
import type { Source } from "./source.ts";
import { type Start, startOf } from "./startOf.ts";
import { type StreamOptions, type StreamResult, type StreamSettings, settingsOf } from "./streamOptions.ts";

export async function streamed(run: Run, source: Source, options: StreamOptions): Promise<StreamResult> {
  const lock = options.out === undefined ? undefined : await OutputLock.take(options.out);
  try {
    return await labelled(run, source, options);
  } finally {
    await lock?.release();
  }
}

async function labelled(run: Run, source: Source, options: StreamOptions): Promise<StreamResult> {
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
  const target = await targetOf(options, before);
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
    const start = await startOf(source, state, options);
    const reader = new LineReader(source.name, start.position, start.tail);
    const first = { ...stateAt(start, state, settings, source), ...(weights !== undefined && { model: weights }) };
    if (first.rows > 0)
      say(onEvent, `going on after row ${first.rows - 1}${start.isNew ? ", with another input" : ""}`);
    const working = {
      folder,
      following,
      model,
      begun,
      reach,
      reader,
      target,
      stdout,
      ...(onDrift && { onDrift }),
    } as const;
    progress = new Progress(working, first);
    const hasEnded = await work(run, progress, reader, new Intake(reader, start.chunks, signal), options);
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
  source: Source,
): StreamState {
  return {
    ...settings,
    ...position,
    source: source.name,
    ...(source.path !== undefined && { path: source.path }),
    tail: "",
    ...(!isNew && before?.header && { header: before.header }),
    ...(before?.output && { output: before.output }),
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

/** Whole batches, and at the end of the input what is left. Gives whether that was reached. */
async function work(
  run: Run,
  progress: Progress,
  reader: LineReader,
  intake: Intake,
  { id, skipBad = false, signal, onEvent }: StreamOptions,
): Promise<boolean> {
  const { source, batch: size } = progress.state;
  const known = progress.state.header;
  const found = known ? { header: known } : await headerOf(source, intake, reader);
  if (!found) return !signal?.aborted;
  const fitted = fittedTo(run);
  const wanted = id === undefined ? undefined : [id].flat();
  if (known && wanted && `${known.ids ?? fitted.ids}` !== `${wanted}`) {
    throw new RangeError(
      `stream: id must be what the stream was stopped with, ${known.ids ?? fitted.ids}, got ${wanted}; leave it out to go on, or say --restart to begin anew`,
    );
  }
  const header = known ?? { ...found.header, ids: idsIn(source, found.header, fitted, wanted) };
  readAs(reader, header);
  const rows = rowsOf(source, header, fitted, skipBad);
  if (!known && rows.ignored.length > 0) say(onEvent, `ignoring ${named(rows.ignored)}`);
  progress.begin(rows, header);

  const idle = { after: () => progress.untilCommit(), call: () => progress.commit() };
  let batch: Row[] = [];
  for (let line = found.line ?? (await intake.next(idle)); line; line = await intake.next(idle)) {
    const row = rows.of(line);
    if (row) batch.push(row);
    if (batch.length < size) continue;
    await progress.take(batch, reader.position);
    batch = [];
  }
  // A batch that is not whole is left unread: it comes again.
  if (signal?.aborted) return false;
  if (batch.length > 0) await progress.take(batch, reader.position);
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

function named(columns: readonly string[]): string {
  const more = columns.length > 8 ? ` and ${columns.length - 8} more` : "";
  return `${columns.length === 1 ? "the column" : `${columns.length} columns:`} ${columns.slice(0, 8).join(", ")}${more}`;
}
