/** The phases of a restart, epoch by epoch: plain reconstruction, then clusters. */

import type { Clock, Epoch, Phase } from "./epoch.ts";
import type { Checkpoint, Job, Kept, RestartSummary, Weights } from "./job.ts";
import { isEndedBySteps, type Plan, type PlanDescription, streamOf } from "./plan.ts";
import type { Restart } from "./restart.ts";
import { measure } from "./restartScores.ts";
import { scoresOf } from "./scoresOf.ts";
import { watchedBy } from "./watch.ts";

/** What a phase works with. */
export interface Context {
  readonly restart: Restart;
  readonly index: number;
  readonly job: Job;
  readonly description: PlanDescription;
  readonly clock: Clock;
  readonly history: Epoch[];
  readonly finished: readonly RestartSummary[];
  readonly kept: () => Kept | undefined;
  /** What else a checkpoint has to hold. */
  readonly more?: () => Pick<Checkpoint, "pretrained" | "lesson">;
}

export async function* pretraining(context: Context, from?: Checkpoint): AsyncGenerator<Epoch, Weights | undefined> {
  const { restart, index, job, clock } = context;
  const { pretraining: epochs } = restart.plan.options;
  if (!restart.pretrains) return undefined;
  if (from?.phase === "clustering") {
    clock.skip("pretraining", epochs);
    return undefined;
  }
  const given = job.pretrained?.[index];
  if (given) {
    clock.skip("pretraining", epochs);
    await restart.load(given);
    return given;
  }
  if (from) await restart.load(from.state);
  clock.skip("pretraining", from?.epoch ?? 0);
  let loss = from?.loss ?? Number.POSITIVE_INFINITY;
  let stopped = from?.stopped;
  for (let epoch = from?.epoch ?? 0; epoch < epochs && !stopped; epoch++) {
    const started = performance.now();
    const passed = await restart.pretrain(epoch);
    const watched = await watchedBy(job, restart, false);
    const before = loss;
    loss = passed.losses.loss!;
    if (stays(restart.plan, before, loss)) {
      stopped = "the loss stays";
      clock.skip("pretraining", epochs - epoch - 1);
    }
    yield noted(context, "pretraining", { epoch: epoch + 1, epochs, started, ...passed, ...watched });
    await offer(context, "pretraining", epoch + 1, { loss, ...(stopped && { stopped }) });
  }
  return job.keepPretrained ? restart.pretrained() : undefined;
}

export interface Ended {
  readonly loss: number;
  readonly stopped: RestartSummary["stopped"];
}

export async function* clustering(context: Context, from?: Checkpoint): AsyncGenerator<Epoch, Ended> {
  const { restart, job, clock } = context;
  const { options } = restart.plan;
  const { epochs, labelChange } = options;
  const { labels: truth, evaluateEvery = 1, snapshots = 0 } = job;
  const pictured = snapshotEpochs(epochs, snapshots);
  const look = (epoch: number): boolean => epoch % evaluateEvery === 0 || epoch === epochs;
  const resumed = from?.phase === "clustering" ? from : undefined;
  let labels = resumed?.labels;
  let loss = resumed?.loss ?? Number.POSITIVE_INFINITY;

  if (resumed) await restart.load(resumed.state);
  else {
    const started = performance.now();
    await restart.begin();
    if (labelChange > 0 || truth) labels = await restart.labels();
    const snapshot = pictured.has(0) ? { snapshot: await restart.snapshot() } : {};
    const scores = truth ? { scores: scoresOf(truth, labels!) } : {};
    const { notices = [] } = restart.formulas.clustering;
    const seen = { ...snapshot, ...scores, ...(await watchedBy(job, restart, true)) };
    yield noted(context, "clustering", { epoch: 0, epochs, started, losses: {}, notices, ...seen });
    await offer(context, "clustering", 0, { ...(labels && { labels }) });
  }
  clock.skip("clustering", resumed?.epoch ?? 0);

  let stopped = resumed?.stopped;
  for (let epoch = resumed?.epoch ?? 0; epoch < epochs && !stopped; epoch++) {
    const started = performance.now();
    const { isRefilled, ...passed } = await restart.cluster(epoch);
    const now = look(epoch + 1) && (labelChange > 0 || truth) ? await restart.labels() : undefined;
    const changed = now && labels ? share(now, labels) : undefined;
    const before = loss;
    // The loss of a part of the rows says little: that of the epoch before stands for the others.
    const { share: seen = 1 } = passed;
    loss = seen < 1 && epoch > 0 ? seen * passed.losses.loss! + (1 - seen) * before : passed.losses.loss!;
    labels = now ?? labels;
    // What was put elsewhere has not learned yet.
    if (isRefilled) stopped = undefined;
    else if (labelChange > 0 && changed !== undefined && changed <= labelChange) stopped = "labels stay";
    else if (stays(restart.plan, before, loss)) stopped = "the loss stays";
    if (stopped) clock.skip("clustering", epochs - epoch - 1);
    const isPictured = pictured.has(epoch + 1) || (stopped && snapshots > 0);
    const snapshot = isPictured ? { snapshot: await restart.snapshot() } : {};
    yield noted(context, "clustering", {
      epoch: epoch + 1,
      epochs,
      started,
      ...passed,
      ...snapshot,
      ...(await watchedBy(job, restart, true)),
      ...(changed !== undefined && { changed }),
      ...(truth && now && { scores: scoresOf(truth, now) }),
    });
    await offer(context, "clustering", epoch + 1, { loss, ...(labels && { labels }), ...(stopped && { stopped }) });
  }
  // Without a single epoch the method has had no loss: the mean distance to the own center stands in.
  if (loss === Number.POSITIVE_INFINITY) loss = (await restart.settle()).loss;
  return { loss, stopped: stopped ?? (isEndedBySteps(restart.plan) ? "all steps done" : "all epochs done") };
}

