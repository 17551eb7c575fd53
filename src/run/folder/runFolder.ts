/** A run is a folder of plain files. `run.json` is written last and decides: what it says is there is there, whole. */

import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Lock } from "../../disk/lock.ts";
import { type CannotRead, readRegular } from "../../disk/regularFile.ts";
import { cannotWrite, makeFolder, removeLeftParts, writeWhole } from "../../disk/writeWhole.ts";
import { parseJson } from "../../formats/json.ts";
import { problemIn, type Schema, unknown } from "../../formats/schema.ts";
import { memoryLimit } from "../../tensor/budget.ts";
import { formatOne, upgraded } from "./olderRuns.ts";
import { isPassing, removeRunFiles } from "./runFiles.ts";
import { type RunDescription, runDescription, runFormat } from "./schemas/runDescription.ts";

export class RunFolder {
  readonly path: string;
  readonly #lock: Lock;

  constructor(path: string) {
    this.path = path;
    this.#lock = new Lock(path);
  }

  /** What people call the run. */
  get name(): string {
    return basename(resolve(this.path));
  }

  file(...names: string[]): string {
    return join(this.path, ...names);
  }

  /** Refuses a folder that has files, unless they are a run's and it may be replaced. */
  static async check(path: string, { force = false }: { force?: boolean } = {}): Promise<void> {
    const there = (await entries(path)).filter((name) => !isPassing(name));
    if (there.length === 0) return;
    if (!there.includes("run.json")) {
      throw new RangeError(
        `${path}: has files and is no run of Telltale, so that it is not replaced; choose another folder`,
      );
    }
    if (!force) {
      throw new RangeError(
        `${path}: is there already; choose another folder, or replace it with --force (force: true)`,
      );
    }
    await new RunFolder(path).description().catch((error: Error) => {
      throw new RangeError(`${error.message}. What is no run of Telltale is not replaced; choose another folder`);
    });
  }

  /**
   * A folder for a new run, and this process its only writer. What is there already stays until the new one is
   * described.
   */
  static async create(path: string, options: { force?: boolean } = {}): Promise<RunFolder> {
    await RunFolder.check(path, options);
    const folder = new RunFolder(path);
    await makeFolder(path).catch((error) => {
      throw cannotWrite(path, error);
    });
    await folder.lock();
    return folder;
  }

  /**
   * Makes it the folder of a new run. At every moment it is one whole thing: the old run, which does not need its
   * checkpoint or its stream, or the new one, for which old files mean nothing. What no run has written stays.
   */
  async begin(description: RunDescription): Promise<void> {
    await removeRunFiles(this.path, (name) => /^(checkpoint|stream)\b/.test(name));
    await this.describe(description);
    await removeRunFiles(this.path, (name) => name !== "run.json" && name !== "lock");
  }

  /** Makes this process the only writer. */
  async lock(): Promise<void> {
    await this.#lock.take().catch((error) => {
      throw error instanceof RangeError ? error : cannotWrite(this.path, error);
    });
    for (const place of ["", "checkpoint", "stream", "exemplars"]) await removeLeftParts(this.file(place));
  }

  async unlock(): Promise<void> {
    await this.#lock.release();
  }

  async write(name: string, content: Uint8Array | string): Promise<void> {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await writeWhole(this.file(name), bytes).catch((error) => {
      throw cannotWrite(this.path, error);
    });
  }

  async describe(description: RunDescription): Promise<void> {
    await this.write("run.json", `${JSON.stringify(description, null, 2)}\n`);
  }

  async description(): Promise<RunDescription> {
    const bytes = await this.#read("run.json", mostText()).catch((error: CannotRead) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") {
        throw new RangeError(`${this.path}: is no run of Telltale (it has no run.json); make one with telltale fit`);
      }
      throw new RangeError(`${this.path}: ${error.code ? `cannot be read (${error.code})` : error.message}`);
    });
    return described(this.path, textOf(bytes));
  }

  async json<T>(name: string, schema: Schema<T>): Promise<T> {
    return parsed(this.path, name, await this.#text(name), schema);
  }

  /** JSON lines; a last one that was cut off is none. */
  async lines<T>(name: string, schema: Schema<T>): Promise<T[]> {
    const lines = (await this.#text(name)).split("\n").slice(0, -1);
    return lines.map((line, i) => parsed(this.path, `line ${i + 1} of ${name}`, line, schema));
  }

  async #text(name: string): Promise<string> {
    return textOf(await this.bytes(name, mostText()));
  }

  async bytes(name: string, most = mostBytes()): Promise<Uint8Array> {
    return this.#read(name, most).catch((error) => {
      throw damaged(this.path, name, error);
    });
  }

  #read(name: string, most: number): Promise<Uint8Array> {
    return readRegular(this.file(name), most, name);
  }
}

/** Of a file in a folder that may come from anybody: its bytes, the tensors in them, and a copy of those. */
function mostBytes(): number {
  return Math.min(2 ** 31, memoryLimit() / 4);
}

/** Text takes more once it is numbers and names, and none may be longer than this. */
function mostText(): number {
  return Math.min(2 ** 29 - 32, memoryLimit() / 12);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

export function damaged(path: string, name: string, error: unknown): RangeError {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = code ?? message.replace(`${name}: `, "");
  return damagedBy(path, `${name} ${code === "ENOENT" ? "is missing" : `cannot be read (${why})`}`);
}

function damagedBy(path: string, problem: string): RangeError {
  return new RangeError(`${path}: the run is damaged: ${problem}; fit it again, or restore the folder`);
}

/** JSON that is what a schema says. */
function parsed<T>(path: string, name: string, text: string, schema: Schema<T>): T {
  let found: unknown;
  try {
    found = parseJson(text);
  } catch (error) {
    throw damaged(path, name, error);
  }
  return checked(path, name, found, schema);
}

function checked<T>(path: string, name: string, found: unknown, schema: Schema<T>): T {
  const problem = problemIn(name, schema, found);
  if (problem) throw damagedBy(path, problem);
  return found as T;
}

function described(path: string, text: string): RunDescription {
  const name = "run.json";
  const found = parsed(path, name, text, unknown) as { format?: unknown; version?: unknown } | null;
  if (found?.format !== "telltale run" || !(Number.isSafeInteger(found.version) && (found.version as number) >= 1)) {
    throw new RangeError(`${path}: run.json does not describe a run of Telltale`);
  }
  const version = found.version as number;
  if (version > runFormat) {
    throw new RangeError(
      `${path}: was written by a newer Telltale (format ${version}, this one knows ${runFormat}); update telltale`,
    );
  }
  const current = version < runFormat ? upgraded(checked(path, name, found, formatOne)) : found;
  return checked(path, name, current, runDescription);
}

async function entries(path: string): Promise<string[]> {
  return readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new RangeError(
      `${path}: ${error.code === "ENOTDIR" ? "is a file, not a folder" : `cannot be read (${error.code})`}`,
    );
  });
}
