/** A run that somebody looks at: what is asked again and again is read once, and kept until it is put away. */

import {
  AskedRun,
  type ClusterSummary,
  imageOfRow,
  type Model,
  type PlacementName,
  type QuantizedMap,
  quantized,
  RowTable,
  type Run,
  valuesOf,
} from "../doors/inside.ts";

export class OpenedRun {
  readonly run: Run;
  readonly #kept = new Map<string, Promise<unknown>>();
  #isClosed = false;

  constructor(run: Run) {
    this.run = run;
  }

  table(): Promise<RowTable> {
    return this.#once("table", () => RowTable.open(this.run));
  }

  /** Its model and rows, for questions. */
  asked(): Promise<AskedRun> {
    return this.#once("asked", () => AskedRun.open(this.run));
  }

  /** Its model alone, for questions that need no rows. */
  model(): Promise<Model> {
    return this.#once("model", () => this.run.model());
  }

  /** The numbers of a row, by its place. An image of a folder is read alone: all of them would take a while. */
  async values(place: number): Promise<Float32Array> {
    const image = await imageOfRow(this.run, await (await this.table()).nameOf(place));
    if (image) return image;
    const { data } = await this.#once("rows", () => this.run.rows(undefined));
    return valuesOf(data, place);
  }

  clusters(): Promise<readonly ClusterSummary[]> {
    return this.#once("clusters", () => this.run.clusters());
  }

  /** The place of a row among the run's, by its number in the file: another where rows were left out. */
  placeOf(): Promise<(number: number) => number> {
    return this.#once("places", async () => {
      if (this.run.description.source.dropped === undefined) return (number: number) => number;
      const numbers = await (await this.table()).fileNumbers();
      const places = new Map(Array.from(numbers, (number, place) => [number, place]));
      return (number: number) => places.get(number) ?? number;
    });
  }

  /** What the placement of each row says. */
  placement(name: PlacementName): Promise<Float32Array> {
    return this.#once(`placement ${name}`, async () => (await this.table()).placements(name));
  }

  /** Where rows are on the map, in 16 bits each; nothing where there is no map. */
  map(): Promise<QuantizedMap | undefined> {
    return this.#once("map", async () => {
      const places = await (await this.table()).places();
      return places && quantized(places);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const name of ["table", "asked", "model", "rows"]) {
      const opened = this.#kept.get(name) as Promise<{ close(): Promise<void> }> | undefined;
      await (await opened?.catch(() => undefined))?.close();
    }
  }

  /** What has failed may be tried again. */
  #once<T>(name: string, make: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new RangeError("the run has been put away meanwhile; ask again"));
    const known = this.#kept.get(name) as Promise<T> | undefined;
    if (known) return known;
    const made = make();
    this.#kept.set(name, made);
    made.catch(() => this.#kept.delete(name));
    return made;
  }
}
