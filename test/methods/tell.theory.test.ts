/** What the paper proves or claims about TELL: the layer is k-means, its loss is bounded, its steps are stable. */

import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { slice } from "../../src/graph/arrange.ts";
import { multiply, negate, square, subtract } from "../../src/graph/elementwise.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node } from "../../src/graph/node.ts";
import { matmul } from "../../src/graph/products.ts";
import { sum } from "../../src/graph/reduce.ts";
import { withinLoss } from "../../src/methods/clusterMeans.ts";
import { clusteringLoss, descend, hardAssignment, softAssignment, tell } from "../../src/methods/tell.ts";
import { nearest, squaredDistances, unitRows } from "../../src/nn/distances.ts";
import { trainingPass } from "../../src/nn/layers.ts";
import { kmeans, unitTensor } from "../../src/numerics/kmeans.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { formulate, plan } from "../../src/training/plan.ts";
import { Restart } from "../../src/training/restart.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { matrix, numbers } from "../support/matrix.ts";
import { evaluate, type Value } from "../support/oracle.ts";
import { distanceByLayer, layerLoss, layerOf, softTerms } from "./theory/tell.ts";

const device = await findDevice(devices, "cpu");

const normal = (rows: number, columns: number, seed: number) =>
  constant(tensor("float32", [rows, columns], Random.seeded(seed).normals(rows * columns)));
const number = (node: Node): number => numbers(node)[0]!;

/** Rows of a matrix, a matrix of rows, and the lengths of rows. */
const rowsOf = ({ shape, data }: { shape: readonly number[]; data: ArrayLike<number> }): number[][] =>
  Array.from({ length: shape[0]! }, (_, i) => Array.from(data).slice(i * shape[1]!, (i + 1) * shape[1]!));
const toValue = (rows: number[][]): Value => ({
  shape: [rows.length, rows[0]!.length],
  data: Float64Array.from(rows.flat()),
});
const lengths = (rows: number[][]): number[] => rows.map((row) => Math.hypot(...row));

describe("the layer is k-means:", () => {
  const [x, centers] = [normal(20, 3, 1), normal(4, 3, 2)];
  const { W, b } = layerOf(centers);
  const distances = squaredDistances(x, centers);
  /** −‖Wⱼ‖²/4 + Wⱼᵀx − β. */
  const coupled = subtract(
    subtract(matmul(x, W, { transposeB: true }), multiply(sum(square(W), { axes: [1] }), 0.25)),
    sum(square(x), { axes: [1], keep: true }),
  );

  it("T9–T11: with W and b coupled the loss is that of T3, for hard and for soft assignments", () => {
    const hard = number(withinLoss(nearest(distances), distances));
    expect(number(layerLoss(hardAssignment(coupled), x, W, b))).toBeCloseTo(hard, 10);
    for (const tau of [0.1, 1, 10]) {
      const soft = number(withinLoss(softAssignment(negate(distances), tau), distances));
      expect(number(layerLoss(softAssignment(coupled, tau), x, W, b))).toBeCloseTo(soft, 10);
      // −Σⱼ f(zⱼ), the mean over the 20 rows.
      expect(number(sum(softTerms(coupled, tau))) / 20).toBeCloseTo(soft, 10);
      expect(soft).toBeGreaterThan(hard);
    }
    expect(number(sum(softTerms(coupled, 1e-4))) / 20).toBeCloseTo(hard, 10);
  });

  it("T10: f(zⱼ) is softmaxⱼ(z/τ)·zⱼ, by hand", () => {
    // softmax(1, −1) = (1, e⁻²)/(1 + e⁻²), so that the sum is −tanh 1.
    expectClose(numbers(softTerms(matrix([1, -1]), 1)), [-0.88079708, 0.11920292], 1e-8);
    expect(number(sum(softTerms(matrix([1, -1]), 1)))).toBeCloseTo(-Math.tanh(1), 12);
    expect(number(sum(softTerms(matrix([2, -2]), 2)))).toBeCloseTo(-2 * Math.tanh(1), 12);
  });

  it("T10 and T11: coupled, the loss is never below 0; with b free it has no least", () => {
    expect(number(sum(softTerms(coupled, 1)))).toBeGreaterThan(0);
    for (const more of [10, 100, 1000]) {
      // A bias that is larger by that much lowers every term's −zⱼ by as much.
      const free = number(layerLoss(softAssignment(coupled, 1), x, W, subtract(b, -more)));
      expect(free).toBeCloseTo(number(layerLoss(softAssignment(coupled, 1), x, W, b)) - more, 8);
    }
  });

  it("T12: where ‖x‖ = 1 and ‖W‖ = 2 it is T9, and b and β are constants", () => {
    const [unitX, unitCenters] = [unitRows(x), unitRows(centers)];
    const layer = layerOf(unitCenters);
    const scores = matmul(unitX, layer.W, { transposeB: true });
    for (const I of [hardAssignment(scores), softAssignment(scores, 0.3)]) {
      expect(number(clusteringLoss(I, scores))).toBeCloseTo(number(layerLoss(I, unitX, layer.W, layer.b)), 10);
    }
    expectClose(numbers(subtract(2, scores)), numbers(distanceByLayer(unitX, layer.W, layer.b)), 1e-10);
    // With any other lengths it is not.
    const raw = matmul(x, W, { transposeB: true });
    const [simple, full] = [clusteringLoss(hardAssignment(raw), raw), layerLoss(hardAssignment(raw), x, W, b)];
    expect(Math.abs(number(simple) - number(full))).toBeGreaterThan(0.1);
  });
});

