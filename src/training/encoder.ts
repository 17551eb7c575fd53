/** A frozen encoder that somebody else has trained: an ONNX file with one input of rows and one output of features. */

import { type Batch, type Data, inMemory, rowsAtOnce } from "../data/data.ts";
import type { Device, ForeignModel, ForeignOptions } from "../runtime/device.ts";
import { foreignError, openForeign } from "../runtime/foreign.ts";
import { sizeOf, type Tensor, tensor } from "../tensor/tensor.ts";

const wideBatch = 256;
/** Batches that are on their way at once: while one is computed, the next is sent and the last is taken. */
const atOnce = 2;

export class Encoder {
  readonly #model: ForeignModel;
  #signal: AbortSignal | undefined;
  /** The file itself: a model that is saved takes it along. */
  readonly bytes: Uint8Array;

  private constructor(bytes: Uint8Array, model: ForeignModel) {
    this.bytes = bytes;
    this.#model = model;
  }

  /** Opens the bytes of an ONNX file. */
  static async open(bytes: Uint8Array, device: Device, options: ForeignOptions = {}): Promise<Encoder> {
    const model = await openForeign(bytes, device, "encoder", options);
    const encoder = new Encoder(bytes, model);
    encoder.stopOn(options.signal);
    if (model.inputNames.length === 1) return encoder;
    await model.close();
    throw new TypeError(`encoder: the model must have one input, got ${model.inputNames.join(", ") || "none"}`);
  }

  /** From now on this signal ends what it is at, and no other. */
  stopOn(signal: AbortSignal | undefined): void {
    this.#signal = signal;
  }

  /** Features of rows, [n, d]: the model's first output, flattened. */
  async encode(x: Tensor<"float32">): Promise<Tensor<"float32">> {
    const { inputNames, outputNames } = this.#model;
    const signal = this.#signal;
    const results = await this.#model.run({ [inputNames[0]!]: x }, [outputNames[0]!], signal).catch((cause: Error) => {
      signal?.throwIfAborted();
      throw foreignError("encoder", x, cause);
    });
    const output = results[outputNames[0]!]!;
    const [n, ...row] = output.shape;
    if (n === undefined || n !== x.shape[0] || output.dtype !== "float32") {
      throw new TypeError(
        `encoder: ${x.shape[0]} rows must give as many float32 features, got ${output.dtype} [${output.shape}]`,
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
      for await (const { x } of this.#mapped(data.inOrder(rowsAtOnce(data.row, wideBatch)))) parts.push(x);
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
    await this.#model.close();
  }

  async *#mapped(batches: AsyncIterable<Batch> | Iterable<Batch>): AsyncGenerator<Batch> {
    const underWay: Promise<Batch>[] = [];
    for await (const { rows, x } of batches) {
      const encoded = this.encode(x).then((features) => ({ rows, x: features }));
      // Whoever takes it hears what went wrong; nobody does where an earlier one failed.
      encoded.catch(() => {});
      underWay.push(encoded);
      if (underWay.length === atOnce) yield await underWay.shift()!;
    }
    for (const encoded of underWay) yield await encoded;
  }
}
