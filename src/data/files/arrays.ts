/** Arrays of numbers: NumPy's .npy and .npz, and MNIST's IDX; packed with gzip or not. */

import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { checkSize, decodeNpy, type Layout, npyLayout } from "../../tensor/npy.ts";
import { sizeOf } from "../../tensor/tensor.ts";
import { type Bytes, bytesOf, named, notUnpacked, spooledBytes } from "./bytes.ts";
import { elementRows } from "./elements.ts";
import type { Recognized } from "./format.ts";
import { held, missingWords } from "./held.ts";
import { idxLayout } from "./idx.ts";
import { labelsBeside, labelsFrom, mostLabels } from "./labels.ts";
import type { Labels, Loaded, OpenOptions } from "./loaded.ts";
import { wholeRows } from "./whole.ts";
import { openZip } from "./zip.ts";

export type ArrayFormat = "npy" | "npz" | "idx";

/** An array in a file: how it lies there, and the labels that came with it. */
interface Found {
  readonly bytes: Bytes;
  readonly layout: Layout;
  readonly labels?: Labels;
}

/** Enough for the header of any array of numbers. */
const headBytes = 2 ** 16;

export async function openArray(
  path: string,
  name: string,
  { format, gzipped, head }: Recognized & { readonly format: ArrayFormat },
  options: OpenOptions,
): Promise<Loaded> {
  for (const option of ["columns", "ignore", "id", "label", "encode"] as const) {
    if (options[option] !== undefined) {
      throw new RangeError(
        `${name}: ${option} needs columns with names, which a ${format} file does not have; leave it out`,
      );
    }
  }
  if (format !== "npz" && options.array !== undefined)
    throw new RangeError(`${name}: array names one of several in a .npz file; leave it out`);
  const found =
    format === "npz"
      ? await inZip(path, name, options)
      : await inFile(path, name, format, { ...(gzipped && { packedHead: head }), ...options });
  try {
    return await loadedFrom(found, name, options);
  } catch (error) {
    await found.bytes.close();
    throw error;
  }
}

async function inFile(
  path: string,
  name: string,
  format: "npy" | "idx",
  { packedHead, signal }: OpenOptions & { readonly packedHead?: Uint8Array },
): Promise<Found> {
  const layoutOf = (head: Uint8Array): Promise<Layout> =>
    named(name, async () => (format === "npy" ? npyLayout(head) : idxLayout(head)));
  const labels = format === "idx" ? await labelsBeside(path) : undefined;
  const bytes = packedHead ? await unpackedFile(path, name, await layoutOf(packedHead), signal) : await bytesOf(path);
  return checked(name, format, bytes, layoutOf, labels);
}

