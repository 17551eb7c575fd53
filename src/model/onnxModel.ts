/** A model as its ONNX file alone: it says where rows are, and needs none of the code that it was made with. */

import type { InferenceSession } from "onnxruntime-web";
import type { Device } from "../runtime/device.ts";
import type { Values } from "../runtime/session.ts";
import { fromDevice, toDevice } from "../runtime/state.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { withTiesAlone } from "../training/ties.ts";

const outputs = ["label", "distances", "probabilities", "z"];

export class OnnxModel {
  readonly #session: InferenceSession;
  readonly #device: Device;

  private constructor(session: InferenceSession, device: Device) {
    this.#session = session;
    this.#device = device;
  }

  /** Opens the bytes of a model.onnx. */
  static async open(bytes: Uint8Array, device: Device): Promise<OnnxModel> {
    const session = await device.runtime.InferenceSession.create(bytes, device.options);
    const missing = outputs.filter((name) => !session.outputNames.includes(name));
    if (session.inputNames.join() !== "x" || missing.length > 0) {
      throw new TypeError(
        `model: must take x and give ${outputs.join(", ")}, takes ${session.inputNames} and gives ${session.outputNames}`,
      );
    }
    return new OnnxModel(session, device);
  }

  /** Rows [n, …row] to label [n], distances [n, k], probabilities [n, k] and z [n, latent]. */
  async run(x: Tensor<"float32">): Promise<Values> {
    return withTiesAlone(x, await this.#run(x), (row) => this.#run(row));
  }

  async #run(x: Tensor<"float32">): Promise<Values> {
    const results = await this.#session.run({ x: toDevice(this.#device, x) });
    return Object.fromEntries(outputs.map((name) => [name, fromDevice(results[name]!, results[name]!.data)]));
  }

  async close(): Promise<void> {
    await this.#session.release();
  }
}
