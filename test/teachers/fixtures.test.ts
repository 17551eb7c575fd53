/** Where the algorithm is the same, SciPy and scikit-learn answer the same (fixtures/make.py). */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ari } from "../../src/metrics/ari.ts";
import { leadingEigen } from "../../src/numerics/leadingEigen.ts";
import { neighbourGraph } from "../../src/numerics/neighbours/neighbourGraph.ts";
import { neighbours } from "../../src/numerics/neighbours/neighbours.ts";
import { expectation, maximization, oneHot } from "../../src/numerics/normalMixture.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { cut, type LinkageName, mergesOf } from "../../src/teachers/agglomerative.ts";
import { densityWith } from "../../src/teachers/density.ts";
import { teachers } from "../../src/teachers/index.ts";
import { normalized } from "../../src/teachers/spectral.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { expectClose } from "../support/close.ts";

const recorded = (name: string) => JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), "utf8"));
const matrix = (rows: number[][]) => fromNumbers("float32", [rows.length, rows[0]!.length], rows.flat());
const pace = paceOf(undefined);

interface Linkage {
  readonly rows: string;
  readonly linkage: LinkageName;
  readonly heights: number[];
  readonly labels: Record<string, number[]>;
}

describe("SciPy's linkage", () => {
  const { rows, cases } = recorded("linkage") as { rows: Record<string, number[][]>; cases: Linkage[] };
  it.each(cases)("$linkage of $rows: the same heights, and the same clusters where it is cut", async (known) => {
    const x = matrix(rows[known.rows]!);
    const merges = await mergesOf(x, known.linkage, pace);
    expectClose(
      merges.map(({ height }) => height),
      known.heights,
      1e-7,
    );
    for (const [k, labels] of Object.entries(known.labels)) {
      expect(ari(labels, cut(merges, x.shape[0]!, Number(k)))).toBe(1);
    }
  });
});

interface Density {
  readonly rows: string;
  readonly minSize: number;
  readonly neighbours: number;
  readonly labels: number[];
}

describe("scikit-learn's HDBSCAN", () => {
  const { rows, cases } = recorded("density") as { rows: Record<string, number[][]>; cases: Density[] };

  /** Rows that are as near to one cluster as to another by mutual reachability: they may belong to either. */
  function tied(x: number[][], known: Density): Set<number> {
    const apart = x.map((a) => x.map((b) => Math.hypot(...a.map((value, c) => value - b[c]!))));
    const core = apart.map((row) => row.toSorted((a, b) => a - b)[known.neighbours - 1]!);
    const reach = (i: number, j: number): number => Math.max(core[i]!, core[j]!, apart[i]![j]!);
    return new Set(
      [...x.keys()].filter((i) => {
        const others = [...x.keys()].filter((j) => j !== i && known.labels[j]! >= 0);
        const least = Math.min(...others.map((j) => reach(i, j)));
        return new Set(others.filter((j) => reach(i, j) === least).map((j) => known.labels[j])).size > 1;
      }),
    );
  }

  it.each(cases)("$rows, of $minSize rows and more: the same clusters, and the same rows in none", async (known) => {
    const x = rows[known.rows]!;
    const { labels, clusters } = await densityWith("density", known).teach(matrix(x), {
      random: Random.seeded(1),
      pace,
    });
    expect(clusters).toBe(Math.max(...known.labels) + 1);
    expect([...labels].map((label) => label < 0)).toEqual(known.labels.map((label) => label < 0));
    const either = tied(x, known);
    expect(either.size).toBeLessThan(0.02 * x.length);
    const sure = <T>(_: T, i: number): boolean => !either.has(i);
    expect(ari(known.labels.filter(sure), labels.filter(sure))).toBe(1);
  });
});

interface Mixture {
  readonly kind: "full" | "diag";
  readonly iterations: number;
  readonly logLikelihood: number;
  readonly means: number[][];
  readonly labels: number[];
}

describe("scikit-learn's GaussianMixture", () => {
  const { rows, start, cases } = recorded("mixture") as { rows: number[][]; start: number[]; cases: Mixture[] };
  it.each(cases)("$kind covariances after $iterations iterations from the same start", async (known) => {
    const x = matrix(rows);
    let r = oneHot(Int32Array.from(start), 3);
    let mixture = await maximization(x, r, 3, known.kind === "full", 1e-6, pace);
    for (let iteration = 0; iteration < known.iterations; iteration++) {
      r = (await expectation(x, mixture, pace)).r;
      mixture = await maximization(x, r, 3, known.kind === "full", 1e-6, pace);
    }
    const { r: last, logLikelihood } = await expectation(x, mixture, pace);
    expectClose([logLikelihood], [known.logLikelihood], 1e-9);
    expectClose(mixture.means, known.means.flat(), 1e-7);
    const labels = known.labels.map((_, i) =>
      [0, 1, 2].reduce((a, b) => (last[3 * i + b]! > last[3 * i + a]! ? b : a)),
    );
    expect(labels).toEqual(known.labels);
  });
});

interface Spectral {
  readonly rows: string;
  readonly eigenvalues: Record<string, number[]>;
  readonly labels: number[];
}

describe("scikit-learn's SpectralClustering", () => {
  const { rows, cases } = recorded("spectral") as { rows: Record<string, number[][]>; cases: Spectral[] };
  it.each(cases)("$rows: the same eigenvalues as SciPy's eigsh, with and without τ", async (known) => {
    const graph = await neighbourGraph(await neighbours(matrix(rows[known.rows]!), 10, pace), pace);
    for (const [tau, values] of Object.entries(known.eigenvalues)) {
      const found = await leadingEigen(normalized(graph, Number(tau)), graph.starts.length - 1, 6, {
        from: -1,
        to: 1,
        random: Random.seeded(1),
        pace,
      });
      expectClose(found.values, values, 1e-7);
    }
  });

  it.each(cases)("$rows: the same clusters", async (known) => {
    const x = matrix(rows[known.rows]!);
    const found = await teachers.spectral.teach(x, { clusters: 2, random: Random.seeded(1), pace });
    expect(ari(known.labels, found.labels)).toBe(1);
  });
});
