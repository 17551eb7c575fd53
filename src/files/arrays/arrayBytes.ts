/** Where the elements of an array lie: in its file, or on the side where that is packed. */

import { statRegular } from "../../disk/regularFile.ts";
import { idxLayout } from "../../formats/idx.ts";
import { checkSize, type Layout } from "../../formats/layout.ts";
import { npyLayout } from "../../formats/npy.ts";
import { sizeOf } from "../../tensor/tensor.ts";
import { type Bytes, bytesOf, spoolError, spooledBytes, withNameInErrors } from "../kept/bytes.ts";
import { checkUnpacked, gunzipped } from "../kept/gunzipped.ts";
import type { Recognized } from "../recognize.ts";

export interface ArrayBytes {
  readonly bytes: Bytes;
  readonly layout: Layout;
}

/** Refuses a layout that is not wanted, before anything is unpacked. */
export type CheckLayout = (name: string, layout: Layout) => void;

const layouts = { npy: npyLayout, idx: idxLayout };
type Format = keyof typeof layouts;

/** Enough for the header of any array of numbers. */
const headBytes = 2 ** 16;

export async function openArrayBytes(
  path: string,
  name: string,
  { format, gzipped, head }: Recognized & { readonly format: Format },
  check: CheckLayout,
  signal?: AbortSignal,
): Promise<ArrayBytes> {
  const bytes = gzipped
    ? await unpacked(path, name, await layoutOf(name, format, head, check), signal)
    : await bytesOf(path, name);
  return arrayIn(bytes, name, format, check);
}

/** The array that these bytes are; they are closed where they are none. */
export async function arrayIn(bytes: Bytes, name: string, format: Format, check: CheckLayout): Promise<ArrayBytes> {
  try {
    const head = await withNameInErrors(name, () => bytes.read(0, Math.min(bytes.size, headBytes)));
    const layout = await layoutOf(name, format, head, check);
    await withNameInErrors(name, async () => checkSize(format, layout, bytes.size));
    return { bytes, layout };
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

async function layoutOf(name: string, format: Format, head: Uint8Array, check: CheckLayout): Promise<Layout> {
  const layout = await withNameInErrors(name, async () => layouts[format](head));
  check(name, layout);
  return layout;
}

/** Never more than the header promises, whatever the file unpacks to. */
async function unpacked(
  path: string,
  name: string,
  { shape, start, bytes }: Layout,
  signal: AbortSignal | undefined,
): Promise<Bytes> {
  const announced = start + sizeOf(shape) * bytes;
  checkUnpacked(name, (await statRegular(path, name)).size, announced);
  try {
    return await spooledBytes(name, gunzipped(path, name, signal), announced, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw spoolError(name, error as Error, (error as Error).message);
  }
}
