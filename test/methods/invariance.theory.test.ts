/** What the paper proves or claims about sample-assignment invariance, and why distances need a scale. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { log, multiply, power, subtract } from "../../src/graph/elementwise.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node } from "../../src/graph/node.ts";
import { softmax, sum } from "../../src/graph/reduce.ts";
import {
  assignmentProbability,
  distanceByFirst,
  distanceBySecond,
  distancesBy,
  frequencies,
  invarianceLoss,
  positiveCloseness,
  studentCloseness,
} from "../../src/methods/invariance.ts";
import { cityBlockDistances, cosineDistances, unitRows } from "../../src/nn/distances.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, tensor } from "../../src/tensor/tensor.ts";
import { expectClose } from "../support/close.ts";
import { expectGradients } from "../support/differences.ts";
import { matrix, numbers } from "../support/matrix.ts";
import { evaluate, type Value } from "../support/oracle.ts";

const normal = (rows: number, columns: number, seed: number) =>
  constant(tensor("float32", [rows, columns], Random.seeded(seed).normals(rows * columns)));
const number = (node: Node): number => numbers(node)[0]!;
const rowsOf = (values: number[], k: number): number[][] =>
  Array.from({ length: values.length / k }, (_, i) => values.slice(k * i, k * i + k));
const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

describe("the loss is a divergence:", () => {
  /** Random assignments of 3 rows to 4 clusters, without zeros. */
  const random = (seed: number): Node => softmax(multiply(normal(3, 4, seed), 2));
  const entropy = (p: Node): number => -total(numbers(p).map((value) => value * Math.log(value))) / 3;
  const crossed = (p1: Node, p2: Node): number => {
    const first = numbers(p1);
    return -total(numbers(p2).map((value, i) => value * Math.log(first[i]!))) / 3;
  };

  it("I13: it is H(P₁, P₂) − H(P₂), at least 0, and more the more they differ", () => {
    for (let seed = 1; seed <= 50; seed++) {
      const [p1, p2] = [random(seed), random(seed + 100)];
      const loss = number(invarianceLoss(p2, p1, 0));
      expect(loss).toBeCloseTo(crossed(p1, p2) - entropy(p2), 10);
      // Pinsker: at least half the square of Σ |P₁ − P₂|, row by row.
      const differences = rowsOf(numbers(subtract(p1, p2)), 4).map((row) => total(row.map(Math.abs)) ** 2 / 2);
      expect(loss).toBeGreaterThanOrEqual(total(differences) / 3);
      expect(total(differences)).toBeGreaterThan(0.001);
    }
  });

  it("I14 and I15: it is 0 where P₁ = P₂, where H(P₁, P₂) = H(P₂), and it has no slope there", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const p = random(seed);
      expect(number(invarianceLoss(p, p, 0))).toBeCloseTo(0, 12);
      expect(crossed(p, p)).toBeCloseTo(entropy(p), 12);
      // P₁ moves as a softmax, so that it remains an assignment; and so does P₂.
      const scores = log(p);
      const [away] = gradient(invarianceLoss(random(seed + 1), softmax(scores), 0), [scores]) as [Node];
      const [here] = gradient(invarianceLoss(p, softmax(scores), 0), [scores]) as [Node];
      expectClose(numbers(here), Array(12).fill(0), 1e-12);
      expect(Math.max(...numbers(away).map(Math.abs))).toBeGreaterThan(1e-3);
    }
  });

  it("I13: a P₁ of 0 where P₂ is not makes it infinite, so that it needs ε, which lets it fall below 0 by next to nothing", () => {
    const [p1, p2] = [matrix([1, 0]), matrix([0.75, 0.25])];
    expect(number(invarianceLoss(p2, p1, 0))).toBe(Number.POSITIVE_INFINITY);
    const epsilon = 1e-7;
    expect(number(invarianceLoss(p2, p1, epsilon))).toBeGreaterThan(3);
    for (let seed = 1; seed <= 50; seed++) {
      const sparse = assignmentProbability(
        positiveCloseness(power(normal(3, 4, seed), 2)),
        constant(fromNumbers("float32", [4], [1, 1, 1, 1])),
        2,
      );
      expect(number(invarianceLoss(sparse, random(seed), epsilon))).toBeGreaterThan(
        -4 * epsilon * Math.log(1 / epsilon),
      );
    }
  });
});

