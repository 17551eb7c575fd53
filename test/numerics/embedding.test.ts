import { describe, expect, it } from "vitest";
import { trustworthiness } from "../../src/map/trustworthiness.ts";
import { curveFor, forcesOf } from "../../src/numerics/embedding/curve.ts";
import { type Descent, descend, descendInSpace } from "../../src/numerics/embedding/descend.ts";
import { type EmbeddingOptions, embedNeighbours } from "../../src/numerics/embedding/embedNeighbours.ts";
import { tiesOf } from "../../src/numerics/embedding/ties.ts";
import { neighbours } from "../../src/numerics/neighbours/neighbours.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";

const pace = paceOf(undefined);

describe("ties", () => {
  it("are w = p + q − pq, once for each pair, with Σ p = log₂ count for each row", async () => {
    // Four rows on a line; each looks at two others. Σ p = 1 leaves only the nearest, whose p is 1.
    const codes = fromNumbers("float32", [4, 1], [0, 1, 3, 6]);
    const { heads, tails, weights } = await tiesOf(await neighbours(codes, 2, pace), pace);
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

  it("for 0 has the a and b that umap-learn fits, and finite forces", () => {
    const { a, b } = curveFor(0);
    expect(a).toBeCloseTo(1.93, 2);
    expect(b).toBeCloseTo(0.79, 2);
    const { pull, push } = forcesOf({ a, b });
    expect([...pull, ...push].every(Number.isFinite)).toBe(true);
  });

  it("for 1 keeps rows apart", () => {
    const [tight, loose] = [curveFor(0), curveFor(1)];
    expect(1 / (1 + loose.a * 0.5 ** (2 * loose.b))).toBeGreaterThan(0.9);
    expect(1 / (1 + tight.a * 0.5 ** (2 * tight.b))).toBeLessThan(0.65);
  });
});

describe("a pass over the ties", () => {
  const descentOf = (dimensions: number): Descent => {
    const random = Random.seeded(21);
    const size = 400;
    const row = (): number => random.below(60);
    const heads = Int32Array.from({ length: size }, row);
    return {
      positions: Float64Array.from(random.normals(60 * dimensions)),
      dimensions,
      ties: {
        heads,
        tails: heads.map((head) => (head + 1 + random.below(59)) % 60),
        weights: new Float32Array(size).fill(1),
      },
      forces: forcesOf(curveFor(0.1)),
      shares: random.uniforms(size),
      saved: random.uniforms(size),
      words: Int32Array.of(12345),
    };
  };

  it("is the same to the bit in the plane, which has a loop of its own, and in a space of two dimensions", () => {
    const [plane, space] = [descentOf(2), descentOf(2)];
    const before = plane.positions.slice();
    for (let pass = 0; pass < 5; pass++) {
      descend(plane, 0, 400, 1 - pass / 5);
      descendInSpace(space, 0, 400, 1 - pass / 5);
    }
    expect(plane.positions).toEqual(space.positions);
    expect(plane.positions).not.toEqual(before);
    expect(plane.words).toEqual(space.words);
  });
});

describe("an embedding by neighbours", () => {
  /** Four rings in planes of their own, in twelve dimensions. */
  const rings = (perRing: number): Tensor<"float32"> => {
    const random = Random.seeded(31);
    const data = random.normals(4 * perRing * 12).map((value) => 0.02 * value);
    for (let i = 0; i < 4 * perRing; i++) {
      const [ring, angle] = [i % 4, 2 * Math.PI * random.uniform()];
      data[12 * i + 2 * ring]! += Math.cos(angle);
      data[12 * i + 2 * ring + 1]! += Math.sin(angle);
      data[12 * i + 8 + ring]! += 0.3;
    }
    return tensor("float32", [4 * perRing, 12], data);
  };
  const embedded = async (
    rows: Tensor<"float32">,
    options: Partial<EmbeddingOptions> & { seed?: number } = {},
  ): Promise<Tensor<"float32">> => {
    const random = Random.seeded(options.seed ?? 1);
    const { shape, data } = await embedNeighbours(rows, { epochs: 150, random, pace, ...options });
    return tensor("float32", shape, Float32Array.from(data));
  };

  it.each([1, 2, 3, 10, 20])("in %i dimensions is finite and keeps neighbours", async (dimensions) => {
    const rows = rings(60);
    const positions = await embedded(rows, { dimensions, minimalDistance: 0 });
    expect(positions.shape).toEqual([240, dimensions]);
    expect(positions.data.every(Number.isFinite)).toBe(true);
    expect(trustworthiness(rows, positions)).toBeGreaterThan(dimensions === 1 ? 0.9 : 0.97);
  });

  it("is the same to the bit with the same random numbers, and another with others", async () => {
    const rows = rings(20);
    const one = await embedded(rows, { dimensions: 3 });
    expect(await embedded(rows, { dimensions: 3 })).toEqual(one);
    expect((await embedded(rows, { dimensions: 3, seed: 2 })).data).not.toEqual(one.data);
  });

  it("begins from the positions that are given, wherever they are and however large", async () => {
    const rows = rings(20);
    const line = Float32Array.from({ length: 240 }, (_, at) => (at % 3 === 0 ? at : 0));
    const start = tensor("float32", [80, 3], line);
    const unmoved = await embedded(rows, { dimensions: 3, start, epochs: 0 });
    unmoved.data.forEach((value, at) => {
      expect(value).toBeCloseTo(at % 3 === 0 ? at / 118.5 - 1 : 0, 5);
    });
    const far = tensor(
      "float64",
      [80, 3],
      Float64Array.from(line, (value) => 1024 * value),
    );
    const [near, same] = [
      await embedded(rows, { dimensions: 3, start }),
      await embedded(rows, { dimensions: 3, start: far }),
    ];
    expect(same.data).toEqual(near.data);
    expect(near.data).not.toEqual((await embedded(rows, { dimensions: 3 })).data);
    const anywhere = tensor("float32", [80, 3], Random.seeded(3).normals(240));
    const drawn = await embedded(rows, { dimensions: 3, start: anywhere });
    expect(trustworthiness(rows, drawn, { neighbours: 5 })).toBeGreaterThan(0.97);
  });

  it("packs rows more tightly the smaller the minimal distance is", async () => {
    const rows = rings(60);
    const nearest = async (minimalDistance: number): Promise<number> => {
      const { distances } = await neighbours(await embedded(rows, { minimalDistance }), 1, pace);
      return distances.toSorted()[120]!;
    };
    expect(await nearest(0)).toBeLessThan(0.5 * (await nearest(0.5)));
  });

  it("tells each epoch, with the start as the first", async () => {
    const seen: [number, number][] = [];
    const positions = await embedded(rings(10), {
      epochs: 4,
      onEpoch: (epoch, { length }) => seen.push([epoch, length]),
    });
    expect(seen).toEqual([0, 1, 2, 3, 4].map((epoch) => [epoch, positions.data.length]));
  });

  it("refuses options that make no sense, and says which", async () => {
    const rows = rings(5);
    await expect(embedded(rows, { dimensions: 0 })).rejects.toThrow(
      "embedNeighbours: dimensions must be a whole number from 1, got 0",
    );
    await expect(embedded(rows, { minimalDistance: -0.1 })).rejects.toThrow(
      "embedNeighbours: minimalDistance must be from 0 to 1, got -0.1",
    );
    await expect(embedded(rows, { start: rows })).rejects.toThrow(
      'embedNeighbours: start must be "principal axes", or finite positions of shape [20,2], got [20,12]',
    );
  });
});
