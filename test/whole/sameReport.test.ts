/** A fresh run is reported from memory, a saved one from its folder: the same bytes. */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FileFitOptions } from "../../src/doors/inside.ts";
import { encodeNpy } from "../../src/formats/npy.ts";
import { Random } from "../../src/tensor/random.ts";
import { tensor } from "../../src/tensor/tensor.ts";

// The built library: training runs in a worker, which needs it.
const { fitRun, openRun, reportRun } = (await import(
  "../../dist/src/doors/inside.js" as string
)) as typeof import("../../src/doors/inside.ts");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-same-report-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const brief = { hidden: [16], pretraining: 2, epochs: 2, restarts: 2 };

/** Three groups of products with names and classes; here and there a weight is missing. */
async function products(): Promise<string> {
  const random = Random.seeded(3);
  const lines = Array.from({ length: 240 }, (_, i) => {
    const [price, weight] = [100 + 300 * (i % 3) + 10 * random.uniform(), 5 + 20 * (i % 3) + random.uniform()];
    return [`p${i}`, price, i % 50 === 7 ? "" : weight, random.uniform() / 3, "abc"[i % 3]].join();
  });
  const path = join(folder, "products.csv");
  await writeFile(path, `sku,price,weight,ratio,class\n${lines.join("\n")}\n`);
  return path;
}

/** Pictures of 6 × 6 pixels: a bright line, upright or level. */
async function pictures(): Promise<string> {
  const random = Random.seeded(4);
  const values = Float32Array.from({ length: 120 * 36 }, (_, at) => {
    const [picture, row, column] = [Math.floor(at / 36), Math.floor((at % 36) / 6), at % 6];
    const isLine = (picture % 2 ? row : column) === picture % 5;
    return (isLine ? 0.9 : 0.1) + random.uniform() / 10;
  });
  const path = join(folder, "pictures.npy");
  await writeFile(path, encodeNpy(tensor("float32", [120, 1, 6, 6], values)));
  return path;
}

/** The float32 before 1.125. To three digits it is 1.12; the seven digits of a file are 1.125000, which is 1.13. */
const below = 1.12499988;

/** Two places only, so that the third cluster stays empty. */
async function twoPlaces(): Promise<string> {
  const path = join(folder, "places.csv");
  await writeFile(path, `a,b\n${`0,${below}\n`.repeat(4)}${"5,5.3\n".repeat(6)}`);
  return path;
}

const labelled = { rows: { label: "class", missing: "mean" } } as const;
const runs: Readonly<Record<string, { source: () => Promise<string>; options: Omit<FileFitOptions, "out"> }>> = {
  "a table with a map, labels, and a number of clusters to be chosen": {
    source: products,
    options: { clusters: [2, 4], options: brief, ...labelled },
  },
  "a table without a map": { source: products, options: { clusters: 3, options: brief, map: false, ...labelled } },
  "pictures with a map, and the clusters through training": {
    source: pictures,
    options: { clusters: 4, method: "tell", options: brief, snapshots: 3 },
  },
  "a cluster without rows, and a number that files round across the edge of what is shown": {
    source: twoPlaces,
    options: { clusters: 3, method: "kmeans" },
  },
};

test.each(Object.keys(runs))("%s", async (name) => {
  const { source, options } = runs[name]!;
  const out = join(folder, name);
  await fitRun(await source(), { ...options, out });
  const path = join(out, "report.html");
  const fresh = await readFile(path, "utf8");
  expect(fresh.includes('id="points"')).toBe(options.map !== false);
  expect(fresh.includes("The centers through training")).toBe(options.snapshots !== undefined);
  await rm(path);
  expect(await reportRun(await openRun(out))).toBe(path);
  expect((await readFile(path, "utf8")) === fresh).toBe(true);
});
