import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node, type Variable } from "../../src/graph/node.ts";
import {
  assignmentProbability,
  distanceByFirst,
  distanceBySecond,
  distancesBy,
  frequencies,
  hit,
  hoe,
  homo,
  hot,
  invarianceLoss,
  positiveCloseness,
  studentCloseness,
} from "../../src/methods/invariance.ts";
import { chord, unitRows } from "../../src/nn/distances.ts";
import { trainingPass } from "../../src/nn/layers.ts";
import { sgd } from "../../src/nn/optimizers.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";
import type { BatchFormulas, Method } from "../../src/training/method.ts";
import { formulate, plan } from "../../src/training/plan.ts";
import { blobs, tiny } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { fitOn } from "../support/fit.ts";
import { matrix, numbers } from "../support/matrix.ts";
import { evaluate, type Value } from "../support/oracle.ts";

const device = await findDevice(devices, "cpu");
const fit = fitOn(devices);

const vector = (...values: number[]) => constant(fromNumbers("float32", [values.length], values));

describe("distances by hand:", () => {
  const one = constant(1);

  it("I8: the Euclidean distance is ‖h − ω‖", () => {
    const z = distancesBy.matched.euclidean(matrix([3, 4], [0, 0]), matrix([0, 0], [3, 0]), one);
    expectClose(numbers(z), [5, 4, 0, 3], 1e-5);
  });

  it("I9: from the cosine, it is the straight line between the directions, on a sphere of the radius", () => {
    // The direction of (3, 4) is (0.6, 0.8): √(0.16 + 0.64) from (1, 0), √(0.36 + 0.04) from (0, 1), and twice (0.6,
    // 0.8) from its opposite.
    const z = (radius: number) =>
      distancesBy.matched.cosine(matrix([3, 4]), matrix([9, 0], [0, 0.1], [-6, -8]), constant(radius));
    expectClose(numbers(z(1)), [Math.sqrt(0.8), Math.sqrt(0.4), 2], 1e-6);
    expectClose(numbers(z(5)), [5 * Math.sqrt(0.8), 5 * Math.sqrt(0.4), 10], 1e-5);
  });

  it("I9, I10: as named, it is 1 − similarity; as printed, the similarity itself", () => {
    const [h, centers] = [matrix([3, 4]), matrix([9, 0], [0, 0.1], [-6, -8])];
    expectClose(numbers(distancesBy.named.cosine(h, centers, one)), [0.4, 0.2, 2], 1e-6);
    expectClose(numbers(distancesBy.printed.cosine(h, centers, one)), [0.6, 0.8, -1], 1e-6);
    const rising = matrix([1, 2, 3]);
    expectClose(numbers(distancesBy.named.correlation(rising, matrix([5, 4, 3]), one)), [2], 1e-6);
    expectClose(numbers(distancesBy.printed.correlation(rising, matrix([5, 4, 3]), one)), [-1], 1e-6);
  });

  it("I11: as named and as printed, it is the sum of the differences", () => {
    for (const z of ["named", "printed"] as const) {
      expectClose(numbers(distancesBy[z].cityBlock(matrix([1, 5]), matrix([0, 2], [1, 5]), one)), [4, 0], 1e-6);
    }
  });

  it("I10: from the correlation, it is the same once each has lost the mean of its features", () => {
    // (1, 2, 3) becomes (−1, 0, 1); (5, 4, 3) becomes (1, 0, −1), (0, 0, 3) becomes (−1, −1, 2) with the cosine 3/√12.
    const z = distancesBy.matched.correlation(
      matrix([1, 2, 3]),
      matrix([5, 4, 3], [0, 0, 3], [11, 12, 13]),
      constant(2),
    );
    expectClose(numbers(z).slice(0, 2), [4, 2 * Math.sqrt(2 - 6 / Math.sqrt(12))], 1e-5);
    // The same up to a constant: no distance, but for what is added under the root.
    expectClose(numbers(z).slice(2), [0], 3e-3);
  });

  it("I10: of codes whose features have the mean 0 it is the cosine's", () => {
    const [h, centers] = [matrix([1, -3, 2], [0.5, 0.5, -1]), matrix([-2, 1, 1], [3, -1, -2])];
    expectClose(
      numbers(distancesBy.matched.correlation(h, centers, constant(1.5))),
      numbers(distancesBy.matched.cosine(h, centers, constant(1.5))),
      1e-9,
    );
    const moved = matrix([2, -2, 3], [1.5, 1.5, 0]);
    expectClose(
      numbers(distancesBy.matched.correlation(moved, centers, one)),
      numbers(distancesBy.matched.cosine(h, centers, one)),
      1e-6,
    );
    expect(numbers(distancesBy.matched.cosine(moved, centers, one))).not.toEqual(
      numbers(distancesBy.matched.cosine(h, centers, one)),
    );
  });

  it("I11: the city-block distance is Σ |h − ω|, by √(2d/π)", () => {
    const z = distancesBy.matched.cityBlock(matrix([3, 4]), matrix([0, 0], [4, 2]), one);
    const scale = Math.sqrt(4 / Math.PI);
    expectClose(numbers(z), [7 / scale, 3 / scale], 1e-6);
  });

  it("I9 and I10: a chord is √(2(1 − cos)) of the radius, 2 of it at most, and what rounding takes below 0 counts as 0", () => {
    expectClose(numbers(chord(matrix([0.5, 1, 2]), constant(3))), [3, 3 * Math.SQRT2, 6], 1e-5);
    expectClose(numbers(chord(matrix([0, -1e-7]), constant(3))), [0.003, 0.003], 1e-6);
  });
});

