/** What several sections need to know of a report's data. */

import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import type { ReportData } from "../reportData.ts";
import { html, type Markup } from "./markup.ts";
import { colorsOf } from "./palette.ts";
import { arePictures, picture } from "./pictures.ts";

export interface Context {
  readonly data: ReportData;
  /** Whether rows are shown as pictures. */
  readonly pictures: boolean;
  /** The place of a cluster in the palette, by the cluster's number. */
  readonly color: (cluster: number) => number;
  readonly byNumber: ReadonlyMap<number, ClusterSummary>;
  /** The largest effect of all: cards share a scale, so that a long bar in one is as much as a long bar in another. */
  readonly reach: number;
  /** What rows are called. */
  readonly things: readonly [one: string, many: string];
}

export function contextOf(data: ReportData): Context {
  const last = data.clusters.reduce((largest, { cluster }) => Math.max(largest, cluster), -1);
  const colors = colorsOf(last + 1, data.map?.centers);
  const pictures = arePictures(data.source.row);
  return {
    data,
    pictures,
    color: (cluster) => colors[cluster] ?? 0,
    byNumber: new Map(data.clusters.map((cluster) => [cluster.cluster, cluster])),
    reach: largestEffect(data),
    things: pictures ? ["image", "images"] : ["row", "rows"],
  };
}

function largestEffect({ clusters }: ReportData): number {
  let largest = 1;
  for (const { distinguishing } of clusters) {
    for (const { effect } of distinguishing) if (Number.isFinite(effect)) largest = Math.max(largest, Math.abs(effect));
  }
  return largest;
}

/** "cluster 3", with its name where it has one of its own. */
export function titleOf({ cluster, name }: ClusterSummary): string {
  return isNamed({ cluster, name }) ? `cluster ${cluster} (${name})` : `cluster ${cluster}`;
}

export function isNamed({ cluster, name }: Pick<ClusterSummary, "cluster" | "name">): boolean {
  return name !== "" && name.toLowerCase() !== `cluster ${cluster}`;
}

/** The number in a ring of the cluster's color: the number says which, for whoever does not see the color. */
export function badge(cluster: number, { color }: Context): Markup {
  return html`<span class="badge" style="--c:var(--c${color(cluster)})">${cluster}</span>`;
}

/** The number, leading to the cluster's card. */
export function link(cluster: number, context: Context, words?: string): Markup {
  const known = context.byNumber.get(cluster);
  return html`<a class="cluster" href="#cluster-${cluster}"${
    known && isNamed(known) && html` title="${known.name}"`
  }>${badge(cluster, context)}${words ?? false}<span class="unseen"> cluster ${cluster}</span></a>`;
}

/** The exemplar, where it can be drawn. */
export function drawn(cluster: ClusterSummary, context: Context, alt: string, largest?: number): Markup | undefined {
  const { row, range } = context.data.source;
  if (!context.pictures || cluster.exemplar.length === 0) return undefined;
  return picture(cluster.exemplar, { row, range }, alt, largest);
}
