/** Learning clusters from rows: by a method's name, with everything else optional. */

import { type RowsLike, toData } from "../data/data.ts";
import type { defaultMethod, MethodName } from "../methods/index.ts";
import { checkWeights } from "../runtime/compile.ts";
import { type Device, type DeviceOffer, findDevice, once } from "../runtime/device.ts";
import { Encoder } from "../training/encoder.ts";
import type { Epoch } from "../training/epoch.ts";
import type { Checkpoint, Fit } from "../training/job.ts";
import type { Method } from "../training/method.ts";
import { train } from "../training/train.ts";
import { choosing, isOpen } from "./choosing.ts";
import { checkedMethod, type FitOptions, jobOf, type NamedFitOptions, namedOptions } from "./fitOptions.ts";
import { Model, type ModelKind } from "./model.ts";

/**
 * A training that is under way: await it for the model, or go through its epochs first.
 * Leaving its epochs early (`break`) stops it; whoever then waits for the model is told so.
 */
export class Fitting<M extends Model = Model> implements PromiseLike<M>, AsyncIterable<Epoch> {
  readonly #epochs: AsyncGenerator<Epoch, Fit>;
  readonly #open: (fit: Fit) => Promise<M>;
  readonly #onEpoch: ((epoch: Epoch) => void) | undefined;
  #model: Promise<M> | undefined;
  #outcome: { readonly fit: Fit } | { readonly error: unknown } | undefined;

  constructor(epochs: AsyncGenerator<Epoch, Fit>, open: (fit: Fit) => Promise<M>, onEpoch?: (epoch: Epoch) => void) {
    this.#epochs = epochs;
    this.#open = open;
    this.#onEpoch = onEpoch;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Epoch> {
    try {
      for (let epoch = await this.#next(); epoch; epoch = await this.#next()) yield epoch;
    } finally {
      if (!this.#outcome) await this.#epochs.return(undefined as never);
    }
  }

  /** What came out, once its epochs have been gone through. */
  ended(): Fit {
    if (!this.#outcome) throw new Error("fit: the training has not ended yet");
    if ("error" in this.#outcome) throw this.#outcome.error;
    return this.#outcome.fit;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a training is what people do with it.
  then<A = M, B = never>(
    onModel?: ((model: M) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#model ??= this.#run();
    return this.#model.then(onModel, onError);
  }

  async #run(): Promise<M> {
    for await (const _ of this);
    return this.#open(this.ended());
  }

  /** The next epoch, or none after the last. However many ask, each gets the end, or the error. */
  async #next(): Promise<Epoch | undefined> {
    if (this.#outcome) return void this.ended();
    try {
      const { done, value } = await this.#epochs.next();
      if (!done) {
        this.#onEpoch?.(value);
        return value;
      }
      if (value) this.#outcome ??= { fit: value };
      else this.#outcome ??= { error: new Error("fit: the training was stopped before it ended") };
    } catch (error) {
      this.#outcome ??= { error };
    }
    return void this.ended();
  }
}

/** The loop on a device; where the number of clusters is left open, it is found first. */
export async function* fitting(rows: RowsLike, options: NamedFitOptions, device: Device): AsyncGenerator<Epoch, Fit> {
  const { clusters, resume } = options;
  // A training that was begun has found it.
  if (isOpen(clusters) && resume) {
    const begun = (resume as Checkpoint).plan.clusters;
    return yield* train(await jobOf(rows, { ...options, clusters: begun }, device));
  }
  if (!isOpen(clusters) || options.teacher) return yield* train(await jobOf(rows, options, device));
  const found = yield* choosing(rows, { ...options, clusters }, device);
  return { ...(yield* train(await jobOf(rows, found.options, device))), choice: found.choice };
}

/** What is learned from: rows; behind a frozen encoder its features, which need no other network. */
export interface Prepared {
  readonly rows: RowsLike;
  readonly options: NamedFitOptions;
  readonly encoder?: Encoder;
}

export async function prepared(
  rows: RowsLike,
  options: NamedFitOptions,
  device: () => Promise<Device>,
): Promise<Prepared> {
  const { network, missing, signal, memory } = options;
  if (!(network instanceof Uint8Array)) return { rows, options };
  checkedMethod(options);
  const encoder = await Encoder.open(network, await device(), { signal, memory });
  try {
    return {
      rows: await encoder.features(toData(rows, missing)),
      options: { ...options, network: "none" },
      encoder,
    };
  } catch (error) {
    await encoder.close();
    throw error;
  }
}

/** A training whose encoder goes with it, unless it comes to its end: then it goes on into the model. */
export async function* withEncoder(
  encoder: Encoder | undefined,
  training: AsyncGenerator<Epoch, Fit>,
): AsyncGenerator<Epoch, Fit> {
  let hasEnded = false;
  try {
    const fit = yield* training;
    hasEnded = true;
    // What stops a training has nothing to say to the model that comes out of it.
    encoder?.stopOn(undefined);
    return fit;
  } finally {
    if (!hasEnded) await encoder?.close();
  }
}

/** The model of a fit, with its frozen encoder if it has one. */
export function modelOf<M extends Model>(
  fit: Fit,
  encoder: Encoder | undefined,
  device: Device,
  Kind: ModelKind<M>,
): M {
  const model = new Kind(fit, device, encoder);
  // A weight that is not there would keep the value it had before training.
  checkWeights(model.program(), fit.state);
  return model;
}

/** Learns clusters by a method whose name, and the names of its options, are known only at run time. */
export type FitByName<M extends Model = Model> = (rows: RowsLike, options: NamedFitOptions) => Fitting<M>;

/** `fitByName` for the devices that may be here. */
export function fitByNameOn(offers: readonly DeviceOffer[]): FitByName {
  return (rows, options) => {
    const { device: wanted } = options;
    const device = once(() => (typeof wanted === "object" ? Promise.resolve(wanted) : findDevice(offers, wanted)));
    let encoder: Encoder | undefined;
    async function* epochs(): AsyncGenerator<Epoch, Fit> {
      const made = await prepared(rows, options, device);
      encoder = made.encoder;
      return yield* withEncoder(encoder, fitting(made.rows, made.options, await device()));
    }
    return new Fitting(epochs(), async (fit) => modelOf(fit, encoder, await device(), Model), options.onEpoch);
  };
}

/** `fit`, whose options have the types that its method declares. */
export function typedFit<Kind extends Model>(fitByName: FitByName<Kind>) {
  /**
   * Learns clusters. `await fit(rows, { clusters: 10 })` gives the model; `for await (const epoch of fit(…))` shows it
   * learning.
   */
  return function fit<M extends MethodName | Method = typeof defaultMethod>(
    rows: RowsLike,
    options: FitOptions<M>,
  ): Fitting<Kind> {
    return fitByName(rows, namedOptions(options));
  };
}
