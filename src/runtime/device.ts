/** Where programs run, and how to find out what is here. */

import type { InferenceSession, TensorConstructor } from "onnxruntime-web";
import type { Tensor } from "../tensor/tensor.ts";
import type { Target } from "./target.ts";

export type DeviceName = "cpu" | "gpu" | "wasm";

/** ONNX that somebody else has written, open. */
export interface ForeignModel {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  /** The named outputs; where it can be ended in the middle of a run, the signal does so. */
  run(
    inputs: Readonly<Record<string, Tensor>>,
    outputs: readonly string[],
    signal?: AbortSignal,
  ): Promise<Record<string, Tensor>>;
  close(): Promise<void>;
}

export interface ForeignOptions {
  /** Ends the opening. */
  readonly signal?: AbortSignal | undefined;
  /** What it may take beyond its weights, in megabytes, where that can be bounded. */
  readonly memory?: number | undefined;
}

/** A place to run programs, ready to use. */
export interface Device {
  readonly name: DeviceName;
  /** The runtime and the hardware in words, for people and for records. */
  readonly description: string;
  /** ONNX Runtime as this device's package gives it. */
  readonly runtime: { InferenceSession: typeof InferenceSession; Tensor: TensorConstructor };
  readonly options: InferenceSession.SessionOptions;
  /** Which way of writing operations is fast here. */
  readonly target: Target;
  /** How many training steps go into one run, where the caller has that many: what we measured to be fastest here. */
  readonly stepsPerRun: number;
  /** State stays in GPU buffers between runs. */
  readonly keepsState: boolean;
  /** Opens ONNX that is not ours where it can be ended, and may die by itself; without it, it runs here. */
  readonly openForeign?: (bytes: Uint8Array, options: ForeignOptions) => Promise<ForeignModel>;
}

/** A device that may or may not be here. */
export interface DeviceOffer {
  readonly name: DeviceName;
  /** Gives the device, or fails with the reason in its message. */
  readonly find: () => Promise<Device>;
}

export type DeviceReport =
  | { readonly name: DeviceName; readonly here: true; readonly description: string }
  | { readonly name: DeviceName; readonly here: false; readonly reason: string };

/** The devices that are here, and why the others are not. */
export async function listDevices(offers: readonly DeviceOffer[]): Promise<DeviceReport[]> {
  const reports: DeviceReport[] = [];
  for (const { name, find } of offers) {
    try {
      reports.push({ name, here: true, description: (await find()).description });
    } catch (error) {
      reports.push({ name, here: false, reason: (error as Error).message });
    }
  }
  return reports;
}

/** The device of a name; without a name, the first that is here, saying what was passed over. */
export async function findDevice(
  offers: readonly DeviceOffer[],
  name?: DeviceName,
  notice: (sentence: string) => void = sayOnce,
): Promise<Device> {
  if (name !== undefined) {
    const offer = offers.find((candidate) => candidate.name === name);
    if (!offer) {
      throw new TypeError(`device: there is no "${name}" here; there are ${offers.map((o) => o.name).join(", ")}`);
    }
    return offer.find();
  }
  const missing: string[] = [];
  for (const offer of offers) {
    try {
      const device = await offer.find();
      if (missing.length > 0) notice(`telltale: running on ${device.name}, because ${missing.join("; ")}`);
      return device;
    } catch (error) {
      missing.push(`${offer.name} is not here: ${(error as Error).message}`);
    }
  }
  throw new Error(`device: none can be used; ${missing.join("; ")}`);
}

const said = new Set<string>();

/** On standard error, however often it is asked to. */
export function sayOnce(sentence: string): void {
  if (said.has(sentence)) return;
  said.add(sentence);
  console.warn(sentence);
}

/** Finds a device once; a failure is remembered too. */
export function once(find: () => Promise<Device>): () => Promise<Device> {
  let found: Promise<Device> | undefined;
  return () => {
    found ??= find();
    return found;
  };
}
