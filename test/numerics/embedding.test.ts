import { describe, expect, it } from "vitest";
import { trustworthiness } from "../../src/map/trustworthiness.ts";
import { squaredDistance } from "../../src/numerics/distances.ts";
import { eigen } from "../../src/numerics/eigen.ts";
import { curveFor, forcesOf } from "../../src/numerics/embedding/curve.ts";
import { tiesOf } from "../../src/numerics/embedding/ties.ts";
import { nearestOf, nearestOfOwn, neighbourhoodOf } from "../../src/numerics/neighbourhood.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { along, principalAxes } from "../../src/numerics/principalAxes.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";

const pace = paceOf(undefined);

describe("eigenvectors", () => {
  it("are those of [[2, 1], [1, 2]]: 3 along the diagonal, 1 across it", async () => {
    const { values, vectors } = await eigen(Float64Array.of(2, 1, 1, 2), 2, pace);
    expect(values[0]).toBeCloseTo(3, 12);
    expect(values[1]).toBeCloseTo(1, 12);
    expect(vectors[0]! * vectors[1]!).toBeCloseTo(0.5, 12);
    expect(vectors[2]! * vectors[3]!).toBeCloseTo(-0.5, 12);
  });

  it("rebuild the matrix, and have length 1 and right angles", async () => {
    const d = 12;
    const random = Random.seeded(4).normals(d * d);
    const matrix = Float64Array.from(random, (_, at) => {
      const [i, j] = [Math.floor(at / d), at % d];
      return random[i * d + j]! + random[j * d + i]!;
    });
    const { values, vectors } = await eigen(matrix, d, pace);
    const total = (of: (c: number) => number): number => values.reduce((sum, _, c) => sum + of(c), 0);
    for (let i = 0; i < d; i++) {
      for (let j = 0; j < d; j++) {
        expect(total((c) => values[c]! * vectors[c * d + i]! * vectors[c * d + j]!)).toBeCloseTo(
          matrix[i * d + j]!,
          10,
        );
        expect(total((c) => vectors[i * d + c]! * vectors[j * d + c]!)).toBeCloseTo(i === j ? 1 : 0, 10);
      }
    }
  });
});

describe("principal axes", () => {
  it("by iteration of many columns agree with the exact ones of the few that vary", async () => {
    const few = tensor(
      "float32",
      [80, 4],
      Random.seeded(6)
        .normals(320)
        .map((value, at) => value * [8, 4, 2, 1][at % 4]!),
    );
    const many = new Float32Array(80 * 300);
    few.data.forEach((value, at) => {
      many[Math.floor(at / 4) * 300 + 50 * (at % 4)] = value;
    });
    const wide = tensor("float32", [80, 300], many);
    const [expected, got] = [
      await along(few, await principalAxes(few, 2, pace), pace),
      await along(wide, await principalAxes(wide, 2, pace), pace),
    ];
    got.data.forEach((value, at) => {
      expect(value).toBeCloseTo(expected.data[at]!, 4);
    });
  });
});

describe("the nearest rows", () => {
  const codes = tensor("float32", [700, 6], Random.seeded(7).normals(4200));
  const byLooking = ({ data, shape }: Tensor<"float32">, query: Tensor<"float32">, row: number): number[] =>
    Array.from({ length: shape[0]! }, (_, i) => i).sort(
      (a, b) =>
        squaredDistance(query.data, row, data, a, shape[1]!) - squaredDistance(query.data, row, data, b, shape[1]!),
    );

  it("of own rows are all found, nearest first, without the row itself", async () => {
    const { rows, distances } = await nearestOfOwn(await neighbourhoodOf(codes, pace), 5, pace);
    for (let row = 0; row < 700; row += 7) {
      expect([...rows.subarray(5 * row, 5 * row + 5)]).toEqual(byLooking(codes, codes, row).slice(1, 6));
      expect(distances[5 * row]! ** 2).toBeCloseTo(squaredDistance(codes.data, row, codes.data, rows[5 * row]!, 6), 10);
    }
  });

  it("of other rows are all found", async () => {
    const others = tensor("float32", [50, 6], Random.seeded(8).normals(300));
    const { rows } = await nearestOf(await neighbourhoodOf(codes, pace), others, 5, pace);
    for (let row = 0; row < 50; row++) {
      expect([...rows.subarray(5 * row, 5 * row + 5)]).toEqual(byLooking(codes, others, row).slice(0, 5));
    }
  });

  it("are found among equal rows too, and are fewer where there are fewer", async () => {
    const equal = fromNumbers("float32", [100, 2], new Float32Array(200).fill(3));
    const { rows } = await nearestOfOwn(await neighbourhoodOf(equal, pace), 4, pace);
    for (let row = 0; row < 100; row++) {
      const own = new Set(rows.subarray(4 * row, 4 * row + 4)).add(row);
      expect(own.size).toBe(5);
      expect(own.has(-1)).toBe(false);
    }
    expect(
      (await nearestOfOwn(await neighbourhoodOf(fromNumbers("float32", [3, 1], [1, 2, 4]), pace), 9, pace)).count,
    ).toBe(2);
  });
});

