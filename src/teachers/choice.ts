/**
 * Chooses a teacher without labels: the simplest whose partition joins neighbours as well as the best one's does.
 * How the rule was found, what else was tried, and where it errs: docs/choice.md.
 *
 * 1. Every candidate, a view and a teacher, divides a sample of the rows.
 * 2. Its score is the association of its partition in the neighbour graph of its view: how many of a row's neighbours
 *    are in the row's cluster, each cluster counting alike. Of several pretrainings all graphs count, the mean: what
 *    one of them has made up the others do not confirm.
 * 3. A few rows that nobody else is tied to are a perfect cluster, and leave all others in one. So what has less than
 *    half of the best modularity, which likes clusters of one size, does not count.
 * 4. The simplest candidate that is about as good as the best is taken: views in their order, and in each the teachers
 *    in the order of the table below. Of several pretrainings, the one whose partition by it scores best.
 * 5. The teacher divides all rows.
 */

import { type Graph, neighbourGraph } from "../numerics/neighbours/neighbourGraph.ts";
import type { Pace } from "../numerics/pace.ts";
import { principalAxes, projected } from "../numerics/principalAxes.ts";
import { type Tensor, takeRows } from "../tensor/tensor.ts";
import { type TeacherName, teachers } from "./index.ts";
import { neighboursIn, neighboursOf } from "./neighbourhood.ts";
import type { Partition } from "./partition.ts";
import type { Lesson } from "./teacher.ts";
import { togethernessOf } from "./togetherness.ts";

/** The same rows in other numbers. */
export interface View {
  readonly name: string;
  /** [n, d] each: the same rows, by independent pretrainings; of plain rows there is one. */
  readonly codes: readonly Tensor<"float32">[];
}

export interface Choice {
  readonly view: number;
  /** Which of the view's codes the partition was made of. */
  readonly pretraining: number;
  readonly teacher: TeacherName;
  readonly partition: Partition;
  /** For people: why, in a sentence. */
  readonly reason: string;
  readonly tried: readonly Tried[];
}

/** A candidate, its score, and the standard error of that: other rows of the kind would give another. */
export interface Tried {
  readonly view: string;
  readonly teacher: TeacherName;
  readonly score: number;
  readonly error: number;
}

/** Who is asked, the simplest first. */
const candidates = [
  "kmeans",
  "ward",
  "mixture",
  "balanced-votes",
  "spectral",
  "manifold",
] as const satisfies readonly TeacherName[];

/** Of more clusters than this only the first two are asked: the others would take minutes, and few rows each. */
const mostClusters = 100;

/** The choice is made on so many rows. */
const most = 4000;

/** Rows of more columns are divided along so many principal axes. */
const axes = 32;

/** Who is a neighbour in the graphs. */
const neighbours = 10;

/** What one row or two would change is no difference: so many rows, as a share of all. More costs digits a lot. */
const tolerance = 1.5;

/** What has less than this share of the best modularity parts a few rows from all others. */
const leastModularity = 0.5;

/** The teacher that suits the rows, and what it says of all of them. */
export async function chooseTeacher(views: readonly View[], lesson: Required<Lesson>): Promise<Choice> {
  const n = checkedRows(views);
  const { clusters, pace } = lesson;
  const random = lesson.random.fork("choice");
  const own = { clusters, random, pace };
  const some = n > most ? random.permutation(n).subarray(0, most).sort() : undefined;
  const seen: Seen[] = [];
  for (const view of views) seen.push(await seenOf(view, some, clusters, pace));

  const outcomeOf = async (view: number, pretraining: number, teacher: TeacherName): Promise<Outcome> => {
    const { name, samples, graphs } = seen[view]!;
    const partition = await teachers[teacher].teach(samples[pretraining]!, own);
    return { view, pretraining, teacher, partition, name, ...scoreOf(partition, graphs) };
  };

  const outcomes: Outcome[] = [];
  for (const view of seen.keys()) {
    for (const teacher of clusters > mostClusters ? candidates.slice(0, 2) : candidates)
      outcomes.push(await outcomeOf(view, 0, teacher));
  }
  const counting = withoutIslands(outcomes);
  const best = highest(counting);
  const simplest = counting.find(({ score }) => score >= best.score - tolerance / Math.min(n, most))!;

  const { view, teacher } = simplest;
  const again = [simplest];
  for (let other = 1; other < seen[view]!.samples.length; other++) again.push(await outcomeOf(view, other, teacher));
  const { pretraining, partition } = highest(again);
  return {
    view,
    pretraining,
    teacher,
    partition: some ? await teachers[teacher].teach(seen[view]!.rows[pretraining]!, own) : partition,
    reason: reasonOf(simplest, best),
    tried: outcomes.map(({ name, teacher, score, error }) => ({ view: name, teacher, score, error })),
  };
}

