/** A folder of images, all brought to one size; a folder for each class gives labels. */

import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Data, inMemory } from "../../data/data.ts";
import { tensor } from "../../tensor/tensor.ts";
import {
  defaultInMemory,
  idsInMemory,
  labelsOf,
  nothingToClose,
  type OpenedRows,
  type OpenOptions,
} from "../openedRows.ts";
import { shortened } from "../tables/database.ts";

type Sharp = typeof import("sharp").default;

interface Picture {
  /** Within the folder: cats/1.png. */
  readonly name: string;
  readonly path: string;
  readonly label: string | null;
}

interface Form {
  readonly channels: 1 | 3;
  readonly height: number;
  readonly width: number;
}

const extensions = /\.(png|jpe?g|webp|gif|tiff?|avif)$/i;
/** The longer side, unless said. */
const usualSize = 64;

export async function openImages(folder: string, options: OpenOptions): Promise<OpenedRows> {
  const { imageSize } = options;
  if (imageSize !== undefined && !(Number.isInteger(imageSize) && imageSize >= 1 && imageSize <= 4096)) {
    throw new RangeError(`${folder}: imageSize must be a whole number from 1 to 4096, got ${imageSize}`);
  }
  const pictures = await picturesIn(folder);
  const sharp = await loadSharp(folder);
  const form = await formOf(sharp, pictures, options);
  const row = [form.channels, form.height, form.width];
  const size = form.channels * form.height * form.width;
  const read = (rows: Int32Array): Promise<Float32Array> => decode(sharp, pictures, rows, form);

  const count = pictures.length;
  let data: Data;
  if (count * size <= (options.inMemory ?? defaultInMemory)) {
    const pixels = new Float32Array(count * size);
    for (let at = 0; at < count; at += 64) {
      options.signal?.throwIfAborted();
      pixels.set(await read(stretch(at, Math.min(64, count - at))), at * size);
    }
    data = inMemory(tensor("float32", [count, ...row], pixels));
  } else data = streamed(row, count, read);
  const classes = pictures[0]!.label === null ? undefined : labelsOf(pictures.map(({ label }) => label));
  return {
    data,
    features: [],
    ids: idsInMemory(
      ["file"],
      pictures.map(({ name }) => [name]),
    ),
    ...(classes ? { labels: classes } : {}),
    description: `using ${count} ${form.channels === 1 ? "gray" : "color"} images of ${form.width}×${form.height}, id = file${classes ? `, label = folder, ${classes.names.length} of them (for scores only)` : ""}`,
    close: nothingToClose,
  };
}

/** Images lie apart from each other: any row is read as fast as the next, and a full shuffle costs nothing. */
function streamed(row: readonly number[], count: number, read: (rows: Int32Array) => Promise<Float32Array>): Data {
  const batch = async (rows: Int32Array) => ({ rows, x: tensor("float32", [rows.length, ...row], await read(rows)) });
  return {
    row,
    count,
    range: [0, 255],
    async *inOrder(size) {
      for (let at = 0; at < count; at += size) yield await batch(stretch(at, Math.min(size, count - at)));
    },
    async *shuffled(size, random) {
      const order = random.permutation(count);
      for (let at = 0; at < count; at += size) yield await batch(order.slice(at, at + size));
    },
  };
}

function stretch(first: number, n: number): Int32Array {
  return Int32Array.from({ length: n }, (_, i) => first + i);
}

/** Those in the folder itself, or else those in its folders; by name, so that their order is the same everywhere. */
async function picturesIn(folder: string): Promise<Picture[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).sort(byName);
  const direct = entries.filter((entry) => isPicture(entry));
  if (direct.length > 0) return direct.map(({ name }) => ({ name, path: join(folder, name), label: null }));
  const pictures: Picture[] = [];
  for (const { name: label } of entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))) {
    const inside = (await readdir(join(folder, label), { withFileTypes: true })).filter(isPicture).sort(byName);
    pictures.push(...inside.map(({ name }) => ({ name: `${label}/${name}`, path: join(folder, label, name), label })));
  }
  if (pictures.length === 0) {
    throw new RangeError(
      `${folder}: a folder must have images (png, jpg, webp, gif, tiff, avif) in it or in its folders, got none; tables in a folder are read with sql: select * from '${folder}/*.parquet'`,
    );
  }
  return pictures;
}

function isPicture(entry: Dirent): boolean {
  return !entry.isDirectory() && !entry.name.startsWith(".") && extensions.test(entry.name);
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

/** The proportions of the first image; colors if any image has them. Only headers are read. */
async function formOf(sharp: Sharp, pictures: readonly Picture[], { imageSize, signal }: OpenOptions): Promise<Form> {
  let channels: 1 | 3 = 1;
  let first: { width: number; height: number } | undefined;
  for (const { path } of pictures) {
    signal?.throwIfAborted();
    const { width, height, space } = await readable(path, () => sharp(path).metadata());
    first ??= { width, height };
    if (space !== "b-w" && space !== "grey16") channels = 3;
  }
  const longer = Math.max(first!.width, first!.height);
  const scale = (imageSize ?? Math.min(longer, usualSize)) / longer;
  const side = (length: number): number => Math.max(1, Math.round(length * scale));
  return { channels, height: side(first!.height), width: side(first!.width) };
}

/**
 * [n, channels, height, width] from 0 to 255. What does not have the form is cropped around its middle, and lies on
 * white where it is transparent.
 */
async function decode(sharp: Sharp, pictures: readonly Picture[], rows: Int32Array, form: Form): Promise<Float32Array> {
  const { channels, height, width } = form;
  const area = height * width;
  const out = new Float32Array(rows.length * channels * area);
  for (const [at, row] of rows.entries()) {
    const { path } = pictures[row]!;
    const pixels = await readable(path, () =>
      sharp(path)
        .rotate()
        .flatten({ background: "white" })
        .resize(width, height, { fit: "cover" })
        .toColourspace(channels === 1 ? "b-w" : "srgb")
        .raw({ depth: "uchar" })
        .toBuffer(),
    );
    for (let i = 0; i < area; i++) {
      for (let c = 0; c < channels; c++) out[(at * channels + c) * area + i] = pixels[i * channels + c]!;
    }
  }
  return out;
}

async function readable<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new RangeError(
      `${name}: the image cannot be read (${shortened((error as Error).message)}); repair or remove it`,
    );
  }
}

async function loadSharp(folder: string): Promise<Sharp> {
  try {
    return (await import("sharp")).default;
  } catch {
    throw new Error(
      `${folder}: images need the package sharp, which is not installed; install it with: npm install sharp`,
    );
  }
}
