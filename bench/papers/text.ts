/** A table or a figure on a terminal. */

import type { Item } from "./index.ts";
import { type Mark, marks } from "./marks.ts";
import { aboutOf, isPlain, type Recorded } from "./paper.ts";
import { blocksOf } from "./rows.ts";

export function itemText({ name, paper, table, figure }: Item, recorded: Recorded): string {
  if (figure) {
    const state = figure.draw(recorded) ? `docs/papers/${paper.name}-fig${figure.id}.svg` : "not measured yet: --run";
    return `${name}  ${figure.title}\n  published: ${figure.published}\n  ours: ${aboutOf(figure, recorded)}\n  ${state}`;
  }
  if (!table) return name;
  const title = `${name}  ${paper.title}: ${table.title}`;
  const notes = (table.notes ?? []).map((note) => `  ${note}`);
  if (isPlain(table))
    return [title, ...aligned(table.head, [...table.published, ...table.ours(recorded)]), ...notes].join("\n");
  const blocks = blocksOf(paper, table, recorded);
  const used = new Set<Mark>(blocks.flatMap((block) => block.marks));
  const legend = [...used].map((mark) => `  ${marks[mark].sign}  ${marks[mark].about}`);
  const text = blocks.flatMap((block) => [
    ...(block.title ? ["", block.title] : [""]),
    ...aligned(block.head, block.rows),
  ]);
  return [title, ...text, "", ...legend, ...notes].join("\n");
}

function aligned(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? "").length)));
  return all.map((row) =>
    row
      .map((cell, at) => (at < 2 || at === row.length - 1 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join("  ")
      .trimEnd(),
  );
}
