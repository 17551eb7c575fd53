import { describe, expect, test } from "vitest";
import { accuracy } from "../../src/metrics/accuracy.ts";
import { ami, expectedMutualInformation } from "../../src/metrics/ami.ts";
import { ari } from "../../src/metrics/ari.ts";
import { calinskiHarabasz } from "../../src/metrics/calinskiHarabasz.ts";
import { contingency } from "../../src/metrics/contingency.ts";
import { daviesBouldin } from "../../src/metrics/daviesBouldin.ts";
import { completeness, homogeneity, vMeasure } from "../../src/metrics/homogeneity.ts";
import { nmi, nmiGeometric } from "../../src/metrics/nmi.ts";
import { pairPrecision } from "../../src/metrics/pairPrecision.ts";
import { purity } from "../../src/metrics/purity.ts";
import { silhouette } from "../../src/metrics/silhouette.ts";
import { Random } from "../../src/tensor/random.ts";
import { expectClose } from "../support/close.ts";

const tolerance = 1e-12;
const { log, sqrt } = Math;

describe("six rows, two classes, three clusters", () => {
  const truth = [0, 0, 0, 1, 1, 1];
  const clusters = [7, 7, -3, -3, 5, 5];
  //            cluster  7  −3   5
  //   class 0           2   1   0  | 3
  //   class 1           0   1   2  | 3
  //                     2   2   2  | 6

  test("the table has the cells that are not 0, and its sums", () => {
    expect(contingency("here", truth, clusters)).toEqual({
      n: 6,
      cells: [
        { i: 0, j: 0, count: 2 },
        { i: 0, j: 1, count: 1 },
        { i: 1, j: 1, count: 1 },
        { i: 1, j: 2, count: 2 },
      ],
      classes: [3, 3],
      clusters: [2, 2, 2],
    });
  });

  test("accuracy: class 0 is cluster 7 and class 1 is cluster 5, (2 + 2) / 6", () => {
    expect(accuracy(truth, clusters)).toBe(4 / 6);
  });

  test("purity: the largest of each column, (2 + 1 + 2) / 6", () => {
    expect(purity(truth, clusters)).toBe(5 / 6);
  });

  test("pair precision: of three pairs that share a cluster, two share a class", () => {
    expect(pairPrecision(truth, clusters)).toBe(2 / 3);
  });

  test("adjusted Rand index", () => {
    // T = 1 + 1 = 2, A = 3 + 3 = 6, B = 1 + 1 + 1 = 3, E = 6·3/15 = 1.2: (2 − 1.2) / (4.5 − 1.2) = 8/33
    expectClose([ari(truth, clusters)], [8 / 33], tolerance);
  });

  // H(classes) = ln 2, H(clusters) = ln 3
  // I = 2/6·ln(6·2/(3·2)) · 2 + 1/6·ln(6·1/(3·2)) · 2 = 2/3·ln 2
  test("homogeneity, completeness and V-measure", () => {
    const [h, c] = [2 / 3, ((2 / 3) * log(2)) / log(3)];
    expectClose([homogeneity(truth, clusters)], [h], tolerance);
    expectClose([completeness(truth, clusters)], [c], tolerance);
    expectClose([vMeasure(truth, clusters)], [(2 * h * c) / (h + c)], tolerance);
  });

  test("normalized mutual information, by both means", () => {
    expectClose([nmi(truth, clusters)], [((2 / 3) * log(2)) / ((log(2) + log(3)) / 2)], tolerance);
    expectClose([nmiGeometric(truth, clusters)], [((2 / 3) * log(2)) / sqrt(log(2) * log(3))], tolerance);
  });

  test("adjusted mutual information", () => {
    // Of the 15 ways to draw the 2 rows of a cluster from 6, m = 0, 1, 2 of class 0 come in 3, 9, 3.
    // Each of the 6 cells has a = 3 and b = 2, so n·m/(a·b) = m, and adds 9/15·1/6·ln 1 + 3/15·2/6·ln 2 = ln 2/15.
    const expected = (6 * log(2)) / 15;
    expectClose([expectedMutualInformation([3, 3], [2, 2, 2], 6)], [expected], tolerance);
    const mean = (log(2) + log(3)) / 2;
    expectClose([ami(truth, clusters)], [((2 / 3) * log(2) - expected) / (mean - expected)], tolerance);
  });
});

describe("conventions where a formula has no value", () => {
  const one = [4, 4, 4, 4];
  const each = [1, 2, 3, 4];
  const halves = [0, 0, 1, 1];

  test("a single group against a single group is perfect", () => {
    for (const score of [accuracy, nmi, nmiGeometric, ari, ami, homogeneity, completeness, vMeasure, purity]) {
      expect(score(one, [9, 9, 9, 9])).toBe(1);
    }
  });

  test("a single cluster tells nothing of the classes, but splits none", () => {
    for (const score of [nmi, nmiGeometric, ari, ami, homogeneity, vMeasure]) expect(score(halves, one)).toBe(0);
    expect(completeness(halves, one)).toBe(1);
  });

  test("rows each in their own cluster mix no classes, and have no pairs that could be wrong", () => {
    for (const score of [homogeneity, purity, pairPrecision]) expect(score(halves, each)).toBe(1);
    expectClose([ari(halves, each), ami(halves, each)], [0, 0], tolerance);
  });

  test("each row in its own cluster and class is perfect", () => {
    expect(ami(each, [8, 6, 7, 5])).toBe(1);
    expect(ari(each, [8, 6, 7, 5])).toBe(1);
  });
});

