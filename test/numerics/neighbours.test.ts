import { describe, expect, it } from "vitest";
import { squaredDistance } from "../../src/numerics/distances.ts";
import { NeighbourSearch, neighbours } from "../../src/numerics/neighbours/neighbours.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";

const pace = paceOf(undefined);

/** Rows by their distance from a query, equally near ones by their number, by looking at all. */
function byLooking(rows: Tensor<"float32">, queries: Tensor<"float32">, query: number): number[] {
  const [n, d] = rows.shape as [number, number];
  const squared = Array.from({ length: n }, (_, j) => squaredDistance(queries.data, query, rows.data, j, d));
  return Array.from({ length: n }, (_, j) => j).sort((a, b) => squared[a]! - squared[b]! || a - b);
}

async function expectExact(rows: Tensor<"float32">, count: number, every = 1): Promise<void> {
  const [n, d] = rows.shape as [number, number];
  const found = await neighbours(rows, count, pace);
  expect(found.count).toBe(Math.min(count, n - 1));
  for (let i = 0; i < n; i += every) {
    const own = found.rows.subarray(i * found.count, (i + 1) * found.count);
    expect([...own]).toEqual(
      byLooking(rows, rows, i)
        .filter((j) => j !== i)
        .slice(0, count),
    );
    own.forEach((j, place) => {
      expect(found.distances[i * found.count + place]).toBe(Math.sqrt(squaredDistance(rows.data, i, rows.data, j, d)));
    });
  }
}

const normals = (n: number, d: number, seed: number): Tensor<"float32"> =>
  tensor("float32", [n, d], Random.seeded(seed).normals(n * d));

/** Whole numbers from 0 to 3: most rows are equal to others, and most distances to other distances. */
const grid = (n: number, d: number): Tensor<"float32"> =>
  tensor(
    "float32",
    [n, d],
    Random.seeded(5)
      .uniforms(n * d)
      .map((value) => Math.floor(4 * value)),
  );

describe("neighbours", () => {
  it.each([
    ["few rows of 3 columns", normals(50, 3, 1), 4, 1],
    ["the most columns of a tree, 16", normals(700, 16, 2), 5, 7],
    ["one column more, 17", normals(700, 17, 3), 5, 7],
    ["many rows of 5 columns", normals(6000, 5, 4), 5, 100],
    ["many rows of 40 columns, in several blocks", normals(1801, 40, 5), 7, 50],
    ["equal rows and equal distances in 3 columns", grid(900, 3), 8, 3],
    ["equal rows and equal distances in 20 columns", grid(301, 20), 8, 1],
    ["rows that are all equal", fromNumbers("float32", [100, 2], new Float32Array(200).fill(3)), 4, 1],
    ["wide rows that are all equal", fromNumbers("float32", [50, 18], new Float32Array(900).fill(3)), 4, 1],
    ["fewer rows than are wanted", fromNumbers("float32", [3, 1], [1, 2, 4]), 9, 1],
    ["a single row", fromNumbers("float32", [1, 2], [1, 2]), 3, 1],
  ])(
    "of %s are exact, nearest first, equally near ones by their number, without the row itself",
    async (_, rows, count, every) => {
      await expectExact(rows, count, every);
    },
  );

  it("of other rows are exact as well, in few columns and in many", async () => {
    for (const d of [6, 30]) {
      const rows = normals(700, d, 7);
      const others = normals(50, d, 8);
      const found = await (await NeighbourSearch.among(rows, pace)).of(others, 5, pace);
      for (let i = 0; i < 50; i++) {
        expect([...found.rows.subarray(5 * i, 5 * i + 5)]).toEqual(byLooking(rows, others, i).slice(0, 5));
      }
    }
  });

  it("of rows that are not finite do not exist, and they are nobody's", async () => {
    for (const d of [2, 20]) {
      const rows = normals(40, d, 9);
      rows.data[7 * d] = Number.NaN;
      rows.data[9 * d + 1] = Number.POSITIVE_INFINITY;
      const found = (await neighbours(rows, 3, pace)).rows;
      for (let i = 0; i < 40; i++) {
        const own = [...found.subarray(3 * i, 3 * i + 3)];
        if (i === 7 || i === 9) expect(own).toEqual([-1, -1, -1]);
        else expect(own.every((j) => j >= 0 && j !== 7 && j !== 9)).toBe(true);
      }
    }
  });

  it("of tens of thousands of equal rows are found without comparing all pairs", async () => {
    const n = 40_000;
    const began = performance.now();
    const found = await neighbours(tensor("float32", [n, 2], new Float32Array(2 * n)), 3, pace);
    expect([...found.rows.subarray(0, 6)]).toEqual([1, 2, 3, 0, 2, 3]);
    expect([...found.rows.subarray(3 * n - 3)]).toEqual([0, 1, 2]);
    // All pairs would be 800 million distances: more than five seconds.
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it("leave the event loop its turns, and are not searched to the end when it is aborted", async () => {
    for (const d of [10, 100]) {
      const controller = new AbortController();
      const search = neighbours(normals(20_000, d, 10), 10, paceOf(controller.signal));
      setTimeout(() => controller.abort(new Error("enough")), 50);
      await expect(search).rejects.toThrow("enough");
    }
  });
});

describe("an approximate search, which must be asked for,", () => {
  const share = async (rows: Tensor<"float32">): Promise<number> => {
    const n = rows.shape[0]!;
    const search = await NeighbourSearch.among(rows, pace, { approximate: true });
    const [found, exact] = [await search.ofEach(5, pace), await neighbours(rows, 5, pace)];
    let right = 0;
    for (let i = 0; i < n; i++) {
      const own = new Set(exact.rows.subarray(5 * i, 5 * i + 5));
      right += found.rows.subarray(5 * i, 5 * i + 5).filter((j) => own.has(j)).length;
    }
    return right / (5 * n);
  };

  it("finds all neighbours in few columns, and some in many that nothing binds together", async () => {
    expect(await share(normals(800, 10, 11))).toBe(1);
    const found = await share(normals(800, 60, 12));
    expect(found).toBeGreaterThan(0.05);
    expect(found).toBeLessThan(0.95);
  });

  it("finds almost all in many columns that vary along few directions", async () => {
    const [few, mixing] = [normals(800, 6, 13), normals(6, 60, 14)];
    const mixed = Float32Array.from({ length: 800 * 60 }, (_, at) => {
      const [i, c] = [Math.floor(at / 60), at % 60];
      let sum = 0;
      for (let a = 0; a < 6; a++) sum += few.data[6 * i + a]! * mixing.data[60 * a + c]!;
      return sum;
    });
    expect(await share(tensor("float32", [800, 60], mixed))).toBeGreaterThan(0.99);
  });
});

it("looks at few rows although many are repeated: each of 4,000, ten times over", async () => {
  const [n, d] = [40_000, 6];
  const once = Random.seeded(4).normals((n / 10) * d);
  const rows = tensor(
    "float32",
    [n, d],
    Float32Array.from({ length: n * d }, (_, at) => once[at % once.length]!),
  );
  const found = await neighbours(rows, 5, pace);
  // The other copies of row i are i + 4,000, i + 8,000 and so on: of these the five with the smallest numbers.
  const copies = (i: number): number[] =>
    Array.from({ length: 10 }, (_, c) => (i % 4000) + 4000 * c).filter((j) => j !== i);
  for (const i of [0, 1, 3999, 4000, 20_001, 39_999]) {
    expect([...found.rows.subarray(5 * i, 5 * i + 5)]).toEqual(copies(i).slice(0, 5));
  }
}, 15_000);
