/** The color of every row on the map: by its cluster, its confidence, a column, or its cluster in another run. */

import { themeColorCount } from "../../report/parts/clusterColors.ts";
import type { OpenRun } from "../state/openRun.ts";

/** What the colors mean. */
export type Legend =
  | { readonly kind: "clusters" }
  | {
      readonly kind: "ramp";
      readonly name: string;
      readonly from: number;
      readonly to: number;
      readonly isDate: boolean;
    }
  | { readonly kind: "values"; readonly name: string; readonly values: readonly string[] };

export interface PointColors {
  readonly colors: Uint32Array;
  readonly legend: Legend;
}

export interface Theme {
  /** Of the theme's --c0 to --c9, opaque. */
  readonly clusters: readonly number[];
  readonly soft: number;
  readonly faded: number;
  readonly unsure: number;
  readonly sure: number;
}

/** The theme that is shown, as numbers: red in the lowest byte, opacity in the highest. */
export function shownTheme(): Theme {
  const styles = getComputedStyle(document.documentElement);
  const read = (name: string): number => numberOf(styles.getPropertyValue(name).trim());
  return {
    clusters: Array.from({ length: themeColorCount }, (_, i) => read(`--c${i}`)),
    soft: read("--soft"),
    faded: withOpacity(read("--rule"), 110),
    unsure: read("--unsure"),
    sure: read("--sure"),
  };
}

/** #rrggbb as a number. */
export function numberOf(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) || 0);
  return ((255 << 24) | (blue! << 16) | (green! << 8) | red!) >>> 0;
}

function withOpacity(color: number, opacity: number): number {
  return ((color & 0xffffff) | (opacity << 24)) >>> 0;
}

/** So many steps from one end of a ramp to the other. */
const steps = 64;

export function rampOf(from: number, to: number): Uint32Array {
  const mix = (shift: number, share: number): number => {
    const [a, b] = [(from >>> shift) & 255, (to >>> shift) & 255];
    return Math.round(a + (b - a) * share);
  };
  return Uint32Array.from({ length: steps }, (_, i) => {
    const share = i / (steps - 1);
    return ((255 << 24) | (mix(16, share) << 16) | (mix(8, share) << 8) | mix(0, share)) >>> 0;
  });
}

/** `undefined` where the values of the column, or the clusters of the other run, are not here yet. */
export function pointColors(run: OpenRun, by: string, theme: Theme, other: string): PointColors | undefined {
  const colored = coloring(run, by, theme, other);
  if (!colored) return undefined;
  const mask = run.mask.value;
  const colors = new Uint32Array(run.rows);
  for (let row = 0; row < run.rows; row++) {
    if (!run.onMap.has(row)) continue;
    colors[row] = mask && !mask.has(row) ? theme.faded : colored.colorOf(row);
  }
  return { colors, legend: colored.legend };
}

interface Coloring {
  readonly colorOf: (row: number) => number;
  readonly legend: Legend;
}

function coloring(run: OpenRun, by: string, theme: Theme, other: string): Coloring | undefined {
  if (by === "confidence") {
    const values = run.confidence.value;
    return ramp("confidence", values, [0, 1], theme, false);
  }
  if (by === "run" && other !== "") {
    const beside = run.beside.value;
    return beside?.run === other ? byCluster(beside.clusterOf, beside.colors, theme) : undefined;
  }
  const [, number] = /^column:(\d+)$/.exec(by) ?? [];
  const column = number === undefined ? undefined : run.description.value.columns[Number(number)];
  if (!column) return byCluster(run.clusterOf.value, run.colors.value, theme);
  const known = run.columns.value.get(Number(number));
  if (!known) return undefined;
  if (!known.names) return ramp(column.name, known.values, middleOf(known.values), theme, column.form === "date");
  return byValue(column.name, known.values, known.names, theme);
}

function byCluster(clusterOf: ArrayLike<number>, colors: ReadonlyMap<number, number>, theme: Theme): Coloring {
  const most = Math.max(0, ...colors.keys());
  const table = Uint32Array.from(
    { length: most + 1 },
    (_, cluster) => theme.clusters[colors.get(cluster) ?? -1] ?? theme.soft,
  );
  return { colorOf: (row) => table[clusterOf[row]!] ?? theme.soft, legend: { kind: "clusters" } };
}

function ramp(
  name: string,
  values: ArrayLike<number>,
  [from, to]: readonly [number, number],
  theme: Theme,
  isDate: boolean,
): Coloring {
  const shades = rampOf(theme.unsure, theme.sure);
  const scale = (steps - 1) / (to - from || 1);
  return {
    colorOf(row) {
      const value = values[row]!;
      if (Number.isNaN(value)) return theme.soft;
      return shades[Math.max(0, Math.min(steps - 1, Math.round((value - from) * scale)))]!;
    },
    legend: { kind: "ramp", name, from, to, isDate },
  };
}

/** Without the farthest hundredth on each side, which would leave one color for all others. */
function middleOf(values: ArrayLike<number>): readonly [number, number] {
  const step = Math.max(1, Math.floor(values.length / 20_000));
  const some = Float64Array.from({ length: Math.ceil(values.length / step) }, (_, i) => values[i * step]!)
    .filter((value) => !Number.isNaN(value))
    .sort();
  if (some.length === 0) return [0, 1];
  return [some[Math.floor(some.length * 0.01)]!, some[Math.min(some.length - 1, Math.ceil(some.length * 0.99))]!];
}

/** The most frequent values have a color each; the others share one. */
function byValue(name: string, codes: ArrayLike<number>, names: readonly string[], theme: Theme): Coloring {
  const counts = new Float64Array(names.length);
  for (let row = 0; row < codes.length; row++) counts[codes[row]!]!++;
  const frequent = [...counts.keys()].filter((code) => code > 0 && counts[code]! > 0);
  frequent.sort((a, b) => counts[b]! - counts[a]!);
  const shown = frequent.slice(0, themeColorCount);
  const table = Uint32Array.from(
    { length: names.length },
    (_, code) => theme.clusters[shown.indexOf(code)] ?? theme.soft,
  );
  return {
    colorOf: (row) => table[codes[row]!]!,
    legend: { kind: "values", name, values: shown.map((code) => names[code]!) },
  };
}
