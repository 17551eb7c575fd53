/** ONNX that somebody else has written: looked at, then opened where it does the least harm. */

import { checkOnnx } from "../onnx/check.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Device, ForeignModel, ForeignOptions } from "./device.ts";
import { openHere, plainReason } from "./openHere.ts";

/** Opens the bytes of a file that was not written here just now; `where` is what people call it. */
export async function openForeign(
  bytes: Uint8Array,
  device: Device,
  where: string,
  options: ForeignOptions = {},
): Promise<ForeignModel> {
  checkOnnx(bytes, where);
  const open = device.openForeign ?? ((given: Uint8Array) => openHere(given, device));
  return open(bytes, options).catch((error: Error) => {
    options.signal?.throwIfAborted();
    throw new TypeError(`${where}: the model does not run here: ${plainReason(error)}`, { cause: error });
  });
}

/** The process of a foreign model has ended: not what it was given is wrong, but the model. */
export class ForeignEnded extends Error {}

/** What went wrong in a run of it, as one line. */
export function foreignError(where: string, x: Tensor, cause: Error): Error {
  const what = cause instanceof ForeignEnded ? "" : `the model does not take rows of shape [${x.shape}]: `;
  return new TypeError(`${where}: ${what}${plainReason(cause)}`, { cause });
}
