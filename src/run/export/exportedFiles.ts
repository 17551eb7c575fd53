/** What a run folder holds, brought into the form in which it leaves. */

import { isAbsolute, resolve } from "node:path";
import { areNumbered, featureNames } from "../../data/feature.ts";
import { isThere } from "../../disk/isThere.ts";
import { Database, plainError, quoteName, quotePath, quoteText } from "../../files/tables/database.ts";
import { checkParquet } from "../../files/tables/parquetOrJson.ts";
import { OnnxModel } from "../../model/onnxModel.ts";
import { checkOnnx } from "../../onnx/check.ts";
import { describeOnnx } from "../../onnx/read.ts";
import { openForeign } from "../../runtime/foreign.ts";
import { guardedInQuery, guardedText } from "../../text/csvCell.ts";
import { isMadeOf, onnxFiles } from "../folder/modelFiles.ts";
import type { Run } from "../folder/openRun.ts";
import { damaged } from "../folder/runFolder.ts";
import { idsAmong } from "../use/assignedIds.ts";
import type { Assignments, EngineFacts } from "./sql/facts.ts";
import { modelName } from "./sql/modelName.ts";

export interface CurrentOnnx {
  readonly model: Uint8Array;
  readonly decoder?: Uint8Array;
  /** What has to come first, where it is not inside the model. */
  readonly encoder?: Uint8Array;
}

/**
 * The ONNX files as they should be: made anew where the centers have moved since they were written. A folder may come
 * from anybody, hashes and seal included: what does not open here is not handed on.
 */
export async function currentOnnx(run: Run, signal?: AbortSignal): Promise<CurrentOnnx> {
  const { folder, description } = run;
  const weights = await folder.bytes(run.place("weights.safetensors"));
  const encoder = description.settings.encoder ? await folder.bytes("encoder.onnx") : undefined;
  if (encoder) checkOnnx(encoder, `${run.path}: encoder.onnx`);
  const files = (await writtenOnnx(run, weights)) ?? (await rebuilt(run, weights, encoder, signal));
  const model = files.get("model.onnx")!;
  const decoder = files.get("decoder.onnx");
  const isBeside = encoder && describeOnnx(model).metadata.input !== undefined;
  const current = { model, ...(decoder && { decoder }), ...(isBeside && { encoder }) };
  await checkOpens(run, current, signal);
  return current;
}

async function checkOpens(run: Run, { model, decoder, encoder }: CurrentOnnx, signal?: AbortSignal): Promise<void> {
  const device = await run.device();
  const opens = async (name: string, opening: Promise<{ close(): Promise<void> }> | undefined): Promise<void> => {
    const opened = await opening?.catch((error) => {
      signal?.throwIfAborted();
      throw damaged(run.path, name, error);
    });
    await opened?.close();
  };
  const foreign = (name: string, bytes: Uint8Array | undefined) =>
    opens(name, bytes && openForeign(bytes, device, name, { signal }));
  await Promise.all([
    opens("model.onnx", OnnxModel.open(model, device, { signal })),
    foreign("decoder.onnx", decoder),
    foreign("encoder.onnx", encoder),
  ]);
}

async function writtenOnnx(run: Run, weights: Uint8Array): Promise<ReadonlyMap<string, Uint8Array> | undefined> {
  const { folder, path } = run;
  const files = new Map<string, Uint8Array>();
  for (const name of ["model.onnx", "decoder.onnx"] as const) {
    const place = run.place(name);
    if (!(await isThere(folder.file(place)))) continue;
    const bytes = await folder.bytes(place);
    checkOnnx(bytes, `${path}: ${place}`);
    if (!isMadeOf(bytes, weights)) return undefined;
    files.set(name, bytes);
  }
  return files.has("model.onnx") ? files : undefined;
}

async function rebuilt(run: Run, weights: Uint8Array, encoder?: Uint8Array, signal?: AbortSignal) {
  const columns = encoder ? [] : featureNames(run.description.source.features);
  const model = await run.model({ ...(signal && { signal }) });
  try {
    const options = { names: await run.names(), columns, ...(encoder && { encoder }) };
    return (await onnxFiles(model, weights, options)).files;
  } finally {
    await model.close();
  }
}

