/**
 * The other order: pretrainings first, then a partition of their codes, then one student that learns it.
 *
 *   pretrainings → partitions → choice → one student, from the pretraining that agrees most with the partition
 *
 * A partition is part of the checkpoint. A process that ends inside a teacher repeats it to the same bits: teachers
 * draw from the seed alone.
 */

import type { Data } from "../data/data.ts";
import { withoutRows } from "../data/withoutRows.ts";
import { paceOf } from "../numerics/pace.ts";
import { productsOn } from "../runtime/products.ts";
import type { Divided } from "../teachers/choice.ts";
import { Random } from "../tensor/random.ts";
import { Clock, type Epoch } from "./epoch.ts";
import type { Fit, Job, Weights } from "./job.ts";
import { agreementOf, type Held, heldOutBy, type Lesson, type OwnLabels, type Split, type Taught } from "./lesson.ts";
import { membersName, noneRule } from "./none.ts";
import { type Context, clustering, ending, noted, pretraining } from "./phases.ts";
import { askPlainRows, isOpenToPlainRows, withoutNetwork } from "./plainRows.ts";
import type { PlanDescription } from "./plan.ts";
import { Restart } from "./restart.ts";
import { lessonOf, needsAnother } from "./teaching.ts";

/** The means of the members are the centers, unless more than this share of the rows would then be elsewhere. */
const costOfMeans = 0.001;

export async function* taughtTraining(job: Job, description: PlanDescription): AsyncGenerator<Epoch, Fit> {
  const { data, device, signal, resume } = job;
  let { plan } = job;
  const { options, clusters } = plan;
  const history: Epoch[] = [...(resume?.history ?? [])];
  const pretrained: Weights[] = [...(resume?.pretrained ?? [])];
  let lesson: Lesson | undefined = resume?.lesson ?? (job.teacher && yours(job.teacher));
  const random = Random.seeded(plan.seed).fork("lesson");
  // Of a person's own clustering, rows that are held out are not seen at all before they judge.
  const learned = job.teacher ? unheld(data, heldOutBy(plan, job.teacher.labels)) : data;
  const begun = (index: number): Restart => new Restart(plan, index, data, device, signal, learned);
  const isUnderWay = resume?.phase === "clustering";
  // Where nothing is to be chosen, one is enough; where the student has begun, none is left to do.
  const wanted = job.teacher || options.taughtBy !== "auto" ? 1 : options.restarts;
  const pretrainings = isUnderWay ? 0 : wanted;
  let clock = new Clock({ pretraining: options.pretraining * pretrainings, clustering: options.epochs });
  clock.skip("pretraining", options.pretraining * pretrained.length);
  const contextOf = (
    restart: Restart,
    index: number,
    more: Context["more"] = () => ({ pretrained: [...pretrained] }),
  ): Context => ({
    ...{ restart, index, job, description, clock, history, more },
    ...{ finished: [], kept: () => undefined },
  });

  const products = productsOn(device);
  const asked = { random, pace: paceOf(signal), multiply: products.multiply };
  const told = { index: 0, history };
  const said = { epochs: 1, losses: {}, started: performance.now() };
  let ofRows: Divided | undefined;
  if (!resume && !lesson && isOpenToPlainRows(plan)) {
    const restart = begun(0);
    try {
      yield noted({ ...told, clock }, "teaching", { ...said, epoch: 0, notices: [] });
      ({ lesson, divided: ofRows } = await askPlainRows(plan, restart, asked));
    } finally {
      await restart.close();
    }
    if (lesson) yield noted({ ...told, clock }, "teaching", { ...said, epoch: 1, notices: [lesson.reason] });
  }
  if (lesson?.network === "none") {
    plan = withoutNetwork(plan);
    clock = new Clock({ pretraining: 0, clustering: 0 });
  }

  const isMissing = async (): Promise<boolean> => {
    if (lesson?.network === "none") return false;
    if (pretrained.length < pretrainings) return true;
    const isWanting = !lesson && pretrainings === 2 && (await needsAnother(plan, pretrained, begun, asked));
    if (isWanting) clock.expect("pretraining", options.pretraining);
    return isWanting;
  };
  while (await isMissing()) {
    const index = pretrained.length;
    const restart = begun(index);
    try {
      yield* pretraining(contextOf(restart, index), resume?.restart === index ? resume : undefined);
      pretrained.push(restart.pretrains ? await restart.pretrained() : new Map());
    } finally {
      await restart.close();
    }
  }

  if (!lesson) {
    const now = { ...said, started: performance.now() };
    yield noted({ ...told, clock }, "teaching", { ...now, epoch: 0, notices: [] });
    try {
      lesson = await lessonOf(plan, pretrained, begun, asked, ofRows);
    } finally {
      await products.close();
    }
    // Who teaches, and why.
    yield noted({ ...told, clock }, "teaching", { ...now, epoch: 1, notices: [lesson.reason] });
  }

  const learning = lesson;
  const index = learning.pretraining;
  const restart = begun(index);
  try {
    // A student that has begun needs no pretraining any more.
    const context = contextOf(restart, index, () => ({ lesson: learning }));
    const split = heldOutBy(plan, lesson.labels);
    const { taught, held } = split;
    restart.teach(taught);
    if (!isUnderWay && restart.pretrains) await restart.load(pretrained[index]!);
    const ended = yield* clustering(context, isUnderWay ? resume : undefined);
    const centers = await settledCenters(restart);
    const isHeld = held.some((label) => label >= 0);
    const { labels, calibration, loss } = await restart.settle(judgesOf(lesson, held));
    // Where nothing was trained, what the centers leave is the loss.
    const summary = await ending(context, plan.options.epochs > 0 ? ended : { ...ended, loss }, labels);
    const found =
      job.teacher && (await noneRule(restart, lesson.labels, split, { ...asked, random: random.fork("none") }));
    const taughtHow: Taught = {
      ...withoutLabels(lesson),
      rows: taught.reduce((sum, label) => sum + (label >= 0 ? 1 : 0), 0),
      agreement: agreementOf(labels, taught),
      ...(isHeld && calibration !== undefined && { held: { ...judged(labels, held, clusters), calibration } }),
      ...(found && { none: found.rule }),
      centers,
    };
    return {
      ...{ ...summary, plan, history, labels },
      state: new Map([...(await restart.model()), ...(found ? [[membersName, found.members] as const] : [])]),
      restarts: [summary],
      taught: taughtHow,
      ...(job.keepPretrained && { pretrained }),
    };
  } finally {
    await restart.close();
  }
}