describe("the loss's derivative,", () => {
  it("TA3 and TA4: a term by hand, in W and in z", () => {
    // x = (1, 0), W = (2, 0) and (1, √3): Wᵀx − 2 = 0 and −1; for τ = ½, p = softmax(0, −2).
    const s = subtract(matmul(matrix([1, 0]), matrix([2, 0], [1, Math.sqrt(3)]), { transposeB: true }), 2);
    expectClose(numbers(softTerms(s, 0.5)), [0, 0.11920292], 1e-8);
    // −τ pᵢ zᵢ with z = (0, −2).
    expectClose(numbers(softTerms(multiply(matrix([0, -2]), 0.5), 0.5)), [0, 0.5 * 0.11920292 * 2], 1e-8);
  });

  it.each([0.05, 0.5, 1, 5])(
    "TA5 and TA6: in its own z it is τ(−p − pz + p²z), and at most τ(1 + 2|z|): τ = %d",
    (tau) => {
      const n = 500;
      const z = constant(tensor("float32", [n, 3], Random.seeded(4).uniforms(3 * n, -20, 20)));
      const first = sum(slice(softTerms(multiply(z, tau), tau), 1, 0, 1));
      const [slopes, values] = [gradient(first, [z])[0]!, z].map((node) => rowsOf(evaluate([node], new Map(), n)[0]!));
      const bounds = values!.map((row, i) => {
        const [own] = row as [number];
        const p = 1 / row.reduce((total, other) => total + Math.exp(other - own), 0);
        const expected = tau * (-p - p * own + p * p * own);
        expect(Math.abs(slopes![i]![0]! - expected)).toBeLessThan(1e-6 * tau * (1 + Math.abs(own)));
        return Math.abs(expected) / (tau * (1 + 2 * Math.abs(own)));
      });
      expect(Math.max(...bounds)).toBeLessThanOrEqual(1);
      // It is bounded because z is: the derivative itself grows with z.
      expect(Math.max(...slopes!.map(([slope]) => Math.abs(slope!)))).toBeGreaterThan(tau);
    },
  );

  it("TA6: as Theorem 1 has it, ‖∇L(W)‖ ≤ τ + 2τ max|z|, it is false for τ < 1", () => {
    const tau = 0.1;
    const x = [1, 0];
    const slopeAt = (W: Node): number => {
      const s = subtract(matmul(matrix(x), W, { transposeB: true }), 2);
      return Math.hypot(...numbers(gradient(sum(softTerms(s, tau)), [W])[0]!));
    };
    // Two equal centers have half of the row each, and −x/2 as their gradients.
    const [across, along] = [matrix([0, 2], [0, 2]), matrix([2, 0], [2, 0])];
    // In the text z = Wᵀx/τ, which is 0 here; in the appendix z = (Wᵀx − 2)/τ, which is 0 there: ε = τ both times.
    expect(slopeAt(across)).toBeCloseTo(Math.SQRT1_2, 6);
    expect(slopeAt(along)).toBeCloseTo(Math.SQRT1_2, 6);
    expect(slopeAt(along)).toBeGreaterThan(tau);
  });
});

