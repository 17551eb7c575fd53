/** The one loop: epochs out, and in the end a fit. It never asks which method it is running. */

import { type Data, type RowsLike, toData } from "../data/data.ts";
import { metrics } from "../metrics/index.ts";
import type { Labels } from "../metrics/labels.ts";
import type { Device } from "../runtime/device.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Method } from "./contract.ts";
import { Clock, type Epoch, type Phase } from "./epoch.ts";
import { checkSame, describePlan, type Plan, type PlanDescription, type PlanSettings, plan, streamOf } from "./plan.ts";
import { Restart } from "./restart.ts";
import { isBetter, type Measures, measure } from "./score.ts";

type Weights = ReadonlyMap<string, Tensor>;

export interface FitSettings extends PlanSettings {
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
  readonly stopped: "all epochs done" | "labels stay" | "the loss stays";
}

/** The best restart so far. */
export interface Kept extends RestartSummary {
  readonly state: Weights;
  readonly labels: Int32Array;
}

export interface Fit extends Kept {
  readonly plan: Plan;
  /** The weights after pretraining, for another fit with the same seed. */
  readonly pretrained?: Weights;
  readonly restarts: readonly RestartSummary[];
  readonly history: readonly Epoch[];
}

/** The loop: yields every epoch, returns the best restart. */
export async function* train(rows: RowsLike, method: Method, settings: FitSettings): AsyncGenerator<Epoch, Fit> {
  const data = toData(rows);
  const job = plan(method, data, settings);
  const { options } = job;
  const { labels: truth, resume } = settings;
  if (truth && truth.length !== data.count) {
    throw new RangeError(`${method.name}: there must be one label per row, got ${truth.length} for ${data.count} rows`);
  }
  if (resume) checkSame(describePlan(job), resume.plan);
  const clock = new Clock({
    pretraining: options.pretraining * options.restarts,
    clustering: options.epochs * options.restarts,
  });
  const history: Epoch[] = [...(resume?.history ?? [])];
  const finished: RestartSummary[] = [...(resume?.finished ?? [])];
  let kept = resume?.kept;
  let pretrained: Weights | undefined;

  for (let index = resume?.restart ?? 0; index < options.restarts; index++) {
    const from = resume?.restart === index ? resume : undefined;
    const restart = new Restart(job, index, data, settings.device, settings.signal);
    const context = { restart, index, data, settings, clock, history, finished, kept: () => kept };
    try {
      const own = yield* pretraining(context, from);
      const ended = yield* clustering(context, from);
      const { labels } = await restart.settle();
      const sample = await restart.codes(Math.min(data.count, largestScored));
      const clusters = await restart.labelsOf(sample);
      const result = { loss: ended.loss, codes: sample, labels: clusters, centers: await restart.centers() };
      const summary: RestartSummary = {
        restart: index,
        measures: measure(result, streamOf(job, index).fork("score")),
        stopped: ended.stopped,
        ...(truth && { scores: scoresOf(truth, labels) }),
      };
      finished.push(summary);
      if (!kept || isBetter(summary.measures, kept.measures, options.keep)) {
        kept = { ...summary, state: await restart.model(), labels };
        pretrained = own;
      }
    } finally {
      await restart.close();
    }
  }
  return { ...kept!, plan: job, restarts: finished, history, ...(pretrained && { pretrained }) };
}

const largestScored = 20_000;

/** All scores of labels against the truth. */
export function scoresOf(truth: Labels, labels: Labels): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).map(([name, { score }]) => [name, score(truth, labels)]));
}

interface Context {
  readonly restart: Restart;
  readonly index: number;
  readonly data: Data;
  readonly settings: FitSettings;
  readonly clock: Clock;
  readonly history: Epoch[];
  readonly finished: readonly RestartSummary[];
  readonly kept: () => Kept | undefined;
}

async function* pretraining(context: Context, from?: Checkpoint): AsyncGenerator<Epoch, Weights | undefined> {
  const { restart, index, settings, clock } = context;
  const { pretraining: epochs } = restart.plan.options;
  if (!restart.pretrains || from?.phase === "clustering") {
    clock.skip("pretraining", epochs);
    return undefined;
  }
  const given = settings.pretrained?.[index];
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
  return restart.pretrained();
}

async function* clustering(
  context: Context,
  from?: Checkpoint,
): AsyncGenerator<Epoch, { loss: number; stopped: RestartSummary["stopped"] }> {
  const { restart, settings, clock } = context;
  const { options } = restart.plan;
  const { epochs, labelChange, lossChange } = options;
  const { labels: truth, evaluateEvery = 1, snapshots = 0 } = settings;
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
    yield noted(context, "clustering", { epoch: 0, epochs, started, losses: {}, notices: [], ...snapshot, ...scores });
    await offer(context, "clustering", 0, { ...(labels && { labels }) });
  }
  clock.skip("clustering", resumed?.epoch ?? 0);

  let stopped = resumed?.stopped;
  for (let epoch = resumed?.epoch ?? 0; epoch < epochs && !stopped; epoch++) {
    const started = performance.now();
    const passed = await restart.cluster(epoch);
    const now = look(epoch + 1) && (labelChange > 0 || truth) ? await restart.labels() : undefined;
    const changed = now && labels ? share(now, labels) : undefined;
    const snapshot = pictured.has(epoch + 1) ? { snapshot: await restart.snapshot() } : {};
    yield noted(context, "clustering", {
      epoch: epoch + 1,
      epochs,
      started,
      ...passed,
      ...snapshot,
      ...(changed !== undefined && { changed }),
      ...(truth && now && { scores: scoresOf(truth, now) }),
    });
    const before = loss;
    loss = passed.losses.loss!;
    labels = now ?? labels;
    stopped =
      labelChange > 0 && changed !== undefined && changed <= labelChange
        ? "labels stay"
        : lossChange > 0 && Math.abs(before - loss) <= lossChange * Math.abs(before)
          ? "the loss stays"
          : undefined;
    if (stopped) clock.skip("clustering", epochs - epoch - 1);
    await offer(context, "clustering", epoch + 1, { loss, ...(labels && { labels }), ...(stopped && { stopped }) });
  }
  // Without a single epoch the method has had no loss: the mean distance to the own center stands in.
  if (loss === Number.POSITIVE_INFINITY) loss = (await restart.settle()).loss;
  return { loss, stopped: stopped ?? "all epochs done" };
}

type Noted = Pick<Epoch, "epoch" | "epochs" | "losses" | "notices"> & Partial<Epoch> & { readonly started: number };

function noted({ index, clock, history }: Context, phase: Phase, { started, ...rest }: Noted): Epoch {
  const seconds = (performance.now() - started) / 1000;
  const remaining = clock.count(phase, seconds);
  const epoch: Epoch = { restart: index, phase, seconds, remaining, ...rest };
  // Snapshots are large and stay with whoever listens.
  const { snapshot: _, ...lasting } = epoch;
  history.push(lasting);
  return epoch;
}

/** Offers a checkpoint; taking one costs a copy of the state. */
async function offer(
  { restart, index, settings, history, finished, kept }: Context,
  phase: Phase,
  epoch: number,
  decided: Pick<Checkpoint, "labels" | "loss" | "stopped">,
): Promise<void> {
  await settings.onCheckpoint?.(async () => {
    const best = kept();
    return {
      plan: describePlan(restart.plan),
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
