/** The one loop: epochs out, and in the end a fit. It never asks which method it is running. */

import type { Data } from "../data/data.ts";
import { metrics } from "../metrics/index.ts";
import { groupsOf, type Labels } from "../metrics/labels.ts";
import type { Device } from "../runtime/device.ts";
import { hash } from "../tensor/random.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { Clock, type Epoch, type Phase } from "./epoch.ts";
import { checkSame, describePlan, isEndedBySteps, type Plan, type PlanDescription, streamOf } from "./plan.ts";
import { Restart } from "./restart.ts";
import { isBetter, type Measures, measure } from "./restartScores.ts";

type Weights = ReadonlyMap<string, Tensor>;

/** A training, resolved to the last option: what the loop carries out. */
export interface Job {
  readonly plan: Plan;
  readonly data: Data;
  readonly device: Device;
  /** Stops between two runs of a program. What the last checkpoint holds is not lost. */
  readonly signal?: AbortSignal;
  /** The truth, one label per row: for `scores` in the epochs, never for a decision. */
  readonly labels?: Labels;
  /** Scores, and the share of rows that changed, are looked at every so many epochs. */
  readonly evaluateEvery?: number;
  /** How many snapshots of the clusters to take through training. */
  readonly snapshots?: number;
  /** Weights of an earlier pretraining by restart (`Fit.pretrained`), with the same seed, network and data. */
  readonly pretrained?: readonly (Weights | undefined)[];
  /** Return the weights after pretraining, for another fit with the same seed. */
  readonly keepPretrained?: boolean;
  /** Receives a checkpoint after each epoch; it decides whether to call `take` and pay for one. */
  readonly onCheckpoint?: (take: () => Promise<Checkpoint>) => Promise<void> | void;
  /** Goes on from a checkpoint, bit for bit. */
  readonly resume?: Checkpoint;
}

/** Where a training is, and all it needs to go on. */
export interface Checkpoint {
  /** What is being trained, in words; it can only go on as the same. */
  readonly plan: PlanDescription;
  readonly restart: number;
  readonly phase: Phase;
  /** Finished epochs of the phase. */
  readonly epoch: number;
  readonly state: Weights;
  /** The labels and the loss by which stopping is decided. */
  readonly labels?: Int32Array;
  readonly loss?: number;
  /** Why no epoch follows, if none does. */
  readonly stopped?: RestartSummary["stopped"];
  readonly kept?: Kept;
  readonly finished: readonly RestartSummary[];
  readonly history: readonly Epoch[];
}

/** How one restart ended. */
export interface RestartSummary {
  readonly restart: number;
  /** The method's loss in the last epoch, and the other numbers by which one restart may be kept. */
  readonly measures: Measures;
  readonly scores?: Readonly<Record<string, number>>;
  /** Why it ended. */
  readonly stopped: "all epochs done" | "all steps done" | "labels stay" | "the loss stays";
}

/** The best restart so far. */
export interface Kept extends RestartSummary {
  readonly state: Weights;
  readonly labels: Int32Array;
}

export interface Fit extends Kept {
  readonly plan: Plan;
  /** The weights after pretraining, by restart, where they were asked for and pretraining took place. */
  readonly pretrained?: readonly (Weights | undefined)[];
  readonly restarts: readonly RestartSummary[];
  readonly history: readonly Epoch[];
}

/** The loop: yields every epoch, returns the best restart. */
export async function* train(job: Job): AsyncGenerator<Epoch, Fit> {
  const { plan, data, labels: truth, resume, evaluateEvery = 1 } = job;
  const { options } = plan;
  checkJob(job);
  const description = { ...describePlan(plan), evaluateEvery, rows: await fingerprintOf(data) };
  if (resume) checkSame(description, resume.plan);
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
      const codes = await restart.codes(Math.min(data.count, largestScored));
      const [clusters, centers] = [await restart.labelsOf(codes), await restart.centers()];
      const summary: RestartSummary = {
        restart: index,
        measures: measure({ loss: ended.loss, codes, labels: clusters, centers }, streamOf(plan, index).fork("score")),
        stopped: ended.stopped,
        ...(truth && { scores: scoresOf(truth, labels) }),
      };
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

const largestScored = 5000;

function checkJob({ plan: { method, count }, labels: truth, evaluateEvery = 1 }: Job): void {
  const where = method.name;
  if (!Number.isInteger(evaluateEvery) || evaluateEvery < 1) {
    throw new RangeError(`${where}: evaluateEvery must be a whole number from 1, got ${evaluateEvery}`);
  }
  if (!truth) return;
  if (truth.length !== count) {
    throw new RangeError(`${where}: there must be one label per row, got ${truth.length} for ${count} rows`);
  }
  groupsOf(where, truth);
}

/** A number that other rows, or the same in another order, would not have: for the mistake of resuming with them. */
async function fingerprintOf(data: Data): Promise<number> {
  for await (const { x } of data.inOrder(64)) return hash(Array.from(x.data, String).join());
  return 0;
}

/** The epochs that are left, from the restart that is about to begin. */
function clockFor({ plan: { options }, pretrains }: Restart, index: number): Clock {
  const left = options.restarts - index;
  return new Clock({ pretraining: pretrains ? options.pretraining * left : 0, clustering: options.epochs * left });
}

/** All scores of labels against the truth. */
export function scoresOf(truth: Labels, labels: Labels): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).map(([name, { score }]) => [name, score(truth, labels)]));
}

