/** What the accuracy benchmark has recorded: a line of JSON for each cell, in bench/results/accuracy/DATA.jsonl. */

import { appendFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Line {
  readonly cell: string;
  readonly data: string;
  readonly seed: number;
  readonly start?: Readonly<Record<string, number>>;
  readonly scores: Readonly<Record<string, number>>;
  /** What its profile said then. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly measures?: Readonly<Record<Measure, number>>;
  readonly losses?: Readonly<Record<string, number>>;
  readonly epochs?: number;
  /** Scores and loss through training. */
  readonly curve?: readonly CurvePoint[];
  readonly stopped?: string;
  /** What was said about it on the way. */
  readonly notices?: readonly string[];
  /** How many rows a teacher saw, where it did not see all. */
  readonly sample?: number;
  /** Why the figures are rounded: such a record is there until its cell is run again. */
  readonly rounded?: string;
  /** Whether it was stopped in the middle, and these are its figures so far. */
  readonly unfinished?: true;
  readonly seconds: number;
  readonly device?: string;
  readonly commit?: string;
  readonly command?: string;
}

export interface CurvePoint {
  readonly epoch: number;
  readonly accuracy: number;
  readonly nmi: number;
  readonly ari: number;
  readonly loss?: number;
}

export const results = "bench/results/accuracy";

export async function linesOf(folder: string = results): Promise<Line[]> {
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".jsonl")).sort();
  return lastOf((await Promise.all(files.map((file) => linesIn<Line>(join(folder, file))))).flat());
}

/** One line for each cell, the last; one to be run again only where there is no other. */
function lastOf(lines: readonly Line[]): Line[] {
  const byCell = new Map<string, Line>();
  for (const line of lines) {
    const before = byCell.get(line.cell);
    if (!before || isOpen(before) || !isOpen(line)) byCell.set(line.cell, line);
  }
  return [...byCell.values()];
}

/** Whether a cell is still to be run, though it has a line. */
export function isOpen({ rounded, unfinished }: Line): boolean {
  return rounded !== undefined || unfinished === true;
}

/** A line is added, and nothing else is touched: several processes may keep lines in the same file. */
export async function keep(file: string, line: object): Promise<void> {
  await appendFile(file, `${JSON.stringify(line)}\n`);
}

/** The lines of a file, none where there is no file. */
export async function linesIn<T>(file: string): Promise<T[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

/** The cells that need not be run again. */
export async function done(file: string): Promise<ReadonlySet<string>> {
  const lines = await linesIn<Line>(file);
  return new Set(lines.filter((line) => !isOpen(line)).map(({ cell }) => cell));
}

export function grouped<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item]);
  return groups;
}

/** The lines of each cell's name without its seed. */
export function bySeeds(lines: readonly Line[]): Map<string, Line[]> {
  const groups = grouped(lines, ({ cell }) => cell.replace(/\/\d+$/, ""));
  for (const group of groups.values()) group.sort((a, b) => a.seed - b.seed);
  return groups;
}

type Measure = "loss" | "silhouette" | "divergence";

/** The line that a label-free measure ranks first, of those that were measured. */
export function best(lines: readonly Line[], measure: Measure): Line {
  const value = ({ measures }: Line): number => (measure === "silhouette" ? 1 : -1) * measures![measure];
  return lines.filter(({ measures }) => measures).reduce((a, b) => (value(b) > value(a) ? b : a));
}

export const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle) - 1]!) / 2;
}

export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

export const percent = (share: number): string => (100 * share).toFixed(1);
