/** A histogram over which one drags to keep the rows of a range; two sliders do the same for the keyboard. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { bins, type Histogram } from "./histogram.ts";

interface Given {
  readonly name: string;
  readonly histogram: Histogram;
  readonly range: readonly [number, number] | undefined;
  readonly write: (value: number) => string;
  readonly onRange: (range: readonly [number, number] | undefined) => void;
}

const [width, height] = [240, 44];

export function Brush({ name, histogram, range, write, onRange }: Given) {
  const { from, to, all, meant } = histogram;
  const area = useRef<SVGSVGElement>(null);
  const begun = useSignal<number | undefined>(undefined);
  const most = Math.max(1, ...all);
  const span = to - from || 1;
  const valueAt = (event: PointerEvent): number => {
    const { left, width: wide } = area.current!.getBoundingClientRect();
    return from + span * Math.max(0, Math.min(1, (event.clientX - left) / wide));
  };
  const [low, high] = range ?? [from, to];
  const across = (value: number): number => ((value - from) / span) * width;
  const bars = (counts: Float64Array): string =>
    Array.from(counts, (count, i) => {
      const tall = count === 0 ? 0 : Math.max(1, (count / most) * height);
      return tall === 0
        ? ""
        : `M${(i * width) / bins} ${height}v${-tall.toFixed(1)}h${width / bins - 0.6}v${tall.toFixed(1)}z`;
    }).join("");
  const slide = (which: 0 | 1, value: number): void => {
    const next: [number, number] = [low, high];
    next[which] = value;
    if (next[0] <= next[1]) onRange(next[0] <= from && next[1] >= to ? undefined : next);
  };
  return (
    <div class="brush">
      <p>
        <b>{name}</b>{" "}
        <span class="soft">
          {write(low)} to {write(high)}
        </span>
        {range && (
          <button type="button" class="small" aria-label={`Any ${name}`} onClick={() => onRange(undefined)}>
            ×
          </button>
        )}
      </p>
      <svg
        ref={area}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          begun.value = valueAt(event);
        }}
        onPointerMove={(event) => {
          if (begun.value === undefined) return;
          const here = valueAt(event);
          if (Math.abs(here - begun.value) > span / 200)
            onRange([Math.min(here, begun.value), Math.max(here, begun.value)]);
        }}
        onPointerUp={() => (begun.value = undefined)}
      >
        <path class="all" d={bars(all)} />
        <path class="meant" d={bars(meant)} />
        {range && (
          <rect class="chosen" x={across(low)} width={Math.max(1, across(high) - across(low))} y={0} height={height} />
        )}
      </svg>
      <div class="ends">
        {([0, 1] as const).map((which) => (
          <input
            key={which}
            type="range"
            min={from}
            max={to}
            step={span / 200}
            value={which === 0 ? low : high}
            aria-label={`${name} ${which === 0 ? "from" : "to"}`}
            aria-valuetext={write(which === 0 ? low : high)}
            onInput={({ currentTarget }) => slide(which, Number(currentTarget.value))}
          />
        ))}
      </div>
    </div>
  );
}
