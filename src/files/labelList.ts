/** Labels one after the other, in memory that is bounded however many there are. */

import { bytesInWords, checkMemory, memoryLimit } from "../tensor/budget.ts";
import { type Labels, labelsOf } from "./openedRows.ts";

/** More different labels than this are no classes. */
const mostClasses = 2 ** 20;
/** Labels beyond those that are wanted are counted, up to here: whoever has far too many has another file in mind. */
const mostUnwanted = 2 ** 20;
const piece = 2 ** 20;

export interface LabelOptions {
  /** What may be used, in megabytes; by default a share of what is free. */
  readonly memory?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How many rows there are to be labelled, where that is known. */
  readonly rows?: number | undefined;
}

/** A label may stand among other columns, but no row takes so many bytes; a gigabyte is nothing to worry about. */
const mostPerRow = 1e6;
const harmless = 2 ** 30;

/** Refuses a file, packed or unpacked, that is far too large to hold one label for each row. */
export function checkLabelSize(where: string, bytes: number, { rows = Number.POSITIVE_INFINITY }: LabelOptions): void {
  if (bytes <= Math.max(harmless, rows * mostPerRow)) return;
  throw new RangeError(
    `${where}: there must be one label for each of ${rows} rows, it has ${bytesInWords(bytes)}; is it another file?`,
  );
}

export class LabelList {
  readonly #where: string;
  readonly #limit: number;
  readonly #most: number;
  /** The place of each label among those that have come. */
  readonly #pieces: Int32Array[] = [];
  readonly #seen = new Map<string | number | bigint, number>();
  #textLength = 0;
  #count = 0;

  constructor(where: string, { memory, rows = Number.POSITIVE_INFINITY }: LabelOptions) {
    this.#where = where;
    this.#limit = memoryLimit(memory);
    this.#most = rows + mostUnwanted;
  }

  /** The next one; null where it is missing. */
  add(label: string | number | bigint | null): void {
    const at = this.#count % piece;
    if (at === 0) this.#grow();
    this.#pieces.at(-1)![at] = label === null ? -1 : (this.#seen.get(label) ?? this.#added(label));
    this.#count++;
  }

  /** In the order of their names. */
  labels(): Labels {
    const { classes: sorted, names } = labelsOf([...this.#seen.keys()].map(String));
    const classes = new Int32Array(this.#count);
    this.#pieces.forEach((some, i) => {
      const from = i * piece;
      const n = Math.min(piece, this.#count - from);
      for (let j = 0; j < n; j++) classes[from + j] = some[j]! < 0 ? -1 : sorted[some[j]!]!;
    });
    return { classes, names };
  }

  #grow(): void {
    if (this.#count > this.#most) {
      const wanted = this.#most - mostUnwanted;
      throw new RangeError(`${this.#where}: there must be one label for each of ${wanted} rows, there are far more`);
    }
    // Once more, when they are put together.
    const bytes = 8 * (this.#count + piece) + this.#textLength * 2 + this.#seen.size * 100;
    checkMemory({ where: this.#where, what: `more than ${this.#count} labels`, bytes }, this.#limit);
    this.#pieces.push(new Int32Array(piece));
  }

  #added(label: string | number | bigint): number {
    const place = this.#seen.size;
    if (place === mostClasses) {
      throw new RangeError(
        `${this.#where}: labels are classes, and there can be ${mostClasses} different ones, it has more; name the column that holds them, or ignore this one`,
      );
    }
    if (typeof label === "string") {
      this.#textLength += label.length;
      const bytes = this.#textLength * 2;
      checkMemory({ where: this.#where, what: `labels of ${this.#textLength} letters`, bytes }, this.#limit);
    }
    this.#seen.set(label, place);
    return place;
  }
}