describe("closeness by hand:", () => {
  it("I7: Q₁ is how much nearer a center is than the mean center, and 0 where it is not", () => {
    // The means are 3 and 2.
    expectClose(numbers(positiveCloseness(matrix([1, 2, 6], [2.5, 2, 1.5]))), [2, 1, 0, 0, 0, 0.5], 1e-12);
  });

  it("I8: Q₂ is 1/(1 + z²), in parts that sum to one", () => {
    // 1, ½ and 0.1 are 1.6 in all.
    expectClose(numbers(studentCloseness(matrix([0, 1, 3]))), [0.625, 0.3125, 0.0625], 1e-12);
    expectClose(numbers(studentCloseness(matrix([2, 2]))), [0.5, 0.5], 1e-12);
  });
});

describe("assignments by hand:", () => {
  const q = matrix([2, 1, 0], [0, 3, 1]);
  const f = vector(0.4, 0.5, 0.1);

  it("I6: P is Qʳ by the frequency, in parts that sum to one; where Q is 0, P is 0", () => {
    // 4/0.4 and 1/0.5; 9/0.5 and 1/0.1.
    expectClose(numbers(assignmentProbability(q, f, 2)), [10 / 12, 2 / 12, 0, 0, 18 / 28, 10 / 28], 1e-7);
    // 2/0.4 and 1/0.5; 3/0.5 and 1/0.1: the last cluster is small and gains.
    expectClose(numbers(assignmentProbability(q, f, 1)), [5 / 7, 2 / 7, 0, 0, 6 / 16, 10 / 16], 1e-7);
    expect([2, 3].map((at) => numbers(assignmentProbability(q, f, 2))[at])).toEqual([0, 0]);
  });

  it("I6: the larger r, the sharper (Fig. 3)", () => {
    const even = vector(1 / 3, 1 / 3, 1 / 3);
    const largest = [1, 2, 4, 8].map((r) => numbers(assignmentProbability(q, even, r))[0]!);
    expectClose(largest, [2 / 3, 4 / 5, 16 / 17, 256 / 257], 1e-7);
  });

  it("I6: the frequency of a cluster is its mean share of the rows by Qʳ, and a little more, so that none has nothing", () => {
    // By squares the shares are (0.8, 0.2, 0) and (0, 0.9, 0.1).
    const little = 1e-3 / 3;
    expectClose(numbers(frequencies(q, 2)), [0.4 + little, 0.55 + little, 0.05 + little], 1e-7);
    expectClose(numbers(frequencies(q, 1)), [1 / 3 + little, (1 / 3 + 3 / 4) / 2 + little, 1 / 8 + little], 1e-7);
    expectClose(numbers(frequencies(matrix([1, 0]), 2)), [1 + 5e-4, 5e-4], 1e-7);
  });

  it("I4 and I5: the loss is Σ P₂ ln(P₂/P₁), the mean over rows", () => {
    const [p2, p1] = [matrix([0.5, 0.5], [0.5, 0.5]), matrix([0.25, 0.75], [0.5, 0.5])];
    // ½ ln 2 + ½ ln ⅔ is ½ ln 4⁄3, and 0 for the row where they agree.
    expectClose(numbers(invarianceLoss(p2, p1, 1e-7)), [Math.log(4 / 3) / 4], 1e-6);
    // The other way round it is not the same: ¼ ln ½ + ¾ ln 3⁄2.
    expectClose(numbers(invarianceLoss(p1, p2, 1e-7)), [(Math.log(0.5) / 4 + (3 * Math.log(1.5)) / 4) / 2], 1e-6);
  });

  it("I5: ε bounds what a P₁ of exactly 0 costs, and a P₂ of 0 costs nothing", () => {
    // ½ ln ½ + ½ ln(½/10⁻⁴), but for ε beside ½ and 1.
    const [loss] = numbers(invarianceLoss(matrix([0.5, 0.5]), matrix([1, 0]), 1e-4));
    expect(loss).toBeCloseTo(Math.log(0.5) + 2 * Math.log(10), 3);
    expectClose(numbers(invarianceLoss(matrix([1, 0]), matrix([0.5, 0.5]), 1e-4)), [Math.log(2)], 1e-3);
  });

  it("I12: the distance for the label by P₁ shrinks the lead over the mean by (k·f)^(1/r)", () => {
    const z = matrix([1, 2, 6]);
    const even = vector(1 / 3, 1 / 3, 1 / 3);
    expectClose(numbers(distanceByFirst(z, even, 2)), [1, 2, 6], 1e-6);
    // k·f is 4, ¼ and 1: leads over the mean 3 of 2, 1 and −3 by 2, ½ and 1.
    const uneven = vector(4 / 3, 1 / 12, 1 / 3);
    expectClose(numbers(distanceByFirst(z, uneven, 2)), [3 - 1, 3 - 2, 6], 1e-6);
    // P₁ says so, too: 4/(4/3) against 1/(1/12).
    expectClose(numbers(assignmentProbability(positiveCloseness(z), uneven, 2)), [0.2, 0.8, 0], 1e-6);
  });

  it("Table VI: the distance for the label by P₂ is z² where clusters are even, and grows with a cluster's size", () => {
    const z = matrix([0, 1, 3]);
    expectClose(numbers(distanceBySecond(z, vector(1 / 3, 1 / 3, 1 / 3), 2)), [0, 1, 9], 1e-6);
    // (1 + z²)·√(k·f) − 1: 1·4 − 1, 2·½ − 1, 10·1 − 1.
    const uneven = vector(16 / 3, 1 / 12, 1 / 3);
    expectClose(numbers(distanceBySecond(z, uneven, 2)), [3, 0, 9], 1e-6);
    // P₂ in parts: 1/16, (1/4)·4 and 1/100.
    const total = 1 / 16 + 1 + 1 / 100;
    expectClose(
      numbers(assignmentProbability(studentCloseness(z), uneven, 2)),
      [1 / 16 / total, 1 / total, 1 / 100 / total],
      1e-6,
    );
  });
});