/** Distances from k centers, the frequencies of these, and r. */
const cases = fc.integer({ min: 2, max: 8 }).chain((k) =>
  fc.record({
    z: fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { minLength: k, maxLength: k }),
    f: fc.array(fc.double({ min: 1e-3, max: 1, noNaN: true }), { minLength: k, maxLength: k }),
    r: fc.integer({ min: 1, max: 8 }),
  }),
);

/** Values of a formula of z [1, k] and f [k]. */
function valuesAt(z: number[], f: number[], formula: (z: Node, f: Node) => Node): number[] {
  const [distances, shares] = [input("z", ["n", z.length]), input("f", [f.length])];
  const given = new Map<Node, Value>([
    [distances, { shape: [1, z.length], data: Float64Array.from(z) }],
    [shares, { shape: [f.length], data: Float64Array.from(f) }],
  ]);
  return [...evaluate([formula(distances, shares)], given, 1)[0]!.data];
}

describe("whatever the distances and frequencies,", () => {
  it("I12: the nearest by distanceByFirst is the most probable by P₁", () => {
    fc.assert(
      fc.property(cases, ({ z, f, r }) => {
        // Where all distances are equal, Q₁ has nothing to say.
        fc.pre(Math.max(...z) - Math.min(...z) > 0.1);
        const distances = valuesAt(z, f, (z, f) => distanceByFirst(z, f, r));
        const p = valuesAt(z, f, (z, f) => assignmentProbability(positiveCloseness(z), f, r));
        const nearest = distances.indexOf(Math.min(...distances));
        expect(p[nearest]).toBeGreaterThan(0);
        expect(p[nearest]! / Math.max(...p)).toBeGreaterThan(1 - 1e-9);
      }),
    );
  });

  it("Table VI: the nearest by distanceBySecond is the most probable by P₂", () => {
    fc.assert(
      fc.property(cases, ({ z, f, r }) => {
        const distances = valuesAt(z, f, (z, f) => distanceBySecond(z, f, r));
        const p = valuesAt(z, f, (z, f) => assignmentProbability(studentCloseness(z), f, r));
        expect(p[distances.indexOf(Math.min(...distances))]! / Math.max(...p)).toBeGreaterThan(1 - 1e-9);
      }),
    );
  });

  it("I6 and I7: both assignments sum to one, and P₁ is exactly 0 for every center that is farther than the mean", () => {
    fc.assert(
      fc.property(cases, ({ z, f, r }) => {
        fc.pre(Math.max(...z) - Math.min(...z) > 0.1);
        const p1 = valuesAt(z, f, (z, f) => assignmentProbability(positiveCloseness(z), f, r));
        const p2 = valuesAt(z, f, (z, f) => assignmentProbability(studentCloseness(z), f, r));
        expect(total(p1)).toBeCloseTo(1, 9);
        expect(total(p2)).toBeCloseTo(1, 9);
        const mean = total(z) / z.length;
        z.forEach((distance, j) => {
          if (distance >= mean) expect(p1[j]).toBe(0);
          expect(p2[j]).toBeGreaterThan(0);
        });
        // One is farther at least, and one is nearer.
        expect(p1).toContain(0);
      }),
    );
  });

  it("I6: frequencies are shares that sum to 1 and a thousandth, and each is at least its part of that thousandth", () => {
    const q = positiveCloseness(distancesBy.matched.euclidean(normal(30, 3, 1), normal(5, 3, 2), constant(1)));
    for (const r of [1, 2, 5]) {
      const f = numbers(frequencies(q, r));
      expect(total(f)).toBeCloseTo(1.001, 6);
      expect(Math.min(...f)).toBeGreaterThanOrEqual(1e-3 / 5 - 1e-9);
    }
  });
});

