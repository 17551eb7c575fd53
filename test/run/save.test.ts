/** Guarantee: what `load` opens predicts the same bits as what `save` wrote. */

import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { constant, input } from "../../src/graph/node.ts";
import { matmul } from "../../src/graph/products.ts";
import { kmeans } from "../../src/methods/kmeans.ts";
import type { Model } from "../../src/model/model.ts";
import { dense, sequence } from "../../src/nn/layers.ts";
import { describeOnnx } from "../../src/onnx/read.ts";
import { loadOn } from "../../src/run/folder/openRun.ts";
import { save } from "../../src/run/folder/saveModel.ts";
import { compile } from "../../src/runtime/compile.ts";
import { cpu } from "../../src/runtime/native.ts";
import { program } from "../../src/runtime/program.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import type { NetworkBuilder } from "../../src/training/network.ts";
import { folder } from "../files/folder.ts";
import { blobs, tiny } from "../support/blobs.ts";
import { fitOn } from "../support/fit.ts";

const fit = fitOn([cpu]);
const load = loadOn([cpu]);
const { rows } = blobs();
const fresh = blobs(50, { deviation: 0.1, seed: 9 }).rows;
const quick = { clusters: 3, device: "cpu", ...tiny, pretraining: 2, epochs: 2 } as const;
let count = 0;
const somewhere = (): string => join(folder, `saved-${count++}`);
const made = new Map<number, Promise<Model>>();
async function kmeansModel(seed = 1): Promise<Model> {
  const settings = { clusters: 3, device: "cpu", method: "kmeans", seed, epochs: 2, restarts: 1 } as const;
  if (!made.has(seed)) made.set(seed, Promise.resolve(fit(rows, settings)));
  return made.get(seed)!;
}

async function saidBy(model: Model) {
  const { labels, probabilities, distances, codes } = await model.assign(fresh);
  return {
    labels,
    probabilities,
    distances,
    codes,
    centers: await model.centers(),
    exemplars: await model.exemplars(),
  };
}

describe("what was saved and loaded", () => {
  it.each(["tell", "kmeansnet", "dkm-p", "pcx", "hot", "dec", "idec", "dcn", "kmeans"])(
    "is the same, bit for bit: %s",
    async (method) => {
      const { hidden: _, latent: __, pretraining: ___, ...few } = quick;
      const model = await fit(rows, method === "kmeans" ? { ...few, method } : { ...quick, method });
      const path = somewhere();
      await save(model, path);
      const again = await load(path, { device: "cpu" });
      expect(await saidBy(again)).toEqual(await saidBy(model));
      expect(again.labels).toEqual(model.labels);
      expect(again.fit.history.length).toBe(model.fit.history.length);
      await model.close();
      await again.close();
    },
  );

  it("is what followed a stream, with the centers where they are now", async () => {
    const model = await fit(rows, { ...quick, method: "tell" });
    const before = await model.centers();
    for (let i = 0; i < 5; i++) await model.partialFit(fresh, { rate: 0.5 });
    expect(await model.centers()).not.toEqual(before);
    const path = somewhere();
    await save(model, path);
    const again = await load(path);
    expect(await saidBy(again)).toEqual(await saidBy(model));
    const [one, other] = [await model.partialFit(rows), await again.partialFit(rows)];
    expect(other.labels).toEqual(one.labels);
    expect(await again.centers()).toEqual(await model.centers());
  });

  it("can be saved again by itself", async () => {
    const [path, other] = [somewhere(), somewhere()];
    await save(await kmeansModel(), path, { columns: ["a", "b", "c", "d"] });
    const again = await load(path);
    await again.save(other);
    expect(await readFile(join(other, "weights.safetensors"))).toEqual(
      await readFile(join(path, "weights.safetensors")),
    );
    const { metadata } = describeOnnx(await readFile(join(path, "model.onnx")));
    expect(JSON.parse(metadata.columns!)).toEqual(["a", "b", "c", "d"]);
  });

  it("takes its frozen encoder along, inside model.onnx too", async () => {
    const kept = fromNumbers("float32", [4, 3], [2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0]);
    const network = compile(program({ outputs: { features: matmul(input("pixels", ["n", 4]), constant(kept)) } }));
    const { hidden: _, ...few } = quick;
    const model = await fit(rows, { ...few, network });
    const path = somewhere();
    await save(model, path);
    const again = await load(path);
    const said = await saidBy(model);
    expect(await saidBy(again)).toEqual(said);
    const { runtime } = await cpu.find();
    const session = await runtime.InferenceSession.create(await readFile(join(path, "model.onnx")));
    const { label } = await session.run({ x: new runtime.Tensor("float32", fresh.data, fresh.shape) });
    expect(Array.from(label!.data as BigInt64Array, Number)).toEqual([...said.labels]);
  });

  it("needs a network of one's own again", async () => {
    const network: NetworkBuilder = ([columns], random) => {
      const [encoder, decoder] = [sequence([dense("in", columns!, 2, random)]), dense("out", 2, columns!, random)];
      const parameters = [...encoder.parameters, ...decoder.parameters];
      return { row: [columns!], latent: 2, parameters, encode: encoder.apply, decode: decoder.apply };
    };
    const { hidden: _, latent: __, ...few } = quick;
    const model = await fit(rows, { ...few, method: "dkm-p", network });
    const path = somewhere();
    await save(model, path);
    await expect(load(path)).rejects.toThrow("a network of your own");
    expect(await saidBy(await load(path, { network }))).toEqual(await saidBy(model));
  });
});

