/** What the statements for an engine are made of. */

import type { Feature } from "../../../data/feature.ts";

export interface EngineFacts {
  /** What the model is called there: letters, digits and _ only. */
  readonly name: string;
  /** The files beside what is written: the model, and the same with distances as its only output. */
  readonly files: { readonly model: string; readonly distances: string };
  /** The name of the model's input. */
  readonly input: string;
  readonly row: readonly number[];
  /** What the numbers of a row are made of; empty where they have no names. */
  readonly features: readonly Feature[];
  /** The columns that had to be encoded. */
  readonly encoded: readonly string[];
  readonly clusterNames: readonly string[];
  /** Whether the model fills in missing values, which then are to be NaN. */
  readonly fills: boolean;
  /** The table of assignments that is there already, and how it goes with the rows it was fitted to. */
  readonly assignments?: Assignments;
}

export interface Assignments {
  readonly file: string;
  /** The rows, as what stands after `from` in DuckDB; nothing where it cannot read them. */
  readonly rows?: string;
  /** The query that the rows came from, as the folder stores it. */
  readonly query?: string;
  /** What the ids are called among the rows and among the assignments; none where position tells. */
  readonly ids: readonly { readonly rows: string; readonly assignments: string }[];
}

export interface Engine {
  readonly title: string;
  /** Pictures are not rows of a table. */
  readonly takesPictures: boolean;
  statements(facts: EngineFacts): string;
}
