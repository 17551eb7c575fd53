/**
 * Chooses a teacher without labels: the simplest whose partition joins neighbours as well as the best one's does.
 * How the rule was found, what else was tried, and where it errs: docs/choice.md.
 *
 * 1. Every candidate, a view and a teacher, divides a sample of the rows. Codes of several pretrainings stand side by
 *    side: what one of them has made up weighs less.
 * 2. Its score is the association of its partition in the neighbour graph of its view: how many of a row's neighbours
 *    are in the row's cluster, each cluster counting alike.
 * 3. Where pretrainings do not agree on who is whose neighbour, or rows have categories, nobody who goes by neighbours
 *    is asked: k-means alone.
 * 4. A few rows that nobody else is tied to are a perfect cluster, and leave all others in one. So what has less than
 *    half of the best modularity, which likes clusters of one size, does not count.
 * 5. The simplest candidate that is about as good as the best is taken: views in their order, and in each the teachers
 *    in the order of the table below.
 * 6. The teacher divides all rows. The student goes on from the pretraining that agrees most.
 */

import { Moments } from "../numerics/moments.ts";
import { type Graph, neighbourGraph } from "../numerics/neighbours/neighbourGraph.ts";
import type { Neighbours } from "../numerics/neighbours/neighbours.ts";
import type { Pace } from "../numerics/pace.ts";
import { principalAxes, projected } from "../numerics/principalAxes.ts";
import { type Tensor, takeRows, tensor } from "../tensor/tensor.ts";
import { percent } from "../text/shares.ts";
import { teachers } from "./index.ts";
import type { TeacherName } from "./names.ts";
import { neighboursIn, neighboursOf, sharedNeighbours } from "./neighbourhood.ts";
import type { Partition } from "./partition.ts";
import type { Lesson, ToldLesson } from "./teacher.ts";
import { togethernessOf } from "./togetherness.ts";

/** The same rows in other numbers. */
export interface View {
  readonly name: string;
  /** [n, d] each: the same rows, by independent pretrainings; of plain rows there is one. */
  readonly codes: readonly Tensor<"float32">[];
  /** Whether rows have categories: between two values is nothing, so that neighbours are those of the same ones. */
  readonly isMixed?: boolean;
}

export interface Choice {
  readonly view: number;
  /** In which of the view's codes the partition keeps neighbours together best. */
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

/** Pretrainings agree where they share so many of a row's neighbours: images .65 and more, text and sensors to .55. */
const leastShared = 0.6;

/** What the candidates make of a view. */
export interface Divided {
  readonly seen: Seen;
  readonly outcomes: readonly Outcome[];
}

/** The teacher that suits the rows, and what it says of all of them. */
export async function chooseTeacher(views: readonly View[], lesson: ToldLesson): Promise<Choice> {
  checkedRows(views);
  const all: Divided[] = [];
  for (const view of views) all.push(await dividedView(view, lesson));
  return chosenAmong(all, lesson);
}

/** A sample of the rows, as every candidate divides it. */
export async function dividedView(view: View, lesson: ToldLesson): Promise<Divided> {
  const n = checkedRows([view]);
  const own = ownOf(lesson);
  const seen = await seenOf(view, sampleOf(n, own.random), own.clusters, own.pace);
  const { name, shared, sample, graph } = seen;
  const outcomes: Outcome[] = [];
  const { isMixed = false } = view;
  for (const teacher of askedFor(own.clusters, shared, isMixed)) {
    const partition = await teachers[teacher].teach(sample, own);
    outcomes.push({ teacher, partition, name, shared, isMixed, ...scoreOf(partition, graph) });
  }
  return { seen, outcomes };
}

/** The simplest that is about as good as the best, and what it says of all rows. */
export async function chosenAmong(all: readonly Divided[], lesson: ToldLesson): Promise<Choice> {
  const { simplest, best } = leading(all);
  const view = all.findIndex(({ outcomes }) => outcomes.includes(simplest));
  const { rows, some, pretrainings } = all[view]!.seen;
  const { teacher } = simplest;
  const inEach = pretrainings.map((graph) => scoreOf(simplest.partition, graph).score);
  const outcomes = all.flatMap(({ outcomes }) => outcomes);
  return {
    view,
    pretraining: inEach.indexOf(Math.max(...inEach)),
    teacher,
    partition: some ? await teachers[teacher].teach(rows, ownOf(lesson)) : simplest.partition,
    reason: reasonOf(simplest, best),
    tried: outcomes.map(({ name, teacher, score, error }) => ({ view: name, teacher, score, error })),
  };
}

/** Who leads among candidates that have divided the sample: the simplest that is as good as the best, and the best. */
export function leading(all: readonly Divided[]): { readonly simplest: Outcome; readonly best: Outcome } {
  const counting = withoutIslands(all.flatMap(({ outcomes }) => outcomes));
  const best = highest(counting);
  const { length } = best.partition.labels;
  return { best, simplest: counting.find(({ score }) => score >= best.score - tolerance / length)! };
}

/** The choice has a stream of its own, the same for every view. */
function ownOf({ clusters, random, pace }: ToldLesson): ToldLesson {
  return { clusters, random: random.fork("choice"), pace };
}

function askedFor(clusters: number, shared: number, isMixed: boolean): readonly TeacherName[] {
  if (isMixed || shared < leastShared) return candidates.slice(0, 1);
  return clusters > mostClusters ? candidates.slice(0, 2) : candidates;
}

/** A view, ready to be divided. */
interface Seen {
  readonly name: string;
  /** All rows, and of these the sample. */
  readonly rows: Tensor<"float32">;
  readonly sample: Tensor<"float32">;
  /** Which rows these are, where not all. */
  readonly some: Int32Array | undefined;
  /** Who is whose neighbour in the sample; and by each pretraining alone. */
  readonly graph: Graph;
  readonly pretrainings: readonly Graph[];
  /** The share of neighbours on whom pretrainings agree; 1 where there is one. */
  readonly shared: number;
}

export type Outcome = Pick<Choice, "teacher" | "partition"> &
  Score &
  Pick<Seen, "name" | "shared"> &
  Required<Pick<View, "isMixed">>;

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
  const sampled = (of: Tensor<"float32">) => (some ? takeRows(of, some) : of);
  const narrowed = async (all: Tensor<"float32">) =>
    all.shape[1]! > axes ? await projected(all, await principalAxes(sampled(all), axes, pace), pace) : all;
  const neighboursAmong = (rows: Tensor<"float32">) => neighboursOf(rows, neighboursIn(rows, neighbours, k), pace);

