/** k-meansNet's figures: the bounded loss, α, curves. */

import { constant, program, Session, type Tensor } from "../../../src/doors/engine.ts";
import { tensor } from "../../../src/doors/inside.ts";
import { softAssignment } from "../../../src/methods/kmeansnet.ts";
import { lineChart } from "../charts.ts";
import type { Measuring } from "../measuring.ts";
import type { Figure } from "../paper.ts";
import { curveOf, few, said, small, trained } from "../stages.ts";
import { scorePanel } from "./tell.ts";

/** Fig. 2 (K13): f(z) = Σ p z for one score between −100 and 100 and another that is 0. */
async function boundedLoss({ device }: Measuring) {
  const z = Array.from({ length: 401 }, (_, i) => -100 + i / 2);
  const scores = tensor("float32", [z.length, 2], Float32Array.from(z.flatMap((value) => [value, 0])));
  const session = await Session.open(
    program({ outputs: { p: softAssignment(constant(scores)) }, updates: [] }),
    device,
  );
  const { p } = (await session.run({})) as { p: Tensor<"float32"> };
  await session.close();
  const points = z.map((value, i) => [value, Number((p.data[2 * i]! * value).toPrecision(5))]);
  return { ...said("kmeansnet/fig2"), points };
}

const alphas = [1e-5, 5e-5, 1e-4, 5e-4, 1e-3, 5e-3, 1e-2, 5e-2, 0.1, 0.5];

const cellAt = (alpha: number): string => `mnist-test/kmeansnet/practical/alpha-${alpha}`;

/** Figs. 3 and 4: the layer as published, soft and with a free bias, on codes that a short pretraining has made. */
async function training({ data, device, rows }: Measuring) {
  const digits = await few(data, "mnist-test", rows);
  const options = { ...small, pretraining: 20, epochs: 30, assignment: "soft", bias: "free", code: "unit" };
  const byAlpha = [];
  for (const alpha of alphas) {
    const { history } = await trained(digits, { method: "kmeansnet", options: { ...options, alpha } }, device);
    byAlpha.push({ alpha, curve: curveOf(history) });
  }
  return { ...said("kmeansnet/fig3"), rows, byAlpha };
}

export const kmeansnetMeasurements = { "kmeansnet-loss": boundedLoss, "kmeansnet-training": training };

type Training = Awaited<ReturnType<typeof training>>;

export const kmeansnetFigures: readonly Figure[] = [
  {
    id: "2",
    title: "the loss is bounded where the scores are",
    published: "The loss over z from −100 to 100 in one dimension: bounded when z is.",
    about: "K13, f(z) = Σ p z, for one score z and another that is 0, by the formula of the method.",
    needs: ["kmeansnet-loss"],
    draw(recorded) {
      const found = recorded.measured<{ points: [number, number][] }>("kmeansnet-loss");
      if (!found) return undefined;
      return lineChart("k-meansNet Fig. 2", [
        { title: "f(z) = p z", x: "z", series: [{ name: "f", points: found.points }] },
      ]);
    },
  },
  {
    id: "3",
    title: "scores over α",
    published: "On MNIST from α = 10⁻⁵ to 0.5: about 85 / 77 / 75 (ACC, NMI, ARI), nearly flat.",
    about:
      "{rows} test digits, fully connected 256-256-512-10, 20 epochs of reconstruction, then 30 of the soft layer with a free bias at each α; one seed, one pretraining. What α does is little, as published; what the layer does, read so, is described at Figure 4. Where the practical profile has been run at each α on the 10,000 test digits, its scores are drawn too: there b is coupled to W, and α cancels.",
    needs: ["kmeansnet-training", ...alphas.map(cellAt)],
    draw(recorded) {
      const found = recorded.measured<Training>("kmeansnet-training");
      if (!found) return undefined;
      const series = ["ACC", "NMI", "ARI"].map((name) => ({
        name,
        points: found.byAlpha.map(({ alpha, curve }) => [alpha, curve[name]!.at(-1)![1]] as const),
      }));
      const run = alphas.flatMap((alpha) => recorded.lines(cellAt(alpha)).map(({ scores }) => ({ alpha, scores })));
      const practical = Object.entries({ ACC: "accuracy", NMI: "nmiGeometric", ARI: "ari" }).map(([name, of]) => ({
        name,
        points: run.map(({ alpha, scores }) => [alpha, 100 * scores[of]!] as const),
      }));
      const axes = { x: "α", y: "%", isLogarithmic: true };
      return lineChart("k-meansNet Fig. 3: α", [
        { title: "scores over α", series, ...axes },
        ...(run.length === alphas.length ? [{ title: "practical, b coupled to W", series: practical, ...axes }] : []),
      ]);
    },
  },
  {
    id: "4",
    title: "scores and loss through training",
    published: "Stable after about 1650 (FCN, ACC 84.37–88.09) and 1550 epochs (CNN, 91.04–93.96).",
    about:
      "the training of Fig. 3 at α = 10⁻³, as the text has it: W and b are free and the assignment soft, so that the loss, which nothing bounds from below, falls for ever while scores fall from their start (docs/methods/kmeansnet.md has the reading that works). Where the network as published has been run on MNIST, its curve is drawn too.",
    needs: ["kmeansnet-training"],
    draw(recorded) {
      const curve = recorded
        .measured<Training>("kmeansnet-training")
        ?.byAlpha.find(({ alpha }) => alpha === 1e-3)?.curve;
      if (!curve) return undefined;
      const published = ["mnist/kmeansnet/paper/500-epochs", "mnist/kmeansnet/paper/500-epochs-kmeans"].flatMap(
        (name) => {
          const points = recorded.lines(name)[0]?.curve;
          if (!points) return [];
          const of = (score: "accuracy" | "nmi" | "ari") =>
            points.map((point) => [point.epoch, 100 * point[score]] as const);
          const title = `MNIST, ${name.endsWith("kmeans") ? "k-means" : "k-means++"} start`;
          return [scorePanel(title, { ACC: of("accuracy"), NMI: of("nmi"), ARI: of("ari") })];
        },
      );
      return lineChart("k-meansNet Fig. 4: through training", [
        scorePanel("a short training: scores", curve),
        { title: "a short training: loss", x: "epoch", series: [{ name: "loss", points: curve.loss! }] },
        ...published,
      ]);
    },
  },
];