/** TELL without a network on rows of length 1, one step at a time in float64. */
function centersOnly(points: number[][], clusters: number, settings: Record<string, unknown> = {}) {
  const x = input("x", ["n", points[0]!.length]);
  const job = plan(tell, toData(points), { clusters, profile: "paper", options: { network: "none", ...settings } });
  const { updates, loss } = formulate(job, 0).clustering.steps.centers!({
    x,
    rows: input("rows", ["n"], "int32"),
    label: input("label", ["n"]),
    pass: trainingPass(),
    learn: () => [],
    move: () => [],
    scheduled: () => constant(0),
  });
  const [W, next] = updates[0]!;
  return (at: number[][], batch = points): { loss: number; W: number[][] } => {
    const [before, after] = evaluate(
      [loss, next],
      new Map([[x as Node, toValue(batch)]]).set(W, toValue(at)),
      batch.length,
    );
    return { loss: before!.data[0]!, W: rowsOf(after!) };
  };
}

/** Directions, three around which rows gather or none, and first weights of length 2. */
const gathered = (n: number, deviation: number) => rowsOf(unitTensor(blobs(n, { deviation }).rows));
const scattered = (n: number, seed: number) =>
  rowsOf(unitTensor(tensor("float32", [n, 4], Random.seeded(seed).normals(4 * n))));
const twice = (rows: number[][]) => rows.map((row) => row.map((value) => 2 * value));
/** The angle between two rows. */
const turn = (a: number[], b: number[]): number => {
  const cosine = a.reduce((total, value, c) => total + value * b[c]!, 0) / (Math.hypot(...a) * Math.hypot(...b));
  return Math.acos(Math.min(1, cosine));
};

