/** Where the formulas are the same, scikit-learn, SciPy and plain NumPy answer the same (fixtures/make.py). */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ari } from "../../../src/metrics/ari.ts";
import { unitTensor } from "../../../src/numerics/kmeans.ts";
import { plainMultiply, transposed } from "../../../src/numerics/matrix.ts";
import { neighbours } from "../../../src/numerics/neighbours/neighbours.ts";
import { paceOf } from "../../../src/numerics/pace.ts";
import { crossProducts, timesSquare } from "../../../src/teachers/comparators/factors.ts";
import { centersOf, membershipsOf } from "../../../src/teachers/comparators/fcm.ts";
import { nextTied } from "../../../src/teachers/comparators/gnmf.ts";
import { kernelOf, nextW } from "../../../src/teachers/comparators/lccf.ts";
import { affinityOf, lowRank } from "../../../src/teachers/comparators/lrr.ts";
import { lowRankAffinity } from "../../../src/teachers/comparators/lrsc.ts";
import { tiesOf } from "../../../src/teachers/comparators/lsc.ts";
import { withItself, withoutItself } from "../../../src/teachers/comparators/lsr.ts";
import { nearestOf, zeroOneGraph } from "../../../src/teachers/comparators/nearest.ts";
import { gaussian } from "../../../src/teachers/comparators/njw.ts";
import { nextU, nextV } from "../../../src/teachers/comparators/nmf.ts";
import { expressedOf } from "../../../src/teachers/comparators/selfExpression.ts";
import { byResidual } from "../../../src/teachers/comparators/slrr.ts";
import { smoothAffinity } from "../../../src/teachers/comparators/smr.ts";
import { sparse } from "../../../src/teachers/comparators/ssc.ts";
import { Clusters, nearestPairs, walksOf } from "../../../src/teachers/comparators/zac.ts";
import { teachers } from "../../../src/teachers/index.ts";
import { Random } from "../../../src/tensor/random.ts";
import { fromNumbers, type Tensor, takeRows } from "../../../src/tensor/tensor.ts";
import { expectClose } from "../../support/close.ts";

const known = JSON.parse(readFileSync(new URL("fixtures/comparators.json", import.meta.url), "utf8"));
const matrix = (rows: number[][]) => fromNumbers("float32", [rows.length, rows[0]!.length], rows.flat());
const pace = paceOf(undefined);
const multiply = plainMultiply(pace);
const lesson = { random: Random.seeded(1), pace };

describe("fuzzy c-means", () => {
  it("cⱼ = Σᵢ uᵢⱼᵐ xᵢ / Σᵢ uᵢⱼᵐ and uᵢⱼ = 1 / Σₗ (‖xᵢ − cⱼ‖ / ‖xᵢ − cₗ‖)^(2/(m−1)), as in NumPy", async () => {
    const { rows, m, u: first, steps } = known.fuzzy;
    const x = matrix(rows);
    let u = Float64Array.from(first as number[]);
    for (const step of steps) {
      const centers = await centersOf(x, u, 3, m, pace);
      expectClose(centers, step.centers, 1e-7);
      u = (await membershipsOf(x, centers, 3, m, pace)) as Float64Array<ArrayBuffer>;
      expectClose(u, step.u, 1e-7);
    }
  });

  it("a row that lies on a center belongs to it alone", async () => {
    const u = await membershipsOf(matrix([[1, 2]]), Float64Array.of(0, 0, 1, 2), 2, 2, pace);
    expect([...u]).toEqual([0, 1]);
  });
});

