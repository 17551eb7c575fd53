/** What a person may say about a fit, and the job that follows from it. */

import { type RowsLike, toData } from "../data/data.ts";
import { defaultMethod, type MethodName, methodOf, type methods } from "../methods/index.ts";
import type { Device, DeviceName } from "../runtime/device.ts";
import { Encoder } from "../training/encoder.ts";
import type { Epoch } from "../training/epoch.ts";
import type { Method, Profile } from "../training/method.ts";
import type { NetworkBuilder } from "../training/network.ts";
import type { OptionTable, ValuesOf } from "../training/options.ts";
import { plan, withScaling } from "../training/plan.ts";
import type { SharedOptions } from "../training/sharedOptions.ts";
import type { Checkpoint, Job } from "../training/train.ts";

/** What is said where the method is known only at run time: its options stand apart, and its table checks them. */
export interface NamedFitOptions extends Omit<Job, "plan" | "data" | "device" | "resume"> {
  readonly clusters: number;
  /** By default tell. A method of your own is as good as one of ours. */
  readonly method?: string | Method;
  /** `paper` does as published; by default practical. */
  readonly profile?: Profile;
  /** The same seed gives the same clusters; by default 1. */
  readonly seed?: number;
  /** Options of the method and the shared ones, where they differ from the profile's. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** One of ours by name, your own as formulas, or the bytes of an ONNX file: an encoder that stays as it is. */
  readonly network?: SharedOptions["network"] | NetworkBuilder | Uint8Array;
  /** What stands for a missing number in each column of a row, inside the model: NaN is then no error. */
  readonly missing?: readonly number[];
  /** Where to run, by name, or a device that you have found yourself; by default the first that is here. */
  readonly device?: Device | DeviceName;
  /** Called after every epoch. */
  readonly onEpoch?: (epoch: Epoch) => void;
  /** In Node: write a checkpoint to this file while training. */
  readonly checkpoint?: string | CheckpointFile;
  /** Go on from a checkpoint, or in Node from a file that holds one. */
  readonly resume?: Checkpoint | string;
}

export interface CheckpointFile {
  readonly file: string;
  /** At least so long between two; by default so that they take a twentieth of the time. */
  readonly everySeconds?: number;
}

type Own = MethodName | Method;
type TableOf<M extends Own> = (M extends MethodName ? (typeof methods)[M] : M extends Method ? M : never)["options"];
/** Of a method whose table nobody knows when the code is written, no option can be said here. */
type OwnOptions<Table extends OptionTable> = string extends keyof Table ? unknown : ValuesOf<Table>;

/**
 * What is said where the method is known when the code is written: its options stand beside the rest, each with its
 * type.
 */
export type FitOptions<M extends Own = typeof defaultMethod> = Omit<NamedFitOptions, "method" | "options"> & {
  readonly method?: M;
} & Partial<Omit<SharedOptions, "network"> & OwnOptions<TableOf<M>>>;

/** The options of the method, put apart: what is no setting is one, and its table refuses a name that nobody knows. */
export function namedOptions<M extends Own>(said: FitOptions<M>): NamedFitOptions {
  const { method, profile, clusters, seed, network, missing, device, labels, evaluateEvery, ...watched } = said;
  const { snapshots, pretrained, keepPretrained, signal, onEpoch, onCheckpoint, checkpoint, resume, ...own } = watched;
  const isOwn = ([name]: [string, unknown]): boolean => Object.hasOwn(own, name);
  const entries = Object.entries(said).filter(([, value]) => value !== undefined);
  const settings = entries.filter((entry) => !isOwn(entry));
  return { ...Object.fromEntries(settings), options: Object.fromEntries(entries.filter(isOwn)) } as NamedFitOptions;
}

/**
 * The job that a person has in mind. A frozen encoder makes features of the rows first, and they are what is clustered.
 */
export async function jobOf(rows: RowsLike, said: NamedFitOptions, device: Device): Promise<Job> {
  const { method: wanted = defaultMethod, network, options = {}, missing, resume, ...rest } = said;
  const method = typeof wanted === "string" ? methodOf(wanted) : wanted;
  if (typeof resume === "string" || said.checkpoint !== undefined) {
    throw new TypeError(
      `${method.name}: checkpoints are files only in Node; use resume and onCheckpoint with their bytes`,
    );
  }
  const given = toData(rows, missing);
  const encoder = network instanceof Uint8Array ? await Encoder.open(network, device) : undefined;
  const data = encoder ? await encoder.features(given) : given;
  const kind = encoder ? "none" : network;
  const resolved = plan(method, data, {
    ...rest,
    ...(typeof kind === "function" && { network: kind }),
    options: typeof kind === "string" ? { ...options, network: kind } : options,
  });
  const scaling = { ...(missing && { missing }), ...(rest.signal && { signal: rest.signal }) };
  return { ...rest, data, device, plan: await withScaling(resolved, data, scaling), ...(resume && { resume }) };
}
