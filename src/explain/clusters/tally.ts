/**
 * What is counted of a cluster while rows pass by: memory for a few rows and how far 4,096 are, however many there are.
 */

import type { ValueBeside } from "../../data/beside.ts";
import { Moments } from "../../numerics/moments.ts";
import { Quantiles } from "../../numerics/quantiles.ts";
import { Smallest } from "../../numerics/smallest.ts";
import { oneLine } from "../../text/oneLine.ts";
import { FarRows, outlierOf } from "../outlier.ts";
import type { Far, Placement, ShownRow } from "./clusterSummary.ts";

/** A row that passes by, inside its batch. */
export interface PassingRow {
  readonly placement: Placement;
  readonly far: Far;
  /** The numbers of the batch, and where in them the row begins. */
  readonly values: Float32Array;
  readonly at: number;
  readonly id?: string;
  /** Its values in columns that were not used to cluster. */
  readonly beside?: readonly ValueBeside[];
}

/** A row to show, whose outlier, and which of its texts tells, is known once all have passed. */
interface Kept {
  readonly row: ShownRow;
  readonly far: Far;
  /** How each text beside begins. */
  readonly texts?: readonly (string | undefined)[];
}

const bins = 10;
/** Letters of a text. */
const longestText = 120;

export class Tally {
  readonly moments: Moments;
  readonly #typical: Smallest<Kept>;
  readonly #borderline: Smallest<Kept>;
  readonly #distances: Quantiles;
  readonly far: FarRows;
  readonly #seconds = new Map<number, number>();
  readonly #histogram = new Array<number>(bins).fill(0);
  #confidence = 0;
  /** The row nearest to the center: of the cluster where it has one, else of all. */
  readonly #nearest = new Smallest<readonly number[]>(1);
  readonly #nearestOfAll = new Smallest<readonly number[]>(1);

  constructor(cluster: number, width: number, typical: number, borderline: number) {
    this.moments = new Moments(width);
    this.#typical = new Smallest(typical);
    this.#borderline = new Smallest(borderline);
    this.#distances = new Quantiles(`cluster ${cluster}`);
    this.far = new FarRows(`far in cluster ${cluster}`);
  }

  get size(): number {
    return this.moments.count;
  }

  /** Takes a row of the cluster. */
  add(row: PassingRow): void {
    const { placement, far, values, at } = row;
    const { distance, margin, confidence, second, cluster } = placement;
    this.moments.add(values, at);
    this.#distances.add(distance);
    this.far.add(far);
    this.#typical.offer(distance, () => this.#shown(row));
    // A single cluster has no border.
    if (second !== cluster) this.#borderline.offer(margin, () => this.#shown(row));
    this.#nearest.offer(distance, () => this.#valuesOf(row));
    if (second !== cluster) this.#seconds.set(second, (this.#seconds.get(second) ?? 0) + 1);
    this.#confidence += confidence;
    this.#histogram[Math.min(bins - 1, Math.max(0, Math.floor(confidence * bins)))]!++;
  }

  /** Looks at a row of another cluster, so far from this one. */
  see(row: PassingRow, distance: number): void {
    this.#nearestOfAll.offer(distance, () => this.#valuesOf(row));
  }

  nearestRow(): readonly number[] | undefined {
    return this.#nearest.items()[0] ?? this.#nearestOfAll.items()[0];
  }

  /**
   * Everything that needs no other cluster; `all` is how far the rows of every cluster are from their own, `textAt`
   * which of the columns beside holds the text.
   */
  summary(all: FarRows, textAt?: number) {
    const { size } = this;
    // Seven digits, as clusters.json has them: whoever reads the file then says the same.
    const reach = this.#distances.at(100).map((distance) => Number(distance.toPrecision(7)));
    const limits = this.far.limits(all);
    const known = { reach, ...(limits && { far: limits }) };
    const whole = ({ row, far, texts }: Kept): ShownRow => {
      const text = textAt === undefined ? undefined : texts?.[textAt];
      // What a file is called needs no second time.
      const isNew = text !== undefined && !row.id?.includes(text);
      return { ...row, ...(isNew && { text }), outlier: outlierOf(far, known) };
    };
    const neighbours = [...this.#seconds].map(([cluster, count]) => ({ cluster, share: count / size }));
    return {
      size,
      typical: this.#typical.items().map(whole),
      borderline: this.#borderline.items().map(whole),
      neighbours: neighbours.sort((a, b) => b.share - a.share || a.cluster - b.cluster),
      confidence: { mean: size > 0 ? this.#confidence / size : 0, histogram: [...this.#histogram] },
      ...known,
      mean: size > 0 ? [...this.moments.mean] : [],
      deviation: size > 0 ? [...this.moments.deviation()] : [],
    };
  }

  #shown(row: PassingRow): Kept {
    const { placement, far, id, beside } = row;
    const texts = beside?.map((value) => (typeof value === "string" ? oneLine(value, longestText) : undefined));
    const shown = { ...placement, ...(id !== undefined && { id }), values: this.#valuesOf(row) };
    return { row: shown, far, ...(texts && { texts }) };
  }

  #valuesOf({ values, at }: PassingRow): number[] {
    return [...values.subarray(at, at + this.moments.mean.length)];
  }
}
