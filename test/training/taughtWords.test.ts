import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NeighbourSearch } from "../../src/numerics/neighbours/neighbours.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { heldOutBy, ownLabels } from "../../src/training/lesson.ts";
import { areaUnderCurve, howFar, strangeness } from "../../src/training/none.ts";
import { atLeast, doubtAbout, taughtWords } from "../../src/training/taughtWords.ts";

const held = { rows: 1000, agreement: 0.979, chance: 0.3, clusters: [0.9, 1, 0.97], calibration: 0.01 };
const taught = { teacher: "yours", view: "yours", rows: 9000, agreement: 0.992, held };

describe("what is said about a lesson", () => {
  test("how often it is repeated, on rows that were taught and on others", () => {
    expect(taughtWords({ ...taught, teacher: "ward", view: "rows", network: "none" })).toMatch(
      /^taught by ward \(on rows, which need no network\); repeats it/,
    );
    expect(taughtWords(taught, "labels.csv, matched by id")).toBe(
      "taught by labels.csv, matched by id; repeats it on 99.2 % of 9,000 rows, on 97.9 % of 1,000 that it was not taught",
    );
  });

  test("labels that are repeated no better than by chance cannot be learned, and few rows cannot tell", () => {
    expect(doubtAbout(taught)).toBeUndefined();
    expect(doubtAbout({ ...taught, held: { ...held, agreement: 0.31 } })).toMatch(/^these labels cannot be learned/);
    expect(doubtAbout({ ...taught, held: { ...held, rows: 3, agreement: 1, chance: 0.5 } })).toMatch(/too few to tell/);
    expect(doubtAbout({ ...taught, held: { ...held, clusters: [1], agreement: 1, chance: 1 } })).toBeUndefined();
  });

  test("the lower bound is below the share, and nears it with more rows", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 10_000 }), (share, rows) => {
        const bound = atLeast(share, rows);
        expect(bound).toBeGreaterThanOrEqual(-1e-12);
        expect(bound).toBeLessThanOrEqual(share + 1e-12);
        expect(atLeast(share, 100 * rows)).toBeGreaterThanOrEqual(bound - 1e-12);
      }),
    );
    // Wilson's interval of 8 in 10 begins at 0.4902 (R: prop.test(8, 10, correct = FALSE)).
    expect(atLeast(0.8, 10)).toBeCloseTo(0.4902, 3);
  });
});

describe("labels of one's own", () => {
  test("nothing, -1 and no number are none, as texts too; whole numbers with decimals are whole", () => {
    const { labels, names } = ownLabels("t", ["2.0", "-1.0", "nan", "", " ", null, "10", -1, Number.NaN, 2]);
    expect(names).toEqual(["2", "10"]);
    expect([...labels]).toEqual([0, -1, -1, -1, -1, -1, 1, -1, -1, 0]);
  });

  test("labels beyond their names are refused", () => {
    expect(() => ownLabels("t", { labels: Int32Array.of(0, 3), names: ["a"] })).toThrow(/from -1 to 0.*got 3 in row 1/);
  });

  test("a tenth of each cluster is held out, the same whenever somebody asks", () => {
    const labels = Int32Array.from({ length: 300 }, (_, i) => (i < 200 ? 0 : i < 290 ? 1 : -1));
    const { taught, held } = heldOutBy({ seed: 5, clusters: 2 }, labels);
    expect([0, 1].map((j) => held.filter((label) => label === j).length)).toEqual([20, 9]);
    expect(
      labels.every((label, i) => Math.max(taught[i]!, held[i]!) === label && Math.min(taught[i]!, held[i]!) < 0),
    ).toBe(true);
    // Of ten rows without a cluster, half.
    const { strangers } = heldOutBy({ seed: 5, clusters: 2 }, labels);
    expect([strangers.length, strangers.every((row) => labels[row] === -1)]).toEqual([5, true]);
    expect(heldOutBy({ seed: 5, clusters: 2 }, labels).held).toEqual(held);
  });
});

describe("rows that belong to none", () => {
  test("are farther from a center, or drawn worse, than 95 % of rows held out", () => {
    const far = { distance: Float32Array.of(1, 3, 1), error: Float32Array.of(0.5, 0, 2) };
    expect([...strangeness(far, { distance: 2, error: 1 })]).toEqual([0.5, 1.5, 2]);
    // Without a network there is no error, and nothing is divided by nothing.
    expect([
      ...strangeness({ distance: Float32Array.of(1), error: Float32Array.of(0) }, { distance: 2, error: 0 }),
    ]).toEqual([0.5]);
  });

  test("are farther from the codes that the model keeps, where it keeps any", async () => {
    const members = fromNumbers("float32", [3, 1], [0, 1, 5]);
    const pace = paceOf(undefined);
    const search = await NeighbourSearch.among(members, pace);
    const near = await howFar(fromNumbers("float32", [2, 1], [0, 7]), search, 2, pace);
    expect([...near]).toEqual([1, 6]);
    const far = { distance: Float32Array.of(9, 9), error: Float32Array.of(0, 0), near };
    expect([...strangeness(far, { distance: 1, error: 1, near: { place: 2, limit: 2 } })]).toEqual([0.5, 3]);
  });

  test("AUROC is the share of pairs in the right order, a tie half of one", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.boolean()), { minLength: 2, maxLength: 40 }),
        (rows) => {
          const [none, others] = [true, false].map((is) => rows.filter(([, isNone]) => isNone === is));
          fc.pre(none!.length > 0 && others!.length > 0);
          const pairs = none!.flatMap(([a]) => others!.map(([b]) => (a > b ? 1 : a === b ? 0.5 : 0)));
          const expected = pairs.reduce((sum: number, each) => sum + each, 0) / pairs.length;
          const found = areaUnderCurve(
            rows.map(([score]) => score),
            rows.map(([, isNone]) => isNone),
          );
          expect(found).toBeCloseTo(expected, 10);
        },
      ),
    );
  });
});
