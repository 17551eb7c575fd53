/** A folder of images, all brought to one size; a folder for each class gives labels. */

import { opendir } from "node:fs/promises";
import { join, parse } from "node:path";
import type { RowsBeside } from "../../data/beside.ts";
import { type Data, inMemory } from "../../data/data.ts";
import { statRegular } from "../../disk/regularFile.ts";
import { checkMemory, memoryLimit } from "../../tensor/budget.ts";
import { tensor } from "../../tensor/tensor.ts";
import { threadsSaid } from "../../tensor/threads.ts";
import { oneLine } from "../../text/oneLine.ts";
import {
  defaultInMemory,
  idsInMemory,
  labelsOf,
  nothingToClose,
  type OpenedRows,
  type OpenOptions,
} from "../openedRows.ts";
import { BrokenImages } from "./brokenImages.ts";
import { BrokenImage, checkImage } from "./imageKind.ts";

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
    throw new RangeError(`${folder}: --image-size (imageSize) must be a whole number from 1 to 4096, got ${imageSize}`);
  }
  if (options.text !== undefined) {
    throw new RangeError(`${folder}: --text needs columns with names, which images do not have; leave it out`);
  }
  const all = await picturesIn(folder, options);
  const sharp = await loadSharp(folder);
  const broken = new BrokenImages(folder, all.length);
  const { form, pictures: begun } = await formOf(sharp, all, broken, options);
  const row = [form.channels, form.height, form.width];
  const size = form.channels * form.height * form.width;
  const fits = begun.length * size <= (options.inMemory ?? defaultInMemory);
  if (fits) {
    const what = `${begun.length} images of ${form.width}×${form.height}`;
    const bytes = 4 * begun.length * size;
    checkMemory({ where: folder, what, bytes, cure: "choose a smaller image-size" }, memoryLimit(options.memory));
  }
  // Each is decoded once, also where they do not fit: only then it is known whether it can be.
  const kept = new Float32Array(fits ? begun.length * size : 0);
  const pictures: Picture[] = [];
  for (const picture of begun) {
    const pixels = await broken.unless(picture, () => decode(sharp, picture, form, options));
    if (!pixels) continue;
    if (fits) kept.set(pixels, pictures.length * size);
    pictures.push(picture);
  }
  broken.check();
  const count = pictures.length;
  const read = async (rows: Int32Array): Promise<Float32Array> => {
    const batch = new Float32Array(rows.length * size);
    for (const [at, each] of rows.entries()) batch.set(await decode(sharp, pictures[each]!, form, options), at * size);
    return batch;
  };
  const data: Data = fits
    ? inMemory(tensor("float32", [count, ...row], kept.slice(0, count * size)))
    : streamed(row, count, read);
  const classes = pictures[0]!.label === null ? undefined : labelsOf(pictures.map(({ label }) => label));
  return {
    data,
    features: [],
    ids: idsInMemory(
      ["file"],
      pictures.map(({ name }) => [name]),
    ),
    beside: namesBeside(pictures),
    ...(classes ? { labels: classes } : {}),
    description: `using ${count} ${form.channels === 1 ? "gray" : "color"} images of ${form.width}×${form.height}, id = file${classes ? `, label = folder, ${classes.names.length} of them (for scores only)` : ""}${broken.words()}`,
    close: nothingToClose,
  };
}

/**
 * One image of a folder by its name there, in the form that all of them have, and nothing of the others; nothing where
 * no image can have that name.
 */
export async function oneImage(
  folder: string,
  name: string,
  [channels, height = 0, width = 0]: readonly number[],
  options: Pick<OpenOptions, "memory" | "signal"> = {},
): Promise<Float32Array | undefined> {
  // A list of names may come from anybody: none of them leads out of the folder, or to what is hidden.
  const parts = name.split("/");
  const isOdd = parts.length > 2 || name.includes("\\") || parts.some((part) => part.startsWith("."));
  if (isOdd || !extensions.test(name)) return undefined;
  if (channels !== 1 && channels !== 3) return undefined;
  const [path, form] = [join(folder, ...parts), { channels, height, width } as const];
  const sharp = await loadSharp(folder);
  checkPixels(path, await headOf(sharp, path, options.signal), form, memoryLimit(options.memory));
  return decode(sharp, { path }, form, options);
}

