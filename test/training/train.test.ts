/** The loop: what it decides, what it reports, and what it leaves alone. */

import { describe, expect, it } from "vitest";
import type { Data } from "../../src/data/data.ts";
import { inMemory, toData } from "../../src/data/data.ts";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { methods } from "../../src/methods/index.ts";
import { methodOf } from "../../src/methods/methodOf.ts";
import { Random } from "../../src/tensor/random.ts";
import { type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { type Epoch, noticesAbout } from "../../src/training/epoch.ts";
import type { Checkpoint, Fit } from "../../src/training/job.ts";
import type { Method } from "../../src/training/method.ts";
import { pretrainingOptions, sharedOptions } from "../../src/training/sharedOptions.ts";
import { blobs, tiny } from "../support/blobs.ts";
import { trainBy } from "../support/fit.ts";

const device = await findDevice(devices, "cpu");
const easy = blobs();

interface Trained {
  readonly epochs: readonly Epoch[];
  readonly fit: Fit;
}

async function trained(
  method: string,
  {
    options = {},
    rows = easy.rows,
    ...more
  }: Partial<Omit<Parameters<typeof trainBy>[2], "rows">> & { rows?: Tensor | Data } = {},
): Promise<Trained> {
  const epochs: Epoch[] = [];
  const settings = { clusters: 3, device, ...more, options: { ...tiny, ...options } };
  const training = trainBy(rows, methodOf(method), settings);
  let step = await training.next();
  while (!step.done) {
    epochs.push(step.value);
    step = await training.next();
  }
  return { epochs, fit: step.value };
}

const weights = ({ fit }: Trained) => [...fit.state].map(([name, { data }]) => [name, [...(data as Float32Array)]]);

describe("pretraining", () => {
  it("gives every method the same weights and the same batches for the same seed", async () => {
    const losses = async (method: string) => {
      const { epochs } = await trained(method, { options: { epochs: 0 } });
      return epochs.filter(({ phase }) => phase === "pretraining").map((epoch) => epoch.losses.loss);
    };
    const plain = { aekm: await losses("aekm"), dcn: await losses("dcn"), idec: await losses("idec") };
    expect(plain.aekm).not.toEqual(plain.dcn); // aekm's codes have length 1
    expect(plain.idec).toEqual(plain.dcn);
    expect(plain.idec.at(-1)!).toBeLessThan(plain.idec[0]!);
  });

  // Whatever a method's own choice of codes and losses is: with the same options for pretraining, the same bits.
  const same = Object.fromEntries(
    pretrainingOptions.flatMap((name) => (name in tiny ? [] : [[name, sharedOptions[name].fallback]])),
  );
  const [first, ...others] = Object.values<Method>(methods)
    .filter(({ name }) => name !== "kmeans")
    .map(({ name }) => name);
  it.each(others)(
    `gives %s, with the same options, the very bits of ${first}, and either takes the other's`,
    async (name) => {
      const settings = { keepPretrained: true, options: { ...same, pretraining: 3, epochs: 1 } };
      const [one, other] = [await trained(first!, settings), await trained(name, settings)];
      expect(other.fit.pretrained).toEqual(one.fit.pretrained);
      const reused = await trained(name, { ...settings, pretrained: one.fit.pretrained! });
      expect(weights(reused)).toEqual(weights(other));
    },
  );

  it("can be reused, and gives what it would have given", async () => {
    const own = await trained("dkm-p", { keepPretrained: true });
    const reused = await trained("dkm-p", { pretrained: own.fit.pretrained! });
    expect(reused.epochs.every(({ phase }) => phase === "clustering")).toBe(true);
    expect(weights(reused)).toEqual(weights(own));
  });

  it.each(["adadelta", "sgd"])("is made by %s where it is told to", async (pretrainingOptimizer) => {
    const rate = { adadelta: 1, sgd: 0.1 }[pretrainingOptimizer]!;
    const options = { pretrainingOptimizer, pretrainingRate: rate, momentum: 0.9, weightDecay: 1e-6 };
    const { epochs, ...own } = await trained("aekm", { options });
    const losses = epochs.filter(({ phase }) => phase === "pretraining").map(({ losses }) => losses.loss!);
    expect(losses.at(-1)!).toBeLessThan(losses[0]!);
    expect(weights({ epochs, ...own })).not.toEqual(weights(await trained("aekm")));
  });

  it.each(["corruption", "pretrainingNoise"])("learns from rows with %s where it is told to", async (kind) => {
    const clean = await trained("aekm");
    const noisy = await trained("aekm", { options: { [kind]: 0.3 } });
    expect(weights(noisy)).not.toEqual(weights(clean));
    // What it learns from is spoiled, not what it learns: the loss of the last epoch is the larger one.
    const loss = ({ epochs }: Awaited<ReturnType<typeof trained>>) =>
      epochs.findLast(({ phase }) => phase === "pretraining")!.losses.loss!;
    expect(loss(noisy)).toBeGreaterThan(loss(clean));
  });
});

describe("the end of a training", () => {
  it("comes when hardly any label changes", async () => {
    const { fit } = await trained("idec", { options: { epochs: 50, labelChange: 0.01 } });
    expect(fit.stopped).toBe("labels stay");
    expect(fit.history.at(-1)!.changed).toBeLessThanOrEqual(0.01);
    expect(fit.history.at(-1)!.epoch).toBeLessThan(50);
  });

  it("comes when the loss stays", async () => {
    const { fit } = await trained("kmeans", { options: { epochs: 50, lossChange: 1e-6 } });
    expect(fit.stopped).toBe("the loss stays");
    const losses = fit.history.flatMap(({ losses }) => (losses.loss === undefined ? [] : [losses.loss]));
    expect(losses.length).toBeGreaterThan(1);
    expect(losses.at(-1)!).toBeCloseTo(losses.at(-2)!, 5);
  });

  it("comes when the sum of the loss over all rows stays, where that is what is looked at", async () => {
    const stopped = async (lossChange: number) => {
      const { fit } = await trained("kmeans", {
        options: { epochs: 40, start: "rows", lossChange, lossChangeOf: "sum" },
      });
      const losses = fit.history.flatMap(({ losses }) => (losses.loss === undefined ? [] : [120 * losses.loss]));
      return { why: fit.stopped, last: Math.abs(losses.at(-1)! - losses.at(-2)!), before: losses };
    };
    const { why, last } = await stopped(1e-3);
    expect(why).toBe("the loss stays");
    expect(last).toBeLessThanOrEqual(1e-3);
  });

  it("comes for pretraining too, each phase by its own loss, and after a checkpoint as without one", async () => {
    const options = { pretraining: 40, epochs: 3, lossChange: 0.02 };
    const checkpoints: Checkpoint[] = [];
    const onCheckpoint = async (take: () => Promise<Checkpoint>) => void checkpoints.push(await take());
    const whole = await trained("aekm", { options, onCheckpoint });
    const losses = whole.epochs.flatMap(({ phase, losses }) => (phase === "pretraining" ? [losses.loss!] : []));
    const changes = losses.slice(1).map((loss, i) => Math.abs(losses[i]! - loss) / loss);
    expect(losses.length).toBeLessThan(40);
    expect(changes.at(-1)!).toBeLessThanOrEqual(0.02);
    expect(Math.min(...changes.slice(0, -1))).toBeGreaterThan(0.02);
    // Before its last epoch, and after it: what is to be compared with is in the checkpoint, and that it has ended.
    for (const epoch of [losses.length - 1, losses.length]) {
      const resume = checkpoints.find((at) => at.phase === "pretraining" && at.epoch === epoch)!;
      const resumed = await trained("aekm", { options, resume });
      expect(resumed.fit.history.length).toBe(whole.fit.history.length);
      expect(weights(resumed)).toEqual(weights(whole));
    }
  });

  it("comes when a signal says so, and leaves the generator closed", async () => {
    const stopping = new AbortController();
    const training = trainBy(easy.rows, methodOf("tell"), {
      clusters: 3,
      device,
      signal: stopping.signal,
      options: { ...tiny, pretraining: 100 },
    });
    await training.next();
    stopping.abort(new Error("enough"));
    await expect(training.next()).rejects.toThrow("enough");
    expect(await training.next()).toEqual({ done: true, value: undefined });
  });
});

describe("restarts", () => {
  it.each(["loss", "silhouette", "divergence"] as const)("keep the one with the best %s", async (keep) => {
    const { fit } = await trained("tell", { options: { restarts: 3, keep, pretraining: 2 } });
    const ranked = fit.restarts.toSorted((a, b) => a.measures[keep] - b.measures[keep]);
    expect(fit.restarts).toHaveLength(3);
    expect(fit.restart).toBe(keep === "silhouette" ? ranked[2]!.restart : ranked[0]!.restart);
    expect(new Set(fit.restarts.map(({ measures }) => measures.loss)).size).toBe(3);
  });
});

describe("labels", () => {
  it("are scored and decide nothing: the same bits with true, with wrong and without labels", async () => {
    const without = await trained("tell", { options: { restarts: 2 } });
    const right = await trained("tell", { options: { restarts: 2 }, labels: easy.labels });
    const wrong = await trained("tell", { options: { restarts: 2 }, labels: easy.labels.map((_, i) => i % 7) });
    expect(weights(right)).toEqual(weights(without));
    expect(weights(wrong)).toEqual(weights(without));
    expect(right.epochs.find(({ scores }) => scores)?.scores?.accuracy).toBeGreaterThan(0.9);
    expect(without.epochs.every(({ scores }) => scores === undefined)).toBe(true);
  });

  it("must be whole numbers, one for each row", async () => {
    const words = Array(120).fill("cat") as unknown as number[];
    await expect(trained("tell", { labels: words })).rejects.toThrow(
      "tell: labels must be whole numbers, got cat in row 0",
    );
    await expect(trained("tell", { labels: new Int32Array(5) })).rejects.toThrow(
      "tell: there must be one label per row, got 5 for 120 rows",
    );
  });
});

describe("rows", () => {
  it("may come as a stream: batch by batch they give what they give from memory", async () => {
    const all = inMemory(easy.rows);
    // Without `tensor`, nothing but the batches can be seen.
    const streamed: Data = {
      row: all.row,
      count: all.count,
      range: all.range,
      async *shuffled(size, random) {
        yield* all.shuffled(size, random);
      },
      async *inOrder(size) {
        yield* all.inOrder(size);
      },
    };
    for (const method of ["tell", "idec"]) {
      expect(weights(await trained(method, { rows: streamed }))).toEqual(weights(await trained(method)));
    }
  });

  it("must be finite, of one length, and at least as many as clusters", async () => {
    const broken = easy.rows.data.slice();
    broken[9] = Number.NaN;
    await expect(trained("tell", { rows: tensor("float32", [120, 4], broken) })).rejects.toThrow(
      "data: every number must be finite, got NaN in row 2, column 1",
    );
    await expect(trained("tell", { clusters: 121 })).rejects.toThrow(
      "tell: there cannot be more clusters than rows, got 121 for 120 rows",
    );
    await expect(trained("tell", { rows: tensor("float32", [0, 4], new Float32Array()) })).rejects.toThrow(
      "data: needs rows of at least one number each, got shape [0,4]",
    );
  });
});

describe("rows that are not what they seem", () => {
  it.each([
    [
      [
        [1, 2],
        [3, null],
      ],
      "data: every value must be a number, got null in row 1, column 1",
    ],
    [[[1, 2], [3]], "data: every row must have 2 numbers as the first has, row 1 has 1"],
    [[1, 2, 3], "data: needs rows of numbers, such as [[1, 2], [3, 4]]"],
    [[], "data: needs rows of numbers"],
  ])("are refused: %j", (rows, message) => {
    expect(() => toData(rows as unknown as number[][])).toThrow(message);
  });

  it("are refused where a stream ends early", async () => {
    const { tensor: _, ...short } = inMemory(easy.rows);
    await expect(trained("kmeans", { rows: { ...short, count: 200 } })).rejects.toThrow(
      "data: an epoch must have 200 rows, as the data says, got 120",
    );
  });
});

describe("what is reported", () => {
  it("has the losses, the sizes, the time that remains and snapshots through training", async () => {
    const { epochs } = await trained("tell", { snapshots: 3, options: { epochs: 4 } });
    const clustering = epochs.filter(({ phase }) => phase === "clustering");
    expect(clustering.map(({ epoch }) => epoch)).toEqual([0, 1, 2, 3, 4]);
    expect(clustering.filter(({ snapshot }) => snapshot).map(({ epoch }) => epoch)).toEqual([0, 1, 4]);
    expect(clustering[4]!.snapshot!.centers.shape).toEqual([3, 3]);
    expect(clustering[4]!.snapshot!.exemplars!.shape).toEqual([3, 4]);
    expect(clustering[4]!.snapshot!.codes.shape).toEqual([120, 3]);
    expect(clustering[4]!.sizes!.reduce((a, b) => a + b, 0)).toBe(120);
    expect(Object.keys(clustering[4]!.losses)).toEqual(["loss", "clustering", "reconstruction", "spread"]);
    expect(epochs.at(-1)!.remaining).toBe(0);
    expect(epochs[0]!.remaining).toBeGreaterThan(0);
  });

  it("names empty clusters and centers that coincide", async () => {
    // Twelve rows, all the same: two of three centers have nothing of their own.
    const same = tensor("float32", [12, 4], new Float32Array(48).fill(0.5));
    const { epochs } = await trained("kmeans", { rows: same });
    const { notices } = epochs.at(-1)!;
    expect(notices).toContain("no row is in clusters 1, 2");
    expect(notices).toContain("the same center is shared by clusters 0 and 1, 1 and 2");
  });

  it("puts a center without rows where the loss is largest, unless the paper leaves it", async () => {
    // All three centers begin on zeros, and the first has every row.
    const zeros = tensor("float32", [30, 1], new Float32Array(30).fill(1, 28, 29).fill(9, 29));
    const options = { network: "none", start: "rows", epochs: 5 };
    const { fit, epochs } = await trained("kmeans", { rows: zeros, options });
    expect(new Set(fit.labels).size).toBe(3);
    expect(epochs[1]!.notices).toContain(
      "no row is in clusters 1, 2, so that their centers were put where the loss is largest",
    );
    const left = await trained("kmeans", { rows: zeros, profile: "paper", options });
    expect(left.epochs[1]!.notices).toContain(
      "no row is in clusters 1, 2, and their centers stay where they are, as in the paper (refill)",
    );
  });

  it("finds coinciding centers among a thousand, and no others", () => {
    const [k, d] = [1000, 10];
    const data = Random.seeded(4).normals(k * d);
    const spread = { now: 1, first: 1 };
    const sizes = new Array<number>(k).fill(1);
    expect(noticesAbout(sizes, tensor("float32", [k, d], data), spread)).toEqual([]);
    // 7 = 803, 20 = 21 up to a ten-thousandth of the usual distance, 40 and 41 a hundredth apart.
    for (const [to, from, shift] of [
      [803, 7, 0],
      [21, 20, 1e-4],
      [41, 40, 3e-2],
    ] as const) {
      for (let c = 0; c < d; c++) data[to * d + c] = data[from * d + c]! + shift;
    }
    expect(noticesAbout(sizes, tensor("float32", [k, d], data), spread)).toEqual([
      "the same center is shared by clusters 7 and 803, 20 and 21",
    ]);
  });

  it("names codes that shrink (Deep k-Means §3.4)", async () => {
    // With α = 0 every code is pulled to every center, which is least where all of them are one point.
    const { epochs } = await trained("dkm-p", {
      options: { alpha: 0, lambda: 1000, relative: false, epochs: 60, rate: 1e-2 },
    });
    expect(
      epochs.flatMap(({ notices }) => notices).some((notice) => notice.startsWith("the codes have shrunk to")),
    ).toBe(true);
  });
});

describe("a number of steps", () => {
  it("ends the training in the middle of an epoch, and epochs still limit it", async () => {
    // 120 rows in batches of 20: six steps an epoch.
    const { epochs, fit } = await trained("dkm-p", { options: { steps: 8 } });
    expect(fit.plan.options.epochs).toBe(2);
    expect(epochs.filter(({ phase }) => phase === "clustering").map(({ epoch }) => epoch)).toEqual([0, 1, 2]);
    const rows = (epoch: Epoch): number => epoch.sizes!.reduce((a, b) => a + b, 0);
    expect(rows(epochs.at(-2)!)).toBe(120);
    expect(rows(epochs.at(-1)!)).toBe(40);
    expect(epochs.at(-1)!.share).toBe(1 / 3);
    expect(fit.stopped).toBe("all steps done");
    // The loss of the restart is that of as many rows as there are.
    const [before, last] = [epochs.at(-2)!.losses.loss!, epochs.at(-1)!.losses.loss!];
    expect(fit.measures.loss).toBeCloseTo((2 * before + last) / 3, 6);
    const few = await trained("dkm-p", { options: { steps: 61, batch: 2 } });
    expect(few.epochs.at(-1)!.sizes).toContain(0);
    expect(few.epochs.at(-1)!.notices).toEqual([]);
    expect(weights(await trained("dkm-p", { options: { steps: 12 } }))).toEqual(
      weights(await trained("dkm-p", { options: { epochs: 2 } })),
    );
    expect(weights(await trained("dkm-p", { options: { steps: 1000, epochs: 2 } }))).toEqual(
      weights(await trained("dkm-p", { options: { epochs: 2 } })),
    );
  });

  it("is counted from the beginning, wherever the training goes on", async () => {
    const taken: Checkpoint[] = [];
    const onCheckpoint = async (take: () => Promise<Checkpoint>) => void taken.push(await take());
    const whole = await trained("tell", { options: { steps: 8 }, onCheckpoint });
    const resume = taken.find(({ phase, epoch }) => phase === "clustering" && epoch === 1)!;
    expect(weights(await trained("tell", { options: { steps: 8 }, resume }))).toEqual(weights(whole));
  });
});

describe("the learning rate", () => {
  it("is multiplied every so many epochs", async () => {
    const slow = await trained("dkm-p", { options: { decay: 1e-6, decayEvery: 1, epochs: 2 } });
    const one = await trained("dkm-p", { options: { epochs: 1 } });
    // From the second epoch on the rate is a millionth: almost nothing happens.
    for (const [name, { data }] of slow.fit.state) {
      (data as Float32Array).forEach((value, i) => {
        if (name !== "temperature") expect(value).toBeCloseTo(one.fit.state.get(name)!.data[i] as number, 4);
      });
    }
  });
});

describe("a method of one's own", () => {
  const ours = methodOf("kmeans");

  it("may call its steps whatever it likes: no program of the loop is hidden by one, and none hides one", async () => {
    const codes: Method = {
      ...ours,
      name: "codes",
      start(problem) {
        const { steps, ...clustering } = ours.start(problem);
        return { ...clustering, steps: { codes: steps.lloyd!, exemplars: steps.lloyd!, pretraining: steps.lloyd! } };
      },
    };
    const fitted = async (method: Method) => {
      const training = trainBy(easy.rows, method, { clusters: 3, device, options: { epochs: 3, restarts: 1 } });
      let step = await training.next();
      while (!step.done) step = await training.next();
      return step.value;
    };
    expect((await fitted(codes)).labels).toEqual((await fitted(ours)).labels);
  });

  it("is told where an epoch is of a kind that it has no step for", async () => {
    const kindless: Method = {
      ...ours,
      name: "kindless",
      start: (problem) => ({ ...ours.start(problem), kindOf: () => "follow" }),
    };
    const training = trainBy(easy.rows, kindless, { clusters: 3, device, options: { epochs: 2, restarts: 1 } });
    await expect(async () => {
      for await (const _ of training);
    }).rejects.toThrow('kindless: there is no step for epochs of the kind "follow"');
  });
});