describe("a step of the centers:", () => {
  it("T16: without normalizations it is W − η∇L, by hand", () => {
    const rows = [
      [1, 0],
      [0.6, 0.8],
      [0, 1],
    ];
    const step = centersOnly(rows, 2, { step: 0.5, normalizeGradient: false, normalizeWeight: false });
    const { W, loss } = step([
      [2, 0],
      [0, 2],
    ]);
    // ∇L = −Σ of the cluster's rows: (1, 0), and (0.6, 0.8) + (0, 1).
    expectClose(W.flat(), [2.5, 0, 0.3, 2.9], 1e-12);
    expectClose([loss], [0.4 / 3], 1e-12);
  });

  it("T16: descend takes the step off the weights", () => {
    expect(numbers(descend(matrix([2, 0], [0, 2]), matrix([0.5, -1], [0, 2])))).toEqual([1.5, 1, 0, 0]);
  });

  it("the normalized gradient is a tenth of the weight, whatever the rows and the weight's length", () => {
    const rows = scattered(40, 3);
    const step = centersOnly(rows, 4, { normalizeWeight: false });
    let W = twice(scattered(4, 5));
    for (let t = 0; t < 10; t++) {
      const next = step(W).W;
      const moved = lengths(next.map((row, j) => row.map((value, c) => value - W[j]![c]!)));
      expectClose(
        moved.map((length, j) => length / Math.hypot(...W[j]!)),
        [0.1, 0.1, 0.1, 0.1],
        1e-7,
      );
      W = next;
    }
    expect(Math.max(...lengths(W))).toBeGreaterThan(2.1);
  });

  it.each([0.01, 0.1, 1, 10, 1000])("with both normalizations the full loss never rises, at step %d", (length) => {
    for (const seed of [1, 2, 3]) {
      const step = centersOnly(scattered(40, seed), 5, { step: length });
      let W = twice(scattered(5, seed + 10));
      const first = step(W).loss;
      let before = first;
      for (let t = 0; t < 15; t++) {
        const { loss, W: next } = step(W);
        expect(loss).toBeLessThanOrEqual(before + 1e-12);
        [before, W] = [loss, next];
      }
      expect(before).toBeLessThan(first);
    }
  });

  it("Fig. 2(a): with neither normalization the weights grow without end, and the loss falls below any bound", () => {
    const step = centersOnly(gathered(30, 0.05), 3, { normalizeGradient: false, normalizeWeight: false });
    let W = twice(gathered(3, 0.05));
    let before = Number.POSITIVE_INFINITY;
    for (let t = 0; t < 40; t++) {
      const { loss, W: next } = step(W);
      lengths(next).forEach((length, j) => {
        // About ten rows of length 1 in each cluster, all in much the same direction, and a tenth of their sum.
        expect(length - Math.hypot(...W[j]!)).toBeGreaterThan(0.9);
      });
      expect(loss).toBeLessThan(before - (t > 0 ? 0.9 : 0));
      [before, W] = [loss, next];
    }
    expect(before).toBeLessThan(-30);
  });

  it("Fig. 2(b) and (c): weight normalization alone lets centers jump, with both they turn by 5.7° at most", () => {
    const rows = gathered(120, 0.3);
    const batches = Array.from({ length: 4 }, (_, i) => rows.filter((_, at) => at % 4 === i));
    /** All turns of all centers in some epochs, from the best start there is. */
    const turns = (settings: Record<string, unknown>): number[] => {
      const step = centersOnly(rows, 3, settings);
      const start = kmeans(fromNumbers("float32", [120, 4], rows.flat()), 3, Random.seeded(1), { spherical: true });
      let W = twice(rowsOf(start.centers));
      return Array.from({ length: 5 }, () => batches)
        .flat()
        .flatMap((batch) => {
          const next = step(W, batch).W;
          expectClose(lengths(next), [2, 2, 2], 1e-9);
          const turned = next.map((row, j) => turn(row, W[j]!));
          W = next;
          return turned;
        });
    };
    const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    const [both, alone] = [turns({}), turns({ normalizeGradient: false })];
    expect(Math.max(...both)).toBeLessThan(Math.asin(0.1));
    // Ten rows of length 1 pull at a weight of length 2; with more rows in a batch, more.
    expect(Math.max(...alone)).toBeGreaterThan(2 * Math.max(...both));
    expect(mean(alone)).toBeGreaterThan(2 * mean(both));
  });

  it("Ω = W/2 stays where the rows of each cluster point, at any step length", () => {
    const rows = gathered(30, 0.03);
    const best = kmeans(fromNumbers("float32", [30, 4], rows.flat()), 3, Random.seeded(1), { spherical: true });
    const W = twice(rowsOf(best.centers));
    for (const length of [0.1, 1, 100]) {
      const next = centersOnly(rows, 3, { step: length })(W).W;
      for (const [j, row] of next.entries()) expect(turn(row, W[j]!)).toBeLessThan(1e-6);
    }
    // A center that points elsewhere does not stay.
    const tilted = W.map((row, j) => (j === 0 ? row.map((value, c) => value + 0.2 * (c - 1)) : row));
    expect(turn(centersOnly(rows, 3)(tilted).W[0]!, tilted[0]!)).toBeGreaterThan(1e-3);
  });

  it("a cluster without rows stays exactly where it is", () => {
    const rows = gathered(30, 0.03);
    const start = [[0, 0, -2, 0], ...twice(rows.slice(0, 2))];
    const step = centersOnly(rows, 3);
    let W = start;
    for (let t = 0; t < 5; t++) W = step(W).W;
    expect(W[0]).toEqual(start[0]);
    expect(W[1]).not.toEqual(start[1]);
  });
});

