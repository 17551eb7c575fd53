import { describe, expect, test } from "vitest";
import { philoxBlock, Random } from "../../src/tensor/random.ts";

describe("Philox 4×32-10 gives the known answers of its authors' test vectors", () => {
  const pi = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344];
  const ones = 0xffffffff;
  test.each([
    [
      [0, 0, 0, 0],
      [0, 0],
      [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
    ],
    [
      [ones, ones, ones, ones],
      [ones, ones],
      [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
    ],
    [pi, [0xa4093822, 0x299f31d0], [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]],
  ])("counter %j", ([x0, x1, x2, x3], [k0, k1], expected) => {
    const out = new Uint32Array(4);
    philoxBlock(x0!, x1!, x2!, x3!, k0!, k1!, out);
    expect([...out]).toEqual(expected);
  });
});

test("a restored stream continues where the saved one stood, wherever that is in a block", () => {
  for (const drawn of [0, 1, 2, 3, 4, 7, 1001]) {
    const random = Random.seeded(42);
    random.uniforms(drawn);
    const restored = Random.restore(JSON.parse(JSON.stringify(random.state)));
    expect(restored.uniforms(9)).toEqual(random.uniforms(9));
    expect(restored.normals(5)).toEqual(random.normals(5));
    expect(restored.state).toEqual(random.state);
  }
});

test("numbers drawn one by one are those drawn together", () => {
  const [one, many] = [Random.seeded(1), Random.seeded(1)];
  one.word();
  many.word();
  expect(Float32Array.from({ length: 11 }, () => one.uniform())).toEqual(many.uniforms(11));
});

test("forked streams depend on seed and name alone, and differ from each other", () => {
  const random = Random.seeded(5);
  const early = random.fork("dropout").uniforms(4);
  random.uniforms(100);
  expect(random.fork("dropout").uniforms(4)).toEqual(early);
  const others = [random.fork("batches"), random.fork("dropout").fork("x"), Random.seeded(6).fork("dropout"), random];
  for (const other of others) expect(other.uniforms(4)).not.toEqual(early);
});

test("seeds beyond 32 bits give streams of their own", () => {
  expect(Random.seeded(1 + 2 ** 32).uniforms(4)).not.toEqual(Random.seeded(1).uniforms(4));
  expect(() => Random.seeded(-1)).toThrow("random: the seed must be a whole number from 0, got -1");
  expect(() => Random.seeded(1.5)).toThrow("got 1.5");
});

test("limits and states that make no sense are refused", () => {
  expect(() => Random.seeded(1).below(0)).toThrow("random: the limit must be a whole number from 1 to 2³², got 0");
  expect(() => Random.restore({ seed: 1, stream: 0, position: Number.NaN })).toThrow(
    "random: a state is three whole numbers from 0, got 1, 0 and NaN",
  );
});

test("uniforms fill the range evenly", () => {
  const counts = new Array<number>(10).fill(0);
  for (const u of Random.seeded(3).uniforms(100_000, -1, 1)) counts[Math.floor((u + 1) * 5)]! += 1;
  // 10,000 expected in each tenth, with a deviation of 95: five deviations.
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(475);
});

test("normals have mean 0, deviation 1, and 4.6 % beyond two deviations", () => {
  const z = Random.seeded(4).normals(100_000);
  const mean = z.reduce((total, v) => total + v, 0) / z.length;
  const variance = z.reduce((total, v) => total + (v - mean) ** 2, 0) / z.length;
  const beyond = z.filter((v) => Math.abs(v) > 2).length / z.length;
  expect(Math.abs(mean)).toBeLessThan(0.016);
  expect(Math.abs(variance - 1)).toBeLessThan(0.023);
  expect(Math.abs(beyond - 0.0455)).toBeLessThan(0.004);
});

test("a permutation has every number once, and each place is equally likely for each number", () => {
  const random = Random.seeded(8);
  const first = new Array<number>(5).fill(0);
  for (let i = 0; i < 10_000; i++) {
    const order = random.permutation(5);
    expect([...order].sort()).toEqual([0, 1, 2, 3, 4]);
    first[order[0]!]! += 1;
  }
  for (const count of first) expect(Math.abs(count - 2_000)).toBeLessThan(200);
});
