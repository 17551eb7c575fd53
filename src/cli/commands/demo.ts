/** telltale demo: a first result, with nothing but what is here. */

import type { Command } from "commander";
import { demoRun } from "../../doors/learn.ts";
import { percent } from "../../text/shares.ts";
import { stoppedWith } from "../ending.ts";
import { adviceAfterStop } from "../resume.ts";
import { fittedJson, fittedText } from "../summary.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { given, wholeNumber } from "../values.ts";
import { viewed } from "../viewed.ts";

interface Options extends CommonOptions {
  readonly out: string;
  readonly seed: number;
  readonly force?: boolean;
  readonly view?: boolean;
}

export function define(command: Command, around: Surroundings): void {
  command
    .optionsGroup("Output:")
    .option("-o, --out <folder>", "the run folder to write", "runs/demo")
    .option("--force", "replace the run that is there")
    .option("--seed <n>", "another seed, another training", wholeNumber(), 1)
    .option("--view", "look at it in the browser afterwards");
  withCommonOptions(command, "telltale demo");
  command.action(async ({ out, seed, force, view, ...options }: Options) => {
    const talk = new Talk(around, options);
    const made = demoRun({ out, seed, ...given({ force }), ...talk.events });
    const { run, accuracy } = await made.catch(async (error) => {
      talk.clear();
      return stoppedWith(await adviceAfterStop(out), error, around.signal);
    });
    const clusters = await run.clusters();
    const words = `The digits were never named. Afterwards, ${percent(accuracy, 1)} of them are in the cluster of their kind (ACC).`;
    talk.result({ ...fittedJson(run, clusters), accuracy }, () => `${fittedText(run, clusters)}\n\n${words}`);
    if (view) await viewed({ paths: [out] }, {}, talk, around);
  });
}
