import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, type Node } from "../../src/graph/node.ts";
import { followMeans, kmeans, meansOf, withinLoss } from "../../src/methods/kmeans.ts";
import { nearest, squaredDistances } from "../../src/nn/distances.ts";
import { lloyd } from "../../src/numerics/kmeans.ts";
import { fromNumbers, type Tensor } from "../../src/tensor/tensor.ts";
import { plan } from "../../src/training/plan.ts";
import { Restart } from "../../src/training/restart.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { matrix, numbers } from "../support/matrix.ts";
import { evaluate } from "../support/oracle.ts";

const device = await findDevice(devices, "cpu");

const vector = (...values: number[]) => constant(fromNumbers("float32", [values.length], values));

/** The method at work on rows, each epoch one pass over all of them. */
async function begun(rows: Tensor, options: Record<string, unknown>): Promise<Restart> {
  const data = toData(rows);
  const restart = new Restart(plan(kmeans, data, { clusters: 3, options }), 0, data, device);
  await restart.begin();
  return restart;
}

describe("by hand, four rows and two centers:", () => {
  const x = matrix([0, 0], [2, 0], [10, 0], [10, 4]);
  const centers = matrix([1, 0], [10, 2]);
  const distances = squaredDistances(x, centers);
  /** Each row to the cluster that a digit names. */
  const partition = (digits: string) => matrix(...[...digits].map((j) => (j === "0" ? [1, 0] : [0, 1])));

  it("T1, T3, K2 and K4: the loss is the mean squared distance of a row from its own center", () => {
    // 1 and 1 to the first center, 4 and 4 to the second.
    expect(numbers(withinLoss(partition("0011"), distances))).toEqual([10 / 4]);
    // The last row in the wrong cluster: (10 − 1)² + 4² = 97 instead of 4.
    expect(numbers(withinLoss(partition("0010"), distances))).toEqual([103 / 4]);
  });

  it("T1 and T3: of all 16 partitions, the nearest center has the least loss", () => {
    const [least] = numbers(withinLoss(nearest(distances), distances));
    const all = Array.from({ length: 16 }, (_, s) => s.toString(2).padStart(4, "0"));
    const losses = all.map((digits) => numbers(withinLoss(partition(digits), distances))[0]!);
    expect(losses.filter((loss) => loss <= least!)).toEqual([least]);
    expect(all[losses.indexOf(least!)]).toBe("0011");
  });

  it("T2 and K3: a center is the mean of its rows, and without rows it stays", () => {
    const total = matrix([12, 3], [0, 0], [-4, 2]);
    const means = meansOf(total, vector(3, 0, 2), matrix([9, 9], [7, -7], [9, 9]));
    expect(numbers(means)).toEqual([4, 1, 7, -7, -2, 1]);
  });

  it("T2 and K3: at the means the loss has no slope, anywhere else it has", () => {
    const slopeAt = (omega: Node) =>
      numbers(gradient(withinLoss(partition("0011"), squaredDistances(x, omega)), [omega])[0]!);
    expect(slopeAt(matrix([1, 0], [10, 2]))).toEqual([0, 0, 0, 0]);
    // −(2/4) Σ (x − Ω): the second center is 1 too far right.
    expect(slopeAt(matrix([1, 0], [11, 2]))).toEqual([0, 0, 1, 0]);
  });

  it("a running mean is the mean of all rows so far, and without new rows it stays", () => {
    // The first center is the mean 2 of 3 rows; 4 and 6 come: (3·2 + 4 + 6)/5. The second has had 4 rows, the third none, ever.
    const next = followMeans(matrix([10], [0], [0]), vector(2, 0, 0), vector(5, 4, 0), matrix([2], [5], [-1]));
    expectClose(numbers(next), [3.2, 5, -1], 1e-6);
  });
});

