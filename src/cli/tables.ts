/** Text for people: tables in columns, numbers, durations. Names in it come from data, and are cleaned here. */

import { terminalText } from "../text/terminalText.ts";
import { thousands } from "../text/thousands.ts";

export interface TableColumn {
  readonly title: string;
  readonly align?: "left" | "right";
}

/** Rows under their titles, two spaces between columns, no line longer than `width`: the last column is cut. */
export function table(columns: readonly TableColumn[], rows: readonly (readonly string[])[], width = 100): string {
  const cells = [columns.map(({ title }) => title), ...rows].map((row) => row.map(terminalText));
  const widths = columns.map((_, c) => Math.max(...cells.map((row) => lengthOf(row[c] ?? ""))));
  const last = columns.length - 1;
  const line = (row: readonly string[]): string => {
    const padded = columns.map(({ align }, c) => {
      const text = row[c] ?? "";
      const room = " ".repeat(Math.max(0, widths[c]! - lengthOf(text)));
      return align === "right" ? room + text : c === last ? text : text + room;
    });
    return cut(padded.join("  ").trimEnd(), width);
  };
  return cells.map(line).join("\n");
}

/** Names and values side by side; a value to be copied stays on one line, however long. */
export function pairs(
  rows: readonly (readonly [name: string, value: string, isCopied?: boolean])[],
  width = 100,
): string {
  const widest = Math.max(...rows.map(([name]) => lengthOf(name)));
  const line = ([name, value, isCopied = false]: (typeof rows)[number]): string => {
    const start = `${name.padEnd(widest)}  `;
    return isCopied ? terminalText(`${start}${value}`) : hanging(start, value, width);
  };
  return rows.map(line).join("\n");
}

/** `before`, then the text, broken at spaces and continued under where it began. A number and its % stay together. */
export function hanging(before: string, text: string, width = 100): string {
  const start = terminalText(before);
  const room = Math.max(20, width - lengthOf(start));
  const lines: string[] = [];
  for (const word of terminalText(text).split(/\s+(?!(?:%|M|bn)(?![\p{L}\d]))/u)) {
    const line = lines.at(-1);
    if (line !== undefined && lengthOf(line) + 1 + lengthOf(word) <= room) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return start + lines.join(`\n${" ".repeat(lengthOf(start))}`);
}

export function cut(text: string, width: number): string {
  const letters = [...text];
  return letters.length <= width ? text : `${letters.slice(0, Math.max(0, width - 1)).join("")}…`;
}

export function counted(n: number, noun: string): string {
  return `${thousands(n)} ${noun}${n === 1 ? "" : "s"}`;
}

/** About four digits. */
export function decimal(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e6 ? String(Number(value.toPrecision(4))) : value.toExponential(3);
}

/** 45 s, 3 min 20 s, 2 h 5 min */
export function duration(seconds: number): string {
  const all = Math.max(0, Math.round(seconds));
  if (all < 60) return `${all} s`;
  if (all < 3600) return `${Math.floor(all / 60)} min${all % 60 ? ` ${all % 60} s` : ""}`;
  return `${Math.floor(all / 3600)} h ${Math.floor((all % 3600) / 60)} min`;
}

/** 7 s, 25 s, 4 min, 1 h 20 min: no more than can be known before. */
export function roughly(seconds: number): string {
  const steps: readonly [upTo: number, step: number][] = [
    [10, 1],
    [90, 5],
    [600, 30],
    [3600, 60],
    [Number.POSITIVE_INFINITY, 600],
  ];
  const [, step] = steps.find(([upTo]) => seconds < upTo)!;
  return duration(Math.max(1, Math.round(seconds / step) * step));
}

function lengthOf(text: string): number {
  return [...text].length;
}