async function checked(
  name: string,
  format: string,
  bytes: Bytes,
  layoutOf: (head: Uint8Array) => Promise<Layout>,
  labels: Labels | undefined,
): Promise<Found> {
  try {
    const layout = await layoutOf(await bytes.read(0, Math.min(bytes.size, headBytes)));
    await named(name, async () => checkSize(format, layout, bytes.size));
    return { bytes, layout, ...(labels && { labels }) };
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

/** Never more than the header promises, whatever the file unpacks to. */
async function unpackedFile(
  path: string,
  name: string,
  { shape, start, bytes }: Layout,
  signal: AbortSignal | undefined,
): Promise<Bytes> {
  const announced = start + sizeOf(shape) * bytes;
  try {
    return await spooledBytes(gunzipped(path), announced, signal);
  } catch (error) {
    signal?.throwIfAborted();
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (syscall) throw notUnpacked(name, error as NodeJS.ErrnoException);
    throw new RangeError(`${name}: ${code ? "the gzip data is damaged or cut short" : message}`);
  }
}

async function* gunzipped(path: string): AsyncGenerator<Uint8Array> {
  const packed = createReadStream(path);
  const content = packed.pipe(createGunzip());
  packed.on("error", (error) => content.destroy(error));
  yield* content;
}

async function loadedFrom({ bytes, layout, labels }: Found, name: string, options: OpenOptions): Promise<Loaded> {
  const { shape } = layout;
  const [all = 0, ...axes] = shape;
  if (all === 0 || axes.length === 0 || axes.includes(0)) {
    throw new RangeError(
      `${name}: needs rows of at least one number each, got shape [${shape}]; a single column is [${all || "n"},1]`,
    );
  }
  if (axes.length > 3) throw new RangeError(`${name}: a row can have up to 3 axes, got shape [${shape}]`);
  if (labels && labels.classes.length !== all) {
    throw new RangeError(
      `${name}: has ${all} rows, and labels for ${labels.classes.length}; there must be one for each`,
    );
  }
  const everything = elementRows(bytes, layout, name);
  const whole = options.missing === "drop" ? await wholeRows(everything) : undefined;
  const rows = await held(whole ?? everything, options);
  if (rows.data.tensor) await bytes.close();
  const { count } = rows.data;
  const kept = labels && (whole ? { ...labels, classes: labels.classes.filter((_, i) => whole.kept[i]) } : labels);
  const what = axes.length === 1 ? `${axes[0]} numbers` : `${axes.join("×")} images`;
  const scored = kept ? `, labels of ${kept.names.length} classes (for scores only)` : "";
  return {
    data: rows.data,
    columns: axes.length === 1 ? everything.names : [],
    ...(kept && { labels: kept }),
    ...(rows.filled && { filled: rows.filled }),
    description: `using ${count} rows of ${what}${scored}${missingWords(count, all, rows.missing)}`,
    async close() {
      await rows.close();
      if (!rows.data.tensor) await bytes.close();
    },
  };
}

const labelArray = /^(y|labels?|targets?|class(es)?|y_train|train_labels)$/i;

async function inZip(path: string, name: string, { array: wanted, signal }: OpenOptions): Promise<Found> {
  const zip = await openZip(path, name, signal);
  try {
    const arrays = zip.names.filter((entry) => entry.endsWith(".npy")).map((entry) => entry.slice(0, -4));
    const rows = chosen(name, arrays, wanted);
    const beside = arrays.find((array) => labelArray.test(array) && array !== rows);
    const labels = beside === undefined ? undefined : await labelsIn(await zip.take(`${beside}.npy`), name, beside);
    const array = `${name}: array ${rows}`;
    const bytes = await zip.take(`${rows}.npy`);
    return await checked(array, "npy", bytes, (head) => named(array, async () => npyLayout(head)), labels);
  } finally {
    zip.close();
  }
}

async function labelsIn(bytes: Bytes, name: string, array: string): Promise<Labels | undefined> {
  try {
    if (bytes.size > mostLabels)
      throw new RangeError(`${name}: array ${array} must fit into ${mostLabels / 2 ** 20} MB`);
    const y = await named(`${name}: array ${array}`, async () => decodeNpy(await bytes.read(0, bytes.size)));
    return y.shape.length === 1 ? labelsFrom(y) : undefined;
  } finally {
    await bytes.close();
  }
}

function chosen(name: string, arrays: readonly string[], wanted: string | undefined): string {
  const has = `it has ${arrays.slice(0, 8).join(", ") || "none"}`;
  if (wanted !== undefined) {
    if (arrays.includes(wanted)) return wanted;
    throw new RangeError(`${name}: array must name one in the file, got "${wanted}"; ${has}`);
  }
  const rows = arrays.filter((array) => !labelArray.test(array));
  const usual = rows.find((array) => /^(x|data|images|features|embeddings?|x_train)$/i.test(array));
  if (rows.length === 1) return rows[0]!;
  if (usual !== undefined) return usual;
  throw new RangeError(`${name}: which of its arrays holds the rows? ${has}; name it with array`);
}
