/** The losses, epoch by epoch. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import type { FitEpoch } from "../../api/fits.ts";
import { onThemeChange } from "../../report/browser/theme.ts";
import { number } from "../../report/parts/numbers.ts";

export function Curves({ epochs }: { readonly epochs: readonly FitEpoch[] }) {
  const area = useRef<HTMLDivElement>(null);
  const names = [...new Set(epochs.flatMap(({ losses }) => Object.keys(losses)))];
  const key = names.join(" ");
  const plot = useRef<uPlot | undefined>(undefined);
  const theme = useSignal(0);
  useEffect(() => onThemeChange(() => theme.value++), []);
  const data = (): uPlot.AlignedData => [
    epochs.map((_, i) => i + 1),
    ...names.map((name) => epochs.map(({ losses }) => losses[name] ?? null)),
  ];
  useEffect(() => {
    const element = area.current!;
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    let isOver = false;
    speakALanguage();
    // Only where there are curves.
    void import("uplot").then(({ default: Plot }) => {
      if (isOver) return;
      plot.current = new Plot(optionsOf(element, names), data(), element);
      observer.observe(element);
    });
    return () => {
      isOver = true;
      observer.disconnect();
      plot.current?.destroy();
    };
  }, [key, theme.value]);
  useEffect(() => plot.current?.setData(data()), [epochs]);
  return <div ref={area} class="curves" role="img" aria-label={`Losses of ${epochs.length} epochs: ${key}`} />;
}

/** uPlot writes numbers in the browser's language and fails where that is none: `en-US@posix`, where LANG is C. */
function speakALanguage(): void {
  try {
    new Intl.NumberFormat(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });
  }
}

const height = 180;

function optionsOf(element: HTMLElement, names: readonly string[]): uPlot.Options {
  const styles = getComputedStyle(element);
  const read = (name: string): string => styles.getPropertyValue(name).trim();
  const axis = { stroke: read("--soft"), grid: { stroke: read("--rule"), width: 1 }, ticks: { show: false } };
  return {
    width: Math.max(200, element.clientWidth),
    height,
    scales: { x: { time: false } },
    legend: { show: true, live: true },
    axes: [axis, { ...axis, size: 54, values: (_, values) => values.map(number) }],
    series: [
      { label: "epoch" },
      ...names.map((label, i) => ({ label, stroke: read(`--c${i % 10}`), width: 1.5, spanGaps: false })),
    ],
  };
}
