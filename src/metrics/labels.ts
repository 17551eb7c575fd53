/** Labels: which group each row is in, as whole numbers that mean nothing but "the same" and "another". */

/** One whole number per row, in any typed array; negative ones and gaps are welcome. */
export type Labels = ArrayLike<number> | ArrayLike<bigint>;

/** Labels counted from 0 in the order in which they first appear, so that no group is empty. */
export interface Groups {
  /** The group of each row. */
  readonly of: Int32Array;
  /** The number of rows in each group. */
  readonly sizes: readonly number[];
}

export function groupsOf(where: string, labels: Labels): Groups {
  if (labels.length === 0) throw new RangeError(`${where}: there must be at least one label, got none`);
  const groups = new Map<number | bigint, number>();
  const of = new Int32Array(labels.length);
  const sizes: number[] = [];
  for (let row = 0; row < labels.length; row++) {
    const label = labels[row]!;
    let group = groups.get(label);
    if (group === undefined) {
      if (typeof label !== "bigint" && !Number.isInteger(label)) {
        throw new RangeError(`${where}: labels must be whole numbers, got ${label} in row ${row}`);
      }
      group = sizes.push(0) - 1;
      groups.set(label, group);
    }
    of[row] = group;
    sizes[group]!++;
  }
  return { of, sizes };
}
