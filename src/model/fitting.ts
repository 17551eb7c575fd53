/** Learning clusters from rows: by a method's name, with everything else optional. */

import { type RowsLike, toData } from "../data/data.ts";
import { methodOf } from "../methods/index.ts";
import { type Device, type DeviceName, type DeviceOffer, findDevice, once } from "../runtime/device.ts";
import { Encoder } from "../training/encoder.ts";
import type { Epoch } from "../training/epoch.ts";
import type { Method } from "../training/method.ts";
import type { NetworkBuilder } from "../training/network.ts";
import type { SharedOptions } from "../training/sharedOptions.ts";
import { type Fit, type FitSettings, train } from "../training/train.ts";
import { Model, type ModelKind } from "./model.ts";

/** What `fit` takes beside the options of the method and the shared ones. */
export interface KnownFitOptions extends Omit<FitSettings, "options" | "device" | "network"> {
  /** By default tell. A method of your own is as good as one of ours. */
  readonly method?: string | Method;
  /** Where to run, by name, or a device that you have found yourself; by default the first that is here. */
  readonly device?: Device | DeviceName;
  /** One of ours by name, your own as formulas, or the bytes of an ONNX file: an encoder that stays as it is. */
  readonly network?: SharedOptions["network"] | NetworkBuilder | Uint8Array;
  /** Called after every epoch. */
  readonly onEpoch?: (epoch: Epoch) => void;
}

/** Any option of the method, and any shared one. */
export interface OptionsByName {
  readonly [option: string]: unknown;
}

export type FitOptions = KnownFitOptions & OptionsByName;

/** What is not an option of a method. */
const settings: readonly (keyof FitSettings)[] = [
  "clusters",
  "seed",
  "profile",
  "signal",
  "labels",
  "evaluateEvery",
  "snapshots",
  "pretrained",
  "keepPretrained",
  "onCheckpoint",
  "resume",
  "missing",
];

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

/** What the loop wants, from what people write: settings, and options by name. */
export function settingsOf(options: FitOptions): { method: Method; settings: Omit<FitSettings, "device"> } {
  const { method = "tell", onEpoch: _, device: __, network, ...rest } = options;
  const isSetting = ([name]: [string, unknown]): boolean => (settings as readonly string[]).includes(name);
  const entries = Object.entries(rest).filter(([, value]) => value !== undefined);
  const own = Object.fromEntries(entries.filter((entry) => !isSetting(entry)));
  return {
    method: typeof method === "string" ? methodOf(method) : method,
    settings: {
      ...(Object.fromEntries(entries.filter(isSetting)) as unknown as FitSettings),
      ...(typeof network === "function" && { network }),
      options: typeof network === "string" ? { ...own, network } : own,
    },
  };
}

/** The loop on a device. A frozen encoder makes features of the rows first, and they are what is clustered. */
export async function* fitting(rows: RowsLike, options: FitOptions, device: Device): AsyncGenerator<Epoch, Fit> {
  const { method, settings } = settingsOf(options);
  if (!(options.network instanceof Uint8Array)) return yield* train(rows, method, { ...settings, device });
  const encoder = await Encoder.open(options.network, device);
  const features = await encoder.features(toData(rows, settings.missing));
  return yield* train(features, method, { ...settings, options: { ...settings.options, network: "none" }, device });
}

/** The model of a fit, with its frozen encoder if it has one. */
export async function modelOf<M extends Model>(
  fit: Fit,
  { network }: Pick<FitOptions, "network">,
  device: Device,
  Kind: ModelKind<M>,
): Promise<M> {
  return new Kind(fit, device, network instanceof Uint8Array ? await Encoder.open(network, device) : undefined);
}

/** `fit` for the devices that may be here. */
export function fitOn(offers: readonly DeviceOffer[]) {
  /** Learns clusters. `await fit(rows, { clusters: 10 })` gives the model; `for await (const epoch of fit(…))` shows it learning. */
  return function fit(rows: RowsLike, options: FitOptions): Fitting {
    const { device: wanted } = options;
    const device = once(() =>
      wanted === undefined || typeof wanted === "string" ? findDevice(offers, wanted) : Promise.resolve(wanted),
    );
    async function* epochs(): AsyncGenerator<Epoch, Fit> {
      return yield* fitting(rows, options, await device());
    }
    return new Fitting(epochs(), async (fit) => modelOf(fit, options, await device(), Model), options.onEpoch);
  };
}
