/** The formulas of single teachers, by hand. */

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { neighbourGraph } from "../../src/numerics/neighbours/neighbourGraph.ts";
import { expectation, maximization } from "../../src/numerics/normalMixture.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { cut, mergesOf } from "../../src/teachers/agglomerative.ts";
import { aligned, consensusOf, consensusWith } from "../../src/teachers/consensus.ts";
import { densityWith } from "../../src/teachers/density.ts";
import { teachers } from "../../src/teachers/index.ts";
import { type Partition, partitionOf } from "../../src/teachers/partition.ts";
import { normalized } from "../../src/teachers/spectral.ts";
import { balanceColumns, spread, votesWith } from "../../src/teachers/votes.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, tensor } from "../../src/tensor/tensor.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";

const pace = paceOf(undefined);
const lesson = { random: Random.seeded(1), pace };
const matrix = (...rows: number[][]) => fromNumbers("float32", [rows.length, rows[0]!.length], rows.flat());
const partition = (...labels: number[]): Partition => partitionOf({ labels: Int32Array.from(labels) });

describe("spherical", () => {
  it("looks at directions alone, and a row of zeros, which has none, belongs to none", async () => {
    const rows = matrix([1, 0], [0, 9], [0, 0], [100, 1], [0.1, 2], [7, 0.1]);
    const { labels, clusters } = await teachers.spherical.teach(rows, { ...lesson, clusters: 2 });
    expect([...labels]).toEqual([0, 1, -1, 0, 1, 0]);
    expect(clusters).toBe(2);
  });
});

describe("votes", () => {
  it("each row becomes the mean of its neighbours, all at once", async () => {
    const votes = Float32Array.of(1, 0, 0, 1, 1, 0);
    // The neighbours of 0 are 1 and 2, of 1: 0 and 2, of 2: 0 and 1.
    await spread(votes, Int32Array.of(1, 2, 0, 2, 0, 1), 3, 2, pace);
    expect([...votes]).toEqual([0.5, 0.5, 1, 0, 0.5, 0.5]);
  });

  it("balance divides columns by their sums to the power b, then makes rows sum to 1", () => {
    const whole = Float32Array.of(0.75, 0.25, 0.75, 0.25);
    balanceColumns(whole, 2, 2, 1);
    expect([...whole]).toEqual([0.5, 0.5, 0.5, 0.5]);
    const none = Float32Array.of(0.75, 0.25, 0.75, 0.25);
    balanceColumns(none, 2, 2, 0);
    expect([...none]).toEqual([0.75, 0.25, 0.75, 0.25]);
    // Sums 8 and 2: with b = ½, rows are divided by 2√2 and √2, which is 1 : 2.
    const half = Float32Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 0.8 : 0.2));
    balanceColumns(half, 10, 2, 0.5);
    expectClose(half.subarray(0, 2), [2 / 3, 1 / 3], 1e-6);
  });

  it("refuses a balance that is not from 0 to 1", () => {
    expect(() => votesWith("votes", 1.5)).toThrow("votes: balance must be from 0 to 1, got 1.5");
    expect(() => votesWith("votes", Number.NaN)).toThrow("got NaN");
  });
});

