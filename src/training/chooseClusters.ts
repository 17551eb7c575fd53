/** How many clusters? As many as there are groups in the rows or their codes; where there are none, one cloud. */

import { countDistinct } from "../numerics/distinctRows.ts";
import { paceOf } from "../numerics/pace.ts";
import { type Groups, groupsIn, isOneCloud, strongFrom, type TriedClusters } from "../teachers/groups.ts";
import { Random } from "../tensor/random.ts";
import type { Tensor } from "../tensor/tensor.ts";

export { strongFrom } from "../teachers/groups.ts";
export { fewColumns } from "../teachers/oneCloud.ts";

/** Which number of clusters was chosen, and from what. */
export interface ClusterChoice {
  readonly chosen: number;
  /** Why, in a sentence. */
  readonly reason: string;
  /** The fewest and the most groups there may be; 1 is one cloud. Runs of before have none. */
  readonly between?: readonly [number, number];
  readonly tried: readonly { readonly clusters: number; readonly scores: Readonly<Record<string, number>> }[];
}

/** Enough rows to see groups in, and few enough to divide them some hundred times. */
export const rowsToChooseBy = 2000;

/**
 * Up to 15 where nothing else is said, and no more than the square root of the rows; 1 where there are no groups. It is
 * gone on past 15 while that pays.
 */
export function usualRange(rows: number): readonly [number, number] {
  return [1, Math.max(2, Math.min(15, Math.floor(Math.sqrt(rows))))];
}

export interface ChooseOptions {
  readonly onTried?: (done: number, total: number) => void;
  /** Whether a view that shows one number of groups, and no other, is the last that is looked at. */
  readonly untilClear?: boolean;
  readonly signal?: AbortSignal;
}

/** As many as can be told in the rows that are looked at. */
function mostOf(rows: number): number {
  return Math.max(2, Math.floor(Math.sqrt(rows)));
}

/** Some rows in other numbers, and as they are. */
interface CodesOfRows {
  readonly codes: Tensor<"float32">;
  readonly rows: Tensor<"float32">;
}

export type ViewOfRows = Tensor<"float32"> | CodesOfRows;

/**
 * Looks for groups in several views of the same rows, such as the rows themselves and their codes: the one that shows
 * most of them decides, of equals the first. Only a range from 1 may be answered by one cloud; else the best of it is.
 */
export async function chooseClusters(
  views: Iterable<ViewOfRows> | AsyncIterable<ViewOfRows>,
  [from, to]: readonly [number, number],
  seed: number,
  { onTried = () => {}, untilClear = false, signal }: ChooseOptions = {},
): Promise<ClusterChoice> {
  const pace = paceOf(signal);
  let groups: Groups | undefined;
  // Rows that are equal share a cluster in every view, of which codes may differ in their last bits.
  let different = Number.POSITIVE_INFINITY;
  for await (const each of views) {
    const [view, codesOf] = "codes" in each ? [each.codes, each.rows] : [each, undefined];
    // A range that begins with one cloud was left open, and has no end of its own.
    const open = from === 1 ? Math.max(to, mostOf(view.shape[0]!)) : to;
    different = Math.min(different, countDistinct(view, open) ?? different);
    const most = Math.min(open, different);
    const random = Random.seeded(seed).fork("choice");
    const seen = await groupsIn(view, [from, Math.min(to, most)], { random, pace, onTried, most, codesOf });
    if (!groups || seen.found > groups.found) groups = seen;
    if (untilClear && isClear(seen)) break;
  }
  if (!groups) throw new RangeError("choice: there must be a view of the rows at least, got none");
  const { found, between } = groups;
  const chosen = found > 1 || from === 1 ? found : (strongestOf(groups)?.clusters ?? from);
  const tried = groups.tried.map((each) => ({ clusters: each.clusters, scores: scoresOf(each) }));
  return { chosen, reason: reasonOf(groups, from, chosen, different), between, tried };
}

/** Groups, and one number of them. */
function isClear({ found, between: [fewest, most] }: Groups): boolean {
  return found > 1 && fewest === most;
}

/** The sentence about rows that are one cloud, where some number of clusters was asked for all the same. */
export const oneCloudNotice =
  "one cloud: these rows show no more groups than a single cloud of their form would; the clusters are parts of it";

/** Whether rows in which `clusters` were asked for are one cloud, as far as the usual numbers of clusters show. */
export function looksLikeOneCloud(
  rows: Tensor<"float32">,
  clusters: number,
  seed: number,
  { onTried, signal }: ChooseOptions = {},
): Promise<boolean> {
  const random = Random.seeded(seed).fork("one cloud");
  const [, most] = usualRange(rows.shape[0]!);
  const asked = Math.min(clusters, mostOf(rows.shape[0]!));
  return isOneCloud(rows, { asked, most }, { random, pace: paceOf(signal), ...(onTried && { onTried }) });
}

function strongestOf({ tried }: Groups): TriedClusters | undefined {
  return tried.length === 0 ? undefined : tried.reduce((a, b) => (b.strength > a.strength ? b : a));
}

/** What is kept of a number of clusters; the names of its picture in the report. */
function scoresOf({ strength, error, emptiness, cloud, areGroups }: TriedClusters): Record<string, number> {
  return {
    predictionStrength: strength,
    standardError: error,
    borderEmptiness: emptiness,
    ...(cloud && { cloudLow: cloud.low, cloudHigh: cloud.high }),
    areGroups: Number(areGroups),
  };
}

function reasonOf(groups: Groups, from: number, chosen: number, different: number): string {
  const { found, between, tried } = groups;
  const last = tried.at(-1)?.clusters ?? 1;
  const strength = tried.find(({ clusters }) => clusters === chosen)?.strength;
  const told = strength === undefined ? "" : ` (prediction strength ${strength.toFixed(2)})`;
  if (found > 1) {
    if (found === different)
      return `${found} clusters: of the rows that were looked at ${found} are different, and each is one`;
    // Who has looked no further than here does not know what comes after.
    const more =
      found === last
        ? `; they are the most that were tried, so that there may be more: --clusters ${last}-${2 * last}`
        : "";
    const how = `their halves agree${told} and their borders are empty${more}`;
    const [fewest, most] = between;
    return fewest === most
      ? `${found} clusters: ${how}`
      : `between ${fewest} and ${most} clusters; ${found} taken: ${how}`;
  }
  if (tried.length === 0 && different < Math.max(2, from)) {
    const rows = different === 1 ? "are all the same" : `are only ${different} different ones`;
    return `${chosen === 1 ? "one cluster" : `${chosen} clusters`}: the rows that were looked at ${rows}`;
  }
  if (tried.length === 0)
    return `${chosen === 1 ? "one cloud" : `${chosen} clusters`}: too few rows to tell groups from chance`;
  const none = `one cloud: of ${Math.max(2, from)} to ${last} clusters, none are groups: those hold together (prediction strength ${strongFrom} or more), have empty borders, and are more than a single cloud would show`;
  return chosen === 1 ? none : `${none}; ${chosen} taken, which hold together best${told}`;
}
