/** `--method lsr2`: the default student, taught by one teacher with options of its own. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { load } from "../../src/doors/node.ts";
import { ari } from "../../src/metrics/ari.ts";
import { fitByNameOn } from "../../src/model/fitting.ts";
import { save } from "../../src/run/folder/saveModel.ts";
import { nodeDevices } from "../../src/runtime/nodeDevices.ts";
import { blobs, tiny } from "../support/blobs.ts";

const fitByName = fitByNameOn(nodeDevices);
const { rows, labels } = blobs(90);
const options = { ...tiny, epochs: 2, pretraining: 4 };

it("is fitted, saved and loaded by its name, with what was said to its teacher", async () => {
  const said = { clusters: 3, method: "acal", options };
  expect((await fitByName(rows, said)).plan.method.name).toBe("average");

  const model = await fitByName(rows, { ...said, method: "lsr2", options: { ...options, "teacher.lambda": 0.01 } });
  expect(model.plan.options).toMatchObject({ taughtBy: "lsr2", "teacher.lambda": 0.01, "teacher.axes": 0 });
  expect(model.fit.taught).toMatchObject({ teacher: "lsr2", view: "codes", reason: "lsr2 was asked for" });
  expect(ari(labels, model.labels)).toBeGreaterThan(0.9);
  const folder = await mkdtemp(join(tmpdir(), "telltale-taught-"));
  try {
    await save(model, join(folder, "run"));
    const same = await load(join(folder, "run"));
    expect(same.plan.options).toEqual(model.plan.options);
    expect([...(await same.predict(rows))]).toEqual([...(await model.predict(rows))]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it("refuses what its teacher does not take, before anything is trained", async () => {
  const asked = (more: object) => fitByName(rows, { clusters: 3, method: "lsr2", options: { ...options, ...more } });
  await expect(asked({ "teacher.lambda": 0 })).rejects.toThrow(
    "lsr2: the option teacher.lambda must be a number from 1e-9, got 0",
  );
  await expect(asked({ "teacher.alpha": 1 })).rejects.toThrow("lsr2: there is no option teacher.alpha");
});
