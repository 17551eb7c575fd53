import { describe, expect, it } from "vitest";
import { variable } from "../../src/graph/node.ts";
import { metrics } from "../../src/metrics/index.ts";
import { kmeans, lloyd, plusPlus, unitTensor } from "../../src/numerics/kmeans.ts";
import { Random } from "../../src/tensor/random.ts";
import { filled, fromNumbers, type Tensor, takeRows, tensor } from "../../src/tensor/tensor.ts";
import { firstCenters, firstValues } from "../../src/training/firstCenters.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";

const matrix = (...rows: number[][]) => fromNumbers("float32", [rows.length, rows[0]!.length], rows.flat());
const rowsOf = ({ shape, data }: Tensor<"float32">): number[][] =>
  Array.from({ length: shape[0]! }, (_, i) => [...data.subarray(i * shape[1]!, (i + 1) * shape[1]!)]);
const noisy = blobs(90, { deviation: 0.4 }).rows;
const scattered = tensor("float32", [200, 6], Random.seeded(5).normals(1200));

/** Σ of the squared distances of rows from the nearest of the centers, the plain way. */
function inertiaOf(rows: Tensor<"float32">, centers: Tensor<"float32">): number {
  const all = rowsOf(centers);
  return rowsOf(rows).reduce((total, row) => {
    const distances = all.map((center) => center.reduce((sum, value, c) => sum + (value - row[c]!) ** 2, 0));
    return total + Math.min(...distances);
  }, 0);
}

describe("plusPlus", () => {
  it("places each center on a row, and no two on the same while rows differ", () => {
    const centers = rowsOf(plusPlus(scattered, 20, Random.seeded(1))).map(String);
    const known = new Set(rowsOf(scattered).map(String));
    expect(centers.every((center) => known.has(center))).toBe(true);
    expect(new Set(centers).size).toBe(20);
  });

  it("takes every row where there are as many centers as rows", () => {
    const rows = matrix([1], [5], [2], [9]);
    const centers = rowsOf(plusPlus(rows, 4, Random.seeded(1))).flat();
    expect(centers.sort((a, b) => a - b)).toEqual([1, 2, 5, 9]);
  });

  it("finds each of three blobs that lie apart, whatever the seed", () => {
    const { rows, labels } = blobs(60);
    for (let seed = 1; seed <= 20; seed++) {
      const centers = rowsOf(plusPlus(rows, 3, Random.seeded(seed))).map(String);
      const found = centers.map((center) => labels[rowsOf(rows).map(String).indexOf(center)]);
      expect(new Set(found).size).toBe(3);
    }
  });

  it("is a better start than rows drawn at random", () => {
    const means = (start: "kmeans++" | "rows") => {
      const inertias = Array.from({ length: 20 }, (_, seed) =>
        inertiaOf(noisy, firstCenters(start, noisy, 8, Random.seeded(seed + 1))!),
      );
      return inertias.reduce((a, b) => a + b, 0) / 20;
    };
    expect(means("kmeans++")).toBeLessThan(means("rows"));
  });

  it("draws rows twice where fewer are different than there are centers", () => {
    const rows = matrix([1, 1], [1, 1], [2, 2], [1, 1]);
    const centers = rowsOf(plusPlus(rows, 4, Random.seeded(3))).map(String);
    expect(new Set(centers)).toEqual(new Set(["1,1", "2,2"]));
    const same = rowsOf(plusPlus(filled("float32", [5, 2], 7), 3, Random.seeded(3))).flat();
    expect(same).toEqual([7, 7, 7, 7, 7, 7]);
  });
});

