/**
 * Workers of a training step, in this process: what Ray, Flower or any other engine does with the files of
 * `telltale export --target step`, by the manifest alone (docs/scale.md).
 */

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { InferenceSession } from "onnxruntime-web";
import { decodeSafetensors } from "../src/formats/safetensors.ts";
import type { Device } from "../src/runtime/device.ts";
import { fromDevice, toDevice } from "../src/runtime/deviceTensor.ts";
import type { Random } from "../src/tensor/random.ts";
import { filled, sizeOf, type Tensor, takeRows, tensor } from "../src/tensor/tensor.ts";

type State = ReadonlyMap<string, Tensor>;

export interface StepManifest {
  readonly batch: number;
  readonly programs: Readonly<Record<string, StepProgram>>;
  readonly epochs: readonly { readonly program: string; readonly scalars: Readonly<Record<string, number>> }[];
  readonly state: {
    readonly file: string;
    readonly tensors: readonly { readonly name: string; readonly merge: "average" | "sum" | "take" }[];
  };
}

interface StepProgram {
  readonly file: string;
  readonly inputs: readonly {
    readonly name: string;
    readonly shape: readonly (number | "n")[];
    readonly from: "rows" | "scalar" | "uniform" | "normal";
  }[];
  readonly outputs: readonly string[];
  readonly updates: Readonly<Record<string, string>>;
}

export interface Training {
  /** Of each worker, its rows. */
  readonly shards: readonly Tensor<"float32">[];
  /** So many steps are made between two merges. */
  readonly local: number;
  /** Steps of each worker; without it, all batches of the epochs that the manifest has. */
  readonly steps?: number;
  readonly random: Random;
}

export class Step {
  readonly manifest: StepManifest;
  /** What training begins with. */
  readonly first: State;
  readonly #device: Device;
  readonly #models: ReadonlyMap<string, InferenceSession>;

  private constructor(
    manifest: StepManifest,
    first: State,
    device: Device,
    models: ReadonlyMap<string, InferenceSession>,
  ) {
    this.manifest = manifest;
    this.first = first;
    this.#device = device;
    this.#models = models;
  }

  static async open(file: string, device: Device): Promise<Step> {
    const beside = (name: string): Promise<Buffer> => readFile(join(dirname(file), name));
    const manifest = JSON.parse(await readFile(file, "utf8")) as StepManifest;
    const { tensors } = decodeSafetensors(await beside(manifest.state.file));
    const models = new Map<string, InferenceSession>();
    for (const [name, program] of Object.entries(manifest.programs)) {
      models.set(name, await device.runtime.InferenceSession.create(await beside(program.file), device.options));
    }
    return new Step(manifest, tensors, device, models);
  }

  /** One run of a program: the state after it, and its other outputs. */
  async run(name: string, state: State, fed: Readonly<Record<string, Tensor>> = {}) {
    const { updates, outputs } = this.manifest.programs[name]!;
    const model = this.#models.get(name)!;
    const given = new Map([...state, ...Object.entries(fed)]);
    const feeds = Object.fromEntries(model.inputNames.map((each) => [each, toDevice(this.#device, given.get(each)!)]));
    const results = await model.run(feeds);
    const read = (each: string): Tensor => fromDevice(results[each]!, results[each]!.data);
    return {
      state: new Map([...state, ...Object.entries(updates).map(([each, next]) => [each, read(next)] as const)]),
      outputs: Object.fromEntries(outputs.map((each) => [each, read(each)])),
    };
  }

  /** One step on some rows; what is random is drawn. */
  step(name: string, state: State, x: Tensor<"float32">, scalars: Readonly<Record<string, number>>, random: Random) {
    const fed: Record<string, Tensor> = {};
    for (const input of this.manifest.programs[name]!.inputs) {
      const shape = input.shape.map((size) => (size === "n" ? x.shape[0]! : size));
      if (input.from === "rows") fed[input.name] = x;
      else if (input.from === "scalar") fed[input.name] = filled("float32", [], scalars[input.name]!);
      else fed[input.name] = tensor("float32", shape, drawn[input.from](random, sizeOf(shape)));
    }
    return this.run(name, state, fed);
  }

  /** Every tensor by its rule. */
  merged(base: State, states: readonly State[]): State {
    return new Map(
      this.manifest.state.tensors.map(({ name, merge }) => {
        const [before, all] = [base.get(name)!, states.map((state) => state.get(name)!.data as Float32Array)];
        const data = (before.data as Float32Array).map((b, i) =>
          rules[merge](
            b,
            all.map((each) => each[i]!),
          ),
        );
        return [name, merge === "take" ? states[0]!.get(name)! : tensor("float32", before.shape, data)];
      }),
    );
  }

  /** Local steps and merges in turn, epoch by epoch. */
  async train({ shards, local, steps, random }: Training): Promise<State> {
    const { batch, epochs } = this.manifest;
    const inEpoch = Math.max(...shards.map(({ shape }) => Math.ceil(shape[0]! / batch)));
    let [state, left] = [this.first, steps ?? inEpoch * epochs.length];
    for (let epoch = 0; left > 0; epoch++) {
      const { program, scalars } = epochs[Math.min(epoch, epochs.length - 1)]!;
      const orders = shards.map(({ shape }, i) => random.fork(`${epoch} ${i}`).permutation(shape[0]!));
      for (let at = 0; at < inEpoch && left > 0; at += local) {
        const count = Math.min(local, inEpoch - at, left);
        const states: State[] = [];
        for (const [i, shard] of shards.entries()) {
          let own = state;
          const draws = random.fork(`${epoch} ${at} ${i}`);
          for (let j = at; j < at + count; j++) {
            const rows = orders[i]!.subarray(j * batch, (j + 1) * batch);
            if (rows.length > 0) own = (await this.step(program, own, takeRows(shard, rows), scalars, draws)).state;
          }
          states.push(own);
        }
        state = this.merged(state, states);
        left -= count;
      }
      ({ state } = await this.run("end", state));
    }
    return state;
  }
}

const drawn = {
  uniform: (random: Random, count: number) => random.uniforms(count),
  normal: (random: Random, count: number) => random.normals(count),
};

const rules = {
  average: (_: number, all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length,
  sum: (before: number, all: readonly number[]) => all.reduce((sum, each) => sum + (each - before), before),
  take: (before: number) => before,
};
