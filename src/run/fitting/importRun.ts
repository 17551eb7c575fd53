/**
 * A state that several machines have trained by the step of a run (telltale export --target step), as a run again: the
 * training ends with it as it would have ended here, on the rows of the run.
 */

import { readRegular } from "../../disk/regularFile.ts";
import { decodeSafetensors } from "../../formats/safetensors.ts";
import type { DeviceOffer } from "../../runtime/device.ts";
import { checkSettings, type Settings } from "../../settings.ts";
import { memoryLimit } from "../../tensor/budget.ts";
import { isFloat, type Tensor } from "../../tensor/tensor.ts";
import { oneLine } from "../../text/oneLine.ts";
import { encodeCheckpoint } from "../../training/checkpoint.ts";
import type { Epoch } from "../../training/epoch.ts";
import type { Weights } from "../../training/job.ts";
import type { ParallelSteps } from "../../training/parallelSteps.ts";
import { describePlan } from "../../training/plan.ts";
import { rowsMark } from "../../training/train.ts";
import { version } from "../../version.ts";
import type { OnEvent } from "../events.ts";
import { openRunOn, type Run } from "../folder/openRun.ts";
import { RunFolder } from "../folder/runFolder.ts";
import { type RunDescription, runFormat } from "../folder/schemas/runDescription.ts";
import { stepsOfRun } from "../folder/stepsOfRun.ts";
import { factsOf } from "./fitRun.ts";
import { Timetable } from "./timetable.ts";
import { TrainingKept, trainRun } from "./trainRun.ts";

export interface ImportOptions {
  /** The merged state: a safetensors file with the names of the one that was exported. */
  readonly state: string;
  /** The folder to write. */
  readonly out: string;
  readonly force?: boolean;
  readonly map?: boolean;
  readonly report?: boolean;
  readonly runStoredSql?: boolean;
  readonly signal?: AbortSignal;
  readonly onEvent?: OnEvent;
}

const importSettings: Settings<ImportOptions> = {
  ...{ state: "text", out: "text", force: "flag", map: "flag", report: "flag", runStoredSql: "flag" },
  ...{ signal: "signal", onEvent: "call" },
};

export const trainedElsewhere = "its last epochs were trained elsewhere, by steps that were exported and merged";

export function importRunOn(offers: readonly DeviceOffer[]) {
  const openRun = openRunOn(offers);
  /** Makes a run of a state that was trained elsewhere, from the run whose step was exported. */
  return async function importRun(path: string, options: ImportOptions): Promise<Run> {
    const started = performance.now();
    checkSettings("importRun", options, importSettings);
    const { state: file, out, force, map, report, runStoredSql, signal, onEvent } = options;
    const run = await openRun(path, { original: true });
    const { plan, steps } = await stepsOfRun(run);
    const state = await stateIn(file, steps, await run.tensors());
    const opened = await run.rows(undefined, {
      withBeside: true,
      ...(runStoredSql !== undefined && { runStoredSql }),
      ...(signal && { signal }),
    });
    let folder: RunFolder | undefined;
    try {
      folder = await RunFolder.create(out, { ...(force !== undefined && { force }) });
      // One restart came back.
      const one = { ...plan, options: { ...plan.options, restarts: 1 } };
      const history = await historyOf(run);
      const checkpoint = encodeCheckpoint({
        plan: { ...describePlan(one), evaluateEvery: 1, rows: await rowsMark(opened.data) },
        ...{ restart: 0, phase: "clustering", epoch: plan.options.epochs, stopped: "all epochs done" },
        ...{ state, finished: [], history },
      });
      const description = describedAnew(run, { map, report });
      await folder.begin(
        description,
        new Map<string, string | Uint8Array>([
          ["epochs.jsonl", ""],
          ["checkpoint/fit.safetensors", checkpoint],
        ]),
      );
      onEvent?.({ kind: "opened", description: opened.description, rows: opened.data.count });
      const timetable = new Timetable(await factsOf(description, one, opened, signal), started);
      const listening = { ...(signal && { signal }), ...(onEvent && { onEvent }) };
      return await trainRun({ folder, description, opened, offers, started, timetable, ...listening });
    } catch (error) {
      if (!signal?.aborted && !(error instanceof TrainingKept)) await folder?.discard();
      throw error;
    } finally {
      await opened.close();
      await folder?.unlock();
    }
  };
}

/** The same training as before, but for how often it begins and what is drawn of it. */
function describedAnew(
  { description: { source, settings, choice } }: Run,
  { map = settings.map, report = settings.report }: { map?: boolean | undefined; report?: boolean | undefined },
): RunDescription {
  const { map: _, report: __, snapshots: ___, ...rest } = settings;
  return {
    format: "telltale run",
    version: runFormat,
    telltale: version,
    status: "training",
    created: new Date().toISOString(),
    source,
    settings: {
      ...rest,
      ...(map !== undefined && { map }),
      ...(report !== undefined && { report }),
      options: { ...settings.options, restarts: 1 },
    },
    ...(choice && { choice }),
  };
}

/** How the run that was exported came about, and that it went on elsewhere. */
async function historyOf(run: Run): Promise<Epoch[]> {
  const { restart: kept, plan } = run.description.result;
  const epochs = Number(plan.options.epochs);
  const own = (await run.epochs()).filter(({ restart }) => restart === kept).map((epoch) => ({ ...epoch, restart: 0 }));
  const notices = [trainedElsewhere];
  return [
    ...own,
    { restart: 0, phase: "clustering", epoch: epochs, epochs, losses: {}, notices, seconds: 0, remaining: 0 },
  ];
}

/** What a model needs of a file of anybody's: all of it, of the right shapes, and numbers everywhere. */
async function stateIn(file: string, { state, modelVariables }: ParallelSteps, before: Weights): Promise<Weights> {
  const bytes = await readRegular(file, Math.min(2 ** 31, memoryLimit() / 4));
  const refused = (why: string): never => {
    throw new RangeError(`${file}: ${why}; give the state that the step of this run has become`);
  };
  let tensors: ReadonlyMap<string, Tensor>;
  try {
    ({ tensors } = decodeSafetensors(bytes));
  } catch (error) {
    return refused(`is no safetensors file (${(error as Error).message.replace(/^safetensors: /, "")})`);
  }
  const known = new Map(state.map(({ variable }) => [variable.attributes.name, variable]));
  for (const [name, { dtype, shape, data }] of tensors) {
    const expected =
      known.get(name) ?? refused(`has ${JSON.stringify(oneLine(name, 60))}, which the step does not keep`);
    if (dtype !== expected.dtype || `${shape}` !== `${expected.shape}`) {
      refused(`${name} must be ${expected.dtype} [${expected.shape}], got ${dtype} [${shape}]`);
    }
    if (isFloat(dtype) && !(data as Float32Array).every(Number.isFinite)) refused(`${name} must be finite everywhere`);
  }
  return new Map(
    modelVariables.map((name) => {
      // What no step needs, such as the temperature, is as it was.
      const value = tensors.get(name) ?? (known.has(name) ? undefined : before.get(name));
      return [name, value ?? refused(`must have ${name}, it has not`)];
    }),
  );
}