describe("factorizations", () => {
  const { rows, rounds, lambda, u, v, w, nmf, gnmf, lccf } = known.factors;
  const x = matrix(rows);
  const xt = transposed(x);

  it("NMF: V ← V ∘ XU / VUᵀU and U ← U ∘ XᵀV / UVᵀV, as scikit-learn's multiplicative updates", async () => {
    let [parts, amounts] = [matrix(u), matrix(v)];
    for (let round = 0; round < rounds; round++) {
      amounts = nextV(parts, amounts, await multiply(x, parts));
      parts = nextU(parts, amounts, await multiply(xt, amounts));
    }
    expectClose(amounts.data, nmf.v, 1e-5);
    expectClose(parts.data, nmf.u, 1e-5);
  });

  it("GNMF: V ← V ∘ (XU + λSV) / (VUᵀU + λDV), as in NumPy", async () => {
    const graph = await zeroOneGraph(await neighbours(x, 5, pace), pace);
    let [parts, amounts] = [matrix(u), matrix(v)];
    for (let round = 0; round < rounds; round++) {
      const below = timesSquare(amounts.data, crossProducts(parts.data, parts.data, 3), 3);
      amounts = nextTied(amounts, await multiply(x, parts), below, graph, lambda);
      parts = nextU(parts, amounts, await multiply(xt, amounts));
    }
    expectClose(amounts.data, gnmf.v, 1e-5);
    expectClose(parts.data, gnmf.u, 1e-5);
  });

  it("LCCF: V ← V ∘ (KW + λSV) / (VWᵀKW + λDV) and W ← W ∘ KV / KWVᵀV, with K written down in NumPy", async () => {
    const graph = await zeroOneGraph(await neighbours(x, 5, pace), pace);
    const kernel = kernelOf(x, multiply);
    let [concepts, amounts] = [matrix(w), matrix(v)];
    for (let round = 0; round < rounds; round++) {
      const kw = await kernel(concepts);
      const below = timesSquare(amounts.data, crossProducts(concepts.data, kw.data, 3), 3);
      amounts = nextTied(amounts, kw, below, graph, lambda);
      concepts = nextW(concepts, amounts, kw, await kernel(amounts));
    }
    expectClose(amounts.data, lccf.v, 1e-5);
    expectClose(concepts.data, lccf.w, 1e-5);
  });
});

describe("spectral methods", () => {
  it("NJW: Wᵢⱼ = exp(−‖xᵢ − xⱼ‖²/2σ²), and the clusters of scikit-learn's SpectralClustering with it", async () => {
    const { rows, sigma, affinities, labels } = known.gaussian;
    const x = matrix(rows);
    const far = (j: number) => (x.data[0]! - x.data[2 * j]!) ** 2 + (x.data[1]! - x.data[2 * j + 1]!) ** 2;
    expectClose(
      Float64Array.from(affinities as number[], (_, j) => gaussian(far(j), sigma)),
      affinities,
      1e-6,
    );
    const found = await teachers.njw.teach(x, { ...lesson, clusters: 2 });
    expect(ari(labels, found.labels)).toBe(1);
  });

  it("LSC: Ẑ as in NumPy, and 1 is its first singular value, that of √D", async () => {
    const { rows, every, nearest, z, singular } = known.landmarks;
    const x = matrix(rows);
    const marks = takeRows(
      x,
      Int32Array.from({ length: 10 }, (_, j) => every * j),
    );
    const ties = tiesOf(await nearestOf(x, marks, nearest, multiply, pace), 10);
    const full = new Float64Array(400);
    ties.weights.forEach((weight, at) => {
      full[10 * Math.floor(at / nearest) + ties.landmarks[at]!] = weight;
    });
    expectClose(full, z, 1e-6);
    expect(singular[0]).toBeCloseTo(1, 9);
    // Ẑᵀ·1 = √D, and Ẑ√D = 1.
    const image = Array.from({ length: 40 }, (_, i) =>
      ties.rootSums.reduce((sum, root, j) => sum + full[10 * i + j]! * root, 0),
    );
    expectClose(image, Array(40).fill(1), 1e-9);
  });
});

