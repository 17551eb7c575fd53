/** Arrays of numbers: NumPy's .npy and .npz, and MNIST's IDX; packed with gzip or not. */

import { readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { type UnzipFileInfo, unzipSync } from "fflate";
import { decodeNpy } from "../../tensor/npy.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import { inMemory } from "../data.ts";
import { decodeIdx } from "./idx.ts";
import { defaultInMemory, type Labels, type Loaded, labelsOf, nothingToClose, type OpenOptions } from "./loaded.ts";

export async function openArray(
  path: string,
  name: string,
  format: "npy" | "npz" | "idx",
  options: OpenOptions,
): Promise<Loaded> {
  for (const option of ["columns", "ignore", "id", "label", "encode", "missing"] as const) {
    if (options[option] !== undefined) {
      throw new RangeError(
        `${name}: ${option} needs columns with names, which a ${format} file does not have; leave it out`,
      );
    }
  }
  // Numbers of up to 8 bytes, and a header.
  const most = (options.inMemory ?? defaultInMemory) * 8 + 2 ** 20;
  const bytes = await unpacked(path, name, most);
  if (format === "npz") return fromNpz(bytes, name, options.array, most);
  if (options.array !== undefined)
    throw new RangeError(`${name}: array names one of several in a .npz file; leave it out`);
  if (format === "npy") return loadedFrom(await named(name, () => decodeNpy(bytes)), name);
  const rows = await named(name, async () => decodeIdx(bytes));
  return loadedFrom(rows, name, await labelsBeside(path, most));
}

/** All bytes of a file, which may unpack to `most` and no more. */
export async function unpacked(path: string, name: string, most: number): Promise<Uint8Array> {
  const { size } = await stat(path);
  const tooLarge = (): Error =>
    new RangeError(
      `${name}: an array must fit into ${Math.floor(most / 1e6)} MB; raise inMemory, or use Parquet, which is streamed`,
    );
  if (size > most) throw tooLarge();
  const bytes = await readFile(path);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: Math.min(most, 2 ** 32) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new RangeError(`${name}: the gzip data is damaged or cut short`);
  }
}

/** The readers of tensor/ do not know whose bytes they read. */
export async function named<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error) error.message = `${name}: ${error.message}`;
    throw error;
  }
}

function loadedFrom(rows: Tensor, name: string, labels?: Labels): Loaded {
  const [count = 0, ...row] = rows.shape;
  if (count === 0 || row.length === 0 || row.includes(0)) {
    throw new RangeError(
      `${name}: needs rows of at least one number each, got shape [${rows.shape}]; a single column is [${count || "n"},1]`,
    );
  }
  if (row.length > 3) throw new RangeError(`${name}: a row can have up to 3 axes, got shape [${rows.shape}]`);
  if (labels && labels.classes.length !== count) {
    throw new RangeError(
      `${name}: has ${count} rows, and labels for ${labels.classes.length}; there must be one for each`,
    );
  }
  const data = checked(name, rows);
  const what = row.length === 1 ? `${row[0]} numbers` : `${row.join("×")} images`;
  return {
    data,
    columns: row.length === 1 ? Array.from({ length: row[0]! }, (_, i) => String(i)) : [],
    ...(labels ? { labels } : {}),
    description: `using ${count} rows of ${what}${labels ? `, labels of ${labels.names.length} classes (for scores only)` : ""}`,
    close: nothingToClose,
  };
}

function checked(name: string, rows: Tensor): ReturnType<typeof inMemory> {
  try {
    return inMemory(rows);
  } catch (error) {
    throw new RangeError((error as Error).message.replace(/^data/, name));
  }
}

const labelArray = /^(y|labels?|targets?|class(es)?|y_train|train_labels)$/i;

async function fromNpz(bytes: Uint8Array, name: string, wanted: string | undefined, most: number): Promise<Loaded> {
  const entries: string[] = [];
  const unzip = (filter: (entry: UnzipFileInfo) => boolean): Record<string, Uint8Array> => {
    try {
      return unzipSync(bytes, { filter });
    } catch (error) {
      if (error instanceof RangeError && error.message.startsWith(name)) throw error;
      throw new RangeError(`${name}: the zip data is damaged or cut short`);
    }
  };
  unzip(({ name: entry }) => {
    entries.push(entry);
    return false;
  });
  const take = (entry: string): Promise<Tensor> => {
    const files = unzip((info) => {
      if (info.name !== entry) return false;
      if (info.size > bytes.length) throw new RangeError(`${name}: the zip data is damaged or cut short`);
      // Deflate packs at most 1,032-fold: a larger promise is a lie, and would be allocated.
      if (info.originalSize > most || info.originalSize > info.size * 1032 + 64) {
        throw new RangeError(
          `${name}: array ${entry} says it has ${info.originalSize} bytes, more than ${info.size} packed ones can give or memory is allowed; raise inMemory if it is right`,
        );
      }
      return true;
    });
    return named(`${name}: array ${entry.replace(/\.npy$/, "")}`, () => decodeNpy(files[entry]!));
  };
  const arrays = entries.filter((entry) => entry.endsWith(".npy"));
  const nameOf = (entry: string): string => entry.slice(0, -4);
  const rows = chosen(name, arrays.map(nameOf), wanted);
  const labels = arrays.map(nameOf).find((array) => labelArray.test(array) && array !== rows);
  const x = await take(`${rows}.npy`);
  const y = labels === undefined ? undefined : await take(`${labels}.npy`);
  return loadedFrom(x, name, y && y.shape.length === 1 ? labelsFrom(y) : undefined);
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

function labelsFrom(y: Tensor): Labels {
  return labelsOf(Array.from(y.data as ArrayLike<number | bigint>, String));
}

/** MNIST's labels lie beside its images, under a name that tells. */
async function labelsBeside(path: string, most: number): Promise<Labels | undefined> {
  const beside = path.replace(/images([-.])idx3/, "labels$1idx1");
  if (beside === path || !(await stat(beside).catch(() => undefined))) return undefined;
  return labelsFrom(await named(beside, async () => decodeIdx(await unpacked(beside, beside, most))));
}
