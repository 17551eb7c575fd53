import { describe, expect, it } from "vitest";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { calibratedTemperature, calibrationError, crossFitted, Judging } from "../../src/training/calibration.ts";
import { agreementOf, heldOutBy, ownLabels } from "../../src/training/lesson.ts";

describe("labels of one's own", () => {
  it("are texts or whole numbers; clusters are numbered as numbers are, or by the alphabet", () => {
    expect(ownLabels("telltale", ["b", "a", "b"])).toEqual({ labels: Int32Array.of(1, 0, 1), names: ["a", "b"] });
    expect(ownLabels("telltale", [10, 9, 10])).toEqual({ labels: Int32Array.of(1, 0, 1), names: ["9", "10"] });
    expect(ownLabels("telltale", Int32Array.of(3, 1)).names).toEqual(["1", "3"]);
  });

  it("are none where they are −1, missing or empty", () => {
    expect([...ownLabels("telltale", ["a", "", null, undefined, -1, "-1", Number.NaN]).labels]).toEqual([
      0, -1, -1, -1, -1, -1, -1,
    ]);
  });

  it("are refused where no row has one, or where one is no name", () => {
    expect(() => ownLabels("telltale", [-1, -1])).toThrow("must name a cluster for some row, got none for all of 2");
    expect(() => ownLabels("telltale", [1, 0.5])).toThrow("texts or whole numbers, got 0.5 in row 1");
  });
});

describe("rows that are held out", () => {
  const labels = Int32Array.from({ length: 200 }, (_, i) => (i < 150 ? 0 : i < 190 ? 1 : -1));

  it("are a tenth of each cluster, and the same for the same seed", () => {
    const { taught, held } = heldOutBy({ seed: 1, clusters: 2 }, labels);
    const counts = [0, 1].map((j) => held.filter((label) => label === j).length);
    expect(counts).toEqual([15, 4]);
    labels.forEach((label, row) => {
      // Either taught or held out, never both, and nothing is made up.
      expect(Math.max(taught[row]!, held[row]!)).toBe(label);
      expect(Math.min(taught[row]!, held[row]!)).toBe(-1);
    });
    expect(heldOutBy({ seed: 1, clusters: 2 }, labels).held).toEqual(held);
    expect(heldOutBy({ seed: 2, clusters: 2 }, labels).held).not.toEqual(held);
  });

  it("agreement counts the rows that have a label, and is whole where none has", () => {
    expect(agreementOf(Int32Array.of(0, 1, 1, 0), Int32Array.of(0, 1, 0, -1))).toBeCloseTo(2 / 3);
    expect(agreementOf(Int32Array.of(0), Int32Array.of(-1))).toBe(1);
  });
});

describe("probabilities that are as large as they are often right", () => {
  /** Rows at equal margins of which a share is right: p of the nearest should be that share. */
  const judged = (right: number, n: number) => ({
    distances: fromNumbers("float32", [n, 2], Array.from({ length: n }, () => [0, 1]).flat()),
    labels: Int32Array.from({ length: n }, (_, i) => (i < right ? 0 : 1)),
  });

  const everywhere = (T: number, n: number) => new Float64Array(n).fill(T);

  it("by hand: with distances 0 and 1, p = 1/(1 + e^(−1/T)) is the share that is right", () => {
    const T = calibratedTemperature(judged(900, 1000), 1);
    // Jeffreys: half a row more that was right, and one more in all.
    expect(1 / (1 + Math.exp(-1 / T))).toBeCloseTo(900.5 / 1001, 6);
    expect(calibrationError(judged(900, 1000), everywhere(T, 1000))).toBeLessThan(0.002);
  });

  it("ten rows that were all right make nobody certain", () => {
    const T = calibratedTemperature(judged(10, 10), 1);
    expect(1 / (1 + Math.exp(-1 / T))).toBeCloseTo(10.5 / 11, 6);
  });

  it("the error is the gap between how sure and how right", () => {
    // p = 1/(1 + e⁻¹) ≈ 0.731 for all, of which half are right.
    expect(calibrationError(judged(50, 100), everywhere(1, 100))).toBeCloseTo(1 / (1 + Math.exp(-1)) - 0.5, 6);
  });

  it("how sure it is on average is how often it is right, whatever the rows are like", () => {
    const labels = Int32Array.from({ length: 400 }, (_, i) => Number(i % 10 === 0));
    const distances = Float32Array.from({ length: 800 }, (_, at) => (at % 2) * (1 + (Math.floor(at / 2) % 7)));
    const mixed = { distances: fromNumbers("float32", [400, 2], [...distances]), labels };
    const T = calibratedTemperature(mixed, 1);
    const sure = [...labels].reduce((sum, _, i) => sum + 1 / (1 + Math.exp(-(1 + (i % 7)) / T)), 0) / 400;
    expect(sure).toBeCloseTo(360.5 / 401, 6);
  });

  it("the error has bins of ten rows at least: one row in a bin of its own would be chance", () => {
    const one = { distances: fromNumbers("float32", [2, 2], [0, 1, 0, 9]), labels: Int32Array.of(0, 1) };
    const p = [1, 9].map((d) => 1 / (1 + Math.exp(-d)));
    expect(calibrationError(one, everywhere(1, 2))).toBeCloseTo(Math.abs(p[0]! + p[1]! - 1) / 2, 6);
  });

  it("no row has a say in the temperature that it is judged by", () => {
    const some = judged(20, 25);
    const before = crossFitted(some, 1);
    const other = { ...some, labels: some.labels.map((label, i) => (i === 3 ? 1 - label : label)) };
    const after = crossFitted(other, 1);
    expect(calibratedTemperature(other, 1)).not.toBe(calibratedTemperature(some, 1));
    expect(after[3]).toBe(before[3]);
    // Ten folds: two or three rows of 25 share a temperature, and the change is seen by all in the other nine.
    expect(before.filter((T, i) => T !== after[i]).length).toBeGreaterThanOrEqual(22);
    expect([...crossFitted(judged(1, 1), 0.5)]).toEqual([0.5]);
  });

  it("the error of rows that fitted the temperature themselves flatters it", () => {
    const few = judged(9, 10);
    const own = calibrationError(few, everywhere(calibratedTemperature(few, 1), 10));
    // The nine others of the one that is wrong are all right, (9 + ½)/10; of each other, eight of nine.
    expect(calibrationError(few, crossFitted(few, 1))).toBeCloseTo(Math.abs(0.95 + 9 * 0.85 - 9) / 10, 6);
    expect(own).toBeCloseTo(0.9 - 9.5 / 11, 6);
    // Folds are drawn, so that rows in an order of their own make none of one cluster.
    const turns = { ...judged(50, 100), labels: Int32Array.from({ length: 100 }, (_, i) => Number(i % 10 === 0)) };
    expect(new Set(crossFitted(turns, 1)).size).toBeGreaterThan(2);
  });

  it("gathers those rows of a pass that have a label", () => {
    const judging = new Judging(Int32Array.of(-1, 1), 2);
    judging.add(0, Float32Array.of(1, 2));
    judging.add(1, Float32Array.of(3, 4));
    expect([...judging.judged()!.distances.data]).toEqual([3, 4]);
    expect([...judging.judged()!.labels]).toEqual([1]);
    expect(new Judging(Int32Array.of(-1), 2).judged()).toBeUndefined();
  });
});
