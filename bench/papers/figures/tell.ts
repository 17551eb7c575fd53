/** TELL's figures: center steps, attention, exemplars and codes through training, curves, the bounded loss. */

import { constant, filled, program, Random, Session, type Tensor } from "../../../src/doors/engine.ts";
import { type Device, tensor } from "../../../src/doors/inside.ts";
import { softAssignment } from "../../../src/methods/tell.ts";
import type { Model } from "../../../src/model/model.ts";
import { meansByLabel, unitTensor } from "../../../src/numerics/kmeans.ts";
import { paceOf } from "../../../src/numerics/pace.ts";
import { teacherOf } from "../../../src/teachers/index.ts";
import { lineChart, type PointPanel, pictureChart, pointChart, type Series } from "../charts.ts";
import type { Measuring } from "../measuring.ts";
import type { Figure, Recorded } from "../paper.ts";
import { curveOf, few, picture, pngsOf, type Stage, said, small, trained } from "../stages.ts";

interface Steps {
  readonly rows: [number, number][];
  readonly cases: { readonly title: string; readonly paths: [number, number][][] }[];
}

/** Fig. 2: three groups on a circle, a step per pass over all rows, three ways to normalize. */
async function steps({ device }: Measuring) {
  const random = Random.seeded(4);
  const angles = [0.3, 2.2, 4.4].flatMap((middle) =>
    Array.from({ length: 40 }, () => middle + 0.6 * (random.uniform() - 0.5)),
  );
  const rows = tensor(
    "float32",
    [angles.length, 2],
    Float32Array.from(angles.flatMap((angle) => [Math.cos(angle), Math.sin(angle)])),
  );
  const ways = [
    { title: "(a) neither normalized", options: { normalizeGradient: false, normalizeWeight: false, step: 0.5 } },
    { title: "(b) weights normalized", options: { normalizeGradient: false, normalizeWeight: true, step: 20 } },
    { title: "(c) weights and gradients", options: { normalizeGradient: true, normalizeWeight: true, step: 0.1 } },
  ];
  const cases = [];
  for (const { title, options } of ways) {
    const all = { network: "none", batch: 120, epochs: 20, alternate: false, ...options };
    const { stages, close } = await trained(
      { rows, truth: new Int32Array(rows.shape[0]!), clusters: 3 },
      { method: "tell", profile: "paper", options: all, seed: 1 },
      device,
      ({ phase }) => phase === "clustering",
    );
    const paths: [number, number][][] = [[], [], []];
    for (const { model } of stages) {
      const W = (await model.weights()).get("W") as Tensor<"float32">;
      for (const [j, path] of paths.entries()) path.push([round(W.data[2 * j]! / 2), round(W.data[2 * j + 1]! / 2)]);
    }
    await close();
    cases.push({ title, paths });
  }
  const points = Array.from({ length: angles.length }, (_, i) => [
    round(rows.data[2 * i]!),
    round(rows.data[2 * i + 1]!),
  ]);
  return { ...said("tell/fig2"), rows: points, cases };
}

/** Appendix, Fig. 1 (TA4): f(z) = −τ softmax(z)·z for one score between −100 and 100 and another that is 0. */
async function boundedLoss({ device }: Measuring) {
  const z = Array.from({ length: 401 }, (_, i) => -100 + i / 2);
  const p = await firstShare(z, device);
  return { ...said("tell/figA1"), points: z.map((value, i) => [value, round(-p[i]! * value)]) };
}

/** The share of the first of two scores, z and 0, by T8. */
async function firstShare(z: readonly number[], device: Device): Promise<Float32Array> {
  const scores = tensor("float32", [z.length, 2], Float32Array.from(z.flatMap((value) => [value, 0])));
  const session = await Session.open(
    program({ outputs: { p: softAssignment(constant(scores), 1) }, updates: [] }),
    device,
  );
  const { p } = (await session.run({})) as { p: Tensor<"float32"> };
  await session.close();
  return Float32Array.from(z, (_, i) => p.data[2 * i]!);
}

/** In so few steps Adadelta, the publication's first choice, has hardly begun; Adam is the other of its Table 6. */
const adam = { optimizer: "adam", rate: 1e-3 } as const;

