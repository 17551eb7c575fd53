/** Where the rows of one run's clusters are in the other's: ribbons as wide as rows are many. */

import { useEffect, useRef, useState } from "preact/hooks";
import { quantity } from "../../report/parts/numbers.ts";

export interface Side {
  readonly name: string;
  readonly clusters: readonly { readonly cluster: number; readonly name: string; readonly color: number }[];
}

interface Flow {
  readonly a: number;
  readonly b: number;
  readonly rows: number;
}

interface Given {
  readonly flows: readonly Flow[];
  readonly left: Side;
  readonly right: Side;
  readonly onFlow: (a: number, b: number) => void;
}

const [bar, gap] = [10, 8];

/** How wide the picture is, and how much of that the names have on each side: it is drawn as wide as there is room. */
interface Frame {
  readonly width: number;
  readonly inset: number;
}

const [narrowest, letter] = [320, 7.2];

const frameOf = (room: number): Frame => {
  const width = Math.max(narrowest, room);
  return { width, inset: Math.round(Math.min(280, 0.3 * width)) };
};

interface Stack {
  readonly top: ReadonlyMap<number, number>;
  readonly tall: ReadonlyMap<number, number>;
  readonly height: number;
}

export function Sankey({ flows, left, right, onFlow }: Given) {
  const section = useRef<HTMLElement>(null);
  const [room, measure] = useState(900);
  useEffect(() => {
    const element = section.current!;
    const observer = new ResizeObserver(() => measure(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const frame = frameOf(room);
  const { width, inset } = frame;
  const total = flows.reduce((sum, { rows }) => sum + rows, 0);
  const height = Math.max(220, 44 * Math.max(left.clusters.length, right.clusters.length));
  const most = Math.max(left.clusters.length, right.clusters.length);
  const scale = (height - gap * most) / Math.max(1, total);
  const from = stack(left, flows, ({ a }) => a, scale);
  const to = stack(right, flows, ({ b }) => b, scale);
  const [usedLeft, usedRight] = [new Map(from.top), new Map(to.top)];
  const ribbons = [...flows]
    .sort(
      (p, q) => (from.top.get(p.a) ?? 0) - (from.top.get(q.a) ?? 0) || (to.top.get(p.b) ?? 0) - (to.top.get(q.b) ?? 0),
    )
    .map((flow) => {
      const wide = flow.rows * scale;
      const [y0, y1] = [usedLeft.get(flow.a) ?? 0, usedRight.get(flow.b) ?? 0];
      usedLeft.set(flow.a, y0 + wide);
      usedRight.set(flow.b, y1 + wide);
      return { flow, path: ribbon(y0, y1, wide, frame) };
    });
  const colorOf = new Map(left.clusters.map(({ cluster, color }) => [cluster, color]));
  return (
    <section
      class="sankey"
      ref={section}
      aria-label={`Flows from ${left.name} to ${right.name}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it
      tabIndex={0}
    >
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>{`From ${left.name} to ${right.name}`}</title>
        {ribbons.map(({ flow, path }) => (
          // biome-ignore lint/a11y/useSemanticElements: a button cannot be a curve
          <path
            key={`${flow.a} ${flow.b}`}
            class="flow"
            d={path}
            role="button"
            tabindex={0}
            aria-label={`${quantity(flow.rows, "row")} from ${flow.a} to ${flow.b}`}
            style={{ fill: `var(--c${colorOf.get(flow.a) ?? 0})` }}
            onClick={() => onFlow(flow.a, flow.b)}
            onKeyDown={({ key }) => (key === "Enter" || key === " ") && onFlow(flow.a, flow.b)}
          >
            <title>{`${quantity(flow.rows, "row")} from ${flow.a} to ${flow.b}`}</title>
          </path>
        ))}
        <Ends side={left} stacked={from} at={inset - bar} toLeft letters={lettersIn(frame)} />
        <Ends side={right} stacked={to} at={width - inset} toLeft={false} letters={lettersIn(frame)} />
      </svg>
    </section>
  );
}

function stack(side: Side, flows: readonly Flow[], keyOf: (flow: Flow) => number, scale: number): Stack {
  const [top, tall] = [new Map<number, number>(), new Map<number, number>()];
  let at = 0;
  for (const { cluster } of side.clusters) {
    const rows = flows.reduce((sum, flow) => sum + (keyOf(flow) === cluster ? flow.rows : 0), 0);
    if (rows === 0) continue;
    top.set(cluster, at);
    tall.set(cluster, rows * scale);
    at += rows * scale + gap;
  }
  return { top, tall, height: at };
}

/** Letters of a name, beside the number of its cluster. */
const lettersIn = ({ inset }: Frame): number => Math.floor((inset - bar - 6) / letter) - 3;

function ribbon(y0: number, y1: number, wide: number, { width, inset }: Frame): string {
  const [x0, x1] = [inset, width - inset];
  const middle = (x0 + x1) / 2;
  const at = (value: number): string => value.toFixed(1);
  return `M${x0} ${at(y0)}C${middle} ${at(y0)} ${middle} ${at(y1)} ${x1} ${at(y1)}V${at(y1 + wide)}C${middle} ${at(
    y1 + wide,
  )} ${middle} ${at(y0 + wide)} ${x0} ${at(y0 + wide)}Z`;
}

interface EndsGiven {
  readonly side: Side;
  readonly stacked: Stack;
  readonly at: number;
  readonly toLeft: boolean;
  readonly letters: number;
}

function Ends({ side, stacked, at, toLeft, letters }: EndsGiven) {
  return (
    <>
      {side.clusters.map(({ cluster, name, color }) => {
        const [top, tall] = [stacked.top.get(cluster), stacked.tall.get(cluster)];
        if (top === undefined || tall === undefined) return null;
        return (
          <g key={cluster}>
            <rect x={at} y={top} width={bar} height={Math.max(1, tall)} style={{ fill: `var(--c${color})` }} />
            <text
              x={toLeft ? at - 6 : at + bar + 6}
              y={top + tall / 2}
              text-anchor={toLeft ? "end" : "start"}
              dominant-baseline="middle"
            >
              {cluster} {name.length > letters ? `${name.slice(0, letters - 1)}…` : name}
            </text>
          </g>
        );
      })}
    </>
  );
}