/** Whether a loss has changed by `lossChange` at most; of 0 that is never asked. */
function stays({ options, count }: Plan, before: number, loss: number): boolean {
  const { lossChange, lossChangeOf } = options;
  const whole = { share: Math.abs(loss), sum: 1 / count }[lossChangeOf];
  return lossChange > 0 && Math.abs(before - loss) <= lossChange * whole;
}

type Noted = Pick<Epoch, "epoch" | "epochs" | "losses" | "notices"> & Partial<Epoch> & { readonly started: number };

export function noted(
  { index, clock, history }: Pick<Context, "index" | "clock" | "history">,
  phase: Phase,
  { started, ...rest }: Noted,
): Epoch {
  const seconds = (performance.now() - started) / 1000;
  // The start of the clusters is no epoch, and a teacher has none.
  const remaining =
    rest.epoch === 0 || phase === "teaching" ? clock.left() : clock.count(phase, seconds / (rest.share ?? 1));
  const epoch: Epoch = { restart: index, phase, seconds, remaining, ...rest };
  // Snapshots are large and stay with whoever listens.
  const { snapshot: _, watched: __, ...lasting } = epoch;
  history.push(lasting);
  return epoch;
}

const largestScored = 5000;

/** How a restart that has settled ended. */
export async function ending(
  { restart, index, job }: Context,
  { loss, stopped }: Ended,
  labels: Int32Array,
): Promise<RestartSummary> {
  const { plan, data, labels: truth } = job;
  const codes = await restart.codes(Math.min(data.count, largestScored));
  const [clusters, centers] = [await restart.labelsOf(codes), await restart.centers()];
  return {
    restart: index,
    measures: measure({ loss, codes, labels: clusters, centers }, streamOf(plan, index).fork("score")),
    stopped,
    ...(truth && { scores: scoresOf(truth, labels) }),
  };
}

/** Offers a checkpoint; taking one costs a copy of the state. */
async function offer(
  { restart, index, job, description, history, finished, kept, more }: Context,
  phase: Phase,
  epoch: number,
  decided: Pick<Checkpoint, "labels" | "loss" | "stopped">,
): Promise<void> {
  await job.onCheckpoint?.(async () => {
    const best = kept();
    return {
      plan: description,
      restart: index,
      phase,
      epoch,
      state: await restart.save(),
      ...decided,
      ...(best && { kept: best }),
      ...more?.(),
      finished: [...finished],
      history: [...history],
    };
  });
}

function share(now: Int32Array, before: Int32Array): number {
  let changed = 0;
  now.forEach((label, i) => {
    if (label !== before[i]) changed++;
  });
  return changed / now.length;
}

/** Epochs for so many pictures, dense in the beginning, where most happens; the first and the last are among them. */
function snapshotEpochs(epochs: number, snapshots: number): Set<number> {
  return new Set(
    Array.from({ length: snapshots }, (_, i) => Math.round(epochs * (snapshots > 1 ? i / (snapshots - 1) : 1) ** 2)),
  );
}
