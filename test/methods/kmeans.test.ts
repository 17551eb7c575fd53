import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { constant } from "../../src/graph/node.ts";
import { kmeans } from "../../src/methods/kmeans.ts";
import { lloyd } from "../../src/numerics/kmeans.ts";
import type { Tensor } from "../../src/tensor/tensor.ts";
import { plan } from "../../src/training/plan.ts";
import { Restart } from "../../src/training/restart.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { matrix } from "../support/matrix.ts";
import { evaluate } from "../support/oracle.ts";

const device = await findDevice(devices, "cpu");

/** The method at work on rows, each epoch one pass over all of them. */
async function begun(rows: Tensor, options: Record<string, unknown>): Promise<Restart> {
  const data = toData(rows);
  const restart = new Restart(plan(kmeans, data, { clusters: 3, options }), 0, data, device);
  await restart.begin();
  return restart;
}

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

  it("a center without rows stays exactly where it is, unless it is to be put elsewhere", async () => {
    const { rows } = blobs(30);
    const restart = await begun(rows, { refill: false });
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
