import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toData } from "../../src/data/data.ts";
import { summarize } from "../../src/explain/clusters/summarize.ts";
import { openOutput } from "../../src/files/output/openOutput.ts";
import { writeAssignments } from "../../src/run/fitting/writeAssignments.ts";
import { RunFolder } from "../../src/run/folder/runFolder.ts";
import { PointsOnMap } from "../../src/run/use/pointsOnMap.ts";
import { cpu } from "../../src/runtime/native.ts";
import { Random } from "../../src/tensor/random.ts";
import { asColumn } from "../../src/text/digits.ts";
import { blobs, tiny } from "../support/blobs.ts";
import { fitOn } from "../support/fit.ts";
import { queried } from "../support/queried.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-points-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("asColumn is what Parquet gives back of a number, from the smallest to the largest", async () => {
  const random = Random.seeded(5);
  const values = Array.from({ length: 20_000 }, (_, i) => {
    const size = 10 ** (76 * random.uniform() - 38);
    return Math.fround((i % 2 ? 1 : -1) * (i % 4 < 2 ? 20 * random.uniform() : size));
  });
  const odd = [0, -0, 1, 0.1, 1 / 3, 16_777_216, 9_999_999.5, 1e-45, 3.4e38, Number.NaN, Number.POSITIVE_INFINITY];
  const all = [...values, ...odd];
  const out = join(folder, "numbers.parquet");
  const output = await openOutput("parquet", [{ name: "value", type: "number" }], { out });
  await output.write(all.map((value) => [value]));
  await output.end();
  const found = (await queried(`select value from '${out}'`)).map(([value]) => value);
  // -0 is written as 0.
  expect(found).toEqual(all.map((value) => (Object.is(value, -0) ? 0 : asColumn(value))));
});

test("what is gathered while assignments are written is what the file has, of the rows that are on the map alone", async () => {
  const { rows } = blobs();
  const model = await fitOn([cpu])(rows, { clusters: 3, method: "kmeans", seed: 1, device: "cpu", ...tiny });
  const data = toData(rows);
  const onMap = (row: number): boolean => row % 3 === 1;
  const shown = Array.from({ length: data.count }, (_, row) => row).filter(onMap).length;
  const rowMap = {
    at: (row: number) => (onMap(row) ? ([Math.sin(row) / 7, 1000 * Math.cos(row)] as const) : ([null, null] as const)),
    centers: [],
    shown,
  };
  const points = new PointsOnMap(shown);
  const path = join(folder, "run");
  const run = await RunFolder.create(path);
  try {
    const summaries = await summarize(model, data, {});
    await writeAssignments({ folder: run, model, data, summaries, rowMap, points, stage: () => {} });
  } finally {
    await run.unlock();
    await model.close();
  }
  const from = `'${run.file("assignments.parquet")}'`;
  const written = await queried(
    `select x, y, cluster::integer, confidence from ${from} where x is not null order by row`,
  );
  const { x, y, cluster, confidence } = points.all();
  expect(written.length).toBe(shown);
  expect(Array.from(x, (_, i) => [x[i], y[i], cluster[i], confidence[i]])).toEqual(written);
});

test("a row without a place is not on the map, and there are never more than it shows", () => {
  const points = new PointsOnMap(2);
  points.add({ x: null, y: null, cluster: 0, confidence: 1 });
  points.add({ x: 1, y: 2, cluster: 3, confidence: null });
  expect(points.all()).toEqual({
    shown: 1,
    x: Float32Array.of(1),
    y: Float32Array.of(2),
    cluster: Int32Array.of(3),
    confidence: Float32Array.of(0),
  });
  points.add({ x: 4, y: 5, cluster: 6, confidence: 0.5 });
  points.add({ x: 7, y: 8, cluster: 9, confidence: 0.5 });
  expect([...points.all().x]).toEqual([1, 4]);
});

test("a report shows 50,000 points of a map that has more than 100,000, spread over all and the same each time", () => {
  const shown = 200_000;
  const [once, again] = [new PointsOnMap(shown), new PointsOnMap(shown)].map((points) => {
    // Rows that have no place are between the others, and count for nothing.
    for (let row = 0; row < 2 * shown; row++) {
      points.add({ x: row % 2 ? null : row / 2, y: 0, cluster: 0, confidence: 1 });
    }
    return points.all();
  });
  expect(once!.shown).toBe(50_000);
  // One of each four.
  expect(once!.x.every((value, i) => Math.floor(value / 4) === i)).toBe(true);
  expect(again).toEqual(once);
});
