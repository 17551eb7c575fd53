/** PC-X's figures and its Table 7: codes and centroids beside IDEC's, accuracy and losses through training, fusion. */

import { Random, type Tensor } from "../../../src/doors/engine.ts";
import { tensor } from "../../../src/doors/inside.ts";
import { accuracy } from "../../../src/metrics/accuracy.ts";
import type { Model } from "../../../src/model/model.ts";
import { squaredDistance } from "../../../src/numerics/distances.ts";
import { eigen } from "../../../src/numerics/eigen.ts";
import { paceOf } from "../../../src/numerics/pace.ts";
import { teacherOf } from "../../../src/teachers/index.ts";
import { lineChart, pictures, pointChart, points, svg } from "../charts.ts";
import type { Measuring } from "../measuring.ts";
import type { Figure, Recorded } from "../paper.ts";
import { curveOf, few, picture, pngsOf, said, small, trained } from "../stages.ts";

const epochs = 60;
const tau = 5;

/** PC-X and IDEC from the same pretraining, looked at in every fifth epoch. */
async function training({ data, device, rows }: Measuring) {
  const digits = await few(data, "mnist-test", rows);
  const options = { ...small, code: "unit", pretraining: 20, epochs, burnIn: 20, eta2: 1e-2, fusedOutput: true };
  const looked = (epoch: number): boolean => epoch % 5 === 0 || epoch === 1;
  const pcx = await trained(
    digits,
    { method: "pcx", options },
    device,
    ({ phase, epoch }) => phase === "clustering" && looked(epoch),
  );
  const through = [];
  for (const { epoch, model } of pcx.stages) {
    const [codes, centers] = [await model.transform(digits.rows), await model.centers()];
    const byOthers: Record<string, number> = {};
    for (const name of ["kmeans", "mixture", "ward"] as const) {
      const lesson = { clusters: 10, random: Random.seeded(1), pace: paceOf(undefined) };
      byOthers[name] = round(100 * accuracy(digits.truth, (await teacherOf(name).teach(codes, lesson)).labels));
    }
    through.push({ epoch, largest: round(meanLargest(codes, centers)), byOthers });
  }
  const own = await endOf(pcx.stages.at(-1)!.model, digits.rows, digits.truth);
  const last = pcx.stages.at(-1)!.model;
  const [codes, fused] = [await last.transform(digits.rows), await last.transform(digits.rows, { output: "fused" })];
  const centers = await last.centers();
  const labels = await last.predict(digits.rows);
  const shares = [];
  for (let k = 0; k < 10; k++) {
    shares.push({
      cluster: k,
      digit: commonest(labels, digits.truth, k),
      before: (await firstSingular(codes, labels, k, centers)).share,
      after: (await firstSingular(fused, labels, k, centers)).share,
      along: (await firstSingular(codes, labels, k, centers)).along,
    });
  }
  const some = Math.min(800, rows);
  const after = await picture(tensor("float32", [some, 10], fused.data.slice(0, 10 * some)), digits.truth);
  const idec = await trained(
    digits,
    { method: "idec", options: { ...small, code: "linear", pretraining: 20, epochs, labelChange: 0 } },
    device,
    ({ phase, epoch }) => phase === "clustering" && epoch === epochs,
  );
  const beside = await endOf(idec.stages.at(-1)!.model, digits.rows, digits.truth);
  const losses = pcx.history
    .filter(({ phase, epoch }) => phase === "clustering" && epoch > 0)
    .map(({ epoch, losses }) => ({
      epoch,
      reconstruction: round(losses.reconstruction!),
      clustering: round(losses.clustering!),
    }));
  const result = {
    ...said("pcx/fig2"),
    rows,
    through,
    losses,
    curve: curveOf(pcx.history),
    pcx: own,
    idec: beside,
    after,
    shares,
  };
  for (const each of [pcx, idec]) await each.close();
  return result;
}

async function endOf(model: Model, rows: Tensor<"float32">, truth: Int32Array) {
  const codes = await model.transform(rows);
  const some = Math.min(800, rows.shape[0]!);
  const shown = tensor("float32", [some, codes.shape[1]!], codes.data.slice(0, codes.shape[1]! * some));
  const exemplars = await model.exemplars();
  return { map: await picture(shown, truth, await model.centers()), exemplars: exemplars ? pngsOf(exemplars, 28) : [] };
}

/** (1/N) Σ maxₖ λₙₖ of P2. */
function meanLargest(codes: Tensor<"float32">, centers: Tensor<"float32">): number {
  const [n, d] = codes.shape as [number, number];
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const far = Array.from({ length: centers.shape[0]! }, (_, k) => squaredDistance(codes.data, i, centers.data, k, d));
    const least = Math.min(...far);
    sum += 1 / far.reduce((total, value) => total + Math.exp(-tau * (value - least)), 0);
  }
  return sum / n;
}

/**
 * Of the rows of a cluster, σ₁ / Σσ in percent, and how far the first singular vector points to the center, |cos|:
 * singular values are roots of the eigenvalues of ZᵀZ, whose eigenvectors they belong to.
 */
async function firstSingular(
  { shape, data }: Tensor<"float32">,
  labels: Int32Array,
  cluster: number,
  { data: centers }: Tensor<"float32">,
): Promise<{ share: number; along: number }> {
  const d = shape[1]!;
  const products = new Float64Array(d * d);
  labels.forEach((label, i) => {
    if (label !== cluster) return;
    for (let a = 0; a < d; a++) for (let c = 0; c < d; c++) products[a * d + c]! += data[i * d + a]! * data[i * d + c]!;
  });
  const { values, vectors } = await eigen(products, d, paceOf(undefined));
  const singular = Array.from(values, (value) => Math.sqrt(Math.max(0, value)));
  const center = Array.from(centers.subarray(cluster * d, (cluster + 1) * d));
  const along = center.reduce((sum, value, a) => sum + value * vectors[a]!, 0) / (Math.hypot(...center) || 1);
  const share = (100 * singular[0]!) / (singular.reduce((a, b) => a + b, 0) || 1);
  return { share: round(share), along: round(Math.abs(along)) };
}

