/**
 * How well do the methods find the classes of real data?
 *
 * One cell is a method on a data set with a profile and a seed. Labels score a cell and decide nothing. Every finished
 * cell is a line of OUT/DATA.jsonl; a cell that has its line is not run again, so that the benchmark can be stopped at
 * any time. With --checkpoints a cell that was stopped in the middle goes on from there.
 *
 * usage: npm run -s bench -- accuracy --data DIR [--group NAME] [--only TEXT] [--device cpu|gpu] [--seeds 1,2] [--out
 * DIR]
 *        [--minutes M] [--checkpoints DIR]
 */

import { appendFile, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Device, type DeviceName, devices, type Fit, findDevice, methodOf } from "../src/doors/inside.ts";
import { fitting } from "../src/model/fitting.ts";
import { scoresOf } from "../src/training/scoresOf.ts";
import { pretrainingOptions } from "../src/training/sharedOptions.ts";
import { checkpointsTo, readCheckpoint } from "../src/worker/checkpoints.ts";
import { type Cell, cells, nameOf } from "./cells.ts";
import { commitOf } from "./commit.ts";
import { type Labelled, load } from "./data.ts";

export async function accuracy(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      data: { type: "string" },
      group: { type: "string", default: "" },
      only: { type: "string", default: "" },
      device: { type: "string", default: "cpu" },
      out: { type: "string", default: "bench/results/accuracy" },
      seeds: { type: "string", default: "" },
      minutes: { type: "string", default: "100000" },
      checkpoints: { type: "string", default: "" },
    },
  });
  if (!options.data) throw new Error("bench: say with --data where the data sets are");
  const device = await findDevice(devices, options.device as DeviceName);
  await mkdir(options.out, { recursive: true });
  const seeds = options.seeds.split(",").filter(Boolean).map(Number);
  const wanted = cells
    .filter((cell) => cell.group.includes(options.group) && nameOf(cell).includes(options.only))
    .filter(({ seed }) => seeds.length === 0 || seeds.includes(seed));
  const commit = commitOf();
  const deadline = performance.now() + Number(options.minutes) * 60_000;
  let loaded: { name: string; labelled: Labelled } | undefined;
  let shared: Shared | undefined;
  for (const cell of wanted) {
    if (performance.now() > deadline) break;
    const file = join(options.out, `${cell.data}.jsonl`);
    if (await has(file, nameOf(cell))) continue;
    if (loaded?.name !== cell.data) loaded = { name: cell.data, labelled: await load(options.data, cell.data) };
    const checkpoint = options.checkpoints && join(options.checkpoints, nameOf(cell).replaceAll("/", "-"));
    const { line, pretrained } = await run(cell, loaded.labelled, device, { shared, checkpoint });
    shared = pretrained;
    const command = `bench accuracy --only ${nameOf(cell)} --device ${device.name}`;
    await appendFile(
      file,
      `${JSON.stringify({ cell: nameOf(cell), ...line, device: device.name, commit, command })}\n`,
    );
    console.log(
      `${nameOf(cell).padEnd(44)} ACC ${percent(line.start?.accuracy)} → ${percent(line.scores.accuracy)}  ` +
        `NMI ${percent(line.scores.nmi)}  ${line.seconds.toFixed(0)} s  ${line.notices.join("; ")}`,
    );
  }
}

/** The weights of a pretraining that other cells have in common. */
interface Shared {
  readonly key: string;
  readonly weights: NonNullable<NonNullable<Fit["pretrained"]>[number]>;
}

interface Before {
  readonly shared: Shared | undefined;
  /** Where the cell's own checkpoint is kept, if anywhere. */
  readonly checkpoint: string;
}

async function run(cell: Cell, { data, labels, classes }: Labelled, device: Device, { shared, checkpoint }: Before) {
  const key = pretrainingOf(cell);
  const resume = checkpoint && (await readCheckpoint(checkpoint).catch(() => undefined));
  const pretrained = shared?.key === key ? [shared.weights] : undefined;
  const said = {
    method: cell.method,
    clusters: classes,
    seed: cell.seed,
    profile: cell.profile,
    options: { ...cell.options, restarts: 1 },
    // The start and the end are scored, not the way between.
    labels,
    evaluateEvery: 1_000_000,
    keepPretrained: true,
    ...(pretrained && { pretrained }),
    ...(checkpoint && { onCheckpoint: checkpointsTo({ file: checkpoint }) }),
    ...(resume && { resume }),
  };
  const training = fitting(data, said, device);
  let step = await training.next();
  while (!step.done) step = await training.next();
  const fit = step.value;
  if (checkpoint) await rm(checkpoint, { force: true });
  const last = fit.history.at(-1)!;
  return {
    line: {
      data: cell.data,
      method: cell.method,
      profile: cell.profile,
      seed: cell.seed,
      options: cell.options,
      start: fit.history.find(({ scores }) => scores)?.scores,
      scores: scoresOf(labels, fit.labels),
      measures: fit.measures,
      losses: last.losses,
      epochs: fit.history.filter(({ phase, epoch }) => phase === "clustering" && epoch > 0).length,
      stopped: fit.stopped,
      notices: [...new Set(fit.history.flatMap(({ notices }) => notices))].slice(0, 3),
      // Where another cell has done the pretraining, its time is not counted again.
      sharedPretraining: pretrained !== undefined,
      seconds: Math.round(10 * fit.history.reduce((sum, { seconds }) => sum + seconds, 0)) / 10,
    },
    pretrained: fit.pretrained?.[0] ? { key, weights: fit.pretrained[0] } : undefined,
  };
}

/** What decides a pretraining: cells with the same key share it. */
function pretrainingOf({ data, method, profile, options, seed }: Cell): string {
  const all = { ...methodOf(method).profiles[profile], ...options } as Record<string, unknown>;
  return JSON.stringify([data, seed, ...pretrainingOptions.map((name) => all[name] ?? null)]);
}

async function has(file: string, name: string): Promise<boolean> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.includes(`"cell":"${name}"`);
}

function percent(share: number | undefined): string {
  return share === undefined ? "–" : (100 * share).toFixed(1);
}
