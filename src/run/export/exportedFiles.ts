/** What a run folder holds, brought into the form in which it leaves. */

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { areNumbered, featureNames } from "../../data/feature.ts";
import { Database, plainError, quotePath, quoteText } from "../../files/tables/database.ts";
import { checkParquet } from "../../files/tables/parquetOrJson.ts";
import { describeOnnx } from "../../onnx/read.ts";
import { isMadeOf, onnxFiles } from "../folder/modelFiles.ts";
import type { Run } from "../folder/openRun.ts";
import type { Assignments, EngineFacts } from "./sql/facts.ts";

export interface CurrentOnnx {
  readonly model: Uint8Array;
  readonly decoder?: Uint8Array;
  /** What has to come first, where it is not inside the model. */
  readonly encoder?: Uint8Array;
}

/** The ONNX files as they should be: made anew where the centers have moved since they were written. */
export async function currentOnnx(run: Run): Promise<CurrentOnnx> {
  const { folder, description } = run;
  const weights = await folder.bytes("weights.safetensors");
  const encoder = description.settings.encoder ? await folder.bytes("encoder.onnx") : undefined;
  const files = (await writtenOnnx(run, weights)) ?? (await rebuilt(run, weights, encoder));
  const model = files.get("model.onnx")!;
  const decoder = files.get("decoder.onnx");
  const isBeside = encoder && describeOnnx(model).metadata.input !== undefined;
  return { model, ...(decoder && { decoder }), ...(isBeside && { encoder }) };
}

async function writtenOnnx({ folder }: Run, weights: Uint8Array): Promise<ReadonlyMap<string, Uint8Array> | undefined> {
  const files = new Map<string, Uint8Array>();
  for (const name of ["model.onnx", "decoder.onnx"]) {
    if (!(await isThere(folder.file(name)))) continue;
    const bytes = await folder.bytes(name);
    if (!isMadeOf(bytes, weights)) return undefined;
    files.set(name, bytes);
  }
  return files.has("model.onnx") ? files : undefined;
}

async function rebuilt(run: Run, weights: Uint8Array, encoder: Uint8Array | undefined) {
  const columns = encoder ? [] : featureNames(run.description.source.features);
  const model = await run.model();
  try {
    const options = { names: await run.names(), columns, ...(encoder && { encoder }) };
    return (await onnxFiles(model, weights, options)).files;
  } finally {
    await model.close();
  }
}

/** Writes the assignments as DuckDB's `copy` does; what Embedding Atlas looks for is there under its names too. */
export async function tableWriter(run: Run, format: string): Promise<(part: string) => Promise<void>> {
  const file = run.folder.file("assignments.parquet");
  if (!(await isThere(file))) {
    throw new RangeError(
      `${run.path}: has no assignments (assignments.parquet), since the model was saved without its rows; make them with telltale assign`,
    );
  }
  return async (part) =>
    queried(file, async (database, columns) => {
      const atlas = ["x", "y"].filter((name) => columns.includes(name) && !columns.includes(`projection_${name}`));
      const select = ["*", ...atlas.map((name) => `${name} as projection_${name}`)].join(", ");
      await database.rows(
        `copy (select ${select} from read_parquet(${quotePath(file)})) to ${quoteText(part)} (${format})`,
      );
    });
}

/** All that statements have to name. */
export async function factsOf(run: Run, base: string, model: Uint8Array): Promise<EngineFacts> {
  const { source, result } = run.description;
  const assignments = await assignmentsOf(run);
  return {
    name: `${/^[a-z]/i.test(run.name) ? "" : "run_"}${run.name.replaceAll(/\W+/g, "_")}`,
    files: { model: `${base}.onnx`, distances: `${base}.distances.onnx`, spark: `${base}.spark.py` },
    input: inputOf(run, model),
    row: source.row,
    // The columns of an array are only numbered.
    features: areNumbered(source.features) ? [] : source.features,
    encoded: source.options.encode ?? [],
    clusterNames: await run.names(),
    fills: result.plan.scaling?.missing !== undefined,
    ...(assignments && { assignments }),
  };
}

/** It is x in every model of ours; a name that is something else could end a text or a comment. */
function inputOf({ path }: Run, model: Uint8Array): string {
  const name = describeOnnx(model).inputs[0]?.name;
  if (name === "x") return name;
  throw new RangeError(`${path}: the run is damaged: model.onnx must take x, got ${JSON.stringify(name)}`);
}

async function assignmentsOf({ folder, description: { source } }: Run): Promise<Assignments | undefined> {
  const file = folder.file("assignments.parquet");
  if (!(await isThere(file))) return undefined;
  // The ids stand between the number of the row and its cluster.
  const own = await queried(file, async (_, columns) =>
    columns.slice(columns.indexOf("row") + 1, columns.indexOf("cluster")),
  );
  if (own.length !== source.ids.length) {
    throw new RangeError(
      `${folder.path}: the run is damaged: assignments.parquet must have a column for each of ${source.ids.length} ids, it has ${own.length}`,
    );
  }
  const ids = source.ids.map((rows, i) => ({ rows, assignments: own[i]! }));
  const readable = /\.(csv|tsv|parquet|json|jsonl|ndjson)(\.gz)?$/i.test(source.path ?? "");
  const table =
    source.options.sql !== undefined
      ? `(${source.options.sql.trim().replace(/;\s*$/, "")}\n)`
      : readable && quotePath(source.path!);
  // Where rows were left out, only an id tells which.
  const isKnown = table && (ids.length > 0 || source.options.missing !== "drop");
  return { file: resolve(file), ids, ...(isKnown && { rows: table }) };
}

async function queried<T>(file: string, ask: (database: Database, columns: string[]) => Promise<T>): Promise<T> {
  await checkParquet(file, file);
  const database = await Database.open({ memory: 500 }, (error) => plainError(file, error, 500));
  try {
    const described = await database.rows(`describe select * from read_parquet(${quotePath(file)})`);
    return await ask(
      database,
      described.map(([name]) => String(name)),
    );
  } finally {
    database.close();
  }
}

async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