function commonest(labels: Int32Array, truth: Int32Array, cluster: number): number {
  const counts = new Array<number>(10).fill(0);
  labels.forEach((label, i) => {
    if (label === cluster) counts[truth[i]!]!++;
  });
  return counts.indexOf(Math.max(...counts));
}

const round = (value: number): number => Number(value.toPrecision(5));

export const pcxMeasurements = { "pcx-training": training };

type Measured = Awaited<ReturnType<typeof training>>;
/** The first record did not look where singular vectors point. */
type Training = Omit<Measured, "shares"> & {
  readonly shares: readonly (Omit<Measured["shares"][number], "along"> & { readonly along?: number })[];
};
const trainingOf = (recorded: Recorded) => recorded.measured<Training>("pcx-training");

/** Table 7, ours: a cluster's commonest digit, and the shares before and after the fusion. */
export function singularShares(recorded: Recorded): string[][] {
  const found = trainingOf(recorded);
  if (!found) return [];
  const text = (values: readonly number[]): string[] => values.map((value) => value.toFixed(2));
  const withMean = (values: readonly number[]): string[] =>
    text([...values, values.reduce((a, b) => a + b, 0) / values.length]);
  return [
    ["ours: commonest digit", ...found.shares.map(({ digit }) => String(digit)), ""],
    ["ours: before", ...withMean(found.shares.map(({ before }) => before))],
    ["ours: after", ...withMean(found.shares.map(({ after }) => after))],
    ["ours: difference", ...withMean(found.shares.map(({ before, after }) => before - after))],
    ...(found.shares.every(({ along }) => along !== undefined)
      ? [
          [
            "ours: |cos| of the first singular vector and the center",
            ...withMean(found.shares.map(({ along }) => along!)),
          ],
        ]
      : []),
  ];
}

const onFew =
  "{rows} test digits, fully connected 256-256-512-10, 20 epochs of reconstruction and 60 of clustering, one seed";

export const pcxFigures: readonly Figure[] = [
  {
    id: "2",
    title: "codes and decoded centroids, PC-X beside IDEC",
    published: "PC-X parts ten digits, and its centroids decode to realistic ones; IDEC has the 9 twice and no 4.",
    about: `${onFew}; our own map where the publication has t-SNE.`,
    needs: ["pcx-training"],
    draw(recorded) {
      const found = trainingOf(recorded);
      if (!found) return undefined;
      return svg("PC-X Fig. 2: codes and centroids", [
        points([
          { title: "PC-X", ...found.pcx.map },
          { title: "IDEC", ...found.idec.map },
        ]),
        pictures("centroids, decoded", [
          { title: "PC-X", pictures: found.pcx.exemplars },
          { title: "IDEC", pictures: found.idec.exemplars },
        ]),
      ]);
    },
  },
  {
    id: "3",
    title: "accuracy through training, of its own labels and of others on its codes",
    published: "On MNIST and Fashion: fast before epoch 100; mini-batch, full batch and k-means agree, AGG too.",
    about: `${onFew}: ACC of its own labels, and of k-means, a Gaussian mixture and Ward's agglomeration on its codes.`,
    needs: ["pcx-training"],
    draw(recorded) {
      const found = trainingOf(recorded);
      if (!found) return undefined;
      const names = { kmeans: "k-means", mixture: "GMM", ward: "AGG (Ward)" } as const;
      const series = [
        { name: "PC-X", points: found.curve.ACC! },
        ...Object.entries(names).map(([teacher, name]) => ({
          name,
          isDashed: true,
          points: found.through.map(({ epoch, byOthers }) => [epoch, byOthers[teacher]!] as const),
        })),
      ];
      return lineChart("PC-X Fig. 3", [{ title: "ACC through training", x: "epoch", y: "%", series }]);
    },
  },
  {
    id: "4",
    title: "the losses, and how sure assignments are",
    published: "The mean largest λ falls first; after the burn-in (250 epochs) the entropy term takes it to nearly 1.",
    about: `${onFew}; the burn-in is 20 epochs, η₂ = 0.01.`,
    needs: ["pcx-training"],
    draw(recorded) {
      const found = trainingOf(recorded);
      if (!found) return undefined;
      const of = (name: "reconstruction" | "clustering") =>
        found.losses.map((line) => [line.epoch, line[name]] as const);
      return lineChart(
        "PC-X Fig. 4",
        [
          {
            title: "reconstruction loss",
            x: "epoch",
            series: [{ name: "reconstruction", points: of("reconstruction") }],
          },
          { title: "clustering loss", x: "epoch", series: [{ name: "clustering", points: of("clustering") }] },
          {
            title: "mean of the largest λ",
            x: "epoch",
            series: [{ name: "λ", points: found.through.map(({ epoch, largest }) => [epoch, largest] as const) }],
          },
        ],
        3,
      );
    },
  },
  {
    id: "6",
    title: "codes before and after the fusion",
    published: "z before the fusion layer is more compact, cluster by cluster, than ẑ after it.",
    about: `${onFew}; our own map where the publication has t-SNE.`,
    needs: ["pcx-training"],
    draw(recorded) {
      const found = trainingOf(recorded);
      if (!found) return undefined;
      return pointChart("PC-X Fig. 6", [
        { title: "z", points: found.pcx.map.points },
        { title: "ẑ", points: found.after.points },
      ]);
    },
  },
];
