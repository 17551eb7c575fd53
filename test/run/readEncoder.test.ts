/** An encoder that a person names, with its numbers in files beside it. */

import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkOnnx } from "../../src/onnx/check.ts";
import { readEncoder } from "../../src/run/fitting/readEncoder.ts";
import { cpu } from "../../src/runtime/native.ts";
import { looping, withDataIn } from "../onnx/strangers.ts";
import { fitOn } from "../support/fit.ts";

let folder: string;
const outside = join(tmpdir(), `telltale-outside-${process.pid}.bin`);
/** Sixteen bytes of something else, then a matrix that doubles. */
const weights = Buffer.from(new Float32Array([9, 9, 9, 9, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2]).buffer);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-encoder-"));
  await mkdir(join(folder, "parts"));
  await mkdir(join(folder, "directory"));
  await writeFile(join(folder, "weights.bin"), weights);
  await writeFile(join(folder, "parts", "weights.bin"), weights);
  await writeFile(outside, weights);
  await symlink(outside, join(folder, "link.bin"));
  await symlink(tmpdir(), join(folder, "folder"));
  await symlink("weights.bin", join(folder, "near.bin"));
  execFileSync("mkfifo", [join(folder, "pipe.bin"), join(folder, "pipe.onnx")]);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(outside, { force: true });
});

async function encoderWith(location: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const path = join(folder, "model.onnx");
  await writeFile(path, withDataIn(location, more));
  return path;
}

describe("external data", () => {
  it.each([
    ["beside it", "weights.bin", {}],
    ["below it", "parts/weights.bin", {}],
    ["without a length: to the end", "weights.bin", { length: "" }],
    ["through a link that stays in the folder", "near.bin", {}],
  ])("is taken into the file: %s", async (_, location, more) => {
    const bytes = await readEncoder(await encoderWith(location, more));
    expect(() => checkOnnx(bytes, "enc")).not.toThrow();
    const { runtime } = await cpu.find();
    const session = await runtime.InferenceSession.create(bytes);
    const { y } = await session.run({ x: new runtime.Tensor("float32", [1, 2, 3, 4], [1, 4]) });
    expect([...(y!.data as Float32Array)]).toEqual([2, 4, 6, 8]);
    await session.release();
  });

  const inFolder = "must be a file in its own folder";
  it.each([
    ["above it", "../x.bin", {}, inFolder],
    ["above it, in a roundabout way", "parts/../../x.bin", {}, inFolder],
    ["anywhere", outside, {}, inFolder],
    ["anywhere, as elsewhere", "C:\\weights.bin", {}, inFolder],
    ["behind a link out of it", "link.bin", {}, "no link out of it"],
    ["in a folder behind a link", `folder/telltale-outside-${process.pid}.bin`, {}, "no link out of it"],
    ["nowhere", "", {}, inFolder],
    ["in no file that is there", "none.bin", {}, "is not there; put the file beside it"],
    ["in a folder", "directory", {}, 'its external data "directory": must be a file, is a folder'],
    ["in a pipe", "pipe.bin", {}, 'its external data "pipe.bin": must be a file, is a pipe'],
    ["in the folder itself", ".", {}, inFolder],
    ["after its end", "weights.bin", { offset: "1000000" }, "ends after 80 bytes"],
    ["beyond its end", "weights.bin", { length: "1000000000000" }, "ends after 80 bytes"],
    ["before its beginning", "weights.bin", { offset: "-16" }, "ends after 80 bytes"],
    ["at no number", "weights.bin", { offset: "here" }, "ends after 80 bytes"],
    ["in a part that is not its shape", "weights.bin", { length: "32" }, "must be that of its data, 64 bytes, got 32"],
  ])("is refused: %s", async (_, location, more, message) => {
    const path = await encoderWith(location, more);
    const error = await readEncoder(path).then(
      () => new Error("nothing"),
      (reason: Error) => reason,
    );
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("\n");
  });

  it("of bytes without a place is refused in a sentence", async () => {
    const fitted = fitOn([cpu])(
      [
        [1, 2, 3, 4],
        [2, 3, 4, 5],
        [9, 8, 7, 6],
      ],
      { clusters: 2, method: "kmeans", network: withDataIn("weights.bin") },
    );
    await expect(fitted).rejects.toThrow(
      'encoder: the tensor "w": its numbers must be in the file itself, got external data in "weights.bin"',
    );
  });
});

it.each([
  ["is not there", "none.onnx", "there is no such file; --network must name an ONNX file"],
  ["is a folder", "directory", "must be a file, is a folder; --network must name an ONNX file"],
  ["is a pipe that nobody writes to", "pipe.onnx", "must be a file, is a pipe; --network must name an ONNX file"],
])("an encoder that %s is refused", async (_, name, message) => {
  await expect(readEncoder(join(folder, name))).rejects.toThrow(message);
});

it("an encoder with a loop without an end is refused before anything runs", async () => {
  const path = join(folder, "endless.onnx");
  await writeFile(path, looping());
  await expect(readEncoder(path)).rejects.toThrow(`${path}: the node "turning" ("Loop"): must say after how many`);
});