const methods = { homo, hoe, hot, hit };
const names = Object.keys(methods) as (keyof typeof methods)[];
const metricOf = { homo: "euclidean", hoe: "cosine", hot: "correlation", hit: "cityBlock" } as const;
const eta = 0.5;

/** One training step of a small network. */
function stepOf(method: Method, settings: Record<string, unknown> = {}) {
  const { rows } = blobs(9, { deviation: 0.2 });
  const x: Node = input("x", ["n", 4]);
  const options = { hidden: [3], activation: "tanh", latent: 4, ...settings };
  const { network, clustering } = formulate(plan(method, toData(rows), { clusters: 3, options }), 0);
  const batch: BatchFormulas = {
    x,
    rows: input("rows", ["n"], "int32"),
    label: input("label", ["n"]),
    pass: trainingPass(),
    learn: (loss, parameters) => sgd()(parameters, gradient(loss, parameters), constant(eta)),
    move: () => [],
    scheduled: () => constant(0),
  };
  const step = clustering.steps.agree!(batch);
  const updated = new Map(step.updates.map(([target]) => [target.attributes.name, target]));
  const given = new Map<Node, Value>([[x, { shape: [9, 4], data: Float64Array.from(rows.data) }]]);
  const at = (node: Node): number[] => [...evaluate([node], given, 9)[0]!.data];
  const [f1, f2] = ["frequencies.P1", "frequencies.P2"].map((name) => updated.get(name)!) as [Variable, Variable];
  const next = (target: Variable): number[] => at(step.updates.find(([each]) => each === target)![1]);
  return { x, network, clustering, step, given, at, f1, f2, next, omega: clustering.centers as Variable };
}

