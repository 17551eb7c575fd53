import { expect, test } from "vitest";
import { toData } from "../../src/data/data.ts";
import { mapRows, mostDrawn } from "../../src/model/mapRows.ts";
import { rowsIn, spreadRows } from "../../src/model/sampleRows.ts";
import { cpu } from "../../src/runtime/native.ts";
import { Random } from "../../src/tensor/random.ts";
import { tensor } from "../../src/tensor/tensor.ts";
import { tiny } from "../support/blobs.ts";
import { fitOn } from "../support/fit.ts";

test("of more rows than are drawn beside each other all have a place, near the others of their cluster", async () => {
  const count = mostDrawn + 3000;
  const random = Random.seeded(3);
  // Two clouds, far from each other, whose rows take turns.
  const values = Float32Array.from({ length: 2 * count }, (_, i) => (i % 4 < 2 ? 0 : 20) + random.uniform());
  const data = toData(tensor("float32", [count, 2], values));
  const model = await fitOn([cpu])(data, { clusters: 2, method: "kmeans", seed: 1, device: "cpu", ...tiny });
  const { at, centers, shown } = await mapRows(model, data, { stage: () => {} });
  await model.close();
  expect(shown).toBe(count);
  const wrong = Array.from({ length: count }, (_, row) => row).filter((row) => {
    const [x, y] = at(row) as [number, number];
    const far = centers.map(([a, b]) => Math.hypot(x - a, y - b));
    return !(far[model.labels[row]!]! < far[1 - model.labels[row]!]!);
  });
  expect(wrong).toEqual([]);
  expect(at(count)).toEqual([null, null]);
}, 60_000);

test("some rows are one from each stretch; no more than there are, all", () => {
  expect([...spreadRows(3, 5, 1)]).toEqual([0, 1, 2]);
  const rows = [...spreadRows(1000, 10, 1)];
  expect(rows.map((row) => Math.floor(row / 100))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect([...spreadRows(1000, 10, 1)]).toEqual(rows);
  expect([...spreadRows(1000, 10, 2)]).not.toEqual(rows);
});

test("rows of data that comes in batches are those of data in memory", async () => {
  const all = toData(
    tensor(
      "float32",
      [5000, 2],
      Float32Array.from({ length: 10_000 }, (_, i) => i),
    ),
  );
  const { tensor: _, ...inBatches } = all;
  const rows = Int32Array.of(0, 7, 1023, 1024, 4999);
  const found = await rowsIn(inBatches, rows);
  expect(found.tensor).toEqual((await rowsIn(all, rows)).tensor);
  expect([...found.tensor!.data]).toEqual([...rows].flatMap((row) => [2 * row, 2 * row + 1]));
});
