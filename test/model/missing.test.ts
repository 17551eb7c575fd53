/** Numbers that are missing in rows of a table, in the file that the model is elsewhere. */

import { expect, it } from "vitest";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { modelOnnx } from "../../src/model/exportOnnx.ts";
import { tensor } from "../../src/tensor/tensor.ts";
import { blobs, tiny } from "../support/blobs.ts";
import { fitOn } from "../support/fit.ts";

const { rows } = blobs(60);
const inUnits = tensor(
  "float32",
  rows.shape,
  rows.data.map((value, at) => 10 ** (at % 4) * (3 + value)),
);

it.each([
  ["columns of different units", "kmeans", inUnits, {}],
  ["numbers from 0 to 1 as they are", "tell", rows, {}],
  ["one factor for all", "tell", inUnits, { scaling: "length" }],
])("are filled in with the mean of their column, always: %s", async (_, method, table, options) => {
  const device = await findDevice(devices, "cpu");
  const model = await fitOn(devices)(table, {
    clusters: 3,
    method,
    device,
    ...tiny,
    pretraining: 2,
    epochs: 1,
    ...options,
  });
  const means = [0, 1, 2, 3].map((c) => table.data.filter((_, at) => at % 4 === c).reduce((a, b) => a + b, 0) / 60);
  const row = [...table.data.subarray(0, 4)];
  const given = [[Number.NaN, ...row.slice(1)], [means[0]!, ...row.slice(1)], means.map(() => Number.NaN), means, row];
  const { runtime, options: opening } = model.device;
  const session = await runtime.InferenceSession.create(await modelOnnx(model), opening);
  const x = new runtime.Tensor("float32", Float32Array.from(given.flat()), [5, 4]);
  const { label, probabilities } = await session.run({ x });
  const labels = [...(label!.data as BigInt64Array)].map(Number);
  const p = [0, 1, 2, 3, 4].map((i) => [...(probabilities!.data as Float32Array).subarray(3 * i, 3 * i + 3)]);
  expect(p.flat().every(Number.isFinite)).toBe(true);
  expect([labels[0], labels[2]]).toEqual([labels[1], labels[3]]);
  for (const [one, other] of [
    [0, 1],
    [2, 3],
  ] as const) {
    p[one]!.forEach((value, j) => {
      expect(value).toBeCloseTo(p[other]![j]!, 4);
    });
  }
  // A whole row is what it was.
  expect(labels[4]).toBe(model.labels[0]);
  // The library is told what to do about missing numbers, or refuses them.
  await expect(model.predict([given[0]!])).rejects.toThrow("every number must be finite, got NaN in row 0, column 0");
  await model.close();
});
