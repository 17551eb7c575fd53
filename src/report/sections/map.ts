/** The map: every row a point, every cluster its exemplar or its number. */

import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { clusterBadge, clusterTitle, exemplarPicture, hasOwnName } from "../parts/clusterMarks.ts";
import { type MapFrame, mapFrame, pointSketch, storedPoints } from "../parts/mapPoints.ts";
import { html, type Markup } from "../parts/markup.ts";
import { nameSides, type Side } from "../parts/nameSides.ts";
import { percent, thousands } from "../parts/numbers.ts";
import type { ReportMap } from "../reportData.ts";
import type { ReportView } from "../reportView.ts";
import type { Section } from "../section.ts";

/** From here on the keyboard goes through the list beside the map, not through the map's numbers as well. */
const many = 30;

export const map: Section = { id: "map", name: "Map", title: "The map", content };

function content(view: ReportView): Markup | undefined {
  const { map, clusters, source } = view.data;
  if (!map) return undefined;
  const frame = mapFrame(map);
  const last = clusters.reduce((largest, { cluster }) => Math.max(largest, cluster), -1);
  const colors = Array.from({ length: last + 1 }, (_, cluster) => view.colorOf(cluster));
  const [row, rows] = view.rowWords;
  const shown =
    map.shown < source.rows
      ? `${thousands(map.shown)} of ${thousands(source.rows)} ${rows}`
      : `All ${thousands(source.rows)} ${rows}`;
  return html`<p>${shown}, laid out so that what the model finds alike lies close together. Each dot is one ${row}; the ${
    view.showsPictures ? "pictures" : "numbers"
  } mark the centers of the clusters. Directions have no meaning of their own, and neither has the distance between far-off islands.</p>
<div class="atlas">
<figure>
<div class="chart" style="aspect-ratio:${frame.width}/${frame.height}">
${pointSketch(map, frame, colors)}
<canvas hidden aria-hidden="true"></canvas>
<div class="markers">${markers(view, map, frame)}</div>
</div>
<figcaption><span id="under" role="status">&nbsp;</span>
<fieldset class="scripted"><legend class="unseen">Color the points by</legend>
<label><input type="radio" name="paint" value="cluster" checked> cluster</label>
<label><input type="radio" name="paint" value="confidence"> confidence <span class="scale" aria-hidden="true"><i></i></span><span class="ends" aria-hidden="true">unsure – sure</span></label>
</fieldset></figcaption>
</figure>
<div class="key"><h3>Clusters</h3>
<p class="hint scripted">Point at one to see it alone on the map; press it to keep it so.</p>
<ul>${clusters.map((cluster) => entry(cluster, view))}</ul></div>
</div>
${storedPoints(map, frame, colors)}`;
}

function entry(cluster: ClusterSummary, view: ReportView): Markup {
  const few = view.data.clusters.length <= many;
  return html`<li><button type="button" aria-pressed="false" data-cluster="${cluster.cluster}" data-words="${clusterTitle(
    cluster,
  )}: ${thousands(cluster.size)} ${view.rowWords[1]}, ${percent(cluster.confidence.mean)} confidence on average">${clusterBadge(
    cluster.cluster,
    view,
  )}${few && exemplarPicture(cluster, view, "", 28)}<span class="name">${hasOwnName(cluster) ? cluster.name : `cluster ${cluster.cluster}`}</span><span class="size">${thousands(
    cluster.size,
  )}</span></button></li>`;
}

/** The largest clusters first; one that would lie on another shows itself only when it is asked for. */
function markers(view: ReportView, map: ReportMap, frame: MapFrame): Markup[] {
  const { clusters } = view.data;
  const taken: (readonly [number, number])[] = [];
  // In units of the frame: what a number, or a picture, takes up; a hundred numbers must not hide the points.
  const apart = clusters.length > 100 ? 64 : clusters.length > many ? 38 : view.showsPictures ? 60 : 36;
  const marks = clusters
    .filter(({ cluster, size }) => size > 0 && map.centers[cluster]?.every(Number.isFinite))
    .sort((a, b) => b.size - a.size || a.cluster - b.cluster)
    .map((cluster) => {
      const [left, top] = frame.place(...map.centers[cluster.cluster]!);
      const crowded = taken.some(([x, y]) => Math.abs(x - left) < apart && Math.abs(y - top) < apart);
      if (!crowded) taken.push([left, top]);
      return { cluster, left, top, crowded, name: hasOwnName(cluster) ? cluster.name : "" };
    });
  const seen = marks.filter(({ crowded }) => !crowded);
  const sides = new Map(nameSides(seen, frame.width).map((side, i) => [seen[i]!.cluster, side]));
  return marks.map(({ cluster, left, top, crowded }) => {
    // What shows itself when it is asked for lies above the others.
    const side = sides.get(cluster) ?? (left > frame.width / 2 ? "left" : "right");
    return marker(cluster, view, { left: left / frame.width, top: top / frame.height, crowded, side });
  });
}

interface Spot {
  /** As shares of the frame. */
  readonly left: number;
  readonly top: number;
  readonly crowded: boolean;
  /** Where its name is; one that has no room shows itself only when it is asked for. */
  readonly side: Side;
}

function marker(cluster: ClusterSummary, view: ReportView, { left, top, crowded, side }: Spot): Markup {
  const number = cluster.cluster;
  const few = view.data.clusters.length <= many;
  const image = few ? exemplarPicture(cluster, view, "", 56) : undefined;
  const isLeftward = side === "left" || (side === "nowhere" && left > 0.5);
  const classes = [
    ...["marker", crowded && "crowded", image && "pictured"],
    ...[isLeftward && "leftward", side === "nowhere" && "silent"],
  ].filter(Boolean);
  const name = hasOwnName(cluster) && html` <span class="${few && !image ? "name" : "unseen"}">${cluster.name}</span>`;
  const place = `left:${(100 * left).toFixed(2)}%;top:${(100 * top).toFixed(2)}%;--c:var(--c${view.colorOf(number)})`;
  return html`<a class="${classes.join(" ")}" href="#cluster-${number}" data-cluster="${number}"${
    !few && html` tabindex="-1"`
  } style="${place}">${image ?? false}<span class="unseen">cluster </span><span class="number">${number}</span>${name}</a>`;
}
