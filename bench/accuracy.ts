/**
 * How well do the methods find the classes of real data?
 *
 * One cell is a method on a data set with a profile and a seed. Labels score a cell and decide nothing. Every finished
 * cell is a line of OUT/DATA.jsonl; a cell that has its line is not run again, so that the benchmark can be stopped at
 * any time. With --checkpoints a cell that was stopped in the middle, by --minutes too, goes on from there.
 *
 * usage: npm run -s bench -- accuracy --data DIR [--group NAME] [--only TEXT] [--device cpu|gpu] [--seeds 1,2] [--out
 * DIR]
 *        [--minutes M] [--checkpoints DIR]
 */

import { parseArgs } from "node:util";
import { type DeviceName, devices, findDevice } from "../src/doors/inside.ts";
import { named } from "./cell.ts";
import { cells } from "./cells.ts";
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
  await runCells(wanted, { data, device, out, minutes: Number(options.minutes), checkpoints });
}