describe("mixture", () => {
  it("by hand: one component of four numbers has their mean, their variance, and the density of a normal", async () => {
    const rows = matrix([0], [2], [4], [6]);
    const mixture = await maximization(rows, Float64Array.of(1, 1, 1, 1), 1, true, 0, pace);
    expectClose(mixture.means, [3], 1e-12);
    expectClose(mixture.l, [Math.sqrt(5)], 1e-12);
    const { r, logLikelihood } = await expectation(rows, mixture, pace);
    expect([...r]).toEqual([1, 1, 1, 1]);
    // Mean of −½(log 2π + log 5 + (x − 3)²/5), of which the last is 1 on average.
    expectClose([logLikelihood], [-0.5 * (Math.log(2 * Math.PI) + Math.log(5) + 1)], 1e-12);
  });

  it("says how sure it is, and is less so between clusters", async () => {
    const { rows } = blobs(150, { deviation: 0.3 });
    const { labels, memberships, notes } = await teachers.mixture.teach(rows, { ...lesson, clusters: 3 });
    expect(notes).toBeUndefined();
    const own = labels.map((label, i) => Math.round(1000 * memberships!.data[3 * i + label]!));
    expect(own.every((share) => share >= 333)).toBe(true);
    expect(own.some((share) => share < 990)).toBe(true);
  });

  it("with fewer rows than a covariance needs takes its diagonal and says so, and copes with constant columns", async () => {
    const { rows, labels } = blobs(30);
    // Four columns of blobs, six of one number, ten of noise: 20 columns and 10 rows a cluster.
    const noise = Random.seeded(3).normals(300);
    const wide = Array.from({ length: 30 }, (_, i) => [
      ...rows.data.subarray(4 * i, 4 * i + 4),
      ...[1, 2, 3, 4, 5, 6],
      ...noise.subarray(10 * i, 10 * i + 10).map((value) => 0.05 * value),
    ]);
    const found = await teachers.mixture.teach(matrix(...wide), { ...lesson, clusters: 3 });
    expect([...found.labels]).toEqual([...labels]);
    expect(found.notes).toEqual([
      "covariances are diagonal: full ones of 20 columns want 120 rows, and 30 can be learned from",
    ]);
  });
});

describe("spectral", () => {
  it("a neighbour that is one in both directions counts 1, else ½, written in both rows", async () => {
    // 0 and 1 name each other; 2 names 1.
    const graph = await neighbourGraph(
      { count: 1, rows: Int32Array.of(1, 0, 1), distances: new Float64Array(3) },
      pace,
    );
    expect([...graph.starts]).toEqual([0, 1, 3, 4]);
    expect([...graph.rows]).toEqual([1, 0, 2, 1]);
    expect([...graph.weights]).toEqual([1, 1, 0.5, 0.5]);
  });

  it("M has the eigenvector √(degree + τ) with the eigenvalue 1", async () => {
    const graph = await neighbourGraph(
      { count: 1, rows: Int32Array.of(1, 0, 1), distances: new Float64Array(3) },
      pace,
    );
    const x = Float64Array.of(1, 1.5, 0.5).map((degree) => Math.sqrt(degree + 2));
    const y = new Float64Array(3);
    normalized(graph, 2)(x, y);
    expectClose(y, x, 1e-12);
  });
});

describe("agglomerative", () => {
  it("by hand: 0, 1, 3 and 7 on a line", async () => {
    const rows = matrix([0], [1], [3], [7]);
    const heights = async (name: "ward" | "average" | "weighted") =>
      (await mergesOf(rows, name, pace)).map(({ height }) => height);
    // Average: {0, 1} at 1; 3 from them (3 + 2)/2; 7 from all (7 + 6 + 4)/3. Weighted: the last ((7 + 6)/2 + 4)/2.
    expectClose(await heights("average"), [1, 2.5, 17 / 3], 1e-12);
    expectClose(await heights("weighted"), [1, 2.5, 5.25], 1e-12);
    // Ward: √(2·n₁n₂/(n₁ + n₂))·‖m₁ − m₂‖ with means ½ and 3, then 4/3 and 7.
    expectClose(await heights("ward"), [1, Math.sqrt(4 / 3) * 2.5, Math.sqrt(6 / 4) * (7 - 4 / 3)], 1e-12);
  });

  it("cut at k, there are k clusters, however many merges are equally high", async () => {
    const rows = matrix(...Array.from({ length: 16 }, (_, i) => [i % 4, Math.floor(i / 4)]));
    for (const name of ["ward", "average", "weighted"] as const) {
      const merges = await mergesOf(rows, name, pace);
      for (let k = 1; k <= 16; k++) expect(new Set(cut(merges, 16, k)).size).toBe(k);
    }
  });
});