/** Figs. 4 to 7, of one training from random weights and centers, as published but short. */
async function training({ data, device, rows }: Measuring) {
  const digits = await few(data, "mnist-test", rows);
  const third = Math.round(rows / 3);
  const looked = [1, 5, 15, 40, 80];
  const asPublished = { method: "tell", profile: "paper", options: { ...small, ...adam, epochs: 80 } } as const;
  const dense = await trained(
    digits,
    asPublished,
    device,
    ({ phase, epoch }) => phase === "clustering" && looked.includes(epoch),
  );
  const own = [];
  const shownRows = Math.min(800, rows);
  for (const { epoch, model } of dense.stages) {
    const codes = await model.transform(digits.rows);
    const centers = await model.centers();
    const shown = tensor("float32", [shownRows, 10], unitTensor(codes).data.slice(0, 10 * shownRows));
    own.push({
      epoch,
      exemplars: pngsOf((await model.exemplars())!, 28),
      map: epoch === 5 || epoch === 40 ? undefined : await picture(shown, digits.truth, centers),
    });
  }
  const last = dense.stages.at(-1)!.model;
  const attention = await attentionOf(last, digits.rows);
  const options = { ...small, code: "unit", pretraining: 80, epochs: 1, spherical: true };
  const plain = await trained(
    digits,
    { method: "aekm", options },
    device,
    ({ phase, epoch }) => phase === "pretraining" && looked.includes(epoch),
  );
  const beside = [];
  for (const stage of plain.stages) {
    beside.push({ epoch: stage.epoch, exemplars: await kmeansExemplars(stage, digits.rows) });
  }
  const cnn = await trained(
    {
      ...digits,
      rows: tensor("float32", [third, 1, 28, 28], digits.rows.data.slice(0, third * 784)),
      truth: digits.truth.slice(0, third),
    },
    { method: "tell", profile: "paper", options: { ...adam, network: "tellConvolutional", batch: 64, epochs: 40 } },
    device,
  );
  const result = {
    ...said("tell/fig5"),
    rows,
    tell: own,
    kmeans: beside,
    attention,
    curves: { FCN: curveOf(dense.history), CNN: curveOf(cnn.history) },
  };
  for (const each of [dense, plain, cnn]) await each.close();
  return result;
}

/** k-means on the codes, its centers decoded by the network as it is. */
async function kmeansExemplars({ model, withCenters }: Stage, rows: Tensor<"float32">): Promise<string[]> {
  const codes = unitTensor(await model.transform(rows));
  const lesson = { clusters: 10, random: Random.seeded(1), pace: paceOf(undefined) };
  const { labels } = await teacherOf("spherical").teach(codes, lesson);
  const centers = meansByLabel(codes, labels, filled("float32", [10, 10], 0));
  const other = withCenters(unitTensor(centers));
  const pictures = pngsOf((await other.exemplars())!, 28);
  await other.close();
  return pictures;
}

/** Fig. 4: of three digits the dissimilarity 2 − Wⱼᵀx to each center and the attention paid to it. */
async function attentionOf(model: Model, rows: Tensor<"float32">) {
  const first = tensor("float32", [3, 1, 28, 28], rows.data.slice(0, 3 * 784));
  const { codes, probabilities } = await model.assign(first);
  const [x, omega] = [unitTensor(codes).data, (await model.centers()).data];
  const dissimilarity = [0, 1, 2].map((i) =>
    Array.from({ length: 10 }, (_, j) =>
      round(
        2 - 2 * Array.from({ length: 10 }, (_, a) => x[10 * i + a]! * omega[10 * j + a]!).reduce((s, v) => s + v, 0),
      ),
    ),
  );
  return {
    digits: pngsOf(first, 28),
    exemplars: pngsOf((await model.exemplars())!, 28),
    dissimilarity,
    attention: [0, 1, 2].map((i) => Array.from(probabilities.data.slice(10 * i, 10 * i + 10), round)),
  };
}

const round = (value: number): number => Number(value.toPrecision(5));

export const tellMeasurements = { "tell-steps": steps, "tell-loss": boundedLoss, "tell-training": training };

type Training = Awaited<ReturnType<typeof training>>;
const trainingOf = (recorded: Recorded) => recorded.measured<Training>("tell-training");

const onFew =
  "{rows} of the test digits, fully connected 256-256-512-10, from random weights, 80 epochs of batches of 64 by Adam";

