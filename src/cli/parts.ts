/** The parts of a margin as a table that adds up: the largest one by one, the others together, and what is left. */

import type { Explanation } from "../doors/inside.ts";
import { cut, decimal, table } from "./tables.ts";

type Why = NonNullable<Explanation["why"]>;

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

function together(rest: readonly Line[]): Line[] {
  if (rest.length === 0) return [];
  return [{ part: rest.reduce((total, { part }) => total + part, 0), name: `(${rest.length} more)` }];
}

/** All parts with the same decimals, so that one sees them add up. */
function signed(part: number): string {
  return `${part < 0 ? "−" : "+"}${Math.abs(part).toFixed(4)}`;
}
