/** The training behind a run: from open rows to a finished folder. */

import { appendFile, rm, stat } from "node:fs/promises";
import type { OpenedRows } from "../../files/openRows.ts";
import { methodOf } from "../../methods/index.ts";
import type { Model } from "../../model/model.ts";
import type { DeviceOffer } from "../../runtime/device.ts";
import { chooseClusters, rowsToChooseBy } from "../../training/chooseClusters.ts";
import type { Epoch } from "../../training/epoch.ts";
import { plan } from "../../training/plan.ts";
import { pretrainingOptions } from "../../training/sharedOptions.ts";
import { fitInWorker } from "../../worker/fitInWorker.ts";
import type { OnEvent } from "../events.ts";
import type { RunDescription } from "../folder/description.ts";
import { epochLines } from "../folder/modelFiles.ts";
import { epochsIn, Run } from "../folder/openRun.ts";
import type { RunFolder } from "../folder/runFolder.ts";
import { finish } from "./finishRun.ts";
import { sampleOf } from "./sampleRows.ts";

export interface Training {
  /** Whether to draw the map and to write the report. */
  readonly map?: boolean;
  readonly report?: boolean;
  readonly signal?: AbortSignal;
  readonly onEvent?: OnEvent;
  readonly folder: RunFolder;
  readonly description: RunDescription;
  readonly loaded: OpenedRows;
  readonly encoder?: Uint8Array;
  readonly offers: readonly DeviceOffer[];
}

export async function trained(training: Training): Promise<Run> {
  const { folder, loaded, offers, onEvent } = training;
  const started = performance.now();
  const begun = await withChoice(training);
  const { description } = begun;
  const { clusters, encoder: _, options, map = true, report = true, ...settings } = description.settings;
  const fitting = fitInWorker(offers)(loaded.data, {
    ...options,
    ...settings,
    clusters: description.choice?.chosen ?? (clusters as number),
    ...(begun.pretrained && { pretrained: [begun.pretrained] }),
    ...(await inFolder(training, "fit.safetensors")),
  });
  for await (const epoch of fitting) {
    const { snapshot: __, ...lasting } = epoch;
    await appendFile(folder.file("epochs.jsonl"), `${JSON.stringify(lasting)}\n`);
    onEvent?.({ kind: "epoch", epoch });
  }
  const model = await fitting;
  const epochs = [...(await pretrainingOfChoice(folder, model.fit.history)), ...model.fit.history];
  // What was trained before a stop counts as well.
  const before = epochs.reduce((sum, epoch) => sum + epoch.seconds, 0);
  const seconds = Math.max(before, (performance.now() - started) / 1000);
  try {
    const finished = await finish({ map, report, ...training, description, model, epochs, seconds });
    return new Run(folder, finished, offers);
  } finally {
    await model.close();
  }
}

/** What every fit of a run has: a checkpoint to write and to go on from, the rows' fills, the encoder, the signal to stop. */
async function inFolder({ folder, loaded, encoder, signal }: Training, name: string) {
  const checkpoint = folder.file("checkpoint", name);
  const isBegun = await stat(checkpoint).catch(() => undefined);
  return {
    checkpoint,
    ...(isBegun && { resume: checkpoint }),
    // A frozen encoder takes rows that are filled in already.
    ...(loaded.filled && !encoder && { missing: loaded.filled }),
    ...(encoder && { network: encoder }),
    ...(signal && { signal }),
  };
}

const choiceEpochs = "checkpoint/choice.jsonl";

/** The epochs before the first, where the pretraining that showed how many clusters there are was the first restart's as well. */
async function pretrainingOfChoice(folder: RunFolder, history: readonly Epoch[]): Promise<readonly Epoch[]> {
  if (history.some(({ restart, phase }) => restart === 0 && phase === "pretraining")) return [];
  const isThere = await stat(folder.file(choiceEpochs)).catch(() => undefined);
  return isThere ? epochsIn(folder, choiceEpochs) : [];
}

type Weights = NonNullable<NonNullable<Model["fit"]["pretrained"]>[number]>;

/** The description with a number of clusters, and the pretraining that showed which. */
async function withChoice(training: Training): Promise<{ description: RunDescription; pretrained?: Weights }> {
  const { folder, description, loaded, offers, onEvent } = training;
  const { settings } = description;
  if (typeof settings.clusters === "number" || description.choice) return { description };
  const [, to] = settings.clusters;
  const method = methodOf(settings.method);
  const resolved = plan(method, loaded.data, { ...settings, clusters: to }).options;
  const own = await inFolder(training, "choice.safetensors");
  // A code as long as there are clusters would need a pretraining for each.
  const isShared = resolved.latent > 0 && resolved.pretraining > 0;
  const shared = Object.fromEntries(pretrainingOptions.map((name) => [name, resolved[name]]));
  const fitting = fitInWorker(offers)(loaded.data, {
    ...shared,
    latent: resolved.latent || 10,
    pretraining: resolved.pretraining || 20,
    method: "aekm",
    clusters: to,
    seed: settings.seed,
    restarts: 1,
    epochs: 0,
    keepPretrained: true,
    ...(settings.device && { device: settings.device }),
    ...own,
  });
  for await (const epoch of fitting) onEvent?.({ kind: "epoch", epoch });
  const model = await fitting;
  try {
    const codes = await model.transform((await sampleOf(loaded.data, rowsToChooseBy, settings.seed)).data);
    const stage = "trying numbers of clusters";
    const choice = chooseClusters(codes, settings.clusters, settings.seed, (done, total) =>
      onEvent?.({ kind: "stage", stage, done, total }),
    );
    onEvent?.({ kind: "chosen", choice });
    const chosen = { ...description, choice };
    const learned = model.fit.history.filter(({ phase }) => phase === "pretraining");
    if (isShared) await folder.write(choiceEpochs, epochLines(learned));
    await folder.describe(chosen);
    await rm(own.checkpoint, { force: true });
    const pretrained = isShared ? model.fit.pretrained?.[0] : undefined;
    return { description: chosen, ...(pretrained && { pretrained }) };
  } finally {
    await model.close();
  }
}