export const tellFigures: readonly Figure[] = [
  {
    id: "2",
    title: "centers that step with neither, one or both normalizations",
    published: "(a) W grows without end; (b) of length 1, but a center jumps from group to group; (c) steady.",
    about:
      "three groups of 40 rows on the circle, one step for each of 20 passes: (a) leaves the circle, (b) is thrown there in one step by a gradient twenty times as long, (c) walks along the circle and settles.",
    needs: ["tell-steps"],
    draw(recorded) {
      const found = recorded.measured<Steps>("tell-steps");
      if (!found) return undefined;
      const panels = found.cases.map(({ title, paths }) => ({
        title,
        x: "",
        isSquare: true,
        series: [
          ...paths.map((points, j): Series => ({ name: `Ω${j + 1}`, points })),
          { name: "rows", points: found.rows, isDotted: true },
        ],
      }));
      return lineChart("TELL Fig. 2: centers, step by step", panels, 3);
    },
  },
  {
    id: "4",
    title: "dissimilarity and attention of a row",
    published: "A sketch: each input's dissimilarity to the hyperplane of centers, and the attention it pays to each.",
    about: `three digits and the ten centers of a training (${onFew}): the dissimilarity 2 − Wⱼᵀx of each center and, below, the attention that the saved model pays to it.`,
    needs: ["tell-training"],
    draw(recorded) {
      const found = trainingOf(recorded);
      if (!found) return undefined;
      const panels = [0, 1, 2].map((i) => ({
        title: `digit ${i + 1}`,
        x: "center",
        from: 0,
        series: [
          { name: "dissimilarity 2 − Wᵀx", points: found.attention.dissimilarity[i]!.map((v, j) => [j, v] as const) },
          { name: "attention I", points: found.attention.attention[i]!.map((v, j) => [j, v] as const) },
        ],
      }));
      return lineChart("TELL Fig. 4: dissimilarity × attention", panels, 3);
    },
  },
  {
    id: "5",
    title: "decoded centers through training",
    published: "TELL confuses 4 and 9 at epoch 1000 and parts them later; k-means on an autoencoder mixes 3, 5 and 8.",
    about: `${onFew}; k-means on the codes of an autoencoder after as many epochs of reconstruction alone. The publication has 3000 epochs of 70,000 digits.`,
    needs: ["tell-training"],
    draw(recorded) {
      const found = trainingOf(recorded);
      if (!found) return undefined;
      return pictureChart("TELL Fig. 5: what the centers decode to", [
        ...found.tell.map(({ epoch, exemplars }) => ({ title: `TELL, epoch ${epoch}`, pictures: exemplars })),
        ...found.kmeans.map(({ epoch, exemplars }) => ({ title: `AE + k-means, epoch ${epoch}`, pictures: exemplars })),
      ]);
    },
  },
  {
    id: "6",
    title: "codes through training, with the centers",
    published: "t-SNE of codes at several epochs: groups part more and more, and the centers (stars) lie in them.",
    about: `800 codes of the training of Fig. 5, drawn by our own map (neighbours, not t-SNE), colored by their digit.`,
    needs: ["tell-training"],
    draw(recorded) {
      const found = trainingOf(recorded);
      if (!found) return undefined;
      const panels = found.tell.flatMap(({ epoch, map }): PointPanel[] =>
        map ? [{ title: `epoch ${epoch}`, points: map.points, centers: map.centers }] : [],
      );
      return pointChart("TELL Fig. 6: codes and centers", panels);
    },
  },
  {
    id: "7",
    title: "scores and loss through training, two networks",
    published: "On MNIST it converges after about 1400 (FCN) and 800 (CNN) epochs.",
    about: `the training of Fig. 5, and TELL's convolutional network on a third of them for 40 epochs. Where the whole schedule on MNIST has been run, its curve is drawn too.`,
    needs: ["tell-training"],
    draw(recorded) {
      const found = trainingOf(recorded);
      if (!found) return undefined;
      const whole = recorded.lines("mnist/tell/paper/whole")[0]?.curve;
      const small = Object.entries(found.curves).flatMap(([network, curve]) => [
        scorePanel(`${network}: scores`, curve),
        { title: `${network}: loss`, x: "epoch", series: [{ name: "loss", points: curve.loss! }] },
      ]);
      const all = whole
        ? [
            scorePanel("MNIST whole, CNN", {
              ACC: whole.map(({ epoch, accuracy }) => [epoch, 100 * accuracy]),
              NMI: whole.map(({ epoch, nmi }) => [epoch, 100 * nmi]),
              ARI: whole.map(({ epoch, ari }) => [epoch, 100 * ari]),
            }),
          ]
        : [];
      return lineChart("TELL Fig. 7: through training", [...small, ...all]);
    },
  },
  {
    id: "A1",
    title: "the loss is bounded where the scores are (appendix, Fig. 1)",
    published: "The loss over z from −100 to 100 in one dimension: bounded when z is.",
    about: "TA4, f(z) = −τ p z with τ = 1, for one score z and another that is 0, by the formula of the method.",
    needs: ["tell-loss"],
    draw(recorded) {
      const found = recorded.measured<{ points: [number, number][] }>("tell-loss");
      if (!found) return undefined;
      return lineChart("TELL, appendix Fig. 1", [
        { title: "f(z) = −p z", x: "z", series: [{ name: "f", points: found.points }] },
      ]);
    },
  },
];

export function scorePanel(title: string, curve: Readonly<Record<string, readonly (readonly [number, number])[]>>) {
  const series = ["ACC", "NMI", "ARI"].map((name) => ({ name, points: curve[name] ?? [] }));
  return { title, x: "epoch", y: "%", series };
}
