/** `fit` as people call it who have no types: options of any name and value, checked by the method's table. */

import type { RowsLike } from "../../src/data/data.ts";
import type { NamedFitOptions } from "../../src/model/fitOptions.ts";
import { type Fitting, fitByNameOn, fitting, typedFit } from "../../src/model/fitting.ts";
import type { Device, DeviceOffer } from "../../src/runtime/device.ts";
import type { Epoch } from "../../src/training/epoch.ts";
import type { Fit } from "../../src/training/job.ts";
import type { Method } from "../../src/training/method.ts";

export type UntypedOptions = Omit<NamedFitOptions, "options"> & Readonly<Record<string, unknown>>;

export function fitOn(offers: readonly DeviceOffer[]): (rows: RowsLike, options: UntypedOptions) => Fitting {
  return typedFit(fitByNameOn(offers)) as never;
}

/** The loop alone, by a method, on a device. */
export function trainBy(
  rows: RowsLike,
  method: Method,
  { device, ...said }: Omit<NamedFitOptions, "device" | "method"> & { readonly device: Device },
): AsyncGenerator<Epoch, Fit> {
  return fitting(rows, { ...said, method }, device);
}
