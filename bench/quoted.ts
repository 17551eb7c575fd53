/**
 * Where each figure of docs/results.md, "What they say", comes from: `bench summary --write` puts it there, and a test
 * compares. A figure is a number with one decimal; a paragraph is known by what is bold in it. `published` is a
 * publication's, `reference` a run of other code, `unrecorded` a run of our own that left no record; all others are of
 * records, in percent: a cell without its seed is the mean accuracy over seeds, with it that of one; `nmi` and `ari`
 * are
 * other scores, `start` is before the first epoch of clustering, `gain` the mean accuracy less that of the start, and
 * `kept` the accuracy of the seed that a measure ranks first.
 */

import { best, type Line, meanOf, percent } from "./records.ts";

const quoted: Readonly<Record<string, readonly string[]>> = {
  "Deep k-Means agrees with reference runs in PyTorch": [
    "reference",
    "reference",
    "reference",
    "published",
    "published",
  ],
  "TELL on raw pixels": ["mnist/tell/paper/raw kept loss", "published"],
  "k-meansNet on raw pixels": [
    "mnist/kmeansnet/paper/coupled-raw-kmeans kept loss",
    "mnist/kmeansnet/paper/coupled-raw-random kept loss",
    "published",
    "published",
    "mnist/kmeansnet/paper/raw-kmeans",
    "unrecorded",
    "unrecorded",
  ],
  "TELL on all of MNIST": [
    "mnist/tell/practical",
    "mnist/tell/practical kept silhouette",
    "published",
    "mnist/tell/practical start",
  ],
  "TELL as published": ["mnist/tell/paper/150-epochs-kaiming", "reference", "reference"],
  "k-meansNet on all of MNIST": [
    "mnist/kmeansnet/practical",
    "published",
    "mnist/kmeansnet/practical/3 start",
    "mnist/kmeansnet/practical/3",
  ],
  "Deep k-Means on all of MNIST": ["mnist/dkm-p/paper", "published", "published", "mnist/dkm-p/paper start"],
  "On the 10,000 test digits": [
    "mnist-test/tell/practical start",
    "mnist-test/tell/practical",
    "mnist-test/homo/practical start",
    "mnist-test/homo/practical",
    "published",
    "reference",
    "mnist-test/hoe/practical gain",
    "mnist-test/hit/practical gain",
    "mnist-test/hot/practical gain",
    "mnist-test/hot/practical/3",
    "mnist-test/hot/practical/1",
  ],
  "The invariance paper's own networks": [
    "mnist-test-centered/hoe/paper/chord-cnn start",
    "mnist-test-centered/hoe/paper/chord-cnn",
    "published",
    "mnist-test-centered/hoe/paper/chord start",
    "mnist-test-centered/hoe/paper/chord/3 start",
    "mnist-test-centered/hoe/paper/chord/4 start",
    "published",
    "mnist-test-centered/hit/paper/chord",
    "mnist-test-centered/hot/paper/chord",
    "published",
    "unrecorded",
    "unrecorded",
    "reference",
    "unrecorded",
    "unrecorded",
    "unrecorded",
    "mnist-test-centered/homo/paper/whole start",
    "mnist-test-centered/homo/paper/whole",
    "mnist-test-centered/hoe/paper/whole",
    "mnist-test-centered/hot/paper/whole",
    "mnist-test-centered/hit/paper/whole",
  ],
  "What TELL's parts do": [
    "mnist-test/tell/practical/dense start",
    "mnist-test/tell/practical/two-stage",
    "mnist-test/tell/practical/no-votes",
    "mnist-test/tell/practical/dense",
  ],
  "USPS, practical profiles": [
    "usps/aekm/practical",
    "usps/dkm-p/practical",
    "usps/dkm-a/practical",
    "usps/dcn/practical start",
    "usps/dec/practical",
    "usps/idec/practical",
    "usps/dcn/practical",
    "usps/dcn/practical/1 start",
    "usps/dcn/practical/2 start",
    "usps/dcn/practical/3 start",
  ],
  "Text and embeddings": ["unrecorded", "unrecorded", "reuters10k/tell/practical nmi", "20news/tell/practical nmi"],
  "PC-X on all of MNIST": [
    "mnist/pcx/practical/dense/1",
    "mnist/pcx/practical/dense/2",
    "mnist/pcx/practical/dense/1 start",
    "mnist/pcx/practical/dense/2 start",
    "mnist/pcx/practical",
    "mnist/pcx/practical start",
    "published",
    "reference",
    "reference",
    "mnist/pcx/paper/tuned-350-epochs",
    "unrecorded",
    "unrecorded",
    "unrecorded",
    "har/pcx/practical/1",
  ],
  HAR: [
    "har/dkm-p/paper",
    "har/aekm/paper",
    "har/tell/practical/1 start",
    "har/tell/practical/2 start",
    "har/tell/practical/3 start",
    "har/tell/practical",
    "har/kmeansnet/practical",
    "har/pcx/practical",
    "published",
    "har/dkm-p/practical/1 start",
    "har/dkm-p/practical/2 start",
    "har/dkm-p/practical/3 start",
    "har/aekm/practical/linear-batches-256/1",
    "har/aekm/practical/linear-batches-256/2",
    "har/aekm/practical/linear-batches-256/3",
    "har/aekm/practical/linear",
    "har/homo/practical start",
    "har/homo/practical",
    "har/kmeans/practical",
  ],
  Reuters: [
    "published",
    "published",
    "reuters10k/tell/practical",
    "reuters10k/kmeans/practical",
    "reuters10k/kmeans/practical/1",
    "reuters10k/kmeans/practical/2",
    "reuters10k/dkm-p/paper/cosine",
    "reuters10k/dkm-p/paper/relative start",
    "reuters10k/dkm-p/paper/relative",
    "published",
    "reuters10k/dkm-a/paper/relative",
    "published",
    "reuters10k/pcx/practical/1",
    "reuters10k/pcx/practical/2",
    "reuters10k/kmeansnet/practical/1",
    "reuters10k/kmeansnet/practical/2",
    "reuters10k/homo/practical",
  ],
  "20news": [
    "20news/aekm/paper",
    "published",
    "20news/tell/practical",
    "20news/kmeansnet/practical",
    "20news/dkm-p/practical",
    "20news/pcx/practical",
    "20news/homo/practical",
    "20news/aekm/paper/10-numbers",
    "20news/aekm/paper/30-epochs",
    "20news/aekm/paper/unit-codes",
    "20news/aekm/paper/scaled",
    "unrecorded",
    "unrecorded",
    "unrecorded",
    "20news/aekm/practical/linear-20-numbers",
    "20news/dkm-p/paper/cosine start",
    "20news/dkm-p/paper/cosine",
    "20news/dkm-p/paper/relative",
    "20news/dkm-p/paper/relative start",
    "published",
    "20news/dkm-a/paper/relative",
    "published",
  ],
  "CIFAR-10": [
    "cifar10-test/kmeans/practical",
    "cifar10-test/tell/practical/dense",
    "published",
    "cifar10-test/kmeansnet/practical/dense",
    "published",
    "cifar10-test/pcx/practical/dense",
    "cifar10-test/dkm-p/practical/dense",
    "cifar10-test/homo/practical/dense",
    "published",
    "cifar10-test/dkm-p/paper start",
    "cifar10-test/dkm-p/paper",
  ],
};

