/** The one loop: epochs out, and in the end a fit. It never asks which method it is running. */

import type { Data } from "../data/data.ts";
import { groupsOf } from "../metrics/labels.ts";
import { hash } from "../tensor/random.ts";
import { Clock, type Epoch } from "./epoch.ts";
import type { Fit, Job, RestartSummary, Weights } from "./job.ts";
import { checkTaught } from "./lesson.ts";
import { clustering, ending, pretraining } from "./phases.ts";
import { checkSame, describePlan, type PlanDescription } from "./plan.ts";
import { Restart } from "./restart.ts";
import { isBetter } from "./restartScores.ts";
import { taughtTraining } from "./taughtTraining.ts";

/** Yields every epoch, and returns what came out. */
export async function* train(job: Job): AsyncGenerator<Epoch, Fit> {
  const { plan, data, resume, evaluateEvery = 1, teacher } = job;
  checkJob(job);
  // As hash, without a text of them all.
  const lesson = teacher && { teacher: teacher.labels.reduce((h, label) => Math.imul(h ^ label, 0x01000193) >>> 0, 0) };
  const description = { ...describePlan(plan), evaluateEvery, rows: await rowsMark(data), ...lesson };
  if (resume) checkSame(description, resume.plan);
  return yield* (plan.method.isTaught ? taughtTraining : bestRestart)(job, description);
}

/** Every restart from its pretraining to its clusters; the best is kept. */
async function* bestRestart(job: Job, description: PlanDescription): AsyncGenerator<Epoch, Fit> {
  const { plan, data, resume } = job;
  const { options } = plan;
  const history: Epoch[] = [...(resume?.history ?? [])];
  const finished: RestartSummary[] = [...(resume?.finished ?? [])];
  const pretrained: (Weights | undefined)[] = [];
  let kept = resume?.kept;
  let clock: Clock | undefined;

  for (let index = resume?.restart ?? 0; index < options.restarts; index++) {
    const from = resume?.restart === index ? resume : undefined;
    const restart = new Restart(plan, index, data, job.device, job.signal);
    clock ??= clockFor(restart, index);
    const context = { restart, index, job, description, clock, history, finished, kept: () => kept };
    try {
      const weights = yield* pretraining(context, from);
      if (job.keepPretrained) pretrained[index] = weights;
      const ended = yield* clustering(context, from);
      const { labels } = await restart.settle();
      const summary = await ending(context, ended, labels);
      finished.push(summary);
      if (!kept || isBetter(summary.measures, kept.measures, options.keep)) {
        kept = { ...summary, state: await restart.model(), labels };
      }
    } finally {
      await restart.close();
    }
  }
  return { ...kept!, plan, restarts: finished, history, ...(job.keepPretrained && { pretrained }) };
}

function checkJob({ plan: { method, count }, labels: truth, teacher, evaluateEvery = 1 }: Job): void {
  const where = method.name;
  if (!Number.isInteger(evaluateEvery) || evaluateEvery < 1) {
    throw new RangeError(`${where}: evaluateEvery must be a whole number from 1, got ${evaluateEvery}`);
  }
  if (teacher) checkTaught(method);
  if (teacher && teacher.labels.length !== count) {
    throw new RangeError(
      `${where}: the teacher must have one label per row, got ${teacher.labels.length} for ${count} rows`,
    );
  }
  if (!truth) return;
  if (truth.length !== count) {
    throw new RangeError(`${where}: there must be one label per row, got ${truth.length} for ${count} rows`);
  }
  groupsOf(where, truth);
}

/** A number that other rows, or the same in another order, would not have: for the mistake of resuming with them. */
export async function rowsMark(data: Data): Promise<number> {
  for await (const { x } of data.inOrder(64)) return hash(Array.from(x.data, String).join());
  return 0;
}

/** A training that ends where nothing changes any more has about so many epochs. */
const untilSettled = 10;

/** The epochs that are left, from the restart that is about to begin. */
function clockFor({ plan: { options }, pretrains }: Restart, index: number): Clock {
  const left = options.restarts - index;
  const expected = (epochs: number, maySettle: boolean) => (maySettle ? Math.min(epochs, untilSettled) : epochs);
  const mayStay = options.lossChange > 0;
  return new Clock({
    pretraining: pretrains ? expected(options.pretraining, mayStay) * left : 0,
    clustering: expected(options.epochs, mayStay || options.labelChange > 0) * left,
  });
}
