/**
 * Which learning rate do the invariance models want? Theirs is illegible in our copy of the paper, and no label may
 * choose it: from one pretraining, a few epochs with each, and what can be seen without labels. Kept is the largest
 * rate with which the loss falls and no cluster loses most of its rows.
 *
 * usage: npm run -s bench -- rates --data DIR [--set mnist-test-centered] [--method homo] [--epochs 30] [--pretraining
 * 300] [--device cpu|gpu]
 */

import { parseArgs } from "node:util";
import { type DeviceName, devices, type Fit, findDevice } from "../src/doors/inside.ts";
import { fitting } from "../src/model/fitting.ts";
import { load } from "./data.ts";

const candidates = [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1];

interface Tried {
  readonly rate: number;
  /** The loss of the first epoch and of the last. */
  readonly losses: readonly [number, number];
  /** The smallest cluster at the end, as a share of an even one. */
  readonly smallest: number;
}

/** The largest rate that lowers the loss and leaves every cluster a quarter of an even share. */
function bestRate(tried: readonly Tried[]): number | undefined {
  const good = tried.filter(({ losses: [first, last], smallest }) => last < first && smallest >= 0.25);
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
      pretraining: { type: "string" },
      device: { type: "string", default: "cpu" },
    },
  });
  if (!options.data) throw new Error("bench: say with --data where the data sets are");
  const device = await findDevice(devices, options.device as DeviceName);
  const { data, classes } = await load(options.data, options.set);
  const length = options.pretraining ? { pretraining: Number(options.pretraining) } : {};
  let pretrained: Fit["pretrained"];
  const tried: Tried[] = [];
  for (const rate of candidates) {
    const said = {
      method: options.method,
      profile: "paper" as const,
      clusters: classes,
      options: { ...length, rate, epochs: Number(options.epochs), labelChange: 0 },
      keepPretrained: true,
      ...(pretrained && { pretrained }),
    };
    const fit = await fitted(fitting(data, said, device)).catch((thrown: Error) => thrown);
    if (fit instanceof Error) {
      console.log(`rate ${rate}: ${fit.message}`);
      continue;
    }
    const { history, pretrained: kept } = fit;
    pretrained ??= kept;
    const epochs = history.filter(({ phase, epoch }) => phase === "clustering" && epoch > 0);
    const [first, last] = [epochs[0]!, epochs.at(-1)!];
    const smallest = (Math.min(...last.sizes!) * classes) / data.count;
    tried.push({ rate, losses: [first.losses.loss!, last.losses.loss!], smallest });
    console.log(
      `rate ${rate}: loss ${first.losses.loss!.toFixed(4)} → ${last.losses.loss!.toFixed(4)}, ` +
        `smallest cluster ${(100 * smallest).toFixed(0)} % of an even one`,
    );
  }
  console.log(`without labels: ${bestRate(tried) ?? "none of them"}`);
}

async function fitted(training: ReturnType<typeof fitting>): Promise<Fit> {
  let step = await training.next();
  while (!step.done) step = await training.next();
  return step.value;
}
