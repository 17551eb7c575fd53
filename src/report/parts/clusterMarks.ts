/** How a page speaks of a cluster: by its number in a ring, by a link to its card, by its name, by its exemplar. */

import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import type { ReportView } from "../reportView.ts";
import { html, type Markup } from "./markup.ts";
import { picture } from "./pictures.ts";

/** "cluster 3", with its name where it has one of its own. */
export function clusterTitle({ cluster, name }: ClusterSummary): string {
  return hasOwnName({ cluster, name }) ? `cluster ${cluster} (${name})` : `cluster ${cluster}`;
}

export function hasOwnName({ cluster, name }: Pick<ClusterSummary, "cluster" | "name">): boolean {
  return name !== "" && name.toLowerCase() !== `cluster ${cluster}`;
}

/** The number in a ring of the cluster's color: the number says which, for whoever does not see the color. */
export function clusterBadge(cluster: number, { colorOf }: ReportView): Markup {
  return html`<span class="badge" style="--c:var(--c${colorOf(cluster)})">${cluster}</span>`;
}

/** The number, leading to the cluster's card. */
export function clusterLink(cluster: number, view: ReportView): Markup {
  const known = view.clusterOf.get(cluster);
  return html`<a class="cluster" href="#cluster-${cluster}"${
    known && hasOwnName(known) && html` title="${known.name}"`
  }>${clusterBadge(cluster, view)}<span class="unseen"> cluster ${cluster}</span></a>`;
}

/** The exemplar, where it can be drawn; `largest` pixels on its longer side. */
export function exemplarPicture(
  { exemplar }: ClusterSummary,
  { data, showsPictures }: ReportView,
  alt: string,
  largest?: number,
): Markup | undefined {
  if (!showsPictures || exemplar.length === 0) return undefined;
  return picture(exemplar, data.source, alt, largest);
}
