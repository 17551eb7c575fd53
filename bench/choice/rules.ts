/** The rules of docs/choice.md: from what is known of the candidates without labels to one of them. */

import { ari } from "../../src/metrics/ari.ts";
import { consensusOf } from "../../src/teachers/consensus.ts";
import { partitionOf } from "../../src/teachers/partition.ts";
import type { Candidate, Halves } from "./evidence.ts";

/** What is known of a candidate; how it holds on halves only where a rule asks for it. */
export type Known = Candidate & Pick<Halves, "stability" | "strength">;

/** Candidates from the simplest; which of them, or a partition of its own. */
export type Rule = (candidates: readonly Known[]) => number | readonly number[];

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const best = (scores: readonly number[]): number => scores.indexOf(Math.max(...scores));

const standardError = (values: readonly number[]): number => {
  const middle = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, values.length - 1);
  return Math.sqrt(variance / values.length);
};

const stabilityOf = (candidates: readonly Known[]): number[] => candidates.map(({ stability }) => mean(stability));

/** Those within one standard error of the best, the simplest first. */
function nearBest(candidates: readonly Known[], scores: readonly (readonly number[])[]): number[] {
  const means = scores.map(mean);
  const at = best(means);
  const least = means[at]! - standardError(scores[at]!);
  return candidates.map((_, i) => i).filter((i) => means[i]! >= least);
}

/** Mean ARI with the others, each weighted. */
function agreementOf(candidates: readonly Known[], weights: readonly number[] = candidates.map(() => 1)): number[] {
  return candidates.map((one, i) => {
    let [sum, total] = [0, 0];
    candidates.forEach((other, j) => {
      if (i === j) return;
      const weight = Math.max(0, weights[j]!);
      sum += weight * ari([...one.labels[0]!], [...other.labels[0]!]);
      total += weight;
    });
    return total > 0 ? sum / total : 0;
  });
}

type Graphs = "modularity" | "association";

/** Of the first labeling: in a view, the mean of what it is in the view's pretrainings. */
const inView = (candidate: Known, kind: Graphs, view: string): number => mean(candidate[kind][0]![view]!);

const inOwn = (candidates: readonly Known[], kind: Graphs): number[] =>
  candidates.map((candidate) => inView(candidate, kind, candidate.view));

const inAll = (candidates: readonly Known[], kind: Graphs): number[] => {
  const views = viewsOf(candidates);
  return candidates.map((candidate) => mean(views.map((view) => inView(candidate, kind, view))));
};

const silhouetteInAll = (candidates: readonly Known[]): number[] => {
  const views = viewsOf(candidates);
  return candidates.map(({ silhouette }) => mean(views.map((view) => silhouette[view]!)));
};

const viewsOf = (candidates: readonly Known[]): string[] => [...new Set(candidates.map(({ view }) => view))];

/** Modularity, where partitions cut at most 1 % of the ties and have a third of the best modularity: of these alone. */
const atGaps = (candidates: readonly Known[]): number[] => {
  const scores = inOwn(candidates, "modularity");
  const most = Math.max(...scores);
  const lies = candidates.map((candidate, i) => cutShare(candidate, scores[i]!) <= 0.01 && scores[i]! >= most / 3);
  return lies.includes(true) ? scores.map((score, i) => (lies[i] ? score : -1)) : scores;
};

/** Σⱼ eⱼ = Q + Σⱼ aⱼ²; the share aⱼ of ends is nearly that of rows. */
const cutShare = ({ labels: [first] }: Known, modularity: number): number => {
  const counts = new Map<number, number>();
  for (const label of first!) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / first!.length) ** 2, 1 - modularity);
};

/** Association, of those that have half of the best modularity. */
const noIslands = (candidates: readonly Known[]): number[] => {
  const modularity = inOwn(candidates, "modularity");
  const least = 0.5 * Math.max(...modularity);
  return inOwn(candidates, "association").map((score, i) => (modularity[i]! >= least ? score : -1));
};

/** The first that is so near to the best. */
const simplest = (scores: readonly number[], tolerance: number): number => {
  const most = Math.max(...scores);
  return scores.findIndex((score) => score >= most - tolerance);
};

/** The place of each among all, 0 the best. */
const ranks = (scores: readonly number[]): number[] => scores.map((score) => scores.filter((s) => s > score).length);

const fewestRanks = (...scores: readonly (readonly number[])[]): number => {
  const all = scores.map(ranks);
  return best(scores[0]!.map((_, i) => -all.reduce((sum, of) => sum + of[i]!, 0)));
};

/** The rule that `chooseTeacher` follows; it is asked itself. */
export const kept = "side by side, shared neighbours";

export const rules: Readonly<Record<string, Rule>> = {
  restarts: (candidates) =>
    best(candidates.map(({ labels: [one, other] }) => (other ? ari([...one!], [...other]) : 1))),
  modularity: (candidates) => best(inOwn(candidates, "modularity")),
  "modularity, both": (candidates) => best(inAll(candidates, "modularity")),
  cut: (candidates) => best(inAll(candidates, "association")),
  "modularity, simplest": (candidates) => simplest(inOwn(candidates, "modularity"), 0.005),
  "gaps, modularity, simplest": (candidates) => simplest(atGaps(candidates), 0.005),
  "cut, own": (candidates) => best(inOwn(candidates, "association")),
  "cut, own, no islands, simplest": (candidates) =>
    simplest(noIslands(candidates), 1.5 / candidates[0]!.labels[0]!.length),
  silhouette: (candidates) => best(candidates.map(({ silhouette, view }) => silhouette[view]!)),
  "silhouette, both": (candidates) => best(silhouetteInAll(candidates)),
  likelihood: (candidates) => best(candidates.map(({ likelihood }) => likelihood[candidates[0]!.view]!)),
  medoid: (candidates) => best(agreementOf(candidates)),
  consensus: (candidates) => [
    ...consensusOf(candidates.map(({ labels: [first] }) => partitionOf({ labels: Int32Array.from(first!) }))).labels,
  ],
};

/** Those that look at halves. */
export const rulesOfHalves: Readonly<Record<string, Rule>> = {
  stability: (candidates) =>
    nearBest(
      candidates,
      candidates.map(({ stability }) => stability),
    )[0]!,
  "stability, best": (candidates) => best(stabilityOf(candidates)),
  strength: (candidates) => best(candidates.map(({ strength }) => mean(strength))),
  "medoid, weighted": (candidates) => best(agreementOf(candidates, stabilityOf(candidates))),
  "stability, medoid": (candidates) => {
    const agreement = agreementOf(candidates);
    const near = nearBest(
      candidates,
      candidates.map(({ stability }) => stability),
    );
    return near.reduce((a, b) => (agreement[b]! > agreement[a]! ? b : a));
  },
  ranks: (candidates) => fewestRanks(stabilityOf(candidates), agreementOf(candidates)),
  "four ranks": (candidates) =>
    fewestRanks(
      stabilityOf(candidates),
      agreementOf(candidates),
      inAll(candidates, "modularity"),
      silhouetteInAll(candidates),
    ),
};