describe("in training,", () => {
  it("an epoch is an iteration of Lloyd's algorithm, whatever the batches, and its loss never rises", async () => {
    const { rows } = blobs(60, { deviation: 0.3 });
    const restart = await begun(rows, { batch: 17, start: "rows" });
    const start = await restart.centers();
    let before = Number.POSITIVE_INFINITY;
    for (let epoch = 0; epoch < 4; epoch++) {
      const { losses } = await restart.cluster(epoch);
      const expected = lloyd(rows, start, { iterations: epoch + 1 });
      expectClose((await restart.centers()).data, expected.centers.data, 1e-5);
      expect(losses.loss).toBeLessThan(before + 1e-6);
      before = losses.loss!;
    }
    expect((await restart.centers()).data).not.toEqual(start.data);
    await restart.close();
  });

  it("with mini-batches, centers are the means of all rows that they have been given", async () => {
    const { rows, labels } = blobs(60);
    const restart = await begun(rows, { batch: 10, miniBatch: true });
    for (let epoch = 0; epoch < 2; epoch++) await restart.cluster(epoch);
    // Blobs that lie apart never lose a row to each other, so that two epochs give every row twice.
    const centers = (await restart.centers()).data;
    const found = await restart.labels();
    for (let blob = 0; blob < 3; blob++) {
      const mean = [0, 1, 2, 3].map((c) => {
        const values = [...labels].flatMap((label, i) => (label === blob ? [rows.data[4 * i + c]!] : []));
        return values.reduce((a, b) => a + b, 0) / values.length;
      });
      expectClose(centers.slice(4 * found[blob]!, 4 * found[blob]! + 4), mean, 1e-5);
    }
    expect([...(await restart.save()).get("centers.counts")!.data]).toEqual([40, 40, 40]);
    await restart.close();
  });

  it("spherical centers have length 1, and only directions count", async () => {
    const { rows } = blobs(60);
    const stretched = { ...rows, data: rows.data.map((value, at) => value * (1 + (Math.floor(at / 4) % 7))) };
    const [one, other] = [await begun(rows, { spherical: true }), await begun(stretched, { spherical: true })];
    for (const restart of [one, other]) await restart.cluster(0);
    const { data } = await one.centers();
    for (let j = 0; j < 3; j++) expect(Math.hypot(...data.slice(4 * j, 4 * j + 4))).toBeCloseTo(1, 6);
    expectClose((await other.centers()).data, data, 1e-5);
    expect([...(await other.labels())]).toEqual([...(await one.labels())]);
    await one.close();
    await other.close();
  });

  it("a center without rows stays exactly where it is", async () => {
    const { rows } = blobs(30);
    const restart = await begun(rows, {});
    const centers = await restart.centers();
    const far = { ...centers, data: centers.data.map((value, at) => (at < 4 ? 100.1 + at : value)) };
    await restart.load(new Map([["centers", far]]));
    for (let epoch = 0; epoch < 3; epoch++) {
      const { sizes } = await restart.cluster(epoch);
      expect(sizes![0]).toBe(0);
    }
    expect([...(await restart.centers()).data.slice(0, 4)]).toEqual([...far.data.slice(0, 4)]);
    await restart.close();
  });

  it("a stream moves a center its share of the way to the mean of its new rows", () => {
    const data = toData([[0], [10]]);
    const job = plan(kmeans, data, { clusters: 2 });
    const restart = new Restart(job, 0, data, device);
    const { clustering } = restart.formulas;
    const { updates, loss } = clustering.follow(matrix([1], [3], [10]), constant(0.25));
    const at = new Map([[clustering.centers, { shape: [2, 1], data: Float64Array.of(0, 10) }]]);
    const [centers, value] = evaluate([updates[0]![1], loss], at, 3);
    // Rows 1 and 3 have the mean 2, a quarter of the way is 0.5; the other center is where its row is.
    expectClose(centers!.data, [0.5, 10], 1e-12);
    expectClose(value!.data, [10 / 3], 1e-12);
  });
});
