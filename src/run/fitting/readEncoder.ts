/** An encoder that the person names: read with what lies beside it, looked at, and tried before anything is written. */

import { realpath } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { type Feature, featureNames } from "../../data/feature.ts";
import type { ColumnRole } from "../../data/roles.ts";
import { reasonOf } from "../../disk/reasons.ts";
import { readRegular } from "../../disk/regularFile.ts";
import { bytesOf } from "../../files/kept/bytes.ts";
import type { OpenedRows } from "../../files/openedRows.ts";
import { listed } from "../../files/tables/writtenNumbers.ts";
import { checkOnnx } from "../../onnx/check.ts";
import { readOnnx, writeOnnx } from "../../onnx/read.ts";
import { type ExternalData, externalDataOf, takeIn, tensorsOf } from "../../onnx/tensors.ts";
import type { Device, ForeignOptions } from "../../runtime/device.ts";
import { oneLine } from "../../text/oneLine.ts";
import { Encoder } from "../../training/encoder.ts";

/** What protobuf can hold, with some room for the rest. */
const mostBytes = 2 ** 31 - 2 ** 20;

/** The encoder as one file that needs no other. */
export async function readEncoder(path: string): Promise<Uint8Array> {
  const bytes = await readRegular(path, mostBytes).catch((error: Error) => {
    throw new RangeError(`${error.message}; --network must name an ONNX file of less than 2 GB`);
  });
  const whole = await withDataBeside(path, bytes);
  checkOnnx(whole, path);
  return whole;
}

/** Numbers that lie in files of their own, as exporters write them for large models, are taken in. */
async function withDataBeside(path: string, bytes: Uint8Array): Promise<Uint8Array> {
  const model = readable(path, bytes);
  const outside = [...tensorsOf(model)].flatMap((tensor) => {
    const data = externalDataOf(tensor);
    return data ? [{ tensor, data }] : [];
  });
  if (outside.length === 0) return bytes;
  let total = bytes.length;
  for (const { tensor, data } of outside) {
    const taken = await readBeside(path, data, mostBytes - total);
    total += taken.length;
    takeIn(tensor, taken);
  }
  return writeOnnx(model);
}

function readable(path: string, bytes: Uint8Array) {
  try {
    return readOnnx(bytes);
  } catch (error) {
    throw new TypeError(`${path}: ${(error as Error).message.replace(/^onnx: /, "")}`);
  }
}

/** A stretch of a file in the folder of the encoder, or in one below it; a link may not lead out of it. */
async function readBeside(path: string, { location, offset, length }: ExternalData, most: number): Promise<Uint8Array> {
  const name = JSON.stringify(location.slice(0, 80));
  const wrong = (problem: string): RangeError => new RangeError(`${path}: its external data ${name} ${problem}`);
  const folder = await realpath(dirname(resolve(path)));
  const isPlain = location !== "" && !/[\\\0]|^\/|^[a-z]:/i.test(location) && !location.split("/").includes("..");
  if (!isPlain) throw wrong("must be a file in its own folder");
  const file = await realpath(resolve(folder, location)).catch(() => {
    throw wrong("is not there; put the file beside it");
  });
  const inside = relative(folder, file);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || resolve(folder, inside) !== file) {
    throw wrong("must be a file in its own folder, and no link out of it");
  }
  const bytes = await bytesOf(file, `${path}: its external data ${name}`);
  try {
    const count = length ?? bytes.size - offset;
    const isWithin = Number.isSafeInteger(offset) && Number.isSafeInteger(count) && offset >= 0 && count >= 0;
    if (!isWithin || offset + count > bytes.size) {
      throw wrong(`ends after ${bytes.size} bytes, before what is asked for`);
    }
    if (count > most) {
      throw new RangeError(`${path}: an encoder must have less than 2 GB, what lies beside it counted in`);
    }
    return await bytes.read(offset, count).catch((error: NodeJS.ErrnoException) => {
      throw wrong(error.code === undefined ? error.message : `cannot be read (${reasonOf(error)})`);
    });
  } finally {
    await bytes.close();
  }
}

/** Whether it takes such rows is found with the first, before anything is written. */
export async function tryEncoder(
  path: string,
  bytes: Uint8Array,
  device: Device,
  { data, features, columns }: Pick<OpenedRows, "data" | "features" | "columns">,
  options: ForeignOptions = {},
): Promise<void> {
  try {
    const encoder = await Encoder.open(bytes, device, options);
    try {
      for await (const { x } of data.inOrder(1)) {
        await encoder.encode(x);
        break;
      }
    } finally {
      await encoder.close();
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new RangeError(`${path}: ${(error as Error).message}${columns ? `; ${givenWords(features, columns)}` : ""}`);
  }
}

/** What of a table it was given, and what was left out: it may have learned from that too. */
function givenWords(features: readonly Feature[], columns: readonly ColumnRole[]): string {
  const short = (text: string): string => oneLine(text, 40);
  const given = `it was given ${features.length} (${listed(featureNames(features).map(short))})`;
  const left = columns.filter(({ isUsed, role }) => !isUsed && role === "ignored");
  if (left.length === 0) return `${given}; name the columns that it takes with --columns`;
  const why = listed(left.map(({ column, reason }) => `${short(column.name)} (${reason})`));
  return `${given}, and not ${why}; name the columns that it takes with --columns`;
}
