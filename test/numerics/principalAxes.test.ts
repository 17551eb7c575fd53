import { describe, expect, it } from "vitest";
import { eigen } from "../../src/numerics/eigen.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { principalAxes, projected } from "../../src/numerics/principalAxes.ts";
import { Random } from "../../src/tensor/random.ts";
import { tensor } from "../../src/tensor/tensor.ts";

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
      await projected(few, await principalAxes(few, 2, pace), pace),
      await projected(wide, await principalAxes(wide, 2, pace), pace),
    ];
    got.data.forEach((value, at) => {
      expect(value).toBeCloseTo(expected.data[at]!, 4);
    });
  });
});
