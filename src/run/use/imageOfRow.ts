/** A row of a run of images as its file has it now, without reading any other. */

import { stat } from "node:fs/promises";
import { type Run, storedOptions } from "../folder/openRun.ts";

/** By its name in the folder; nothing where the rows are no folder of images, or that is not there any more. */
export async function imageOfRow(
  { description: { source } }: Run,
  name: string | undefined,
): Promise<Float32Array | undefined> {
  const { path, row } = source;
  if (path === undefined || name === undefined || row.length !== 3) return undefined;
  if (!(await stat(path).catch(() => undefined))?.isDirectory()) return undefined;
  const { oneImage } = await import("../../files/images/openImages.ts");
  return oneImage(path, name, row, storedOptions(source));
}