describe("lloyd", () => {
  it("puts a center that is nobody's nearest on the row that is farthest from its own", () => {
    const rows = matrix([0], [1], [2], [9], [10]);
    const { centers, labels } = lloyd(rows, matrix([1], [100], [9.5]));
    expect(new Set(labels).size).toBe(3);
    // 1 and 9.5 are means; 0 and 2 are the farthest from theirs, 0 the first of them.
    expect([...centers.data]).toEqual([1.5, 0, 9.5]);
  });

  it("by hand: two iterations on a line", () => {
    const rows = matrix([0], [1], [2], [9], [10]);
    const start = matrix([0], [1]);
    // The first has 0, the second the others: to 0 and 5.5. Then 0, 1 and 2 against 9 and 10: to 1 and 9.5.
    const first = lloyd(rows, start, { iterations: 1 });
    expect([...first.centers.data]).toEqual([0, 5.5]);
    const second = lloyd(rows, start, { iterations: 2 });
    expect([...second.centers.data]).toEqual([1, 9.5]);
    expect([...second.labels]).toEqual([0, 0, 0, 1, 1]);
    expect(second.inertia).toBe(1 + 0 + 1 + 0.25 + 0.25);
  });

  it.each([false, true])("never raises the sum of squares, and says what it is: spherical %s", (spherical) => {
    const rows = spherical ? unitTensor(scattered) : scattered;
    const start = takeRows(rows, Int32Array.of(0, 1, 2, 3, 4, 5, 6));
    let before = inertiaOf(rows, start);
    for (let iterations = 0; iterations < 12; iterations++) {
      const { centers, labels, inertia } = lloyd(rows, start, { iterations, spherical });
      expect(inertia).toBeLessThanOrEqual(before + 1e-9);
      expectClose([inertia], [inertiaOf(rows, centers)], 1e-6);
      const own = rowsOf(rows).map((row, i) =>
        row.reduce((sum, value, c) => sum + (value - centers.data[6 * labels[i]! + c]!) ** 2, 0),
      );
      expectClose([own.reduce((a, b) => a + b, 0)], [inertia], 1e-6);
      before = inertia;
    }
    expect(before).toBeLessThan(0.9 * inertiaOf(rows, start));
  });

  it("ends where each center is the mean of its rows", () => {
    const { centers, labels } = lloyd(scattered, takeRows(scattered, Int32Array.of(0, 1, 2, 3)));
    for (let j = 0; j < 4; j++) {
      const members = rowsOf(scattered).filter((_, i) => labels[i] === j);
      const mean = [0, 1, 2, 3, 4, 5].map((c) => members.reduce((sum, row) => sum + row[c]!, 0) / members.length);
      expectClose(rowsOf(centers)[j]!, mean, 1e-5);
    }
  });

  it("leaves a start as it was", () => {
    const start = matrix([0.5, 0.5, 0.5, 0.5], [100.1, 0, 0, 0], [0.1, 0.2, 0.9, 0.3]);
    const kept = [...start.data];
    lloyd(noisy, start);
    expect([...start.data]).toEqual(kept);
  });

  it("gives ties to the first center", () => {
    const { labels } = lloyd(matrix([0], [2]), matrix([1], [1], [1]), { iterations: 0 });
    expect([...labels]).toEqual([0, 0]);
  });

  it("spherical centers have length 1 and point where their rows do", () => {
    const rows = unitTensor(blobs(60).rows);
    const { centers, labels } = kmeans(rows, 3, Random.seeded(1), { spherical: true });
    rowsOf(centers).forEach((center, j) => {
      expect(Math.hypot(...center)).toBeCloseTo(1, 6);
      const sum = [0, 1, 2, 3].map((c) =>
        rowsOf(rows).reduce((total, row, i) => total + (labels[i] === j ? row[c]! : 0), 0),
      );
      expectClose(
        center,
        sum.map((value) => value / Math.hypot(...sum)),
        1e-6,
      );
    });
  });

  it("in more columns than are summed at a time, gives each row the nearest center", () => {
    const wide = tensor("float32", [60, 50], Random.seeded(8).normals(3000));
    const { centers, inertia } = lloyd(wide, takeRows(wide, Int32Array.of(0, 1, 2, 3, 4)));
    expectClose([inertia], [inertiaOf(wide, centers)], 1e-6);
  });
});

describe("kmeans", () => {
  it("finds three easy blobs", () => {
    const { rows, labels } = blobs();
    expect(metrics.accuracy.score(labels, kmeans(rows, 3, Random.seeded(1)).labels)).toBe(1);
  });

  it("keeps the best of its restarts", () => {
    const single = Array.from({ length: 5 }, (_, seed) =>
      kmeans(scattered, 12, Random.seeded(seed), { restarts: 1 }),
    ).map(({ inertia }) => inertia);
    const random = Random.seeded(7);
    const each = Array.from({ length: 5 }, () => lloyd(scattered, plusPlus(scattered, 12, random)).inertia);
    expect(kmeans(scattered, 12, Random.seeded(7), { restarts: 5 }).inertia).toBe(Math.min(...each));
    expect(new Set([...single, ...each]).size).toBeGreaterThan(1);
  });

  it("gives the same for the same seed, to the last bit, and something else for another", () => {
    const [one, same, other] = [1, 1, 2].map((seed) => kmeans(scattered, 9, Random.seeded(seed), { restarts: 1 }));
    expect(same).toEqual(one);
    expect(other!.centers.data).not.toEqual(one!.centers.data);
  });

  it("copes with fewer different rows than centers", () => {
    const rows = matrix([1, 1], [1, 1], [2, 2], [2, 2], [1, 1]);
    const { centers, labels, inertia } = kmeans(rows, 4, Random.seeded(1));
    expect(inertia).toBe(0);
    expect(rowsOf(centers).every(([a, b]) => a === b && (a === 1 || a === 2))).toBe(true);
    expect(labels[0]).toBe(labels[1]);
    expect(labels[0]).not.toBe(labels[2]);
  });

  it("of very many rows, chooses the start on a part and ends on all of them", () => {
    const { rows, labels } = blobs(21_000, { deviation: 0.05 });
    const found = kmeans(rows, 3, Random.seeded(1), { restarts: 2 });
    expect(found.labels).toHaveLength(21_000);
    expect(metrics.accuracy.score(labels, found.labels)).toBe(1);
    expectClose([found.inertia], [inertiaOf(rows, found.centers)], 1e-5);
  });
});

describe("first centers", () => {
  it("by rows are different rows; by random there are none, and the method's own stay", () => {
    const centers = rowsOf(firstCenters("rows", scattered, 200, Random.seeded(1))!).map(String);
    expect(new Set(centers)).toEqual(new Set(rowsOf(scattered).map(String)));
    expect(firstCenters("random", scattered, 5, Random.seeded(1))).toBeUndefined();
  });

  it.each(["kmeans", "kmeans++", "rows"] as const)("have length 1 by %s where only directions count", (start) => {
    const centers = firstCenters(start, scattered, 5, Random.seeded(1), { spherical: true })!;
    for (const center of rowsOf(centers)) expect(Math.hypot(...center)).toBeCloseTo(1, 6);
  });

  it("become the values of the variables that have one", () => {
    const [a, b] = ["a", "b"].map((name) => variable(name, filled("float32", [2], 0)));
    const value = fromNumbers("float32", [2], [1, 2]);
    expect([...firstValues([a!, value], [b!, undefined])]).toEqual([[a, value]]);
  });

  it("a row of zeros has no direction and stays one", () => {
    expectClose(unitTensor(matrix([3, 4], [0, 0])).data, [0.6, 0.8, 0, 0], 1e-7);
  });
});
