/** A file that was dropped into the tab, read: a table, or pictures of one size. */

import { decodeNpy, type HeldTable, type Tensor, tableOfTexts, tableOfValues } from "../../doors/tab.ts";

/** What somebody has dropped: one table, one array, or pictures. */
export interface Dropped {
  readonly id: string;
  readonly name: string;
  readonly files: readonly File[];
}

export type Read =
  | { readonly kind: "table"; readonly table: HeldTable }
  /** Rows that are numbers without names, or pictures; a name for each where there is one. */
  | { readonly kind: "array"; readonly rows: Tensor; readonly names?: readonly string[] };

/** Pictures are made as large as this on their longer side, unless told. */
const usualSide = 64;
/** Pictures that are looked at to see whether all are gray, and of what size. */
const lookedAt = 16;

export async function readDropped({ name, files }: Dropped, side?: number): Promise<Read> {
  const [file] = files;
  if (!file) throw new RangeError("drop a file first");
  if (files.every(isPicture)) return readPictures(files, side);
  if (files.length > 1) throw new RangeError(`${name}: drop one table at a time, or pictures alone`);
  const bytes = async (): Promise<ArrayBuffer> => file.arrayBuffer();
  if (/\.parquet$/i.test(file.name)) return { kind: "table", table: await parquetTable(file.name, await bytes()) };
  if (/\.npy$/i.test(file.name)) return { kind: "array", rows: await decodeNpy(new Uint8Array(await bytes())) };
  if (/\.(csv|tsv|txt)$/i.test(file.name)) return { kind: "table", table: await csvTable(file) };
  throw new RangeError(
    `${file.name}: a tab reads CSV, Parquet, .npy and pictures; telltale view reads more (Excel, Arrow, JSON, DuckDB)`,
  );
}

function isPicture({ type, name }: File): boolean {
  return type.startsWith("image/") || /\.(png|jpe?g|webp|gif|bmp)$/i.test(name);
}

async function csvTable(file: File): Promise<HeldTable> {
  const { default: papa } = await import("papaparse");
  const { data, errors } = papa.parse<string[]>(await file.text(), { skipEmptyLines: "greedy" });
  // A file of one column has no separator to be found.
  const [wrong] = errors.filter(({ code }) => code !== "UndetectableDelimiter");
  if (wrong)
    throw new RangeError(`${file.name}: ${wrong.message}${wrong.row === undefined ? "" : `, row ${wrong.row}`}`);
  const [header, ...lines] = data;
  if (!header) throw new RangeError(`${file.name}: is empty`);
  return tableOfTexts(file.name, header, lines);
}

async function parquetTable(where: string, file: ArrayBuffer): Promise<HeldTable> {
  const [{ parquetReadObjects }, { compressors }] = await Promise.all([
    import("hyparquet"),
    import("hyparquet-compressors"),
  ]);
  const rows = await parquetReadObjects({ file, compressors });
  const names = Object.keys(rows[0] ?? {});
  return tableOfValues(where, new Map(names.map((name) => [name, rows.map((row) => row[name])])));
}

/** [n, channels, height, width], from 0 to 1: of one size, gray where all that are looked at are. */
async function readPictures(files: readonly File[], side = usualSide): Promise<Read> {
  const first = await Promise.all(files.slice(0, lookedAt).map((file) => createImageBitmap(file)));
  const [wide, tall] = [first[0]!.width, first[0]!.height];
  const scale = Math.min(1, side / Math.max(wide, tall));
  const [width, height] = [Math.max(1, Math.round(wide * scale)), Math.max(1, Math.round(tall * scale))];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.imageSmoothingQuality = "high";
  const pixelsOf = (bitmap: ImageBitmap): Uint8ClampedArray => {
    context.clearRect(0, 0, width, height);
    context.drawImage(bitmap, 0, 0, width, height);
    bitmap.close();
    return context.getImageData(0, 0, width, height).data;
  };
  const isGray = first.map(pixelsOf).every((pixels) => {
    for (let at = 0; at < pixels.length; at += 4) {
      if (pixels[at] !== pixels[at + 1] || pixels[at] !== pixels[at + 2]) return false;
    }
    return true;
  });
  const channels = isGray ? 1 : 3;
  const size = width * height;
  const data = new Float32Array(files.length * channels * size);
  for (const [i, file] of files.entries()) {
    const bitmap = await createImageBitmap(file).catch(() => {
      throw new RangeError(`${file.name}: is no picture that this browser reads`);
    });
    const pixels = pixelsOf(bitmap);
    for (let channel = 0; channel < channels; channel++) {
      for (let at = 0; at < size; at++) data[(i * channels + channel) * size + at] = pixels[4 * at + channel]! / 255;
    }
  }
  const rows: Tensor = { dtype: "float32", shape: [files.length, channels, height, width], data };
  return { kind: "array", rows, names: files.map((file) => file.name) };
}
