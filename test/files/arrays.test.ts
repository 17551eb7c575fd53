import { readdir, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import sharp from "sharp";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { featureNames } from "../../src/data/feature.ts";
import { oneImage } from "../../src/files/images/openImages.ts";
import { type OpenedRows, openRows } from "../../src/files/openRows.ts";
import { encodeNpy } from "../../src/formats/npy.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { folder, write } from "./folder.ts";

const npy = (dtype: "float32" | "uint8" | "int64", shape: number[], values: number[]): Uint8Array =>
  encodeNpy(fromNumbers(dtype, shape, values));
const x = npy("float32", [2, 3], [1, 2, 3, 4, 5, 6]);

describe("NumPy", () => {
  test(".npy, packed or not, by its name or its first bytes", async () => {
    for (const [name, bytes] of [
      ["a.npy", x],
      ["a.npy.gz", gzipSync(x)],
      ["noname", x],
    ] as const) {
      const opened = await openRows(await write(name, bytes));
      expect(opened.data).toMatchObject({ count: 2, row: [3], range: [1, 6] });
      expect([featureNames(opened.features), opened.description]).toEqual([
        ["0", "1", "2"],
        "using 2 rows of 3 numbers",
      ]);
    }
  });

  test("images [n, height, width] have one channel and no columns", async () => {
    const opened = await openRows(await write("images.npy", npy("uint8", [2, 1, 2], [0, 255, 3, 4])));
    expect([opened.data.row, opened.features, [...opened.data.tensor!.data]]).toEqual([[1, 1, 2], [], [0, 255, 3, 4]]);
  });

  test(".npz: the rows by their name, labels beside them", async () => {
    const y = npy("int64", [2], [7, 3]);
    const opened = await openRows(await write("a.npz", zipSync({ "x.npy": x, "y.npy": y, "other.npy": y })));
    expect([...opened.data.tensor!.data]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(opened.labels).toEqual({ classes: Int32Array.of(1, 0), names: ["3", "7"] });
    const only = await openRows(await write("b.npz", zipSync({ "arr_0.npy": x }, { level: 0 })));
    expect(only.data.count).toBe(2);
    const pairs = { "x_train.npy": x, "y_train.npy": npy("int64", [2], [1, 1]), "x_test.npy": x, "y_test.npy": y };
    const test = await openRows(await write("d.npz", zipSync(pairs)), { array: "x_test" });
    expect(test.labels!.names).toEqual(["3", "7"]);
    const named = await openRows(await write("c.npz", zipSync({ "p.npy": x, "q.npy": y })), { array: "p" });
    expect(named.data.count).toBe(2);
  });
});

describe("an array that does not fit", () => {
  const [count, width] = [10_000, 6];
  // Each number tells where it is, and fits into every element type that is used here.
  const at = (row: number, column: number): number => ((row * 7 + column) % 1000) / 4;
  const numbers = Array.from({ length: count * width }, (_, i) => at(Math.floor(i / width), i % width));
  const float = encodeNpy(fromNumbers("float32", [count, width], numbers));
  const double = encodeNpy(fromNumbers("float64", [count, width], numbers));
  const images = encodeNpy(fromNumbers("float32", [count, 3, 2], numbers));
  /** The same with the first index running fastest, as NumPy writes a table's values or a transposed array. */
  const inColumns = (shape: number[], place: (column: number) => number): Uint8Array => {
    const values = new Float32Array(count * width);
    for (let i = 0; i < numbers.length; i++) {
      values[count * place(i % width) + Math.floor(i / width)] = numbers[i]!;
    }
    const bytes = encodeNpy(fromNumbers("float32", shape, values));
    return Buffer.from(Buffer.from(bytes).toString("latin1").replace("False", "True "), "latin1");
  };
  const idx = Buffer.alloc(12 + 4 * count * width);
  idx.set([0, 0, 13, 2]);
  idx.writeUInt32BE(count, 4);
  idx.writeUInt32BE(width, 8);
  for (const [i, value] of numbers.entries()) idx.writeFloatBE(value, 12 + 4 * i);

  test.each<[string, Uint8Array, readonly number[]]>([
    ["float.npy", float, [width]],
    ["double.npy", double, [width]],
    ["packed.npy.gz", gzipSync(float), [width]],
    ["images.npy", images, [1, 3, 2]],
    ["columns.npy", inColumns([count, width], (column) => column), [width]],
    ["columns.npy.gz", gzipSync(inColumns([count, width], (column) => column)), [width]],
    ["image columns.npy", inColumns([count, 3, 2], (c) => Math.floor(c / 2) + 3 * (c % 2)), [1, 3, 2]],
    ["stored.npz", zipSync({ "x.npy": float }, { level: 0 }), [width]],
    ["packed.npz", zipSync({ "x.npy": double }), [width]],
    ["floats.idx", idx, [width]],
    ["floats.idx.gz", gzipSync(idx), [width]],
  ])("is streamed: %s", async (name, bytes, row) => {
    const path = await write(`large/${name}`, bytes);
    const whole = await openRows(path);
    expect([...whole.data.tensor!.data]).toEqual(numbers);
    const opened = await openRows(path, { inMemory: 1000 });
    expect(opened.data).toMatchObject({ count, row, range: [0, 249.75] });
    expect(opened.data.tensor).toBeUndefined();
    const inOrder: number[] = [];
    for await (const batch of opened.data.inOrder(3000)) inOrder.push(...batch.x.data);
    expect(inOrder).toEqual(numbers);
    const rows: number[] = [];
    for await (const batch of opened.data.shuffled(256, Random.seeded(3))) {
      expect([...batch.x.data]).toEqual(
        [...batch.rows].flatMap((row) => numbers.slice(row * width, (row + 1) * width)),
      );
      rows.push(...batch.rows);
    }
    expect(rows).not.toEqual(rows.toSorted((a, b) => a - b));
    expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
    await opened.close();
  });

  test("nothing stays open or behind where opening fails or is stopped", async () => {
    const path = await write("large/stopped.npy.gz", gzipSync(Buffer.concat([float, Buffer.alloc(100)])));
    const whole = await write("large/whole.npy", float);
    const temporary = dirname(await write("temporary/marker", "x"));
    const openFiles = async (): Promise<number> => (await readdir("/proc/self/fd").catch(() => [])).length;
    const before = await openFiles();
    vi.stubEnv("TMPDIR", temporary);
    for (const missing of [undefined, "drop"] as const) {
      const options = { inMemory: 1000, ...(missing && { missing }) };
      await expect(openRows(path, options)).rejects.toThrow("unpacks to more than");
      const reason = new Error("enough");
      await expect(openRows(whole, { ...options, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    }
    vi.unstubAllEnvs();
    await expect.poll(openFiles, { timeout: 10_000 }).toBeLessThanOrEqual(before);
    expect(await readdir(temporary)).toEqual(["marker"]);
  });

  test("one cut short while it is read is an error, not fewer rows", async () => {
    const path = await write("large/shrinking.npy", float);
    const opened = await openRows(path, { inMemory: 1000 });
    await truncate(path, float.length - 1000);
    const read = async (): Promise<void> => {
      for await (const _ of opened.data.inOrder(3000));
    };
    await expect(read()).rejects.toThrow("shrinking.npy: was cut short while it was read");
    await opened.close();
  });
});

describe("missing values in an array", () => {
  const gaps = npy("float32", [3, 2], [1, Number.NaN, 3, 4, 5, 8]);
  const y = npy("int64", [3], [7, 3, 7]);
  const numbersOf = async (opened: OpenedRows): Promise<number[]> => {
    const numbers: number[] = [];
    for await (const { x } of opened.data.inOrder(2)) numbers.push(...x.data);
    await opened.close();
    return numbers;
  };
  test.each([[undefined], [1]])(
    "are refused, filled or left out, with at most %s numbers in memory",
    async (inMemory) => {
      const options = inMemory === undefined ? {} : { inMemory };
      const path = await write("gaps.npz", zipSync({ "x.npy": gaps, "y.npy": y }));
      await expect(openRows(path, options)).rejects.toThrow("1 value is missing, the first in row 0, column 1");
      const filled = await openRows(path, { ...options, missing: "mean" });
      expect([filled.filled, filled.description]).toEqual([
        [3, 6],
        "using 3 rows of 2 numbers, labels of 2 classes (for scores only), filling 1 missing value",
      ]);
      expect(await numbersOf(filled)).toEqual([1, 6, 3, 4, 5, 8]);
      const fewer = await openRows(path, { ...options, missing: "drop" });
      expect(fewer.labels!.classes).toEqual(Int32Array.of(0, 1));
      // The rows that are left keep the numbers they have in the file.
      expect([fewer.numbers, fewer.dropped]).toEqual([Int32Array.of(1, 2), { rows: Int32Array.of(0) }]);
      expect(fewer.description).toContain("leaving out 1 of 3 rows with missing values");
      expect(await numbersOf(fewer)).toEqual([3, 4, 5, 8]);
    },
  );
});

describe("IDX", () => {
  const images = Uint8Array.of(0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 255);
  test("MNIST's files, with the labels that lie beside them", async () => {
    const labels = Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 2, 5, 0);
    await write("t10k-labels-idx1-ubyte.gz", gzipSync(labels));
    const opened = await openRows(await write("t10k-images-idx3-ubyte.gz", gzipSync(images)));
    expect(opened.data).toMatchObject({ count: 2, row: [1, 1, 2], range: [1, 255] });
    expect(opened.labels).toEqual({ classes: Int32Array.of(1, 0), names: ["0", "5"] });
    expect(opened.description).toBe("using 2 rows of 1×2 images, labels of 2 classes (for scores only)");
  });
  test.each([
    [9, [255, 2], [-1, 2]],
    [11, [255, 255, 0, 2], [-1, 2]],
    [12, [255, 255, 255, 255, 0, 0, 1, 0], [-1, 256]],
    [13, [0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0], [1, -2]],
    [14, [0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0], [1, -2]],
  ])("element type %i", async (type, bytes, expected) => {
    const path = await write(`type${type}.idx`, Uint8Array.of(0, 0, type, 2, 0, 0, 0, 1, 0, 0, 0, 2, ...bytes));
    expect([...(await openRows(path)).data.tensor!.data]).toEqual(expected);
  });
});

describe("a folder of images", () => {
  const image = (width: number, height: number, color: string, gray = false) =>
    sharp({ create: { width, height, channels: 3, background: color } })
      .toColourspace(gray ? "b-w" : "srgb")
      .png()
      .toBuffer();

  test("class folders are labels; color where one image has it; all of one size", async () => {
    await write("animals/cat/1.png", await image(4, 2, "#ff0000"));
    await write("animals/cat/2.png", await image(40, 40, "#00ff00"));
    await write("animals/dog/1.png", await image(4, 2, "#808080", true));
    await write("animals/dog/notes.txt", "not an image");
    const opened = await openRows(join(folder, "animals"));
    expect(opened.data).toMatchObject({ count: 3, row: [3, 2, 4], range: [0, 255] });
    expect([...opened.data.tensor!.data.slice(0, 24)]).toEqual([...Array(8).fill(255), ...Array(16).fill(0)]);
    expect([...opened.data.tensor!.data.slice(48)]).toEqual(Array(24).fill(128));
    expect(opened.labels).toEqual({ classes: Int32Array.of(0, 0, 1), names: ["cat", "dog"] });
    for await (const ids of opened.ids!.inOrder(9)) expect(ids).toEqual([["cat/1.png"], ["cat/2.png"], ["dog/1.png"]]);
    expect(opened.description).toBe(
      "using 3 color images of 4×2, id = file, label = folder, 2 of them (for scores only)",
    );
  });

  test("they are decoded by as many threads as whoever runs several of us has given each", async () => {
    await write("shared/1.png", await image(4, 2, "#ff0000"));
    const before = sharp.concurrency(0);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      sharp.concurrency(before);
    });
    vi.stubEnv("TELLTALE_THREADS", "3");
    await openRows(join(folder, "shared"));
    expect(sharp.concurrency()).toBe(3);
  });

  test("one of them is read as it is among all, and no name leads out of the folder", async () => {
    await write("some/cat/1.png", await image(4, 2, "#ff0000"));
    await write("some/dog/1.png", await image(40, 40, "#00ff00"));
    const { data } = await openRows(join(folder, "some"));
    const size = data.tensor!.data.length / 2;
    expect(await oneImage(join(folder, "some"), "dog/1.png", data.row)).toEqual(data.tensor!.data.slice(size));
    for (const name of [
      "../some/dog/1.png",
      "dog/../cat/1.png",
      "dog\\1.png",
      "dog/.1.png",
      "notes.txt",
      "a/b/c.png",
    ]) {
      expect(await oneImage(join(folder, "some"), name, data.row), name).toBeUndefined();
    }
    await expect(oneImage(join(folder, "some"), "dog/2.png", data.row)).rejects.toThrow("dog/2.png");
  });

  test("gray images without classes, streamed", async () => {
    for (let i = 0; i < 5; i++) await write(`flat/${i}.png`, await image(100, 50, `rgb(${i},${i},${i})`, true));
    const reason = new Error("enough");
    await expect(openRows(join(folder, "flat"), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const opened = await openRows(join(folder, "flat"), { inMemory: 10, imageSize: 4 });
    expect(opened.data).toMatchObject({ count: 5, row: [1, 2, 4] });
    expect([opened.labels, opened.data.tensor]).toEqual([undefined, undefined]);
    for (const batches of [opened.data.inOrder(2), opened.data.shuffled(2, Random.seeded(1))]) {
      const seen: number[] = [];
      for await (const batch of batches) {
        seen.push(...batch.rows);
        expect([...batch.x.data]).toEqual([...batch.rows].flatMap((row) => Array(8).fill(row)));
      }
      expect(seen.sort()).toEqual([0, 1, 2, 3, 4]);
    }
    expect((await openRows(join(folder, "flat"))).data.row).toEqual([1, 32, 64]);
  });
});
