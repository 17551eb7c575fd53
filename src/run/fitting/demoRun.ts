/** The first five minutes: ten thousand handwritten digits, clustered without their labels. */

import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { DeviceName, DeviceOffer } from "../../runtime/device.ts";
import { checkSettings, type Settings } from "../../settings.ts";
import { sharedOptions } from "../../training/sharedOptions.ts";
import type { OnEvent } from "../events.ts";
import type { Run } from "../folder/openRun.ts";
import { evaluateRun } from "../use/evaluateRun.ts";
import { fitRunOn } from "./fitRun.ts";

export interface DemoOptions {
  readonly out: string;
  readonly seed?: number;
  readonly force?: boolean;
  readonly device?: DeviceName;
  /** Options of the training, in place of the demo's. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  readonly onEvent?: OnEvent;
}

const demoSettings: Settings<DemoOptions> = {
  ...{ out: "text", seed: "whole", force: "flag", device: "text", options: "byName" },
  ...{ signal: "signal", onEvent: "call" },
};

/** One pretraining and a short lesson: what two processors do in a few minutes. */
const brief = { pretraining: 15, epochs: 4, restarts: 1 };

export function demoRunOn(offers: readonly DeviceOffer[]) {
  return async function demoRun(options: DemoOptions): Promise<{ run: Run; accuracy: number }> {
    checkSettings("demoRun", options, demoSettings, { options: sharedOptions });
    const digits = await folderOf("images.npy.gz");
    const run = await fitRunOn(offers)(`${digits}images.npy.gz`, {
      ...options,
      clusters: 10,
      options: { ...brief, ...options.options },
    });
    const { acc } = await evaluateRun(run, { file: `${digits}labels.npy.gz` });
    return { run, accuracy: acc! };
  };
}

/** The digits lie beside the sources in a checkout, and beside dist/ in the package. */
async function folderOf(file: string): Promise<string> {
  for (const up of ["../../../", "../../../../"]) {
    const folder = fileURLToPath(new URL(`${up}data/digits/`, import.meta.url));
    if (await stat(`${folder}${file}`).catch(() => undefined)) return folder;
  }
  throw new RangeError("demo: the digits are not here; they are in the folder data/digits of Telltale's repository");
}
