/** Data sets that the papers use and that are not here, read from the files that their own sites give. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Tensor, toNumbers } from "../src/doors/engine.ts";
import { decodeNpy, tensor } from "../src/doors/inside.ts";
import { idxLayout } from "../src/formats/idx.ts";
import { checkSize } from "../src/formats/layout.ts";
import { decodeCifar10, decodeSuperclass, joined, type Pictures } from "./cifar.ts";

interface Read {
  readonly rows: Tensor<"float32">;
  readonly labels: Int32Array;
}

/** A data set in files of its own kind: which must be there, and what they hold. */
interface Foreign {
  readonly files: readonly string[];
  /** The bytes of the files, in their order. */
  read(files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Promise<Read>;
}

const pixel = (value: number): number => value / 255;

const pictures = ({ images, labels }: Pictures) => ({
  rows: tensor("float32", [labels.length, 3, 32, 32], Float32Array.from(images, pixel)),
  labels,
});

const cifar10: Foreign = {
  files: [1, 2, 3, 4, 5]
    .map((i) => `cifar-10-batches-bin/data_batch_${i}.bin`)
    .concat("cifar-10-batches-bin/test_batch.bin"),
  read: async (files) => pictures(joined(files.map(({ name, bytes }) => decodeCifar10(name, bytes)))),
};

const superclass = (index: number): Foreign => ({
  files: ["cifar-100-binary/train.bin", "cifar-100-binary/test.bin"],
  read: async (files) => pictures(joined(files.map(({ name, bytes }) => decodeSuperclass(name, bytes, index)))),
});

const idx = (folder: string): Foreign => ({
  files: ["train-images-idx3-ubyte", "t10k-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-labels-idx1-ubyte"].map(
    (name) => `${folder}/${name}`,
  ),
  read: async (files) => {
    const [train, test, trainLabels, testLabels] = files.map(({ bytes }) => {
      const layout = idxLayout(bytes);
      checkSize("idx", layout, bytes.length);
      return { shape: layout.shape, values: layout.numbers(bytes.subarray(layout.start)) };
    }) as [Idx, Idx, Idx, Idx];
    const [height, width] = train.shape.slice(1) as [number, number];
    const values = [...train.values, ...test.values];
    return {
      rows: tensor("float32", [values.length / (height * width), 1, height, width], Float32Array.from(values, pixel)),
      labels: Int32Array.from([...trainLabels.values, ...testLabels.values]),
    };
  },
});

interface Idx {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** Rows that another program has made: features.npy [n, …] and labels.npy [n], of any number type. */
const arrays = (folder: string): Foreign => ({
  files: [`${folder}/features.npy`, `${folder}/labels.npy`],
  read: async ([features, truth]) => {
    const [stored, labels] = [await decodeNpy(features!.bytes), await decodeNpy(truth!.bytes)];
    if (labels.shape.length !== 1 || labels.shape[0] !== stored.shape[0]) {
      throw new RangeError(
        `${truth!.name}: must have one label for each of the ${stored.shape[0]} rows of ${features!.name}, it is [${labels.shape}]`,
      );
    }
    const rows = tensor("float32", stored.shape, Float32Array.from(toNumbers(stored)));
    return { rows, labels: Int32Array.from(toNumbers(labels)) };
  },
});

/** Each column less its mean, as the invariance paper has it. */
export function center(values: Float32Array, width: number): void {
  const means = new Float64Array(width);
  const n = values.length / width;
  for (let at = 0; at < values.length; at++) means[at % width]! += values[at]! / n;
  for (let at = 0; at < values.length; at++) values[at]! -= means[at % width]!;
}

const centered = ({ files, read }: Foreign): Foreign => ({
  files,
  read: async (given) => {
    const found = await read(given);
    center(found.rows.data, found.rows.data.length / found.labels.length);
    return found;
  },
});

export const foreign: Readonly<Record<string, Foreign>> = {
  cifar10,
  ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`cifar100-s${i + 1}`, superclass(i)])),
  "cifar100-s1-centered": centered(superclass(0)),
  fashion: idx("fashion"),
  ytf: arrays("ytf"),
  "cifar10-moco": arrays("cifar10-moco"),
  "imagenet10-moco": arrays("imagenet10-moco"),
  "mnist-iic": arrays("mnist-iic"),
};

/** What the papers use and is not here, in words. */
export const absentData = [
  {
    names: "cifar10",
    where: "cifar-10-batches-bin/data_batch_1.bin … test_batch.bin",
    from: "CIFAR-10, binary version (60,000 images)",
  },
  {
    names: "cifar100-s1 … cifar100-s20, cifar100-s1-centered",
    where: "cifar-100-binary/train.bin, test.bin",
    from: "CIFAR-100, binary version: a superclass each, 3,000 images of five classes",
  },
  {
    names: "fashion",
    where: "fashion/train-images-idx3-ubyte … t10k-labels-idx1-ubyte",
    from: "Fashion-MNIST, IDX files, unpacked",
  },
  {
    names: "ytf",
    where: "ytf/features.npy [n, 3, 55, 55], labels.npy",
    from: "YouTube Faces, 10,000 faces of 41 people, 0 to 1",
  },
  {
    names: "cifar10-moco, imagenet10-moco",
    where: "NAME/features.npy [n, d], labels.npy",
    from: "features that MoCo makes of CIFAR-10 and ImageNet-10",
  },
  { names: "mnist-iic", where: "mnist-iic/features.npy [n, d], labels.npy", from: "features that IIC makes of MNIST" },
] as const;

/** Its rows and labels, from the files below `root`. */
export async function readForeign(root: string, name: string): Promise<Read> {
  const { files, read } = foreign[name]!;
  return read(await Promise.all(files.map(async (file) => ({ name: file, bytes: await readFile(join(root, file)) }))));
}
