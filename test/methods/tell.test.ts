import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { add, negate, subtract } from "../../src/graph/elementwise.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node } from "../../src/graph/node.ts";
import { matmul } from "../../src/graph/products.ts";
import { sum } from "../../src/graph/reduce.ts";
import {
  clusteringLoss,
  hardAssignment,
  jointLoss,
  jointSums,
  layerScores,
  normalizedGradient,
  renormalized,
  softAssignment,
  summedLoss,
  tell,
  unitDistances,
  weightsOf,
} from "../../src/methods/tell.ts";
import { metrics } from "../../src/metrics/index.ts";
import { trainingPass } from "../../src/nn/layers.ts";
import { meanSquaredError } from "../../src/nn/losses.ts";
import { fromNumbers, type Tensor } from "../../src/tensor/tensor.ts";
import { buildNetwork } from "../../src/training/network.ts";
import { formulate, plan } from "../../src/training/plan.ts";
import { Restart } from "../../src/training/restart.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { numbers } from "../support/matrix.ts";
import { evaluate } from "../support/oracle.ts";
import { distanceByLayer, layerLoss, layerOf } from "./theory/tell.ts";

const device = await findDevice(devices, "cpu");
const { rows } = blobs(30);
const data = toData(rows);

const matrix = (...values: number[][]) =>
  constant(fromNumbers("float32", [values.length, values[0]!.length], values.flat()));

describe("by hand, centers (3, 4) and (1, 0), and the row (1, 2):", () => {
  const x = matrix([1, 2]);
  const centers = matrix([3, 4], [1, 0]);
  const { W, b } = layerOf(centers);
  const scores = add(matmul(x, W, { transposeB: true }), b);

  it("T5: the layer's weights are 2Ω, its biases −‖Ω‖²", () => {
    expect(numbers(W)).toEqual([6, 8, 2, 0]);
    expect(numbers(b)).toEqual([-25, -1]);
    expect([...weightsOf(fromNumbers("float32", [2, 2], [3, 4, 1, 0])).data]).toEqual([6, 8, 2, 0]);
  });

  it("T4 and T6: β − Wᵀx − b is the squared distance", () => {
    // (3 − 1)² + (4 − 2)² and (1 − 1)² + (0 − 2)²
    expect(numbers(distanceByLayer(x, W, b))).toEqual([8, 4]);
  });

  it("T7 and T8: the softmax of distances is that of scores, and β cancels", () => {
    // e⁻⁴ and e⁻² for τ = 2: in parts, 1/(1 + e²) and e²/(1 + e²).
    const expected = [0.11920292, 0.88079708];
    expectClose(numbers(softAssignment(negate(distanceByLayer(x, W, b)), 2)), expected, 1e-8);
    expectClose(numbers(softAssignment(subtract(scores, 5), 2)), expected, 1e-8);
    expectClose(numbers(softAssignment(scores, 2)), expected, 1e-8);
  });

  it("T7: with τ → 0 only the nearest remains, with τ → ∞ all are equal", () => {
    expectClose(numbers(softAssignment(scores, 1e-3)), [0, 1], 1e-12);
    expectClose(numbers(softAssignment(scores, 1e9)), [0.5, 0.5], 1e-8);
    expect(numbers(hardAssignment(scores))).toEqual([0, 1]);
  });

  it("T9: the loss weighs each distance with its assignment", () => {
    const soft = 0.11920292 * 8 + 0.88079708 * 4;
    expectClose(numbers(layerLoss(softAssignment(scores, 2), x, W, b)), [soft], 1e-7);
    expect(numbers(layerLoss(hardAssignment(scores), x, W, b))).toEqual([4]);
  });
});