const elsewhere = new Set(["published", "reference", "unrecorded"]);
const figure = /(?<![\d.,])\d+\.\d(?!\d)/g;

/** The paragraphs with the figures that the records give now. */
export function withFigures(section: string, groups: ReadonlyMap<string, readonly Line[]>): string {
  return section
    .split(/\n(?=- )/)
    .map((paragraph) => {
      const title = /^- \*\*(.+?)\*\*/.exec(paragraph)?.[1];
      const sources = quoted[title ?? ""] ?? [];
      const there = paragraph.match(figure)?.length ?? 0;
      if (there !== sources.length) {
        throw new Error(
          `summary: "${title ?? paragraph.slice(0, 60)}" has ${there} figures, bench/quoted.ts says where ${sources.length} come from`,
        );
      }
      let at = 0;
      return paragraph.replace(figure, (text) => {
        const source = sources[at++]!;
        return elsewhere.has(source) ? text : shown(source, groups);
      });
    })
    .join("\n");
}

function shown(source: string, groups: ReadonlyMap<string, readonly Line[]>): string {
  const [name, what, measure] = source.split(" ") as [string, string?, string?];
  const [, group, seed] = /^(.*?)(?:\/(\d+))?$/.exec(name)!;
  const lines = (groups.get(group!) ?? []).filter((line) => seed === undefined || line.seed === Number(seed));
  if (lines.length === 0) throw new Error(`summary: docs/results.md quotes ${source}, of which there is no record`);
  const accuracy = meanOf(lines.map(({ scores }) => scores.accuracy!));
  const start = () => meanOf(lines.flatMap((line) => (line.start ? [line.start.accuracy!] : [])));
  if (what === undefined) return percent(accuracy);
  if (what === "start") return percent(start());
  if (what === "gain") return percent(accuracy - start());
  if (what === "kept") return percent(best(lines, measure as "loss").scores.accuracy!);
  return percent(meanOf(lines.flatMap(({ scores }) => (scores[what] === undefined ? [] : [scores[what]]))));
}
