/** One restart of the loop: pretraining, the start of the clusters, their epochs, and what came out. */

import type { Data } from "../data/data.ts";
import type { Variable } from "../graph/node.ts";
import { paceOf } from "../numerics/pace.ts";
import type { Device } from "../runtime/device.ts";
import type { Session } from "../runtime/session.ts";
import { filled, type Tensor, tensor, toNumbers } from "../tensor/tensor.ts";
import { AtRest, type Settled, scatter } from "./atRest.ts";
import { emptyIn, noticesAbout, type Phase } from "./epoch.ts";
import { dataName } from "./feed.ts";
import { leaning } from "./leaning.ts";
import { agreementOf } from "./lesson.ts";
import type { Start } from "./method.ts";
import { type Plan, stepsAnEpoch } from "./plan.ts";
import { refilled } from "./refill.ts";
import { runEpoch } from "./runEpoch.ts";
import { epochOf } from "./schedule.ts";
import { spreadToNeighbours } from "./votes.ts";

/** At most so many numbers are given to a method's start: all codes of most data, a sample of the rest. */
const largestStart = 2 ** 23;
/** Means are taken of so many. */
const mostRecentered = 50_000;
const leaningRounds = 10;
/** A center without rows finds others among so many; and one that takes the last row of another is tried again. */
const mostRefilled = 10_000;
const refills = 8;

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

export class Restart extends AtRest {
  /** What its epochs go through: all of the data, or without rows that are held out. */
  readonly #learned: Data;
  /** What each row is taught, −1 for nothing. */
  #taught: Int32Array | undefined;

  constructor(plan: Plan, index: number, data: Data, device: Device, signal?: AbortSignal, learned: Data = data) {
    super(plan, index, data, device, signal);
    this.#learned = learned;
  }

  /** Whether there is a network to pretrain, and epochs for it. */
  get pretrains(): boolean {
    return this.plan.options.pretraining > 0 && this.formulas.network.parameters.length > 0;
  }

  /** All that training has learned so far: with the number of finished epochs, a checkpoint. */
  async save(): Promise<Map<string, Tensor>> {
    await this.#openAll();
    return this.state.save(this.state.names.filter((name) => name !== dataName));
  }

  /** The network's weights and the optimizer's memory, as pretraining left them. */
  async pretrained(): Promise<Map<string, Tensor>> {
    const names = this.programs.pretraining().variables.map(({ attributes }) => attributes.name);
    return this.state.save(names.filter((name) => name !== dataName));
  }

  /** What a model needs of the state. */
  model(): Promise<Map<string, Tensor>> {
    return this.state.save(this.programs.modelVariables());
  }

  async load(values: ReadonlyMap<string, Tensor>): Promise<void> {
    await this.#openAll();
    await this.state.load(values);
  }

  /** From now on, rows come with these labels, [count]; −1 is none. */
  teach(labels: Int32Array): void {
    this.#taught = labels;
  }

  /** One epoch of plain reconstruction. */
  async pretrain(epoch: number): Promise<Passed> {
    const { pretrainingRate } = this.plan.options;
    const session = await this.sessions.of(this.programs.pretraining);
    const { losses } = await this.#run(session, "pretraining", epoch, { rate: pretrainingRate });
    return { losses, notices: [] };
  }

  /** Places the first centers, and forgets the optimizer's memory of pretraining unless the method goes on with it. */
  async begin(): Promise<void> {
    await this.#openAll();
    const { clustering } = this.formulas;
    if (this.pretrains && !clustering.continuesOptimizer) {
      const kept = new Set(this.programs.modelVariables());
      const memory = this.programs
        .pretraining()
        .variables.map(({ attributes }) => attributes)
        .filter(({ name }) => name !== dataName && !kept.has(name));
      await this.state.load(new Map(memory.map(({ name, initial }) => [name, initial])));
    }
    const most = Math.max(this.plan.clusters, Math.floor(largestStart / this.formulas.network.latent));
    const start = await this.#start(most);
    const first = new Map(clustering.begin(start));
    const comparable = clustering.comparable ? await this.codes(start.codes.shape[0]!) : start.codes;
    first.set(this.programs.firstSpread, filled("float32", [], spreadOf(comparable)));
    await this.#load(first);
  }

  async #start(most: number): Promise<Start> {
    const { codes, rows } = await this.sample(most, "given");
    const labels = this.#taught;
    return {
      codes,
      random: this.random.fork("start"),
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
    const old = await this.state.save([...first.keys()].map(({ attributes }) => attributes.name));
    await this.#load(first);
    if ((await this.agreement(start)) >= before - most) return true;
    await this.state.load(old);
    return false;
  }