/** Words in the names of files may tell something; those of their folder are the label, which tells nothing. */
function namesBeside(pictures: readonly Picture[]): RowsBeside {
  const nameOf = ({ path, label }: Picture): string => {
    const name = parse(path).name;
    return label === null ? name : name.replaceAll(label, " ");
  };
  return {
    columns: [{ name: "file", kind: "text", isText: true }],
    *inOrder(size) {
      for (let at = 0; at < pictures.length; at += size) {
        yield pictures.slice(at, at + size).map((picture) => [nameOf(picture)]);
      }
    },
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

/** Bytes for a name, with its path and what else is known about it. */
const bytesPerName = 500;

/** Those in the folder itself, or else those in its folders; by name, so that their order is the same everywhere. */
async function picturesIn(folder: string, options: OpenOptions): Promise<Picture[]> {
  const { pictures: direct, folders } = await namesIn(folder, options);
  if (direct.length > 0) return direct.map((name) => ({ name, path: join(folder, name), label: null }));
  const pictures: Picture[] = [];
  for (const label of folders) {
    const { pictures: inside } = await namesIn(join(folder, label), options, pictures.length);
    for (const name of inside) {
      pictures.push({ name: `${label}/${name}`, path: join(folder, label, name), label });
    }
  }
  if (pictures.length === 0) {
    throw new RangeError(
      `${folder}: a folder must have images (png, jpg, webp, gif, tiff, avif) in it or in its folders, got none; tables in a folder are read by a query: --sql "select * from '${folder}/*.csv'"`,
    );
  }
  return pictures;
}

/** What is in a folder, beside so many that are known already; links are followed to files, and to no folder. */
async function namesIn(path: string, { memory, signal }: OpenOptions, before = 0) {
  const limit = memoryLimit(memory);
  const [pictures, folders]: [string[], string[]] = [[], []];
  for await (const entry of await opendir(path, { bufferSize: 1024 })) {
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) folders.push(entry.name);
    else if (extensions.test(entry.name)) {
      // A pipe or a device is refused here, and never opened.
      if (!entry.isFile()) await statRegular(join(path, entry.name));
      pictures.push(entry.name);
    } else continue;
    const count = before + pictures.length + folders.length;
    if (count % 1024 !== 0) continue;
    signal?.throwIfAborted();
    checkMemory({ where: path, what: `a folder of ${count} names or more`, bytes: bytesPerName * count }, limit);
  }
  return { pictures: pictures.sort(), folders: folders.sort() };
}

/** The proportions of the first image; colors if any image has them. Only headers are read. */
async function formOf(
  sharp: Sharp,
  all: readonly Picture[],
  broken: BrokenImages,
  { imageSize, memory, signal }: OpenOptions,
): Promise<{ form: Form; pictures: Picture[] }> {
  const sizes: { width: number; height: number }[] = [];
  const pictures: Picture[] = [];
  let channels: 1 | 3 = 1;
  for (const picture of all) {
    const { path } = picture;
    const found = await broken.unless(picture, () => headOf(sharp, path, signal));
    if (!found) continue;
    const { width, height, space } = found;
    pictures.push(picture);
    sizes.push({ width, height });
    if (space !== "b-w" && space !== "grey16") channels = 3;
  }
  broken.check();
  const first = sizes[0]!;
  const longer = Math.max(first.width, first.height);
  const scale = (imageSize ?? Math.min(longer, usualSize)) / longer;
  const side = (length: number): number => Math.max(1, Math.round(length * scale));
  const form = { channels, height: side(first.height), width: side(first.width) };
  const limit = memoryLimit(memory);
  for (const [i, { path }] of pictures.entries()) checkPixels(path, sizes[i]!, form, limit);
  return { form, pictures };
}

/** What an image says of itself before it is decoded. */
async function headOf(sharp: Sharp, path: string, signal: AbortSignal | undefined) {
  await checkImage(path);
  return readable(path, () => sharp(path).metadata(), signal);
}

/** In seconds. */
const longestDecoding = 20;
/** What sharp allows. */
const mostPixels = 0x3fff ** 2;
/** A pixel, of up to four numbers of up to four bytes, and once more where it is turned or resized. */
const bytesPerPixel = 32;

/**
 * What an image takes until it has its form: all of its pixels, and more where it is enlarged until its shorter side
 * has the form, and then cropped.
 */
function checkPixels(path: string, size: { width: number; height: number }, form: Form, limit: number): void {
  const { width, height } = size;
  const scale = Math.max(1, form.width / width, form.height / height, form.width / height, form.height / width);
  const bytes = width * height * (1 + (scale > 1 ? scale ** 2 : 0)) * bytesPerPixel;
  const what = `an image of ${width}×${height} pixels`;
  checkMemory({ where: path, what, bytes, cure: "make it smaller, or remove it" }, limit);
}

/**
 * [channels, height, width] from 0 to 255. What does not have the form is cropped around its middle, and lies on white
 * where it is transparent.
 */
async function decode(
  sharp: Sharp,
  { path }: Pick<Picture, "path">,
  { channels, height, width }: Form,
  { memory, signal }: Pick<OpenOptions, "memory" | "signal">,
): Promise<Float32Array> {
  const area = height * width;
  // A file may have become another one since it was looked at.
  const limitInputPixels = Math.min(mostPixels, Math.ceil(memoryLimit(memory) / bytesPerPixel));
  const resized = sharp(path, { limitInputPixels })
    .rotate()
    .flatten({ background: "white" })
    .resize(width, height, { fit: "cover" })
    .toColourspace(channels === 1 ? "b-w" : "srgb")
    .raw({ depth: "uchar" })
    .timeout({ seconds: longestDecoding });
  const pixels = await readable(path, () => resized.toBuffer(), signal);
  const out = new Float32Array(channels * area);
  for (let i = 0; i < area; i++) {
    for (let c = 0; c < channels; c++) out[c * area + i] = pixels[i * channels + c]!;
  }
  return out;
}

/** Whoever stops does not wait for an image that takes long. */
async function readable<T>(name: string, read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  let stop: () => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal!.reason);
  });
  // Nobody may be left to hear of it.
  stopped.catch(() => {});
  signal?.addEventListener("abort", stop);
  try {
    return await Promise.race([read(), stopped]);
  } catch (error) {
    signal?.throwIfAborted();
    throw new BrokenImage(name, oneLine((error as Error).message));
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

async function loadSharp(folder: string): Promise<Sharp> {
  try {
    const { default: sharp } = await import("sharp");
    const threads = threadsSaid();
    if (threads !== undefined) sharp.concurrency(threads);
    return sharp;
  } catch {
    throw new Error(
      `${folder}: images need the package sharp, which is not installed; install it with: npm install sharp`,
    );
  }
}