/** So many epochs more may bring rows around the means of their clusters, */
const settlingEpochs = 8;
/** and after each two it is asked whether they have. */
const epochsARound = 2;
/** A center that is not the mean of its members stands for them with this cosine, and a little to spare, */
const leastCosine = 0.982;
/** where that costs no more than this share of the rows. */
const costOfLeaning = 0.01;

/**
 * The means of the members as centers: at once, or after epochs in which the centers follow them. Where either would
 * cost more than it may, what was learned stays, and leans towards the means. A process that ends in here does it again
 * to the same bits.
 */
async function settledCenters(restart: Restart): Promise<Taught["centers"]> {
  if (await restart.recenter(costOfMeans)) return "means";
  const { epochs } = restart.plan.options;
  const canSettle = epochs > 0 && restart.formulas.network.parameters.length > 0;
  const [learned, before] = [await restart.save(), await restart.agreement()];
  for (let more = 0; canSettle && more < settlingEpochs; more++) {
    await restart.cluster(epochs + more);
    if ((more + 1) % epochsARound > 0) continue;
    await restart.recenter(1);
    if ((await restart.agreement()) >= before - costOfMeans) return "means";
  }
  await restart.load(learned);
  await restart.lean(leastCosine);
  if ((await restart.agreement()) < before - costOfLeaning) await restart.load(learned);
  return "learned";
}

/** So few rows held out say little of how sure one may be. */
const fewJudges = 1000;

/** Who says how sure one may be: rows held out; of means, which have learned little from any row, all where few are. */
function judgesOf({ network, labels }: Lesson, held: Int32Array): Int32Array {
  const count = held.reduce((sum, label) => sum + (label >= 0 ? 1 : 0), 0);
  return network === "none" && count < fewJudges ? labels : held;
}

/** Labels of the person's own need no choice. */
function yours(own: OwnLabels): Lesson {
  return { ...own, pretraining: 0, teacher: "yours", view: "yours", reason: "the labels are yours", tried: [] };
}

/** The rows that may be learned from. */
function unheld(data: Data, { held, strangers }: Split): Data {
  const isOut = Uint8Array.from(held, (label) => (label >= 0 ? 1 : 0));
  for (const row of strangers) isOut[row] = 1;
  return withoutRows(data, (row) => isOut[row] === 1);
}

function withoutLabels({ labels: _, ...rest }: Lesson): Omit<Lesson, "labels"> {
  return rest;
}

/** How often the student says what the teacher says of rows whose labels it never saw. */
function judged(found: Int32Array, held: Int32Array, k: number): Omit<Held, "calibration"> {
  const [rows, right] = [new Int32Array(k), new Int32Array(k)];
  held.forEach((label, row) => {
    if (label < 0) return;
    rows[label]!++;
    if (found[row] === label) right[label]!++;
  });
  const total = (counts: Int32Array): number => counts.reduce((sum, count) => sum + count, 0);
  return {
    rows: total(rows),
    agreement: total(right) / total(rows),
    chance: rows.reduce((most, count) => Math.max(most, count), 0) / total(rows),
    clusters: Array.from(rows, (count, j) => (count === 0 ? -1 : right[j]! / count)),
  };
}
