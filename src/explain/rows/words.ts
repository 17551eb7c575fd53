/** An explanation in plain words. */

import type { Feature } from "../../data/feature.ts";
import { number } from "../../text/number.ts";
import { oneLine } from "../../text/oneLine.ts";
import { percent } from "../../text/shares.ts";
import { isTelling } from "../clusters/clusterNames.ts";
import type { Far } from "../clusters/clusterSummary.ts";
import type { Explanation, FeaturePart, NearRow, Why } from "./explanation.ts";

/** What is unexplained must be less than this share of the way, or nothing is said of features. */
const mostUnexplained = 0.1;
/** Features with less than this share of the way are not worth words. */
const leastWorth = 0.05;
const mostNamed = 3;
/** In letters: an id may be a long text. */
const [longestId, longestText] = [40, 60];

export interface Known {
  /** Of clusters, where they have some. */
  readonly names?: readonly string[] | undefined;
  /** What the numbers of a row are, where that is known. */
  readonly features?: readonly Feature[];
  /** By what the row is as far out as it is; nothing where none of its numbers is known. */
  readonly by?: keyof Far | undefined;
}

/** From so many times as far as the farthest row of the cluster on. */
const farOutside = 3;

export function wordsFor(
  { placement, why }: Omit<Explanation, "words">,
  { names = [], features = [], by }: Known = {},
): string {
  const called = (cluster: number): string => {
    const name = names[cluster];
    return name === undefined || name === `cluster ${cluster}` ? `${cluster}` : `${cluster} (${name})`;
  };
  const out = outWords(placement.outlier, by);
  if (!why) return `In cluster ${called(placement.cluster)}, the only one.${out}`;
  const where = `In cluster ${called(why.own)} rather than ${called(why.other)}`;
  return `${where}${reason(why, features)}.${unsure(placement)}${out}`;
}

function reason(why: Why, features: readonly Feature[]): string {
  const { input, other, near } = why;
  const way = why.margin - input.start;
  // Where the exemplar is no better example of the other cluster than the row, there is no way to speak of.
  const isExplained = way > 0 && Math.abs(input.remainder) <= mostUnexplained * way;
  const telling = isExplained
    ? input.features.filter(({ feature, part }) => isTelling(features[feature]) && Math.abs(part) >= leastWorth * way)
    : [];
  const [reasons, doubts] = [telling.filter(({ part }) => part > 0), telling.filter(({ part }) => part < 0)];
  if (reasons.length > 0) {
    const said = reasons.slice(0, mostNamed).map((each) => spoken(each, way));
    const against = doubts[0] ? `; ${doubts[0].name} speaks for ${other} (${percent(doubts[0].part / way)})` : "";
    return `: of what sets it apart from the exemplar of ${other}, mostly ${said.join(", ")}${against}`;
  }
  const rows = near.own.length > 0 ? `: most like ${listed(near.own)} of its own typical rows` : "";
  const others = rows && near.other.length > 0 ? `, and of those of ${other} most like ${listed(near.other)}` : "";
  const unexplained = way > 0 && !isExplained;
  return `${rows}${others}${unexplained ? `; parts by feature leave ${percent(Math.abs(input.remainder) / way)} unexplained and are not to be read` : ""}`;
}

/** "price (64 %: 120, there 45)". */
function spoken({ name, part, value, exemplar, said, filled }: FeaturePart, way: number): string {
  const [here, there] = said ?? [number(value), number(exemplar)];
  return `${name} (${percent(part / way)}: ${here}${filled ? " filled in" : ""}, there ${there})`;
}

/** Nothing about a row that is among the others. */
function outWords(outlier: number | undefined, by: Known["by"]): string {
  if (outlier === undefined || outlier < 0.95) return "";
  if (outlier === 1) return " It is at least as far out as the farthest of its rows.";
  // Rounded, that would be all of them, and it would be farther out than itself.
  if (outlier < 1) return ` It is farther out than ${outlier < 0.995 ? percent(outlier) : "nearly all"} of its rows.`;
  const times = `${number(outlier)} times`;
  const where = outlier >= farOutside ? "far outside" : "outside";
  const how = {
    distance: `its code is ${times} as far from the center as the farthest of its rows`,
    apart: `${times} as far from the exemplar as the farthest of its rows`,
    error: `what the network redraws of it is ${times} as far off as with any of its rows`,
  };
  return ` It is ${where}: ${by ? how[by] : "nothing of it is known"}.`;
}

function unsure({ confidence }: Explanation["placement"]): string {
  return confidence < 0.5 ? ` It is not sure: the probability is ${number(confidence)}.` : "";
}

function listed(rows: readonly NearRow[]): string {
  const named = rows.map(({ id, row, text }) => {
    const name = id === undefined ? `row ${row}` : oneLine(id, longestId);
    return text === undefined ? name : `${name} (“${oneLine(text, longestText)}”)`;
  });
  return named.join(" and ");
}
