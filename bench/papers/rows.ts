/** A table of scores as rows of text: for every method what was published and, below, what ours is. */

import { groupOf } from "../cell.ts";
import { cells } from "../cells.ts";
import { deviationOf, type Line, meanOf } from "../records.ts";
import { dataMarks, type Mark, marks } from "./marks.ts";
import { whereFor } from "./minutes.ts";
import {
  type Column,
  cellsOf,
  type Paper,
  publishedOf,
  type Recorded,
  type Row,
  type ScoreName,
  scores,
  type Table,
} from "./paper.ts";

export interface Block {
  /** Above the rows; none where the table has one block alone. */
  readonly title?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly marks: readonly Mark[];
}

/** One of our cells in a table: what it is called, and what has been recorded of it. */
export interface Ours {
  /** Without the seed; none where there is no such cell. */
  readonly group?: string;
  readonly lines: readonly Line[];
  readonly marks: readonly Mark[];
}

const known = new Map(
  cells.flatMap((cell) => [
    [groupOf(cell), cell] as const,
    ...(cell.also ? [[groupOf({ ...cell, variant: cell.also.variant }), cell] as const] : []),
  ]),
);

/** Which of our cells stands beside a published one. */
export function oursOf(table: Table, row: Row, at: number, recorded: Recorded): Ours {
  const column = table.columns[at]!;
  const said = [...(row.marks ?? []), ...(column.marks ?? []).filter((mark) => mark !== "absent")];
  const candidates = cellsOf(row, column, at).filter((name) => known.has(name) || recorded.lines(name).length > 0);
  const group = candidates.find((name) => recorded.lines(name).length > 0) ?? candidates[0];
  if (group === undefined) return { lines: [], marks: said };
  const all = recorded.lines(group);
  const lines = row.seed === undefined ? all : all.filter(({ seed }) => seed === row.seed);
  if (lines.length === 0) return { group, lines, marks: [...said, ...whyNot(group, column)] };
  return {
    group,
    lines: row.best ? [smallestLoss(lines)] : lines,
    marks: [...said, ...marksOf(group, row, at, column, lines)],
  };
}

function whyNot(group: string, column: Column): Mark[] {
  if (column.marks?.includes("absent")) return ["absent"];
  const cell = known.get(group);
  return [cell && whereFor(cell) === "gpu" ? "gpu" : "missing"];
}

function marksOf(group: string, row: Row, at: number, column: Column, lines: readonly Line[]): Mark[] {
  const data = group.slice(0, group.indexOf("/"));
  const kind = column.isWhole ? undefined : dataMarks[data];
  const epochs = epochsOf(row, at);
  return [
    ...(kind ? [kind] : []),
    ...(lines.some(({ sample }) => sample !== undefined) && kind !== "sample" ? (["sample"] as const) : []),
    ...(epochs !== undefined && lines.some((line) => isShorter(line, epochs)) ? (["shorter"] as const) : []),
    ...(row.best ? (["best"] as const) : []),
    ...(group.endsWith("/relative") ? (["retuned"] as const) : []),
    ...(lines.some(({ rounded }) => rounded !== undefined) ? (["rounded"] as const) : []),
  ];
}

/** Whether it ran fewer epochs than were published, and not because its own rule ended it. */
function isShorter({ epochs: ran, stopped = "" }: Line, published: number): boolean {
  return ran !== undefined && ran < published && !stopped.endsWith(" stay") && !stopped.endsWith(" stays");
}

const smallestLoss = (lines: readonly Line[]): Line =>
  lines.reduce((a, b) => ((b.measures?.loss ?? Infinity) < (a.measures?.loss ?? Infinity) ? b : a));

function epochsOf({ epochs }: Row, at: number): number | undefined {
  return epochs === undefined || typeof epochs === "number" ? epochs : epochs[at];
}

/** A wide table is one block; of others, every column is one. */
export function blocksOf(paper: Paper, table: Table, recorded: Recorded): Block[] {
  if (table.isWide) return [wideBlock(paper, table, recorded)];
  return table.columns.map((column, at) => ({
    ...(table.columns.length > 1 && { title: column.title }),
    ...columnBlock(paper, table, column, at, recorded),
  }));
}