/** A view, ready to be divided. */
interface Seen {
  readonly name: string;
  /** All rows, by each pretraining, and of these the sample. */
  readonly rows: readonly Tensor<"float32">[];
  readonly samples: readonly Tensor<"float32">[];
  /** Who is whose neighbour in each of the samples. */
  readonly graphs: readonly Graph[];
}

type Outcome = Pick<Choice, "view" | "pretraining" | "teacher" | "partition"> & Score & { readonly name: string };

interface Score extends Pick<Tried, "score" | "error"> {
  readonly modularity: number;
}

function checkedRows(views: readonly View[]): number {
  const counts = views.flatMap(({ codes }) => codes.map(({ shape }) => shape[0]!));
  if (counts.length === 0 || views.some(({ codes }) => codes.length === 0)) {
    throw new RangeError("choice: there must be a view at least, each with rows, got none");
  }
  if (counts.some((n) => n !== counts[0])) {
    throw new RangeError(`choice: views must be of the same rows, got ${[...new Set(counts)].join(" and ")}`);
  }
  return counts[0]!;
}

async function seenOf({ name, codes }: View, some: Int32Array | undefined, k: number, pace: Pace): Promise<Seen> {
  const rows: Tensor<"float32">[] = [];
  const samples: Tensor<"float32">[] = [];
  const graphs: Graph[] = [];
  for (const all of codes) {
    const sampled = (of: Tensor<"float32">) => (some ? takeRows(of, some) : of);
    const isWide = all.shape[1]! > axes;
    rows.push(isWide ? await projected(all, await principalAxes(sampled(all), axes, pace), pace) : all);
    const sample = sampled(rows.at(-1)!);
    samples.push(sample);
    graphs.push(await neighbourGraph(await neighboursOf(sample, neighboursIn(sample, neighbours, k), pace), pace));
  }
  return { name, rows, samples, graphs };
}

/** The mean over the graphs. */
function scoreOf({ labels }: Partition, graphs: readonly Graph[]): Score {
  let [score, modularity] = [0, 0];
  for (const graph of graphs) {
    const found = togethernessOf(graph, labels);
    score += found.association / graphs.length;
    modularity += found.modularity / graphs.length;
  }
  // As of a share that was counted over so many rows: the ties of one row are not independent.
  return { score, modularity, error: Math.sqrt(Math.max(0, score * (1 - score)) / labels.length) };
}

function withoutIslands(outcomes: readonly Outcome[]): readonly Outcome[] {
  const most = Math.max(...outcomes.map(({ modularity }) => modularity));
  const least = most - (1 - leastModularity) * Math.abs(most);
  return outcomes.filter(({ modularity }) => modularity >= least);
}

/** Of equals, the first. */
function highest(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce((best, outcome) => (outcome.score > best.score ? outcome : best));
}

function reasonOf(simplest: Outcome, best: Outcome): string {
  const said = ({ teacher, name, score }: Outcome) =>
    `${teacher} of ${name} (${(100 * score).toFixed(1)} % of neighbours share a cluster)`;
  if (simplest === best) return `${said(best)} keeps neighbours together best, and nothing simpler does about as well`;
  return `${said(simplest)} keeps neighbours together about as well as the best, ${said(best)}, and is simpler`;
}