describe("self-expressive methods", () => {
  const { rows, truth, lsr1, lsr2, lrsc, smr, lrr, ssc } = known.selfExpressive;
  const work = { multiply, pace };
  const expressed = () => expressedOf(unitTensor(matrix(rows)), 0, work);
  const fourth = ({ data, shape }: Tensor<"float32">) => data.slice(3 * shape[0]!, 4 * shape[0]!);

  it("LSR1: Zᵢⱼ = −Dᵢⱼ/Dⱼⱼ with D = (XᵀX + λ)⁻¹, as in NumPy", async () => {
    expectClose(fourth(await withoutItself(await expressed(), lsr1.lambda, work)), lsr1.w, 1e-5);
  });

  it("LSR2: Z = (XᵀX + λ)⁻¹XᵀX, as in NumPy", async () => {
    expectClose(fourth(await withItself(await expressed(), lsr2.lambda, work)), lsr2.w, 1e-5);
  });

  it("LRSC: C = V₁(1 − Σ₁⁻²/τ)V₁ᵀ with τ = 100/‖X‖², as in NumPy", async () => {
    const found = await expressed();
    expectClose(fourth(await lowRankAffinity(found, 100 / found.sigma[0]! ** 2, work)), lrsc.w, 1e-5);
  });

  it.each([
    ["j1", smr.w],
    ["j2", undefined],
  ] as const)("SMR (%s): αXᵀXZ + Z(L + ε) = αXᵀX, as SciPy's solve_sylvester", async (affinity, w) => {
    const { alpha, epsilon } = smr;
    const found = await smoothAffinity(await expressed(), { alpha, epsilon, neighbours: 4, affinity }, work);
    if (w) expectClose(fourth(found), w, 1e-4);
    // The cosine of a sum with itself is 1.
    else for (let i = 0; i < 45; i++) expect(found.data[46 * i]).toBeCloseTo(1, 5);
  });

  it("LRR: the problem turned by its singular vectors has the affinity of the full one in NumPy", async () => {
    const found = await expressed();
    const z = await lowRank(found, { lambda: lrr.lambda, tolerance: 1e-6, iterations: 600 }, multiply, pace);
    expectClose(fourth(await affinityOf(found, z, multiply, pace)), lrr.w, 2e-3);
  });

  it("SSC: row by row the solution of scikit-learn's Lasso", async () => {
    const found = await expressed();
    for (const [at, row] of (ssc.rows as number[]).entries()) {
      const said = { mu: ssc.mu, alpha: 20, tolerance: 1e-6, iterations: 5000 };
      expectClose(await sparse(found, row, row + 1, said, multiply, pace), ssc.c[at], 2e-3);
    }
  });

  it.each([
    ["lsr1", {}],
    ["lsr2", {}],
    ["lrsc", {}],
    // Few rows: what suits thousands weighs the error too little here.
    ["lrr", { lambda: 1 }],
    ["slrr", { lambda: 1 }],
    ["smr", { alpha: 20 }],
    ["ssc", {}],
  ] as const)("%s finds three planes, with %o", async (name, options) => {
    const { labels } = await teachers[name].teach(matrix(rows), { ...lesson, clusters: 3, options });
    expect(ari(truth, labels)).toBeGreaterThan(0.9);
  });
});

describe("SLRR's other rows", () => {
  it.each(
    (known.slrr as { rows: number[][]; p: number; known: number[]; labels: number[] }[]).map(
      (each) => [each.p, each.rows[0]!.length, each] as const,
    ),
  )(
    "argminⱼ ‖x − cⱼAⱼ‖ with c = (AᵀA + κ)⁻¹Aᵀx, of %i rows with %i columns, as in NumPy",
    async (p, _, { rows, known, labels }) => {
      const x = unitTensor(matrix(rows));
      const first = takeRows(
        x,
        Int32Array.from({ length: p }, (_, i) => i),
      );
      const found = await byResidual(x, first, Int32Array.from(known), 3, 1e-6, multiply, pace);
      expect([...found]).toEqual(labels);
    },
  );

  it("are divided as those of which LRR is made, where they lie in the same planes", async () => {
    const { rows, truth } = known.selfExpressive;
    const options = { lambda: 1, landmarks: 30 };
    const { labels, notes } = await teachers.slrr.teach(matrix(rows), { ...lesson, clusters: 3, options });
    expect(notes).toEqual(["slrr divided 30 rows by LRR; each other row is where rows express it best"]);
    expect(ari(truth, labels)).toBeGreaterThan(0.9);
  });
});

describe("the zeta function of a graph", () => {
  const { rows, neighbours: count, clusters: k, p, labels, gains } = known.zeta;

  it("P and every gain are those of the inverses of 1 − zP in NumPy, and so are the clusters", async () => {
    const near = await neighbours(matrix(rows), count, pace);
    const walks = walksOf(near, 0.95);
    const first = new Float64Array(p.length);
    walks.to[0]!.forEach((step, at) => {
      first[step] = walks.weight[0]![at]!;
    });
    expectClose(first, p, 1e-6);
    const clusters = new Clusters(walks, 0.01, nearestPairs(near));
    const found: number[] = [];
    while (clusters.count > k) found.push((await clusters.join(pace))!);
    expectClose(found, gains, 1e-9);
    expect(ari(labels, clusters.labels())).toBe(1);
  });
});
