/** The clusters on the map: exemplars at their centers, which grow with the zoom, and names that do not overlap. */

import { useLayoutEffect, useRef } from "preact/hooks";
import type { ClusterBrief } from "../../api/runs.ts";
import { Picture } from "../panels/Picture.tsx";
import { nameOf } from "../panels/words.ts";
import type { PointMap } from "../points/pointMap.ts";
import type { OpenRun } from "../state/openRun.ts";
import { look, view } from "../state/view.ts";

/** Pixels of an exemplar: at first, and the most. */
const [smallest, largest] = [34, 150];

interface Markers {
  readonly run: OpenRun;
  readonly map: PointMap | undefined;
  /** Changes whenever the map has moved. */
  readonly moved: number;
}

export function Markers({ run, map, moved }: Markers) {
  const list = useRef<HTMLDivElement>(null);
  const { source, clusters } = run.description.value;
  const [pressed, mask] = [view.value.cluster, run.mask.value];
  const meant = view.value.filter.clusters;
  useLayoutEffect(() => {
    if (map && list.current) placeMarkers(list.current, map, run, source.arePictures);
  }, [map, moved, clusters, source.arePictures]);
  if (!map) return null;
  return (
    <div class="markers" ref={list}>
      {bySize(clusters).map((cluster) => (
        <button
          type="button"
          key={cluster.cluster}
          data-cluster={cluster.cluster}
          class={`marker${source.arePictures ? " pictured" : ""}${cluster.cluster === pressed ? " on" : ""}${
            meant.length > 0 && !meant.includes(cluster.cluster) ? " aside" : ""
          }`}
          style={{ "--c": `var(--c${run.colors.value.get(cluster.cluster) ?? 0})` }}
          // The list of clusters beside the map is what the keyboard goes through.
          tabIndex={-1}
          aria-hidden="true"
          onClick={() => look({ cluster: cluster.cluster, row: undefined }, true)}
        >
          {source.arePictures && <Picture run={run} of={{ cluster: cluster.cluster }} alt="" kind="picture" />}
          <span class="number">{cluster.cluster}</span>
          <span class={mask ? "name quiet" : "name"}>{nameOf(cluster)}</span>
        </button>
      ))}
    </div>
  );
}

function bySize(clusters: readonly ClusterBrief[]): ClusterBrief[] {
  return [...clusters].filter(({ size }) => size > 0).sort((a, b) => b.size - a.size);
}

interface Taken {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Each to its place; the larger clusters first, a name only where there is room for it. */
function placeMarkers(list: HTMLElement, map: PointMap, run: OpenRun, arePictures: boolean): void {
  const side = Math.min(largest, smallest * Math.max(1, map.zoom) ** 0.6);
  const taken: Taken[] = [];
  const isFree = (box: Taken): boolean =>
    taken.every((one) => box.right < one.left || box.left > one.right || box.bottom < one.top || box.top > one.bottom);
  const { width, height } = map.size;
  const markers = [...list.children] as HTMLElement[];
  const placed = markers.flatMap((marker) => {
    const cluster = run.clusters.value.get(Number(marker.dataset.cluster));
    const place = cluster && run.placeOf(cluster);
    const [left, top] = place ? map.pixelOf(...place) : [-1e4, -1e4];
    const isSeen = left > -side && top > -side && left < width + side && top < height + side;
    marker.hidden = !isSeen;
    if (!isSeen) return [];
    marker.style.transform = `translate(-50%, -50%) translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
    if (arePictures) marker.style.setProperty("--side", `${side.toFixed(1)}px`);
    const half = (arePictures ? side : 24) / 2 + 2;
    return [{ marker, left, top, half }];
  });
  for (const { left, top, half } of placed) {
    taken.push({ left: left - half, top: top - half, right: left + half, bottom: top + half });
  }
  for (const { marker, left, top, half } of placed) {
    const words = (marker.textContent?.length ?? 0) * 7 + 8;
    const toRight = { left: left + half + 1, top: top - 9, right: left + half + Math.min(200, words), bottom: top + 9 };
    const toLeft = { left: left - half - Math.min(200, words), top: top - 9, right: left - half - 1, bottom: top + 9 };
    const [rightFits, leftFits] = [isFree(toRight) && toRight.right < width, isFree(toLeft) && toLeft.left > 0];
    // One without room is seen when it is pointed at: then too within the map.
    // Attributes, and no classes: those are written anew when a cluster is pressed.
    marker.toggleAttribute("data-leftward", !rightFits && (leftFits || toRight.right >= width));
    marker.toggleAttribute("data-crowded", !rightFits && !leftFits);
    if (rightFits) taken.push(toRight);
    else if (leftFits) taken.push(toLeft);
  }
}