  /** Moves centers that stand far from the means of their members, until the cosine of each is `least`. */
  async lean(least: number): Promise<void> {
    const { withCenters } = this.formulas.clustering;
    const codes = await this.codes(Math.min(this.data.count, mostRecentered));
    // Members change with the centers, and the means with them.
    for (let round = 0; withCenters && round < leaningRounds; round++) {
      const moved = leaning(codes, await this.labelsOf(codes), await this.centers(), least);
      if (!moved) return;
      await this.#load(withCenters(moved));
    }
  }

  /** The share of the taught rows, or of a sample of them, that are where they are taught to be. */
  async agreement(start?: Start): Promise<number> {
    const { codes, labels } = start ?? (await this.#start(mostRecentered));
    return agreementOf(await this.labelsOf(codes), labels!);
  }

  /** One epoch, or as many steps of it as are left. */
  #run(session: Session, phase: Phase, epoch: number, scheduled: Record<string, number>, left?: number) {
    const { feed, signal } = this;
    const { batch } = this.plan.options;
    const [data, taught] = [this.#learned, this.#taught];
    const random = this.random.fork(`${phase} ${epoch}`);
    return runEpoch(
      session,
      { data, feed, batch, random, ...(taught && { taught }), ...(signal && { signal }) },
      scheduled,
      left,
    );
  }

  async #load(values: ReadonlyMap<Variable, Tensor>): Promise<void> {
    await this.state.load(new Map([...values].map(([{ attributes }, value]) => [attributes.name, value])));
  }

  /** One epoch of clustering. */
  async cluster(epoch: number): Promise<Passed> {
    const { clustering } = this.formulas;
    const { epochs, steps, batch } = this.plan.options;
    if (clustering.perRow?.renews(epoch)) await this.#renew();
    const { kind, scheduled } = epochOf(this.plan, clustering, epoch, epochs);
    const step = this.programs.steps.get(kind);
    if (!step) throw new RangeError(`${this.plan.method.name}: there is no step for epochs of the kind "${kind}"`);
    const left = steps > 0 ? steps - epoch * stepsAnEpoch(this.#learned.count, batch) : Number.POSITIVE_INFINITY;
    const { losses, share } = await this.#run(await this.sessions.of(step), "clustering", epoch, scheduled, left);
    const { omega, counted, first } = await (await this.sessions.of(this.programs.endOfEpoch)).run();
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
    const random = this.random.fork("refill");
    const most = Math.max(mostRefilled, 2 * this.plan.clusters);
    const { codes, rows } = await this.sample(most, "comparable", random.fork("sample"));
    const found = { codes, labels: await this.labelsOf(codes), centers: await this.centers() };
    const taught = this.#taught && rows.map((row) => this.#taught![row]!);
    const centers = refilled({ ...found, ...(taught && { taught }) }, empty, random);
    if (!centers) return false;
    await this.#load(withCenters(centers));
    return true;
  }

  /** Measures how sure one may be; a cluster that has no row at the end is filled first. */
  async settle(held?: Int32Array): Promise<Settled> {
    for (let round = 0; ; round++) {
      const { temperature, ...settled } = await this.measured(held);
      if (!this.formulas.clustering.probabilities) {
        await this.state.load(new Map([["temperature", filled("float32", [], temperature)]]));
      }
      if (round === refills || !(await this.#refill(emptyIn(sizesOf(settled.labels, this.plan.clusters))))) {
        return settled;
      }
    }
  }

  /** What is kept per row, from a pass over all rows. */
  async #renew(): Promise<void> {
    const perRow = this.formulas.clustering.perRow!;
    const [count, width] = perRow.variable.shape as [number, number];
    const all = new Float32Array(count * width);
    for await (const [batch, { value }] of this.pass(this.programs.perRow)) {
      const values = value!.data as Float32Array;
      scatter(values, batch.rows, width, all);
    }
    const values = tensor("float32", [count, width], all);
    if (perRow.spread) {
      const codes = await this.codes(count);
      await spreadToNeighbours(values, codes, perRow.spread, paceOf(this.signal));
    }
    const { kept } = await (await this.sessions.of(this.programs.combinedRows)).run({ all: values });
    await this.state.load(new Map([[perRow.variable.attributes.name, kept!]]));
  }

  /** Every program that has state, so that the whole state is there to be saved, loaded or begun with. */
  async #openAll(): Promise<void> {
    const { pretraining, exemplars, probabilities, endOfEpoch, steps } = this.programs;
    const begun = this.pretrains ? [pretraining] : [];
    for (const build of [...begun, exemplars, probabilities, endOfEpoch, ...steps.values()]) {
      await this.sessions.of(build);
    }
    // What only following a stream needs is no part of training, and still of the model.
    await this.state.adopt(this.programs.follow().variables);
  }
}

function sizesOf(labels: Int32Array, clusters: number): Int32Array {
  const sizes = new Int32Array(clusters);
  for (const label of labels) sizes[label]!++;
  return sizes;
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
