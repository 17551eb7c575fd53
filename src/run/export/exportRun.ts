/** A run taken elsewhere: as a model, as weights, as a table, or as statements for a database. */

import { basename, dirname, join } from "node:path";
import { cannotWrite, isRefusedBySystem } from "../../disk/cannotWrite.ts";
import { OutputFile } from "../../disk/outputFile.ts";
import { checkGuard } from "../../files/output/openOutput.ts";
import { withOutputs } from "../../onnx/read.ts";
import { hasUnseen } from "../../text/unseen.ts";
import type { Run } from "../folder/openRun.ts";
import { currentOnnx, factsOf, tableWriter } from "./exportedFiles.ts";
import { statementsFor } from "./sql/index.ts";
import { sparkFunction } from "./sql/spark.ts";

export interface ExportOptions {
  readonly target: ExportTarget;
  /** The file to write; what goes with it lies beside it. */
  readonly out: string;
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  /** In CSV, puts a ' before texts that a spreadsheet would take for formulas. */
  readonly guardFormulas?: boolean;
}

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
    const { model, encoder } = await currentOnnx(run, signal);
    if (encoder) {
      throw new RangeError(
        `${run.path}: its encoder could not be joined with the clusters, and databases run one model; assign rows with telltale instead`,
      );
    }
    const base = basename(without(out, "sql"));
    if (hasUnseen(base)) {
      throw new RangeError(
        `${out}: statements name the files beside them, so its name must have no line breaks and nothing else that nobody sees; name another file with --out`,
      );
    }
    const facts = await factsOf(run, base, model);
    const files: Files = new Map();
    const add = (name: string, content: Uint8Array | string): void => void files.set(join(dirname(out), name), content);
    files.set(out, statementsFor(facts));
    add(facts.files.model, model);
    if (facts.row.length === 1) add(facts.files.distances, withOutputs(model, ["distances"]));
    add(facts.files.spark, sparkFunction(facts));
    return files;
  },
} satisfies Record<
  string,
  (run: Run, out: string, options: Pick<ExportOptions, "signal" | "guardFormulas">) => Promise<Files>
>;

export type ExportTarget = keyof typeof targets;
export const exportTargets = Object.keys(targets) as readonly ExportTarget[];

/** Writes all files, or none. */
export async function exportRun(
  run: Run,
  { target, out, force = false, guardFormulas = false, signal }: ExportOptions,
): Promise<Exported> {
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
  return { files: [...files.keys()], ...(target === "sql" && { text: text as string }) };
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
