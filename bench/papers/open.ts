/** What of the tables has still to be run: each cell with its time, as estimated, and the command that runs it. */

import { teachers } from "../../src/doors/teachers.ts";
import { type Cell, groupOf } from "../cell.ts";
import { cells } from "../cells.ts";
import { foreign } from "../foreignData.ts";
import { grouped, isOpen } from "../records.ts";
import { items } from "./index.ts";
import { minutesOf, thousandsOf, type Where, whereFor } from "./minutes.ts";
import { isPlain, type Recorded } from "./paper.ts";
import { inOrder } from "./priority.ts";
import { groupsOf } from "./rows.ts";

export interface Open {
  /** The cell without its seeds. */
  readonly group: string;
  readonly data: string;
  /** How many of its seeds have no record yet, or one that is to be made again. */
  readonly seeds: number;
  readonly where: Where;
  /** What one seed takes; none where nothing like it has been timed. */
  readonly minutes: number | undefined;
  /** Whether its data is among those that are not here. */
  readonly isAbsent: boolean;
  /** What follows `papers --run --data DIR`. */
  readonly options: string;
}

/** In the order in which `--run` takes them. */
export function openCells(recorded: Recorded): Open[] {
  const shown = new Set(
    items.flatMap(({ table, figure }) => figure?.needs ?? (table && !isPlain(table) ? groupsOf(table) : [])),
  );
  const left = cells.filter((cell) => shown.has(groupOf(cell)) && !isDone(cell, recorded));
  const seeds = grouped(inOrder(left, groupOf), groupOf);
  return [...seeds].map(([group, all]) => {
    const [cell] = all as [Cell, ...Cell[]];
    const where = whereFor(cell);
    return {
      ...{ group, data: cell.data, seeds: all.length, where },
      minutes: cell.profile === "teacher" ? minutesOfTeacher(cell, recorded) : minutesOf(cell, where),
      isAbsent: cell.data in foreign,
      options: `--only ${group}${optionsFor(where)}`,
    };
  });
}

export const optionsFor = (where: Where): string => (where === "gpu" ? " --device gpu --checkpoints DIR" : "");

function isDone(cell: Cell, recorded: Recorded): boolean {
  return recorded.lines(groupOf(cell)).some((line) => line.seed === cell.seed && !isOpen(line));
}

/**
 * From the slowest of its records: those that see few rows look at all pairs of them, the others at each row.
 * Only the numbers of rows are compared.
 */
function minutesOfTeacher({ method, data }: Cell, recorded: Recorded): number | undefined {
  const { most } = teachers[method as keyof typeof teachers];
  const seen = (of: string): number => Math.min(1000 * thousandsOf(of), most);
  const power = most <= 20_000 ? 2 : 1;
  const times = timed.flatMap((of) =>
    recorded
      .lines(`${of}/${method}/teacher`)
      .map(({ seconds }) => (seconds / 60) * Math.max(1, seen(data) / seen(of)) ** power),
  );
  return times.length > 0 ? Math.max(...times) : undefined;
}

/** Where `bench comparators` runs all of them. */
const timed = ["usps", "mnist-test"];

/** Minutes in words. */
export function inWords(minutes: number | undefined): string {
  if (minutes === undefined) return "–";
  if (minutes < 1) return "under 1 min";
  return minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
}