describe("a folder that is there", () => {
  it("is not replaced unless told to, and what is no run never is", async () => {
    const [path, other] = [somewhere(), somewhere()];
    const model = await kmeansModel();
    await save(model, path);
    await expect(save(model, path)).rejects.toThrow(`${path}: is there already`);
    await mkdir(other);
    await writeFile(join(other, "thesis.txt"), "years of work");
    await expect(save(model, other, { force: true })).rejects.toThrow("is no run of Telltale");
    expect(await readdir(other)).toEqual(["thesis.txt"]);
    await save(await kmeansModel(2), path, { force: true });
    expect((await load(path)).plan.seed).toBe(2);
    expect((await readdir(path)).filter((name) => /part|replaced|lock/.test(name))).toEqual([]);
  });

  it("comes back where the writer was ended on the way", async () => {
    const path = somewhere();
    await save(await kmeansModel(), path);
    const before = await readdir(path);
    await mkdir(join(path, ".replaced"));
    await writeFile(join(path, ".replaced", "moved.json"), JSON.stringify(before));
    for (const name of ["run.json", "weights.safetensors"]) {
      await rename(join(path, name), join(path, ".replaced", name));
      await writeFile(join(path, "lock"), String(await deadProcess()));
    }
    expect((await load(path)).plan.seed).toBe(1);
    expect(await readdir(path)).toEqual(before);
  });

  it("stays where writing failed", async () => {
    const path = somewhere();
    await save(await kmeansModel(), path);
    const model = await kmeansModel(2);
    await rm(join(path, "lock"), { force: true });
    await writeFile(join(path, "lock"), String(process.ppid));
    await expect(save(model, path, { force: true })).rejects.toThrow("another process writes there");
    await rm(join(path, "lock"));
    expect((await load(path)).plan.seed).toBe(1);
    expect((await readdir(path)).filter((name) => /part|replaced|lock/.test(name))).toEqual([]);
  });

  it("is said to be damaged where files are missing or cut", async () => {
    const path = somewhere();
    await save(await kmeansModel(), path);
    const weights = await readFile(join(path, "weights.safetensors"));
    await writeFile(join(path, "weights.safetensors"), weights.subarray(0, weights.length - 5));
    await expect(load(path)).rejects.toThrow(`${path}: the run is damaged: weights.safetensors cannot be read`);
    await rm(join(path, "weights.safetensors"));
    await expect(load(path)).rejects.toThrow("the run is damaged: weights.safetensors is missing");
    const description = JSON.parse(await readFile(join(path, "run.json"), "utf8"));
    await writeFile(join(path, "run.json"), JSON.stringify({ ...description, version: 99 }));
    await expect(load(path)).rejects.toThrow("was written by a newer Telltale (format 99");
  });
});

it("a method of one's own is code, and is not saved", async () => {
  const model = await fit(rows, { clusters: 3, device: "cpu", method: { ...kmeans }, epochs: 2, restarts: 1 });
  await expect(save(model, somewhere())).rejects.toThrow("save: the method kmeans is your own");
  await expect(save(await kmeansModel(), somewhere(), { columns: ["a"] })).rejects.toThrow("columns must name the 4");
});

async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => child.once("exit", resolve));
  return child.pid!;
}
