/** What the command line uses beyond the public door: a private one, which may change from day to day. */

export { reasonWords, roleWords, valueWords } from "../data/columnReport.ts";
export { OutputFile } from "../disk/outputFile.ts";
export { besideWords, notUsed } from "../explain/beside/besideWords.ts";
export { oneLine } from "../explain/beside/oneLine.ts";
export { decidingWords } from "../explain/clusters/decidingColumn.ts";
export { previewRows } from "../files/previewRows.ts";
export { encodePng } from "../formats/png.ts";
export { MovingMap } from "../map/movingMap.ts";
export { defaultMethod } from "../methods/index.ts";
export { allowed, type Option, resolve as resolveOptions } from "../options.ts";
export { arePictures, pixelsOf } from "../report/parts/pictures.ts";
export { NotConfirmed } from "../run/curation/preview.ts";
export { exportTargets } from "../run/export/exportRun.ts";
export { checkLessons, taughtMethod } from "../run/fitting/ownTeacher.ts";
export { framesIn, type KeptFrame, keepFrames, thinned } from "../run/folder/frames.ts";
export { aboutMethod } from "../run/folder/ownMethod.ts";
export { RunFolder } from "../run/folder/runFolder.ts";
export { AskedRun } from "../run/use/askedRun.ts";
export { shortNames } from "../run/use/evaluateRun.ts";
export type { RowFilter } from "../run/use/rowFilter.ts";
export { type PlacedInBoth, placedInBoth } from "../run/use/rowsInBoth.ts";
export { type PageOptions, type PlacementName, RowTable } from "../run/use/rowTable.ts";
export { sharedOptions } from "../training/sharedOptions.ts";
export { doubtAbout, noneWords, taughtWords } from "../training/taughtWords.ts";
export { isMethodFile, readMethodFile } from "../worker/methodFile.ts";
export * from "./node.ts";