describe("ties", () => {
  it("are w = p + q − pq, once for each pair, with Σ p = log₂ count for each row", async () => {
    // Four rows on a line; each looks at two others. Σ p = 1 leaves only the nearest, whose p is 1.
    const codes = fromNumbers("float32", [4, 1], [0, 1, 3, 6]);
    const { heads, tails, weights } = await tiesOf(
      await nearestOfOwn(await neighbourhoodOf(codes, pace), 2, pace),
      pace,
    );
    expect([...heads].map((head, e) => [head, tails[e]])).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
      [3, 2],
      [3, 1],
    ]);
    [1, 0, 1, 1, 0].forEach((weight, e) => {
      expect(weights[e]).toBeCloseTo(weight, 4);
    });
  });

  it("of four equally growing distances sum to 2", async () => {
    const nearest = { count: 4, rows: Int32Array.of(1, 2, 3, 4), distances: Float64Array.of(1, 2, 3, 4) };
    const rows = Int32Array.from({ length: 20 }, (_, at) => nearest.rows[at % 4]!);
    const distances = Float64Array.from({ length: 20 }, (_, at) => nearest.distances[at % 4]!);
    // Rows 1 to 4 never name row 0, so the weights of its ties are its own p.
    const { heads, weights } = await tiesOf({ count: 4, rows, distances }, pace);
    expect(weights.filter((_, e) => heads[e] === 0).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(2, 3);
  });
});

describe("the curve", () => {
  it("for 0.1 has the a and b that UMAP's paper gives", () => {
    const { a, b } = curveFor(0.1);
    expect(a).toBeCloseTo(1.577, 2);
    expect(b).toBeCloseTo(0.895, 2);
  });

  it("has the slopes of log φ and log(1 − φ) as forces", () => {
    const { a, b } = curveFor(0.1);
    const { pull, push } = forcesOf({ a, b });
    const near = (y: number): number => 1 / (1 + a * y ** (2 * b));
    const slope = (of: (y: number) => number, y: number): number => (of(y + 1e-5) - of(y - 1e-5)) / 2e-5;
    const bits = new Int32Array(1);
    const squared = new Float32Array(bits.buffer);
    for (const y of [0.2, 0.7, 1, 3, 20]) {
      squared[0] = y * y;
      // The force is along y, which the step multiplies with it.
      const [together, apart] = [
        slope((at) => Math.log(near(at)), y) / y,
        slope((at) => Math.log(1 - near(at)), y) / y,
      ];
      expect(Math.abs(pull[bits[0]! >>> 16]! / together - 1)).toBeLessThan(0.01);
      expect(Math.abs((push[bits[0]! >>> 16]! * (0.001 + y * y)) / (apart * y * y) - 1)).toBeLessThan(0.01);
    }
    expect([...pull, ...push].every(Number.isFinite)).toBe(true);
  });
});

describe("trustworthiness", () => {
  it("is 1 − 2 / (nk(2n − 3k − 1)) Σ (r − k): one wrong neighbour of rank 4 by hand", () => {
    const codes = fromNumbers("float32", [5, 1], [0, 1, 2.1, 3.3, 4.6]);
    const straight = fromNumbers("float32", [5, 2], [0, 0, 1, 0, 2.1, 0, 3.3, 0, 4.6, 0]);
    expect(trustworthiness(codes, straight, { neighbours: 1 })).toBe(1);
    // The last row is drawn beside the first: each is the other's neighbour there, of rank 4 and 4.
    const bent = fromNumbers("float32", [5, 2], [0, 0, 1, 0, 2.1, 0, 3.3, 0, -0.5, 0]);
    expect(trustworthiness(codes, bent, { neighbours: 1 })).toBeCloseTo(1 - (2 / (5 * 1 * 6)) * (3 + 3), 12);
  });

  it("looks at some of the rows if told so, and refuses what does not fit", () => {
    const codes = tensor("float32", [100, 3], Random.seeded(9).normals(300));
    const flat = tensor(
      "float32",
      [100, 2],
      codes.data.filter((_, at) => at % 3 < 2),
    );
    expect(trustworthiness(codes, flat, { rows: 50 })).toBeCloseTo(trustworthiness(codes, flat), 1);
    expect(() => trustworthiness(codes, codes)).toThrow(
      "trustworthiness: 100 codes need positions of shape [100,2], got [100,3]",
    );
    expect(() => trustworthiness(codes, flat, { neighbours: 50 })).toThrow(
      "must be from 1 to below half of the 100 rows, got 50",
    );
  });
});
