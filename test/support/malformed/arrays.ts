/** Arrays that are none: NumPy's .npy and .npz, IDX, and folders of images. */

import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { encodeNpy } from "../../../src/formats/npy.ts";
import { Random } from "../../../src/tensor/random.ts";
import { fromNumbers } from "../../../src/tensor/tensor.ts";
import { changed, failing, fitted, type Malformed, someBytes, unfit } from "./input.ts";

const npy = encodeNpy(
  fromNumbers(
    "float32",
    [4, 3],
    Array.from({ length: 12 }, (_, i) => i),
  ),
);

/** A .npy file by its header, whatever that says. */
function npyWith(header: string, { version = 1, data = new Uint8Array(48), length = header.length } = {}): Uint8Array {
  const start = Uint8Array.from(`\x93NUMPY${String.fromCharCode(version)}\0`, (c) => c.charCodeAt(0));
  const size = new Uint8Array(version === 1 ? 2 : 4);
  for (let i = 0; i < size.length; i++) size[i] = (length / 256 ** i) & 255;
  return Uint8Array.from(Buffer.concat([start, size, Buffer.from(header, "latin1"), data]));
}

function described(shape: string, type = "'<f4'", order = "False"): string {
  return `{'descr': ${type}, 'fortran_order': ${order}, 'shape': ${shape}, }\n`;
}

const ofNpy: Malformed[] = [
  unfit("an empty .npy", "a.npy", ""),
  unfit("a wrong mark", "a.npy", changed(npy, 0, 0x92)),
  unfit("a mark alone", "a.npy", npy.slice(0, 6)),
  unfit("a mark and a version", "a.npy", npy.slice(0, 8)),
  unfit("a header that is cut", "a.npy", npy.slice(0, 40)),
  unfit("a header longer than the file", "a.npy", npyWith(described("(4, 3)"), { length: 60_000 })),
  unfit("a header of 4 GB", "a.npy", npyWith(described("(4, 3)"), { version: 2, length: 2 ** 32 - 1 })),
  unfit("version 9", "a.npy", npyWith(described("(4, 3)"), { version: 9 })),
  unfit("version 0", "a.npy", npyWith(described("(4, 3)"), { version: 0 })),
  unfit("an empty header", "a.npy", npyWith("")),
  unfit("a header of words", "a.npy", npyWith("hello\n")),
  unfit("no shape", "a.npy", npyWith("{'descr': '<f4', 'fortran_order': False}\n")),
  unfit("no type", "a.npy", npyWith("{'fortran_order': False, 'shape': (4, 3)}\n")),
  unfit("a shape of 2⁶⁰", "a.npy", npyWith(described("(1152921504606846976,)"))),
  unfit("a shape of 2⁵⁰ rows", "a.npy", npyWith(described("(1125899906842624, 3)"))),
  unfit(
    "a shape whose product is beyond all numbers",
    "a.npy",
    npyWith(described(`(${"9007199254740991, ".repeat(30)})`)),
  ),
  unfit(
    "a shape of a thousand axes",
    "a.npy",
    npyWith(described(`(${"1, ".repeat(1000)})`), { data: new Uint8Array(4) }),
  ),
  unfit("a huge shape with a zero", "a.npy", npyWith(described("(0, 1125899906842624)"), { data: new Uint8Array(0) })),
  unfit("rows of no numbers", "a.npy", npyWith(described("(1125899906842624, 0)"), { data: new Uint8Array(0) })),
  unfit("a negative shape", "a.npy", npyWith(described("(-4, 3)"))),
  unfit("two negative sizes", "a.npy", npyWith(described("(-4, -3)"))),
  unfit("half a row", "a.npy", npyWith(described("(4.5, 3)"))),
  unfit("a shape of words", "a.npy", npyWith(described("(four, 3)"))),
  unfit("a shape in another notation", "a.npy", npyWith(described("(0x4, 3e0)"), { data: new Uint8Array(44) })),
  unfit("objects", "a.npy", npyWith(described("(4, 3)", "'|O'"))),
  unfit("texts", "a.npy", npyWith(described("(4, 3)", "'<U1'"))),
  unfit("complex numbers", "a.npy", npyWith(described("(4, 3)", "'<c8'"))),
  unfit("records", "a.npy", npyWith(described("(4,)", "[('a', '<f4'), ('b', '<f8')]"))),
  unfit("the other byte order", "a.npy", npyWith(described("(4, 3)", "'>f4'"))),
  unfit("a type as long as a book", "a.npy", npyWith(described("(4, 3)", `'${"f".repeat(50_000)}'`))),
  unfit("data that is cut", "a.npy", npy.slice(0, npy.length - 5)),
  unfit(
    "data in Fortran order that is cut",
    "a.npy",
    npyWith(described("(4, 3)", "'<f4'", "True"), { data: new Uint8Array(40) }),
  ),
  unfit("data and more", "a.npy", Uint8Array.of(...npy, 1, 2, 3)),
  unfit("one axis", "a.npy", encodeNpy(fromNumbers("float32", [3], [1, 2, 3]))),
  unfit("one number", "a.npy", encodeNpy(fromNumbers("float32", [], [1]))),
  unfit("NaN", "a.npy", encodeNpy(fromNumbers("float32", [2, 2], [1, 2, Number.NaN, 4]))),
  unfit("infinity", "a.npy", encodeNpy(fromNumbers("float64", [2, 2], [1, 2, Number.NEGATIVE_INFINITY, 4]))),
  unfit("a number beyond float32", "a.npy", encodeNpy(fromNumbers("float64", [2, 2], [1, 2, 1e300, 4]))),
  unfit("junk", "a.npy", someBytes(400, Random.seeded(1))),
  unfit("columns by name", "a.npy", npy, "--columns", "a"),
  unfit("packed and cut", "a.npy.gz", gzipSync(npy).subarray(0, 50)),
  unfit("packed and short", "a.npy.gz", gzipSync(npy.subarray(0, npy.length - 1))),
];

