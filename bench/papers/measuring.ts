/** What a measurement is given. */

import type { Device } from "../../src/doors/inside.ts";

export interface Measuring {
  /** Where the data sets are. */
  readonly data: string;
  readonly device: Device;
  /** How many rows figures that need a training are drawn of. */
  readonly rows: number;
}
