/** A model as its ONNX file alone: it says where rows are, and needs none of the code that it was made with. */

import type { Device, ForeignModel, ForeignOptions } from "../runtime/device.ts";
import { foreignError, openForeign } from "../runtime/foreign.ts";
import type { Values } from "../runtime/session.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { withTiesAlone } from "../training/ties.ts";

const outputs = ["label", "distances", "probabilities", "z"];

export class OnnxModel {
  readonly #model: ForeignModel;
  readonly #signal: AbortSignal | undefined;

  private constructor(model: ForeignModel, signal: AbortSignal | undefined) {
    this.#model = model;
    this.#signal = signal;
  }

  /** Opens the bytes of a model.onnx: whoever wrote it, it runs as what is not ours. */
  static async open(bytes: Uint8Array, device: Device, options: ForeignOptions = {}): Promise<OnnxModel> {
    const model = await openForeign(bytes, device, "model.onnx", options);
    const { inputNames, outputNames } = model;
    const missing = outputs.filter((name) => !outputNames.includes(name));
    if (inputNames.join() === "x" && missing.length === 0) return new OnnxModel(model, options.signal);
    await model.close();
    throw new TypeError(
      `model.onnx: must take x and give ${outputs.join(", ")}, takes ${inputNames} and gives ${outputNames}`,
    );
  }

  /** Rows [n, …row] to label [n], distances [n, k], probabilities [n, k] and z [n, latent]. */
  async run(x: Tensor<"float32">): Promise<Values> {
    return withTiesAlone(x, await this.#run(x), (row) => this.#run(row));
  }

  async #run(x: Tensor<"float32">): Promise<Values> {
    const values = await this.#model.run({ x }, outputs, this.#signal).catch((cause: Error) => {
      this.#signal?.throwIfAborted();
      throw foreignError("model.onnx", x, cause);
    });
    if ((values.distances!.data as Float32Array).some(Number.isNaN)) {
      throw new RangeError("model.onnx: distances must be numbers, got NaN; its weights are damaged");
    }
    return values;
  }

  async close(): Promise<void> {
    await this.#model.close();
  }
}
