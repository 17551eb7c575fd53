import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type InnerMetricName, innerMetrics, type MetricName, metrics } from "../../src/metrics/index.ts";
import { Random } from "../../src/tensor/random.ts";
import { expectClose } from "../support/close.ts";

const tolerance = 1e-9;

interface Properties {
  readonly symmetric: boolean;
  readonly lowest: number;
  readonly highest: number;
  /** For labelings that are the same but for the names. */
  readonly same: number;
}

const share = { lowest: 0, highest: 1, same: 1 };

const properties: { readonly [M in MetricName]: Properties } = {
  accuracy: { symmetric: true, ...share },
  nmi: { symmetric: true, ...share },
  nmiGeometric: { symmetric: true, ...share },
  ari: { symmetric: true, lowest: -0.5, highest: 1, same: 1 },
  // No bound is known to us: the lowest for up to five rows is −0.544, and for more rows we have seen none lower.
  ami: { symmetric: true, lowest: -1, highest: 1, same: 1 },
  homogeneity: { symmetric: false, ...share },
  completeness: { symmetric: false, ...share },
  vMeasure: { symmetric: true, ...share },
  purity: { symmetric: false, ...share },
  pairPrecision: { symmetric: false, ...share },
};

interface InnerProperties {
  readonly lowest: number;
  readonly highest: number;
  /** Where the rows of a cluster are all equal, and those of different clusters are not. */
  readonly perfect: number;
}

const innerProperties: { readonly [M in InnerMetricName]: InnerProperties } = {
  silhouette: { lowest: -1, highest: 1, perfect: 1 },
  // By convention: the variance within is 0, and the ratio would have no value.
  calinskiHarabasz: { lowest: 0, highest: Infinity, perfect: 1 },
  daviesBouldin: { lowest: 0, highest: Infinity, perfect: 0 },
};

test("the property tables list every metric, and nothing else", () => {
  expect(Object.keys(properties).sort()).toEqual(Object.keys(metrics).sort());
  expect(Object.keys(innerProperties).sort()).toEqual(Object.keys(innerMetrics).sort());
});

test("every metric is described in one sentence", () => {
  for (const { description } of [...Object.values(metrics), ...Object.values(innerMetrics)]) {
    expect(description).toMatch(/^[A-Z][^.]*\.$/);
  }
  expect(Object.values(metrics).every(({ largerIsBetter }) => largerIsBetter)).toBe(true);
});

/** Two labelings of the same rows, from one row up, with from one to seven groups. */
const labelings = fc.integer({ min: 1, max: 40 }).chain((n) => {
  const labels = fc
    .integer({ min: 0, max: 6 })
    .chain((most) => fc.array(fc.integer({ min: 0, max: most }), { minLength: n, maxLength: n }));
  return fc.record({ truth: labels, clusters: labels });
});

/** Other names for the labels 0 to 6: any seven different whole numbers. */
const names = fc.uniqueArray(fc.integer(), { minLength: 7, maxLength: 7 });

const seeds = fc.nat();

function shuffled<Value>(values: readonly Value[], seed: number): Value[] {
  return Array.from(Random.seeded(seed).permutation(values.length), (row) => values[row]!);
}

describe.each(Object.entries(metrics))("%s", (name, { score }) => {
  const { symmetric, lowest, highest, same } = properties[name as MetricName];

  test("keeps to its bounds", () => {
    fc.assert(
      fc.property(labelings, ({ truth, clusters }) => {
        expect(score(truth, clusters)).toBeGreaterThanOrEqual(lowest);
        expect(score(truth, clusters)).toBeLessThanOrEqual(highest);
      }),
    );
  });

  test(`is ${same} for the same groups under other names`, () => {
    fc.assert(
      fc.property(labelings, names, ({ truth }, other) => {
        expect(
          score(
            truth,
            truth.map((label) => other[label]!),
          ),
        ).toBe(same);
      }),
    );
  });

  test("does not depend on names, on the kind of array, nor on the order of rows", () => {
    fc.assert(
      fc.property(labelings, names, names, seeds, ({ truth, clusters }, forTruth, forClusters, seed) => {
        const renamedTruth = Int32Array.from(truth, (label) => forTruth[label]!);
        const renamedClusters = BigInt64Array.from(clusters, (label) => BigInt(forClusters[label]!));
        expect(score(renamedTruth, renamedClusters)).toBe(score(truth, clusters));
        expectClose([score(shuffled(truth, seed), shuffled(clusters, seed))], [score(truth, clusters)], tolerance);
      }),
    );
  });

  if (symmetric) {
    test("is the same with truth and clusters exchanged", () => {
      fc.assert(
        fc.property(labelings, ({ truth, clusters }) => {
          expectClose([score(clusters, truth)], [score(truth, clusters)], tolerance);
        }),
      );
    });
  } else {
    test("is another one with truth and clusters exchanged", () => {
      const [few, many] = [
        [0, 0, 0, 1, 1, 1],
        [0, 0, 1, 1, 2, 2],
      ];
      expect(Math.abs(score(few, many) - score(many, few))).toBeGreaterThan(0.1);
    });
  }

  test("refuses labelings of different lengths, empty ones and what is not a whole number", () => {
    const refused = (truth: number[], clusters: number[]): unknown => {
      try {
        return score(truth, clusters);
      } catch (error) {
        return error;
      }
    };
    expect(refused([1, 2, 3], [1, 2])).toEqual(
      new RangeError(`${name}: the two labelings must be of equal length, got 3 and 2`),
    );
    expect(refused([], [])).toEqual(new RangeError(`${name}: there must be at least one label, got none`));
    expect(refused([1, 2], [1, 0.5])).toEqual(
      new RangeError(`${name}: labels must be whole numbers, got 0.5 in row 1`),
    );
    expect(refused([Number.NaN], [1])).toEqual(
      new RangeError(`${name}: labels must be whole numbers, got NaN in row 0`),
    );
  });
});

