/** What the command line uses beyond the public door: a private one, which may change from day to day. */

export { reasonWords, roleWords, valueWords } from "../data/columnReport.ts";
export { besideWords, notUsed } from "../explain/beside/besideWords.ts";
export { oneLine } from "../explain/beside/oneLine.ts";
export { decidingWords } from "../explain/clusters/decidingColumn.ts";
export { defaultMethod } from "../methods/index.ts";
export { allowed, type Option, resolve as resolveOptions } from "../options.ts";
export { exportTargets } from "../run/export/exportRun.ts";
export { checkLessons, taughtMethod } from "../run/fitting/ownTeacher.ts";
export { RunFolder } from "../run/folder/runFolder.ts";
export { shortNames } from "../run/use/evaluateRun.ts";
export { sharedOptions } from "../training/sharedOptions.ts";
export { doubtAbout, noneWords, taughtWords } from "../training/taughtWords.ts";
export { isMethodFile, readMethodFile } from "../worker/methodFile.ts";
export * from "./node.ts";
