/**
 * Are there groups in these rows, and how many? k clusters are groups where
 *
 *   1. they hold together: prediction strength ps(k) + its standard error ≥ 0.8 (predictionStrength.ts);
 *   2. their borders are empty: E(k) above what a cut through one cloud may show by chance (borders.ts);
 *   3. one cloud does not show as much: ps·E above the 95th percentile of 20 clouds like the rows (oneCloud.ts);
 *   4. where these are codes of rows with few columns, borders are empty among the rows too: a network may tear what is
 *      one, where few rows happen to be.
 *
 * There are as many groups as the largest such k says (Tibshirani & Walther, 2005), and where no k is, one cloud.
 * What each of the four is for, measured: docs/groups.md.
 */

import { kmeans } from "../numerics/kmeans.ts";
import type { Pace } from "../numerics/pace.ts";
import { quantileOf } from "../numerics/quantiles.ts";
import type { Random } from "../tensor/random.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { emptyFrom } from "./borders.ts";
import { type Divider, dividers, Halves, type Measured } from "./halves.ts";
import { axisScores, cloudForms, cloudLike, fewColumns } from "./oneCloud.ts";

/** What holds together: from here on. */
export const strongFrom = 0.8;

/** How often the rows are split, and how many clouds are looked at, each split once. */
const [splits, clouds] = [5, 20];

/** What is left within clusters is much less where it is below this share of what is left of a cloud. */
const muchLess = 0.7;

/** Among the rows, what was found in their codes has to be this many standard errors emptier than chance. */
const errorsAmongRows = 4;

/** In fewer rows no halves can be compared. */
const fewestRows = 10;

/** One number of clusters, by the divider whose clusters come nearest to being groups. */
export interface TriedClusters extends Measured {
  readonly clusters: number;
  /** Whether they are groups. */
  readonly areGroups: boolean;
  /** Where clouds were looked at: ps of the 5th and the 95th of a hundred of them, and ps·E of the latter. */
  readonly cloud?: { readonly low: number; readonly high: number; readonly score: number };
}

export interface Groups {
  /** How many there are; 1 is one cloud. */
  readonly found: number;
  /** The fewest and the most there may be: the largest k that is surely strong enough, and the largest that may be. */
  readonly between: readonly [number, number];
  readonly tried: readonly TriedClusters[];
}

export interface GroupsOptions {
  readonly random: Random;
  readonly pace: Pace;
  readonly onTried?: (done: number, total: number) => void;
}

/** The same rows as they are, where codes of them are looked at. */
interface Looked {
  readonly codesOf?: Tensor<"float32"> | undefined;
}

interface LookingOptions extends Looked {
  /** The largest number of clusters that is asked for. */
  readonly largest: number;
  readonly random: Random;
  readonly pace: Pace;
}

/** Looks at every number of clusters from `from` to `to`, and on to `most` while it pays. */
export async function groupsIn(
  rows: Tensor<"float32">,
  [from, to]: readonly [number, number],
  { random, pace, onTried, most = to, codesOf }: GroupsOptions & Looked & { readonly most?: number },
): Promise<Groups> {
  const tried: TriedClusters[] = [];
  const first = Math.max(2, from);
  for (let last = to; ; last = Math.min(most, 2 * last)) {
    const looking = await Looking.at(rows, { largest: last, random, pace, codesOf });
    for (let k = first + tried.length; looking && k <= last; k++) {
      tried.push(await looking.tried(k));
      onTried?.(tried.length, last - first + 1);
    }
    const isLastBest = tried.at(-1)?.areGroups ?? false;
    if (last >= most || !looking || !(isLastBest || (await looking.paysBeyond(last)))) break;
  }
  const groups = tried.filter(({ areGroups }) => areGroups);
  const found = groups.at(-1)?.clusters ?? 1;
  const surely = groups.findLast(({ strength, error }) => strength - error >= strongFrom)?.clusters ?? 1;
  return { found, between: [surely, found], tried };
}

/**
 * Whether these rows are one cloud as far as up to `most` clusters show. The number that was asked for is looked at
 * first, and the first that are groups end it.
 */
export async function isOneCloud(
  rows: Tensor<"float32">,
  { asked, most }: { readonly asked: number; readonly most: number },
  { random, pace, onTried }: GroupsOptions,
): Promise<boolean> {
  const order = [asked, ...Array.from({ length: Math.max(0, most - 1) }, (_, i) => i + 2)];
  const tries = [...new Set(order)].filter((k) => k >= 2 && (k <= Math.max(2, most) || k === asked));
  const looking = await Looking.at(rows, { largest: Math.max(...tries), random, pace });
  for (const [done, k] of tries.entries()) {
    onTried?.(done, tries.length);
    if (looking && (await looking.tried(k)).areGroups) return false;
  }
  return true;
}