describe("distances have one scale:", () => {
  const radius = 4;
  const [h, centers] = [multiply(unitRows(normal(50, 10, 3)), radius), multiply(unitRows(normal(10, 10, 4)), radius)];
  const straight = numbers(distancesBy.matched.euclidean(h, centers, constant(radius)));

  it("I9: on a sphere the chord is the Euclidean distance", () => {
    expectClose(numbers(distancesBy.matched.cosine(h, centers, constant(radius))), straight, 1e-5);
    // 1 − cos is not: it has another scale, and is squared.
    expectClose(
      numbers(cosineDistances(h, centers)),
      straight.map((distance) => distance ** 2 / (2 * radius ** 2)),
      1e-6,
    );
  });

  it("I10: so is the chord from correlations, for codes whose features have the mean 0", () => {
    const centered = (x: Node): Node => subtract(x, multiply(sum(x, { axes: [1], keep: true }), 0.1));
    const [a, b] = [h, centers].map((x) => multiply(unitRows(centered(x)), radius)) as [Node, Node];
    expectClose(
      numbers(distancesBy.matched.correlation(a, b, constant(radius))),
      numbers(distancesBy.matched.euclidean(a, b, constant(radius))),
      1e-5,
    );
  });

  it("I11: the city-block distance is about the Euclidean one, too, on average over directions", () => {
    const ratios = numbers(distancesBy.matched.cityBlock(h, centers, constant(radius))).map((z, i) => z / straight[i]!);
    expect(Math.abs(total(ratios) / ratios.length - 1)).toBeLessThan(0.05);
    // As printed it is √(20/π) times as long.
    const printed = numbers(cityBlockDistances(h, centers)).map((z, i) => z / straight[i]!);
    expect(total(printed) / printed.length).toBeGreaterThan(2.4);
  });

  it("I8 and I9: from 1 − cos without a scale, Q₂ is nearly the same for all centers, wherever the code is", () => {
    const flat = rowsOf(numbers(studentCloseness(cosineDistances(h, centers))), 10);
    const scaled = rowsOf(numbers(studentCloseness(distancesBy.matched.cosine(h, centers, constant(radius)))), 10);
    const mean = (rows: number[][]): number => total(rows.map((row) => Math.max(...row))) / rows.length;
    // With ten clusters, 0.1 is even; a code gives its nearest center hardly more, and never more than 5 times what the
    // farthest gets.
    expect(mean(flat)).toBeLessThan(0.16);
    for (const row of flat) expect(Math.max(...row) / Math.min(...row)).toBeLessThan(5);
    expect(mean(scaled)).toBeGreaterThan(mean(flat));
  });

  it("I9: so that even codes on their own centers cannot make the two assignments agree, which the chord lets them", () => {
    const own = matrix(
      ...Array.from({ length: 10 }, (_, j) => Array.from({ length: 10 }, (_, c) => (c === j ? 4 : 0))),
    );
    const even = constant(fromNumbers("float32", [10], Array(10).fill(0.1)));
    const p1 = assignmentProbability(positiveCloseness(distancesBy.matched.euclidean(own, own, constant(4))), even, 2);
    const p2 = (z: Node): Node => assignmentProbability(studentCloseness(z), even, 2);
    const [literal, chords] = [cosineDistances(own, own), distancesBy.matched.cosine(own, own, constant(4))].map(
      p2,
    ) as [Node, Node];
    // P₁ is certain. From 1 − cos, of which nine are 1, P₂ is 1/(1 + 9/4); from the distance 4√2, it is 1/(1 + 9/33²).
    expect(number(p1)).toBeCloseTo(1, 9);
    expect(number(literal)).toBeCloseTo(4 / 13, 6);
    expect(number(chords)).toBeCloseTo(1 / (1 + 9 / 33 ** 2), 4);
    expect(number(invarianceLoss(literal, p1, 1e-7))).toBeGreaterThan(9);
    expect(number(invarianceLoss(chords, p1, 1e-7))).toBeLessThan(0.1);
  });

  it("I9: as printed, with the similarity for z, the nearest center would be the last to be chosen", () => {
    // Cosines 1, 0.6 and 0 with the centers.
    const cosines = subtract(1, cosineDistances(matrix([2, 0]), matrix([1, 0], [3, 4], [0, 1])));
    const [nearest, , farthest] = numbers(studentCloseness(cosines)) as [number, number, number];
    expect(nearest).toBeLessThan(farthest);
  });
});

describe("the loss's gradient,", () => {
  const [h, centers] = [input("h", ["n", 4]), input("centers", [3, 4])];
  const random = Random.seeded(6);
  const given = new Map<Node, Value>([
    [h, { shape: [6, 4], data: Float64Array.from(random.normals(24)) }],
    [centers, { shape: [3, 4], data: Float64Array.from(random.normals(12)) }],
  ]);

  it.each(["euclidean", "cosine", "correlation", "cityBlock"] as const)(
    "I5–I11: through both assignments and their frequencies, is what finite differences say: %s",
    (metric) => {
      const radius = constant(1.5);
      const q1 = positiveCloseness(distancesBy.matched.euclidean(h, centers, radius));
      const q2 = studentCloseness(distancesBy.matched[metric](h, centers, radius));
      for (const r of [1, 2, 3]) {
        const [p1, p2] = [q1, q2].map((q) => assignmentProbability(q, frequencies(q, r), r)) as [Node, Node];
        expectGradients(invarianceLoss(p2, p1, 1e-3), [h, centers], given, 6);
      }
    },
  );
});
