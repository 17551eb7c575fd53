/** What a report shows of a map, gathered as rows come: only these are kept, however many others there are. */

import { reportedOf } from "../../map/shownRows.ts";
import { spreadRows } from "../../model/sampleRows.ts";
import type { ReportMap } from "../../report/reportData.ts";

/** Nothing in place of a number that a file does not have. */
export interface PointOnMap {
  readonly x: number | null;
  readonly y: number | null;
  readonly cluster: number;
  readonly confidence: number | null;
}

export class PointsOnMap {
  readonly #x: Float32Array;
  readonly #y: Float32Array;
  readonly #cluster: Int32Array;
  readonly #confidence: Float32Array;
  /** Which of the map's points these are: spread over all, and the same each time. */
  readonly #chosen: Int32Array;
  #seen = 0;
  #count = 0;

  /** Of a map that shows so many rows. */
  constructor(shown: number) {
    const most = reportedOf(shown);
    this.#chosen = spreadRows(shown, most, 0);
    this.#x = new Float32Array(most);
    this.#y = new Float32Array(most);
    this.#cluster = new Int32Array(most);
    this.#confidence = new Float32Array(most);
  }

  /** A row that has no place is not on the map. */
  add({ x, y, cluster, confidence }: PointOnMap): void {
    if (x === null || y === null || this.#chosen[this.#count] !== this.#seen++) return;
    this.#x[this.#count] = x;
    this.#y[this.#count] = y;
    this.#cluster[this.#count] = cluster;
    this.#confidence[this.#count] = confidence ?? 0;
    this.#count++;
  }

  all(): Omit<ReportMap, "centers"> {
    return {
      shown: this.#count,
      x: this.#x.subarray(0, this.#count),
      y: this.#y.subarray(0, this.#count),
      cluster: this.#cluster.subarray(0, this.#count),
      confidence: this.#confidence.subarray(0, this.#count),
    };
  }
}
