/** One cell of the accuracy benchmark: a method or a teacher on a data set, with a seed. */

import type { Profile } from "../src/doors/inside.ts";

export interface Cell {
  readonly group: string;
  readonly data: string;
  /** A method, or a teacher by itself. */
  readonly method: string;
  /** A method's profile; a teacher has none: it divides the rows as they are. */
  readonly profile: Profile | "teacher";
  readonly options: Readonly<Record<string, unknown>>;
  /** What distinguishes it from the profile, in a word. */
  readonly variant?: string;
  readonly seed: number;
  /** Scores are kept through training, at about so many of its epochs. */
  readonly curve?: number;
  /** A second cell by the same training: what it is called, and the options that give labels in another way. */
  readonly also?: { readonly variant: string; readonly options: Readonly<Record<string, string>> };
}

/** Its name without the seed. */
export function groupOf({ data, method, profile, variant }: Omit<Cell, "seed">): string {
  return [data, method, profile, ...(variant ? [variant] : [])].join("/");
}

export function nameOf(cell: Cell): string {
  return `${groupOf(cell)}/${cell.seed}`;
}

/** Those with a text in their names; a whole name, with its seed or without, means just that. */
export function named(cells: readonly Cell[], text: string): readonly Cell[] {
  const whole = cells.filter((cell) => nameOf(cell) === text || groupOf(cell) === text);
  return whole.length > 0 ? whole : cells.filter((cell) => nameOf(cell).includes(text));
}

type More = Pick<Cell, "curve" | "also">;

export type CellRow = readonly [
  method: string,
  profile: Cell["profile"],
  options?: Record<string, unknown>,
  variant?: string | undefined,
  more?: More,
];

/** Seeds outside, methods inside: methods that share a pretraining follow each other. */
export function group(name: string, data: string, seeds: number, rows: readonly CellRow[]): Cell[] {
  return Array.from({ length: seeds }, (_, i) => i + 1).flatMap((seed) =>
    rows.map(([method, profile, options = {}, variant, more]) => ({
      group: name,
      data,
      method,
      profile,
      options,
      ...(variant && { variant }),
      seed,
      ...more,
    })),
  );
}