/** Q₁ and Q₂ of codes on the sphere of radius 1, where it is before training begins. */
const closenesses = (z: Node, omega: Node, name: keyof typeof methods): { q1: Node; q2: Node } => {
  const h = unitRows(z);
  return {
    q1: positiveCloseness(distancesBy.matched.euclidean(h, omega, constant(1))),
    q2: studentCloseness(distancesBy.matched[metricOf[name]](h, omega, constant(1))),
  };
};

describe("a step", () => {
  it.each(names)("of %s has the loss of I5, both assignments with the batch's own frequencies", (name) => {
    for (const [r, epsilon] of [
      [2, 1e-7],
      [3, 0.01],
    ] as const) {
      const { step, at, omega } = stepOf(methods[name], { sharpness: r, epsilon });
      const { q1, q2 } = closenesses(step.z, omega, name);
      const [p1, p2] = [q1, q2].map((q) => assignmentProbability(q, frequencies(q, r), r)) as [Node, Node];
      expectClose(at(step.loss), at(invarianceLoss(p2, p1, epsilon)), 1e-9);
      expect(at(step.loss)[0]).toBeGreaterThan(0.01);
    }
  });

  it("I4: together it has the sum of the losses of all four", () => {
    const parts = names.map((name) => {
      const { step, at } = stepOf(methods[name]);
      return at(step.loss)[0]!;
    });
    const all = stepOf(homo, { together: true });
    expectClose(all.at(all.step.loss), [parts.reduce((a, b) => a + b, 0)], 1e-9);
    expect(new Set(parts.map((part) => part.toFixed(6))).size).toBe(4);
  });

  it("I4: the assignment that leads is held, and the gradient flows through the other, or through both", () => {
    const moves = (["P1", "P2", "both"] as const).map((target) => {
      const { network, step, at, omega, next, given } = stepOf(hoe, { target });
      const { q1, q2 } = closenesses(step.z, omega, "hoe");
      const [p1, p2] = [q1, q2].map((q) => assignmentProbability(q, frequencies(q, 2), 2)) as [Node, Node];
      /** The same numbers, of which nobody knows where they come from. */
      const held = (p: Node): Node => {
        const copy = input("held", ["n", 3]);
        given.set(copy, evaluate([p], given, 9)[0]!);
        return copy;
      };
      const loss = invarianceLoss(target === "P2" ? held(p2) : p2, target === "P1" ? held(p1) : p1, 1e-7);
      const [encoder] = network.parameters as [Variable];
      const slopes = at(gradient(loss, [encoder])[0]!);
      const expected = at(encoder).map((value, i) => value - eta * slopes[i]!);
      expectClose(next(encoder), expected, 1e-9);
      return slopes;
    });
    // Three different ways to go.
    expect(Math.max(...moves[0]!.map((slope, i) => Math.abs(slope - moves[2]![i]!)))).toBeGreaterThan(1e-3);
    expect(Math.max(...moves[1]!.map((slope, i) => Math.abs(slope - moves[2]![i]!)))).toBeGreaterThan(1e-3);
  });

  it("leaves the centers where they are, unless they are to move, and the decoder in any case", () => {
    const still = stepOf(homo);
    expect(still.step.updates.map(([target]) => target)).not.toContain(still.omega);
    const moving = stepOf(homo, { moving: true });
    const slopes = moving.at(gradient(moving.step.loss, [moving.omega])[0]!);
    expectClose(
      moving.next(moving.omega),
      moving.at(moving.omega).map((value, i) => value - eta * slopes[i]!),
      1e-7,
    );
    expect(Math.max(...slopes.map(Math.abs))).toBeGreaterThan(1e-3);
    for (const { clustering, network, step, at } of [still, moving]) {
      const decoder = network.parameters.filter(({ attributes }) => attributes.name.startsWith("decoder"));
      for (const slope of gradient(step.loss, decoder)) expect(at(slope).every((value) => value === 0)).toBe(true);
      expect(decoder.length).toBeGreaterThan(0);
      expect(clustering.decoderIsStale).toBe(true);
    }
  });

  it("moves the frequencies that labels are given with by a twentieth of the way to a full batch's own, less for a part of one", () => {
    const { step, at, omega, f1, f2, next } = stepOf(hit);
    const { q1, q2 } = closenesses(step.z, omega, "hit");
    for (const [f, q] of [
      [f1, q1],
      [f2, q2],
    ] as const) {
      expectClose(at(f), [1 / 3, 1 / 3, 1 / 3], 1e-7);
      expectClose(
        next(f),
        // Nine rows of a batch of 32.
        at(frequencies(q, 2)).map((share) => 1 / 3 + ((0.05 * 9) / 32) * (share - 1 / 3)),
        1e-6,
      );
    }
  });

  it("has codes on a sphere: how long they are changes nothing, unless the option says so", () => {
    const losses = (sphere: boolean): number[] => {
      const { x, step, given } = stepOf(hit, { network: "none", sphere });
      const { shape, data } = given.get(x)!;
      return [1, 3].map((length) => {
        const stretched = { shape, data: data.map((value) => length * value) };
        return evaluate([step.loss], new Map([[x, stretched]]), 9)[0]!.data[0]!;
      });
    };
    const [one, three] = losses(true);
    expect(three).toBeCloseTo(one!, 9);
    const [raw, long] = losses(false);
    expect(Math.abs(long! - raw!)).toBeGreaterThan(1e-3);
  });
});

