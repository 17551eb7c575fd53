/** A view as an address: which run, which rows, which colors, from where. */

import type { Camera } from "../points/camera.ts";
import type { Place } from "../points/picker.ts";

export interface Range {
  readonly column: number;
  readonly from: number;
  readonly to: number;
}

/** Rows that meet all that is said. */
export interface RowFilter {
  readonly text: string;
  /** None of them: any cluster. */
  readonly clusters: readonly number[];
  /** Clusters of the second run. None of them: any. */
  readonly others: readonly number[];
  /** Confidence from this on, and below that; 0 and 1: any. */
  readonly above: number;
  readonly below: number;
  readonly ranges: readonly Range[];
  /** Values of categories. */
  readonly values: readonly { readonly column: number; readonly value: string }[];
  /** What people have marked rows as. None of them: any. */
  readonly marks: readonly string[];
  /** A closed line on the map. */
  readonly lasso: readonly Place[];
}

export const pages = ["runs", "map", "table", "compare", "training"] as const;
export type PageName = (typeof pages)[number];

export interface View {
  readonly page: PageName;
  readonly run: string;
  /** A second run beside it. */
  readonly other: string;
  readonly fit: string;
  /** `cluster`, `confidence`, `column:3`, or `run`: the other one's clusters. */
  readonly color: string;
  readonly cluster: number | undefined;
  readonly row: number | undefined;
  readonly filter: RowFilter;
  readonly camera: Camera | undefined;
}

export const anyRow: RowFilter = {
  ...{ text: "", clusters: [], others: [], above: 0, below: 1 },
  ...{ ranges: [], values: [], marks: [], lasso: [] },
};

export const first: View = {
  page: "runs",
  run: "",
  other: "",
  fit: "",
  color: "cluster",
  cluster: undefined,
  row: undefined,
  filter: anyRow,
  camera: undefined,
};

export function isAnyRow({ text, above, below, ...lists }: RowFilter): boolean {
  return text === "" && above <= 0 && below >= 1 && Object.values(lists).every(({ length }) => length === 0);
}

/** Five digits are enough for a place and for a value. */
const short = (value: number): string => String(Number(value.toPrecision(6)));

/** A view as what follows # in an address; what is as usual is left out. */
export function written(view: View): string {
  const words = new URLSearchParams();
  const say = (name: string, value: string, usual = ""): void => {
    if (value !== usual) words.append(name, value);
  };
  say("page", view.page, "runs");
  for (const name of ["run", "other", "fit"] as const) say(name, view[name]);
  say("color", view.color, "cluster");
  for (const name of ["cluster", "row"] as const) say(name, view[name]?.toString() ?? "");
  const { text, above, below, ranges, values, marks, lasso } = view.filter;
  say("text", text);
  for (const name of ["clusters", "others"] as const) say(name, view.filter[name].join("."));
  say("above", short(above), "0");
  say("below", short(below), "1");
  for (const { column, from, to } of ranges) say("range", `${column}_${short(from)}_${short(to)}`);
  for (const { column, value } of values) say("value", `${column}_${value}`);
  for (const mark of marks) say("mark", mark);
  say("lasso", lasso.map(([x, y]) => `${short(x)}_${short(y)}`).join("_"));
  if (view.camera) say("at", [view.camera.x, view.camera.y, view.camera.scale].map(short).join("_"));
  return words.toString();
}

/** The view that an address has; what cannot be understood is as usual. */
export function read(address: string): View {
  const words = new URLSearchParams(address);
  const numbers = (text: string | null): number[] =>
    (text ?? "").split("_").filter(Boolean).map(Number).filter(Number.isFinite);
  const count = (name: string): number | undefined => {
    const text = words.get(name) ?? "";
    return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  const counts = (name: string): number[] =>
    (words.get(name) ?? "")
      .split(".")
      .filter((text) => /^\d{1,9}$/.test(text))
      .map(Number);
  const page = words.get("page") ?? "";
  const places = numbers(words.get("lasso"));
  const [x, y, scale] = numbers(words.get("at"));
  const [above, below] = [Number(words.get("above") ?? 0), Number(words.get("below") ?? 1)];
  return {
    page: pages.find((name) => name === page) ?? "runs",
    run: words.get("run") ?? "",
    other: words.get("other") ?? "",
    fit: words.get("fit") ?? "",
    color: words.get("color") ?? first.color,
    cluster: count("cluster"),
    row: count("row"),
    filter: {
      text: (words.get("text") ?? "").slice(0, 200),
      clusters: counts("clusters"),
      others: counts("others"),
      above: above >= 0 && above <= 1 ? above : 0,
      below: below >= 0 && below <= 1 ? below : 1,
      ranges: words.getAll("range").flatMap((text) => {
        const [column, from, to] = numbers(text);
        return to === undefined ? [] : [{ column: column!, from: from!, to }];
      }),
      values: words.getAll("value").flatMap((text) => {
        const [, column, value] = /^(\d{1,9})_(.*)$/s.exec(text) ?? [];
        return column === undefined ? [] : [{ column: Number(column), value: value! }];
      }),
      marks: words.getAll("mark").filter((mark) => mark !== ""),
      lasso: Array.from({ length: places.length >> 1 }, (_, i) => [places[2 * i]!, places[2 * i + 1]!] as const),
    },
    camera: scale === undefined || scale <= 0 ? undefined : { x: x!, y: y!, scale },
  };
}
