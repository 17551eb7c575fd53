/** From rows in a file to a finished run. A training that is stopped, however hard, goes on from its checkpoint. */

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Data } from "../../data/data.ts";
import { type OpenedRows, type OpenOptions, openRows } from "../../files/openRows.ts";
import { methodOf } from "../../methods/index.ts";
import { type Device, type DeviceName, type DeviceOffer, findDevice } from "../../runtime/device.ts";
import { usualRange } from "../../training/chooseClusters.ts";
import { Encoder } from "../../training/encoder.ts";
import { plan } from "../../training/plan.ts";
import { version } from "../../version.ts";
import type { OnEvent } from "../events.ts";
import { type RunDescription, runFormat, type SourceDescription } from "../folder/description.ts";
import { fingerprintOf } from "../folder/fingerprint.ts";
import { checkSameRows, Run } from "../folder/openRun.ts";
import { RunFolder } from "../folder/runFolder.ts";
import { trained } from "./trainRun.ts";

export interface FitRunOptions {
  /** The folder to write. */
  readonly out: string;
  readonly force?: boolean;
  /** How many, a range to choose from, or leave it to Telltale. */
  readonly clusters?: number | readonly [number, number] | "auto";
  readonly method?: string;
  readonly profile?: "paper" | "practical";
  readonly seed?: number;
  readonly device?: DeviceName;
  /** Options of the method, and the shared ones. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** An ONNX file: an encoder that stays as it is. */
  readonly network?: string;
  /** How to read the rows. */
  readonly rows?: OpenOptions;
  readonly map?: boolean;
  readonly report?: boolean;
  readonly signal?: AbortSignal;
  readonly onEvent?: OnEvent;
}

export type ResumeOptions = Pick<FitRunOptions, "signal" | "onEvent" | "map" | "report"> & { readonly source?: string };

export function fitRunOn(offers: readonly DeviceOffer[]) {
  /** Learns the clusters of rows in a file, and writes the run folder. */
  return async function fitRun(source: string, options: FitRunOptions): Promise<Run> {
    const { method = "tell", profile = "practical", seed = 1, device, network, rows = {}, force } = options;
    const replacing = { ...(force !== undefined && { force }) };
    await RunFolder.check(options.out, replacing);
    const encoder = network === undefined ? undefined : await readEncoder(network);
    const found = await findDevice(offers, device);
    const loaded = await openRows(source, { ...rows, ...stopping(options) });
    try {
      if (encoder) await tryEncoder(network!, encoder, found, loaded.data);
      const settings: RunDescription["settings"] = {
        clusters: wanted(options.clusters, loaded.data.count),
        method,
        profile,
        seed,
        ...(device && { device }),
        ...(options.map === false && { map: false }),
        ...(options.report === false && { report: false }),
        ...(encoder && { encoder: true }),
        options: options.options ?? {},
      };
      // Whatever is wrong with the options is said before anything is written.
      const most = typeof settings.clusters === "number" ? settings.clusters : settings.clusters[1];
      plan(methodOf(method), loaded.data, { ...settings, clusters: most });
      options.onEvent?.({ kind: "device", device: found.description });
      options.onEvent?.({ kind: "opened", description: loaded.description, rows: loaded.data.count });
      const folder = await RunFolder.create(options.out, replacing);
      try {
        const description: RunDescription = {
          format: "telltale run",
          version: runFormat,
          telltale: version,
          status: "training",
          created: new Date().toISOString(),
          source: await describeSource(source, rows, loaded),
          settings,
        };
        await folder.begin(description);
        if (encoder) await folder.write("encoder.onnx", encoder);
        return await trained({ ...options, folder, description, loaded, offers, ...(encoder && { encoder }) });
      } finally {
        await folder.unlock();
      }
    } finally {
      await loaded.close();
    }
  };
}

export function resumeRunOn(offers: readonly DeviceOffer[]) {
  /** Goes on with a training that was stopped; one that had ended is as it is. */
  return async function resumeRun(path: string, options: ResumeOptions = {}): Promise<Run> {
    const folder = new RunFolder(path);
    const description = await folder.description();
    const { result, source, settings } = description;
    if (description.status === "done" && result) return new Run(folder, { ...description, result }, offers);
    if (options.source === undefined && source.name === "-") {
      throw new RangeError(`${path}: its rows came from standard input; give them again as a file to go on`);
    }
    await folder.lock();
    try {
      const from = options.source ?? source.path ?? source.name;
      const loaded = await openRows(from, { ...source.options, ...stopping(options) });
      try {
        await checkSameRows(path, source, loaded.data);
        options.onEvent?.({ kind: "opened", description: loaded.description, rows: loaded.data.count });
        const encoder = settings.encoder ? await folder.bytes("encoder.onnx") : undefined;
        return await trained({ ...options, folder, description, loaded, offers, ...(encoder && { encoder }) });
      } finally {
        await loaded.close();
      }
    } finally {
      await folder.unlock();
    }
  };
}

function stopping({ signal }: { readonly signal?: AbortSignal }): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}

function wanted(clusters: FitRunOptions["clusters"], rows: number): RunDescription["settings"]["clusters"] {
  if (clusters === undefined || clusters === "auto") return usualRange(rows);
  if (typeof clusters === "number") return clusters;
  const [from, to] = clusters;
  if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 2 && to >= from)) {
    throw new RangeError(
      `fit: a range of clusters must go from a whole number from 2 to a larger one, got ${from}-${to}`,
    );
  }
  return clusters;
}

async function describeSource(
  source: string,
  { input: _, signal: __, ...options }: OpenOptions,
  loaded: OpenedRows,
): Promise<SourceDescription> {
  const { data, features, ids, labels, filled, description } = loaded;
  return {
    name: source,
    ...(source !== "-" && options.sql === undefined && { path: resolve(source) }),
    options,
    description,
    rows: data.count,
    row: data.row,
    range: data.range,
    fingerprint: await fingerprintOf(data),
    features,
    ids: ids?.names ?? [],
    ...(filled && { filled }),
    ...(labels && { classes: labels.names }),
  };
}

/** Whether it takes such rows is found with the first, before anything is written. */
async function tryEncoder(path: string, bytes: Uint8Array, device: Device, data: Data): Promise<void> {
  try {
    const encoder = await Encoder.open(bytes, device);
    try {
      for await (const { x } of data.inOrder(1)) {
        await encoder.encode(x);
        break;
      }
    } finally {
      await encoder.close();
    }
  } catch (error) {
    throw new RangeError(`${path}: ${(error as Error).message}`);
  }
}

async function readEncoder(path: string): Promise<Uint8Array> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new RangeError(`${path}: the encoder cannot be read (${error.code}); network must name an ONNX file`);
  });
}
