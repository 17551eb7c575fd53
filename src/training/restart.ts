/** One restart of the loop: pretraining, the start of the clusters, their epochs, and what came out. */

import type { Batch, Data } from "../data/data.ts";
import type { Variable } from "../graph/node.ts";
import { paceOf } from "../numerics/pace.ts";
import type { Device } from "../runtime/device.ts";
import type { Session, Values } from "../runtime/session.ts";
import { type BuildProgram, Sessions } from "../runtime/sessions.ts";
import { State } from "../runtime/state.ts";
import type { Random } from "../tensor/random.ts";
import { filled, sizeOf, type Tensor, tensor, toNumbers } from "../tensor/tensor.ts";
import { calibratedTemperature, calibrationError, Judging } from "./calibration.ts";
import { emptyIn, noticesAbout, type Phase, type Snapshot } from "./epoch.ts";
import { dataName, type Feed, fed, feedOf, runAll } from "./feed.ts";
import { agreementOf } from "./lesson.ts";
import type { Start } from "./method.ts";
import { type Formulas, formulate, type Plan, stepsAnEpoch, streamOf } from "./plan.ts";
import { Programs } from "./programs.ts";
import { refilled } from "./refill.ts";
import { nearTies, rowOf } from "./ties.ts";
import { spreadToNeighbours } from "./votes.ts";

/** Rows per run where nothing is learned. */
const wideBatch = 1024;
/** At most so many numbers are given to a method's start: all codes of most data, a sample of the rest. */
const largestStart = 2 ** 23;
const snapshotRows = 1000;
/** Means are taken of so many. */
const mostRecentered = 50_000;
/** A center without rows finds others among so many; and one that takes the last row of another is tried again. */
const mostRefilled = 10_000;
const refills = 8;

/** What a sample shows of its rows, and the program that says it. */
const seenAs = { comparable: "comparableCodes", given: "codes", rows: "scaledRows" } as const;

/** What one epoch gave. */
export interface Passed {
  readonly losses: Record<string, number>;
  /** Of the rows, if not all. */
  readonly share?: number;
  readonly sizes?: readonly number[];
  readonly notices: readonly string[];
  /** Whether centers that had lost their rows were put elsewhere. */
  readonly isRefilled?: boolean;
}

export interface Settled {
  readonly labels: Int32Array;
  /** The mean distance to the own center. */
  readonly loss: number;
  /** How far probabilities are from what rows that were held out say. */
  readonly calibration?: number;
}

/** How far rows are from where the clusters are. */
export interface Remoteness {
  readonly distance: Float32Array;
  readonly error: Float32Array;
}

export class Restart {
  readonly plan: Plan;
  readonly formulas: Formulas;
  readonly #data: Data;
  /** What its epochs go through: all of the data, or without rows that are held out. */
  readonly #learned: Data;
  readonly #signal: AbortSignal | undefined;
  readonly #state: State;
  readonly #feed: Feed;
  readonly #random: Random;
  readonly #sessions: Sessions<Programs>;
  readonly #programs: Programs;
  /** What each row is taught, −1 for nothing. */
  #taught: Int32Array | undefined;

  constructor(plan: Plan, index: number, data: Data, device: Device, signal?: AbortSignal, learned: Data = data) {
    this.plan = plan;
    this.formulas = formulate(plan, index);
    this.#data = data;
    this.#learned = learned;
    this.#signal = signal;
    this.#state = new State(device);
    this.#feed = feedOf(data, device, plan.scaling);
    this.#random = streamOf(plan, index);
    this.#programs = new Programs(plan, this.formulas, this.#feed, device);
    this.#sessions = new Sessions(this.#programs, this.#state);
  }

  /** Whether there is a network to pretrain, and epochs for it. */
  get pretrains(): boolean {
    return this.plan.options.pretraining > 0 && this.formulas.network.parameters.length > 0;
  }

  /** All that training has learned so far: with the number of finished epochs, a checkpoint. */
  async save(): Promise<Map<string, Tensor>> {
    await this.#openAll();
    return this.#state.save(this.#state.names.filter((name) => name !== dataName));
  }

  /** The network's weights and the optimizer's memory, as pretraining left them. */
  async pretrained(): Promise<Map<string, Tensor>> {
    const names = this.#programs.pretraining().variables.map(({ attributes }) => attributes.name);
    return this.#state.save(names.filter((name) => name !== dataName));
  }

