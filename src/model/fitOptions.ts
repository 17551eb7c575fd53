/** What a person may say about a fit, and the job that follows from it. */

import { areMixed, type ColumnWeights, checkWeights as checkColumnWeights } from "../data/columnScaling.ts";
import { type Data, type RowsLike, toData } from "../data/data.ts";
import { type ColumnsOfRow, featuresOf } from "../explain/clusters/clusterNames.ts";
import { defaultMethod, type MethodName, type methods } from "../methods/index.ts";
import { methodOf } from "../methods/methodOf.ts";
import type { OptionTable, ValuesOf } from "../options.ts";
import type { Device, DeviceName } from "../runtime/device.ts";
import { checkSettings, type Settings } from "../settings.ts";
import type { Epoch } from "../training/epoch.ts";
import type { Checkpoint, Job } from "../training/job.ts";
import { checkTaught, type OwnLabels, ownLabels } from "../training/lesson.ts";
import type { Method, Profile } from "../training/method.ts";
import type { NetworkBuilder } from "../training/network.ts";
import { type Plan, plan, withScaling } from "../training/plan.ts";
import { type SharedOptions, sharedOptions } from "../training/sharedOptions.ts";
import { suited } from "../training/suited.ts";

/** What may be said in place of a number: a range to choose from, or nothing at all. */
export type OpenClusters = "auto" | `${number}-${number}` | readonly [number, number];

