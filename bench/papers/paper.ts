/** A paper's tables and figures as data: what was published, and which of our cells stands beside it. */

import type { Line } from "../records.ts";
import type { Mark } from "./marks.ts";

export interface Paper {
  readonly name: string;
  readonly title: string;
  /** Whether its NMI is by the geometric mean of both entropies; else by the arithmetic one. */
  readonly geometricNmi?: true;
  readonly tables: readonly (Table | PlainTable)[];
  readonly figures: readonly Figure[];
}

/** What there is to draw from and to print: records of cells, and what was measured for figures. */
export interface Recorded {
  /** The lines of a cell's name without its seed. */
  lines(group: string): readonly Line[];
  measured<T>(name: string): T | undefined;
}

/** A table of scores. */
export interface Table {
  readonly id: string;
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Published figures side by side, one line for a method: for tables with a column for each of many data sets. */
  readonly isWide?: true;
  readonly notes?: readonly string[];
}

/** A table of something else than scores, whose rows stand as they are. */
export interface PlainTable {
  readonly id: string;
  readonly title: string;
  readonly head: readonly string[];
  readonly published: readonly (readonly string[])[];
  /** Ours, row by row; none before it is measured. */
  ours(recorded: Recorded): readonly (readonly string[])[];
  /** What `--run` measures for it. */
  readonly needs?: readonly string[];
  readonly notes?: readonly string[];
}

export const isPlain = (table: Table | PlainTable): table is PlainTable => "head" in table;

export interface Column {
  readonly title: string;
  /** The data sets of our cells; the first that has a record is shown. */
  readonly data: readonly string[];
  readonly scores: readonly ScoreName[];
  readonly marks?: readonly Mark[];
  /** The first of these data sets is what was published on, though other tables take it as a sample. */
  readonly isWhole?: true;
}

export interface Row {
  readonly name: string;
  /**
   * Our cell without data and seed, such as tell/paper; one for all columns or one for each, none where there is none.
   */
  readonly ours: string | undefined | readonly (string | undefined)[];
  /** As printed: numbers apart by spaces, columns by |. */
  readonly published: string;
  readonly marks?: readonly Mark[];
  /** The epochs of the publication. */
  readonly epochs?: number | readonly number[];
  /** Ours is not the mean of all seeds but the one with the smallest loss, as the publication has it. */
  readonly best?: true;
  /** Ours is the one run of this seed. */
  readonly seed?: number;
}

export interface Figure {
  readonly id: string;
  readonly title: string;
  /** What the publication's shows, in a sentence or two. */
  readonly published: string;
  /** What ours shows, on which data and with how many epochs; {rows} is how many rows it was measured on. */
  readonly about: string;
  /** What `--run` measures for it, by name, or the cells whose records it draws. */
  readonly needs: readonly string[];
  /** An SVG, or nothing before it is measured. */
  draw(recorded: Recorded): string | undefined;
}

/** A score as papers call it, and where it is in our records. */
export const scores = {
  ACC: { of: "accuracy", isShare: true },
  NMI: { of: "nmi", isShare: true },
  ARI: { of: "ari", isShare: true },
  AMI: { of: "ami", isShare: true },
  Homo: { of: "homogeneity", isShare: true },
  Comp: { of: "completeness", isShare: true },
  "V-measure": { of: "vMeasure", isShare: true },
  Precision: { of: "pairPrecision", isShare: true },
  L_clu: { of: "loss", isShare: false },
  parameter: { of: undefined, isShare: false },
} as const;

export type ScoreName = keyof typeof scores;

export const three = ["ACC", "NMI", "ARI"] as const;

/** The published numbers of a row, column by column. */
export function publishedOf({ columns }: Pick<Table, "columns">, row: Row): string[][] {
  const parts = row.published.split("|").map((part) => part.trim().split(/\s+/).filter(Boolean));
  columns.forEach(({ title, scores }, at) => {
    const got = parts[at]?.length ?? 0;
    if (got !== scores.length) {
      throw new Error(`papers: ${row.name}, ${title} must have ${scores.length} numbers, it has ${got}`);
    }
  });
  return parts;
}

/** Our cells of a row in a column, the best kind of data first, with the seeds left off. */
export function cellsOf(row: Row, column: Column, at: number): string[] {
  const suffix = typeof row.ours === "string" || row.ours === undefined ? row.ours : row.ours[at];
  if (suffix === undefined) return [];
  return column.data.map((data) => `${data}/${suffix}`);
}

/** What a figure of ours shows, in words. */
export function aboutOf({ about, needs }: Figure, recorded: Recorded): string {
  const rows = recorded.measured<{ readonly rows?: number }>(needs[0]!)?.rows ?? 3000;
  return about.replace("{rows}", rows.toLocaleString("en-US"));
}