  /** What a model needs of the state. */
  model(): Promise<Map<string, Tensor>> {
    return this.#state.save(this.#programs.modelVariables());
  }

  async load(values: ReadonlyMap<string, Tensor>): Promise<void> {
    await this.#openAll();
    await this.#state.load(values);
  }

  /** From now on, rows come with these labels, [count]; −1 is none. */
  teach(labels: Int32Array): void {
    this.#taught = labels;
  }

  /** One epoch of plain reconstruction. */
  async pretrain(epoch: number): Promise<Passed> {
    const { pretrainingRate } = this.plan.options;
    const session = await this.#sessions.of(this.#programs.pretraining);
    const { losses } = await this.#run(session, "pretraining", epoch, { rate: pretrainingRate });
    return { losses, notices: [] };
  }

  /** Places the first centers, and forgets the optimizer's memory of pretraining unless the method goes on with it. */
  async begin(): Promise<void> {
    await this.#openAll();
    const { clustering } = this.formulas;
    if (this.pretrains && !clustering.continuesOptimizer) {
      const kept = new Set(this.#programs.modelVariables());
      const memory = this.#programs
        .pretraining()
        .variables.map(({ attributes }) => attributes)
        .filter(({ name }) => name !== dataName && !kept.has(name));
      await this.#state.load(new Map(memory.map(({ name, initial }) => [name, initial])));
    }
    const most = Math.max(this.plan.clusters, Math.floor(largestStart / this.formulas.network.latent));
    const start = await this.#start(most);
    const first = new Map(clustering.begin(start));
    const comparable = clustering.comparable ? await this.codes(start.codes.shape[0]!) : start.codes;
    first.set(this.#programs.firstSpread, filled("float32", [], spreadOf(comparable)));
    await this.#load(first);
  }

  async #start(most: number): Promise<Start> {
    const { codes, rows } = await this.sample(most, "given");
    const labels = this.#taught;
    return {
      codes,
      random: this.#random.fork("start"),
      ...(labels && { labels: rows.map((row) => labels[row]!) }),
    };
  }

  /**
   * Puts the centers where they would begin with the codes as they are now, unless more than `most` of the taught rows
   * would then be elsewhere; whether it has.
   */
  async recenter(most: number): Promise<boolean> {
    const start = await this.#start(mostRecentered);
    const before = await this.agreement(start);
    const first = this.formulas.clustering.begin(start);
    const old = await this.#state.save([...first.keys()].map(({ attributes }) => attributes.name));
    await this.#load(first);
    if ((await this.agreement(start)) >= before - most) return true;
    await this.#state.load(old);
    return false;
  }

  /** The share of the taught rows, or of a sample of them, that are where they are taught to be. */
  async agreement(start?: Start): Promise<number> {
    const { codes, labels } = start ?? (await this.#start(mostRecentered));
    return agreementOf(await this.labelsOf(codes), labels!);
  }

  async #load(values: ReadonlyMap<Variable, Tensor>): Promise<void> {
    await this.#state.load(new Map([...values].map(([{ attributes }, value]) => [attributes.name, value])));
  }

  /** One epoch of clustering. */
  async cluster(epoch: number): Promise<Passed> {
    const { clustering } = this.formulas;
    const { rate, decay, decayEvery, leastRate, epochs, steps, batch } = this.plan.options;
    if (clustering.perRow?.renews(epoch)) await this.#renew();
    const kind = clustering.kindOf?.(epoch) ?? Object.keys(clustering.steps)[0]!;
    const step = this.#programs.steps.get(kind);
    if (!step) throw new RangeError(`${this.plan.method.name}: there is no step for epochs of the kind "${kind}"`);
    const scheduled = {
      rate: decayEvery > 0 ? Math.max(rate * decay ** Math.floor(epoch / decayEvery), leastRate) : rate,
      ...clustering.schedule?.(epoch, epochs),
    };
    const left = steps > 0 ? steps - epoch * stepsAnEpoch(this.#learned.count, batch) : Number.POSITIVE_INFINITY;
    const { losses, share } = await this.#run(await this.#sessions.of(step), "clustering", epoch, scheduled, left);
    const { omega, counted, first } = await (await this.#sessions.of(this.#programs.endOfEpoch)).run();
    const sizes = toNumbers(counted!);
    const spread = { now: losses.spread!, first: Number(first!.data[0]) };
    // That a few rows are not in a cluster does not make it empty.
    const whole = share < 1 ? [] : sizes;
    const isRefilled = await this.#refill(emptyIn(whole));
    // What rows were led by knows nothing of the new place.
    if (isRefilled && clustering.perRow) await this.#renew();
    const done = isRefilled ? "done" : this.plan.options.refill ? "failed" : "off";
    const notices = noticesAbout(whole, omega as Tensor<"float32">, spread, done);
    return { losses, sizes, notices, isRefilled, ...(share < 1 && { share }) };
  }

  /** Puts the centers of clusters without rows where the loss is largest; whether that could be done. */
  async #refill(empty: readonly number[]): Promise<boolean> {
    const { withCenters } = this.formulas.clustering;
    if (empty.length === 0 || !withCenters || !this.plan.options.refill) return false;
    const random = this.#random.fork("refill");
    const most = Math.max(mostRefilled, 2 * this.plan.clusters);
    const { codes, rows } = await this.sample(most, "comparable", random.fork("sample"));
    const found = { codes, labels: await this.labelsOf(codes), centers: await this.centers() };
    const taught = this.#taught && rows.map((row) => this.#taught![row]!);
    const centers = refilled({ ...found, ...(taught && { taught }) }, empty, random);
    if (!centers) return false;
    await this.#load(withCenters(centers));
    return true;
  }

  /** The cluster of every row. */
  async labels(): Promise<Int32Array> {
    const labels = new Int32Array(this.#data.count);
    for await (const [batch, { label }] of this.#pass(this.#programs.nearestClusters)) {
      toNumbers(label!).forEach((value, i) => {
        labels[batch.rows[i]!] = value;
      });
    }
    return labels;
  }

  /**
   * Codes of the first rows in a shuffled order; the same rows each time. With room for all of them, all in their own
   * order. As the network gives them, or as the method places them beside its centers.
   */
  async codes(atMost: number, as: keyof typeof seenAs = "comparable"): Promise<Tensor<"float32">> {
    return (await this.sample(atMost, as)).codes;
  }

  /** The same, and where these rows are in the data. */
  async sample(
    atMost: number,
    as: keyof typeof seenAs,
    random = this.#random.fork("sample"),
  ): Promise<{ readonly codes: Tensor<"float32">; readonly rows: Int32Array }> {
    const { count } = this.#data;
    const n = Math.min(count, atMost);
    const width = as === "rows" ? sizeOf(this.plan.row) : this.formulas.network.latent;
    const data = new Float32Array(n * width);
    const rows = new Int32Array(n);
    let at = 0;
    for await (const [batch, { z }] of this.#pass(this.#programs[seenAs[as]], n < count ? { n, random } : undefined)) {
      const values = z!.data as Float32Array;
      if (n === count) scatter(values, batch.rows, width, data);
      else data.set(values.subarray(0, (n - at) * width), at * width);
      rows.set(batch.rows.subarray(0, n - at), at);
      at += batch.rows.length;
      if (at >= n) break;
    }
    return { codes: tensor("float32", [n, width], data), rows: n === count ? rows.sort() : rows };
  }

  /** The clusters of codes. */
  async labelsOf(codes: Tensor<"float32">): Promise<Int32Array> {
    const { label } = await (await this.#sessions.of(this.#programs.clustersOfCodes)).run({ codes });
    return Int32Array.from(toNumbers(label!));
  }

  /**
   * Measures the temperature: that with which rows that were held out are judged best, or, without such rows, the mean
   * margin between the nearest and the second nearest cluster, over 4.
   */
  async settle(held?: Int32Array): Promise<Settled> {
    for (let round = 0; ; round++) {
      const settled = await this.#settled(held);
      if (round === refills || !(await this.#refill(emptyIn(sizesOf(settled.labels, this.plan.clusters))))) {
        return settled;
      }
    }
  }

  async #settled(held?: Int32Array): Promise<Settled> {
    const { clusters, count } = this.plan;
    const labels = new Int32Array(count);
    const judged = held && new Judging(held, clusters);
    let [margins, loss] = [0, 0];
    for await (const [batch, values] of this.#pass(this.#programs.nearestClusters)) {
      const found = toNumbers(values.label!);
      // As the model will say it, whatever rows it is asked about.
      for (const i of nearTies(values)) found[i] = await this.#labelAlone(batch, i);
      const all = values.distances!.data as Float32Array;
      batch.rows.forEach((row, i) => {
        labels[row] = found[i]!;
        const own = all.subarray(i * clusters, (i + 1) * clusters);
        judged?.add(row, own);
        const nearest = own[labels[row]!]!;
        let second = Number.POSITIVE_INFINITY;
        own.forEach((distance, j) => {
          if (j !== labels[row] && distance < second) second = distance;
        });
        loss += nearest;
        if (clusters > 1) margins += second - nearest;
      });
    }
    const guess = clusters > 1 ? Math.max(margins / count / 4, 1e-12) : 1;
    const seen = judged?.judged();
    const temperature = seen && clusters > 1 ? calibratedTemperature(seen, guess) : guess;
    if (!this.formulas.clustering.probabilities) {
      await this.#state.load(new Map([["temperature", filled("float32", [], temperature)]]));
    }
    const calibration = seen && { calibration: calibrationError(seen, temperature) };
    return { labels, loss: loss / count, ...calibration };
  }

  /** How far every row is from where the clusters are, and the codes of some: of each, by its place in `coded`. */
  async remoteness(coded: ReadonlyMap<number, number>): Promise<Remoteness & { readonly codes: Tensor<"float32"> }> {
    const { count } = this.#data;
    const { latent } = this.formulas.network;
    const [distance, error] = [new Float32Array(count), new Float32Array(count)];
    const codes = new Float32Array(coded.size * latent);
    for await (const [batch, values] of this.#pass(this.#programs.remoteness)) {
      const z = values.z!.data as Float32Array;
      batch.rows.forEach((row, i) => {
        distance[row] = Number(values.distance!.data[i]);
        error[row] = Number(values.error!.data[i]);
        const place = coded.get(row);
        if (place !== undefined) codes.set(z.subarray(i * latent, (i + 1) * latent), place * latent);
      });
    }
    return { distance, error, codes: tensor("float32", [coded.size, latent], codes) };
  }

  async #labelAlone({ rows, x }: Batch, i: number): Promise<number> {
    const session = await this.#sessions.of(this.#programs.assignment);
    const alone = { rows: rows.slice(i, i + 1), x: rowOf(x, i) };
    let found = 0;
    for await (const values of fed(session.program, [alone], this.#feed)) {
      found = Number((await session.run(values)).label!.data[0]);
    }
    return found;
  }

  async centers(): Promise<Tensor<"float32">> {
    const { omega } = await (await this.#sessions.of(this.#programs.exemplars)).run();
    return omega as Tensor<"float32">;
  }

  async snapshot(): Promise<Snapshot> {
    return { ...(await this.drawn()), codes: await this.codes(snapshotRows) };
  }

  /** The clusters as they are now. */
  async drawn(): Promise<Omit<Snapshot, "codes">> {
    const { omega, exemplars } = (await (await this.#sessions.of(this.#programs.exemplars)).run()) as Record<
      string,
      Tensor<"float32">
    >;
    const shown = this.formulas.clustering.decoderIsStale ? {} : { exemplars: exemplars! };
    return { centers: omega!, ...shown };
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  /** Every row through one of the programs, in order; of a few rows, in a shuffled order that is always the same. */
  async *#pass(build: BuildProgram<Programs>, few?: { n: number; random: Random }): AsyncGenerator<[Batch, Values]> {
    const session = await this.#sessions.of(build);
    const size = Math.min(wideBatch, few?.n ?? wideBatch);
    const batches = few ? this.#data.shuffled(size, few.random) : this.#data.inOrder(size);
    for await (const batch of batches) {
      this.#signal?.throwIfAborted();
      for await (const values of fed(session.program, [batch], this.#feed)) yield [batch, await session.run(values)];
    }
  }

  /** One epoch, or as many steps of it as are left: the mean of each scalar over the rows. */
  async #run(
    session: Session,
    phase: Phase,
    epoch: number,
    scheduled: Record<string, number>,
    left = Number.POSITIVE_INFINITY,
  ): Promise<{ losses: Record<string, number>; share: number }> {
    // Each epoch has a stream of its own, and groups of steps are counted from its beginning: resuming needs no more
    // than its number.
    const random = this.#random.fork(`${phase} ${epoch}`);
    session.steps = 0;
    const scalars = Object.fromEntries(
      Object.entries(scheduled).map(([name, value]) => [name, filled("float32", [], value)]),
    );
    const weights: number[] = [];
    const counted = async function* (batches: AsyncIterable<Batch> | Iterable<Batch>): AsyncGenerator<Batch> {
      for await (const batch of batches) {
        weights.push(batch.rows.length);
        yield batch;
        if (weights.length >= left) return;
      }
    };
    const batches = counted(this.#labelled(this.#learned.shuffled(this.plan.options.batch, random.fork("order"))));
    const options = { random: random.fork("draws"), ...(this.#signal && { signal: this.#signal }) };
    const sums: Record<string, number> = {};
    let [step, rows] = [0, 0];
    for await (const values of runAll(session, fed(session.program, batches, this.#feed, scalars), options)) {
      const weight = weights[step++]!;
      rows += weight;
      for (const [name, { data }] of Object.entries(values)) sums[name] = (sums[name] ?? 0) + weight * Number(data[0]);
    }
    const { count } = this.#learned;
    if (rows !== count && step < left) {
      throw new RangeError(`data: an epoch must have ${count} rows, as the data says, got ${rows}`);
    }
    const losses = Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / rows]));
    return { losses, share: rows / count };
  }

  /** Batches with what their rows are taught. */
  async *#labelled(batches: AsyncIterable<Batch> | Iterable<Batch>): AsyncGenerator<Batch> {
    const taught = this.#taught;
    for await (const batch of batches) yield taught ? labelled(batch, taught) : batch;
  }

  /** What is kept per row, from a pass over all rows. */
  async #renew(): Promise<void> {
    const perRow = this.formulas.clustering.perRow!;
    const [count, width] = perRow.variable.shape as [number, number];
    const all = new Float32Array(count * width);
    for await (const [batch, { value }] of this.#pass(this.#programs.perRow)) {
      const values = value!.data as Float32Array;
      scatter(values, batch.rows, width, all);
    }
    const values = tensor("float32", [count, width], all);
    if (perRow.spread) {
      const codes = await this.codes(count);
      await spreadToNeighbours(values, codes, perRow.spread, paceOf(this.#signal));
    }
    const { kept } = await (await this.#sessions.of(this.#programs.combinedRows)).run({ all: values });
    await this.#state.load(new Map([[perRow.variable.attributes.name, kept!]]));
  }

  /** Every program that has state, so that the whole state is there to be saved, loaded or begun with. */
  async #openAll(): Promise<void> {
    const { pretraining, exemplars, probabilities, endOfEpoch, steps } = this.#programs;
    const begun = this.pretrains ? [pretraining] : [];
    for (const build of [...begun, exemplars, probabilities, endOfEpoch, ...steps.values()]) {
      await this.#sessions.of(build);
    }
    // What only following a stream needs is no part of training, and still of the model.
    await this.#state.adopt(this.#programs.follow().variables);
  }
}

/** The same batch, lazy as it may be, with a label for each row. */
function labelled(batch: Batch, all: Int32Array): Batch {
  const labels = Float32Array.from(batch.rows, (row) => all[row]!);
  return {
    rows: batch.rows,
    labels,
    get x() {
      return batch.x;
    },
  };
}

function sizesOf(labels: Int32Array, clusters: number): Int32Array {
  const sizes = new Int32Array(clusters);
  for (const label of labels) sizes[label]!++;
  return sizes;
}

/** Row i of the values to row `rows[i]` of all. */
function scatter(values: Float32Array, rows: Int32Array, width: number, all: Float32Array): void {
  rows.forEach((row, i) => {
    all.set(values.subarray(i * width, (i + 1) * width), row * width);
  });
}

/** The mean squared distance of codes from their mean. */
function spreadOf({ data, shape }: Tensor<"float32">): number {
  const [n, d] = shape as [number, number];
  let spread = 0;
  for (let c = 0; c < d; c++) {
    let [total, squares] = [0, 0];
    for (let at = c; at < data.length; at += d) {
      total += data[at]!;
      squares += data[at]! ** 2;
    }
    spread += squares / n - (total / n) ** 2;
  }
  return spread;
}
