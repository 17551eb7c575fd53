/**
 * Which learning rate do the invariance models want? Theirs is illegible in our copy of the paper, and no label may
 * choose it: from one pretraining, a few epochs with each, and what can be seen without labels. Kept is the largest
 * rate with which the loss falls and no cluster loses most of its rows.
 *
 * Each rate is a line of OUT; one that has its line is not run again.
 *
 * usage: npm run -s bench -- rates --data DIR [--set mnist-test-centered] [--method homo] [--epochs 30] [--pretraining
 * 300] [--seed 1] [--device cpu|gpu] [--out bench/results/rates.jsonl]
 */

import { parseArgs } from "node:util";
import { type DeviceName, devices, type Fit, findDevice } from "../src/doors/inside.ts";
import { fitting } from "../src/model/fitting.ts";
import { commitOf } from "./commit.ts";
import { load } from "./data.ts";
import { keep, linesIn } from "./records.ts";

const candidates = [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1];

/** What one rate has done, and of which search it is a part. */
interface Tried {
  readonly search: string;
  readonly rate: number;
  /** The loss of the first epoch and of the last; none where a number was no longer finite. */
  readonly losses?: readonly [number, number];
  /** The smallest cluster at the end, as a share of an even one. */
  readonly smallest?: number;
}

/** The largest rate that lowers the loss and leaves every cluster a quarter of an even share. */
export function bestRate(tried: readonly Pick<Tried, "rate" | "losses" | "smallest">[]): number | undefined {
  const good = tried.filter(({ losses: [first, last] = [0, 0], smallest = 0 }) => last < first && smallest >= 0.25);
  return good.length > 0 ? Math.max(...good.map(({ rate }) => rate)) : undefined;
}

export async function rates(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      data: { type: "string" },
      set: { type: "string", default: "mnist-test-centered" },
      method: { type: "string", default: "homo" },
      epochs: { type: "string", default: "30" },
      pretraining: { type: "string", default: "300" },
      seed: { type: "string", default: "1" },
      device: { type: "string", default: "cpu" },
      out: { type: "string", default: "bench/results/rates.jsonl" },
    },
  });
  if (!options.data) throw new Error("bench: say with --data where the data sets are");
  const device = await findDevice(devices, options.device as DeviceName);
  const { data, classes } = await load(options.data, options.set);
  const { set, method } = options;
  const [epochs, pretraining, seed] = [options.epochs, options.pretraining, options.seed].map(Number);
  const said = `--set ${set} --method ${method} --epochs ${epochs} --pretraining ${pretraining} --seed ${seed}`;
  const about = {
    ...{ search: said, data: set, method, seed, epochs, pretraining },
    ...{ device: device.name, commit: commitOf(), command: `bench rates ${said} --device ${device.name}` },
  };
  const before = (await linesIn<Tried>(options.out)).filter(({ search }) => search === said);
  const tried: Tried[] = [...before];
  let pretrained: Fit["pretrained"];
  for (const rate of candidates.filter((rate) => before.every((line) => line.rate !== rate))) {
    const started = performance.now();
    const asked = {
      ...{ method, profile: "paper" as const, clusters: classes, seed: seed! },
      options: { pretraining: pretraining!, rate, epochs: epochs!, labelChange: 0 },
      keepPretrained: true,
      ...(pretrained && { pretrained }),
    };
    const fit = await fitted(fitting(data, asked, device)).catch((thrown: Error) => thrown);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    const found = fit instanceof Error ? { failed: fit.message } : outcomeOf(fit, classes, data.count);
    if (!(fit instanceof Error)) pretrained ??= fit.pretrained;
    const line = { ...about, rate, ...found, seconds };
    await keep(options.out, line);
    tried.push(line);
  }
  for (const { rate, losses, smallest = 0 } of tried) {
    console.log(
      losses
        ? `rate ${rate}: loss ${losses[0].toFixed(4)} → ${losses[1].toFixed(4)}, smallest cluster ${(100 * smallest).toFixed(0)} % of an even one`
        : `rate ${rate}: numbers were no longer finite`,
    );
  }
  console.log(`without labels: ${bestRate(tried) ?? "none of them"}`);
}

function outcomeOf({ history }: Fit, clusters: number, count: number): Pick<Required<Tried>, "losses" | "smallest"> {
  const epochs = history.filter(({ phase, epoch }) => phase === "clustering" && epoch > 0);
  const [first, last] = [epochs[0]!, epochs.at(-1)!];
  const smallest = (Math.min(...last.sizes!) * clusters) / count;
  return { losses: [first.losses.loss!, last.losses.loss!], smallest };
}

async function fitted(training: ReturnType<typeof fitting>): Promise<Fit> {
  let step = await training.next();
  while (!step.done) step = await training.next();
  return step.value;
}
