/** What the page in a tab is made of, beyond the public door of browsers: a private one, as `inside` is in Node. */

export { formOf } from "../data/columnForm.ts";
export { type ColumnReport, columnReport } from "../data/columnReport.ts";
export { type HeldRows, heldBeside, heldRoles, heldRows } from "../data/held/heldRows.ts";
export { type HeldCell, type HeldTable, tableOfTexts, tableOfValues } from "../data/held/heldTable.ts";
export { placeRows } from "../explain/placement.ts";
export { saidAlong, saidOfRow } from "../explain/rows/saidOfRows.ts";
export { encodePng } from "../formats/png.ts";
export { type Frame as MovingFrame, MovingFrames } from "../map/movingFrames.ts";
export { quantized } from "../map/quantized.ts";
export { defaultMethod } from "../methods/index.ts";
export { AskedModel } from "../model/askedModel.ts";
export { describedMethods } from "../model/describedMethods.ts";
export { modelOnnx } from "../model/exportOnnx.ts";
export { mapRows } from "../model/mapRows.ts";
export { describeModel, type ModelDescription, modelFrom, planOf, savedWeights } from "../model/storedModel.ts";
export { arePictures, pixelsOf } from "../report/parts/pictures.ts";
export { webGpu } from "../runtime/webGpu.ts";
export * from "./browser.ts";
