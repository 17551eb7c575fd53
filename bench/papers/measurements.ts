/** What is measured for figures and for tables that are not of scores, by name. */

import { deepKMeansMeasurements } from "./figures/deepKMeans.ts";
import { invarianceMeasurements } from "./figures/invariance.ts";
import { kmeansnetMeasurements } from "./figures/kmeansnet.ts";
import { pcxMeasurements } from "./figures/pcx.ts";
import { tellMeasurements } from "./figures/tell.ts";
import type { Measuring } from "./measuring.ts";
import { scaleMeasurements } from "./scale.ts";

export const measurements: Readonly<Record<string, (measuring: Measuring) => Promise<unknown>>> = {
  ...tellMeasurements,
  ...kmeansnetMeasurements,
  ...pcxMeasurements,
  ...invarianceMeasurements,
  ...deepKMeansMeasurements,
  ...scaleMeasurements,
};
