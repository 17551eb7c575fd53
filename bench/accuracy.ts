/**
 * How well do the methods find the classes of real data?
 *
 * One cell is a method on a data set with a profile and a seed. Labels score a cell and decide nothing. Every finished
 * cell is a line of OUT/DATA.jsonl; a cell that has its line is not run again, so that the benchmark can be stopped at
 * any time. With --checkpoints a cell that was stopped in the middle, by --minutes too, goes on from there.
 *
 * Without --group and --only, what would take a processor more than 150 minutes is left to a GPU.
 *
 * usage: npm run -s bench -- accuracy --data DIR [--group NAME] [--only TEXT] [--device cpu|gpu] [--seeds 1,2] [--out
 * DIR]
 *        [--minutes M] [--checkpoints DIR]
 */

import { parseArgs } from "node:util";
import { type DeviceName, devices, findDevice } from "../src/doors/inside.ts";
import { type Cell, named } from "./cell.ts";
import { cells } from "./cells.ts";
import { isHere } from "./data.ts";
import { whereFor } from "./papers/minutes.ts";
import { results } from "./records.ts";
import { runCells } from "./runCells.ts";

export async function accuracy(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      data: { type: "string" },
      group: { type: "string", default: "" },
      only: { type: "string", default: "" },
      device: { type: "string", default: "cpu" },
      out: { type: "string", default: results },
      seeds: { type: "string", default: "" },
      minutes: { type: "string", default: "100000" },
      checkpoints: { type: "string" },
    },
  });
  const { data, out, checkpoints } = options;
  if (!data) throw new Error("bench: say with --data where the data sets are");
  const device = await findDevice(devices, options.device as DeviceName);
  const seeds = options.seeds.split(",").filter(Boolean).map(Number);
  const wanted = named(cells, options.only)
    .filter((cell) => cell.group.includes(options.group))
    .filter(({ seed }) => seeds.length === 0 || seeds.includes(seed));
  const here: Cell[] = [];
  for (const cell of wanted) if (await isHere(data, cell.data)) here.push(cell);
  // Who names cells means them; else processors are not asked for days.
  const isNamed = options.only !== "" || options.group !== "";
  const runnable = here.filter((cell) => isNamed || device.name === "gpu" || whereFor(cell) === "cpu");
  const left = [
    [wanted.length - here.length, "of data that is not here"],
    [here.length - runnable.length, "for a GPU: --device gpu, or name them with --only"],
  ] as const;
  for (const [count, why] of left) if (count > 0) console.log(`accuracy: left out ${count} cells ${why}`);
  await runCells(runnable, { data, device, out, minutes: Number(options.minutes), checkpoints });
}
