/** What columns say about clusters that no cluster was made of: shares, means, spans, words; rows pass by once. */

import { type ColumnBeside, mostBeside, type RowsBeside, type ValueBeside } from "../../data/beside.ts";
import { Random } from "../../tensor/random.ts";
import type { Beside } from "../clusters/clusterSummary.ts";
import { each, type PlacedBatch, usualBatch } from "../placement.ts";
import type { ColumnTally } from "./columnTally.ts";
import { SpanTally } from "./spanTally.ts";
import { TextTally } from "./textTally.ts";

/** Of more rows than these, the words of a sample are counted: time does not grow with the number of texts. */
const mostTexts = 100_000;

export class BesideTally {
  readonly #columns: readonly ColumnTally[];
  /** Of each cluster: its rows, also those without a value. */
  readonly #rows: Float64Array;
  /** Columns that name nothing. */
  readonly #leftOut: ReadonlySet<string>;
  readonly #names: readonly string[];
  readonly #share: number;
  readonly #random = Random.seeded(0).fork("texts");

  /** For so many clusters, and so many rows to come. */
  constructor(columns: readonly ColumnBeside[], clusters: number, rows: number, texts = mostTexts) {
    this.#columns = columns
      .slice(0, mostBeside)
      .map((column) => (column.kind === "text" ? new TextTally(column, clusters) : new SpanTally(column, clusters)));
    this.#rows = new Float64Array(clusters);
    this.#leftOut = new Set(columns.filter(({ isLeftOut }) => isLeftOut).map(({ name }) => name));
    this.#names = columns.map(({ name }) => name);
    this.#share = texts / rows;
  }

  add(cluster: number, values: readonly ValueBeside[]): void {
    this.#rows[cluster]!++;
    const isSampled = this.#share >= 1 || this.#random.uniform() < this.#share;
    this.#columns.forEach((column, i) => {
      const value = values[i];
      if (value !== null && value !== undefined) column.add(cluster, value, isSampled);
    });
  }

  /** Which of the columns holds the text: the one whose words come first. */
  get textAt(): number | undefined {
    const ranks = this.#columns.map((column) => (column instanceof TextTally && column.isText ? column.rank : -1));
    const most = Math.max(...ranks);
    return most < 0 ? undefined : ranks.indexOf(most);
  }

  /** What that column is called. */
  get textFrom(): string | undefined {
    return this.textAt === undefined ? undefined : this.#names[this.textAt];
  }

  /** Of what columns say, that by which a cluster may be named. */
  naming(said: readonly Beside[]): readonly Beside[] {
    return said.filter(({ column }) => !this.#leftOut.has(column));
  }

  /** What the columns say of each cluster: words first, the longest texts' before others, then what tells most. */
  describe(): Beside[][] {
    return Array.from(this.#rows, (_, cluster) => {
      const said = this.#columns.flatMap((column) => {
        const found = column.of(cluster, this.#rows);
        return found ? [{ ...found, length: column instanceof TextTally ? column.rank : 0 }] : [];
      });
      const rank = ({ says, length }: (typeof said)[number]): number => (says.kind === "words" ? length : -1);
      said.sort((a, b) => rank(b) - rank(a) || b.tells - a.tells);
      return said.map(({ says }) => says);
    });
  }
}

/** Values of other columns could not be had. */
export class NotBeside extends RangeError {}

/** The same batches, once each of their rows has been counted with the values beside it. */
export async function* countedBeside(
  batches: AsyncIterable<PlacedBatch>,
  beside: RowsBeside,
  tally: BesideTally,
): AsyncGenerator<PlacedBatch> {
  const values = each(beside.inOrder(usualBatch));
  try {
    for await (const batch of batches) {
      const { value: found } = await values.next().catch((error: Error) => {
        throw new NotBeside(error.message, { cause: error });
      });
      const { length } = batch.placements;
      if (found?.length !== length) {
        const got = `${found?.length ?? 0} for the ${length} rows from row ${batch.placements[0]!.row}`;
        throw new NotBeside(`explain: every row must have its values in the columns beside, got ${got}`);
      }
      batch.placements.forEach(({ cluster }, i) => {
        tally.add(cluster, found[i]!);
      });
      yield { ...batch, beside: found };
    }
  } finally {
    await values.return(undefined);
  }
}
