/** What may be known of every candidate without labels: its partitions, how they hold on halves, how they look. */

import { ari } from "../../src/metrics/ari.ts";
import { silhouette } from "../../src/metrics/silhouette.ts";
import { type Graph, neighbourGraph } from "../../src/numerics/neighbours/neighbourGraph.ts";
import { NeighbourSearch } from "../../src/numerics/neighbours/neighbours.ts";
import { expectation, maximization, oneHot } from "../../src/numerics/normalMixture.ts";
import { type Pace, paceOf } from "../../src/numerics/pace.ts";
import { principalAxes, projected } from "../../src/numerics/principalAxes.ts";
import { carried } from "../../src/teachers/carried.ts";
import { teachers } from "../../src/teachers/index.ts";
import type { TeacherName } from "../../src/teachers/names.ts";
import { partitionOf } from "../../src/teachers/partition.ts";
import { togethernessOf } from "../../src/teachers/togetherness.ts";
import { Random } from "../../src/tensor/random.ts";
import { type Tensor, takeRows, tensor } from "../../src/tensor/tensor.ts";

/** The simplest first. */
export const candidateTeachers = ["kmeans", "ward", "mixture", "balanced-votes", "spectral", "manifold"] as const;

/** Rows of more columns are seen along so many principal axes. */
const axes = 32;

const splits = 2;

export interface SeenRows {
  readonly name: string;
  /** One for each pretraining. */
  readonly codes: readonly Tensor<"float32">[];
  /** Whether it is one that a run would have, and not only for comparison: then it is tried on halves. */
  readonly wanted: boolean;
}

type InViews = Readonly<Record<string, readonly number[]>>;

export interface Candidate {
  readonly view: string;
  readonly teacher: TeacherName;
  /** Of all rows, by each pretraining. */
  readonly labels: readonly (readonly number[])[];
  readonly seconds: number;
  /** Of each of the labelings, in each of the views, in each of its pretrainings. */
  readonly modularity: readonly InViews[];
  readonly association: readonly InViews[];
  /** In each of the views. */
  readonly silhouette: Readonly<Record<string, number>>;
  readonly likelihood: Readonly<Record<string, number>>;
}

/** How a candidate holds on halves: two of each for each split. */
export interface Halves {
  readonly view: string;
  readonly teacher: TeacherName;
  readonly stability: readonly number[];
  readonly strength: readonly number[];
}

export async function halvesOf(views: readonly SeenRows[], clusters: number, seed: number): Promise<Halves[]> {
  const random = Random.seeded(seed);
  const pace = paceOf(undefined);
  const out: Halves[] = [];
  for (const view of views.filter(({ wanted }) => wanted)) {
    const { name, codes } = await narrowed(view, pace);
    for (const teacher of candidateTeachers) {
      const held: { agreement: number; least: number }[] = [];
      for (let split = 0; split < splits; split++) {
        held.push(...(await onHalves(codes, teacher, clusters, random.fork(`split ${split}`), pace)));
      }
      const [stability, strength] = [held.map(({ agreement }) => agreement), held.map(({ least }) => least)];
      out.push({ view: name, teacher, stability, strength });
    }
  }
  return out;
}

export async function evidenceOf(views: readonly SeenRows[], clusters: number, seed: number): Promise<Candidate[]> {
  const random = Random.seeded(seed);
  const pace = paceOf(undefined);
  const seen = await Promise.all(views.map((view) => narrowed(view, pace)));
  const graphs = new Map<string, Graph[]>();
  for (const { name, codes } of seen) graphs.set(name, await Promise.all(codes.map((rows) => graphOf(rows, pace))));
  const inGraphs = (labels: Int32Array, kind: "modularity" | "association"): InViews =>
    Object.fromEntries(
      [...graphs].map(([name, some]) => [name, some.map((graph) => togethernessOf(graph, labels)[kind])]),
    );
  const out: Candidate[] = [];
  for (const { name: view, codes } of seen) {
    for (const teacher of candidateTeachers) {
      const began = performance.now();
      const labels: Int32Array[] = [];
      for (const [which, rows] of codes.entries()) {
        const lesson = { clusters, random: random.fork(`all ${which}`), pace };
        labels.push((await teachers[teacher].teach(rows, lesson)).labels);
      }
      const seconds = (performance.now() - began) / 1000;
      const first = labels[0]!;
      const likelihood: Record<string, number> = {};
      for (const other of seen) likelihood[other.name] = await likelihoodOf(other.codes[0]!, first, random, pace);
      out.push({
        view,
        teacher,
        labels: labels.map((of) => [...of]),
        seconds,
        modularity: labels.map((of) => inGraphs(of, "modularity")),
        association: labels.map((of) => inGraphs(of, "association")),
        // A partition of one pretraining is looked at in the other.
        silhouette: Object.fromEntries(
          seen.map((other) => [other.name, silhouetteOf(other.codes.at(-1)!, first, random)]),
        ),
        likelihood,
      });
    }
  }
  return out;
}

