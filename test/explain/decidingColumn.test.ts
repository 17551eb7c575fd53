import { describe, expect, test } from "vitest";
import type { ClusterSummary } from "../../src/explain/clusters/clusterSummary.ts";
import { decidingColumn, decidingWords } from "../../src/explain/clusters/decidingColumn.ts";

const cluster = (size: number, mean: number[], deviation: number[]): ClusterSummary =>
  ({ size, mean, deviation }) as unknown as ClusterSummary;
const features = ["sex", "age", "fare"].map((column) => ({ column }));

describe("a column that decides the clusters alone", () => {
  test("η² = between / (between + within), by hand", () => {
    const clusters = [cluster(30, [0, 30, 10], [0, 10, 5]), cluster(10, [1, 34, 11], [0, 10, 5])];
    const found = decidingColumn(clusters, features)!;
    expect([found.column, found.share]).toEqual(["sex", 1]);
    // Means 30 and 34 around 31: (30·1 + 10·9) / (30·1 + 10·9 + 40·100).
    expect(found.next).toEqual({ column: "age", share: expect.closeTo(120 / 4120, 12) });
    expect(decidingWords(found)).toBe(
      "the clusters follow one column, sex: they tell 100 % of its variance, and of the next, age, 3 %; --ignore sex shows what else there is",
    );
  });

  test("is none where several do, where there is one cluster, or one column", () => {
    const several = [cluster(30, [0, 30, 10], [0, 1, 5]), cluster(10, [1, 60, 11], [0, 1, 5])];
    expect(decidingColumn(several, features)).toBeUndefined();
    expect(decidingColumn([cluster(30, [0, 30, 10], [0, 10, 5])], features)).toBeUndefined();
    expect(decidingColumn([cluster(3, [0], [0]), cluster(3, [1], [0])], features.slice(0, 1))).toBeUndefined();
  });

  test("the parts of one column are one: a category is not several columns", () => {
    const parts = ["city", "city", "age"].map((column) => ({ column }));
    const clusters = [cluster(10, [1, 0, 30], [0, 0, 9]), cluster(10, [0, 1, 31], [0, 0, 9])];
    expect(decidingColumn(clusters, parts)).toMatchObject({ column: "city", share: 1, next: { column: "age" } });
  });
});
