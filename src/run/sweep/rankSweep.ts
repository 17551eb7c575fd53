/** Which of many fits to use, without labels: what keeps neighbours together, seed by seed. */

import { ari } from "../../metrics/ari.ts";
import { type Graph, neighbourGraph } from "../../numerics/neighbours/neighbourGraph.ts";
import type { Pace } from "../../numerics/pace.ts";
import { principalAxes, projected } from "../../numerics/principalAxes.ts";
import type { SweptFit, SweptSetting } from "../../report/sweepPage.ts";
import { neighboursIn, neighboursOf } from "../../teachers/neighbourhood.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import type { ClusterChoice } from "../../training/chooseClusters.ts";

/** Who is a neighbour, and along how many principal axes of wider rows. */
const [neighbours, axes] = [10, 32];

/** Who is whose neighbour in these rows: the same for all that are compared. */
export async function graphOf(rows: Tensor<"float32">, mostClusters: number, pace: Pace): Promise<Graph> {
  const narrow = rows.shape[1]! > axes ? await projected(rows, await principalAxes(rows, axes, pace), pace) : rows;
  return neighbourGraph(await neighboursOf(narrow, neighboursIn(narrow, neighbours, mostClusters), pace), pace);
}

/** A fit, and what it says of all rows. */
export interface Ranked extends SweptFit {
  readonly labels: Int32Array;
}

/**
 * Settings by their number of clusters, and of each number the best first. All have the same seeds, so that they are
 * compared pair by pair: what a seed makes easy or hard for all of them is in no difference.
 */
export function rankedSettings(fits: readonly Ranked[]): readonly SweptSetting[] {
  const groups = new Map<string, Ranked[]>();
  for (const fit of fits) {
    const key = JSON.stringify([fit.clusters, fit.method, fit.options]);
    groups.set(key, [...(groups.get(key) ?? []), fit]);
  }
  const numbers = [...new Set(fits.map(({ clusters }) => clusters))].sort((a, b) => a - b);
  return numbers.flatMap((clusters) => {
    const own = [...groups.values()].filter(([first]) => first!.clusters === clusters);
    const sorted = own.toSorted((a, b) => mean(b.map(score)) - mean(a.map(score)));
    const best = sorted[0]!;
    return sorted.map((group): SweptSetting => {
      const [{ method, options }] = group as [Ranked];
      const stability = stabilityOf(group);
      return {
        ...{ method, options, clusters },
        seeds: group.map(({ seed }) => seed),
        neighbours: mean(group.map(score)),
        ...(group.length > 1 && { deviation: deviation(group.map(score)) }),
        ...(stability !== undefined && { stability }),
        ...(group !== best && { behind: behind(best, group) }),
        seconds: mean(group.map(({ seconds }) => seconds)),
      };
    });
  });
}

const score = ({ neighbours }: SweptFit): number => neighbours;

/** d̄ = mean of best − other over the seeds of both; its standard error s_d / √m. */
export function behind(best: readonly SweptFit[], group: readonly SweptFit[]): NonNullable<SweptSetting["behind"]> {
  const differences = group.flatMap(({ seed, neighbours }) => {
    const pair = best.find((other) => other.seed === seed);
    return pair ? [pair.neighbours - neighbours] : [];
  });
  if (differences.length === 0) return { mean: mean(best.map(score)) - mean(group.map(score)) };
  const error = { error: deviation(differences) / Math.sqrt(differences.length) };
  return { mean: mean(differences), ...(differences.length > 1 && error) };
}

/** The mean ARI over pairs of seeds; nothing of a single one. */
export function stabilityOf(fits: readonly Pick<Ranked, "labels">[]): number | undefined {
  const all = fits.flatMap(({ labels }, i) => fits.slice(i + 1).map((other) => ari(labels, other.labels)));
  return all.length > 0 ? mean(all) : undefined;
}

/** The number that the rows show, where fits have it; else of those they have the one that holds together best. */
export function chosenOf(choice: ClusterChoice, numbers: readonly number[]): ClusterChoice {
  if (numbers.includes(choice.chosen)) return choice;
  const strength = (k: number): number =>
    choice.tried.find(({ clusters }) => clusters === k)?.scores.predictionStrength ?? 0;
  const chosen = numbers.reduce((best, k) => (strength(k) > strength(best) ? k : best));
  return { ...choice, chosen, reason: `${choice.reason}; of those that were fitted, ${chosen} holds together best` };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** √(Σ(x − x̄)² / (m − 1)). */
function deviation(values: readonly number[]): number {
  const center = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0) / Math.max(1, values.length - 1));
}
