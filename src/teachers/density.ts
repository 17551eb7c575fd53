/**
 * Density: clusters are what stays together longest while the sea rises; what it floods first belongs to none.
 * HDBSCAN: Campello, Moulavi & Sander, 2013; Campello, Moulavi, Zimek & Sander, 2015.
 *
 *   core  distance of a row to the last of its neighbours, itself the first of them
 *   λ     density: 1 / distance at which clusters part or rows fall out
 *   S     stability of a cluster: Σ over its rows of (λ at which the row falls out − λ at which the cluster began)
 */

import type { Pace } from "../numerics/pace.ts";
import { type Branch, spanningTree } from "../numerics/spanningTree.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { neighboursOf } from "./neighbourhood.ts";
import { type Teacher, teacher } from "./teacher.ts";

export interface DensityOptions {
  /** Fewer rows are no cluster. Unless told, a hundredth of the rows, and 10 at least. */
  readonly minSize?: number;
  /** How many neighbours, the row itself among them, make a place dense. `minSize` unless told, and 10 at most. */
  readonly neighbours?: number;
}

/** All distances between so many rows are looked at: seconds for few columns, a minute for hundreds. */
const most = 20_000;

export function densityWith(name: string, { minSize, neighbours }: DensityOptions): Teacher {
  for (const [option, value] of Object.entries({ minSize, neighbours })) {
    if (value !== undefined && !(Number.isInteger(value) && value >= 2)) {
      throw new RangeError(`${name}: ${option} must be a whole number from 2, got ${value}`);
    }
  }
  return teacher({
    name,
    about: "Dense clusters of any form and number in a sparse surrounding, which belongs to none.",
    paper: "Campello, Moulavi & Sander, Density-based clustering based on hierarchical density estimates, PAKDD 2013",
    clusters: "found",
    most,
    async divide(rows, { pace }) {
      const size = minSize ?? Math.max(10, Math.ceil(rows.shape[0]! / 100));
      return { labels: await densityLabels(rows, size, neighbours ?? Math.min(size, 10), pace) };
    },
  });
}

export const density = densityWith("density", {});

async function densityLabels(
  rows: Tensor<"float32">,
  minSize: number,
  neighbours: number,
  pace: Pace,
): Promise<Int32Array> {
  const n = rows.shape[0]!;
  if (n < minSize) return new Int32Array(n).fill(-1);
  const { count, distances } = await neighboursOf(rows, neighbours - 1, pace);
  const core = Float64Array.from({ length: n }, (_, i) => distances[(i + 1) * count - 1]!);
  const branches = await spanningTree(rows, core, pace);
  // Rows that are all equal are as dense as can be: one cluster, and none to compare it with.
  if (branches.at(-1)!.length === 0) return new Int32Array(n);
  const tree = condensed(dendrogramOf(branches), minSize);
  return labelsIn(tree, chosenIn(tree));
}

/** Nodes 0 to n − 1 are rows; node n + i is the union of left[i] and right[i] at this height. */
interface Dendrogram {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly height: Float64Array;
  /** Of every node. */
  readonly sizes: Int32Array;
}

function dendrogramOf(branches: readonly Branch[]): Dendrogram {
  const n = branches.length + 1;
  const left = new Int32Array(n - 1);
  const right = new Int32Array(n - 1);
  const sizes = new Int32Array(2 * n - 1).fill(1, 0, n);
  const parent = Int32Array.from({ length: 2 * n - 1 }, (_, node) => node);
  const topOf = (node: number): number => {
    while (parent[node] !== node) {
      parent[node] = parent[parent[node]!]!;
      node = parent[node]!;
    }
    return node;
  };
  branches.forEach(({ one, other }, i) => {
    const [a, b] = [topOf(one), topOf(other)];
    left[i] = a;
    right[i] = b;
    sizes[n + i] = sizes[a]! + sizes[b]!;
    parent[a] = parent[b] = n + i;
  });
  return { left, right, height: Float64Array.from(branches, ({ length }) => length), sizes };
}

/** Clusters of `minSize` rows and more, from the whole, which is 0, to smaller ones, and the last each row is in. */
interface Condensed {
  readonly parent: number[];
  readonly began: number[];
  readonly stability: number[];
  readonly clusterOf: Int32Array;
}

/** A union parts into two clusters only where both have `minSize` rows; else rows fall out of it, and it goes on. */
function condensed({ left, right, height, sizes }: Dendrogram, minSize: number): Condensed {
  const n = left.length + 1;
  const tree: Condensed = { parent: [-1], began: [0], stability: [0], clusterOf: new Int32Array(n) };
  // Equal rows part at no distance: their density is great, and finite.
  const least = 1e-10 * height.at(-1)!;
  const waiting: [node: number, cluster: number][] = [[2 * n - 2, 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, cluster] = next;
    const halves = [left[node - n]!, right[node - n]!];
    const lambda = 1 / Math.max(least, height[node - n]!);
    const parts = halves.every((half) => sizes[half]! >= minSize);
    for (const half of halves) {
      const isLarge = sizes[half]! >= minSize;
      // S of what it was: the rows of both halves where it parts, else of those that fall out.
      if (parts || !isLarge) tree.stability[cluster]! += (lambda - tree.began[cluster]!) * sizes[half]!;
      if (parts) {
        waiting.push([half, tree.parent.length]);
        tree.parent.push(cluster);
        tree.began.push(lambda);
        tree.stability.push(0);
      } else if (isLarge) waiting.push([half, cluster]);
      else for (const row of rowsUnder(half, n, left, right)) tree.clusterOf[row] = cluster;
    }
  }
  return tree;
}

function* rowsUnder(node: number, n: number, left: Int32Array, right: Int32Array): Generator<number> {
  const waiting = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next < n) yield next;
    else waiting.push(left[next - n]!, right[next - n]!);
  }
}

/**
 * The clusters with the greatest Σ S of which none is part of another (excess of mass): one is taken instead of its
 * parts unless they have more. The whole is never one.
 */
function chosenIn({ parent, stability }: Condensed): Uint8Array {
  const isChosen = new Uint8Array(parent.length);
  const parts = new Float64Array(parent.length);
  // Parts have greater numbers than what they are part of.
  for (let cluster = parent.length - 1; cluster > 0; cluster--) {
    isChosen[cluster] = stability[cluster]! >= parts[cluster]! ? 1 : 0;
    parts[parent[cluster]!]! += Math.max(stability[cluster]!, parts[cluster]!);
  }
  return isChosen;
}

/** Each row to the largest chosen cluster that it was ever in. */
function labelsIn({ parent, clusterOf }: Condensed, isChosen: Uint8Array): Int32Array {
  const largest = new Int32Array(parent.length).fill(-1);
  for (let cluster = 1; cluster < parent.length; cluster++) {
    const above = largest[parent[cluster]!]!;
    largest[cluster] = above >= 0 ? above : isChosen[cluster] ? cluster : -1;
  }
  return clusterOf.map((cluster) => largest[cluster]!);
}
