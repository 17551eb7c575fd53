/** A program on a device. It draws its random inputs, runs one step or many, and keeps the state. */

import type { InferenceSession, Tensor as OrtTensor } from "onnxruntime-web";
import { type Input, reachable } from "../graph/node.ts";
import { bind, show } from "../graph/size.ts";
import type { Random } from "../tensor/random.ts";
import { isFloat, sizeOf, type Tensor, tensor } from "../tensor/tensor.ts";
import { compile, isPacked, nextName, packedName, stepName } from "./compile.ts";
import type { Device } from "./device.ts";
import { fromDevice, toDevice } from "./deviceTensor.ts";
import type { Program } from "./program.ts";
import { copies, State } from "./state.ts";

export type Values = Readonly<Record<string, Tensor>>;

export interface SessionOptions {
  /** State to share with other sessions; without it, a new one with the variables' initial values. */
  state?: State;
  /** Steps in one run, instead of what the device prefers. */
  stepsPerRun?: number;
}

export interface RunOptions {
  /** Where inputs that are drawn come from. */
  random?: Random;
  /** Stops between runs, never inside one: the state is then that of the last finished run. */
  signal?: AbortSignal;
}

export class Session {
  readonly program: Program;
  readonly device: Device;
  readonly state: State;
  readonly stepsPerRun: number;
  /** How many steps this session has made. Set it with the state when a training is resumed. */
  steps = 0;
  readonly #models = new Map<number, Promise<InferenceSession>>();
  /** The names of the variables that a run changes. */
  readonly #updated: readonly string[];

  private constructor(program: Program, device: Device, { state, stepsPerRun }: SessionOptions) {
    this.program = program;
    this.device = device;
    this.state = state ?? new State(device);
    this.stepsPerRun = stepsPerRun ?? preferredSteps(program, device);
    if (!Number.isInteger(this.stepsPerRun) || this.stepsPerRun < 1) {
      throw new RangeError(`session: stepsPerRun must be a whole number from 1, got ${this.stepsPerRun}`);
    }
    this.#updated = program.updates.map(([{ attributes }]) => attributes.name);
  }

  static async open(program: Program, device: Device, options: SessionOptions = {}): Promise<Session> {
    const { state } = options;
    if (state && state.device.name !== device.name) {
      throw new TypeError(`session: the state lives on ${state.device.name}, and cannot be shared on ${device.name}`);
    }
    const session = new Session(program, device, options);
    await session.state.adopt(program.variables);
    await session.#model(1);
    return session;
  }

  /** One step: outputs by name. */
  async run(inputs: Values = {}, options: RunOptions = {}): Promise<Values> {
    const [outputs] = await this.runMany([inputs], options);
    return outputs!;
  }

