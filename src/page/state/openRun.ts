/** A run that is looked at: its description, and numbers for each row, fetched when they are needed. */

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Curation } from "../../api/curation.ts";
import type { ClusterBrief, Column, RunDescription } from "../../api/runs.ts";
import { clusterColors } from "../../report/parts/clusterColors.ts";
import { matchedColors } from "../compare/matchedColors.ts";
import type { Box } from "../points/camera.ts";
import { isInside, type Place } from "../points/picker.ts";
import type { Numbers, Source } from "../source/source.ts";
import { isAnyRow, type RowFilter } from "./address.ts";
import { Mask } from "./mask.ts";
import { view } from "./view.ts";

/** A place that is none: rows that are not on the map have it. */
const nowhere = 65_535;

/** The values of a column, one for each row; of a category its codes, and what they stand for. */
export interface ColumnValues {
  readonly values: Numbers;
  readonly names: readonly string[] | undefined;
}

/** A second run beside this one. */
export interface Beside {
  readonly run: string;
  /** Where each row of this run is in that one. */
  readonly clusterOf: ArrayLike<number>;
  /** What its clusters look like beside those of this run. */
  readonly colors: ReadonlyMap<number, number>;
}

export class OpenRun {
  readonly source: Source;
  readonly id: string;
  readonly description: Signal<RunDescription>;
  readonly rows: number;
  /** Where each row is on the map, y downwards; rows that are not on it have no place in `onMap`. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly onMap: Mask;
  readonly box: Box;
  readonly clusterOf: Signal<Uint32Array>;
  readonly confidence: Signal<Float32Array>;
  readonly curation: Signal<Curation | undefined> = signal(undefined);
  /** Why nothing can be changed, where that is so. */
  readonly fixed = signal("");
  readonly columns: Signal<ReadonlyMap<number, ColumnValues>> = signal(new Map());
  readonly beside: Signal<Beside | undefined> = signal(undefined);
  /** What the second run was asked for: the clusters of both, which are others after an edit. */
  #besideOf: readonly unknown[] = [];
  /** Rows that contain the text of the filter, as the server finds them. */
  readonly #found: Signal<{ text: string; mask: Mask } | undefined> = signal(undefined);
  /** The rows that are meant, or undefined where all are. */
  readonly mask: ReadonlySignal<Mask | undefined>;
  /** Which color of the theme each cluster has. */
  readonly colors: ReadonlySignal<ReadonlyMap<number, number>>;
  readonly clusters: ReadonlySignal<ReadonlyMap<number, ClusterBrief>>;
  readonly #fetching = new Map<number, Promise<ColumnValues>>();

