/** Columns that say the same: numbers that are another's up to scale, values that stand for another's one by one. */

/** A cell of a sample: a number, or a mark that is the same for the same value only; null where missing. */
export type Cell = number | bigint | null;

/** Of more columns, no two are compared. */
const mostCompared = 256;
/** As correlated as two roundings of one number. */
const leastCorrelation = 0.9999;
/** Columns of more values than this stand for each other only by chance, or are keys. */
const mostValues = 256;
/** Fewer rows prove nothing. */
const fewestRows = 16;

/** Of each column those that say the same, in groups: every one of a group names all others. */
export function repeatsIn(sample: ReadonlyMap<string, readonly Cell[]>): Map<string, string[]> {
  const columns = [...sample].map(([name, cells]) => described(name, cells)).filter((column) => column.distinct > 1);
  const groups: Described[][] = [];
  if (columns.length > mostCompared) return new Map();
  for (const column of columns) {
    if (column.cells.length < fewestRows) continue;
    const group = groups.find(([first]) => isSame(first!, column));
    if (group) group.push(column);
    else groups.push([column]);
  }
  const repeated = groups.filter((group) => group.length > 1);
  return new Map(
    repeated.flatMap((group) =>
      group.map(({ name }) => [name, group.map((each) => each.name).filter((each) => each !== name)] as const),
    ),
  );
}

interface Described {
  readonly name: string;
  readonly cells: readonly Cell[];
  readonly distinct: number;
  readonly missing: number;
  /** Of numbers: of length 1 around 0, as they are and by their ranks; where none is missing. */
  readonly values?: Float64Array;
  readonly ranks?: Float64Array;
}

function described(name: string, cells: readonly Cell[]): Described {
  const present = cells.filter((cell) => cell !== null);
  const bare = { name, cells, distinct: new Set(present).size, missing: cells.length - present.length };
  if (bare.distinct <= 2 || !present.every((cell) => typeof cell === "number")) return bare;
  // Where values are missing, they are so in both or the columns do not say the same: the mean does for comparing.
  const mean = present.reduce((sum, value) => sum + value, 0) / present.length;
  const values = Float64Array.from(cells, (cell) => (cell === null ? mean : Number(cell)));
  return { ...bare, values: unit(values), ranks: unit(ranksOf(values)) };
}

function isSame(a: Described, b: Described): boolean {
  if (a.missing !== b.missing) return false;
  if (a.missing > 0 && !a.cells.every((cell, i) => (cell === null) === (b.cells[i] === null))) return false;
  if (a.values && b.values && a.ranks && b.ranks) {
    // A few huge values correlate with anything as large: what they leave unsaid, the ranks say.
    const isScaled = Math.abs(dot(a.values, b.values)) >= leastCorrelation;
    if (isScaled && Math.abs(dot(a.ranks, b.ranks)) >= leastCorrelation) return true;
  }
  return a.distinct === b.distinct && a.distinct <= mostValues && 2 * a.distinct <= a.cells.length && isOneToOne(a, b);
}

/** Whether each value of one always comes with the same value of the other. */
function isOneToOne(a: Described, b: Described): boolean {
  const partner = new Map<Cell, Cell>();
  return a.cells.every((cell, i) => {
    const known = partner.get(cell);
    if (known === undefined) partner.set(cell, b.cells[i]!);
    return known === undefined || known === b.cells[i];
  });
}

function unit(values: Float64Array): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const length = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0));
  return values.map((value) => (length > 0 ? (value - mean) / length : 0));
}

/** Equal values share the mean of their places. */
function ranksOf(values: Float64Array): Float64Array {
  const order = Array.from(values.keys()).sort((i, j) => values[i]! - values[j]!);
  const ranks = new Float64Array(values.length);
  for (let first = 0, last = 0; first < order.length; first = last) {
    while (last < order.length && values[order[last]!] === values[order[first]!]) last++;
    for (let at = first; at < last; at++) ranks[order[at]!] = (first + last - 1) / 2;
  }
  return ranks;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
