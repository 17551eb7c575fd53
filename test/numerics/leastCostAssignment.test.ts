import fc from "fast-check";
import { expect, test } from "vitest";
import { leastCostAssignment } from "../../src/numerics/leastCostAssignment.ts";
import { Random } from "../../src/tensor/random.ts";
import { expectClose } from "../support/close.ts";

const costOf = (costs: ArrayLike<number>, columns: number, columnOf: ArrayLike<number>): number =>
  Array.from(columnOf).reduce((sum, column, row) => sum + costs[row * columns + column]!, 0);

/** The least sum, by trying every way. */
function leastOfAll(costs: readonly number[], rows: number, columns: number, taken: readonly number[] = []): number {
  if (taken.length === rows) return costOf(costs, columns, taken);
  const ways = Array.from({ length: columns }, (_, column) => column).filter((column) => !taken.includes(column));
  return Math.min(...ways.map((column) => leastOfAll(costs, rows, columns, [...taken, column])));
}

/** A matrix with as many columns as rows or more: few different costs make many ties, many make few. */
const matrices = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 2 }), fc.constantFrom(1, 3, 1000))
  .chain(([rows, more, range]) =>
    fc.record({
      rows: fc.constant(rows),
      columns: fc.constant(rows + more),
      costs: fc.array(fc.integer({ min: -range, max: range }), {
        minLength: rows * (rows + more),
        maxLength: rows * (rows + more),
      }),
    }),
  );

test("no other assignment costs less", () => {
  fc.assert(
    fc.property(matrices, ({ costs, rows, columns }) => {
      const columnOf = leastCostAssignment(costs, rows, columns);
      expect(new Set(columnOf).size).toBe(rows);
      expect(columnOf.every((column) => column >= 0 && column < columns)).toBe(true);
      expect(costOf(costs, columns, columnOf)).toBe(leastOfAll(costs, rows, columns));
    }),
    { numRuns: 300 },
  );
});

test("costs need not be whole numbers", () => {
  // Along the diagonal 0.25 + 2.5 = 2.75, the other way 0.5 + 0.25 = 0.75; the cheapest first would be the wrong way.
  const costs = [0.25, 0.5, 0.25, 2.5];
  expect([...leastCostAssignment(costs, 2, 2)]).toEqual([1, 0]);
});

test("a thousand rows and columns are done in a moment, with different costs and with equal ones", () => {
  const size = 1000;
  const random = Random.seeded(1);
  const different = Float64Array.from({ length: size * size }, () => random.uniform());
  const few = Float64Array.from({ length: size * size }, () => -random.below(3));
  // costᵢⱼ = i·j is the slow case, in which paths are long.
  const products = Float64Array.from({ length: size * size }, (_, at) => Math.floor(at / size) * (at % size));
  for (const costs of [different, few, new Float64Array(size * size)]) {
    const began = performance.now();
    expect(new Set(leastCostAssignment(costs, size, size)).size).toBe(size);
    expect(performance.now() - began).toBeLessThan(5000);
  }
  // By the rearrangement inequality the best is the reverse order: Σ i·(size − 1 − i).
  const best = Array.from({ length: size }, (_, i) => i * (size - 1 - i)).reduce((sum, cost) => sum + cost, 0);
  expectClose([costOf(products, size, leastCostAssignment(products, size, size))], [best], 1e-12);
});

test("where there are fewer columns than rows, those rows go without whose columns save the least", () => {
  fc.assert(
    fc.property(matrices, ({ costs, rows, columns }) => {
      const turned = Array.from(costs, (_, at) => costs[(at % rows) * columns + Math.floor(at / rows)]!);
      const rowOf = leastCostAssignment(turned, columns, rows);
      expect(rowOf.filter((row) => row === -1).length).toBe(columns - rows);
      const sum = rowOf.reduce((sum, row, column) => (row < 0 ? sum : sum + costs[row * columns + column]!), 0);
      expect(sum).toBe(leastOfAll(costs, rows, columns));
    }),
    { numRuns: 100 },
  );
});

test("costs that are missing and costs without a number are refused", () => {
  expect(() => leastCostAssignment([1, 2, 3], 2, 2)).toThrow(
    "leastCostAssignment: 2 rows and 2 columns need a cost for each pair, got 3 costs",
  );
  expect(() => leastCostAssignment([Number.NaN], 1, 1)).toThrow("leastCostAssignment: costs must be finite numbers");
});
