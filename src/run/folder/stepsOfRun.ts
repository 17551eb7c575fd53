/** The training step of a finished run, where it is one that several machines can run. */

import { type ParallelSteps, parallelSteps } from "../../training/parallelSteps.ts";
import type { Plan } from "../../training/plan.ts";
import type { Run } from "./openRun.ts";

export interface StepsOfRun {
  readonly plan: Plan;
  readonly steps: ParallelSteps;
}

export async function stepsOfRun(run: Run): Promise<StepsOfRun> {
  const why = whyNot(run);
  if (why) throw new RangeError(`${run.path}: ${why}`);
  // A folder may come from anybody: one whose weights are not those of its plan is refused before anything is built.
  const model = await run.model();
  await model.close();
  const { plan } = model;
  return { plan, steps: parallelSteps(plan, run.description.result.restart) };
}

/** What is code, or comes before the network, or was made of the clusters since, is in no step. */
function whyNot({ curated, description: { settings } }: Run): string | undefined {
  if (curated) return "a person has changed its clusters, which no step knows of; say --original (original: true)";
  if (settings.methodFile) return "its method is your own, which is code, and is in no step that can be exported";
  if (!settings.encoder) return undefined;
  return "its rows go through an encoder first, which is in no step; write what that makes of them to a file, and fit the file";
}
