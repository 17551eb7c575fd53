/** A run that somebody looks at: what is asked again and again is read once, and kept until it is put away. */

import { AskedRun, type ClusterSummary, type PlacementName, RowTable, type Run } from "../doors/inside.ts";

/** Where 65535 stands for no place, the largest place is one less. */
const largest = 65_534;

export interface QuantizedMap {
  /** x and y of each row, 65535 twice where it is not on the map. */
  readonly places: Uint16Array;
  /** [left, top, right, bottom]: what 0 and 65534 stand for. */
  readonly bounds: readonly [number, number, number, number];
  readonly shown: number;
}

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
    const [table, asked] = ["table", "asked"].map(
      (name) => this.#kept.get(name) as Promise<{ close(): Promise<void> }> | undefined,
    );
    for (const opened of [table, asked]) await (await opened?.catch(() => undefined))?.close();
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

function quantized(places: Float32Array): QuantizedMap {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  let shown = 0;
  for (let at = 0; at < places.length; at += 2) {
    const [x, y] = [places[at]!, places[at + 1]!];
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    shown++;
  }
  if (shown === 0) [left, top, right, bottom] = [0, 0, 0, 0];
  const all = new Uint16Array(places.length).fill(largest + 1);
  const [wide, tall] = [right - left || 1, bottom - top || 1];
  for (let at = 0; at < places.length; at += 2) {
    const [x, y] = [places[at]!, places[at + 1]!];
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    all[at] = Math.round(((x - left) / wide) * largest);
    all[at + 1] = Math.round(((y - top) / tall) * largest);
  }
  return { places: all, bounds: [left, top, right, bottom], shown };
}
