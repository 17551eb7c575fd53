/** A frozen encoder that somebody else has trained: an ONNX file with one input of rows and one output of features. */

import type { InferenceSession } from "onnxruntime-web";
import { type Batch, type Data, inMemory, rowsAtOnce } from "../data/data.ts";
import type { Device } from "../runtime/device.ts";
import { sizeOf, type Tensor, tensor } from "../tensor/tensor.ts";

const wideBatch = 256;

export class Encoder {
  readonly #session: InferenceSession;
  readonly #device: Device;
  /** The file itself: a model that is saved takes it along. */
  readonly bytes: Uint8Array;

  private constructor(bytes: Uint8Array, session: InferenceSession, device: Device) {
    this.bytes = bytes;
    this.#session = session;
    this.#device = device;
  }

  /** Opens the bytes of an ONNX file. */
  static async open(bytes: Uint8Array, device: Device): Promise<Encoder> {
    const session = await device.runtime.InferenceSession.create(bytes, device.options).catch((cause: Error) => {
      throw new TypeError(`encoder: the bytes are not an ONNX model that runs here: ${cause.message}`, { cause });
    });
    if (session.inputNames.length !== 1) {
      throw new TypeError(`encoder: the model must have one input, got ${session.inputNames.join(", ")}`);
    }
    return new Encoder(bytes, session, device);
  }

  /** Features of rows, [n, d]: the model's first output, flattened. */
  async encode(x: Tensor<"float32">): Promise<Tensor<"float32">> {
    const fed = new this.#device.runtime.Tensor("float32", x.data, x.shape);
    const results = await this.#session.run({ [this.#session.inputNames[0]!]: fed }).catch((cause: Error) => {
      throw new TypeError(`encoder: the model does not take rows of shape [${x.shape}]: ${cause.message}`, { cause });
    });
    const output = results[this.#session.outputNames[0]!]!;
    const [n, ...row] = output.dims;
    if (n === undefined || n !== x.shape[0] || output.type !== "float32") {
      throw new TypeError(
        `encoder: ${x.shape[0]} rows must give as many float32 features, got ${output.type} [${output.dims}]`,
      );
    }
    return tensor("float32", [n, sizeOf(row)], (output.data as Float32Array).slice());
  }

  /**
   * The features of data: all of them at once where the rows are in memory, else batch by batch as they are asked for.
   */
  async features(data: Data): Promise<Data> {
    if (data.tensor) {
      const parts: Tensor<"float32">[] = [];
      for await (const { x } of data.inOrder(rowsAtOnce(data.row, wideBatch))) parts.push(await this.encode(x));
      const width = parts[0]!.shape[1]!;
      const all = new Float32Array(data.count * width);
      let at = 0;
      for (const part of parts) {
        all.set(part.data, at);
        at += part.data.length;
      }
      return inMemory(tensor("float32", [data.count, width], all));
    }
    let [width, low, high] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for await (const { x } of this.#mapped(data.inOrder(rowsAtOnce(data.row, wideBatch)))) {
      width = x.shape[1]!;
      for (const value of x.data) [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
    return {
      row: [width],
      count: data.count,
      range: [low, high],
      shuffled: (size, random) => this.#mapped(data.shuffled(size, random)),
      inOrder: (size) => this.#mapped(data.inOrder(size)),
    };
  }

  async close(): Promise<void> {
    await this.#session.release();
  }

  async *#mapped(batches: AsyncIterable<Batch> | Iterable<Batch>): AsyncGenerator<Batch> {
    for await (const { rows, x } of batches) yield { rows, x: await this.encode(x) };
  }
}
