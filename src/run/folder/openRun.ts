/** A finished run: what is in its folder, and the model that comes out of it. */

import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type Data, type RowsLike, toData } from "../../data/data.ts";
import { type ClaimOptions, OutputFile } from "../../disk/outputFile.ts";
import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import type { Assigns } from "../../explain/explainable.ts";
import type { Reach } from "../../explain/outlier.ts";
import { filesRead } from "../../files/filesRead.ts";
import { type OpenedRows, type OpenOptions, openRows } from "../../files/openRows.ts";
import { isPostgres } from "../../files/recognize.ts";
import { decodeSafetensors } from "../../formats/safetensors.ts";
import { loadMethod } from "../../methods/loadMethod.ts";
import { OnnxModel } from "../../model/onnxModel.ts";
import { labelsIn, MissingWeights, modelFrom, planOf } from "../../model/storedModel.ts";
import { describeOnnx } from "../../onnx/read.ts";
import {
  type Device,
  type DeviceName,
  type DeviceOffer,
  type ForeignOptions,
  findDevice,
} from "../../runtime/device.ts";
import { checkSettings, type Settings } from "../../settings.ts";
import { memoryLimit } from "../../tensor/budget.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import { sizeOf } from "../../tensor/tensor.ts";
import { oneLine } from "../../text/oneLine.ts";
import { shellPath } from "../../text/shellText.ts";
import { Encoder } from "../../training/encoder.ts";
import type { Epoch } from "../../training/epoch.ts";
import { epochLine } from "../../training/fitSchemas.ts";
import { clusterCount } from "../../training/membership.ts";
import type { Method } from "../../training/method.ts";
import type { NetworkBuilder } from "../../training/network.ts";
import { type CuratedRun, curatedRun } from "./curatedRun.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { isMadeOf } from "./modelFiles.ts";
import { NodeModel } from "./nodeModel.ts";
import { methodHint, ownMethod } from "./ownMethod.ts";
import { isRunFile } from "./runFiles.ts";
import { damaged, RunFolder } from "./runFolder.ts";
import { clusterSummaries } from "./schemas/clusterSummaries.ts";
import { isFromMemory, type RunDescription, type RunResult, type SourceDescription } from "./schemas/runDescription.ts";
import { type KeptSnapshot, snapshotsIn } from "./snapshots.ts";

/** What a run has, and its curated model has again. */
export type RunPart = "weights.safetensors" | "model.onnx" | "decoder.onnx" | "clusters.json" | "assignments.parquet";