async function narrowed({ codes, ...view }: SeenRows, pace: Pace): Promise<SeenRows> {
  const narrow = async (rows: Tensor<"float32">) =>
    rows.shape[1]! > axes ? projected(rows, await principalAxes(rows, axes, pace), pace) : rows;
  return { ...view, codes: await Promise.all(codes.map(narrow)) };
}

async function graphOf(rows: Tensor<"float32">, pace: Pace): Promise<Graph> {
  return neighbourGraph(await (await NeighbourSearch.among(rows, pace)).ofEach(10, pace), pace);
}

/** P(f₁(A)) carried to B against P(f₂(B)), and P(f₂(B)) carried to A against P(f₁(A)). */
async function onHalves(
  codes: readonly Tensor<"float32">[],
  teacher: TeacherName,
  clusters: number,
  random: Random,
  pace: Pace,
): Promise<{ agreement: number; least: number }[]> {
  const [f1, f2] = [codes[0]!, codes[1] ?? codes[0]!];
  const n = f1.shape[0]!;
  const order = random.permutation(n);
  const [a, b] = [order.slice(0, n >> 1).sort(), order.slice(n >> 1).sort()];
  const taught = async (f: Tensor<"float32">, half: Int32Array) =>
    (await teachers[teacher].teach(takeRows(f, half), { clusters, random, pace })).labels;
  const [ofA, ofB] = [await taught(f1, a), await taught(f2, b)];
  const carry = async (labels: Int32Array, f: Tensor<"float32">, from: Int32Array, to: Int32Array) => {
    const all = await carried({ labels }, takeRows(f, from), from, f, pace);
    return to.map((row) => all.labels[row]!);
  };
  const [toB, toA] = [await carry(ofA, f1, a, b), await carry(ofB, f2, b, a)];
  return [
    { agreement: ari(ofB, toB), least: leastStrength(ofB, toB) },
    { agreement: ari(ofA, toA), least: leastStrength(ofA, toA) },
  ];
}

/** Of the cluster for which it is least, the share of its pairs that the other labeling puts together too. */
function leastStrength(own: Int32Array, other: Int32Array): number {
  const { labels, clusters } = partitionOf({ labels: own });
  let least = 1;
  for (let j = 0; j < clusters; j++) {
    const counts = new Map<number, number>();
    let size = 0;
    labels.forEach((label, i) => {
      if (label !== j) return;
      size++;
      counts.set(other[i]!, (counts.get(other[i]!) ?? 0) + 1);
    });
    if (size < 2) continue;
    let together = 0;
    for (const count of counts.values()) together += count * (count - 1);
    least = Math.min(least, together / (size * (size - 1)));
  }
  return least;
}

function silhouetteOf(rows: Tensor<"float32">, labels: Int32Array, random: Random): number {
  if (new Set(labels).size < 2) return -1;
  return silhouette(rows, labels, { sample: { size: 1000, random: random.fork("some") } });
}

/** Mean log-likelihood of the fifth of rows that a normal distribution for each cluster was not learned from. */
async function likelihoodOf(rows: Tensor<"float32">, labels: Int32Array, random: Random, pace: Pace): Promise<number> {
  const [n, d] = rows.shape as [number, number];
  const order = random.fork("held out").permutation(n);
  const [held, learned] = [order.subarray(0, Math.ceil(n / 5)), order.subarray(Math.ceil(n / 5))];
  const { labels: own, clusters: k } = partitionOf({ labels: learned.map((row) => Math.max(0, labels[row]!)) });
  const isFull = learned.length >= 2 * d * k;
  let variance = 0;
  for (let c = 0; c < d; c++) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < n; i++) {
      sum += rows.data[i * d + c]!;
      squares += rows.data[i * d + c]! ** 2;
    }
    variance += (squares / n - (sum / n) ** 2) / d;
  }
  const mixture = await maximization(takeRows(rows, learned), oneHot(own, k), k, isFull, 1e-3 * variance || 1, pace);
  const { logLikelihood } = await expectation(takeRows(rows, held), mixture, pace);
  return logLikelihood;
}

/** Each column to mean 0 and deviation 1, or all by one factor: as columns of rows that teachers see. */
export function standardized({ data, shape }: Tensor<"float32">): Tensor<"float32"> {
  const [n, d] = shape as [number, number];
  const out = new Float32Array(n * d);
  for (let c = 0; c < d; c++) {
    let mean = 0;
    for (let i = 0; i < n; i++) mean += data[i * d + c]! / n;
    let squares = 0;
    for (let i = 0; i < n; i++) squares += (data[i * d + c]! - mean) ** 2 / n;
    for (let i = 0; i < n; i++) out[i * d + c] = squares > 0 ? (data[i * d + c]! - mean) / Math.sqrt(squares) : 0;
  }
  return tensor("float32", shape, out);
}