/** Writes the assignments as DuckDB's `copy` does; what Embedding Atlas looks for is there under its names too. */
export async function tableWriter(
  run: Run,
  format: string,
  guardFormulas = false,
): Promise<(part: string) => Promise<void>> {
  const file = run.folder.file(run.place("assignments.parquet"));
  if (!(await isThere(file))) {
    throw new RangeError(
      `${run.path}: has no assignments (assignments.parquet), since the model was saved without its rows; make them with telltale assign`,
    );
  }
  return async (part) =>
    queried(file, [file, part], async (database, columns) => {
      const names = columns.map(({ name }) => name);
      const atlas = ["x", "y"].filter((name) => names.includes(name) && !names.includes(`projection_${name}`));
      const own = guardFormulas ? columns.map(guarded) : ["*"];
      const select = [...own, ...atlas.map((name) => `${name} as projection_${name}`)].join(", ");
      await database.rows(
        `copy (select ${select} from read_parquet(${quotePath(file)})) to ${quoteText(part)} (${format}, use_tmp_file false)`,
      );
    });
}

/** All that statements have to name. */
export async function factsOf(run: Run, base: string, model: Uint8Array): Promise<EngineFacts> {
  const { source, settings, result } = run.description;
  const assignments = await assignmentsOf(run);
  return {
    name: modelName(run.name),
    files: { model: `${base}.onnx`, distances: `${base}.distances.onnx` },
    input: inputOf(run, model),
    row: source.row,
    // The columns of an array are only numbered.
    features: areNumbered(source.features) ? [] : source.features,
    encoded: source.options.encode ?? [],
    clusterNames: await run.names(),
    // Before an encoder nobody has filled anything in.
    fills: !settings.encoder && (result.plan.scaling?.missing ?? result.plan.means) !== undefined,
    ...(assignments && { assignments }),
  };
}

/** It is x in every model of ours; a name that is something else could end a text or a comment. */
function inputOf({ path }: Run, model: Uint8Array): string {
  const name = describeOnnx(model).inputs[0]?.name;
  if (name === "x") return name;
  throw new RangeError(`${path}: the run is damaged: model.onnx must take x, got ${JSON.stringify(name)}`);
}

async function assignmentsOf(run: Run): Promise<Assignments | undefined> {
  const { folder, description } = run;
  const { source } = description;
  const file = folder.file(run.place("assignments.parquet"));
  if (!(await isThere(file))) return undefined;
  const own = await queried(file, [file], async (_, columns) =>
    idsAmong(
      run,
      columns.map(({ name }) => name),
    ),
  );
  const ids = source.ids.map((rows, i) => ({ rows, assignments: own[i]! }));
  const { path = "", options } = source;
  // A file of this machine, and not an address.
  const isReadable = isAbsolute(path) && /\.(csv|tsv|parquet|json|jsonl|ndjson)(\.gz)?$/i.test(path);
  const from = options.sql !== undefined ? { query: options.sql } : isReadable ? { rows: quotePath(path) } : {};
  // Where rows were left out, only an id tells which.
  const isKnown = ids.length > 0 || options.missing !== "drop";
  return { file: resolve(file), ids, ...(isKnown && from) };
}

interface FileColumn {
  readonly name: string;
  readonly type: string;
}

function guarded({ name, type }: FileColumn): string {
  const column = quoteName(name);
  return `${type === "VARCHAR" ? guardedInQuery(column) : column} as ${quoteName(guardedText(name))}`;
}

async function queried<T>(
  file: string,
  files: readonly string[],
  ask: (database: Database, columns: FileColumn[]) => Promise<T>,
): Promise<T> {
  await checkParquet(file, file);
  const database = await Database.open({ memory: 500, files }, (error) => plainError(file, error, 500));
  try {
    const described = await database.rows(`describe select * from read_parquet(${quotePath(file)})`);
    return await ask(
      database,
      described.map(([name, type]) => ({ name: String(name), type: String(type) })),
    );
  } finally {
    database.close();
  }
}