describe("to begin with,", () => {
  // Two directions, and lengths of 5, 3, 2 and 2.
  const codes = fromNumbers("float32", [4, 2], [3, 4, 1.8, 2.4, 0, -2, 0, -2]);
  const begun = (sphere: boolean) => {
    const { clustering } = formulate(
      plan(homo, toData(codes), { clusters: 2, options: { network: "none", sphere } }),
      0,
    );
    const first = clustering.begin({ codes, random: Random.seeded(1) });
    const values = new Map([...first].map(([{ attributes }, value]) => [attributes.name, [...value.data].map(Number)]));
    const given = new Map<Node, Value>(
      [...first].map(([target, { shape, data }]) => [target, { shape, data: Float64Array.from(data, Number) }]),
    );
    return { clustering, values, given };
  };

  it("the sphere has the mean length of codes as its radius, and on it centers are the means of their clusters", () => {
    const { clustering, values, given } = begun(true);
    expectClose(values.get("radius")!, [12 / 4], 1e-6);
    // Both codes of a cluster have the same direction, (0.6, 0.8) and (0, −1), and the length 3 now.
    expectClose(values.get("centers")!, [1.8, 2.4, 0, -3], 1e-6);
    // And so has any other code: (0, −7) counts as (0, −3).
    const [near] = evaluate([clustering.distances(matrix([0, -7]))], given, 1);
    expectClose(near!.data, [Math.hypot(1.8, 5.4), 0], 1e-5);
  });

  it("without a sphere they are the centers of k-means", () => {
    const { values } = begun(false);
    expect(values.has("radius")).toBe(false);
    expectClose(values.get("centers")!, [2.4, 3.2, 0, -2], 1e-6);
  });

  it("a stream moves the nearest center towards its codes, on the sphere", () => {
    const { clustering } = begun(true);
    const omega = clustering.centers;
    // With the radius 1, (5, 0) is (1, 0): 0.5 from the first center.
    const { updates, loss } = clustering.follow(matrix([5, 0]), constant(0.25));
    const given = new Map([[omega, { shape: [2, 2], data: Float64Array.of(0.5, 0, 0, -1) }]]);
    expectClose(evaluate([updates[0]![1]], given, 1)[0]!.data, [0.5 + 0.25 * 2 * 0.5, 0, 0, -1], 1e-7);
    expectClose(evaluate([loss], given, 1)[0]!.data, [0.25], 1e-7);
  });
});

