/** frames.safetensors: how the map of a run has moved while it was trained. */

import { isThere } from "../../disk/isThere.ts";
import { count, list, object, oneOf, problemIn, wholeNumber } from "../../formats/schema.ts";
import { decodeTensorGroups, encodeTensorGroups, type FileKind } from "../../formats/tensorGroups.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";
import type { Phase } from "../../training/epoch.ts";
import { damaged, type RunFolder } from "./runFolder.ts";

/** Where some rows are at an epoch, always the same ones. */
export interface KeptFrame {
  readonly restart: number;
  readonly phase: Phase;
  readonly epoch: number;
  /** x and y of each row, from 0 to 65535. */
  readonly places: Uint16Array;
  /** Of each row; all 0 before there are clusters. */
  readonly labels: Uint16Array;
  /** A row for each cluster, in the data's own units, where these are pictures. */
  readonly exemplars?: Float32Array;
}

/** So many are kept: of more, every second goes, and again. */
const mostKept = 60;
/** Numbers of all exemplars together: of more, none are kept. */
const mostNumbers = 2 ** 22;

const kind: FileKind = { format: "telltale frames", version: 1, value: "frames" };
const name = "frames.safetensors";
const frames = list(
  object({ restart: count, phase: oneOf("pretraining", "teaching", "clustering"), epoch: wholeNumber(0, 2 ** 31) }),
);

/** The first and the last of many, and others evenly between them. */
export function thinned<T>(all: readonly T[]): readonly T[] {
  if (all.length <= mostKept) return all;
  return Array.from({ length: mostKept }, (_, i) => all[Math.round((i * (all.length - 1)) / (mostKept - 1))]!);
}

/** Writes them into a finished run. */
export async function keepFrames(folder: RunFolder, all: readonly KeptFrame[]): Promise<void> {
  const kept = thinned(all);
  if (kept.length === 0) return;
  const rows = kept[0]!.labels.length;
  const joined = (part: (frame: KeptFrame) => Uint16Array): Int32Array =>
    Int32Array.from(kept.flatMap((frame) => [...part(frame)]));
  const value = kept.map(({ restart, phase, epoch }) => ({ restart, phase, epoch }));
  const bytes = encodeTensorGroups(kind, value, {
    places: tensor(
      "int32",
      [kept.length, rows, 2],
      joined(({ places }) => places),
    ),
    labels: tensor(
      "int32",
      [kept.length, rows],
      joined(({ labels }) => labels),
    ),
    ...exemplarsOf(kept),
  });
  await folder.lock();
  try {
    await folder.write(name, bytes);
  } finally {
    await folder.unlock();
  }
}

/** All of them one after the other, and how many numbers are of each frame: the clusters may become more, or fewer. */
function exemplarsOf(kept: readonly KeptFrame[]): Record<string, Tensor> {
  const sizes = Int32Array.from(kept, ({ exemplars }) => exemplars?.length ?? 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0 || total > mostNumbers) return {};
  const all = new Float32Array(total);
  let at = 0;
  for (const { exemplars = new Float32Array(0) } of kept) {
    all.set(exemplars, at);
    at += exemplars.length;
  }
  return { exemplars: tensor("float32", [total], all), exemplarSizes: tensor("int32", [kept.length], sizes) };
}

/** None where nobody watched. */
export async function framesIn(folder: RunFolder): Promise<readonly KeptFrame[]> {
  if (!(await isThere(folder.file(name)))) return [];
  const bytes = await folder.bytes(name);
  try {
    const found = decodeTensorGroups(kind, bytes);
    const problem = problemIn("frames", frames, found.value);
    if (problem !== undefined) throw new RangeError(problem);
    const kept = framesOf(found.value as KeptFrame[], found.alone("places"), found.alone("labels"));
    return withExemplars(kept, found.alone("exemplars"), found.alone("exemplarSizes"));
  } catch (error) {
    throw damaged(folder.path, name, error);
  }
}

function framesOf(
  value: readonly Pick<KeptFrame, "restart" | "phase" | "epoch">[],
  places?: Tensor,
  labels?: Tensor,
): KeptFrame[] {
  const rows = labels?.shape[1] ?? 0;
  const isWhole =
    `${places?.shape}` === `${[value.length, rows, 2]}` &&
    `${labels?.shape}` === `${[value.length, rows]}` &&
    [places, labels].every(
      (each) => each?.dtype === "int32" && (each.data as Int32Array).every((n) => n >= 0 && n <= 65_535),
    );
  if (!isWhole) throw new RangeError("must have places [frames, rows, 2] and labels [frames, rows] from 0 to 65535");
  const part = ({ data }: Tensor, i: number, width: number): Uint16Array =>
    Uint16Array.from((data as Int32Array).subarray(i * width, (i + 1) * width));
  return value.map((frame, i) => ({ ...frame, places: part(places!, i, 2 * rows), labels: part(labels!, i, rows) }));
}

function withExemplars(kept: readonly KeptFrame[], exemplars?: Tensor, sizes?: Tensor): readonly KeptFrame[] {
  if (!exemplars && !sizes) return kept;
  const ends: number[] = [];
  for (const size of (sizes?.data ?? []) as Int32Array) ends.push((ends.at(-1) ?? 0) + size);
  const isWhole =
    exemplars?.dtype === "float32" &&
    sizes?.dtype === "int32" &&
    `${sizes.shape}` === `${[kept.length]}` &&
    (sizes.data as Int32Array).every((size) => size >= 0) &&
    `${exemplars.shape}` === `${[ends.at(-1) ?? 0]}`;
  if (!isWhole) throw new RangeError("must have exemplars [numbers] and how many of them are of each frame");
  const all = exemplars.data as Float32Array;
  return kept.map((frame, i) => {
    const own = all.slice(ends[i - 1] ?? 0, ends[i]);
    return own.length > 0 ? { ...frame, exemplars: own } : frame;
  });
}