  /**
   * One step per batch, several in one run where that is faster; outputs of each step.
   * All batches are checked before the first step. Whoever else wants the state waits until the last.
   */
  async runMany(batches: readonly Values[], { random, signal }: RunOptions = {}): Promise<Values[]> {
    const rows = batches.map((batch) => this.#check(batch, random));
    return this.state.inTurn(async () => {
      const outputs: Values[] = [];
      let rested = performance.now();
      while (outputs.length < batches.length) {
        if (performance.now() - rested > longestBusy) {
          await rest();
          rested = performance.now();
        }
        signal?.throwIfAborted();
        const from = outputs.length;
        const chunk = batches.slice(from, from + this.#chunk(rows.slice(from, from + this.stepsPerRun)));
        outputs.push(
          ...(await this.#runChunk(chunk.map((batch, i) => this.#complete(batch, rows[from + i]!, random)))),
        );
      }
      return outputs;
    });
  }

  /** Frees the compiled models. The state stays, for reading and for other sessions. */
  async close(): Promise<void> {
    await this.state.inTurn(async () => {
      // On a GPU the state's tensors belong to the model that made them: it goes when they do.
      if (!this.device.keepsState) for (const model of this.#models.values()) await (await model).release();
      this.#models.clear();
    });
  }

  /**
   * Steps for the next run: whole groups of batches of one size, or single steps.
   * Groups are counted from step 0, so that stopping and resuming does not shift them.
   */
  #chunk(rows: readonly number[]): number {
    const atStart = this.#updated.length > 0 && this.steps % this.stepsPerRun === 0;
    const whole = rows.length === this.stepsPerRun && rows.every((n) => n === rows[0]);
    return atStart && whole ? this.stepsPerRun : 1;
  }

  async #runChunk(batches: readonly Values[]): Promise<Values[]> {
    const model = await this.#model(batches.length);
    const { program, device, state } = this;
    const feeds = state.feed(program.variables.map(({ attributes }) => attributes.name));
    batches.forEach((batch, step) => {
      for (const [name, value] of Object.entries(batch)) feeds[stepName(name, step)] = toDevice(device, value);
    });
    const results = await model.run(feeds);

    const outputs = this.#outputs(results, batches.length);
    const next = new Map(this.#updated.map((name) => [name, results[nextName(name)] as OrtTensor]));
    const bad = this.#updated.length > 0 ? outputs.findIndex((values) => badScalar(values)) : -1;
    if (bad >= 0) {
      const where = `step ${this.steps + bad}: ${badScalar(outputs[bad]!)}`;
      const problem = await this.#explainBadStep(where, batches[bad]!, next);
      for (const value of next.values()) value.dispose();
      // The state before this run is still here: make its steps one by one, and the first bad one explains itself
      // better.
      if (batches.length > 1) for (const batch of batches.slice(0, bad + 1)) await this.#runChunk([batch]);
      throw problem;
    }
    state.advance(next, model);
    this.steps += batches.length;
    return outputs;
  }

  /** The outputs of each step. */
  #outputs(results: InferenceSession.ReturnType, steps: number): Values[] {
    const scalars = results[packedName]?.data as Float32Array | undefined;
    let position = 0;
    const outputs: Values[] = [];
    for (let step = 0; step < steps; step++) {
      const values: Record<string, Tensor> = {};
      for (const [name, node] of Object.entries(this.program.outputs)) {
        if (isPacked(node)) values[name] = tensor("float32", [], scalars!.slice(position, ++position));
        else {
          const value = results[stepName(name, step)] as OrtTensor;
          values[name] = fromDevice(value, value.data);
        }
      }
      outputs.push(values);
    }
    return outputs;
  }

  /** Why a step gave a number that is none: the input, a state tensor before it, or one after it. */
  async #explainBadStep(where: string, batch: Values, next: ReadonlyMap<string, OrtTensor>): Promise<RangeError> {
    const spoiled = Object.entries(batch).find(([, value]) => !allFinite(value));
    if (spoiled) return new RangeError(`${where}, because the input ${spoiled[0]} is not finite everywhere`);
    for (const tensors of [this.state.feed(this.#updated), Object.fromEntries(next)]) {
      const bad = [...(await copies(this.device, tensors))].find(([, value]) => !allFinite(value));
      const cure = "Try a smaller learning rate, or scale the data.";
      if (bad) return new RangeError(`${where}; the first state tensor that went bad is ${bad[0]}. ${cure}`);
    }
    return new RangeError(`${where}, with every state tensor still finite. Look for a log or a division by zero.`);
  }

  /** Checks a batch against the program's inputs, and returns its number of rows. */
  #check(batch: Values, random: Random | undefined): number {
    const { inputs } = this.program;
    for (const name of Object.keys(batch)) {
      if (!inputs.some(({ attributes }) => attributes.name === name)) {
        const names = inputs.map(({ attributes }) => attributes.name).join(", ");
        throw new TypeError(`run: there is no input ${name}; there are ${names}`);
      }
    }
    const n = countRows(inputs, batch);
    for (const { attributes, shape, dtype } of inputs) {
      const { name, draw } = attributes;
      const given = batch[name];
      if (given && (given.dtype !== dtype || `${given.shape}` !== `${bind(shape, n)}`)) {
        const got = given.dtype ? `${given.dtype} [${given.shape}]` : `${given}`;
        throw new TypeError(`run: the input ${name} must be ${dtype} ${show(shape)}, got ${got}`);
      }
      if (!given && !draw) throw new TypeError(`run: the input ${name} ${show(shape)} is missing`);
      if (!given && !random) throw new TypeError(`run: the input ${name} is drawn at random; give a random stream`);
    }
    return n;
  }

  /** The batch with what is drawn filled in. */
  #complete(batch: Values, n: number, random: Random | undefined): Values {
    return Object.fromEntries(
      this.program.inputs.map(({ attributes: { name, draw }, shape }) => {
        const size = sizeOf(bind(shape, n));
        const drawn = () => (draw === "uniform" ? random!.uniforms(size) : random!.normals(size));
        return [name, batch[name] ?? tensor("float32", bind(shape, n), drawn())];
      }),
    );
  }

  #model(steps: number): Promise<InferenceSession> {
    let model = this.#models.get(steps);
    if (!model) {
      const { program, device } = this;
      const kept = this.#updated.map((name) => [nextName(name), "gpu-buffer"] as const);
      const options = device.keepsState
        ? { ...device.options, preferredOutputLocation: Object.fromEntries(kept) }
        : device.options;
      model = device.runtime.InferenceSession.create(
        compile(program, { steps, packScalars: true, target: device.target }),
        options,
      );
      this.#models.set(steps, model);
      model.catch(() => this.#models.delete(steps));
    }
    return model;
  }
}

/**
 * As many steps as the device likes, halved until the unrolled program is small enough to be opened in about a second.
 */
function preferredSteps(program: Program, device: Device): number {
  const nodes = reachable([...Object.values(program.outputs), ...program.updates.flat()]).length;
  let steps = device.stepsPerRun;
  while (steps > 1 && steps * nodes > largestUnrolled) steps /= 2;
  return steps;
}

const largestUnrolled = 4500;

/**
 * Some runtimes never let the event loop have its turn: after so many milliseconds we do, for signals, timers and the
 * page.
 */
const longestBusy = 50;
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** n, from the inputs that have it; they must agree. */
function countRows(inputs: readonly Input[], batch: Values): number {
  const dependent = inputs.filter(({ shape }) => shape.includes("n"));
  let [n, source] = [0, ""];
  for (const { attributes, shape } of dependent) {
    const { name } = attributes;
    const given = batch[name]?.shape?.[shape.indexOf("n")];
    if (given === undefined) continue;
    if (source && n !== given) {
      throw new RangeError(`run: inputs differ in their number of rows, ${source} has ${n} and ${name} has ${given}`);
    }
    [n, source] = [given, name];
  }
  // An input that is missing, or is no tensor, is named by the check that follows.
  if (
    !source &&
    dependent.length > 0 &&
    dependent.every(({ attributes }) => attributes.draw && !batch[attributes.name])
  ) {
    throw new TypeError(`run: nothing that is fed says how many rows ${dependent[0]!.attributes.name} has`);
  }
  return n;
}

/** The first scalar output that is not a finite number, in words. */
function badScalar(values: Values): string | undefined {
  for (const [name, { shape, data, dtype }] of Object.entries(values)) {
    if (shape.length === 0 && isFloat(dtype) && !Number.isFinite(data[0])) {
      return `${name} became ${Number.isNaN(data[0]) ? "NaN" : "infinite"}`;
    }
  }
  return undefined;
}

function allFinite({ data, dtype }: Tensor): boolean {
  return !isFloat(dtype) || (data as Float32Array).every(Number.isFinite);
}
