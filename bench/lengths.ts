/**
 * What does a longer pretraining pay? The pretrainings of the default are stopped at several lengths, and each time a
 * teacher is chosen: the score of what it says against labels that it never sees, the reconstruction error after each
 * epoch, and the seconds until then. One line of OUT for each length.
 *
 * usage: npm run -s bench -- lengths --data DIR --only NAME,NAME [--seeds 1,2,3] [--epochs 5,10,15,20,30]
 *          [--device cpu|gpu] [--out bench/results/lengths.jsonl]
 */

import { appendFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { devices } from "../src/doors/node.ts";
import { accuracy } from "../src/metrics/accuracy.ts";
import { nmi } from "../src/metrics/nmi.ts";
import { jobOf } from "../src/model/fitOptions.ts";
import { paceOf } from "../src/numerics/pace.ts";
import { findDevice } from "../src/runtime/device.ts";
import { Random } from "../src/tensor/random.ts";
import type { Job, Weights } from "../src/training/job.ts";
import { Restart } from "../src/training/restart.ts";
import { lessonOf } from "../src/training/teaching.ts";
import { commitOf } from "./commit.ts";
import { load } from "./data.ts";

export async function lengths(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      data: { type: "string" },
      only: { type: "string", default: "mnist-test" },
      seeds: { type: "string", default: "1,2,3" },
      epochs: { type: "string", default: "5,10,15,20,30" },
      device: { type: "string", default: "cpu" },
      out: { type: "string", default: "bench/results/lengths.jsonl" },
    },
  });
  if (!options.data) throw new Error("bench: say with --data where the data sets are");
  const epochs = options.epochs.split(",").map(Number);
  const device = await findDevice(devices, options.device as "cpu");
  for (const name of options.only.split(",")) {
    const { data, labels, classes } = await load(options.data, name);
    for (const seed of options.seeds.split(",").map(Number)) {
      const job = await jobOf(data, { clusters: classes, seed }, device);
      for await (const { weights, ...length } of stopped(job, epochs)) {
        const started = performance.now();
        const begun = (index: number): Restart => new Restart(job.plan, index, data, device);
        const asked = { random: Random.seeded(seed).fork("lesson"), pace: paceOf(undefined) };
        const lesson = await lessonOf(job.plan, weights, begun, asked);
        const scores = { accuracy: accuracy(labels, lesson.labels), nmi: nmi(labels, lesson.labels) };
        const found = {
          ...length,
          teaching: secondsSince(started),
          scores,
          teacher: lesson.teacher,
          view: lesson.view,
        };
        const about = { batch: job.plan.options.batch, device: options.device, commit: commitOf() };
        const command = `bench lengths --only ${name} --seeds ${seed} --epochs ${options.epochs}`;
        await appendFile(options.out, `${JSON.stringify({ data: name, seed, ...found, ...about, command })}\n`);
        console.log(
          `${name}/${seed} ${length.epochs} epochs: ACC ${(100 * scores.accuracy).toFixed(1)} by ${lesson.teacher}, ` +
            `reconstruction ${length.curves.map((curve) => curve.at(-1)).join(" ")}, ${length.seconds} s`,
        );
      }
    }
  }
}

/** All pretrainings side by side, and what they have learned at each length. */
async function* stopped({ plan, data, device }: Job, lengths: readonly number[]) {
  const restarts = Array.from({ length: plan.options.restarts }, (_, index) => new Restart(plan, index, data, device));
  const curves: number[][] = restarts.map(() => []);
  let [seconds, from] = [0, 0];
  for (const epochs of lengths) {
    const started = performance.now();
    for (const [index, restart] of restarts.entries()) {
      for (let epoch = from; epoch < epochs; epoch++) {
        curves[index]!.push(Number((await restart.pretrain(epoch)).losses.loss!.toPrecision(5)));
      }
    }
    seconds += secondsSince(started);
    from = epochs;
    const weights: Weights[] = [];
    for (const restart of restarts) weights.push(await restart.pretrained());
    yield { epochs, seconds: Math.round(10 * seconds) / 10, curves, weights };
  }
  for (const restart of restarts) await restart.close();
}

function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 100) / 10;
}
