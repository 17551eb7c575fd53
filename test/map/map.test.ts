import { describe, expect, it } from "vitest";
import { type MapProgress, map } from "../../src/map/map.ts";
import { placeOnMap } from "../../src/map/placeOnMap.ts";
import { trustworthiness } from "../../src/map/trustworthiness.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";

const rows = (values: number[][]): Tensor<"float32"> =>
  fromNumbers("float32", [values.length, values[0]!.length], values.flat());

/**
 * Three rings, each in its own plane of ten dimensions, that share a center: no two principal axes show all of them.
 */
function rings(perRing: number): Tensor<"float32"> {
  const random = Random.seeded(5);
  const data = random.normals(3 * perRing * 10).map((value) => 0.02 * value);
  for (let i = 0; i < 3 * perRing; i++) {
    const [ring, angle] = [i % 3, 2 * Math.PI * random.uniform()];
    data[10 * i + 2 * ring]! += Math.cos(angle);
    data[10 * i + 2 * ring + 1]! += Math.sin(angle);
    data[10 * i + 6 + ring]! += 0.3;
  }
  return tensor("float32", [3 * perRing, 10], data);
}

function expectFramed({ data, shape }: Tensor<"float32">, n: number): void {
  expect(shape).toEqual([n, 2]);
  expect(data.every(Number.isFinite)).toBe(true);
  for (const axis of [0, 1]) {
    expect(data.filter((_, at) => at % 2 === axis).reduce((sum, value) => sum + value, 0) / n).toBeCloseTo(0, 5);
  }
  const largest = data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest > 0) expect(largest).toBeCloseTo(1, 6);
}

describe("a map", () => {
  it("begins with the principal axes, and keeps neighbours better than they do", async () => {
    const codes = rings(120);
    const seen: MapProgress[] = [];
    const { positions } = await map(codes, { seed: 1, epochs: 200, onProgress: (progress) => seen.push(progress) });
    expect(seen.map(({ epoch }) => epoch)).toEqual(Array.from({ length: 201 }, (_, i) => i));
    expect(seen.at(-1)!.positions).toEqual(positions);
    const [before, after] = [trustworthiness(codes, seen[0]!.positions), trustworthiness(codes, positions)];
    expect(before).toBeLessThan(0.9);
    expect(after).toBeGreaterThan(0.97);
    for (const { positions } of seen.filter((_, i) => i % 50 === 0)) expectFramed(positions, 360);
  });

  it("is the same to the bit with the same seed, and another with another", async () => {
    const codes = rings(30);
    const [one, same, other] = [
      await map(codes, { seed: 1, epochs: 30 }),
      await map(codes, { seed: 1, epochs: 30 }),
      await map(codes, { seed: 2, epochs: 30 }),
    ];
    expect(same.positions.data).toEqual(one.positions.data);
    expect(other.positions.data).not.toEqual(one.positions.data);
  });

  it("of no epochs is the principal axes", async () => {
    const { positions } = await map(
      rows([
        [0, 0],
        [3, 3],
        [6, 6],
        [9, 9],
      ]),
      { epochs: 0 },
    );
    expect([...positions.data].map((value) => Math.round(1e6 * value) / 1e6 + 0)).toEqual([
      -1, 0, -0.333333, 0, 0.333333, 0, 1, 0,
    ]);
  });

  it.each([
    ["one row", rows([[3, 4]])],
    [
      "two rows",
      rows([
        [3, 4],
        [5, 6],
      ]),
    ],
    [
      "fewer rows than neighbours",
      rows([
        [0, 1],
        [5, 1],
        [2, 7],
        [3, 3],
      ]),
    ],
    ["equal rows", rows(Array.from({ length: 40 }, () => [1.1, -2.2, 3.3]))],
    ["equal rows but one", rows(Array.from({ length: 40 }, (_, i) => [1.1, i === 7 ? 0 : -2.2]))],
    ["two places with twenty rows each", rows(Array.from({ length: 40 }, (_, i) => [i % 2, 1]))],
    ["constant columns", rows(Array.from({ length: 40 }, (_, i) => [7, Math.sin(i), 7, Math.cos(i)]))],
    ["one column", rows(Array.from({ length: 40 }, (_, i) => [i * i]))],
    ["huge and tiny numbers", rows(Array.from({ length: 40 }, (_, i) => [i * 1e16, i * 1e-30]))],
    ["more columns than are compared", tensor("float32", [60, 30], Random.seeded(2).normals(1800))],
    ["more columns than are decomposed", tensor("float32", [60, 250], Random.seeded(3).normals(15_000))],
  ])("of %s is finite, centered and as large as it says, and new rows have a place in it", async (_, codes) => {
    const made = await map(codes, { epochs: 20 });
    expectFramed(made.positions, codes.shape[0]!);
    const again = await placeOnMap(made, codes);
    expect(again.data.every((value) => Math.abs(value) <= 1.000001)).toBe(true);
  });

  it("of equal rows has them all in the middle", async () => {
    const { positions } = await map(rows(Array.from({ length: 7 }, () => [1.1, -2.2])));
    expect(positions.data).toEqual(new Float32Array(14));
  });

  it("leaves the event loop its turns, and stops when it is told to", async () => {
    const controller = new AbortController();
    let epochs = 0;
    const drawing = map(rings(300), {
      epochs: 100_000,
      signal: controller.signal,
      onProgress: () => {
        epochs++;
      },
    });
    setTimeout(() => controller.abort(new Error("enough")), 100);
    await expect(drawing).rejects.toThrow("enough");
    expect(epochs).toBeGreaterThan(0);
    expect(epochs).toBeLessThan(100_000);
    await expect(map(rings(5), { signal: controller.signal })).rejects.toThrow("enough");
  });

  it("refuses what it cannot draw, and says why", async () => {
    await expect(
      map(
        rows([
          [1, 2],
          [3, Number.NaN],
        ]),
      ),
    ).rejects.toThrow(
      "map: codes must be finite and at most 1e18 in size, got NaN in row 1, column 1; leave such rows out, or scale the data before training",
    );
    await expect(map(tensor("float32", [0, 3], new Float32Array(0)))).rejects.toThrow(
      "map: codes must be rows of numbers, [n, latent], got shape [0,3]",
    );
    await expect(map(rows([[1]]), { neighbours: 0 })).rejects.toThrow(
      "embedNeighbours: neighbours must be a whole number from 1, got 0",
    );
    await expect(map(rows([[1]]), { epochs: 1.5 })).rejects.toThrow("map: epochs must be a whole number, got 1.5");
  });
});