interface Context {
  readonly restart: Restart;
  readonly index: number;
  readonly job: Job;
  readonly description: PlanDescription;
  readonly clock: Clock;
  readonly history: Epoch[];
  readonly finished: readonly RestartSummary[];
  readonly kept: () => Kept | undefined;
}

async function* pretraining(context: Context, from?: Checkpoint): AsyncGenerator<Epoch, Weights | undefined> {
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
  for (let epoch = from?.epoch ?? 0; epoch < epochs; epoch++) {
    const started = performance.now();
    const passed = await restart.pretrain(epoch);
    yield noted(context, "pretraining", { epoch: epoch + 1, epochs, started, ...passed });
    await offer(context, "pretraining", epoch + 1, {});
  }
  return job.keepPretrained ? restart.pretrained() : undefined;
}

async function* clustering(
  context: Context,
  from?: Checkpoint,
): AsyncGenerator<Epoch, { loss: number; stopped: RestartSummary["stopped"] }> {
  const { restart, job, clock } = context;
  const { options } = restart.plan;
  const { epochs, labelChange, lossChange } = options;
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
    yield noted(context, "clustering", { epoch: 0, epochs, started, losses: {}, notices, ...snapshot, ...scores });
    await offer(context, "clustering", 0, { ...(labels && { labels }) });
  }
  clock.skip("clustering", resumed?.epoch ?? 0);

  let stopped = resumed?.stopped;
  for (let epoch = resumed?.epoch ?? 0; epoch < epochs && !stopped; epoch++) {
    const started = performance.now();
    const passed = await restart.cluster(epoch);
    const now = look(epoch + 1) && (labelChange > 0 || truth) ? await restart.labels() : undefined;
    const changed = now && labels ? share(now, labels) : undefined;
    const before = loss;
    // The loss of a part of the rows says little: that of the epoch before stands for the others.
    const { share: seen = 1 } = passed;
    loss = seen < 1 && epoch > 0 ? seen * passed.losses.loss! + (1 - seen) * before : passed.losses.loss!;
    labels = now ?? labels;
    if (labelChange > 0 && changed !== undefined && changed <= labelChange) stopped = "labels stay";
    else if (lossChange > 0 && Math.abs(before - loss) <= lossChange * Math.abs(loss)) stopped = "the loss stays";
    if (stopped) clock.skip("clustering", epochs - epoch - 1);
    const isPictured = pictured.has(epoch + 1) || (stopped && snapshots > 0);
    const snapshot = isPictured ? { snapshot: await restart.snapshot() } : {};
    yield noted(context, "clustering", {
      epoch: epoch + 1,
      epochs,
      started,
      ...passed,
      ...snapshot,
      ...(changed !== undefined && { changed }),
      ...(truth && now && { scores: scoresOf(truth, now) }),
    });
    await offer(context, "clustering", epoch + 1, { loss, ...(labels && { labels }), ...(stopped && { stopped }) });
  }
  // Without a single epoch the method has had no loss: the mean distance to the own center stands in.
  if (loss === Number.POSITIVE_INFINITY) loss = (await restart.settle()).loss;
  return { loss, stopped: stopped ?? (isEndedBySteps(restart.plan) ? "all steps done" : "all epochs done") };
}

type Noted = Pick<Epoch, "epoch" | "epochs" | "losses" | "notices"> & Partial<Epoch> & { readonly started: number };

function noted({ index, clock, history }: Context, phase: Phase, { started, ...rest }: Noted): Epoch {
  const seconds = (performance.now() - started) / 1000;
  // The start of the clusters is no epoch.
  const remaining = rest.epoch === 0 ? clock.left() : clock.count(phase, seconds / (rest.share ?? 1));
  const epoch: Epoch = { restart: index, phase, seconds, remaining, ...rest };
  // Snapshots are large and stay with whoever listens.
  const { snapshot: _, ...lasting } = epoch;
  history.push(lasting);
  return epoch;
}

/** Offers a checkpoint; taking one costs a copy of the state. */
async function offer(
  { restart, index, job, description, history, finished, kept }: Context,
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
