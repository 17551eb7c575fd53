/** Names of phrases, no two of them the same: in no other order either, nor in degree alone. */

import { withoutDegree } from "../columnWords.ts";

export interface Said {
  /** What could be said of a cluster, the most telling first. */
  readonly phrases: readonly string[];
  /** How many of them usually are. */
  readonly usual: number;
}

/** A name has at most so many phrases. */
const mostPhrases = 4;

/**
 * A name for each cluster of the first of its phrases; "cluster 3" where there are none. Where several would have the
 * same ones, each gets what tells it from the others (`apart`), or else the next that it alone has; and at last its
 * number.
 */
export function distinctNames(
  said: readonly Said[],
  apart: (cluster: number, others: readonly number[]) => readonly string[] = () => [],
): string[] {
  const chosen = said.map(({ phrases, usual }) => phrases.slice(0, usual));
  for (let round = 1; round < mostPhrases; round++) {
    for (const same of alike(chosen.map(keyOf))) {
      const added = same.map((cluster) => {
        const others = same.filter((other) => other !== cluster);
        const theirs = new Set(others.flatMap((other) => said[other]!.phrases));
        const own = said[cluster]!.phrases;
        const next = [...apart(cluster, others), ...own.filter((phrase) => !theirs.has(phrase)), ...own];
        return chosen[cluster]!.length < mostPhrases
          ? next.find((phrase) => !chosen[cluster]!.includes(phrase))
          : undefined;
      });
      same.forEach((cluster, i) => {
        if (added[i] !== undefined) chosen[cluster]!.push(added[i]);
      });
    }
  }
  const names = chosen.map((phrases, cluster) => phrases.join(", ") || `cluster ${cluster}`);
  const repeated = new Set([...alike(chosen.map(keyOf)), ...alike(names)].flat());
  return names.map((name, cluster) => (repeated.has(cluster) ? `${name} (cluster ${cluster})` : name));
}

/** The same for the same phrases in any order and to any degree; its own for a cluster without any. */
function keyOf(phrases: readonly string[], cluster: number): string {
  return JSON.stringify(
    phrases.length > 0 ? phrases.map((phrase) => withoutDegree(phrase.toLowerCase())).sort() : cluster,
  );
}

/** The places of equal texts, group by group. */
function alike(keys: readonly string[]): number[][] {
  const groups = new Map<string, number[]>();
  keys.forEach((key, i) => {
    groups.set(key, [...(groups.get(key) ?? []), i]);
  });
  return [...groups.values()].filter(({ length }) => length > 1);
}
