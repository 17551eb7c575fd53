/** Models to explain: quickly trained, on the processor. */

import { readFile } from "node:fs/promises";
import type { Explainable } from "../../src/explain/explainable.ts";
import { decodeNpy } from "../../src/formats/npy.ts";
import type { Model } from "../../src/model/model.ts";
import { findDevice } from "../../src/runtime/device.ts";
import { cpu } from "../../src/runtime/native.ts";
import { type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { tiny } from "../support/blobs.ts";
import { fitOn, type UntypedOptions } from "../support/fit.ts";

const device = await findDevice([cpu], "cpu");
const fit = fitOn([cpu]);

export async function fitted(rows: Tensor, options: Partial<UntypedOptions> = {}): Promise<Model> {
  return fit(rows, { clusters: 3, device, ...tiny, pretraining: 10, epochs: 3, ...options });
}

/** The first of the 10,000 digits that ship with the repository, from 0 to 1. */
export async function digits(count: number): Promise<Tensor<"float32">> {
  const bytes = await decodeNpy(await readFile(new URL("../../data/digits/images.npy.gz", import.meta.url)));
  const pixels = (bytes.data as Uint8Array).subarray(0, count * 28 * 28);
  return tensor(
    "float32",
    [count, 1, 28, 28],
    Float32Array.from(pixels, (byte) => byte / 255),
  );
}

export function rowOf({ data, shape }: Tensor<"float32">, i: number): Float32Array {
  const width = data.length / shape[0]!;
  return data.slice(i * width, (i + 1) * width);
}

/** A model with something of it changed: its programs are built of what it is then. */
export function changed(model: Model, changes: Partial<Pick<Explainable, "plan" | "formulas">>): Explainable {
  const other: Explainable = {
    plan: model.plan,
    formulas: model.formulas,
    ...changes,
    run: (x) => model.run(x),
    session: (build) => model.session(() => build(other)),
    centers: () => model.centers(),
    exemplars: () => model.exemplars(),
  };
  return other;
}
