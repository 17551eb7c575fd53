/** An encoder that the person names: read with what lies beside it, looked at, and tried before anything is written. */

import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import type { Data } from "../../data/data.ts";
import { checkOnnx } from "../../onnx/check.ts";
import { readOnnx, writeOnnx } from "../../onnx/read.ts";
import { type ExternalData, externalDataOf, takeIn, tensorsOf } from "../../onnx/tensors.ts";
import type { Device } from "../../runtime/device.ts";
import { Encoder } from "../../training/encoder.ts";

/** What protobuf can hold, with some room for the rest. */
const mostBytes = 2 ** 31 - 2 ** 20;

/** The encoder as one file that needs no other. */
export async function readEncoder(path: string): Promise<Uint8Array> {
  const bytes = await withFile(path, async (file) => {
    const { size } = await file.stat();
    if (size > mostBytes) throw tooLarge(path);
    return file.readFile();
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error;
    throw new RangeError(`${path}: the encoder cannot be read (${error.code}); network must name an ONNX file`);
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
  return withFile(file, async (handle) => {
    const { size } = await handle.stat();
    const count = length ?? size - offset;
    const isWithin = Number.isSafeInteger(offset) && Number.isSafeInteger(count) && offset >= 0 && count >= 0;
    if (!isWithin || offset + count > size) throw wrong(`ends after ${size} bytes, before what is asked for`);
    if (count > most) throw tooLarge(path);
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count; ) {
      const { bytesRead } = await handle.read(bytes, at, count - at, offset + at);
      if (bytesRead === 0) throw wrong("changed while it was read");
      at += bytesRead;
    }
    return bytes;
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === undefined ? error : wrong(`cannot be read (${error.code})`);
  });
}

function tooLarge(path: string): RangeError {
  return new RangeError(`${path}: an encoder must have less than 2 GB, what lies beside it counted in`);
}

/** A file that is one: what waits for somebody to write, such as a pipe, would never end. */
async function withFile<T>(path: string, read: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) throw new RangeError(`${path}: is no file; network must name an ONNX file`);
    return await read(file);
  } finally {
    await file.close();
  }
}

/** Whether it takes such rows is found with the first, before anything is written. */
export async function tryEncoder(
  path: string,
  bytes: Uint8Array,
  device: Device,
  data: Data,
  signal?: AbortSignal,
): Promise<void> {
  try {
    const encoder = await Encoder.open(bytes, device, { ...(signal && { signal }) });
    try {
      for await (const { x } of data.inOrder(1)) {
        await encoder.encode(x);
        break;
      }
    } finally {
      await encoder.close();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new RangeError(`${path}: ${(error as Error).message}`);
  }
}
