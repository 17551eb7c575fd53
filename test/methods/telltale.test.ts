import { describe, expect, it } from "vitest";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input } from "../../src/graph/node.ts";
import { crossEntropy, meansOfTaught, steady, taughtAs, telltale } from "../../src/methods/telltale.ts";
import { metrics } from "../../src/metrics/index.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, tensor } from "../../src/tensor/tensor.ts";
import type { Checkpoint } from "../../src/training/job.ts";
import { blobs, tiny } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { fitOn, trainBy } from "../support/fit.ts";
import { numbers } from "../support/matrix.ts";
import { evaluate } from "../support/oracle.ts";

const device = await findDevice(devices, "cpu");
const fit = fitOn(devices);
const easy = blobs();
const matrix = (...values: number[][]) =>
  constant(fromNumbers("float32", [values.length, values[0]!.length], values.flat()));
const list = (...values: number[]) => constant(fromNumbers("float32", [values.length], values));

describe("by hand", () => {
  it("a label is 1 in its own column, and −1 is nothing at all", () => {
    expect(numbers(taughtAs(list(1, -1, 0), 3))).toEqual([0, 1, 0, 0, 0, 0, 1, 0, 0]);
  });

  it("the cross-entropy is the mean surprise over the rows that are taught", () => {
    const y = taughtAs(list(0, -1, 1), 2);
    const d = matrix([1, 3], [5, 5], [4, 0]);
    // softmax(−d/2): 1/(1 + e⁻¹) for the first, 1/(1 + e⁻²) for the third; the second is not taught.
    const expected = (Math.log(1 + Math.exp(-1)) + Math.log(1 + Math.exp(-2))) / 2;
    expectClose(numbers(crossEntropy(y, d, 2)), [expected], 1e-6);
    expectClose(numbers(crossEntropy(taughtAs(list(-1, -1, -1), 2), d, 2)), [0], 1e-12);
  });

  it("its gradient is that of finite differences", () => {
    const d = input("d", [2, 3]);
    const loss = crossEntropy(taughtAs(list(2, 0), 3), d, 0.7);
    const [slope] = gradient(loss, [d]);
    const at = [0.3, 1.2, 0.8, 0.1, 0.5, 0.9];
    const given = (data: number[]) => new Map([[d, { shape: [2, 3], data: Float64Array.from(data) }]]);
    const value = (data: number[]): number => evaluate([loss], given(data), 2)[0]!.data[0]!;
    const found = evaluate([slope!], given(at), 2)[0]!;
    const numeric = at.map((_, i) => {
      const moved = (by: number) => at.map((each, j) => (i === j ? each + by : each));
      return (value(moved(1e-5)) - value(moved(-1e-5))) / 2e-5;
    });
    expectClose([...found.data], numeric, 1e-8);
  });

  it("of a stream, a center follows a batch by how many of its rows are there", () => {
    expectClose(numbers(steady(list(0, 64, 192))), [0, 0.5, 0.75], 1e-6);
  });

  it("centers begin as the means of what they are taught; one without rows keeps what it has", () => {
    const codes = fromNumbers("float32", [4, 2], [0, 0, 2, 4, 9, 9, 5, 5]);
    const before = fromNumbers("float32", [3, 2], [7, 7, 7, 7, 7, 7]);
    expect([...meansOfTaught(codes, Int32Array.of(0, 0, -1, 2), before).data]).toEqual([1, 2, 7, 7, 5, 5]);
  });
});

