import { describe, expect, test } from "vitest";
import { type Cell, repeatsIn } from "../../src/data/repeats.ts";
import { Random } from "../../src/tensor/random.ts";

const n = 200;
const random = Random.seeded(3);
const [a, b] = [random.normals(n), random.normals(n)].map((values) => [...values]) as [number[], number[]];
const among = (columns: Record<string, readonly Cell[]>) =>
  Object.fromEntries(repeatsIn(new Map(Object.entries(columns))));

describe("columns that say the same", () => {
  test("are numbers up to scale, rounding aside: Celsius and Fahrenheit, hours awake and asleep", () => {
    const celsius = a.map((x) => Math.round(10 * (20 + 5 * x)) / 10);
    const fahrenheit = celsius.map((x) => Math.round(10 * (1.8 * x + 32)) / 10);
    expect(among({ celsius, fahrenheit, below: celsius.map((x) => 40 - x), b })).toEqual({
      celsius: ["fahrenheit", "below"],
      fahrenheit: ["celsius", "below"],
      below: ["celsius", "fahrenheit"],
    });
  });

  test("are values that stand for each other one by one, marks as well as numbers", () => {
    const code = a.map((x) => Math.max(0, Math.min(2, Math.round(x + 1))));
    const word = code.map((x) => BigInt(7 * x + 11));
    expect(among({ code, word, other: b.map((x) => Math.round(x)) })).toEqual({ code: ["word"], word: ["code"] });
    // One row that differs is enough.
    expect(among({ code, word: word.map((x, i) => (i === 0 ? (x === 11n ? 18n : 11n) : x)) })).toEqual({});
  });

  test("are not those that a few huge values make alike", () => {
    const people = a.map((x, i) => (i === 0 ? 1e7 : 1000 + 50 * x));
    const adults = b.map((x, i) => (i === 0 ? 6e6 : 700 + 40 * x));
    expect(among({ people, adults })).toEqual({});
  });

  test("are missing in the same rows", () => {
    const holes = a.map((x, i) => (i % 9 === 0 ? null : x));
    expect(among({ holes, twice: holes.map((x) => (x === null ? null : 2 * x)) })).toHaveProperty("holes");
    expect(among({ holes, whole: a })).toEqual({});
  });

  test("need enough rows to be seen in", () => {
    expect(among({ a: [1, 2, 3], b: [2, 4, 6] })).toEqual({});
  });
});