describe("density", () => {
  it("finds how many clusters there are, and leaves far rows alone", async () => {
    const { rows, labels } = blobs(90);
    const far = [5, -5, 9, 9, -7, 3, 2, -8];
    const all = tensor("float32", [92, 4], Float32Array.of(...rows.data, ...far));
    const found = await teachers.density.teach(all, lesson);
    expect([...found.labels]).toEqual([...labels, -1, -1]);
    expect(found.clusters).toBe(3);
  });

  it("refuses clusters of one row", () => {
    expect(() => densityWith("density", { minSize: 1 })).toThrow(
      "density: minSize must be a whole number from 2, got 1",
    );
    expect(() => densityWith("density", { neighbours: 2.5 })).toThrow(
      "neighbours must be a whole number from 2, got 2.5",
    );
  });
});

describe("consensus", () => {
  it("renames clusters so that most rows agree", () => {
    const reference = partition(0, 0, 0, 1, 1, 1, -1);
    const other: Partition = { labels: Int32Array.of(1, 1, 0, 0, 0, 2, -1), clusters: 3 };
    // 1 is the reference's 0 and 0 its 1; its 2 has no counterpart.
    expect([...aligned(other, reference)]).toEqual([0, 0, 1, 1, 1, -2, -1]);
  });

  it("each row has the name that most give it; of equals, that of the one the others agree with most", () => {
    const one = partition(0, 0, 0, 1, 1, 1);
    const two = partition(0, 0, 1, 1, 1, 1);
    const three = partition(0, 0, 0, 1, 1, 0);
    const found = consensusOf([two, three, one]);
    expect([...found.labels]).toEqual([0, 0, 0, 1, 1, 1]);
    expectClose(found.memberships!.data, [1, 0, 1, 0, 2 / 3, 1 / 3, 0, 1, 0, 1, 1 / 3, 2 / 3], 1e-6);
    // Two that disagree: the first is the reference.
    expect([...consensusOf([one, two]).labels]).toEqual([...one.labels]);
  });

  it("most may say none", () => {
    expect([...consensusOf([partition(0, -1, 1), partition(0, -1, 1), partition(0, 1, 1)]).labels]).toEqual([0, -1, 1]);
    expect(consensusOf([partition(-1, -1), partition(-1, -1)]).clusters).toBe(0);
  });

  it("of one partition under any names is that partition", () => {
    const names = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(names, fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), (labels, others) => {
        const known = partition(...labels);
        const renamed = { labels: known.labels.map((label) => others[label]!), clusters: 5 };
        expect([...consensusOf([renamed, known, renamed]).labels]).toEqual([...known.labels]);
      }),
    );
  });

  it("refuses nothing at all and partitions of different rows", () => {
    expect(() => consensusOf([])).toThrow("consensus: there must be a partition at least, got none");
    expect(() => consensusOf([partition(0, 1), partition(0)])).toThrow("of the same rows, got 2 and 1");
  });

  it("as a teacher asks those it was made of", async () => {
    const asked = consensusWith("two of three", [teachers.kmeans, teachers.ward, teachers.density]);
    const { rows, labels } = blobs(60);
    expect([...(await asked.teach(rows, { ...lesson, clusters: 3 })).labels]).toEqual([...labels]);
    expect(asked.about).toBe("What most of kmeans, ward, density say, where no single one is to be trusted.");
  });
});

it("docs/teachers.md says how many rows each sees at most", () => {
  const text = readFileSync(new URL("../../docs/teachers.md", import.meta.url), "utf8");
  const lines = text.split("\n").filter((line) => /^\| `.* (told|found) \|/.test(line));
  const said = lines.flatMap((line) => {
    const [first = "", , , , seen = ""] = line.split("|").slice(1);
    const counts = seen.trim().split(", ");
    return [...first.matchAll(/`([\w-]+)`/g)].map(([, name], at) => [name!, counts[at] ?? counts[0]!] as const);
  });
  expect(said.length).toBeGreaterThan(20);
  for (const [name, count] of said) {
    const { most } = teachers[name as keyof typeof teachers];
    expect(count, name).toBe(most === Number.POSITIVE_INFINITY ? "all" : most.toLocaleString("en"));
  }
});
