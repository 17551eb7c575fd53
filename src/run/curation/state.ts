/**
 * What edits make of the clusters of a fit: which centers are in which cluster, and what they are called. No rows
 * here.
 */

import type { Members } from "../../training/membership.ts";
import type { Edit, EditOf } from "../folder/schemas/curation.ts";

export interface CuratedState {
  /** Of each center, its number in the fit; −1 for one that came later. */
  readonly origins: readonly number[];
  /** Of each cluster its centers, the leading one first. */
  readonly members: Members;
  readonly names: readonly string[];
  /** What somebody has written beside rows, by their numbers in the file. */
  readonly marks: ReadonlyMap<number, string>;
}

/** As it was fitted. */
export function fittedState(names: readonly string[]): CuratedState {
  const origins = names.map((_, center) => center);
  return { origins, members: origins.map((center) => [center]), names, marks: new Map() };
}

/** Whether every center of the fit still is a cluster of its own, and there are no others. */
export function hasFittedCenters({ origins, members }: CuratedState): boolean {
  return origins.every((origin, i) => origin === i) && members.every((own, i) => own.length === 1 && own[0] === i);
}

/** Whether an edit changes how rows are placed, and not only what clusters are called. */
export function isOfModel({ kind }: Edit): boolean {
  return kind !== "rename" && kind !== "mark";
}

/** Whether an edit learns something from rows. */
export function isLearned({ kind }: Edit): boolean {
  return kind === "split" || kind === "move" || kind === "gather" || kind === "follow";
}

/** Whether an edit puts a new center for the rows it moves, or the network learns to place them. */
export type Moving = "by a center" | "by learning";

/** The state after an edit. */
export function after(state: CuratedState, edit: Edit, moving: Moving): CuratedState {
  return (edits[edit.kind] as (state: CuratedState, edit: Edit, moving: Moving) => CuratedState)(state, edit, moving);
}

const edits: {
  readonly [K in Edit["kind"]]: (state: CuratedState, edit: EditOf<K>, moving: Moving) => CuratedState;
} = {
  rename: (state, { cluster, name }) => ({ ...state, names: state.names.with(cluster, name) }),

  merge(state, { clusters, name }) {
    const [lead] = clusters as readonly [number];
    const to = Math.min(...clusters);
    const isGone = (cluster: number): boolean => cluster !== to && clusters.includes(cluster);
    const merged = clusters.flatMap((cluster) => state.members[cluster]!);
    const left = <T>(items: readonly T[]): T[] => items.filter((_, cluster) => !isGone(cluster));
    return {
      ...state,
      members: left(state.members.with(to, merged)),
      names: left(state.names.with(to, name ?? state.names[lead]!)),
    };
  },

  split(state, { cluster, into, names }) {
    // The centers of the parts take the place of its own.
    const kept = keptCenters(state, cluster);
    const place = new Map(kept.map((center, i) => [center, i]));
    const parts = Array.from({ length: into }, (_, i) => [kept.length + i]);
    const members = state.members.map((own) => own.map((center) => place.get(center)!));
    const called = names ?? parts.map((_, i) => `${state.names[cluster]!}, part ${i + 1}`);
    return {
      ...state,
      origins: [...kept.map((center) => state.origins[center]!), ...parts.map(() => -1)],
      members: [...members.slice(0, cluster), parts[0]!, ...members.slice(cluster + 1), ...parts.slice(1)],
      names: [...state.names.with(cluster, called[0]!), ...called.slice(1)],
    };
  },

  move(state, { to }, moving) {
    if (moving === "by learning") return state;
    const center = state.origins.length;
    const members = state.members.with(to, [...state.members[to]!, center]);
    return { ...state, origins: [...state.origins, -1], members };
  },

  gather: (state, { name }) => ({
    ...state,
    origins: [...state.origins, -1],
    members: [...state.members, [state.origins.length]],
    names: [...state.names, name],
  }),

  mark(state, { rows, tag }) {
    const marks = new Map(state.marks);
    for (const row of rows) {
      if (tag === "") marks.delete(row);
      else marks.set(row, tag);
    }
    return { ...state, marks };
  },

  follow: (state) => state,
};

/** The centers that stay when a cluster is split, in their order. */
export function keptCenters({ origins, members }: CuratedState, cluster: number): number[] {
  return [...origins.keys()].filter((center) => !members[cluster]!.includes(center));
}

/** The number that a cluster has after an edit. */
export function clusterAfter(edit: Edit, cluster: number): number {
  if (edit.kind !== "merge") return cluster;
  const to = Math.min(...edit.clusters);
  if (edit.clusters.includes(cluster)) return to;
  return cluster - edit.clusters.filter((gone) => gone !== to && gone < cluster).length;
}

/** Refuses what is no edit. */
export function checkKind({ kind }: Edit): void {
  if (Object.hasOwn(edits, kind) && kind !== "follow") return;
  const known = Object.keys(edits).filter((name) => name !== "follow");
  throw new RangeError(`curate: an edit is one of ${known.join(", ")}, got ${JSON.stringify(kind)}`);
}

/** Refuses an edit of clusters that are not there. */
export function checkClusters({ names }: CuratedState, edit: Edit): void {
  const { cluster, clusters = [], to } = edit as { cluster?: number; clusters?: readonly number[]; to?: number };
  const unknown = [cluster ?? 0, ...clusters, to ?? 0].find((cluster) => cluster >= names.length);
  if (unknown !== undefined) {
    throw new RangeError(
      `curate: a cluster must be a whole number from 0 to ${names.length - 1}, got ${unknown}; the numbers are those of now, after all edits before`,
    );
  }
}

/** Refuses an edit of rows that are not there. */
export function checkRows(edit: Edit, isRow: (row: number) => boolean): void {
  if (!("rows" in edit) || typeof edit.rows === "number") return;
  const missing = edit.rows.find((row) => !isRow(row));
  if (missing !== undefined) {
    throw new RangeError(`curate: rows are said by their numbers in the file, from 0, and there is no row ${missing}`);
  }
}
