/** Learning clusters from rows: by a method's name, with everything else optional. */

import type { RowsLike } from "../data/data.ts";
import type { Method } from "../training/contract.ts";
import type { Epoch } from "../training/epoch.ts";
import { Model } from "../training/model.ts";
import { type Fit, type FitSettings, train } from "../training/train.ts";
import { methodOf } from "./index.ts";

export type FitOptions = Omit<FitSettings, "options"> & {
  /** By default tell. A method of your own is as good as one of ours. */
  readonly method?: string | Method;
  /** Called after every epoch. */
  readonly onEpoch?: (epoch: Epoch) => void;
} & Readonly<Record<string, unknown>>;

/** What is not an option of a method. */
const settings: readonly (keyof FitSettings)[] = [
  "clusters",
  "seed",
  "profile",
  "network",
  "device",
  "signal",
  "labels",
  "evaluateEvery",
  "snapshots",
  "pretrained",
  "onCheckpoint",
  "resume",
];

/** A training that is under way: await it for the model, or go through its epochs first. */
export class Fitting implements PromiseLike<Model>, AsyncIterable<Epoch> {
  readonly #epochs: AsyncGenerator<Epoch, Fit>;
  readonly #options: FitOptions;
  #model: Promise<Model> | undefined;
  #ended: Fit | undefined;

  constructor(epochs: AsyncGenerator<Epoch, Fit>, options: FitOptions) {
    this.#epochs = epochs;
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Epoch> {
    while (!this.#ended) {
      const { done, value } = await this.#epochs.next();
      if (done) this.#ended = value;
      else {
        this.#options.onEpoch?.(value);
        yield value;
      }
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a training is what people do with it.
  then<A = Model, B = never>(
    onModel?: ((model: Model) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#model ??= this.#run();
    return this.#model.then(onModel, onError);
  }

  async #run(): Promise<Model> {
    for await (const _ of this);
    return new Model(this.#ended!, this.#options.device);
  }
}

/** Learns clusters. `await fit(rows, { clusters: 10 })` gives the model; `for await (const epoch of fit(…))` shows it learning. */
export function fit(rows: RowsLike, options: FitOptions): Fitting {
  const { method = "tell", onEpoch: _, ...rest } = options;
  const known = Object.entries(rest).filter(([name]) => (settings as readonly string[]).includes(name));
  const own = Object.entries(rest).filter(([name]) => !(settings as readonly string[]).includes(name));
  // A network by name is an option; one of the user's own is a function.
  const named = known.filter(([name, value]) => name === "network" && typeof value === "string");
  const given = Object.fromEntries(known.filter((entry) => !named.includes(entry))) as unknown as FitSettings;
  const chosen = typeof method === "string" ? methodOf(method) : method;
  return new Fitting(train(rows, chosen, { ...given, options: Object.fromEntries([...own, ...named]) }), options);
}