describe("I12: the label", () => {
  it.each(names.flatMap((name) => ["P1", "P2"].map((inference) => [name, inference] as const)))(
    "of %s by %s is the most probable and the nearest cluster, whatever the frequencies",
    (name, inference) => {
      const { clustering, f1, f2, omega } = stepOf(methods[name], { inference });
      const random = Random.seeded(5);
      const draw = (shape: number[], values: Float32Array): Value => ({ shape, data: Float64Array.from(values) });
      const z = input("z", ["n", 4]);
      const formulas = [clustering.distances(z), clustering.probabilities!(z)];
      const labels = new Set<string>();
      for (let trial = 0; trial < 20; trial++) {
        const given = new Map<Node, Value>([
          [z, draw([8, 4], random.normals(32))],
          [omega, draw([3, 4], random.normals(12))],
          [f1, draw([3], random.uniforms(3, 0.05, 1))],
          [f2, draw([3], random.uniforms(3, 0.05, 1))],
        ]);
        const [near, sure] = evaluate(formulas, given, 8).map(({ data }) => data) as [Float64Array, Float64Array];
        for (let i = 0; i < 8; i++) {
          const [d, p] = [near, sure].map((all) => [...all.subarray(3 * i, 3 * i + 3)]) as [number[], number[]];
          expect(d.indexOf(Math.min(...d))).toBe(p.indexOf(Math.max(...p)));
          expect(p.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
          labels.add(`${p.indexOf(Math.max(...p))}`);
        }
      }
      expect(labels.size).toBe(3);
    },
  );

  it.each(names)("of a row does not depend on the rows beside it: %s", async (name) => {
    const { rows } = blobs(60, { deviation: 0.25 });
    const model = await fit(rows, { clusters: 3, method: methods[name], device, ...tiny, epochs: 2 });
    const together = await model.assign(rows);
    for (let i = 0; i < 60; i += 7) {
      const alone = await model.assign(tensor("float32", [1, 4], rows.data.slice(4 * i, 4 * i + 4)));
      expect(alone.labels[0]).toBe(together.labels[i]);
      for (const part of ["distances", "probabilities"] as const) {
        expectClose(alone[part].data, together[part].data.slice(3 * i, 3 * i + 3), 1e-5);
      }
    }
    // The frequencies are in the model: among the rows of one cluster alone, they are not taken anew.
    const own = Array.from({ length: 60 }, (_, i) => i).filter((i) => together.labels[i] === together.labels[0]);
    const group = tensor(
      "float32",
      [own.length, 4],
      Float32Array.from(own.flatMap((i) => [...rows.data.slice(4 * i, 4 * i + 4)])),
    );
    const labels = await model.predict(group);
    expect(new Set(labels)).toEqual(new Set([together.labels[0]]));
    const state = model.fit.state.get("frequencies.P1") as Tensor<"float32">;
    expect([...state.data].some((share) => Math.abs(share - 1 / 3) > 1e-3)).toBe(true);
    await model.close();
  });
});
