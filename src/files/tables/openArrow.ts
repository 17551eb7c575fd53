/** Arrow files and streams (Feather): their columns for DuckDB, and their rows as JSON lines. */

import * as zlib from "node:zlib";
import { type ArrowBatch, type ArrowField, type ArrowMessage, arrowMessage } from "../../formats/arrow.ts";
import { columnsOf, type Dictionaries } from "../../formats/arrowValues.ts";
import { latin1Text } from "../../formats/bytes.ts";
import { unpackLz4 } from "../../formats/lz4.ts";
import { checkMemory, memoryLimit } from "../../tensor/budget.ts";
import { type Bytes, bytesOf } from "../kept/bytes.ts";
import { checkUnpacked } from "../kept/gunzipped.ts";
import type { OpenOptions } from "../openedRows.ts";
import { distinctNames } from "./columnNames.ts";
import { quoteName } from "./database.ts";

export interface ArrowTable {
  /** The columns, with names that DuckDB can have, and their types there. */
  readonly types: readonly (readonly [name: string, type: string])[];
  /** A line of JSON for each row. */
  lines(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

/** In bytes, the description of a batch. */
const longestDescription = 2 ** 26;
/** Additions to dictionaries. */
const mostAdditions = 2 ** 10;

export async function openArrow(path: string, where: string, options: OpenOptions): Promise<ArrowTable> {
  const bytes = await bytesOf(path, where);
  try {
    const messages = messagesIn(bytes, where);
    const { value: first } = await messages.next();
    await messages.return(undefined);
    if (first?.message.kind !== "schema")
      throw new RangeError(`${where}: is no Arrow file: it does not begin with a schema`);
    const fields = named(first.message.fields);
    if (fields.length === 0) throw new RangeError(`${where}: has no columns`);
    return {
      types: fields.map((field) => [field.name, duckType(field)]),
      lines: () => linesOf(bytes, where, fields, options),
      close: () => bytes.close(),
    };
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

interface Placed {
  readonly message: ArrowMessage;
  /** Where its body begins. */
  readonly at: number;
}

/** One after the other, as a stream has them; a file has a mark before, and after them where each of them is. */
async function* messagesIn(bytes: Bytes, where: string): AsyncGenerator<Placed, undefined> {
  const cut = (): Error => new RangeError(`${where}: the Arrow data is damaged or cut short`);
  const head = latin1Text(await bytes.read(0, Math.min(8, bytes.size)));
  let at = head.startsWith("ARROW1") ? 8 : 0;
  while (at + 4 <= bytes.size) {
    const length = Math.min(8, bytes.size - at);
    const start = new DataView((await bytes.read(at, length)).buffer);
    // What came before the length of each was added later.
    const hasMark = start.getUint32(0, true) === 0xffffffff;
    if (hasMark && length < 8) throw cut();
    const size = start.getInt32(hasMark ? 4 : 0, true);
    at += hasMark ? 8 : 4;
    if (size === 0) return undefined;
    if (size < 0 || size > longestDescription || at + size > bytes.size) throw cut();
    const message = await described(bytes, where, at, size);
    at += size;
    if (at + message.bodyLength > bytes.size) throw cut();
    yield { message, at };
    at += message.bodyLength;
  }
  return undefined;
}

async function described(bytes: Bytes, where: string, at: number, size: number): Promise<ArrowMessage> {
  return inWords(where, await bytes.read(at, size), arrowMessage);
}

function inWords<T, V>(where: string, value: V, work: (value: V) => T): T {
  try {
    return work(value);
  } catch (error) {
    // What is said of memory says where already.
    const isSaid = !(error instanceof RangeError) || error.message.startsWith(`${where}: `);
    throw isSaid ? error : new RangeError(`${where}: ${error.message}`);
  }
}

/** Each name once, also inside columns. */
function named(fields: readonly ArrowField[]): ArrowField[] {
  const { names } = distinctNames(fields.map(({ name }) => name));
  return fields.map((field, i) => ({ ...field, name: names[i]!, children: named(field.children) }));
}

function duckType(field: ArrowField): string {
  const { type, children } = field;
  switch (type.kind) {
    case "integer":
      return type.bits === 64 && !type.isSigned ? "UBIGINT" : "BIGINT";
    case "float":
      return type.bits === 64 ? "DOUBLE" : "FLOAT";
    case "decimal":
      return "DOUBLE";
    case "text":
      return "VARCHAR";
    case "boolean":
      return "BOOLEAN";
    case "date":
      return type.perDay === 1 ? "DATE" : "TIMESTAMP";
    case "list":
    case "vector":
      return `${children[0] ? duckType(children[0]) : "BLOB"}[]`;
    case "struct":
      return children.length === 0
        ? "BLOB"
        : `STRUCT(${children.map((child) => `${quoteName(child.name)} ${duckType(child)}`).join(", ")})`;
    case "other":
      return "BLOB";
  }
}

/** In letters, what is handed on at once. */
const atOnce = 2 ** 16;

async function* linesOf(
  bytes: Bytes,
  where: string,
  fields: readonly ArrowField[],
  { memory, signal }: OpenOptions,
): AsyncGenerator<Uint8Array> {
  const unpack = unpackerOf(bytes, where, memory);
  const dictionaries = new KeptOnce(where, fields);
  const names = fields.map(({ name }) => JSON.stringify(name));
  let [text, written] = ["", 0];
  for await (const { message, at } of messagesIn(bytes, where)) {
    signal?.throwIfAborted();
    if (message.kind !== "rows" && message.kind !== "dictionary") continue;
    const take = await unpack(message.batch, at, message.bodyLength);
    if (message.kind === "dictionary") {
      dictionaries.add(message, take);
      continue;
    }
    const { batch } = message;
    const json = inWords(where, batch, () => columnsOf(fields, batch, take, dictionaries.known));
    for (let row = 0; row < batch.length; row++) {
      const values = inWords(where, row, () => json.map((value, i) => `${names[i]}:${value(row)}`).join(","));
      text += `{${values}}\n`;
      if (text.length < atOnce) continue;
      signal?.throwIfAborted();
      written += text.length;
      checkUnpacked(where, bytes.size, written);
      yield Buffer.from(text);
      text = "";
    }
  }
  yield Buffer.from(text);
}

type TakeStretch = (offset: number, length: number) => Uint8Array;

/** The body of a batch is in memory at once, and so is what it unpacks to. */
function unpackerOf(bytes: Bytes, where: string, memory: number | undefined) {
  const limit = memoryLimit(memory);
  return async ({ codec }: ArrowBatch, at: number, length: number): Promise<TakeStretch> => {
    let held = length;
    const check = (): void => {
      checkMemory({ where, what: "a batch of rows", bytes: 2 * held, cure: "save it in smaller batches" }, limit);
      checkUnpacked(where, bytes.size, held);
    };
    check();
    const body = await bytes.read(at, length);
    return (offset, size) => {
      if (offset + size > body.length) throw new RangeError("a column lies outside of its batch; it is damaged");
      const stretch = body.subarray(offset, offset + size);
      if (codec === undefined || size === 0) return stretch;
      if (size < 8) throw new RangeError("a packed column is cut short");
      const unpacked = Number(new DataView(stretch.buffer, stretch.byteOffset, 8).getBigInt64(0, true));
      if (unpacked === -1) return stretch.subarray(8);
      if (!(unpacked >= 0)) throw new RangeError("a packed column is damaged");
      held += unpacked;
      check();
      return codec === "lz4"
        ? unpackLz4(stretch.subarray(8), unpacked)
        : unpackZstandard(stretch.subarray(8), unpacked);
    };
  };
}

/** Node has it since 22.15. */
function unpackZstandard(packed: Uint8Array, size: number): Uint8Array {
  const { zstdDecompressSync } = zlib as {
    zstdDecompressSync?: (packed: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;
  };
  if (!zstdDecompressSync) {
    throw new RangeError(
      `is packed with zstd, which Node unpacks since 22.15, and this is ${process.versions.node}; save it with compression "lz4"`,
    );
  }
  let unpacked: Uint8Array | undefined;
  try {
    unpacked = zstdDecompressSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch {
    // What is wrong is said below.
  }
  if (unpacked?.length !== size) throw new RangeError("the zstd data is damaged or cut short");
  return unpacked;
}

/** Values that are kept once for all rows, by the number of their dictionary. */
class KeptOnce {
  readonly #where: string;
  readonly #fields = new Map<number, ArrowField>();
  readonly known = new Map<number, { length: number; json: (row: number) => string }>();
  #additions = 0;

  constructor(where: string, fields: readonly ArrowField[]) {
    this.#where = where;
    const see = (field: ArrowField): void => {
      if (field.dictionary) {
        const { dictionary, ...values } = field;
        this.#fields.set(dictionary.id, values);
      }
      field.children.forEach(see);
    };
    fields.forEach(see);
  }

  add({ id, isDelta, batch }: ArrowMessage & { kind: "dictionary" }, take: TakeStretch): void {
    const field = this.#fields.get(id);
    if (!field) return;
    const known: Dictionaries = this.known;
    const [json] = inWords(this.#where, batch, () => columnsOf([field], batch, take, known));
    const before = isDelta ? this.known.get(id) : undefined;
    if (before && ++this.#additions > mostAdditions) {
      throw new RangeError(`${this.#where}: dictionaries can be added to ${mostAdditions} times, they are more often`);
    }
    this.known.set(id, {
      length: (before?.length ?? 0) + batch.length,
      json: (row) => (before && row < before.length ? before.json(row) : json!(row - (before?.length ?? 0))),
    });
  }
}
