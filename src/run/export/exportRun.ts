/**
 * A run taken elsewhere: as a model, as weights, as a table, as statements for a database, as a program for a data
 * lake, or as a training step.
 */

import { basename, dirname, join } from "node:path";
import { cannotWrite, isRefusedBySystem } from "../../disk/cannotWrite.ts";
import { OutputFile } from "../../disk/outputFile.ts";
import { checkGuard } from "../../files/output/openOutput.ts";
import { withOutputs } from "../../onnx/read.ts";
import { checkSettings, type Settings } from "../../settings.ts";
import { hasUnseen } from "../../text/unseen.ts";
import type { Run } from "../folder/openRun.ts";
import { currentOnnx, factsOf, tableWriter } from "./exportedFiles.ts";
import { type LakeEngine, lakeEngines } from "./lake/engines.ts";
import { lakeProgram } from "./lake/program.ts";
import { statementsFor } from "./sql/index.ts";
import { stepFiles } from "./stepFiles.ts";

export interface ExportOptions {
  readonly target: ExportTarget;
  /** The file to write; what goes with it lies beside it. */
  readonly out: string;
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  /** In CSV, puts a ' before texts that a spreadsheet would take for formulas. */
  readonly guardFormulas?: boolean;
}

const exportSettings: Settings<ExportOptions> = {
  ...{ target: "text", out: "text", force: "flag", signal: "signal", guardFormulas: "flag" },
};

export interface Exported {
  readonly files: readonly string[];
  /** The statements, for whoever wants to see them at once. */
  readonly text?: string;
}

/** Files by path: bytes, a text, or something that writes to a path it is given. */
type Files = Map<string, Uint8Array | string | ((part: string) => Promise<void>)>;

const targets = {
  onnx: async (run, out, { signal }) => {
    const { model, decoder, encoder } = await currentOnnx(run, signal);
    const files: Files = new Map([[out, model]]);
    if (decoder) files.set(`${without(out, "onnx")}.decoder.onnx`, decoder);
    if (encoder) files.set(`${without(out, "onnx")}.encoder.onnx`, encoder);
    return files;
  },
  safetensors: async (run, out) => {
    // Weights that nobody can read are not handed on.
    await run.labels();
    return new Map([[out, await run.folder.bytes(run.place("weights.safetensors"))]]);
  },
  csv: async (run, out, { guardFormulas }) =>
    new Map([[out, await tableWriter(run, "format csv, header", guardFormulas)]]),
  parquet: async (run, out) => new Map([[out, await tableWriter(run, "format parquet, compression zstd")]]),
  sql: async (run, out, { signal }) => {
    const { facts, model } = await namedBeside(run, out, "sql", signal);
    const files: Files = new Map([[out, statementsFor(facts)]]);
    files.set(join(dirname(out), facts.files.model), model);
    if (facts.row.length === 1) files.set(join(dirname(out), facts.files.distances), withOutputs(model, ["distances"]));
    return files;
  },
  spark: onLake("spark"),
  ray: onLake("ray"),
  duckdb: onLake("duckdb"),
  step: stepFiles,
} satisfies Record<
  string,
  (run: Run, out: string, options: Pick<ExportOptions, "signal" | "guardFormulas">) => Promise<Files>
>;

/** A program for an engine, and the model beside it. */
function onLake(engine: LakeEngine) {
  return async (run: Run, out: string, { signal }: Pick<ExportOptions, "signal">): Promise<Files> => {
    const { facts, model } = await namedBeside(run, out, "py", signal);
    return new Map<string, Uint8Array | string>([
      [out, lakeProgram(engine, facts)],
      [join(dirname(out), facts.files.model), model],
    ]);
  };
}

/** One model with everything inside, and what names it beside it. */
async function namedBeside(run: Run, out: string, extension: string, signal: AbortSignal | undefined) {
  const { model, encoder } = await currentOnnx(run, signal);
  if (encoder) {
    throw new RangeError(
      `${run.path}: its encoder could not be joined with the clusters, and databases run one model; assign rows with telltale instead`,
    );
  }
  const base = basename(without(out, extension));
  if (hasUnseen(base)) {
    throw new RangeError(
      `${out}: what is written names the files beside it, so its name must have no line breaks and nothing else that nobody sees; name another file with --out`,
    );
  }
  return { model, facts: await factsOf(run, base, model) };
}

export type ExportTarget = keyof typeof targets;
export const exportTargets = Object.keys(targets) as readonly ExportTarget[];

/**
 * What each is written to unless said otherwise, after the name of the run. That is often the name of its source, which
 * must not be hit.
 */
export const exportEndings: Readonly<Record<ExportTarget, string>> = {
  onnx: ".onnx",
  safetensors: ".safetensors",
  csv: "-assigned.csv",
  parquet: "-assigned.parquet",
  sql: ".sql",
  spark: ".spark.py",
  ray: ".ray.py",
  duckdb: ".duckdb.py",
  step: ".step.json",
};

/** Writes all files, or none. */
export async function exportRun(run: Run, options: ExportOptions): Promise<Exported> {
  checkSettings("export", options, exportSettings);
  const { target, out, force = false, guardFormulas = false, signal } = options;
  if (!exportTargets.includes(target)) {
    throw new RangeError(`export: the target must be one of ${exportTargets.join(", ")}, got "${target}"`);
  }
  checkGuard(target, guardFormulas);
  const claimed: OutputFile[] = [await run.claim(out, { force })];
  let files: Files;
  try {
    files = await targets[target](run, out, { guardFormulas, ...(signal && { signal }) });
    for (const file of files.keys()) if (file !== out) claimed.push(await run.claim(file, { force }));
    for (const file of claimed) {
      const content = files.get(file.path)!;
      if (typeof content === "function") await content(file.part).catch(failing(out));
      else await file.write(typeof content === "string" ? Buffer.from(content) : content);
    }
    await OutputFile.putAll(claimed);
  } finally {
    for (const file of claimed) await file.release();
  }
  const text = files.get(out);
  return { files: [...files.keys()], ...((target === "sql" || target in lakeEngines) && { text: text as string }) };
}

/** DuckDB tells in words what the system has refused. */
function failing(out: string): (error: unknown) => never {
  return (error) => {
    throw isRefusedBySystem(error) ? cannotWrite(out, error) : error;
  };
}

function without(file: string, extension: string): string {
  return file.endsWith(`.${extension}`) ? file.slice(0, -extension.length - 1) : file;
}
