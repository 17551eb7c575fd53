/**
 * The tables and figures of the five papers, with our figures beside the published ones.
 *
 * usage: npm run -s bench -- papers                     all of them, and how much of each has been run
 *        npm run -s bench -- papers tell/4 [tell/fig2]  some of them
 *          [--run --data DIR [--device cpu|gpu] [--minutes M] [--checkpoints DIR] [--only TEXT]
 *            [--claims DIR] [--out DIR] [--rows 3000] [--measured DIR]]
 *          [--write]                                    docs/papers from what is recorded
 *
 * --run runs what has no record yet, by the cells of the accuracy benchmark, and measures what figures need. Those that
 * would take a processor more than 150 minutes, or than --minutes where that is more, are left to a GPU. Processes with
 * the same --claims share the cells.
 * `figures` in place of a name means all that have to be measured; they train on so many rows.
 */

import { mkdir, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Device, type DeviceName, devices, findDevice } from "../src/doors/inside.ts";
import { type Cell, groupOf, named } from "./cell.ts";
import { cells } from "./cells.ts";
import { isHere } from "./data.ts";
import { type Item, items, itemsOf } from "./papers/index.ts";
import { measurements } from "./papers/measurements.ts";
import { minutesOf, mostMinutes, whereFor } from "./papers/minutes.ts";
import { pagesOf, stateOf } from "./papers/pages.ts";
import { isPlain, type Recorded } from "./papers/paper.ts";
import { inOrder } from "./papers/priority.ts";
import { keepMeasured, measuredFolder, readRecorded } from "./papers/recorded.ts";
import { groupsOf } from "./papers/rows.ts";
import { itemText } from "./papers/text.ts";
import { isOpen, results } from "./records.ts";
import { runCells } from "./runCells.ts";

export async function papers(parameters: readonly string[]): Promise<void> {
  const { values: options, positionals } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: {
      run: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      data: { type: "string" },
      device: { type: "string", default: "cpu" },
      minutes: { type: "string" },
      checkpoints: { type: "string" },
      rows: { type: "string", default: "3000" },
      measured: { type: "string", default: measuredFolder },
      only: { type: "string", default: "" },
      claims: { type: "string" },
      out: { type: "string", default: results },
    },
  });
  const wanted = positionals.length > 0 ? positionals.flatMap(itemsOf) : items;
  if (options.run) {
    if (!options.data) throw new Error("bench: say with --data where the data sets are");
    await run(wanted, { ...options, data: options.data, isAll: positionals.length === 0 });
  }
  const recorded = await readRecorded();
  if (options.write) {
    await mkdir("docs/papers", { recursive: true });
    for (const [file, text] of pagesOf(recorded)) await writeFile(file, text);
  } else if (positionals.length > 0) {
    for (const item of wanted) console.log(`${itemText(item, recorded)}\n`);
  } else if (!options.run) {
    for (const item of items) console.log(lineOf(item, recorded));
  }
}

function lineOf({ name, table, figure }: Item, recorded: Recorded): string {
  const title = (table ?? figure)!.title;
  return `${name.padEnd(16)} ${stateOf({ table, figure }, recorded)}: ${title}`;
}

interface Run {
  readonly data: string;
  readonly device: string;
  readonly minutes?: string | undefined;
  readonly checkpoints?: string | undefined;
  readonly only: string;
  readonly claims?: string | undefined;
  readonly out: string;
  readonly rows: string;
  readonly measured: string;
  readonly isAll: boolean;
}

async function run(wanted: readonly Item[], options: Run): Promise<void> {
  const device = await findDevice(devices, options.device as DeviceName);
  const groups = new Set(wanted.flatMap(({ table }) => (table && !isPlain(table) ? groupsOf(table) : [])));
  for (const { figure } of wanted) for (const need of figure?.needs ?? []) groups.add(need);
  const all = inOrder(
    named(cells, options.only).filter((cell) => groups.has(groupOf(cell))),
    groupOf,
  );
  const before = await readRecorded(options.out, options.measured);
  const limit = Math.max(mostMinutes, Number(options.minutes ?? 0));
  const open: Cell[] = [];
  for (const cell of all) {
    if (!(await isHere(options.data, cell.data))) continue;
    if (before.lines(groupOf(cell)).some((line) => line.seed === cell.seed && !isOpen(line))) continue;
    open.push(cell);
  }
  const runnable = open.filter((cell) => suits(cell, device, limit));
  const others = open.filter((cell) => !runnable.includes(cell) && whereFor(cell) !== device.name).length;
  const left = others > 0 ? `; ${others} are for ${device.name === "gpu" ? "processors" : "a GPU: --device gpu"}` : "";
  console.log(`papers: ${runnable.length} of ${all.length} cells to run here${left}`);
  await runCells(runnable, { ...options, device, minutes: Number(options.minutes ?? "Infinity") });
  // Measuring what figures need takes its time: only where they are asked for by name.
  if (options.isAll) return;
  const needs = wanted.flatMap(
    ({ table, figure }) => figure?.needs ?? (table && isPlain(table) ? (table.needs ?? []) : []),
  );
  for (const need of new Set(needs)) {
    const measure = measurements[need];
    if (!measure || before.measured(need) !== undefined) continue;
    console.log(`papers: measuring ${need}`);
    const measured = await measure({ data: options.data, device, rows: Number(options.rows) }).catch(
      (error: Error) => error,
    );
    if (measured instanceof Error) console.error(`papers: ${need}: ${measured.message}`);
    else await keepMeasured(options.measured, need, measured);
  }
}

/** Whether a device is for a cell: what is too long for a processor goes to a GPU, and teachers never do. */
function suits(cell: Cell, device: Device, limit: number): boolean {
  return device.name === "gpu" ? cell.profile !== "teacher" : minutesOf(cell) <= limit;
}