/** The rows' halves, and those of the clouds once they are needed. */
class Looking {
  readonly #scores: Tensor<"float32">;
  readonly #halves: Halves;
  readonly #largest: number;
  readonly #random: Random;
  readonly #pace: Pace;
  /** Those of the rows, where codes are looked at. */
  readonly #amongRows: Halves | undefined;
  #clouds: readonly Halves[] | undefined;

  private constructor(
    scores: Tensor<"float32">,
    halves: Halves,
    amongRows: Halves | undefined,
    { largest, random, pace }: LookingOptions,
  ) {
    this.#amongRows = amongRows;
    this.#scores = scores;
    this.#halves = halves;
    this.#largest = largest;
    this.#random = random;
    this.#pace = pace;
  }

  static async at(
    rows: Tensor<"float32">,
    { largest, random, pace, codesOf }: LookingOptions,
  ): Promise<Looking | undefined> {
    if (rows.shape[0]! < fewestRows) return undefined;
    const scores = await axisScores(rows, pace);
    const options = { splits, largest, random: random.fork("groups"), pace };
    const halves = await Halves.of(scores, options);
    // Of many columns rows say nothing about borders.
    const isTelling = codesOf !== undefined && codesOf.shape[1]! <= fewColumns;
    const amongRows = isTelling ? await Halves.of(codesOf, options) : undefined;
    return new Looking(scores, halves, amongRows, options);
  }

  async tried(clusters: number): Promise<TriedClusters> {
    const all: Measured[] = [];
    for (const by of dividers) all.push(await this.#halves.measured(by, clusters));
    const strongest = all.reduce((a, b) => (b.strength > a.strength ? b : a));
    const candidates = all.filter(({ strength, error, emptiness, atBorders }) => {
      return strength + error >= strongFrom && emptiness > emptyFrom(atBorders);
    });
    // Clouds cost more than all the rest: they are asked only where it depends on them.
    if (candidates.length === 0) return { clusters, ...strongest, areGroups: false };
    const best = candidates.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a));
    if (!(await this.#isApartAmongRows(best.by, clusters))) return { clusters, ...best, areGroups: false };
    const cloud = await this.#cloud(clusters, best.by);
    return { clusters, ...best, areGroups: scoreOf(best) > cloud.score, cloud };
  }

  async #isApartAmongRows(by: Divider, clusters: number): Promise<boolean> {
    if (!this.#amongRows) return true;
    const { emptiness, atBorders } = await this.#amongRows.measured(by, clusters, this.#halves);
    return emptiness > emptyFrom(atBorders, errorsAmongRows);
  }

  /**
   * Whether more clusters than these are worth a look: twice as many leave much less within them, W(2k)/W(k), than in a
   * cloud like the rows. Fewer clusters than groups may hold together as badly as those of a cloud.
   */
  async paysBeyond(k: number): Promise<boolean> {
    const falls: number[] = [];
    const random = this.#random.fork(`beyond ${k}`);
    const clouds = cloudForms.map((form) => cloudLike(this.#scores, form, random.fork(form)));
    for (const rows of [this.#scores, ...clouds]) {
      const within: number[] = [];
      for (const clusters of [k, Math.min(2 * k, rows.shape[0]! - 1)]) {
        await this.#pace();
        within.push(kmeans(rows, clusters, random.fork(`${falls.length} ${clusters}`), { restarts: 3 }).inertia);
      }
      falls.push(within[1]! / Math.max(within[0]!, 1e-30));
    }
    const [own, ...others] = falls as [number, ...number[]];
    return own < muchLess * Math.min(...others);
  }

  async #cloud(k: number, by: Divider): Promise<NonNullable<TriedClusters["cloud"]>> {
    this.#clouds ??= await this.#makeClouds();
    const shown: Measured[] = [];
    for (const each of this.#clouds) shown.push(await each.measured(by, k));
    const strengths = Float64Array.from(shown, ({ strength }) => strength).sort();
    const scores = Float64Array.from(shown, scoreOf).sort();
    return { low: quantileOf(strengths, 0.05), high: quantileOf(strengths, 0.95), score: quantileOf(scores, 0.95) };
  }

  async #makeClouds(): Promise<Halves[]> {
    const all: Halves[] = [];
    for (let i = 0; i < clouds; i++) {
      const random = this.#random.fork(`cloud ${i}`);
      const cloud = cloudLike(this.#scores, cloudForms[i % cloudForms.length]!, random);
      all.push(await Halves.of(cloud, { splits: 1, largest: this.#largest, random, pace: this.#pace }));
    }
    return all;
  }
}

/** ps·E: held together, and apart. */
function scoreOf({ strength, emptiness }: Measured): number {
  return strength * emptiness;
}