const npz = zipSync({ "x.npy": npy });
const directory = Buffer.from(npz).indexOf("PK\x01\x02", 0, "latin1");

const ofNpz: Malformed[] = [
  unfit("an empty .npz", "a.npz", ""),
  unfit("a zip that is cut", "a.npz", npz.slice(0, npz.length - 25)),
  unfit("a zip's first bytes", "a.npz", npz.slice(0, 30)),
  unfit("a zip of nothing", "a.npz", zipSync({})),
  unfit("no arrays", "a.npz", zipSync({ "readme.txt": Buffer.from("hello") })),
  unfit("several arrays", "a.npz", zipSync({ "p.npy": npy, "q.npy": npy })),
  unfit("another array than asked for", "a.npz", npz, "--array", "z"),
  unfit("a promise of 4 GB", "a.npz", changed(npz, directory + 24, 0xf0, 0xff, 0xff, 0xff)),
  unfit("packed bytes beyond the file", "a.npz", changed(npz, directory + 20, 0xff, 0xff, 0xff, 0x7f)),
  unfit("an array somewhere else", "a.npz", changed(npz, directory + 42, 0xff, 0xff, 0xff, 0x7f)),
  unfit("an unknown packing", "a.npz", changed(npz, directory + 10, 99)),
  unfit("an array of junk", "a.npz", zipSync({ "x.npy": someBytes(300, Random.seeded(2)) })),
  unfit("an empty array", "a.npz", zipSync({ "x.npy": new Uint8Array(0) })),
  unfit("an array that says too much", "a.npz", zipSync({ "x.npy": npyWith(described("(99999999, 99999999)")) })),
  unfit(
    "labels for other rows",
    "a.npz",
    zipSync({ "x.npy": npy, "y.npy": encodeNpy(fromNumbers("int32", [3], [0, 1, 2])) }),
  ),
  unfit("labels of junk", "a.npz", zipSync({ "x.npy": npy, "y.npy": someBytes(90, Random.seeded(3)) })),
  unfit("a name of 60,000 letters", "a.npz", zipSync({ [`${"n".repeat(60_000)}.npy`]: npy.subarray(0, 99) })),
  unfit("text", "a.npz", "a,b\n1,2\n"),
];

const idx = Uint8Array.of(0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4);