describe("a student", () => {
  const settings = { method: telltale, device, ...tiny, pretraining: 30, epochs: 12 };

  it.each(["unit", "linear"])("repeats the labels that it is taught, with codes that are %s", async (code) => {
    // Not the blobs themselves: two of them together, which no k-means would find.
    const teacher = Array.from(easy.labels, (label) => (label === 0 ? "one" : "others"));
    const model = await fit(easy.rows, { ...settings, code, teacher });
    const { taught } = model.fit;
    expect(taught).toMatchObject({ teacher: "yours", names: ["one", "others"], rows: 108 });
    expect(taught!.agreement).toBe(1);
    expect(taught!.held!.agreement).toBe(1);
    expect(Array.from(model.labels, (label) => taught!.names![label])).toEqual(teacher);
  });

  it("has centers that are the means of their members, and exemplars that are their own", async () => {
    const model = await fit(easy.rows, { ...settings, clusters: 3, pretraining: 200, epochs: 40 });
    expect(metrics.accuracy.score(easy.labels, model.labels)).toBe(1);
    expect(model.fit.taught!.centers).toBe("means");
    const exemplars = (await model.exemplars())!;
    expect([...(await model.predict(exemplars))]).toEqual([0, 1, 2]);
  });

  it("that follows a stream which does not drift stays what it was", async () => {
    const model = await fit(easy.rows, { ...settings, clusters: 3 });
    const before = [...model.labels];
    for (let i = 0; i < 5; i++) await model.partialFit(easy.rows);
    expect([...(await model.predict(easy.rows))]).toEqual(before);
  });

  it("has a third pretraining where two of wide rows do not agree, and goes on in its middle to the same bits", async () => {
    const strange = tensor("float32", [90, 101], Random.seeded(4).normals(90 * 101));
    const taken: Checkpoint[] = [];
    const said = { device, clusters: 2, options: { hidden: [8], pretraining: 4, epochs: 1 } };
    const trained = async (more: object): Promise<[number[], number[]]> => {
      const training = trainBy(strange, telltale, { ...said, ...more });
      const restarts = new Set<number>();
      for (;;) {
        const step = await training.next();
        if (step.done) return [[...restarts], [...step.value.labels]];
        if (step.value.phase === "pretraining") restarts.add(step.value.restart);
      }
    };
    const [restarts, labels] = await trained({
      onCheckpoint: async (take: () => Promise<Checkpoint>) => void taken.push(await take()),
    });
    expect(restarts).toEqual([0, 1, 2]);
    const middle = taken.find(({ restart, phase, epoch }) => restart === 2 && phase === "pretraining" && epoch === 1)!;
    expect(await trained({ resume: middle })).toEqual([[2], labels]);
    expect((await trained({ options: { ...said.options, effort: "quick" } }))[0], "quick has one").toEqual([0]);
  });

  it("whose teachers are killed at their work has them chosen and learns from them again, to the same bits", async () => {
    const taken: Checkpoint[] = [];
    const said = { device, clusters: 3, options: { ...tiny, plain: false, pretraining: 6, epochs: 2, restarts: 2 } };
    const trained = async (more: object) => {
      const training = trainBy(easy.rows, telltale, { ...said, ...more });
      for (;;) {
        const step = await training.next();
        if (!step.done) continue;
        const { labels, taught, state } = step.value;
        return { labels, taught, state };
      }
    };
    const whole = await trained({
      onCheckpoint: async (take: () => Promise<Checkpoint>) => void taken.push(await take()),
    });
    expect(whole.taught!.reason).toMatch(/neighbours share a cluster/);
    expect(whole.state.size).toBeGreaterThan(4);
    // What a process finds that was killed between the last pretraining and the first lesson.
    const last = taken.findLast(({ phase }) => phase === "pretraining")!;
    expect(last.restart).toBe(1);
    expect(await trained({ resume: last })).toEqual(whole);
  });

  it("with a teacher of one's own is told k by it, and no other method is taught", async () => {
    const teacher = Array.from(easy.labels, String);
    await expect(fit(easy.rows, { ...settings, clusters: 3, teacher }).then()).rejects.toThrow(
      "a teacher of your own has 3 clusters, so that clusters must not be said, got 3",
    );
    await expect(fit(easy.rows, { method: "kmeans", device, teacher }).then()).rejects.toThrow(
      "takes no teacher; the method that learns from one is telltale",
    );
    await expect(fit(easy.rows, { ...settings, teacher: ["a"] }).then()).rejects.toThrow(
      "one label per row, got 1 for 120",
    );
  });
});