function columnBlock(paper: Paper, table: Table, column: Column, at: number, recorded: Recorded): Omit<Block, "title"> {
  const used = new Set<Mark>();
  const rows = table.rows.flatMap((row) => {
    const published = publishedOf(table, row)[at]!;
    const ours = oursOf(table, row, at, recorded);
    for (const mark of ours.marks) used.add(mark);
    const isPrinted = published.some((value) => value !== "—");
    if (!isPrinted && ours.group === undefined) return [];
    const values = column.scores.map((score) => shown(paper, score, ours.lines));
    const theirs = isPrinted ? [[row.name, "published", ...published, "", publishedEpochs(row, at), "", ""]] : [];
    const own = [
      isPrinted ? "" : row.name,
      "ours",
      ...values,
      ours.lines.length > 0 ? String(ours.lines.length) : "",
      ranEpochs(ours.lines, epochsOf(row, at)),
      ours.lines.length > 0 ? ours.group!.slice(0, ours.group!.indexOf("/")) : "",
      ours.marks.map(signOf).join(" "),
    ];
    return ours.group === undefined && ours.marks.length === 0 ? theirs : [...theirs, own];
  });
  const head = ["method", "whose", ...column.scores, "seeds", "epochs", "data", "marks"];
  return { head, rows, marks: [...used] };
}

function wideBlock(paper: Paper, table: Table, recorded: Recorded): Block {
  const used = new Set<Mark>();
  const rows = table.rows.flatMap((row) => {
    const published = publishedOf(table, row).map(([value]) => value!);
    const ours = table.columns.map((_, at) => oursOf(table, row, at, recorded));
    for (const { marks } of ours) for (const mark of marks) used.add(mark);
    const theirs = [row.name, "published", ...published];
    if (ours.every(({ lines }) => lines.length === 0)) return [theirs];
    return [theirs, ["", "ours", ...ours.map(({ lines }, at) => shown(paper, table.columns[at]!.scores[0]!, lines))]];
  });
  return { head: ["method", "whose", ...table.columns.map(({ title }) => title)], rows, marks: [...used] };
}

function publishedEpochs(row: Row, at: number): string {
  const epochs = epochsOf(row, at);
  return epochs === undefined ? "" : String(epochs);
}

function ranEpochs(lines: readonly Line[], published: number | undefined): string {
  const ran = lines.flatMap(({ epochs }) => (epochs === undefined ? [] : [epochs]));
  if (ran.length === 0) return "";
  const [least, most] = [Math.min(...ran), Math.max(...ran)];
  const text = least === most ? String(least) : `${least}–${most}`;
  return published === undefined ? text : `${text} of ${published}`;
}

/** Mean ± deviation, in percent where it is a share. */
function shown({ geometricNmi }: Paper, name: ScoreName, lines: readonly Line[]): string {
  const { of, isShare } = scores[name];
  if (of === undefined) return "";
  const from = of === "nmi" && geometricNmi ? "nmiGeometric" : of;
  const values = lines.flatMap((line) => {
    const value = of === "loss" ? line.measures?.loss : line.scores[from];
    return value === undefined ? [] : [value];
  });
  if (values.length === 0) return "–";
  const text = (value: number): string => (isShare ? (100 * value).toFixed(1) : value.toPrecision(5));
  return values.length > 1 ? `${text(meanOf(values))} ± ${text(deviationOf(values))}` : text(values[0]!);
}

export const signOf = (mark: Mark): string => marks[mark].sign;

/** How many of a table's cells have a record, of those that can have one. */
export function countOf(table: Table, recorded: Recorded): string {
  const ours = table.rows.flatMap((row) => table.columns.map((_, at) => oursOf(table, row, at, recorded)));
  const own = ours.filter(({ group }) => group !== undefined);
  const absent = own.filter(({ marks }) => marks.includes("absent")).length;
  const run = own.filter(({ lines }) => lines.length > 0).length;
  return `${run} of ${own.length}${absent > 0 ? ` (of ${absent} the data is not here)` : ""}`;
}

/** The names of our cells in a table, seeds left off: those that stand beside a published one. */
export function groupsOf(table: Table): string[] {
  const all = table.rows.flatMap((row) => table.columns.flatMap((column, at) => cellsOf(row, column, at)));
  return [...new Set(all)].filter((name) => known.has(name));
}
