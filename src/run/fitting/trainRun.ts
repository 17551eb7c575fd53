/** The training behind a run: from open rows to a finished folder. */

import { rm } from "node:fs/promises";
import { inWords } from "../../disk/cannotWrite.ts";
import { isThere } from "../../disk/isThere.ts";
import { methodOf } from "../../methods/methodOf.ts";
import { pretrainAlike } from "../../model/choosing.ts";
import { suitedPlan } from "../../model/fitOptions.ts";
import { Model } from "../../model/model.ts";
import { codesAsSeen, rowsAsSeen } from "../../model/rowsAsSeen.ts";
import { shellPath } from "../../text/shellText.ts";
import { chooseClusters, type ViewOfRows } from "../../training/chooseClusters.ts";
import type { Epoch } from "../../training/epoch.ts";
import { isOpenToPlainRows } from "../../training/plainRows.ts";
import { type Plan, withScaling } from "../../training/plan.ts";
import { pretrainingOptions } from "../../training/sharedOptions.ts";
import { fitInWorker } from "../../worker/fitInWorker.ts";
import { epochLines } from "../folder/modelFiles.ts";
import { epochsIn, Run, storedOptions } from "../folder/openRun.ts";
import { methodHint } from "../folder/ownMethod.ts";
import type { RunFolder } from "../folder/runFolder.ts";
import type { RunDescription } from "../folder/schemas/runDescription.ts";
import { Snapshots } from "../folder/snapshots.ts";
import { drawRun } from "./drawRun.ts";
import { type DoneRun, finishRun, summariesOf } from "./finishRun.ts";
import { type RunWork, stageOf } from "./runWork.ts";
import { pretrainingWords, readPretraining, writePretraining } from "./sharedPretraining.ts";

/** A training that has failed, and left a checkpoint from which it can go on. */
export class TrainingKept extends Error {}

export async function trainRun(work: RunWork): Promise<Run> {
  const { folder, description, signal } = work;
  try {
    return await trained(work);
  } catch (error) {
    if (signal?.aborted) throw error;
    const { result } = await folder.description().catch(() => ({ result: undefined }));
    if (result?.unfinished) {
      throw new TrainingKept(
        `${plainReason(error)}; the model is saved and can be used: draw the map and write the rest with telltale fit --resume ${shellPath(folder.path)}${methodHint(description)}`,
        { cause: error },
      );
    }
    if (!(await folder.hasCheckpoint())) throw error;
    throw new TrainingKept(
      `${plainReason(error)}; what was trained is kept: go on with telltale fit --resume ${shellPath(folder.path)}${methodHint(description)}`,
      { cause: error },
    );
  }
}

/** A run whose model is saved, and of which the rest was not drawn or listed. */
export async function drawnRun(work: RunWork, saved: DoneRun): Promise<Run> {
  const { folder, offers, signal, methodFile, opened } = work;
  const run = new Run(folder, saved, offers);
  const { device } = saved.settings;
  const method = methodFile?.method;
  const model = await run.model({ ...(device && { device }), ...(method && { method }), ...(signal && { signal }) });
  const seconds = (): number => saved.result.seconds + (performance.now() - work.started) / 1000;
  try {
    const data = await model.features(opened.data);
    const { summaries } = await summariesOf(work, model, data);
    const epochs = await run.epochs();
    return new Run(folder, await drawRun(work, { model, data, summaries, saved, epochs, seconds }), offers);
  } finally {
    await model.close();
  }
}

/** What the system has refused, in words, unless somebody has said it already. */
function plainReason(error: unknown): string {
  const { code, syscall, path, message } = error as NodeJS.ErrnoException;
  return (code !== undefined && syscall !== undefined && inWords(code, path)) || message;
}