test("pair precision of random clusters is near the sum of squared class shares", () => {
  const random = Random.seeded(3);
  const truth = Int32Array.from({ length: 20_000 }, () => (random.uniform() < 0.75 ? 0 : 1));
  const clusters = truth.map(() => random.below(5));
  expectClose([pairPrecision(truth, clusters)], [0.75 ** 2 + 0.25 ** 2], 0.01);
});

test("a pair of nearly single groups loses no digits", () => {
  // One row of 70,000 is alone in the truth, another in the clusters, so T = C(69998, 2), A = B = C(69999, 2).
  // With x = A − T = 69,998, the pairs that only one labeling has: neither = 1, and
  // ARI = 2(T·1 − x²) / (2·A·(x + 1)) = (34,999·69,997 − 69,998²) / (69,999·34,999·69,999)
  const n = 70_000;
  const truth = new Int32Array(n).fill(1, 0, 1);
  const clusters = new Int32Array(n).fill(1, 1, 2);
  const expected = (34_999 * 69_997 - 69_998 ** 2) / (69_999 * 34_999 * 69_999);
  expect(Math.abs(ari(truth, clusters) / expected - 1)).toBeLessThan(tolerance);
});

describe("five rows on a line, 0 1 | 4 5 8", () => {
  const rows = Float32Array.of(0, 1, 4, 5, 8);
  const clusters = [0, 0, 1, 1, 1];

  test("silhouette", () => {
    //   row       α                   β                            s
    //   0         1                   (4 + 5 + 8)/3 = 17/3         14/17
    //   1         1                   (3 + 4 + 7)/3 = 14/3         11/14
    //   4         (1 + 4)/2 = 5/2     (4 + 3)/2 = 7/2              2/7
    //   5         (1 + 3)/2 = 2       (5 + 4)/2 = 9/2              5/9
    //   8         (4 + 3)/2 = 7/2     (8 + 7)/2 = 15/2             8/15
    expectClose([silhouette(rows, clusters)], [(14 / 17 + 11 / 14 + 2 / 7 + 5 / 9 + 8 / 15) / 5], tolerance);
  });

  test("a cluster of one row counts 0, and an empty cluster is none", () => {
    // 0 1 | 4: s = 3/4, 2/3 and 0
    expectClose([silhouette(Float32Array.of(0, 1, 4), [2, 2, 9])], [(3 / 4 + 2 / 3) / 3], tolerance);
  });

  test("Caliński–Harabasz", () => {
    // Centers 1/2 and 17/3, mean of all 18/5.
    // B = 2·(31/10)² + 3·(31/15)² = 961/50 + 961/75 = 961/30
    // W = 2·(1/2)² + (25 + 4 + 49)/9 = 1/2 + 26/3 = 55/6
    // CH = (961/30 / 1) / (55/6 / 3) = 961·18 / (30·55)
    expectClose([calinskiHarabasz(rows, clusters)], [(961 * 18) / (30 * 55)], tolerance);
  });

  test("Davies–Bouldin", () => {
    // S = 1/2 and (5 + 2 + 7)/9 = 14/9, M = 17/3 − 1/2 = 31/6; with two clusters both have the same ratio.
    expectClose([daviesBouldin(rows, clusters)], [(1 / 2 + 14 / 9) / (31 / 6)], tolerance);
  });
});

describe("the silhouette of a sample", () => {
  const random = Random.seeded(5);
  const n = 300;
  const clusters = Int32Array.from({ length: n }, () => random.below(3));
  const rows = random.normals(n * 2).map((x, at) => x + 3 * clusters[Math.floor(at / 2)]!);

  test("is that of the sampled rows alone", () => {
    const drawn = Random.seeded(8).permutation(n).subarray(0, 100);
    const alone = silhouette(
      Float32Array.from([...drawn].flatMap((row) => [rows[2 * row]!, rows[2 * row + 1]!])),
      drawn.map((row) => clusters[row]!),
    );
    expect(silhouette(rows, clusters, { sample: { size: 100, random: Random.seeded(8) } })).toBe(alone);
    expect(Math.abs(alone - silhouette(rows, clusters))).toBeLessThan(0.1);
  });

  test("is that of all rows if the sample is as large", () => {
    const sample = { size: 1000, random: Random.seeded(8) };
    expect(silhouette(rows, clusters, { sample })).toBe(silhouette(rows, clusters));
  });

  test("needs a size from 1, and several clusters among the sampled rows", () => {
    const sampled = (size: number) => () => silhouette(rows, clusters, { sample: { size, random: Random.seeded(8) } });
    expect(sampled(0)).toThrow("silhouette: a sample must have a whole number of rows from 1, got 0");
    expect(sampled(1)).toThrow("silhouette of a sample: there must be from 2 clusters to one fewer than rows (1)");
  });
});