  const rows = await narrowed(codes.length === 1 ? codes[0]! : sideBySide(codes));
  const sample = sampled(rows);
  const graph = await neighbourGraph(await neighboursAmong(sample), pace);
  if (codes.length === 1) return { name, rows, some, sample, graph, pretrainings: [graph], shared: 1 };
  const near: Neighbours[] = [];
  for (const each of codes) near.push(await neighboursAmong(sampled(await narrowed(each))));
  const pretrainings: Graph[] = [];
  for (const each of near) pretrainings.push(await neighbourGraph(each, pace));
  const shared = near.slice(1).map((other) => sharedNeighbours(near[0]!, other));
  return { name, rows, some, sample, graph, pretrainings, shared: Math.min(...shared) };
}

/** Whether pretrainings of the same rows agree on who is whose neighbour. */
export async function agree(codes: readonly Tensor<"float32">[], lesson: ToldLesson): Promise<boolean> {
  const n = codes[0]!.shape[0]!;
  const some = sampleOf(n, lesson.random.fork("choice"));
  return (await seenOf({ name: "", codes }, some, lesson.clusters, lesson.pace)).shared >= leastShared;
}

function sampleOf(n: number, random: Lesson["random"]): Int32Array | undefined {
  return n > most ? random.permutation(n).subarray(0, most).sort() : undefined;
}

/** [n, d₁ + d₂ + …]: each by its own spread, so that all weigh alike. */
export function sideBySide(codes: readonly Tensor<"float32">[]): Tensor<"float32"> {
  const n = codes[0]!.shape[0]!;
  const width = codes.reduce((sum, { shape }) => sum + shape[1]!, 0);
  const values = new Float32Array(n * width);
  let from = 0;
  for (const { data, shape } of codes) {
    const d = shape[1]!;
    const scale = 1 / Math.max(spreadOf(data, d), 1e-12);
    for (let i = 0; i < n; i++) for (let c = 0; c < d; c++) values[i * width + from + c] = scale * data[i * d + c]!;
    from += d;
  }
  return tensor("float32", [n, width], values);
}

/** √(Σ_c variance of column c). */
function spreadOf(data: Float32Array, d: number): number {
  const moments = new Moments(d);
  for (let at = 0; at < data.length; at += d) moments.add(data, at);
  return Math.sqrt(moments.squares.reduce((sum, squares) => sum + squares, 0) / moments.count);
}

function scoreOf({ labels }: Partition, graph: Graph): Score {
  const { association: score, modularity } = togethernessOf(graph, labels);
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
    `${teacher} of ${name} (${percent(score, 1)} of neighbours share a cluster)`;
  if (simplest.isMixed) {
    return `${simplest.teacher} of ${simplest.name}: with categories, a row's neighbours are merely those with the same values, so no teacher that goes by neighbours was asked`;
  }
  if (simplest.shared < leastShared) {
    return `${said(simplest)}: pretrainings agree on ${percent(simplest.shared, 1)} of a row's neighbours only, so no teacher that goes by neighbours was asked`;
  }
  if (simplest === best) return `${said(best)} keeps neighbours together best, and nothing simpler does about as well`;
  return `${said(simplest)} keeps neighbours together about as well as the best, ${said(best)}, and is simpler`;
}