async function trained(work: RunWork): Promise<Run> {
  const { folder, opened, offers, methodFile, signal } = work;
  // Rows that may go without a network have no epochs to be timed by.
  const expected = (await folder.hasCheckpoint()) ? undefined : work.timetable.withoutNetwork();
  if (expected) work.onEvent?.({ kind: "expected", ...expected });
  const begun = await withChoice(work);
  const { description } = begun;
  const { clusters, method, profile, seed, device, options, snapshots: wanted } = description.settings;
  const fitting = fitInWorker(
    offers,
    Model,
    methodFile,
  )(opened.data, {
    ...(work.teacher ? { teacher: work.teacher } : { clusters: description.choice?.chosen ?? (clusters as number) }),
    method: methodFile?.method ?? method,
    ...{ profile, seed, options },
    ...(device && { device }),
    ...(wanted !== undefined && { snapshots: wanted }),
    ...(begun.pretrained ? { pretrained: [begun.pretrained] } : await sharedWeights(work)),
    ...(await inFolder(work, "fit.safetensors")),
  });
  const snapshots = wanted === undefined ? undefined : await Snapshots.of(folder, wanted);
  const lines = await folder.appending("epochs.jsonl");
  try {
    for await (const epoch of fitting) {
      const { snapshot: __, watched: ___, ...lasting } = epoch;
      await snapshots?.add(epoch);
      await lines.add(`${JSON.stringify(lasting)}\n`);
      tell(work, epoch);
    }
  } finally {
    await lines.close();
  }
  const model = await fitting;
  model.encoder?.stopOn(signal);
  const epochs = [...(await pretrainingOfChoice(folder, model.fit.history)), ...model.fit.history];
  // What was trained before a stop counts as well.
  const learned = epochs.reduce((sum, epoch) => sum + epoch.seconds, 0);
  const ended = performance.now();
  const since = (moment: number): number => (performance.now() - moment) / 1000;
  const seconds = (): number => Math.max(learned + since(ended), since(work.started));
  try {
    const finished = await finishRun({ ...work, description }, { model, epochs, seconds, snapshots });
    return new Run(folder, finished, offers);
  } finally {
    await model.close();
  }
}

/** An epoch, with the time that is left for all that follows; the first one says how long all of it will take. */
function tell({ onEvent, timetable }: RunWork, epoch: Epoch, of: "choice" | "fit" = "fit"): void {
  const expected = timetable.measured(epoch, of);
  if (expected) onEvent?.({ kind: "expected", ...expected });
  // A teacher that is about to begin has its own work still before it.
  const done = epoch.phase === "teaching" && epoch.epoch === 0 ? "pretraining" : epoch.phase;
  const later = timetable.after(of === "choice" ? "choice" : done);
  onEvent?.({ kind: "epoch", epoch: { ...epoch, remaining: epoch.remaining + later } });
}

/**
 * What every fit of a run has: a checkpoint to write and to go on from, the rows' fills, the encoder, the signal to
 * stop.
 */
async function inFolder({ folder, description, opened, encoder, signal, watch }: RunWork, name: string) {
  const { settings, source } = description;
  const { memory } = storedOptions(source);
  const checkpoint = folder.file("checkpoint", name);
  const isBegun = await isThere(checkpoint);
  return {
    checkpoint,
    ...(memory !== undefined && { memory }),
    ...(isBegun && { resume: checkpoint }),
    // A frozen encoder takes rows that are filled in already.
    ...(opened.filled && !encoder && { missing: opened.filled }),
    // Its features have no names, and weigh alike.
    ...(opened.features.length > 0 && !encoder && { columns: opened.features }),
    ...(settings.weight && { weight: settings.weight }),
    ...(encoder && { network: encoder }),
    ...(signal && { signal }),
    ...(watch !== undefined && { watch }),
  };
}

type InFolder = Awaited<ReturnType<typeof inFolder>>;

const choiceEpochs = "checkpoint/choice.jsonl";

/**
 * The epochs before the first, where the pretraining that showed how many clusters there are was the first restart's as
 * well.
 */
async function pretrainingOfChoice(folder: RunFolder, history: readonly Epoch[]): Promise<readonly Epoch[]> {
  if (history.some(({ restart, phase }) => restart === 0 && phase === "pretraining")) return [];
  return (await isThere(folder.file(choiceEpochs))) ? epochsIn(folder, choiceEpochs) : [];
}

type Weights = NonNullable<NonNullable<Model["fit"]["pretrained"]>[number]>;

/**
 * The description with a number of clusters, and the pretraining that showed which. Where the rows of a table show one
 * number of groups and no other, no network is asked.
 */
