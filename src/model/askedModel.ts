/** A model that is asked about its rows again and again: why each is where it is, and what is between two centers. */

import { type Data, rowsAtOnce } from "../data/data.ts";
import type { Feature } from "../data/feature.ts";
import type { ClusterSummary } from "../explain/clusters/clusterSummary.ts";
import { explainRow } from "../explain/rows/explainRow.ts";
import type { Explanation, NearRow } from "../explain/rows/explanation.ts";
import { squaredDistance } from "../numerics/distances.ts";
import { paceOf } from "../numerics/pace.ts";
import { sizeOf, type Tensor, tensor, toNumbers } from "../tensor/tensor.ts";
import { type Between, between } from "./between.ts";
import type { Model } from "./model.ts";
import { sampleRows } from "./sampleRows.ts";

/** The smallest change of one column that puts a row into another cluster. */
export interface Change {
  readonly feature: number;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Where it is then. */
  readonly cluster: number;
}

export interface AskedExplanation extends Explanation {
  readonly change?: readonly Change[];
  /** Of all rows, or of a sample where there are many: those with the nearest codes. */
  readonly nearest: readonly NearRow[];
}

/** Rows whose codes are compared, and how many of the nearest are told. */
const [mostCompared, mostNearest] = [5000, 8];

/**
 * A column is moved towards the other exemplar, and once as far beyond it, in so many steps; so many columns are
 * tried.
 */
const [changeSteps, mostChanged] = [16, 48];

/** What is known of the rows that a model is asked about. */
export interface AskedRows {
  /** Rows as the model takes them. */
  readonly data: Data;
  /** What each number of a row is, where that is the file's own. */
  readonly features?: readonly Feature[];
  readonly summaries?: readonly ClusterSummary[];
  /** Of a row, the numbers that were missing and are filled in. */
  readonly filledOf?: (place: number) => Promise<readonly number[] | undefined>;
}

export class AskedModel {
  readonly #model: Model;
  readonly #rows: AskedRows;
  readonly #data: Data;
  #compared: Promise<{ codes: Float32Array; labels: Int32Array; rows: Int32Array }> | undefined;

  constructor(model: Model, rows: AskedRows) {
    this.#model = model;
    this.#rows = rows;
    this.#data = rows.data;
  }

  /** Why a row is where it is, what it is like, and what would put it elsewhere. */
  async explain(place: number, against?: number): Promise<AskedExplanation> {
    const values = await valuesOf(this.#data, place);
    const { summaries, features } = this.#rows;
    const filled = features && (await this.#rows.filledOf?.(place));
    const explanation = await explainRow(this.#model, values, {
      ...(summaries && { summaries }),
      ...(features && { columns: features, ...(filled && { filled }) }),
      ...(against !== undefined && { against }),
    });
    const change = await this.#change(values, explanation);
    return { ...explanation, ...(change && { change }), nearest: await this.#nearest(place, values) };
  }

  /** What turns one cluster into another. */
  between(a: number, b: number, steps: number): Promise<Between> {
    return between(this.#model, a, b, steps);
  }

  /**
   * Each column by itself on its way to the other exemplar and beyond: the first step at which the cluster is another.
   */
  async #change(values: Float32Array, { why }: Explanation): Promise<readonly Change[] | undefined> {
    if (!why || why.input.features.length === 0 || this.#model.encoder) return undefined;
    const tried = why.input.features
      .filter(({ value, exemplar, said }) => !said && value !== exemplar)
      .slice(0, mostChanged);
    if (tried.length === 0) return [];
    const width = values.length;
    const x = new Float32Array(tried.length * changeSteps * width);
    tried.forEach(({ feature, value, exemplar }, i) => {
      for (let step = 0; step < changeSteps; step++) {
        const at = (i * changeSteps + step) * width;
        x.set(values, at);
        x[at + feature] = value + ((2 * (step + 1)) / changeSteps) * (exemplar - value);
      }
    });
    const rows = tensor("float32", [tried.length * changeSteps, ...this.#model.plan.row], x);
    const labels = toNumbers((await this.#model.run(rows)).label!);
    return tried
      .flatMap(({ feature, name, value }, i) => {
        const step = labels.slice(i * changeSteps, (i + 1) * changeSteps).findIndex((label) => label !== why.own);
        if (step < 0) return [];
        const at = i * changeSteps + step;
        return [{ step, change: { feature, name, from: value, to: x[at * width + feature]!, cluster: labels[at]! } }];
      })
      .sort((one, other) => one.step - other.step)
      .map(({ change }) => change);
  }

  async #nearest(place: number, values: Float32Array): Promise<NearRow[]> {
    this.#compared ??= this.#compare();
    const { codes, labels, rows } = await this.#compared;
    const x = tensor("float32", [1, ...this.#model.plan.row], values);
    const own = (await this.#model.run(x)).z!.data as Float32Array;
    const width = own.length;
    return Array.from(rows, (row, i) => ({
      row,
      cluster: labels[i]!,
      apart: Math.sqrt(squaredDistance(codes, i, own, 0, width)),
    }))
      .filter(({ row }) => row !== place)
      .sort((one, other) => one.apart - other.apart)
      .slice(0, mostNearest);
  }

  /** The codes of rows to compare with: computed once, and others have their turn meanwhile. */
  async #compare() {
    const { data, rows } = await sampleRows(this.#data, mostCompared, 1);
    const [codes, labels]: [Float32Array[], number[]] = [[], []];
    const pace = paceOf(undefined);
    for await (const { x } of data.inOrder(rowsAtOnce(data.row, 256))) {
      const found = await this.#model.run(x);
      codes.push(found.z!.data as Float32Array);
      labels.push(...toNumbers(found.label!));
      await pace();
    }
    const all = new Float32Array(codes.reduce((sum, { length }) => sum + length, 0));
    codes.reduce((at, part) => {
      all.set(part, at);
      return at + part.length;
    }, 0);
    return { codes: all, labels: Int32Array.from(labels), rows };
  }
}

/** A row among others. */
export async function valuesOf(data: Data, place: number): Promise<Float32Array> {
  const width = sizeOf(data.row);
  if (!(Number.isInteger(place) && place >= 0 && place < data.count)) {
    throw new RangeError(`row: must be a whole number from 0 to ${data.count - 1}, got ${place}`);
  }
  const held: Tensor<"float32"> | undefined = data.tensor;
  if (held) return held.data.slice(place * width, (place + 1) * width);
  let first = 0;
  for await (const { x } of data.inOrder(rowsAtOnce(data.row))) {
    if (place < first + x.shape[0]!) return x.data.slice((place - first) * width, (place - first + 1) * width);
    first += x.shape[0]!;
  }
  throw new RangeError("row: the file changed while it was read; read it again when nothing writes to it");
}
