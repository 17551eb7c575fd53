/** What is measured for figures and for tables that are not of scores, by name. */

import type { Device } from "../../src/doors/inside.ts";

export interface Measuring {
  /** Where the data sets are. */
  readonly data: string;
  readonly device: Device;
}

export const measurements: Readonly<Record<string, (measuring: Measuring) => Promise<unknown>>> = {};