describe("new rows", () => {
  it("that equal mapped ones lie on them, alone and together with others", async () => {
    const codes = rings(40);
    const made = await map(codes, { epochs: 50 });
    const all = await placeOnMap(made, codes);
    all.data.forEach((value, at) => {
      expect(value).toBeCloseTo(made.positions.data[at]!, 6);
    });
    const third = await placeOnMap(made, tensor("float32", [1, 10], codes.data.slice(20, 30)));
    expect([...third.data]).toEqual([...all.data.subarray(4, 6)]);
  });

  it("lie among their neighbours", async () => {
    const codes = rings(120);
    const mapped = tensor("float32", [300, 10], codes.data.slice(0, 3000));
    const made = await map(mapped, { epochs: 200 });
    const rest = await placeOnMap(made, tensor("float32", [60, 10], codes.data.slice(3000)));
    const together = Float32Array.from([...made.positions.data, ...rest.data]);
    expect(trustworthiness(codes, tensor("float32", [360, 2], together))).toBeGreaterThan(0.97);
  });

  it("lie between two rows as their distances say", async () => {
    const made = await map(rows([[0], [3]]), {});
    // From 1 it is 1 to the left and 2 to the right, with weights 1 and 1/4: (−1 + 1/4) / (1 + 1/4).
    expect((await placeOnMap(made, rows([[1]]))).data[0]).toBeCloseTo(-0.6, 6);
  });

  it("must have the columns of the map", async () => {
    const made = await map(rows([[0], [3]]));
    await expect(placeOnMap(made, rows([[1, 2]]))).rejects.toThrow(
      "placeOnMap: the map has codes of 1 columns, got 2; encode the rows with the same model",
    );
  });
});