  private constructor(source: Source, description: RunDescription, places: Numbers, cluster: Numbers, sure: Numbers) {
    this.source = source;
    if (source.kind !== "server") this.fixed.value = "To rename, merge and move, open the run with telltale view.";
    this.id = description.id;
    this.description = signal(description);
    this.rows = cluster.length;
    const [left, top, right, bottom] = description.map?.bounds ?? [0, 0, 1, 1];
    const [wide, tall] = [Math.abs(right - left), Math.abs(bottom - top)];
    this.box = { left: 0, top: 0, right: wide, bottom: tall };
    this.x = new Float32Array(this.rows);
    this.y = new Float32Array(this.rows);
    this.onMap = Mask.where(this.rows, (row) => places.length > 2 * row && places[2 * row] !== nowhere);
    for (let row = 0; row < this.rows; row++) {
      if (!this.onMap.has(row)) continue;
      this.x[row] = (places[2 * row]! / (nowhere - 1)) * wide;
      this.y[row] = (places[2 * row + 1]! / (nowhere - 1)) * tall;
    }
    this.clusterOf = signal(cluster as Uint32Array);
    this.confidence = signal(sure as Float32Array);
    this.mask = computed(() => this.#meant(view.value.filter));
    this.clusters = computed(() => new Map(this.description.value.clusters.map((one) => [one.cluster, one])));
    this.colors = computed(() => {
      const { clusters } = this.description.value;
      const centers = clusters.every(({ center }) => center) ? clusters.map(({ center }) => center!) : undefined;
      const colors = clusterColors(clusters.length, centers);
      return new Map(clusters.map(({ cluster }, i) => [cluster, colors[i]!]));
    });
  }

  static async open(source: Source, run: string): Promise<OpenRun> {
    const path = { run };
    const description = await source.ask("run", { path });
    const [places, cluster, confidence] = await Promise.all([
      description.map ? source.numbers("map", { path }) : new Uint16Array(),
      source.numbers("placement", { path: { run, what: "cluster" } }),
      source.numbers("placement", { path: { run, what: "confidence" } }),
    ]);
    return new OpenRun(source, description, places, cluster, confidence);
  }

  /** After an edit: clusters are others. */
  async refresh(): Promise<void> {
    const path = { run: this.id };
    const [description, cluster, confidence, curation] = await Promise.all([
      this.source.ask("run", { path }),
      this.source.numbers("placement", { path: { ...path, what: "cluster" } }),
      this.source.numbers("placement", { path: { ...path, what: "confidence" } }),
      this.source.ask("curation", { path }),
    ]);
    batch(() => {
      this.description.value = description;
      this.clusterOf.value = cluster as Uint32Array;
      this.confidence.value = confidence as Float32Array;
      this.curation.value = curation;
    });
  }

  /** Where somebody may have changed it, and nobody has heard of it. */
  async catchUp(): Promise<void> {
    const now = await this.source.ask("run", { path: { run: this.id } });
    if (JSON.stringify(now) !== JSON.stringify(this.description.value)) await this.refresh();
  }

  /** What people have changed; where nothing can be changed, why. */
  async openCuration(): Promise<void> {
    try {
      this.curation.value ??= await this.source.ask("curation", { path: { run: this.id } });
    } catch (error) {
      this.fixed.value = error instanceof Error ? error.message : String(error);
    }
  }

  /** The place of a cluster's center in the units of `x` and `y`. */
  placeOf({ center }: ClusterBrief): Place | undefined {
    const bounds = this.description.value.map?.bounds;
    return center && bounds && [Math.abs(center[0] - bounds[0]), Math.abs(center[1] - bounds[1])];
  }

  /** The columns whose values can be had, with their numbers. */
  get listedColumns(): readonly (Column & { readonly number: number })[] {
    return this.description.value.columns
      .map((column, number) => ({ ...column, number }))
      .filter(({ form }) => form !== "none");
  }

  /** Fetched once. */
  column(number: number): Promise<ColumnValues> {
    const known = this.#fetching.get(number);
    if (known) return known;
    const path = { run: this.id, column: number };
    const isCategory = this.description.value.columns[number]?.form === "category";
    const fetching = Promise.all([
      this.source.numbers("column", { path }),
      isCategory ? this.source.ask("dictionary", { path }) : undefined,
    ]).then(([values, dictionary]) => {
      const names = dictionary && ["missing", ...dictionary.values, ...(dictionary.hasOther ? ["other"] : [])];
      const column = { values, names };
      this.columns.value = new Map(this.columns.value).set(number, column);
      return column;
    });
    this.#fetching.set(number, fetching);
    fetching.catch(() => this.#fetching.delete(number));
    return fetching;
  }

  /** Puts a second run beside this one, and again once one of them has changed. */
  async putBeside(other: OpenRun): Promise<void> {
    const of = [this.clusterOf.value, other.clusterOf.value];
    if (of.every((clusters, i) => clusters === this.#besideOf[i])) return;
    this.#besideOf = of;
    try {
      const beside = await this.#besideTo(other);
      if (this.#besideOf === of) this.beside.value = beside;
    } catch (error) {
      if (this.#besideOf === of) this.#besideOf = [];
      throw error;
    }
  }

  /** The server knows which rows are the same, and which clusters match; without one, both have their rows in order. */
  async #besideTo(other: OpenRun): Promise<Beside> {
    if (this.source.kind !== "server")
      return { run: other.id, clusterOf: other.clusterOf.value, colors: other.colors.value };
    const query = { a: this.id, b: other.id };
    const [{ matched }, both] = await Promise.all([
      this.source.ask("compare", { query }),
      this.source.numbers("comparedRows", { query }),
    ]);
    const there = other.description.value.clusters.map(({ cluster }) => cluster);
    return {
      run: other.id,
      clusterOf: both.subarray(both.length / 2),
      colors: matchedColors(this.colors.value, matched, there),
    };
  }

  /** Asks for whatever a filter needs that is not here yet. */
  async prepare(filter: RowFilter): Promise<void> {
    const columns = [...filter.ranges, ...filter.values].map(({ column }) => this.column(column));
    if (filter.marks.length > 0) await this.openCuration();
    const text = filter.text.trim();
    if (text !== "" && this.#found.value?.text !== text) {
      const bits = await this.source.numbers("mask", { path: { run: this.id }, body: { filter: { text } } as never });
      this.#found.value = { text, mask: new Mask(this.rows, bits as Uint8Array) };
    }
    await Promise.all(columns);
  }

  #meant(filter: RowFilter): Mask | undefined {
    if (isAnyRow(filter)) return undefined;
    const tests: ((row: number) => boolean)[] = [];
    const [clusterOf, confidence, columns] = [this.clusterOf.value, this.confidence.value, this.columns.value];
    if (filter.clusters.length > 0) {
      const wanted = new Set(filter.clusters);
      tests.push((row) => wanted.has(clusterOf[row]!));
    }
    const beside = this.beside.value;
    if (filter.others.length > 0 && beside?.run === view.value.other) {
      const wanted = new Set(filter.others);
      tests.push((row) => wanted.has(beside.clusterOf[row]!));
    }
    if (filter.above > 0) tests.push((row) => confidence[row]! >= filter.above);
    if (filter.below < 1) tests.push((row) => confidence[row]! < filter.below);
    for (const { column, from, to } of filter.ranges) {
      const values = columns.get(column)?.values;
      if (values) tests.push((row) => values[row]! >= from && values[row]! <= to);
    }
    for (const column of new Set(filter.values.map((one) => one.column))) {
      const known = columns.get(column);
      const wanted = filter.values.filter((one) => one.column === column);
      const codes = new Set(wanted.map(({ value }) => known?.names?.indexOf(value) ?? -1));
      if (known) tests.push((row) => codes.has(known.values[row]!));
    }
    const curation = this.curation.value;
    if (filter.marks.length > 0 && curation) {
      const marked = new Set(curation.marks.filter(({ mark }) => filter.marks.includes(mark)).map(({ row }) => row));
      tests.push((row) => marked.has(row));
    }
    if (filter.lasso.length > 2) {
      tests.push((row) => this.onMap.has(row) && isInside(filter.lasso, this.x[row]!, this.y[row]!));
    }
    const mask = Mask.where(this.rows, (row) => tests.every((test) => test(row)));
    const found = this.#found.value;
    return filter.text.trim() !== "" && found ? mask.and(found.mask) : mask;
  }
}