/** Rows of small whole numbers, so that there are duplicates, in from two clusters to one fewer than rows. */
const clustered = fc
  .record({ n: fc.integer({ min: 3, max: 30 }), d: fc.integer({ min: 1, max: 4 }) })
  .chain(({ n, d }) =>
    fc.record({
      d: fc.constant(d),
      rows: fc.array(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: d, maxLength: d }), {
        minLength: n,
        maxLength: n,
      }),
      clusters: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: n, maxLength: n }),
    }),
  )
  .filter(({ clusters }) => new Set(clusters).size >= 2 && new Set(clusters).size < clusters.length);

describe.each(Object.entries(innerMetrics))("%s", (name, { score }) => {
  const { lowest, highest, perfect } = innerProperties[name as InnerMetricName];
  const flat = (rows: readonly (readonly number[])[]): Float32Array => Float32Array.from(rows.flat());

  test("keeps to its bounds", () => {
    fc.assert(
      fc.property(clustered, ({ rows, clusters }) => {
        expect(score(flat(rows), clusters)).toBeGreaterThanOrEqual(lowest);
        expect(score(flat(rows), clusters)).toBeLessThanOrEqual(highest);
      }),
    );
  });

  test(`is ${perfect} for clusters of equal rows`, () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 2, maxLength: 5 }),
        fc.uniqueArray(fc.integer({ min: -1000, max: 1000 }), { minLength: 5, maxLength: 5 }),
        (sizes, places) => {
          const clusters = sizes.flatMap((size, cluster) => Array.from({ length: size }, () => cluster));
          const rows = clusters.map((cluster) => [places[cluster]! / 10, 0.1]);
          expect(score(flat(rows), clusters)).toBe(perfect);
        },
      ),
    );
  });

  test("does not depend on names, on the kind of array, nor on the order of rows", () => {
    fc.assert(
      fc.property(clustered, names, seeds, ({ d, rows, clusters }, other, seed) => {
        const before = score(flat(rows), clusters);
        const renamed = BigInt64Array.from(clusters, (label) => BigInt(other[label]!));
        const tensor = { data: Float64Array.from(rows.flat()), shape: [rows.length, d] };
        expect(score(tensor, renamed)).toBe(before);
        expectClose([score(flat(shuffled(rows, seed)), shuffled(clusters, seed))], [before], tolerance);
      }),
    );
  });

  test("does not depend on the scale, nor on the place, of all rows together", () => {
    fc.assert(
      fc.property(clustered, ({ rows, clusters }) => {
        const moved = flat(rows.map((row) => row.map((x) => x * 4 + 100)));
        expectClose([score(moved, clusters)], [score(flat(rows), clusters)], tolerance);
      }),
    );
  });

  test("refuses one cluster, as many clusters as rows, and rows that do not fit", () => {
    const three = Float32Array.of(1, 2, 3);
    const must = `${name}: there must be from 2 clusters to one fewer than rows (3), got`;
    expect(() => score(three, [5, 5, 5])).toThrow(new RangeError(`${must} 1 cluster`));
    expect(() => score(three, [1, 2, 3])).toThrow(new RangeError(`${must} 3 clusters`));
    expect(() => score(three, [1, 2])).toThrow(
      new RangeError(`${name}: 2 labels need rows of shape [2,d], got 3 numbers`),
    );
    expect(() => score({ data: three, shape: [1, 3] }, [1, 1, 2])).toThrow(
      new RangeError(`${name}: 3 labels need rows of shape [3,d], got shape [1,3]`),
    );
    expect(() => score(Float32Array.of(0, 1, 2, 3, 4, Number.NaN), [1, 1, 2])).toThrow(
      new RangeError(`${name}: rows must be finite, got NaN in row 2`),
    );
    expect(() => score(new Float32Array(), [])).toThrow(`${name}: there must be at least one label`);
  });
});
