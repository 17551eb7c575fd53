/** What programs keep between runs: named tensors on a device, shared by every session that opens with them. */

import type { Tensor as OrtTensor } from "onnxruntime-web";
import type { Variable } from "../graph/node.ts";
import { show } from "../graph/size.ts";
import { OnnxGraph } from "../onnx/write.ts";
import { type ArrayOf, type DType, type Tensor, tensor } from "../tensor/tensor.ts";
import { nextName } from "./compile.ts";
import type { Device } from "./device.ts";
import { fromDevice, toDevice } from "./deviceTensor.ts";

export class State {
  readonly device: Device;
  readonly #values = new Map<string, OrtTensor>();
  /** A GPU tensor lives only as long as the session that made it. */
  readonly #makers = new Map<string, unknown>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(device: Device) {
    this.device = device;
  }

  /** Takes in the variables that are not here yet, with their initial values; those that are must fit. */
  async adopt(variables: readonly Variable[]): Promise<void> {
    const missing = new Map<string, Tensor>();
    for (const { attributes, shape, dtype } of variables) {
      const { name, initial } = attributes;
      const known = this.#values.get(name);
      if (!known) missing.set(name, initial);
      else if (known.type !== dtype || `${known.dims}` !== `${shape}`) {
        throw new TypeError(
          `state: ${name} is ${known.type} [${known.dims}] and the program needs ${dtype} ${show(shape)}`,
        );
      }
    }
    await this.#place(missing);
  }

  get names(): string[] {
    return [...this.#values.keys()];
  }

  /** A copy of one tensor. */
  async read(name: string): Promise<Tensor> {
    const values = await this.inTurn(() => copies(this.device, this.feed([name])));
    return values.get(name)!;
  }

  /**
   * Copies of tensors (by default all), by name: with the random stream's position and the number of steps, a
   * checkpoint.
   */
  save(names: readonly string[] = this.names): Promise<Map<string, Tensor>> {
    return this.inTurn(() => copies(this.device, this.feed(names)));
  }

  /** Sets tensors that are here, by name: all of them, or none. */
  load(values: ReadonlyMap<string, Tensor>): Promise<void> {
    return this.inTurn(() => this.#load(values));
  }

  async #load(values: ReadonlyMap<string, Tensor>): Promise<void> {
    for (const [name, value] of values) {
      const known = this.#get(name);
      if (known.type !== value.dtype || `${known.dims}` !== `${value.shape}`) {
        throw new TypeError(
          `state: ${name} is ${known.type} [${known.dims}], and was given ${value.dtype} [${value.shape}]`,
        );
      }
    }
    await this.#place(values);
  }

  /** The tensors to feed. */
  feed(names: readonly string[]): Record<string, OrtTensor> {
    return Object.fromEntries(names.map((name) => [name, this.#get(name)]));
  }

  /** Takes the values that a run of `maker` has made. */
  advance(next: ReadonlyMap<string, OrtTensor>, maker: unknown): void {
    for (const [name, value] of next) {
      this.#values.get(name)?.dispose();
      this.#values.set(name, value);
      this.#makers.set(name, maker);
    }
  }

  /** Runs one after the other, whoever asks: a run reads and writes the whole state. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Brings copies of tensors to where the state lives. */
  async #place(tensors: ReadonlyMap<string, Tensor>): Promise<void> {
    const here = Object.fromEntries([...tensors].map(([name, t]) => [name, toDevice(this.device, copy(t))]));
    if (!this.device.keepsState || tensors.size === 0) return this.advance(new Map(Object.entries(here)), undefined);
    const { values, model } = await carried(this.device, here, "gpu-buffer");
    this.advance(values, model);
  }

  #get(name: string): OrtTensor {
    const value = this.#values.get(name);
    if (!value) throw new RangeError(`state: there is no ${name}; there are ${this.names.join(", ")}`);
    return value;
  }
}

/** Copies of a device's tensors on this side. */
export async function copies(device: Device, tensors: Record<string, OrtTensor>): Promise<Map<string, Tensor>> {
  const entries = Object.entries(tensors);
  if (!device.keepsState || entries.length === 0) {
    return new Map(entries.map(([name, value]) => [name, copy(fromDevice(value, value.data))]));
  }
  const { values, model } = await carried(device, tensors, "cpu");
  const result = new Map([...values].map(([name, value]) => [name, fromDevice(value, value.data)]));
  await model.release();
  return result;
}

/**
 * Tensors in other memory, as the results of a program that changes nothing: the Node binding has no other way in
 * either direction.
 */
async function carried(device: Device, tensors: Record<string, OrtTensor>, to: "cpu" | "gpu-buffer") {
  const graph = new OnnxGraph();
  for (const [name, { type, dims }] of Object.entries(tensors)) {
    graph.input(name, type as DType, dims);
    graph.output(nextName(name), name, type as DType, dims);
  }
  const options = { ...device.options, preferredOutputLocation: to };
  const model = await device.runtime.InferenceSession.create(graph.bytes(), options);
  const results = await model.run(tensors);
  const values = new Map(Object.keys(tensors).map((name) => [name, results[nextName(name)] as OrtTensor]));
  return { values, model };
}

function copy<D extends DType>(t: Tensor<D>): Tensor<D> {
  return tensor(t.dtype, t.shape, t.data.slice() as ArrayOf[D]);
}
