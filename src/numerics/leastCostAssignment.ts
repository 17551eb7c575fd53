/**
 * The assignment problem: give every row of a cost matrix a column of its own so that the costs sum to the least.
 *
 * Kuhn's Hungarian method (1955) solves it; this is its faster descendant, shortest augmenting paths with potentials
 * (Jonker & Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment problems",
 * Computing 38, 1987), without their preparatory steps: O(rows²·columns).
 */

const nobody = -1;

/**
 * The column of each row; costs row by row. Where there are fewer columns than rows, −1 for the rows that go without.
 */
export function leastCostAssignment(costs: ArrayLike<number>, rows: number, columns: number): Int32Array {
  if (costs.length !== rows * columns) {
    throw new RangeError(
      `leastCostAssignment: ${rows} rows and ${columns} columns need a cost for each pair, got ${costs.length} costs`,
    );
  }
  if (rows <= columns) return columnsOfRows(costs, rows, columns);
  const turned = Float64Array.from(
    { length: costs.length },
    (_, at) => costs[(at % rows) * columns + Math.floor(at / rows)]!,
  );
  const columnOf = new Int32Array(rows).fill(nobody);
  columnsOfRows(turned, columns, rows).forEach((row, column) => {
    columnOf[row] = column;
  });
  return columnOf;
}

/** For at least as many columns as rows. */
function columnsOfRows(costs: ArrayLike<number>, rows: number, columns: number): Int32Array {
  // The potentials u, v keep costᵢⱼ − uᵢ − vⱼ ≥ 0, with equality where row i has column j.
  const u = new Float64Array(rows);
  const v = new Float64Array(columns);
  const rowOf = new Int32Array(columns).fill(nobody);
  const columnOf = new Int32Array(rows).fill(nobody);
  // Of the shortest path to each column: its length, and the row before it.
  const length = new Float64Array(columns);
  const previous = new Int32Array(columns);
  // The columns in an order that puts those with a known path first.
  const order = Int32Array.from({ length: columns }, (_, j) => j);

  for (let start = 0; start < rows; start++) {
    // Dijkstra's algorithm from the row `start` to the nearest column that nobody has.
    length.fill(Infinity);
    let known = 0;
    let reached = 0;
    let row = start;
    let free = nobody;
    while (free === nobody) {
      let nearest = Infinity;
      let nearestAt = known;
      const offset = row * columns;
      const slack = reached - u[row]!;
      for (let at = known; at < columns; at++) {
        const j = order[at]!;
        const through = slack + costs[offset + j]! - v[j]!;
        if (through < length[j]!) {
          length[j] = through;
          previous[j] = row;
        }
        // Of equally near columns one that nobody has ends the search at once.
        if (length[j]! < nearest || (length[j] === nearest && rowOf[j] === nobody)) {
          nearest = length[j]!;
          nearestAt = at;
        }
      }
      if (nearest === Infinity) throw new RangeError("leastCostAssignment: costs must be finite numbers");
      const j = order[nearestAt]!;
      order[nearestAt] = order[known]!;
      order[known++] = j;
      reached = nearest;
      if (rowOf[j] === nobody) free = j;
      else row = rowOf[j]!;
    }
    // Potentials move by what the way was shorter than the way to the free column.
    u[start]! += reached;
    for (let at = 0; at < known - 1; at++) {
      const j = order[at]!;
      v[j]! += length[j]! - reached;
      u[rowOf[j]!]! -= length[j]! - reached;
    }
    // Along the path every row takes the column after it, and leaves the one before to its predecessor.
    for (let j = free; j !== nobody; ) {
      const taker = previous[j]!;
      const left = columnOf[taker]!;
      rowOf[j] = taker;
      columnOf[taker] = j;
      j = left;
    }
  }
  return columnOf;
}
