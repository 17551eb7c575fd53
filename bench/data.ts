/**
 * The real data sets of the accuracy benchmarks: a folder each, with images.npy.gz or features.npy.gz, and
 * labels.npy.gz. Some that the papers use are not here; where their own files are put beside the others, they are read.
 */

import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Tensor, toNumbers } from "../src/doors/engine.ts";
import { type Data, decodeNpy, inMemory, tensor } from "../src/doors/inside.ts";
import { center, foreign, readForeign } from "./foreignData.ts";

export interface Labelled {
  readonly data: Data;
  readonly labels: Int32Array;
  readonly classes: number;
}

interface Source {
  readonly folder: string;
  readonly file: string;
  /** From a stored number to the one the methods see. */
  readonly scale: (value: number) => number;
  /** A part of the rows. */
  readonly rows?: readonly [number, number];
  readonly channelsLast?: boolean;
  /** Each column less its mean, as the invariance paper has it. */
  readonly centered?: boolean;
}

const pixel = (value: number): number => value / 255;
const asIs = (value: number): number => value;

/** Whether its files are there. */
export async function isHere(root: string, name: string): Promise<boolean> {
  const source = sources[name];
  const files = source ? [`${source.folder}/${source.file}.npy.gz`] : (foreign[name]?.files ?? ["there is none"]);
  return (
    await Promise.all(
      files.map((file) =>
        access(join(root, file)).then(
          () => true,
          () => false,
        ),
      ),
    )
  ).every(Boolean);
}

const sources: Readonly<Record<string, Source>> = {
  mnist: { folder: "mnist", file: "images", scale: pixel },
  "mnist-centered": { folder: "mnist", file: "images", scale: pixel, centered: true },
  "mnist-train": { folder: "mnist", file: "images", scale: pixel, rows: [0, 60_000] },
  "mnist-test": { folder: "mnist", file: "images", scale: pixel, rows: [60_000, 70_000] },
  "mnist-test-centered": { folder: "mnist", file: "images", scale: pixel, rows: [60_000, 70_000], centered: true },
  usps: { folder: "usps", file: "images_u16", scale: (value) => value / 1000 - 1 },
  "cifar10-test": { folder: "cifar10-test", file: "images", scale: pixel, channelsLast: true },
  "cifar10-test-centered": { folder: "cifar10-test", file: "images", scale: pixel, channelsLast: true, centered: true },
  reuters10k: { folder: "reuters10k", file: "features", scale: asIs },
  "reuters10k-centered": { folder: "reuters10k", file: "features", scale: asIs, centered: true },
  "20news": { folder: "20news", file: "features", scale: asIs },
  har: { folder: "har", file: "features", scale: asIs },
};

/** A data set by name. Its labels are for scoring. */
export async function load(root: string, name: string): Promise<Labelled> {
  if (foreign[name]) return loadForeign(root, name);
  const source = sources[name];
  if (!source) {
    const all = [...Object.keys(sources), ...Object.keys(foreign)].join(", ");
    throw new RangeError(`bench: there is no data "${name}"; there are ${all}`);
  }
  const read = async (file: string) => decodeNpy(await readFile(join(root, source.folder, `${file}.npy.gz`)));
  const [stored, truth] = [await read(source.file), await read("labels")];
  const [all, ...row] = stored.shape as [number, ...number[]];
  const [from, to] = source.rows ?? [0, all];
  const width = row.reduce((a, b) => a * b, 1);
  const numbers = (stored.data as Uint8Array).subarray(from * width, to * width);
  const scaled = new Float32Array(numbers);
  for (let i = 0; i < scaled.length; i++) scaled[i] = source.scale(scaled[i]!);
  if (source.centered) center(scaled, width);
  const shaped = source.channelsLast ? channelsFirst(scaled, to - from, row) : { values: scaled, row };
  const labels = Int32Array.from(toNumbers(truth).slice(from, to));
  return {
    data: inMemory(tensor("float32", [to - from, ...shaped.row], shaped.values)),
    labels,
    classes: new Set(labels).size,
  };
}

async function loadForeign(root: string, name: string): Promise<Labelled> {
  const { rows, labels } = await readForeign(root, name);
  return { data: inMemory(rows), labels, classes: new Set(labels).size };
}

/** A data set that a script made, in a folder of its own: features.npy.gz [n, d] and labels.npy.gz. */
export async function loadFolder(folder: string): Promise<Labelled> {
  const read = async (file: string) => decodeNpy(await readFile(join(folder, `${file}.npy.gz`)));
  const [features, truth] = [await read("features"), await read("labels")];
  const labels = Int32Array.from(toNumbers(truth));
  return { data: inMemory(features as Tensor<"float32">), labels, classes: new Set(labels).size };
}

/** [n, height, width, channels] to [n, channels, height, width]. */
function channelsFirst(values: Float32Array, n: number, row: readonly number[]) {
  const [height, width, channels] = row as [number, number, number];
  const moved = new Float32Array(values.length);
  const plane = height * width;
  for (let i = 0; i < n; i++) {
    for (let at = 0; at < plane; at++) {
      for (let c = 0; c < channels; c++) {
        moved[(i * channels + c) * plane + at] = values[(i * plane + at) * channels + c]!;
      }
    }
  }
  return { values: moved, row: [channels, height, width] };
}