/** Says where rows are, once they are as it takes them. */
export interface Assigner extends Assigns {
  features(rows: RowsLike): Promise<Data>;
  /** Of rows, 1 where one belongs to none; nothing where it never says so. */
  isNone?(x: Tensor<"float32">): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export class Run {
  readonly folder: RunFolder;
  readonly description: RunDescription & { readonly result: RunResult };
  readonly #offers: readonly DeviceOffer[];
  readonly #fitted: Run["description"];
  /** What a person has made of it; then all that is said is of that. */
  readonly curated: CuratedRun | undefined;

  constructor(
    folder: RunFolder,
    description: Run["description"],
    offers: readonly DeviceOffer[],
    curated?: CuratedRun | undefined,
  ) {
    this.folder = folder;
    this.description = curated ? { ...description, result: curated.result } : description;
    this.#offers = offers;
    this.#fitted = description;
    this.curated = curated;
  }

  /** The same run as it was fitted, whatever a person has made of it. */
  original(): Run {
    return new Run(this.folder, this.#fitted, this.#offers);
  }

  /** Where a file of the run is in its folder: beside the others, or with the curated model. */
  place(name: RunPart): string {
    return this.curated ? `${this.curated.folder}/${name}` : name;
  }

  get path(): string {
    return this.folder.path;
  }

  get name(): string {
    return this.folder.name;
  }

  /** Where it runs: as said, or the first that is here. */
  async device(wanted?: DeviceName | Device): Promise<Device> {
    return typeof wanted === "object" ? wanted : findDevice(this.#offers, wanted);
  }

  /** A file for what the run says: none of its own, nor what it was fitted to. */
  async claim(out: string, options: ClaimOptions = {}): Promise<OutputFile> {
    const real = async (path: string): Promise<string> => realpath(path).catch(() => resolve(path));
    const folder = relative(await real(this.path), await real(dirname(resolve(out))));
    if (isRunFile(join(folder, basename(out)).replaceAll("\\", "/"))) {
      throw new RangeError(`${out}: is a file of the run itself; choose another`);
    }
    const { path, options: own } = this.description.source;
    const read = [...(options.read ?? []), ...(await filesRead(path, own.sql))];
    return OutputFile.claim(out, { ...options, read });
  }

  /** What the clusters are called. A model that was only saved does not know. */
  async names(): Promise<readonly string[]> {
    if (this.curated) return this.curated.description.names;
    const { plan, taught } = this.description.result;
    const { clusters } = plan;
    const summaries = await this.summaries();
    return (
      summaries?.map(({ name }) => name) ??
      taught?.names ??
      Array.from({ length: clusters }, (_, cluster) => `cluster ${cluster}`)
    );
  }

  /** What each cluster is. */
  async clusters(): Promise<readonly ClusterSummary[]> {
    return clustersIn(this.folder, this.description.result, this.place("clusters.json"));
  }

  /** How far out the rows of each cluster are; none for a model that was saved without its rows. */
  async reach(): Promise<readonly Reach[]> {
    return (await this.summaries())?.map(({ reach, far }) => ({ reach, ...(far && { far }) })) ?? [];
  }

  /** The same as `clusters`, or nothing where a model was saved without its rows. */
  async summaries(): Promise<readonly ClusterSummary[] | undefined> {
    return isFromMemory(this.description.source) ? undefined : this.clusters();
  }

  async epochs(): Promise<readonly Epoch[]> {
    return epochsIn(this.folder);
  }

  /** The clusters at some moments of training, where they were asked for. */
  async snapshots(): Promise<readonly KeptSnapshot[]> {
    return snapshotsIn(this.folder);
  }

  /** The model. A network or a method of your own is code and not saved: it has to be given again. */
  async model({ device: wanted, network, method, signal, memory }: LoadOptions = {}): Promise<NodeModel> {
    const device = await this.device(wanted);
    const { settings, result } = this.description;
    if (typeof method === "object" && method.name !== settings.method) {
      throw new RangeError(`${this.path}: was fitted by ${settings.method}, and cannot be used with ${method.name}`);
    }
    const given = typeof method === "object" ? method : (await ownMethod(this.path, this.description, method))?.method;
    const known = given?.name === result.plan.method ? given : await loadMethod(result.plan.method);
    const plan = planOf(result.plan, { method: known, ...(network && { network }) });
    const tensors = await this.tensors();
    const history = await this.epochs();
    const encoder = settings.encoder ? await this.#encoder(device, { signal, memory }) : undefined;
    try {
      return modelFrom(result, plan, tensors, { device, history, ...(encoder && { encoder }) }, NodeModel);
    } catch (error) {
      await encoder?.close();
      throw error instanceof MissingWeights ? damaged(this.path, this.place("weights.safetensors"), error) : error;
    }
  }

  async #encoder(device: Device, options: ForeignOptions): Promise<Encoder> {
    const bytes = await this.folder.bytes("encoder.onnx");
    return Encoder.open(bytes, device, options).catch((error: Error) => {
      options.signal?.throwIfAborted();
      throw new RangeError(`${this.path}: encoder.onnx cannot be used: ${error.message.replace(/^encoder: /, "")}`);
    });
  }

  /** Its weights by name, and the labels of the rows. */
  async tensors(): Promise<ReadonlyMap<string, Tensor>> {
    const name = this.place("weights.safetensors");
    const bytes = await this.folder.bytes(name);
    try {
      return decodeSafetensors(bytes).tensors;
    } catch (error) {
      throw damaged(this.path, name, error);
    }
  }

  /** What says where rows are: the model; or, where its method is none of ours, its ONNX file, which needs no code. */
  async assigner(options: Pick<LoadOptions, "device" | "signal" | "memory"> = {}): Promise<Assigner> {
    const { settings, result } = this.description;
    if (!settings.methodFile && result.plan.network === undefined) return this.model(options);
    const { signal, memory } = options;
    const device = await this.device(options.device);
    const bytesOf = (name: RunPart): Promise<Uint8Array> => this.folder.bytes(this.place(name));
    const [onnx, weights] = [await bytesOf("model.onnx"), await bytesOf("weights.safetensors")];
    if (!isMadeOf(onnx, weights)) {
      throw new RangeError(
        `${this.path}: its centers have moved since model.onnx was written, by a stream that was ended hard; let it end: telltale stream ${shellPath(this.path)}${methodHint(this.description)}`,
      );
    }
    const takesFeatures = describeOnnx(onnx).metadata.input !== undefined;
    const encoder = takesFeatures ? await this.#encoder(device, { signal, memory }) : undefined;
    const model = await OnnxModel.open(onnx, device, { signal, memory }).catch(async (error: Error) => {
      await encoder?.close();
      signal?.throwIfAborted();
      throw new RangeError(`${this.path}: ${error.message}`);
    });
    return {
      run: (x) => model.run(x),
      features: async (rows) => (encoder ? encoder.features(toData(rows)) : toData(rows)),
      async close() {
        await model.close();
        await encoder?.close();
      },
    };
  }

  /** The cluster of each row that it was fitted to. */
  async labels(): Promise<Int32Array> {
    const tensors = await this.tensors();
    try {
      return labelsIn(tensors);
    } catch (error) {
      throw damaged(this.path, this.place("weights.safetensors"), error);
    }
  }

  /**
   * The rows it was fitted to, or other rows: columns are matched by name, and what stood for missing values then does
   * so again.
   */
  async rows(source?: string, options: OpenOptions = {}): Promise<OpenedRows> {
    const { source: fitted } = this.description;
    if (source === undefined && options.sql === undefined) {
      if (fitted.name === "-" || isFromMemory(fitted)) {
        const from = fitted.name === "-" ? "standard input" : "memory";
        throw new RangeError(`${this.path}: its rows came from ${from} and are not kept; give them again as a file`);
      }
      checkStoredSql(this.path, fitted, options.runStoredSql);
      const same = { ...sameRows(fitted), ...options };
      const opened = await openRows(fitted.path ?? fitted.name, same).catch((error) => {
        const { message } = error as Error;
        // What is wrong with an option that was given now is no fault of the rows.
        const isAsked = /: --\w/.test(message);
        throw new RangeError(
          isAsked ? message : `${this.path}: the rows it was fitted to cannot be opened: ${message}`,
        );
      });
      await checkSameRows(this.path, fitted, opened.data).catch(async (error) => {
        await opened.close();
        throw error;
      });
      return opened;
    }
    const opened = await openRows(source ?? "sql", { ...this.#same(options), ...options });
    if (`${opened.data.row}` === `${fitted.row}`) return opened;
    await opened.close();
    throw new RangeError(
      `${source ?? "sql"}: rows must have the shape [${fitted.row}] as those of ${this.name}, got [${opened.data.row}]`,
    );
  }

  #same({ missing }: OpenOptions): OpenOptions {
    const { settings, result } = this.description;
    const { features, marks, row, options, ids, table = [] } = this.description.source;
    // Where nothing was missing, whoever asks for means is given those of the rows that it was fitted to.
    const means = missing === "mean" && !settings.encoder ? result.plan.means : undefined;
    const { filled = means } = this.description.source;
    const { memory } = storedOptions(this.description.source);
    return {
      ...(row.length === 3 && { imageSize: Math.max(row[1]!, row[2]!) }),
      ...(memory !== undefined && { memory }),
      like: {
        ...(features.length > 0 && { features }),
        ...(filled && { filled }),
        ...(marks && { marks }),
        ...(options.id !== undefined && { id: options.id }),
        ...{ namedBy: ids, seen: table.map(({ name }) => name) },
      },
    };
  }
}

/** How rows were read. A folder may come from anybody: what may be used is no more than it is for everybody. */
export function storedOptions({ options }: SourceDescription): SourceDescription["options"] {
  const { memory, ...rest } = options;
  return memory === undefined ? rest : { ...rest, memory: Math.min(memory, Math.floor(memoryLimit() / 1e6)) };
}

/** The same rows again: by the columns that they were, whatever would be made of the file today. */
export function sameRows(source: SourceDescription): OpenOptions {
  const { features, ids, filled, marks } = source;
  if (features.length === 0) return storedOptions(source);
  const { columns: _, encode: __, order: ___, ...options } = storedOptions(source);
  return { ...options, like: { features, id: ids, ...(filled && { filled }), ...(marks && { marks }) } };
}

/** A query in a folder is shown, and run only by whoever says so; nor is a database elsewhere asked. */
export function checkStoredSql(path: string, { options, ...source }: SourceDescription, isWanted = false): void {
  const address = source.path ?? source.name;
  if (isPostgres(address) && !isWanted) {
    throw new RangeError(
      `${path}: its rows come from a database that is not asked again unless you say --run-stored-sql (runStoredSql: true): ${oneLine(address, 200)}`,
    );
  }
  if (options.sql === undefined || isWanted) return;
  throw new RangeError(
    `${path}: its rows come from a query that is stored in the folder, and is not run unless you say --run-stored-sql (runStoredSql: true): ${oneLine(options.sql, 200)}`,
  );
}

/** Whoever speaks of a row by its number must mean the row that was fitted. */
export async function checkSameRows(path: string, fitted: SourceDescription, data: Data): Promise<void> {
  const { name, rows, fingerprint } = fitted;
  if (data.count !== rows) {
    throw new RangeError(
      `${path}: ${name} has ${data.count} rows now and had ${rows}; give the rows again as they were`,
    );
  }
  // Columns may have been chosen anew: then they are other numbers of the same rows.
  if (`${data.row}` === `${fitted.row}` && fingerprint !== undefined && (await fingerprintOf(data)) !== fingerprint) {
    throw new RangeError(
      `${path}: the rows of ${name} are others now than when it was fitted; give them again as they were`,
    );
  }
}

/** What clusters.json says. */
export async function clustersIn(
  folder: RunFolder,
  { plan }: RunResult,
  name = "clusters.json",
): Promise<readonly ClusterSummary[]> {
  return folder.json(name, clusterSummaries(clusterCount(plan), sizeOf(plan.row)));
}

/** What epochs.jsonl says. */
export async function epochsIn(folder: RunFolder, name = "epochs.jsonl"): Promise<readonly Epoch[]> {
  return folder.lines(name, epochLine);
}

export interface OpenRunOptions {
  /** As it was fitted, whatever a person has made of it since (docs/curation.md). */
  readonly original?: boolean;
}

const openRunSettings: Settings<OpenRunOptions> = { original: "flag" };

/** Opens finished runs; a training that has not ended has no model. */
export function openRunOn(offers: readonly DeviceOffer[]) {
  return async function openRun(path: string, options: OpenRunOptions = {}): Promise<Run> {
    checkSettings("openRun", options, openRunSettings);
    const folder = new RunFolder(path);
    const description = await folder.description();
    const { status, result } = description;
    if (status !== "done" || !result) {
      throw new RangeError(
        `${path}: the training has not ended; go on with it: telltale fit --resume ${shellPath(path)}${methodHint(description)}`,
      );
    }
    const curated = options.original ? undefined : await curatedRun(folder, description);
    return new Run(folder, { ...description, result }, offers, curated);
  };
}

export interface LoadOptions extends OpenRunOptions {
  /** Where to run, by name, or a device that you have found yourself; by default the first that is here. */
  readonly device?: DeviceName | Device | undefined;
  /** A network of your own is code and not saved: give it again. */
  readonly network?: NetworkBuilder;
  /** And so is a method of your own: the method, or the file that exports it. */
  readonly method?: Method | string;
  /** Ends what its encoder is at, where it has one. */
  readonly signal?: AbortSignal | undefined;
  /** What its encoder may take beyond its weights, in megabytes. */
  readonly memory?: number | undefined;
}

const loadSettings: Settings<LoadOptions> = {
  ...{ original: "flag", device: "any", network: "call", method: "any", signal: "signal", memory: "any" },
};

export function loadOn(offers: readonly DeviceOffer[]) {
  const openRun = openRunOn(offers);
  /** The model of a run folder, as `save` or a fit has written it. */
  return async function load(path: string, options: LoadOptions = {}): Promise<NodeModel> {
    checkSettings("load", options, loadSettings);
    const { original = false, ...rest } = options;
    return (await openRun(path, { original })).model(rest);
  };
}
