import { describe, expect, it } from "vitest";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { methodOf } from "../../src/methods/index.ts";
import { decodeCheckpoint, encodeCheckpoint } from "../../src/training/checkpoint.ts";
import type { Checkpoint } from "../../src/training/train.ts";
import { blobs, tiny } from "../support/blobs.ts";
import { trainBy } from "../support/fit.ts";

const device = await findDevice(devices, "cpu");
const { rows } = blobs();
const settings = { clusters: 3, device, options: { ...tiny, restarts: 2, labelChange: 1e-9 } };

async function checkpoints(): Promise<Checkpoint[]> {
  const taken: Checkpoint[] = [];
  const training = trainBy(rows, methodOf("tell"), {
    ...settings,
    onCheckpoint: async (take) => void taken.push(await take()),
  });
  for await (const _ of training);
  return taken;
}

describe("a checkpoint", () => {
  it("is the same after it was written and read, with everything in it", async () => {
    const last = (await checkpoints()).at(-1)!;
    expect(last.kept).toBeDefined();
    expect(last.labels).toBeDefined();
    expect(decodeCheckpoint(encodeCheckpoint(last))).toEqual(last);
  });

  it("goes on only as what it was begun with", async () => {
    const [first] = await checkpoints();
    const resume = (options: object, seed = 1) =>
      trainBy(rows, methodOf("tell"), {
        ...settings,
        seed,
        options: { ...settings.options, ...options },
        resume: first!,
      }).next();
    await expect(resume({ lambda: 0.5 })).rejects.toThrow(
      "resume: lambda must be what the training was begun with, 0.3, got 0.5",
    );
    await expect(resume({}, 2)).rejects.toThrow("resume: seed must be what the training was begun with, 1, got 2");
  });

  it("refuses a file that is none", () => {
    expect(() => decodeCheckpoint(new Uint8Array(3))).toThrow(/safetensors/);
  });
});