async function withChoice(work: RunWork): Promise<{ description: RunDescription; pretrained?: Weights }> {
  const { folder, description, opened, methodFile, signal, onEvent } = work;
  const { settings } = description;
  if (typeof settings.clusters === "number" || description.choice) return { description };
  const { profile, seed, options } = settings;
  const method = methodFile?.method ?? methodOf(settings.method);
  const own = await inFolder(work, "choice.safetensors");
  const { memory, missing, columns, weight } = own;
  const kinds = { ...(columns && { columns }), ...(weight && { weight }) };
  const limits = { ...(memory !== undefined && { memory }), ...(signal && { signal }) };
  const planned = (clusters: number): Promise<Plan> =>
    suitedPlan(method, opened.data, { clusters, profile, seed, options, ...kinds, ...limits });
  const first = await planned(settings.clusters[1]);
  const isPlain = isOpenToPlainRows(first) && !work.encoder;
  const stage = stageOf(work);
  let learned: Model["fit"] | undefined;
  async function* views(): AsyncGenerator<ViewOfRows> {
    if (isPlain) {
      const to = {
        ...(columns && { features: columns }),
        ...(weight && { weight }),
        ...(missing && { missing }),
        ...limits,
      };
      const scaled = await withScaling(first, opened.data, to);
      yield await rowsAsSeen({ plan: scaled }, opened.data);
    }
    const model = await pretrainedToChoose(work, first, own);
    learned = model.fit;
    try {
      if (!isPlain) yield await rowsAsSeen(model, await model.features(opened.data));
      yield await codesAsSeen(model, opened.data, seed);
    } finally {
      await model.close();
    }
  }
  const choice = await chooseClusters(views(), settings.clusters, seed, {
    untilClear: isPlain,
    onTried: (done, total) => stage("trying numbers of clusters", done, total),
    ...(signal && { signal }),
  });
  onEvent?.({ kind: "chosen", choice });
  const chosen = { ...description, choice };
  const isShared = learned && pretrainAlike(first, await planned(choice.chosen));
  if (isShared) {
    await folder.write(choiceEpochs, epochLines(learned!.history.filter(({ phase }) => phase === "pretraining")));
  }
  await folder.describe(chosen);
  await rm(own.checkpoint, { force: true });
  const pretrained = isShared ? learned!.pretrained?.[0] : undefined;
  return { description: chosen, ...(pretrained && { pretrained }) };
}

/** What this fit and others begin with, where somebody has named a file for it: from there, or made and put there. */
async function sharedWeights(work: RunWork): Promise<{ pretrained?: readonly (Weights | undefined)[] }> {
  const { pretraining, description, opened, methodFile, encoder, signal } = work;
  const { clusters, profile, seed, options, weight } = description.settings;
  if (pretraining === undefined || typeof clusters !== "number" || encoder) return {};
  const own = await inFolder(work, "choice.safetensors");
  const { memory, columns } = own;
  const method = methodFile?.method ?? methodOf(description.settings.method);
  const plan = await suitedPlan(method, opened.data, {
    ...{ clusters, profile, seed, options },
    ...(memory !== undefined && { memory }),
    ...(columns && { columns }),
    ...(weight && { weight }),
    ...(signal && { signal }),
  });
  const words = await pretrainingWords(plan, opened.data, weight);
  if (words === undefined || isOpenToPlainRows(plan)) return {};
  const found = await readPretraining(pretraining, words);
  if (found) return { pretrained: found };
  const model = await pretrainedToChoose(work, plan, own, plan.options.restarts);
  const made = model.fit.pretrained ?? [];
  await model.close();
  await writePretraining(pretraining, words, made);
  await rm(own.checkpoint, { force: true });
  return { pretrained: made };
}

/** Pretrainings as the method will have them, and no clusters yet; of a choice, one. */
async function pretrainedToChoose(
  work: RunWork,
  { options, clusters }: Plan,
  own: InFolder,
  restarts = 1,
): Promise<Model> {
  const { opened, offers, description, signal } = work;
  const { seed, device } = description.settings;
  const fitting = fitInWorker(offers)(opened.data, {
    method: "aekm",
    clusters,
    seed,
    options: {
      ...Object.fromEntries(pretrainingOptions.map((name) => [name, options[name]])),
      latent: options.latent || 10,
      pretraining: options.pretraining || 20,
      restarts,
      epochs: 0,
    },
    keepPretrained: true,
    ...(device && { device }),
    ...own,
  });
  for await (const epoch of fitting) tell(work, epoch, "choice");
  const model = await fitting;
  model.encoder?.stopOn(signal);
  return model;
}
