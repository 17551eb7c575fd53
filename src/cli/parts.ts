/** The parts of a margin as a table that adds up: the largest one by one, the others together, and what is left. */

import type { Explanation } from "../doors/inside.ts";
import { number } from "../text/number.ts";
import { percent } from "../text/shares.ts";
import { cut, decimal, table } from "./tables.ts";

type Why = NonNullable<Explanation["why"]>;
type Attention = NonNullable<Explanation["attention"]>;

/** In letters: names are cut here, and words are given so much however narrow the terminal. */
const [longestName, leastWords] = [40, 14];

interface Line {
  readonly part: number;
  readonly name: string;
  readonly cells?: readonly string[];
  /** Whether the row has no such value itself. */
  readonly filled?: true;
}

/** By the numbers of the row where they have names, else by the numbers of the code. */
export function partsTable(why: Why, most: number, width = 100): string {
  const { own, other, latent, input } = why;
  const byFeature = input.features.length > 0;
  const lines: Line[] = byFeature
    ? input.features.map(({ part, name, value, exemplar, said, filled }) => ({
        ...{ part, name },
        ...(filled && { filled }),
        cells: said ?? [value, exemplar].map(shown),
      }))
    : latent.map(({ part, name, code, own: here, other: there }) => ({
        part,
        name,
        cells: [code, here, there].filter((number) => number !== undefined).map(decimal),
      }));
  lines.sort((a, b) => Math.abs(b.part) - Math.abs(a.part));
  const titles = byFeature ? ["row", `exemplar of ${other}`] : ["code", `center of ${own}`, `center of ${other}`];
  const all = [
    ...(byFeature ? [{ part: input.start, name: `(the exemplar of ${other} itself)` }] : []),
    ...lines.slice(0, most),
    ...together(lines.slice(most)),
    ...(byFeature
      ? [{ part: input.remainder, name: input.complete ? "(remainder)" : "(remainder, more than 1 %)" }]
      : []),
  ];
  const sum = all.reduce((total, { part }) => total + part, 0);
  const right = "right" as const;
  const rows = [...all, { part: sum, name: `sum: the margin of ${own} over ${other}` }].map(
    ({ part, name, cells = [], filled }: Line) => [
      cut(name, longestName),
      signed(part),
      ...titles.map((_, i) => `${filled && i === 0 ? "filled: " : ""}${cells[i] ?? ""}`),
    ],
  );
  // What the names and the parts leave of a line, two spaces before each: words of the exemplar are worth as much as
  // the row's.
  const taken = [0, 1].map((c) => Math.max(...rows.map((row) => row[c]!.length)));
  const room = Math.max(leastWords, Math.floor((width - taken[0]! - taken[1]! - 2) / titles.length) - 2);
  return table(
    [
      { title: byFeature ? "column" : "number of the code" },
      { title: "part", align: right },
      ...titles.map((title) => ({ title, align: right })),
    ],
    rows.map(([name, part, ...words]) => [name!, part!, ...words.map((each) => cut(each, room))]),
    width,
  );
}

/** A number of a row: four digits, and of large ones no more than people read. */
function shown(value: number): string {
  return Math.abs(value) < 99.95 ? decimal(value).replace("-", "−") : number(value);
}

/** How unlike each center the row is, how much it attends to it, and what that adds to its loss. */
export function attentionTable({ parts, others, loss }: Attention, most: number, width?: number): string {
  const rest = parts.slice(most);
  const sum = (of: "attention" | "part"): number =>
    rest.reduce((total, each) => total + each[of], 0) + (others?.[of] ?? 0);
  const left = rest.length + (others?.clusters ?? 0);
  const right = "right" as const;
  return table(
    [
      { title: "attends to" },
      { title: "attention", align: right },
      { title: "dissimilarity", align: right },
      { title: "part", align: right },
    ],
    [
      ...parts
        .slice(0, most)
        .map(({ cluster, attention, dissimilarity, part }) => [
          `cluster ${cluster}`,
          percent(attention, 1),
          decimal(dissimilarity),
          decimal(part),
        ]),
      ...(left > 0 ? [[`${left} others together`, percent(sum("attention"), 1), "", decimal(sum("part"))]] : []),
      ["sum: the loss of the row", "", "", decimal(loss)],
    ],
    width,
  );
}

function together(rest: readonly Line[]): Line[] {
  if (rest.length === 0) return [];
  return [{ part: rest.reduce((total, { part }) => total + part, 0), name: `(${rest.length} more)` }];
}

/** All parts with the same decimals, so that one sees them add up. */
function signed(part: number): string {
  return `${part < 0 ? "−" : "+"}${Math.abs(part).toFixed(4)}`;
}