describe("by hand, rows and centers of length 1:", () => {
  const x = matrix([1, 0], [0.6, 0.8]);
  const W = matrix([2, 0], [0, 2]);
  const scores = layerScores(x, W);

  it("T12: 2 − Wᵀx is the squared distance, and that of the own center, the mean over rows, the loss", () => {
    // ‖(0.6, 0.8) − (1, 0)‖² = 0.16 + 0.64 and ‖(0.6, 0.8) − (0, 1)‖² = 0.36 + 0.04.
    expectClose(numbers(unitDistances(scores)), [0, 2, 0.8, 0.4], 1e-7);
    expectClose(numbers(clusteringLoss(hardAssignment(scores), scores)), [0.4 / 2], 1e-7);
    // The other way round: 2 − 0 and 2 − 1.2.
    expectClose(numbers(clusteringLoss(matrix([0, 1], [1, 0]), scores)), [2.8 / 2], 1e-7);
  });

  it("T13: what moves the centers is the sum over rows, so that two rows pull twice as hard as one", () => {
    expectClose(numbers(summedLoss(hardAssignment(scores), scores)), [0.4], 1e-7);
    const slope = (rows: Node): number[] => {
      const all = layerScores(rows, W);
      return numbers(gradient(summedLoss(hardAssignment(all), all), [W])[0]!);
    };
    // −Σ of the rows of each center.
    expectClose(slope(x), [-1, 0, -0.6, -0.8], 1e-7);
    expectClose(slope(matrix([1, 0], [1, 0])), [-2, 0, 0, 0], 1e-7);
  });

  it("the hard assignment goes to the largest score, of equals to the first, and no gradient passes it", () => {
    const tied = matrix([1, 3, 3], [-2, -5, -2]);
    expect(numbers(hardAssignment(tied))).toEqual([0, 1, 0, 1, 0, 0]);
    expect(numbers(gradient(sum(hardAssignment(tied)), [tied])[0]!)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("a row of the gradient gets a tenth of its weight's length, and a row of zeros stays so", () => {
    const g = normalizedGradient(matrix([30, 40], [0, 0], [-1e-4, 0]), matrix([0, 2], [2, 0], [3, 4]), 0.1);
    expectClose(numbers(g), [0.12, 0.16, 0, 0, -0.5, 0], 1e-7);
  });

  it("a weight gets the length 2", () => {
    expectClose(numbers(renormalized(matrix([3, 4], [0, -0.5]))), [1.2, 1.6, 0, -2], 1e-12);
  });

  it("T15: λ weighs means over x's elements and over rows and clusters, which in sums is λ·D/K", () => {
    expectClose(numbers(jointLoss(constant(0.3), constant(0.2), 0.01, 4)), [0.3005], 1e-7);
    const [xHat, D, K, N, lambda] = [matrix([1, 0.5], [0, 0]), 2, 2, 2, 0.01];
    const [clustering] = numbers(clusteringLoss(hardAssignment(scores), scores));
    // Σ‖x − x̂‖² = 0.25 + 1, Σ of the clustering losses = 0.4.
    const sums = 1.25 + ((lambda * D) / K) * 0.4;
    const loss = jointLoss(meanSquaredError(xHat, x), constant(clustering!), lambda, K);
    expectClose(numbers(loss), [sums / (N * D)], 1e-7);
  });

  it("T15: in the sums of the text λ alone weighs a row's two losses, which is K/D of the pull", () => {
    // ‖x − x̂‖² = 784 · 0.3, and 0.01 of the clustering loss.
    expectClose(numbers(jointSums(constant(0.3), constant(0.2), 0.01, 784)), [235.202], 1e-4);
    const pull = (loss: (clustering: Node) => Node): number => {
      const [one, two] = [1, 2].map((clustering) => numbers(loss(constant(clustering)))[0]!) as [number, number];
      return two - one;
    };
    const means = pull((clustering) => jointLoss(constant(0), clustering, 0.01, 10));
    const sums = pull((clustering) => jointSums(constant(0), clustering, 0.01, 784)) / 784;
    expect(means / sums).toBeCloseTo(78.4, 4);
  });
});

const options = { hidden: [8], latent: 3, batch: 30 };

/** A training step's formulas, with a `learn` that does nothing. */
const idle = {
  x: input("x", ["n", 4]),
  rows: input("rows", ["n"], "int32"),
  label: input("label", ["n"]),
  pass: trainingPass(),
  learn: () => [],
  move: () => [],
  scheduled: () => constant(0),
};

it("T14: in both kinds of epoch the decoder gets codes of length 1", () => {
  const decoded: Node[] = [];
  const job = plan(tell, data, { clusters: 3, profile: "paper", options });
  const { clustering } = formulate(
    {
      ...job,
      network(_row, random) {
        const network = buildNetwork(job.options, job, random);
        return {
          ...network,
          decode(z, pass) {
            decoded.push(z);
            return network.decode(z, pass);
          },
        };
      },
    },
    0,
  );
  for (const step of Object.values(clustering.steps)) step(idle);
  expect(decoded).toHaveLength(2);
  const given = new Map([[idle.x, { shape: [30, 4], data: Float64Array.from(rows.data) }]]);
  for (const { shape, data } of evaluate(decoded, given, 30)) {
    expect(shape).toEqual([30, 3]);
    for (let i = 0; i < 30; i++) expect(Math.hypot(...data.slice(3 * i, 3 * i + 3))).toBeCloseTo(1, 12);
  }
});

describe("with neighbours,", () => {
  it.each(["hard", "soft"])(
    "rows are led by votes that are taken once, %s as the assignment is",
    async (assignment) => {
      const { rows, labels } = blobs(60, { deviation: 0.1 });
      const data = toData(rows);
      const options = { network: "none", assignment, neighbours: 5, rounds: 3, tau: 0.5, batch: 20 };
      const restart = new Restart(plan(tell, data, { clusters: 3, options }), 0, data, device);
      await restart.begin();
      await restart.cluster(0);
      const votes = (await restart.save()).get("votes")!.data as Float32Array;
      await restart.cluster(1);
      expect((await restart.save()).get("votes")!.data).toEqual(votes);
      const largest = Array.from({ length: 60 }, (_, i) => {
        const row = votes.subarray(3 * i, 3 * i + 3);
        expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
        return row.indexOf(Math.max(...row));
      });
      expect(metrics.accuracy.score(labels, largest)).toBe(1);
      expect(votes.every((vote) => vote === 0 || vote === 1)).toBe(assignment === "hard");
      await restart.close();
    },
  );
});

describe("in training,", () => {
  /** W and the encoder's first weights after each of the first epochs. */
  async function training(settings: Record<string, unknown>, epochs: number) {
    const restart = new Restart(
      plan(tell, data, { clusters: 3, profile: "paper", options: { ...options, ...settings } }),
      0,
      data,
      device,
    );
    await restart.begin();
    const seen = [await pick(restart)];
    for (let epoch = 0; epoch < epochs; epoch++) {
      await restart.cluster(epoch);
      seen.push(await pick(restart));
    }
    await restart.close();
    return seen;
  }

  async function pick(restart: Restart) {
    const state = await restart.save();
    const of = (name: string) => [...(state.get(name) as Tensor<"float32">).data];
    return { W: of("W"), encoder: of("encoder.0.weight"), decoder: of("decoder.0.weight") };
  }

  it("T15: the clustering loss moves centers in one epoch and the network in the next, never both", async () => {
    const [weak, strong] = [await training({ lambda: 0.01 }, 2), await training({ lambda: 10 }, 2)];
    // First the centers: λ is not in it, so that the network learns reconstruction alone.
    expect(weak[1]!.W).not.toEqual(weak[0]!.W);
    expect(weak[1]!.encoder).not.toEqual(weak[0]!.encoder);
    expect(weak[1]).toEqual(strong[1]);
    // Then the network, by both losses, while the centers stay.
    expect(weak[2]!.W).toEqual(weak[1]!.W);
    expect(weak[2]!.encoder).not.toEqual(strong[2]!.encoder);
    // What decodes has no part in the clustering loss.
    expect(weak[2]!.decoder).toEqual(strong[2]!.decoder);
  });

  it("in two stages the network stays as it is, and centers move in every epoch", async () => {
    const seen = await training({ twoStage: true, start: "rows" }, 3);
    for (let epoch = 1; epoch <= 3; epoch++) {
      expect(seen[epoch]!.W).not.toEqual(seen[epoch - 1]!.W);
      expect(seen[epoch]!.encoder).toEqual(seen[0]!.encoder);
    }
  });

  it("centers that step through the optimizer have length 1 after it as well", async () => {
    const seen = await training({ centerStep: "optimizer" }, 3);
    for (const { W } of seen) {
      for (let j = 0; j < 3; j++) expect(Math.hypot(...W.slice(3 * j, 3 * j + 3))).toBeCloseTo(2, 5);
    }
    expect(seen[1]!.W).not.toEqual(seen[0]!.W);
  });

  it("a stream moves centers towards its rows, as far as the rate says, with length 1", () => {
    const { clustering } = formulate(
      plan(tell, toData([[1, 0]]), { clusters: 1, profile: "paper", options: { network: "none" } }),
      0,
    );
    const { updates, loss } = clustering.follow(matrix([0, 1]), constant(0.25));
    const [W, next] = updates[0]!;
    const [value, lossValue] = evaluate(
      [next, loss],
      new Map([[W, { shape: [1, 2], data: Float64Array.of(2, 0) }]]),
      1,
    );
    // (2, 0) + a quarter of its length along (0, 1) is (2, 0.5), then scaled to 2.
    const long = Math.hypot(2, 0.5);
    expectClose(value!.data, [4 / long, 1 / long], 1e-12);
    expect(lossValue!.data[0]).toBe(2);
  });
});