const ofIdx: Malformed[] = [
  unfit("an empty IDX", "a.idx", ""),
  unfit("three bytes", "a.idx", idx.slice(0, 3)),
  unfit("a wrong start", "a.idx", changed(idx, 0, 1)),
  unfit("an unknown type", "a.idx", changed(idx, 2, 10)),
  unfit("another unknown type", "train-images-idx3-ubyte", changed(idx, 2, 255)),
  unfit("no axes", "a.idx", changed(idx, 3, 0)),
  unfit("255 axes", "a.idx", changed(idx, 3, 255)),
  unfit("five axes", "a.idx", Uint8Array.of(0, 0, 8, 5, ...Array.from({ length: 5 }, () => [0, 0, 0, 1]).flat(), 7)),
  unfit("sizes of 2³¹", "a.idx", changed(idx, 4, 128, 0, 0, 0, 128, 0, 0, 0)),
  unfit("sizes of 2³² − 1", "a.idx", changed(idx, 4, 255, 255, 255, 255, 255, 255, 255, 255)),
  unfit("rows of no numbers", "a.idx", Uint8Array.of(0, 0, 8, 2, 255, 255, 255, 255, 0, 0, 0, 0)),
  unfit("data that is cut", "a.idx", idx.slice(0, 14)),
  unfit("data and more", "a.idx", Uint8Array.of(...idx, 9)),
  unfit("sizes that are cut", "a.idx", idx.slice(0, 10)),
  unfit("labels alone", "train-labels-idx1-ubyte", Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 2, 1, 2)),
  unfit("packed and cut", "a-idx3-ubyte.gz", gzipSync(idx).subarray(0, 20)),
  failing(
    "labels beside it for other rows",
    { "train-images-idx3-ubyte": idx, "train-labels-idx1-ubyte": Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3) },
    "fit",
    "@/train-images-idx3-ubyte",
    ...fitted,
  ),
  failing(
    "labels beside it of junk",
    { "train-images-idx3-ubyte": idx, "train-labels-idx1-ubyte": "hello" },
    "fit",
    "@/train-images-idx3-ubyte",
    ...fitted,
  ),
];

function ofImages(png: Uint8Array): Malformed[] {
  const folder = (what: string, files: Malformed["files"], ...options: string[]): Malformed =>
    failing(
      what,
      Object.fromEntries(Object.entries(files).map(([name, content]) => [`images/${name}`, content])),
      "fit",
      "@/images",
      ...fitted,
      ...options,
    );
  return [
    folder("no images", { "readme.txt": "hello", "b.csv": "a,b\n1,2\n" }),
    folder("folders without images", { "cats/readme.txt": "hello", "dogs/readme.txt": "hello" }),
    folder("text named .png", { "a.png": "hello", "b.png": "hello" }),
    folder("an empty image", { "a.png": new Uint8Array(0), "b.png": png }),
    folder("an image that is cut", { "a.png": png, "b.png": png.slice(0, png.length / 2) }),
    folder("an image cut in its header", { "a.png": png, "b.png": png.slice(0, 20) }),
    folder("an image of 2³¹ pixels a side", {
      "a.png": changed(png, 16, 0x7f, 255, 255, 255, 0x7f, 255, 255, 255),
      "b.png": png,
    }),
    folder("an image of no pixels", { "a.png": changed(png, 16, 0, 0, 0, 0, 0, 0, 0, 0), "b.png": png }),
    folder("junk named .jpg", { "a.jpg": someBytes(1000, Random.seeded(4)), "b.png": png }),
    folder("most of many are broken", {
      "cats/a.png": png,
      "cats/b.png": png.slice(0, 40),
      "dogs/a.png": png.slice(0, 45),
      "dogs/b.webp": png.slice(0, 50),
    }),
    folder("a size of 5,000", { "a.png": png, "b.png": png }, "--image-size", "5000"),
    folder("a name with a line break", { "a\nb\u001b[2K.png": "hello" }),
  ];
}

export function malformedArrays(png: Uint8Array): Malformed[] {
  return [...ofNpy, ...ofNpz, ...ofIdx, ...ofImages(png)];
}
