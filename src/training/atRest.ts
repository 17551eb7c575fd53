/** What a network and its clusters say of rows, as they are now: nothing is learned here. */

import type { Batch, Data } from "../data/data.ts";
import type { Device } from "../runtime/device.ts";
import type { Values } from "../runtime/session.ts";
import { type BuildProgram, Sessions } from "../runtime/sessions.ts";
import { State } from "../runtime/state.ts";
import type { Random } from "../tensor/random.ts";
import { sizeOf, type Tensor, tensor, toNumbers } from "../tensor/tensor.ts";
import { calibratedTemperature, calibrationError, crossFitted, Judging } from "./calibration.ts";
import type { Snapshot } from "./epoch.ts";
import { type Feed, fed, feedOf } from "./feed.ts";
import { type Formulas, formulate, type Plan, streamOf } from "./plan.ts";
import { Programs } from "./programs.ts";
import { nearTies, rowOf } from "./ties.ts";

/** Rows per run. */
const wideBatch = 1024;
const snapshotRows = 1000;

/** What a sample shows of its rows, and the program that says it. */
const seenAs = { comparable: "comparableCodes", given: "codes", rows: "scaledRows" } as const;

/** What came of the clusters of all rows. */
export interface Settled {
  readonly labels: Int32Array;
  /** The mean distance to the own center. */
  readonly loss: number;
  /** How far probabilities are from what rows that were held out say, each by a temperature that others have fitted. */
  readonly calibration?: number;
}

/** How far rows are from where the clusters are. */
export interface Remoteness {
  readonly distance: Float32Array;
  readonly error: Float32Array;
}

export class AtRest {
  readonly plan: Plan;
  readonly formulas: Formulas;
  protected readonly data: Data;
  protected readonly signal: AbortSignal | undefined;
  protected readonly state: State;
  protected readonly feed: Feed;
  protected readonly random: Random;
  protected readonly programs: Programs;
  protected readonly sessions: Sessions<Programs>;

  constructor(plan: Plan, index: number, data: Data, device: Device, signal?: AbortSignal) {
    this.plan = plan;
    this.formulas = formulate(plan, index);
    this.data = data;
    this.signal = signal;
    this.state = new State(device);
    this.feed = feedOf(data, device, plan.scaling);
    this.random = streamOf(plan, index);
    this.programs = new Programs(plan, this.formulas, this.feed, device);
    this.sessions = new Sessions(this.programs, this.state);
  }

  /** The cluster of every row. */
  async labels(): Promise<Int32Array> {
    const labels = new Int32Array(this.data.count);
    for await (const [batch, { label }] of this.pass(this.programs.nearestClusters)) {
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
    random = this.random.fork("sample"),
  ): Promise<{ readonly codes: Tensor<"float32">; readonly rows: Int32Array }> {
    const { count } = this.data;
    const n = Math.min(count, atMost);
    const width = as === "rows" ? sizeOf(this.plan.row) : this.formulas.network.latent;
    const data = new Float32Array(n * width);
    const rows = new Int32Array(n);
    let at = 0;
    for await (const [batch, { z }] of this.pass(this.programs[seenAs[as]], n < count ? { n, random } : undefined)) {
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
    const { label } = await (await this.sessions.of(this.programs.clustersOfCodes)).run({ codes });
    return Int32Array.from(toNumbers(label!));
  }

  /**
   * The cluster of every row as the model will say it, and the temperature: that with which rows that were held out are
   * judged best, all of them, or, without such rows, the mean margin between the nearest and the second nearest
   * cluster, over 4.
   */
  protected async measured(held?: Int32Array): Promise<Settled & { readonly temperature: number }> {
    const { clusters, count } = this.plan;
    const labels = new Int32Array(count);
    const judged = held && new Judging(held, clusters);
    let [margins, loss] = [0, 0];
    for await (const [batch, values] of this.pass(this.programs.nearestClusters)) {
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
    const calibration = seen && { calibration: calibrationError(seen, crossFitted(seen, guess)) };
    return { labels, loss: loss / count, temperature, ...calibration };
  }

  /** How far every row is from where the clusters are, and the codes of some: of each, by its place in `coded`. */
  async remoteness(coded: ReadonlyMap<number, number>): Promise<Remoteness & { readonly codes: Tensor<"float32"> }> {
    const { count } = this.data;
    const { latent } = this.formulas.network;
    const [distance, error] = [new Float32Array(count), new Float32Array(count)];
    const codes = new Float32Array(coded.size * latent);
    for await (const [batch, values] of this.pass(this.programs.remoteness)) {
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
    const session = await this.sessions.of(this.programs.assignment);
    const alone = { rows: rows.slice(i, i + 1), x: rowOf(x, i) };
    let found = 0;
    for await (const values of fed(session.program, [alone], this.feed)) {
      found = Number((await session.run(values)).label!.data[0]);
    }
    return found;
  }

  async centers(): Promise<Tensor<"float32">> {
    const { omega } = await (await this.sessions.of(this.programs.exemplars)).run();
    return omega as Tensor<"float32">;
  }

  async snapshot(): Promise<Snapshot> {
    return { ...(await this.drawn()), codes: await this.codes(snapshotRows) };
  }

  /** The clusters as they are now. */
  async drawn(): Promise<Omit<Snapshot, "codes">> {
    const { omega, exemplars } = (await (await this.sessions.of(this.programs.exemplars)).run()) as Record<
      string,
      Tensor<"float32">
    >;
    const shown = this.formulas.clustering.decoderIsStale ? {} : { exemplars: exemplars! };
    return { centers: omega!, ...shown };
  }

  /** Every row through one of the programs, in order; of a few rows, in a shuffled order that is always the same. */
  protected async *pass(
    build: BuildProgram<Programs>,
    few?: { n: number; random: Random },
  ): AsyncGenerator<[Batch, Values]> {
    const session = await this.sessions.of(build);
    const size = Math.min(wideBatch, few?.n ?? wideBatch);
    const batches = few ? this.data.shuffled(size, few.random) : this.data.inOrder(size);
    for await (const batch of batches) {
      this.signal?.throwIfAborted();
      for await (const values of fed(session.program, [batch], this.feed)) yield [batch, await session.run(values)];
    }
  }

  async close(): Promise<void> {
    await this.sessions.close();
  }
}

/** Row i of the values to row `rows[i]` of all. */
export function scatter(values: Float32Array, rows: Int32Array, width: number, all: Float32Array): void {
  rows.forEach((row, i) => {
    all.set(values.subarray(i * width, (i + 1) * width), row * width);
  });
}
