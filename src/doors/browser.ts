/** `telltale` in a browser tab: what someone who clusters needs, free of Node. */

import { fitByNameOn, typedFit } from "../model/fitting.ts";
import { browserDevices } from "../runtime/browserDevices.ts";

export type { Model } from "../model/model.ts";
export * from "./shared.ts";

/** What may be here, in the order of preference. */
export const devices = browserDevices;

/**
 * As `fit`, where the method and its options are known only at run time: their names are checked by the method's table.
 */
export const fitByName = fitByNameOn(devices);

/** Learns clusters, here and now: in a page, call it in a Web Worker to keep the page alive. */
export const fit = typedFit(fitByName);
