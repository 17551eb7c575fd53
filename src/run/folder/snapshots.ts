/**
 * snapshots.safetensors: the clusters of a run at some moments of its training (TELL, Fig. 5 and 6). While it goes on
 * they lie beside its checkpoint, so that a training that is stopped loses none.
 */

import { isThere } from "../../disk/isThere.ts";
import { count, list, object, problemIn, wholeNumber } from "../../formats/schema.ts";
import { decodeTensorGroups, encodeTensorGroups, type FileKind } from "../../formats/tensorGroups.ts";
import { sizeOf, type Tensor } from "../../tensor/tensor.ts";
import type { Epoch, Snapshot } from "../../training/epoch.ts";
import { damaged, type RunFolder } from "./runFolder.ts";
import { mostSnapshots } from "./schemas/runDescription.ts";

/** The clusters after an epoch of a restart. */
export interface KeptSnapshot extends Pick<Snapshot, "centers" | "exemplars">, Partial<Pick<Snapshot, "codes">> {
  readonly restart: number;
  readonly epoch: number;
}

/** So many numbers are kept of a restart: 64 MB. */
const mostNumbers = 2 ** 24;

const kind: FileKind = { format: "telltale snapshots", version: 1, value: "snapshots" };
export const snapshotsName = "snapshots.safetensors";
const inTraining = `checkpoint/${snapshotsName}`;
const moments = list(object({ restart: count, epoch: wholeNumber(0, 2 ** 31) }));

/** Snapshots of a training that is under way. */
export class Snapshots {
  readonly #folder: RunFolder;
  /** How many numbers one may have. */
  readonly #most: number;
  #kept: KeptSnapshot[];

  private constructor(folder: RunFolder, most: number, kept: readonly KeptSnapshot[]) {
    this.#folder = folder;
    this.#most = most;
    this.#kept = [...kept];
  }

  /** Those of a training that is gone on with, or none. */
  static async of(folder: RunFolder, wanted: number): Promise<Snapshots> {
    return new Snapshots(folder, mostNumbers / wanted, await snapshotsIn(folder, inTraining));
  }

  /** Keeps what an epoch has, if anything. An epoch that is made again after a stop has its place already. */
  async add({ restart, epoch, snapshot }: Epoch): Promise<void> {
    if (!snapshot) return;
    const others = this.#kept.filter((each) => each.restart !== restart || each.epoch !== epoch);
    this.#kept = [...others, { restart, epoch, ...within(this.#most, snapshot) }];
    await this.#folder.write(inTraining, encoded(this.#kept));
  }

  /** The file of a finished run: those of the restart that was kept. */
  file(restart: number): [string, Uint8Array][] {
    const own = this.#kept.filter((each) => each.restart === restart);
    return own.length > 0 ? [[snapshotsName, encoded(own)]] : [];
  }
}

/** What of a snapshot has at most so many numbers: exemplars are the first to go, then codes. */
function within(most: number, { centers, exemplars, codes }: Snapshot): Pick<KeptSnapshot, keyof Snapshot> {
  const size = (...parts: (Tensor | undefined)[]): number =>
    parts.reduce((sum, part) => sum + (part ? sizeOf(part.shape) : 0), 0);
  if (exemplars && size(centers, exemplars, codes) <= most) return { centers, exemplars, codes };
  return size(centers, codes) <= most ? { centers, codes } : { centers };
}

function encoded(all: readonly KeptSnapshot[]): Uint8Array {
  const value = all.map(({ restart, epoch }) => ({ restart, epoch }));
  const groups = all.map(({ restart: _, epoch: __, ...parts }, i) => {
    const own = Object.entries(parts).filter((entry): entry is [string, Tensor<"float32">] => entry[1] !== undefined);
    return [String(i), new Map(own)] as const;
  });
  return encodeTensorGroups(kind, value, Object.fromEntries(groups));
}

/** Of a finished run, in the order of its epochs; none where none were asked for. */
export async function snapshotsIn(folder: RunFolder, name = snapshotsName): Promise<readonly KeptSnapshot[]> {
  if (!(await isThere(folder.file(name)))) return [];
  const bytes = await folder.bytes(name);
  try {
    const found = decodeTensorGroups(kind, bytes);
    const problem = problemIn("snapshots", moments, found.value);
    if (problem !== undefined) throw new RangeError(problem);
    const all = found.value as Pick<KeptSnapshot, "restart" | "epoch">[];
    const counts = new Map<number, number>();
    for (const { restart } of all) counts.set(restart, (counts.get(restart) ?? 0) + 1);
    if ([...counts.values()].some((count) => count > mostSnapshots)) {
      throw new RangeError(`there must be at most ${mostSnapshots} snapshots of a restart`);
    }
    return all.map((moment, i) => ({
      ...moment,
      ...checked(found.group(String(i)), i),
    }));
  } catch (error) {
    throw damaged(folder.path, name, error);
  }
}

/** Centers [k, d], and beside them exemplars [k, …row] and codes [m, d], or not. */
function checked(parts: ReadonlyMap<string, Tensor>, i: number): Pick<KeptSnapshot, keyof Snapshot> {
  const [centers, exemplars, codes] = ["centers", "exemplars", "codes"].map((name) => parts.get(name));
  const [k, d] = centers?.shape ?? [];
  const isWhole =
    centers?.shape.length === 2 &&
    (!exemplars || (exemplars.shape.length >= 2 && exemplars.shape[0] === k)) &&
    (!codes || (codes.shape.length === 2 && codes.shape[1] === d)) &&
    [...parts.values()].every(
      ({ dtype, data }) => dtype === "float32" && (data as Float32Array).every(Number.isFinite),
    );
  if (!isWhole) {
    throw new RangeError(`snapshot ${i} must have centers [k, d], and may have exemplars [k, …row] and codes [m, d]`);
  }
  return {
    centers: centers as Tensor<"float32">,
    ...(exemplars && { exemplars: exemplars as Tensor<"float32"> }),
    ...(codes && { codes: codes as Tensor<"float32"> }),
  };
}
