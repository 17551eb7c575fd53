/** The parts of a margin as a table that adds up: the largest one by one, the others together, and what is left. */

import type { Explanation } from "../doors/inside.ts";
import { percent } from "../text/shares.ts";
import { cut, decimal, table } from "./tables.ts";

type Why = NonNullable<Explanation["why"]>;
type Attention = NonNullable<Explanation["attention"]>;

interface Line {
  readonly part: number;
  readonly name: string;
  readonly cells?: readonly string[];
  /** Whether the row has no such value itself. */
  readonly filled?: true;
}

/** By the numbers of the row where they have names, else by the numbers of the code. */
export function partsTable(why: Why, most: number, width?: number): string {
  const { own, other, latent, input } = why;
  const byFeature = input.features.length > 0;
  const lines: Line[] = byFeature
    ? input.features.map(({ part, name, value, exemplar, said, filled }) => ({
        ...{ part, name },
        ...(filled && { filled }),
        cells: said?.map((words) => cut(words, 30)) ?? [value, exemplar].map(decimal),
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
  return table(
    [
      { title: byFeature ? "column" : "number of the code" },
      { title: "part", align: right },
      ...titles.map((title) => ({ title, align: right })),
    ],
    [...all, { part: sum, name: `sum: the margin of ${own} over ${other}` }].map(
      ({ part, name, cells = [], filled }: Line) => [
        cut(name, 40),
        signed(part),
        ...titles.map((_, i) => `${filled && i === 0 ? "filled: " : ""}${cells[i] ?? ""}`),
      ],
    ),
    width,
  );
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
