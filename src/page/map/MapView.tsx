/** The map: every row a point, the clusters above them, and what the pointer is at. */

import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { onThemeChange } from "../../report/browser/theme.ts";
import { quantity } from "../../report/parts/numbers.ts";
import type { Place } from "../points/picker.ts";
import { PointMap } from "../points/pointMap.ts";
import type { OpenRun } from "../state/openRun.ts";
import type { Session } from "../state/session.ts";
import { filterBy, look, view } from "../state/view.ts";
import { HoverCard, type Hovered } from "./HoverCard.tsx";
import { LegendLine } from "./LegendLine.tsx";
import { Markers } from "./Markers.tsx";
import { type Legend, pointColors, shownTheme } from "./pointColors.ts";
import { rowsUnder } from "./rowsUnder.ts";

export function MapView({ session, run }: { readonly session: Session; readonly run: OpenRun }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const map = useSignal<PointMap | undefined>(undefined);
  const moves = useSignal(0);
  const hovered = useSignal<Hovered | undefined>(undefined);
  const line = useSignal<readonly Place[]>([]);
  const lassoes = useSignal(false);
  const theme = useSignal(0);
  const legend = useSignal<Legend>({ kind: "clusters" });

  useEffect(() => {
    // A run without a map has nothing to draw on.
    if (!canvas.current) return;
    const opened = new PointMap(canvas.current, {
      onHover(point, left, top) {
        if (point === undefined) hovered.value = undefined;
        else if (point !== hovered.value?.row) hovered.value = { row: point, left, top };
      },
      onPress: (point) => look({ row: point, ...(point === undefined && { cluster: undefined }) }, true),
      onLasso(drawn) {
        lassoes.value = false;
        filterBy({ lasso: drawn });
      },
      onLine(drawn) {
        line.value = drawn.map(([x, y]) => opened.pixelOf(x, y));
      },
      onMove(camera) {
        moves.value++;
        if (camera !== view.peek().camera) look({ camera });
      },
    });
    opened.place(run.x, run.y, run.box);
    map.value = opened;
    onThemeChange(() => theme.value++);
    return () => opened.free();
  }, [run]);

  // From where a link or the way back looks at it.
  useSignalEffect(() => map.value?.look(view.value.camera));
  useSignalEffect(() => {
    void theme.value;
    if (!map.value) return;
    const by = view.value.color;
    const [, column] = /^column:(\d+)$/.exec(by) ?? [];
    if (column !== undefined) void session.attempt(() => run.column(Number(column)));
    const colored = pointColors(run, by, shownTheme(), view.value.other);
    if (!colored) return;
    const mask = run.mask.value;
    map.value.color(colored.colors, (row) => run.onMap.has(row) && (!mask || mask.has(row)));
    legend.value = colored.legend;
  });
  useSignalEffect(() => {
    const raised = [view.value.row, hovered.value?.row].filter((row) => row !== undefined);
    map.value?.raise(raised.filter((row) => row < run.rows && run.onMap.has(row)));
  });
  useSignalEffect(() => {
    if (map.value) map.value.lassoes = lassoes.value;
  });

  const { description, mask } = run;
  if (!description.value.map) {
    return (
      <p class="empty">This run has no map: `telltale report` draws one, or go on with the clusters and the table.</p>
    );
  }
  return (
    <figure class="map">
      <div class="toolbar">
        <ColorChoice run={run} session={session} />
        <span class="tools">
          <button type="button" aria-pressed={lassoes.value} onClick={() => (lassoes.value = !lassoes.value)}>
            Lasso
          </button>
          <button type="button" aria-label="Zoom in" onClick={() => map.value?.zoomBy(1.5)}>
            +
          </button>
          <button type="button" aria-label="Zoom out" onClick={() => map.value?.zoomBy(1 / 1.5)}>
            −
          </button>
          <button type="button" onClick={() => map.value?.showAll()}>
            All
          </button>
        </span>
      </div>
      <div class={lassoes.value ? "chart lassoing" : "chart"}>
        <canvas
          ref={canvas}
          tabIndex={0}
          role="img"
          aria-label={`A map of ${quantity(run.rows, "row")} in ${quantity(description.value.clusters.length, "cluster")}. The list beside it has the same clusters, the table the same rows. Arrows move it, plus and minus zoom.`}
        />
        <Markers run={run} map={map.value} moved={moves.value} />
        {line.value.length > 1 && (
          <svg class="line" aria-hidden="true">
            <polygon points={line.value.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")} />
          </svg>
        )}
        {hovered.value && map.value && (
          <HoverCard run={run} session={session} hovered={hovered.value} size={map.value.size} />
        )}
      </div>
      <figcaption>
        <LegendLine run={run} legend={legend.value} />
        <span class="under">{rowsUnder(run.rows, run.onMap, mask.value)}</span>
      </figcaption>
    </figure>
  );
}

function ColorChoice({ run, session }: { readonly run: OpenRun; readonly session: Session }) {
  // Without a server nobody knows which rows of another number of them are the same.
  const others = (session.runs.value ?? []).filter(
    ({ id, state, rows }) => id !== run.id && state === "done" && (run.source.kind === "server" || rows === run.rows),
  );
  const { color, other } = view.value;
  return (
    <label>
      Color by{" "}
      <select
        value={color === "run" ? `run:${other}` : color}
        onChange={({ currentTarget }) => {
          const [, beside] = /^run:(.*)$/.exec(currentTarget.value) ?? [];
          look(beside === undefined ? { color: currentTarget.value } : { color: "run", other: beside });
        }}
      >
        <option value="cluster">cluster</option>
        <option value="confidence">confidence</option>
        {run.listedColumns.length > 0 && (
          <optgroup label="column">
            {run.listedColumns.map(({ name, number, isUsed }) => (
              <option key={number} value={`column:${number}`}>
                {name}
                {!isUsed && " (not used to cluster)"}
              </option>
            ))}
          </optgroup>
        )}
        {others.length > 0 && (
          <optgroup label="another run">
            {others.map(({ id, name }) => (
              <option key={id} value={`run:${id}`}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </label>
  );
}