it("T12: through a whole training, at every step, ‖Wⱼ‖ = 2 and codes have length 1", async () => {
  const data = toData(blobs(24, { deviation: 0.2 }).rows);
  // One batch an epoch, so that each epoch is a step: of the centers, of the network, and so on.
  const options = { hidden: [8], latent: 3, batch: 24, start: "random", lambda: 1 };
  const restart = new Restart(plan(tell, data, { clusters: 3, profile: "paper", options }), 0, data, device);
  await restart.begin();
  let [centers, codes] = [rowsOf(await restart.centers()), rowsOf(await restart.codes(24))];
  for (let epoch = 0; epoch < 12; epoch++) {
    const { losses, sizes } = await restart.cluster(epoch);
    const [next, moved] = [rowsOf(await restart.centers()), rowsOf(await restart.codes(24))];
    expectClose(lengths(rowsOf((await restart.save()).get("W") as Tensor<"float32">)), [2, 2, 2], 1e-6);
    expectClose(lengths(next), [1, 1, 1], 1e-6);
    expectClose(lengths(moved), Array(24).fill(1), 1e-6);
    expect(losses.clustering).toBeGreaterThanOrEqual(0);
    expect(moved).not.toEqual(codes);
    next.forEach((row, j) => {
      const turned = turn(row, centers[j]!);
      // Centers with rows turn in the first kind of epoch, by 5.7° at most, and none does in the second.
      expect(turned).toBeLessThan(Math.asin(0.1) + 1e-3);
      if (epoch % 2 === 0 && sizes![j]! > 0) expect(turned).toBeGreaterThan(1e-4);
      if (epoch % 2 === 1) expect(row).toEqual(centers[j]);
    });
    [centers, codes] = [next, moved];
  }
  await restart.close();
});

