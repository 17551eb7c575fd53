import { describe, expect, it } from "vitest";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { decodeSafetensors, encodeSafetensors } from "../../src/formats/safetensors.ts";
import { methodOf } from "../../src/methods/methodOf.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { decodeCheckpoint, encodeCheckpoint } from "../../src/training/checkpoint.ts";
import type { Checkpoint } from "../../src/training/job.ts";
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

/** What is wrong with these bytes; nothing where they are a checkpoint. */
async function decoded(bytes: Uint8Array): Promise<string> {
  try {
    decodeCheckpoint(bytes);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
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

  it("is refused in a sentence, whatever stands where its value is", async () => {
    const { tensors, metadata } = decodeSafetensors(encodeCheckpoint((await checkpoints()).at(-1)!));
    const value = JSON.parse(metadata.checkpoint!);
    const strange = [null, -1, 1.5, 1e308, "x", [], [1], ["a"], {}, { a: 1 }, true];
    for (const name of Object.keys(value)) {
      for (const other of strange) {
        const tampered = JSON.stringify({ ...value, [name]: other });
        const bytes = encodeSafetensors(tensors, { ...metadata, checkpoint: tampered });
        const message = await decoded(bytes);
        expect(message).not.toMatch(/Cannot|is not (a function|iterable)|undefined/);
        if (!["loss", "epoch", "restart"].includes(name) && !Array.isArray(other)) expect(message).toContain(name);
      }
    }
    const short = new Map([...tensors, ["labels", fromNumbers("int32", [1], [0])] as const]);
    expect(await decoded(encodeSafetensors(short, metadata))).toMatch("labels must be the clusters of 120 rows");
    expect(await decoded(encodeSafetensors(tensors, { ...metadata, checkpoint: "{" }))).toMatch(
      "checkpoint: must be JSON",
    );
  });

  it("refuses a file that is none", () => {
    expect(() => decodeCheckpoint(new Uint8Array(3))).toThrow(/safetensors/);
  });
});
