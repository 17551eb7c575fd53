/** Arrays of numbers: NumPy's .npy and .npz, and MNIST's IDX; packed with gzip or not. */

import { numberedFeatures } from "../../data/feature.ts";
import type { Layout } from "../../formats/layout.ts";
import { sizeOf } from "../../tensor/tensor.ts";
import { dropIncomplete, leftOut } from "../kept/dropIncomplete.ts";
import { keepRows, missingWords } from "../kept/keepRows.ts";
import { type Labels, missingIn, type OpenedRows, type OpenOptions } from "../openedRows.ts";
import { labelsBeside, labelsIn } from "../openLabels.ts";
import type { Recognized } from "../recognize.ts";
import { type ArrayBytes, arrayIn, openArrayBytes } from "./arrayBytes.ts";
import { elementRows } from "./elementRows.ts";
import { openZip } from "./zip.ts";

export type ArrayFormat = "npy" | "npz" | "idx";

/** An array in a file: how it lies there, and the labels that came with it. */
interface Found extends ArrayBytes {
  readonly labels?: Labels;
}

/** Numbers in a row: four megapixels. */
const widest = 2 ** 22;

export async function openArray(
  path: string,
  name: string,
  recognized: Recognized & { readonly format: ArrayFormat },
  options: OpenOptions,
): Promise<OpenedRows> {
  const { format } = recognized;
  for (const option of ["columns", "ignore", "id", "label", "text", "encode", "keep", "table"] as const) {
    if (options[option] !== undefined && (option !== "keep" || options.keep !== "none")) {
      throw new RangeError(
        `${name}: --${option} needs columns with names, which an array (${format}) does not have; leave it out`,
      );
    }
  }
  if (format !== "npz" && options.array !== undefined)
    throw new RangeError(`${name}: --array names one of several in a .npz file; leave it out`);
  const found =
    format === "npz" ? await inZip(path, name, options) : await inFile(path, name, { ...recognized, format }, options);
  try {
    return await openedFrom(found, name, options);
  } catch (error) {
    await found.bytes.close();
    throw error;
  }
}

async function inFile(
  path: string,
  name: string,
  recognized: Recognized & { readonly format: "npy" | "idx" },
  { memory, signal }: OpenOptions,
): Promise<Found> {
  const labels = recognized.format === "idx" ? await labelsBeside(path, { memory, signal }) : undefined;
  return { ...(await openArrayBytes(path, name, recognized, checkRows, signal)), ...(labels && { labels }) };
}

/** That an array has rows. */
function checkRows(name: string, { shape }: Layout): void {
  const [count = 0, ...axes] = shape;
  if (count === 0 || axes.length === 0 || axes.includes(0)) {
    throw new RangeError(
      `${name}: needs rows of at least one number each, got shape [${shape}]; a single column is [${count || "n"},1]`,
    );
  }
  if (axes.length > 3) throw new RangeError(`${name}: a row can have up to 3 axes, got shape [${shape}]`);
  if (sizeOf(axes) > widest) {
    throw new RangeError(`${name}: a row can have up to ${widest} numbers, got shape [${shape}]`);
  }
}

async function openedFrom(found: Found, name: string, options: OpenOptions): Promise<OpenedRows> {
  const { bytes, layout, labels } = found;
  const [all, ...axes] = layout.shape as [number, ...number[]];
  if (labels && labels.classes.length !== all) {
    throw new RangeError(
      `${name}: has ${all} rows, and labels for ${labels.classes.length}; there must be one for each, or none: save the rows alone`,
    );
  }
  const everything = elementRows(bytes, layout, name);
  const complete = options.missing === "drop" ? await dropIncomplete(everything, options.signal) : undefined;
  const rows = await keepRows(complete ?? everything, { ...options, missing: missingIn(options) });
  if (rows.data.tensor) await bytes.close();
  const { count } = rows.data;
  const classes = labels && complete ? complete.kept.map((row) => labels.classes[row]!) : labels?.classes;
  const what = axes.length === 1 ? `${axes[0]} numbers` : `${axes.join("×")} images`;
  const scored = labels ? `, labels of ${labels.names.length} classes (for scores only)` : "";
  return {
    data: rows.data,
    features: axes.length === 1 ? numberedFeatures(axes[0]!) : [],
    // What is left keeps the numbers it has in the file.
    ...(complete && count < all && { numbers: complete.kept, dropped: { rows: leftOut(complete.kept, all) } }),
    ...(rows.missingOf && { missingOf: rows.missingOf }),
    ...(labels && classes && { labels: { ...labels, classes } }),
    ...(rows.filled && { filled: rows.filled }),
    description: `using ${count} rows of ${what}${scored}${missingWords(count, all, rows.missing)}`,
    async close() {
      await rows.close();
      if (!rows.data.tensor) await bytes.close();
    },
  };
}

const labelArray = /^(y|labels?|targets?|class(es)?|[yY]_\w+|\w+_labels)$/i;

async function inZip(path: string, name: string, options: OpenOptions): Promise<Found> {
  const { array: wanted, signal, memory } = options;
  const zip = await openZip(path, name, { cure: "save it with numpy.savez", signal });
  try {
    const arrays = zip.names.filter((entry) => entry.endsWith(".npy")).map((entry) => entry.slice(0, -4));
    const rows = chosen(name, arrays, wanted);
    const found = await arrayIn(await zip.take(`${rows}.npy`), `${name}: array ${rows}`, "npy", checkRows);
    const beside = labelsFor(rows, arrays);
    if (beside === undefined) return found;
    try {
      const where = `${name}: array ${beside}`;
      const y = await arrayIn(await zip.take(`${beside}.npy`), where, "npy", checkLabels);
      return {
        ...found,
        labels: await labelsIn(where, y, { isLenient: true, memory, signal, rows: found.layout.shape[0] }),
      };
    } catch (error) {
      await found.bytes.close();
      throw error;
    }
  } finally {
    zip.close();
  }
}

function checkLabels(where: string, { shape }: Layout): void {
  if (shape.length === 1) return;
  throw new RangeError(`${where}: labels must be an array of shape [n], got [${shape}]; save the rows alone as .npy`);
}

/** x_test has its labels in y_test; a file with one array of rows has them under a name that tells. */
function labelsFor(rows: string, arrays: readonly string[]): string | undefined {
  const partner = rows.replace(/^x/i, "y").replace(/images$/i, "labels");
  if (partner !== rows) {
    const found = arrays.find((array) => array.toLowerCase() === partner.toLowerCase());
    if (found !== undefined) return found;
  }
  const telling = arrays.filter((array) => labelArray.test(array) && array !== rows);
  return telling.length === 1 ? telling[0] : undefined;
}

function chosen(name: string, arrays: readonly string[], wanted: string | undefined): string {
  const has = `it has ${arrays.slice(0, 8).join(", ") || "none"}`;
  if (wanted !== undefined) {
    if (arrays.includes(wanted)) return wanted;
    throw new RangeError(`${name}: --array must name one in the file, got "${wanted}"; ${has}`);
  }
  const rows = arrays.filter((array) => !labelArray.test(array));
  const usual = rows.find((array) => /^(x|data|images|features|embeddings?|x_train)$/i.test(array));
  if (rows.length === 1) return rows[0]!;
  if (usual !== undefined) return usual;
  throw new RangeError(`${name}: which of its arrays holds the rows? ${has}; name it with --array`);
}
