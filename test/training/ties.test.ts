/** A row's label does not depend on the rows beside it, to the last bit of a boundary. */

import { describe, expect, it } from "vitest";
import type { Device } from "../../src/runtime/device.ts";
import { cpu } from "../../src/runtime/native.ts";
import { webAssembly } from "../../src/runtime/wasm.ts";
import { type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { nearTies, withTiesAlone } from "../../src/training/ties.ts";
import { blobs, tiny } from "../support/blobs.ts";
import { fitOn } from "../support/fit.ts";

describe("rows between two clusters", () => {
  const distances = tensor("float32", [3, 3], Float32Array.of(1, 2, 3, 1, 1.000001, 3, 5, 4, 4));
  const z = tensor("float32", [3, 1], Float32Array.of(0, 0, 0));

  it("are those whose two smallest distances are the same but for rounding", () => {
    expect(nearTies({ distances, z })).toEqual([1, 2]);
  });

  it("are measured by the codes as well, which distances may be small differences of", () => {
    const close = tensor("float32", [1, 2], Float32Array.of(1e-3, 1.001e-3));
    expect(nearTies({ distances: close, z: tensor("float32", [1, 1], Float32Array.of(0.01)) })).toEqual([]);
    expect(nearTies({ distances: close, z: tensor("float32", [1, 1], Float32Array.of(1)) })).toEqual([0]);
  });

  it("are as the program says of them alone, where it says another label", async () => {
    const asked: number[] = [];
    const values = { label: tensor("int32", [3], Int32Array.of(0, 0, 1)), distances, z };
    const alone = async (row: Tensor<"float32">) => {
      asked.push(row.data[0]!);
      return {
        label: tensor("int32", [1], Int32Array.of(1)),
        distances: tensor("float32", [1, 3], Float32Array.of(7, 6, 8)),
        z: tensor("float32", [1, 1], Float32Array.of(9)),
      };
    };
    const settled = await withTiesAlone(tensor("float32", [3, 1], Float32Array.of(10, 11, 12)), values, alone);
    expect(asked).toEqual([11, 12]);
    expect([...settled.label!.data]).toEqual([0, 1, 1]);
    expect([...settled.distances!.data]).toEqual([1, 2, 3, 7, 6, 8, 5, 4, 4]);
  });
});

const threads = async (intraOpNumThreads: number): Promise<Device> => {
  const found = await cpu.find();
  return { ...found, options: { ...found.options, intraOpNumThreads } };
};

describe("a row on a boundary", () => {
  it.each([
    ["kmeans", "the processor", () => cpu.find()],
    ["homo", "the processor", () => cpu.find()],
    ["telltale", "the processor", () => cpu.find()],
    ["tell", "three threads", () => threads(3)],
    ["tell", "WebAssembly", () => webAssembly(1).find()],
  ])("has the same label in any batch, by %s on %s", async (method, _, find) => {
    const device = await find();
    const { rows } = blobs(60);
    const quick = method === "kmeans" ? {} : tiny;
    const model = await fitOn([cpu])(rows, { method, clusters: 3, device, ...quick });
    const labelsOf = (x: Float32Array) => model.predict(tensor("float32", [x.length / 4, 4], x));
    expect(await model.predict(rows)).toEqual(model.labels);

    // Between two rows of different clusters, halved until they are neighbours among the numbers.
    const [a, b] = [rows.data.slice(), rows.data.slice()];
    for (let i = 0; i < 60; i++) b.set(rows.data.subarray(((i + 1) % 60) * 4, (((i + 1) % 60) + 1) * 4), i * 4);
    const [first, other] = [await labelsOf(a), await labelsOf(b)];
    for (let halving = 0; halving < 40; halving++) {
      const middle = a.map((value, at) => (value + b[at]!) / 2);
      const found = await labelsOf(middle);
      found.forEach((label, i) => {
        (label === first[i] ? a : b).set(middle.subarray(i * 4, (i + 1) * 4), i * 4);
      });
    }
    const between = [...first.keys()].filter((i) => first[i] !== other[i]);
    const x = Float32Array.from(between.flatMap((i) => [a, b].flatMap((end) => [...end.subarray(i * 4, i * 4 + 4)])));
    expect(between.length).toBeGreaterThan(10);

    const together = await labelsOf(x);
    for (const size of [1, 2, 3, 7, 16]) {
      const labels: number[] = [];
      for (let at = 0; at < x.length; at += size * 4) labels.push(...(await labelsOf(x.slice(at, at + size * 4))));
      expect(labels).toEqual([...together]);
    }
    await model.close();
  });
});

describe("a row on the border of belonging to none", () => {
  it.each(["unit", "linear"])("is one or the other in any batch, with codes that are %s", async (code) => {
    const device = await cpu.find();
    const { rows, labels } = blobs(480, { deviation: 0.05 });
    // Every fourth row lies far from all others, and has no label.
    const x = rows.data.map((value, at) => (Math.floor(at / 4) % 4 === 3 ? value + ((at % 3) - 1) * 1.5 : value));
    const teacher = Array.from(labels, (label, i) => (i % 4 === 3 ? -1 : label));
    const shaped = (values: Float32Array) => tensor("float32", [values.length / 4, 4], values);
    const model = await fitOn([cpu])(shaped(x), { method: "telltale", device, ...tiny, code, teacher });
    const isNone = async (values: Float32Array): Promise<Uint8Array> => (await model.isNone(shaped(values)))!;

    const [a, b] = [Float32Array.from(x.subarray(0, 160)), new Float32Array(160)];
    for (let i = 0; i < 40; i++) b.set(x.subarray((4 * i + 3) * 4, (4 * i + 4) * 4), i * 4);
    const [first, other] = [await isNone(a), await isNone(b)];
    for (let halving = 0; halving < 40; halving++) {
      const middle = a.map((value, at) => (value + b[at]!) / 2);
      (await isNone(middle)).forEach((is, i) => {
        (is === first[i] ? a : b).set(middle.subarray(i * 4, i * 4 + 4), i * 4);
      });
    }
    const between = [...first.keys()].filter((i) => first[i] !== other[i]);
    expect(between.length).toBeGreaterThan(10);
    const border = Float32Array.from(
      between.flatMap((i) => [a, b].flatMap((end) => [...end.subarray(i * 4, i * 4 + 4)])),
    );
    const together = await isNone(border);
    for (const size of [1, 3, 16]) {
      const found: number[] = [];
      for (let at = 0; at < border.length; at += size * 4) {
        found.push(...(await isNone(border.slice(at, at + size * 4))));
      }
      expect(found).toEqual([...together]);
    }
    await model.close();
  });
});