/** What is said where the method is known only at run time: its options stand apart, and its table checks them. */
export interface NamedFitOptions extends Omit<Job, "plan" | "data" | "device" | "resume" | "teacher"> {
  /**
   * How many; a range to choose from, [3, 8] or "3-8"; or "auto", as many as there are groups (docs/groups.md). Where a
   * clustering of your own is the teacher, it says.
   */
  readonly clusters?: number | OpenClusters;
  /**
   * A clustering of your own, one label per row, text or whole numbers: the method `telltale` learns to repeat it. −1,
   * null and an empty text are no label.
   */
  readonly teacher?: ArrayLike<unknown> | OwnLabels;
  /** By default telltale. A method of your own is as good as one of ours. */
  readonly method?: string | Method;
  /** `paper` does as published; by default practical. */
  readonly profile?: Profile;
  /** The same seed gives the same clusters; by default 1. */
  readonly seed?: number;
  /** Options of the method and the shared ones, where they differ from the profile's. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** One of ours by name, your own as formulas, or the bytes of an ONNX file: an encoder that stays as it is. */
  readonly network?: SharedOptions["network"] | NetworkBuilder | Uint8Array;
  /** What each number of a row is (`OpenedRows.features`, or names): a column of categories or dates weighs as one. */
  readonly columns?: ColumnsOfRow;
  /** How much columns weigh, by name, where it is not 1. */
  readonly weight?: ColumnWeights;
  /** What stands for a missing number in each column of a row, inside the model: NaN is then no error. */
  readonly missing?: readonly number[];
  /** Where to run, by name, or a device that you have found yourself; by default the first that is here. */
  readonly device?: Device | DeviceName;
  /** What may be used, in megabytes; by default three quarters of what is free. */
  readonly memory?: number;
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

/**
 * What may be said beside the options of a method. The compiler keeps it whole: a setting that is missing is an error.
 */
const settings: Settings<Omit<NamedFitOptions, "options">> = {
  ...{ clusters: "any", method: "any", profile: "text", seed: "whole", network: "any", missing: "any" },
  ...{ columns: "any", weight: "byName", device: "any", memory: "any", labels: "any", teacher: "any" },
  ...{ evaluateEvery: "any", snapshots: "any", watch: "any", pretrained: "any", keepPretrained: "flag" },
  ...{ signal: "signal", onEpoch: "call", onCheckpoint: "call", checkpoint: "any", resume: "any" },
};

const isSetting = (name: string): boolean => Object.hasOwn(settings, name);

/** The options of the method, put apart: what is no setting is one, and its table refuses a name that nobody knows. */
export function namedOptions<M extends Own>(said: FitOptions<M>): NamedFitOptions {
  const entries = Object.entries(said).filter(([, value]) => value !== undefined);
  const own = entries.filter(([name]) => !isSetting(name));
  const others = entries.filter(([name]) => isSetting(name));
  return { ...Object.fromEntries(others), options: Object.fromEntries(own) } as NamedFitOptions;
}

/** The job that a person has in mind. What a frozen encoder makes of rows is made before (`prepared`). */
export async function jobOf(rows: RowsLike, said: NamedFitOptions, device: Device): Promise<Job> {
  const { missing, resume, signal } = said;
  const method = checkedMethod(said);
  const data = toData(rows, missing);
  const teacher = said.teacher && ownLabels(method.name, said.teacher);
  const fitting = await suitedPlan(method, data, { ...said, clusters: clustersOf(method, said, teacher) });
  const { labels, evaluateEvery, snapshots, watch, pretrained, keepPretrained, onCheckpoint } = said;
  return {
    plan: await withScaling(fitting, data, toScale(said)),
    data,
    device,
    ...present({ signal, labels, teacher, evaluateEvery, snapshots, watch, pretrained, keepPretrained, onCheckpoint }),
    ...(resume && { resume: resume as Checkpoint }),
  };
}

/** The plan that follows from what was said and, where the method leaves it to them, from the rows. */
export async function suitedPlan(
  method: Method,
  data: Data,
  said: Pick<NamedFitOptions, "seed" | "profile" | "memory" | "network" | "options" | "columns" | "weight" | "signal"> &
    Pick<Plan, "clusters">,
): Promise<Plan> {
  const { clusters, seed, profile, memory, network: kind, signal } = said;
  const options = withColumns(method.name, said);
  const resolved = plan(method, data, {
    clusters,
    ...present({ seed, profile, memory }),
    ...(typeof kind === "function" && { network: kind }),
    options: typeof kind === "string" ? { ...options, network: kind } : options,
  });
  return method.isTaught ? suited(resolved, data, options, signal) : resolved;
}

/** What a scaling is found by, beside the rows. */
export function toScale({ missing, columns, weight, signal }: NamedFitOptions) {
  return present({ missing, features: columns && featuresOf(columns), weight, signal });
}

/** The options; where columns cannot be compared as they are, or weigh differently, with the scaling for it. */
function withColumns(
  where: string,
  { options = {}, columns = [], weight }: Pick<NamedFitOptions, "options" | "columns" | "weight">,
): Readonly<Record<string, unknown>> {
  const features = featuresOf(columns);
  if (weight) checkColumnWeights(where, features, weight);
  const isFree = (options.scaling ?? "auto") === "auto";
  return isFree && (weight || areMixed(features)) ? { ...options, scaling: "columns" } : options;
}

function clustersOf(method: Method, { clusters }: NamedFitOptions, teacher?: OwnLabels): number {
  const where = method.name;
  if (teacher) checkTaught(method);
  if (teacher && clusters !== undefined) {
    throw new RangeError(
      `${where}: a teacher of your own has ${teacher.names.length} clusters, so that clusters must not be said, got ${clusters}`,
    );
  }
  const found = teacher?.names.length ?? clusters;
  if (typeof found === "number") return found;
  throw new RangeError(
    `${where}: clusters must be a whole number from 1, a range such as "3-8", or "auto", got ${found ?? "none"}`,
  );
}

/** The method, once all that was said is something that can be said. */
export function checkedMethod(said: NamedFitOptions): Method {
  const { method: wanted = defaultMethod, network, resume, checkpoint } = said;
  const method = typeof wanted === "string" ? methodOf(wanted) : wanted;
  const where = method.name;
  checkOptionNames(method);
  checkSettings(where, said, { ...settings, options: "byName" }, { options: { ...sharedOptions, ...method.options } });
  if (typeof resume === "string" || checkpoint !== undefined) {
    throw new TypeError(
      `${where}: checkpoints are files only in Node; here onCheckpoint gives them, resume takes them, and encodeCheckpoint and decodeCheckpoint of telltale/engine make bytes of them`,
    );
  }
  if (network !== undefined && !["string", "function"].includes(typeof network) && !(network instanceof Uint8Array)) {
    throw new TypeError(`${where}: network must be a name, a function, or the bytes of an ONNX file as a Uint8Array`);
  }
  return method;
}

/** An option that is called like something else that is said could never be given. */
export function checkOptionNames({ name: where, options }: Method): void {
  for (const name of Object.keys(options)) {
    if (!isSetting(name) && !Object.hasOwn(sharedOptions, name)) continue;
    const kind = isSetting(name) ? "a setting of fit" : "an option of every method";
    throw new RangeError(`${where}: an option of a method needs a name of its own, ${name} is ${kind}`);
  }
}

function present<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
