/**
 * Rows learned from, without what uses, changes, streams to or compares runs: `telltale fit` reads fewer files, and
 * starts sooner.
 */

import { demoRunOn } from "../run/fitting/demoRun.ts";
import { fitRunOn, resumeRunOn } from "../run/fitting/fitRun.ts";
import { nodeDevices } from "../runtime/nodeDevices.ts";

export { notUsed } from "../explain/beside/besideWords.ts";
export { decidingWords } from "../explain/clusters/decidingColumn.ts";
export { defaultMethod, methods } from "../methods/index.ts";
export { methodOf } from "../methods/methodOf.ts";
export { resolve as resolveOptions } from "../options.ts";
export { checkLessons, taughtMethod } from "../run/fitting/ownTeacher.ts";
export { RunFolder } from "../run/folder/runFolder.ts";
export { shortNames } from "../run/use/evaluateRun.ts";
export { sharedOptions } from "../training/sharedOptions.ts";
export { doubtAbout, noneWords, taughtWords } from "../training/taughtWords.ts";
export { isMethodFile, readMethodFile } from "../worker/methodFile.ts";

/** Learns the clusters of rows in a file, and writes the run folder. */
export const fitRun = fitRunOn(nodeDevices);

/** Goes on with a training that was stopped. */
export const resumeRun = resumeRunOn(nodeDevices);

/** Clusters the digits that come along. */
export const demoRun = demoRunOn(nodeDevices);
