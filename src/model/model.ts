/** A fitted clustering, ready for rows it has never seen. */

import { type Data, type RowsLike, rowsAtOnce, toData } from "../data/data.ts";
import type { ClusterSummary } from "../explain/clusters/clusterSummary.ts";
import { type SummarizeOptions, summarize } from "../explain/clusters/summarize.ts";
import type { Reach } from "../explain/outlier.ts";
import { placementsOf } from "../explain/placement.ts";
import { type ExplainOptions, explainRow } from "../explain/rows/explainRow.ts";
import type { Explanation } from "../explain/rows/explanation.ts";
import { NeighbourSearch } from "../numerics/neighbours/neighbours.ts";
import { paceOf } from "../numerics/pace.ts";
import type { Device } from "../runtime/device.ts";
import type { Program } from "../runtime/program.ts";
import type { Session, Values } from "../runtime/session.ts";
import { type BuildProgram, Sessions } from "../runtime/sessions.ts";
import { State } from "../runtime/state.ts";
import { filled, type Tensor, tensor, toNumbers } from "../tensor/tensor.ts";
import { Drift, type DriftReport, type DriftState } from "../training/drift.ts";
import type { Encoder } from "../training/encoder.ts";
import { feedOf } from "../training/feed.ts";
import type { Fit } from "../training/job.ts";
import type { NoneRule } from "../training/lesson.ts";
import { clusterCount } from "../training/membership.ts";
import { howFar, isOnBorder, membersName, strangeness } from "../training/none.ts";
import { type Formulas, formulate, type Plan } from "../training/plan.ts";
import { Programs } from "../training/programs.ts";
import { rowOf, withTiesAlone } from "../training/ties.ts";

/** What a model says about rows. */
export interface Assignment {
  readonly labels: Int32Array;
  /** [n, k]. The label is the nearest. */
  readonly distances: Tensor<"float32">;
  /** [n, k]; rows sum to one. */
  readonly probabilities: Tensor<"float32">;
  /** The codes, [n, latent]. */
  readonly codes: Tensor<"float32">;
  /** 1 where a row belongs to none; there where the teacher had such rows, and they can be told (docs/own.md). */
  readonly isNone?: Uint8Array;
  /** How far out each row is, where summaries were given (docs/explanations.md). */
  readonly outliers?: Float64Array;
}

/** What following a stream changes of a model. */
export interface Followed {
  readonly variables: ReadonlyMap<string, Tensor>;
  /** Where rows have been followed already. */
  readonly drift?: DriftState;
}

/** Model itself, or a kind of its own that can do more. */
export type ModelKind<M extends Model = Model> = new (fit: Fit, device: Device, encoder?: Encoder) => M;

const wideBatch = 1024;

export class Model {
  readonly plan: Plan;
  /** The cluster of each row it was fitted to. */
  readonly labels: Int32Array;
  readonly fit: Fit;
  /** The formulas behind it, over the model's weights. */
  readonly formulas: Formulas;
  readonly device: Device;
  readonly #state: State;
  readonly #sessions: Sessions<Model>;
  readonly #programs: Programs;
  #drift: Drift | undefined;
  /** Codes of rows that have a cluster: among them a row has one too. */
  #members: Promise<NeighbourSearch> | undefined;
  /** What makes features of rows first, where there is one. */
  readonly encoder: Encoder | undefined;

  constructor(fit: Fit, device: Device, encoder?: Encoder) {
    this.encoder = encoder;
    this.plan = fit.plan;
    this.labels = fit.labels;
    this.fit = fit;
    // What a method keeps per row belongs to training; a model has room for one.
    this.formulas = formulate({ ...fit.plan, count: 1 }, fit.restart);
    this.device = device;
    this.#state = new State(device);
    this.#sessions = new Sessions<Model>(this, this.#state, (session) => this.#loadFitted(session));
    this.#programs = new Programs(this.plan, this.formulas, feedOf(this.plan, device, this.plan.scaling), device);
  }