describe("how near T steps come to the least loss", () => {
  const rows = gathered(30, 0.2);
  const own = matrix(...rows.map((_, i) => [0, 1, 2].map((j) => Number(i % 3 === j))));
  const x = matrix(...rows);
  const W = input("W", [3, 4]);
  const scores = matmul(x, W, { transposeB: true });
  const norm = (all: number[][]) => Math.hypot(...all.flat());
  const difference = (a: number[][], b: number[][]) => a.map((row, j) => row.map((value, c) => value - b[j]![c]!));
  /** ‖Wⱼ‖ ≤ 2, a convex set: longer ones are scaled back. */
  const within = (all: number[][]) => all.map((row) => row.map((value) => value * Math.min(1, 2 / Math.hypot(...row))));

  /** L, ∇L, and the step W − η∇L. */
  const formulas = (I: Node) => {
    const loss = clusteringLoss(I, scores);
    const [slope] = gradient(loss, [W]) as [Node];
    const eta = input("eta", []);
    return (at: number[][], length: (slope: number) => number) => {
      const given = new Map<Node, Value>([[W, toValue(at)]]);
      const [value, direction] = evaluate([loss, slope], given, 30);
      const taken = length(norm(rowsOf(direction!)));
      given.set(eta, { shape: [], data: Float64Array.of(taken) });
      const [next] = evaluate([descend(W, multiply(slope, eta))], given, 30);
      return { loss: value!.data[0]!, slope: rowsOf(direction!), eta: taken, W: within(rowsOf(next!)) };
    };
  };
  const fixed = formulas(own);
  const { slope } = fixed(twice(rows.slice(0, 3)), () => 0);
  const epsilon = norm(slope);
  /** With I fixed the loss is linear, and least where each Wⱼ points against its gradient. */
  const best = slope.map((row) => row.map((value) => (-2 * value) / Math.hypot(...row)));
  const least = fixed(best, () => 0).loss;
  const start = twice(scattered(3, 8));

  /** Gap and bound after each step. */
  function gaps(steps: number, length: (t: number, slope: number) => number) {
    let [at, lowest, sum, squares] = [start, Number.POSITIVE_INFINITY, 0, 0];
    return Array.from({ length: steps }, (_, t) => {
      const { loss, eta, W: next } = fixed(at, (slope) => length(t + 1, slope));
      lowest = Math.min(lowest, loss);
      [at, sum, squares] = [next, sum + eta, squares + eta * eta];
      const bound = (norm(difference(start, best)) ** 2 + epsilon ** 2 * squares) / (2 * sum);
      return { gap: lowest - least, bound };
    });
  }

  it.each([
    ["1", () => 1],
    ["10/t", (t: number) => 10 / t],
    ["1/√t", (t: number) => 1 / Math.sqrt(t)],
    ["5", () => 5],
  ])("T18: with I fixed it is within the bound after each step, for steps ηₜ = %s", (_name, length) => {
    const all = gaps(40, length);
    for (const { gap, bound } of all) expect(gap).toBeLessThanOrEqual(bound);
    // Standing still would not do: the bound falls below where it began.
    expect(all.at(-1)!.bound).toBeLessThan(all[0]!.gap);
  });

  it("T19: with steps of one factor η the bound goes to ηε²/2, and the gap is below it", () => {
    for (const eta of [0.5, 2]) {
      const radius = (eta * epsilon ** 2) / 2;
      const all = gaps(100, () => eta);
      const distance = norm(difference(start, best)) ** 2;
      for (const [t, { bound }] of all.entries())
        expect(bound).toBeCloseTo(radius + distance / (2 * eta * (t + 1)), 10);
      expect(all[0]!.gap).toBeGreaterThan(radius);
      expect(all.at(-1)!.gap).toBeLessThan(radius);
    }
  });

  it("T20: with steps of one length η the bound goes to ηε/2, and the gap is below it", () => {
    for (const eta of [0.5, 1]) {
      const radius = (eta * epsilon) / 2;
      const all = gaps(100, (_t, slope) => eta / slope);
      const distance = norm(difference(start, best)) ** 2;
      for (const [t, { bound }] of all.entries()) {
        expect(bound).toBeCloseTo(radius + (distance * epsilon) / (2 * eta * (t + 1)), 10);
      }
      expect(all[0]!.gap).toBeGreaterThan(radius);
      expect(all.at(-1)!.gap).toBeLessThan(radius);
    }
  });

  it("T18: says nothing of TELL's own loss, which is not convex and may end in a worse place", () => {
    // Pairs of directions at 0°, 40° and 180°; one center for the first two pairs, two for the last.
    const at = (degrees: number) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const points = [-2, 2, 38, 42, 178, 182].map(at);
    const step = centersOnly(points, 3);
    const [good, bad] = [[0, 40, 180].map(at), [20, 178, 182].map(at)].map(twice) as [number[][], number[][]];
    let W = bad;
    for (let t = 0; t < 50; t++) W = step(W).W;
    expectClose(W.flat(), bad.flat(), 1e-6);
    const gap = step(W).loss - step(good).loss;
    // Each center's gradient is at most the mean of rows of length 1, so that ε ≤ 1; T and η are ours to choose.
    const [eta, T] = [1e-3, 1e8];
    const bound = (norm(difference(bad, good)) ** 2 / (T * eta) + eta) / 2;
    expect(gap).toBeGreaterThan(bound);
  });
});