  /** Clusters of rows. */
  async predict(rows: RowsLike): Promise<Int32Array> {
    const labels: number[] = [];
    for await (const { label } of this.#assigned(await this.features(rows))) labels.push(...toNumbers(label!));
    return Int32Array.from(labels);
  }

  /** Codes of rows, [n, latent]; or what else the model gives of them by this name, such as PC-X's `fused`. */
  async transform(rows: RowsLike, { output = "z" }: { readonly output?: string } = {}): Promise<Tensor<"float32">> {
    const parts: Tensor<"float32">[] = [];
    for await (const values of this.#assigned(await this.features(rows))) {
      const part = Object.hasOwn(values, output) ? values[output]! : undefined;
      if (part?.dtype !== "float32") {
        const known = Object.keys(values).filter((name) => values[name]!.dtype === "float32");
        throw new RangeError(`model: there is no output "${output}" of numbers; there are ${known.join(", ")}`);
      }
      parts.push(part as Tensor<"float32">);
    }
    const count = parts.reduce((sum, { shape }) => sum + shape[0]!, 0);
    const [, ...row] = parts[0]?.shape ?? [0, this.formulas.network.latent];
    return tensor("float32", [count, ...row], concatenated(parts.map(({ data }) => data)));
  }

  /** Clusters, distances, probabilities and codes of rows; with what `summarize` gave, also how far out they are. */
  async assign(rows: RowsLike, { summaries }: { readonly summaries?: readonly Reach[] } = {}): Promise<Assignment> {
    const data = await this.features(rows);
    const labels: number[] = [];
    const parts = { distances: [], probabilities: [], z: [] } as Record<
      "distances" | "probabilities" | "z",
      Float32Array[]
    >;
    const [isNone, outliers]: [number[], number[]] = [[], []];
    for await (const { rows, x, known } of data.inOrder(rowsAtOnce(data.row, wideBatch))) {
      const values = summaries ? await this.place(x) : await this.run(x);
      if (summaries) {
        const { placements } = placementsOf(values, rows, { reach: summaries, ...(known && { known }) });
        outliers.push(...placements.map(({ outlier }) => outlier));
      }
      labels.push(...toNumbers(values.label!));
      isNone.push(...((await this.isNone(x)) ?? []));
      for (const name of keysOf(parts)) parts[name].push(values[name]!.data as Float32Array);
    }
    const joined = (name: keyof typeof parts, width: number) =>
      tensor("float32", [data.count, width], concatenated(parts[name]));
    const clusters = clusterCount(this.plan);
    return {
      labels: Int32Array.from(labels),
      distances: joined("distances", clusters),
      probabilities: joined("probabilities", clusters),
      codes: joined("z", this.formulas.network.latent),
      ...(isNone.length > 0 && { isNone: Uint8Array.from(isNone) }),
      ...(summaries && { outliers: Float64Array.from(outliers) }),
    };
  }

  /** The centers among the codes, [m, latent]: one for each cluster, unless a person has merged or split some. */
  async centers(): Promise<Tensor<"float32">> {
    return (await this.#exemplars()).omega as Tensor<"float32">;
  }

  /**
   * What each center is, as the decoder draws it, [m, …row]. Undefined where training left the decoder behind.
   */
  async exemplars(): Promise<Tensor<"float32"> | undefined> {
    if (this.formulas.clustering.decoderIsStale) return undefined;
    return (await this.#exemplars()).exemplars as Tensor<"float32">;
  }

  /**
   * Moves the centers towards rows that have just arrived, the network as it is, and tells how the stream drifts.
   * One call is one step, and old rows are not needed; the rows are labelled before the centers move. Very many rows
   * are taken in several steps, `batch` at a time.
   */
  async partialFit(
    rows: RowsLike,
    { rate = 0.1, batch = 4096 }: { rate?: number; batch?: number } = {},
  ): Promise<DriftReport & { labels: Int32Array }> {
    if (!(rate > 0 && rate <= 1))
      throw new RangeError(`partialFit: the rate must be above 0 and at most 1, got ${rate}`);
    const data = await this.features(rows);
    const session = await this.session(this.#programs.follow);
    const labels: number[] = [];
    this.#drift ??= new Drift(await this.centers());
    for await (const { x } of data.inOrder(batch)) {
      const values = await session.run({ x, rate: filled("float32", [], rate) });
      labels.push(...toNumbers(values.label!));
      this.#drift.count({
        rows: x.shape[0]!,
        loss: Number(values.loss!.data[0]),
        unsure: Number(values.unsure!.data[0]),
        centers: await this.centers(),
      });
    }
    return { ...this.#drift.report(), labels: Int32Array.from(labels) };
  }

  /** What `partialFit` has changed so far: with the weights as they were, enough to go on with a stream elsewhere. */
  async followed(): Promise<Followed> {
    const { program } = await this.session(this.#programs.follow);
    const names = program.updates.map(([{ attributes }]) => attributes.name);
    return { variables: await this.#state.save(names), ...(this.#drift && { drift: this.#drift.save() }) };
  }

  /** Goes on as the model that had followed so far. */
  async restoreFollowed({ variables, drift }: Followed): Promise<void> {
    const { program } = await this.session(this.#programs.follow);
    const names = program.updates.map(([{ attributes }]) => attributes.name);
    if (`${[...names].sort()}` !== `${[...variables.keys()].sort()}`) {
      throw new TypeError(`model: a stream moves ${names.join(", ")}, got ${[...variables.keys()].join(", ")}`);
    }
    await this.#state.load(variables);
    this.#drift = drift && Drift.restore(drift, await this.centers());
  }

  /** How the stream has drifted so far; nothing before its first rows. */
  drift(): DriftReport | undefined {
    return this.#drift?.report();
  }

  /**
   * Why a row is in its cluster and not in another one (docs/explanations.md). Behind a frozen encoder, in terms of its
   * features.
   */
  async explain(row: ArrayLike<number> | Tensor, options: ExplainOptions = {}): Promise<Explanation> {
    if (!this.encoder) return explainRow(this, row, options);
    const rows = "dtype" in row ? { ...row, shape: [1, ...row.shape] } : [row];
    return explainRow(this, (await this.features(rows)).tensor!, options);
  }

  /** What each cluster is: sizes, typical rows, what distinguishes it (docs/explanations.md). */
  async summarize(rows: RowsLike, options: SummarizeOptions = {}): Promise<ClusterSummary[]> {
    return summarize(this, await this.features(rows), options);
  }

  /** The whole model as one program of x, [n, …row]: what is exported. */
  program(): Program {
    return this.#programs.assignment();
  }

  /**
   * The cluster layer alone, as a program of codes z, [n, latent]: to be put behind any network that gives such codes.
   */
  layer(): Program {
    return this.#programs.layer();
  }

  /**
   * The decoder as a program of codes z, [n, latent]: the rows that the model makes of them, in the units of the data.
   */
  decoder(): Program {
    return this.#programs.decoder();
  }

  /** The weights by name, as they are now. */
  async weights(): Promise<Map<string, Tensor>> {
    const { assignment, exemplars, follow } = this.#programs;
    for (const build of [assignment, exemplars, follow]) await this.session(build);
    return this.#state.save();
  }

  async close(): Promise<void> {
    await this.#sessions.close();
    await this.encoder?.close();
  }

  /** What the model's program says about rows [n, …row]: label, distances, probabilities and z. */
  async run(x: Tensor<"float32">): Promise<Values> {
    const session = await this.session(this.#programs.assignment);
    return withTiesAlone(x, await session.run({ x }), (row) => session.run({ x: row }));
  }

  /** The same, and how far rows are from the exemplar of their cluster (apart) and from what is redrawn (error). */
  async place(x: Tensor<"float32">): Promise<Values> {
    const session = await this.session(this.#programs.placement);
    return withTiesAlone(x, await session.run({ x }), (row) => session.run({ x: row }));
  }

  /** Of rows [n, …row], 1 where one belongs to none; nothing where the model never says so. */
  async isNone(x: Tensor<"float32">): Promise<Uint8Array | undefined> {
    const { none } = this.fit.taught ?? {};
    if (!none?.isSaid) return undefined;
    const { scores, lengths } = await this.#strangeness(x, none);
    // On the border, what a row is alone decides, as it does between two clusters (training/ties.ts).
    const isBorder = (i: number): boolean => x.shape[0]! > 1 && isOnBorder(scores[i]!, lengths[i]!, none);
    for (const i of [...scores.keys()].filter(isBorder)) {
      scores[i] = (await this.#strangeness(rowOf(x, i), none)).scores[0]!;
    }
    return Uint8Array.from(scores, (score) => (score > 1 ? 1 : 0));
  }

  /** How strange rows are, and how long their codes. */
  async #strangeness(x: Tensor<"float32">, none: NoneRule) {
    const session = await this.session(this.#programs.remoteness);
    const { distance, error, z } = (await session.run({ x })) as Record<"distance" | "error" | "z", Tensor<"float32">>;
    const members = this.fit.state.get(membersName) as Tensor<"float32"> | undefined;
    const pace = paceOf(undefined);
    if (none.near && members) this.#members ??= NeighbourSearch.among(members, pace);
    const near = none.near && this.#members && (await howFar(z, await this.#members, none.near.place, pace));
    const d = z.shape[1]!;
    return {
      scores: strangeness({ distance: distance.data, error: error.data, ...(near && { near }) }, none),
      lengths: Float64Array.from(distance.data, (_, i) => Math.hypot(...z.data.subarray(i * d, (i + 1) * d))),
    };
  }

  async *#assigned(data: Data): AsyncGenerator<Values> {
    for await (const { x } of data.inOrder(rowsAtOnce(data.row, wideBatch))) yield this.run(x);
  }

  async #exemplars(): Promise<Values> {
    return (await this.session(this.#programs.exemplars)).run();
  }

  /** Rows as the model takes them: checked, filled in, and where a frozen encoder comes first, its features. */
  async features(rows: RowsLike): Promise<Data> {
    const given = toData(rows, this.plan.scaling?.missing);
    const data = this.encoder ? await this.encoder.features(given) : given;
    if (`${data.row}` !== `${this.plan.row}`) {
      throw new RangeError(`model: rows must have the shape [${this.plan.row}], got [${data.row}]`);
    }
    return data;
  }

  /** A program over the model's weights, as they are now. */
  session(build: BuildProgram<Model>): Promise<Session> {
    return this.#sessions.of(build);
  }

  /** A program that has just brought its variables into the state takes their fitted values. */
  async #loadFitted({ program }: Session): Promise<void> {
    const names = program.variables.map(({ attributes }) => attributes.name).filter((each) => !this.#loaded.has(each));
    const known = names.filter((each) => this.fit.state.has(each));
    await this.#state.load(new Map(known.map((each) => [each, this.fit.state.get(each)!])));
    for (const each of names) this.#loaded.add(each);
  }

  readonly #loaded = new Set<string>();
}

function keysOf<T extends object>(record: T): (keyof T)[] {
  return Object.keys(record) as (keyof T)[];
}

function concatenated(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
