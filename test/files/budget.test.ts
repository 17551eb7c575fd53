/** Files that would take the machine: refused by what they announce, before anything is allocated. */

import { randomBytes } from "node:crypto";
import { mkdir, symlink, truncate } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { crc32, deflateSync, gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { checkUnpacked } from "../../src/files/kept/gunzipped.ts";
import { openLabels } from "../../src/files/openLabels.ts";
import { type OpenOptions, openRows } from "../../src/files/openRows.ts";
import { decodeNpy, encodeNpy, npyHeader } from "../../src/formats/npy.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { makePipe } from "../support/pipe.ts";
import { folder, parquet, write } from "./folder.ts";

async function refused(path: string, message: string | RegExp, options: OpenOptions = {}): Promise<void> {
  const error = await openRows(path, options).then(
    () => new Error("it was opened"),
    (error: Error) => error,
  );
  expect(error.message).toMatch(message);
  expect(error).toBeInstanceOf(error instanceof TypeError ? TypeError : RangeError);
  expect(error.message).not.toContain("\n");
}

const zeros = (bytes: number): Uint8Array => new Uint8Array(bytes);

/** A PNG of one color, or one that only says so. */
function png(width: number, height: number, body?: Uint8Array): Uint8Array {
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    const content = Buffer.concat([Buffer.from(type), data]);
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(content) >>> 0);
    return Buffer.concat([length, content, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const start = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const pixels = deflateSync(body ?? zeros(10));
  return Buffer.concat([start, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", zeros(0))]);
}

describe("rows that would not fit are refused with what they would need", () => {
  it("arrays in memory", async () => {
    const path = await write("large.npy", encodeNpy(fromNumbers("uint8", [20_000, 1000], zeros(2e7) as never)));
    await refused(path, "large.npy: 20000 rows of 1000 numbers would need about 81 MB of memory, the limit is 64 MB", {
      memory: 64,
    });
  });

  it("vectors in a table, of which DuckDB hands out two thousand at once", async () => {
    const path = await parquet("vectors.parquet", "select list_resize([1.5::float], 10000, 1) as v from range(2000)");
    await refused(path, /needs? (more than its memory limit of|about)/, { memory: 380, inMemory: 1 });
  });

  it("images by the size of the whole, and each by its pixels", async () => {
    const image = await sharp({ create: { width: 40, height: 40, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    for (let i = 0; i < 6; i++) await write(`many/${i}.png`, image);
    await refused(join(folder, "many"), "6 images of 1000×1000 would need about 72 MB", {
      memory: 64,
      imageSize: 1000,
    });
    await write("pixels/a.png", png(4000, 4000, zeros(4000 * 4001)));
    await refused(join(folder, "pixels"), /a.png: an image of 4000×4000 pixels would need about 512 MB/, {
      memory: 64,
    });
    await write("claims/a.png", png(60_000, 60_000));
    await refused(
      join(folder, "claims"),
      "a.png: the image cannot be read (60000×60000 pixels cannot be in its 68 bytes)",
    );
    // One color is what deflate packs best: what it has packed is taken for what it is.
    await write("plain/a.png", await sharp(image).resize(4000, 4000).png().toBuffer());
    expect((await openRows(join(folder, "plain"))).data.count).toBe(1);
  });

  it("an image that is one line, and would be enlarged until it is as high as the others", async () => {
    await write("lines/a.png", image64());
    await write("lines/b.png", png(60_000, 1, zeros(60_001)));
    await refused(join(folder, "lines"), /b.png: an image of 60000×1 pixels would need about \d+(\.\d)? GB/, {
      memory: 2000,
    });
  });

  it("labels in an array, a column or lines, once there are too many for the rows", async () => {
    const rows = 10;
    const array = await write("labels.npy", encodeNpy(fromNumbers("uint8", [3e6], zeros(3e6) as never)));
    await expect(openLabels(array, undefined, { rows })).rejects.toThrow(
      "one label for each of 10 rows, there are far more",
    );
    const lines = await write("labels.txt", "\n".repeat(3e6));
    await expect(openLabels(lines, undefined, { rows })).rejects.toThrow("there are far more");
    expect((await openLabels(lines)).classes).toHaveLength(3e6);
    const packed = await write("labels.txt.gz", gzipSync("\n".repeat(3e6)));
    await expect(openLabels(packed, undefined, { rows })).rejects.toThrow("there are far more");
    await expect(openLabels(lines, undefined, { memory: 16 })).rejects.toThrow("labels would need about");
  });

  it("labels that are no words, and labels that are no classes", async () => {
    const long = await write("long.txt", "x".repeat(100_000));
    await expect(openLabels(long)).rejects.toThrow("line 1 must be a label of up to 65536 letters");
    const many = await write(
      "many.npy",
      encodeNpy(fromNumbers("int32", [1_100_000], Int32Array.from({ length: 1_100_000 }, (_, i) => i) as never)),
    );
    await expect(openLabels(many)).rejects.toThrow("there can be 1048576 different ones");
  });
});

function image64(): Uint8Array {
  return png(64, 64, zeros(64 * 65));
}

describe("a first line without an end", () => {
  it("is no table: refused before DuckDB looks for its columns, packed or not", async () => {
    const commas = new TextEncoder().encode(",".repeat(3_000_000));
    const problem = "line 1 must have 2097152 letters at most";
    for (const [name, bytes] of [
      ["commas.csv", commas],
      ["commas.csv.gz", gzipSync(commas)],
    ] as const) {
      await refused(await write(name, bytes), `${name}: ${problem}`);
      await expect(openLabels(join(folder, name))).rejects.toThrow(problem);
    }
  });
});

describe("twenty gigabytes of nothing", () => {
  const size = 20e9;
  const beginnings: readonly [string, string][] = [
    ["nothing before it", ""],
    ["a beginning", "1\n2\n"],
    ["a beginning that fills the first piece", "1\n2\n".repeat(30_000)],
  ];

  it.each(beginnings)("are no text, and refused at once: %s", async (_, beginning) => {
    for (const name of ["nothing.csv", "nothing.tsv", "nothing.json", "nothing.jsonl"]) {
      await truncate(await write(name, beginning), size);
      await refused(join(folder, name), `${name}: must be text in UTF-8, there are zero bytes in it`);
      await expect(openLabels(join(folder, name))).rejects.toThrow("must be text in UTF-8");
    }
  });

  it("are no label for each row, whatever the format", async () => {
    for (const name of ["many.csv", "many.json", "many.txt", "many.npy", "many.parquet"]) {
      const path = await write(name, "1\n");
      await truncate(path, size);
      await expect(openLabels(path, undefined, { rows: 100 })).rejects.toThrow(
        `${name}: there must be one label for each of 100 rows, it has 20 GB; is it another file?`,
      );
    }
  });

  it("are no record of JSON, whatever they are made of", async () => {
    for (const [i, nothing] of [" ", "1", "\u00e4"].entries()) {
      const path = await write(`long${i}.jsonl`, `{"a":1}\n${nothing.repeat(2 ** 24 + 2 ** 19)}\n`);
      await refused(path, "a record of JSON must have 16777216 bytes at most, one has more");
    }
    const list = await write("list.json", `[${"1.5,".repeat(5e6)}2]`);
    expect((await openRows(list)).data.count).toBe(5e6 + 1);
  });
});

describe("labels in lines", () => {
  it("end as lines do on every system, wherever the file is cut into pieces", async () => {
    const names = Array.from({ length: 40_000 }, (_, i) => `class ${i % 5}`);
    for (const [i, end] of ["\n", "\r\n", "\r"].entries()) {
      const { classes, names: known } = await openLabels(await write(`ends${i}.txt`, `\ufeff${names.join(end)}${end}`));
      expect(known).toEqual(["class 0", "class 1", "class 2", "class 3", "class 4"]);
      expect([...classes]).toEqual(names.map((_, i) => i % 5));
    }
    expect([...(await openLabels(await write("gap.txt", "a\n\nb"))).classes]).toEqual([0, -1, 1]);
  });
});

describe("what unpacks to far more than it is", () => {
  it("is refused by what it announces", async () => {
    const head = npyHeader("uint8", [40_000_000, 64]);
    await refused(await write("bomb.npy.gz", gzipSync(Buffer.concat([head, zeros(1e6)]))), "unpack to 2.6 GB or more");
    const zip = zipSync({ "x.npy": Buffer.concat([head, randomBytes(3e6)]) });
    const at = Buffer.from(zip).indexOf("PK\x01\x02", 0, "latin1") + 24;
    zip.set([0, 0, 0, 0x90], at);
    await refused(await write("bomb.npz", zip), "unpack to 2.4 GB or more, 200 times their size");
    await expect(decodeNpy(gzipSync(Buffer.concat([npyHeader("uint8", [1e15]), zeros(2e6)])))).rejects.toThrow("PB");
  });

  it("may be a gigabyte, or two hundred times as large", () => {
    expect(() => checkUnpacked("a", 1000, 2 ** 30)).not.toThrow();
    expect(() => checkUnpacked("a", 1e8, 2e10)).not.toThrow();
    expect(() => checkUnpacked("a", 1e7, 1e10)).toThrow("a: 10 MB unpack to 10 GB or more");
  });

  it("is not unpacked twice", async () => {
    for (const name of ["twice.csv.gz", "twice.jsonl.gz", "twice.npy.gz"]) {
      const path = await write(name, gzipSync(gzipSync("a,b\n1,2\n")));
      await refused(path, "is packed twice; unpack it once with gunzip");
      await expect(openLabels(path)).rejects.toThrow("is packed twice");
    }
    const lines = await write("twice.txt.gz", gzipSync(gzipSync("a\nb\n")));
    await expect(openLabels(lines)).rejects.toThrow("is packed twice");
  });

  it("is never more than the room for temporary files", async () => {
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) yield zeros(1e6);
    };
    const before = process.env.TMPDIR;
    // A disk of next to no room: what the system keeps its processes in.
    process.env.TMPDIR = "/proc";
    try {
      await expect(openRows("-", { input: endless() })).rejects.toThrow(/temporary file/);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });
});

/** No rows, and a column that is so many groups inside each other, as Thrift's compact protocol writes them. */
function nestedParquet(depth: number): Uint8Array {
  const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
  const group = (children: number): number[] => [0x35, 2, 0x18, 1, 97, 0x15, 2 * children, 0];
  const root = [0x48, 1, 97, 0x15, 2, 0];
  const leaf = [0x15, 10, 0x25, 2, 0x18, 1, 120, 0];
  const groups = Buffer.alloc(8 * depth, Uint8Array.from(group(1)));
  const head = [0x15, 2, 0x19, 0xfc, ...varint(depth + 2), ...root];
  const footer = Buffer.concat([Uint8Array.from(head), groups, Uint8Array.from([...leaf, 0x16, 0, 0x19, 0x0c, 0])]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from("PAR1"), footer, length, Buffer.from("PAR1")]);
}

describe("values inside values", () => {
  const deep = (n: number): string => "[".repeat(n) + "]".repeat(n);

  it.each<[string, string]>([
    ["a value of 64 kilobytes of brackets", deep(32_000)],
    ["brackets that never close", "[".repeat(64_000)],
    ["a column of lists of lists", `{"a":${deep(60_000)}}\n{"a":1}\n`],
    ["objects", `${'{"a":'.repeat(60_000)}1${"}".repeat(60_000)}\n`],
    ["both, with texts that look like the end of some", `${'{"]":['.repeat(30_000)}"]]]]"${"]}".repeat(30_000)}\n`],
    ["behind brackets that close nothing", `${"]".repeat(70_000)}${deep(60_000)}`],
    ["a late one in a list of many", `[${'{"a":1},'.repeat(20_000)}${deep(60_000)}]`],
    ["a late one in many lines", `${'{"a":1}\n'.repeat(20_000)}{"a":${deep(60_000)}}\n`],
  ])("are refused when they are too deep: %s", async (_, text) => {
    for (const [name, content] of [
      ["deep.jsonl", text],
      ["deep.json", text],
      ["deep.json.gz", gzipSync(text)],
    ] as const) {
      const path = await write(name, content);
      await refused(path, "JSON must not be nested deeper than 128 values");
      await expect(openLabels(path)).rejects.toThrow("nested deeper");
    }
  });

  it("are refused where a query names the file, by itself, by a pattern or with a reader", async () => {
    await write("queried/deep.json", deep(64_000));
    await write("queried/deep.txt", deep(64_000));
    await write("queried/packed.json.gz", gzipSync(deep(64_000)));
    await write("queried/deep.parquet", nestedParquet(100_000));
    const at = (name: string): string => `'${join(folder, "queried", name)}'`;
    for (const from of [
      at("deep.json"),
      at("*.json"),
      at("packed.json.gz"),
      `read_json(${at("deep.txt")})`,
      `read_json_auto([${at("d*.txt")}])`,
      at("deep.parquet"),
      `read_parquet(${at("*.parquet")})`,
      `(with a as (select * from ${at("deep.json")}) select * from a)`,
    ]) {
      await refused("sql", "nested deeper than 128 values", { sql: `select * from ${from}` });
    }
    await write("queried/packed.json.zst", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0]));
    await refused("sql", "packed by zstd is not looked into", { sql: `select * from ${at("packed.json.zst")}` });
    makePipe(join(folder, "queried", "pipe.csv"));
    await refused("sql", "pipe.csv: must be a file, is a pipe", { sql: `select * from ${at("pipe.csv")}` });
  });

  it("may be as deep as people write them, and texts may hold any brackets", async () => {
    const row = JSON.stringify({ a: 1.5, b: "[[[[{{{{".repeat(100), c: { d: [[[{ e: 1 }]]] } });
    const opened = await openRows(await write("shallow.jsonl", `${row}\n${row.replace("1.5", "2.5")}\n`));
    expect([...opened.data.tensor!.data]).toEqual([1.5, 2.5]);
  });

  it("are refused in the schema of a Parquet file", async () => {
    const nested = await parquet("nested.parquet", "select {'b': {'c': [[1.5]]}} as a, 2.5 as x from range(3)");
    expect((await openRows(nested)).data.count).toBe(3);
    for (const depth of [200, 100_000]) {
      const path = await write("deep.parquet", nestedParquet(depth));
      await refused(path, `deep.parquet: columns must not be nested deeper than 128 values, got ${depth + 1}`);
      await expect(openLabels(path)).rejects.toThrow("nested deeper");
    }
    await refused(await write("flat.parquet", nestedParquet(3)), "has 1 columns and no rows");
  });

  it("in a cell of CSV are text", async () => {
    const opened = await openRows(await write("cells.csv", `a,b\n1,"${deep(100_000)}"\n2,"${deep(3)}"\n`), {
      ignore: ["b"],
    });
    expect([...opened.data.tensor!.data]).toEqual([1, 2]);
  });
});

describe("only regular files are read", () => {
  it("no pipes, devices or sockets, whatever they are called", async () => {
    await mkdir(join(folder, "special"));
    for (const name of ["x.csv", "x.jsonl", "x.parquet", "x.npy", "x.npz", "x.idx", "x.txt"]) {
      const path = makePipe(join(folder, "special", name));
      await refused(path, "what flows past is read from standard input, as -");
      await expect(openLabels(path)).rejects.toThrow(`${path}: must be a file, is a pipe`);
    }
    for (const path of ["/dev/zero", "/dev/urandom", "/dev/null"]) {
      await refused(path, `${path}: must be a file or a folder of images`);
      await expect(openLabels(path)).rejects.toThrow(`${path}: must be a file, is a device`);
    }
    const socket = join(folder, "special", "socket.csv");
    const server = createServer().listen(socket);
    await refused(socket, "must be a file or a folder of images");
    server.close();
    await expect(openLabels(folder)).rejects.toThrow("must be a file, is a folder");
  });

  it("nor among images, where links go to files and in no circle", async () => {
    const image = image64();
    await write("linked/a.png", image);
    await symlink(join(folder, "linked", "a.png"), join(folder, "linked", "b.png"));
    await symlink(join(folder, "linked"), join(folder, "linked", "again"));
    expect((await openRows(join(folder, "linked"))).data.count).toBe(2);
    await symlink(join(folder, "linked", "none.png"), join(folder, "linked", "broken.png"));
    await refused(join(folder, "linked"), "broken.png: there is no such file");
    await write("piped/a.png", image);
    makePipe(join(folder, "piped", "x.png"));
    await refused(join(folder, "piped"), "x.png: must be a file, is a pipe");
    await mkdir(join(folder, "circle"));
    await symlink("b.png", join(folder, "circle", "a.png"));
    await symlink("a.png", join(folder, "circle", "b.png"));
    await refused(join(folder, "circle"), "cannot be read (its links lead in a circle, or are not followed)");
    await symlink("/dev/zero", join((await mkdir(join(folder, "device"), { recursive: true })) as string, "a.png"));
    await refused(join(folder, "device"), "a.png: must be a file, is a device");
  });

  it("no image that is a program, whatever it is called", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="/etc/passwd"/></svg>';
    await write("svg/a.png", svg);
    await refused(join(folder, "svg"), "a.png: the image cannot be read (it does not start like PNG, JPEG");
    await write("pdf/a.jpg", "%PDF-1.4");
    await refused(join(folder, "pdf"), "a.jpg: the image cannot be read");
  });

  it("every kind of image that is said to be read", async () => {
    const made = sharp({ create: { width: 16, height: 16, channels: 3, background: "teal" } });
    for (const kind of ["png", "jpeg", "webp", "gif", "tiff", "avif"] as const) {
      await write(`kinds/${kind}.${kind}`, await made.clone().toFormat(kind).toBuffer());
    }
    expect((await openRows(join(folder, "kinds"))).data.count).toBe(6);
  });
});

describe("numbers that are not finite", () => {
  it.each<[string, string]>([
    ["inf.csv", "a,b\n1,inf\n2,inf\n3,-inf\n"],
    ["words.csv", "a,b\n1,Infinity\n2,infinity\n"],
    ["mixed.csv", "a,b\n1,1.5\n2,inf\n"],
  ])("are said to be such, and are no dates: %s", async (name, text) => {
    await refused(
      await write(name, text),
      /every number must be finite .* in row \d, column b \(-?Infinity\); correct it/,
    );
  });

  it("while days stay days, and one without an end is missing", async () => {
    const path = await write("days.csv", "a,b\n1,2020-01-01\n2,infinity\n");
    const opened = await openRows(path, { missing: "mean", columns: ["a", "b"] });
    expect(opened.features).toEqual([
      { kind: "number", column: "a" },
      { kind: "date", column: "b" },
    ]);
    expect([...opened.data.tensor!.data]).toEqual([1, 18262, 2, 18262]);
  });
});

describe("a signal stops reading", () => {
  it("of labels, of packed files and of images", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    const packed = await write("stopped.csv.gz", gzipSync("a,b\n1,2\n".repeat(1e5)));
    await expect(openRows(packed, { signal })).rejects.toThrow("enough");
    const lines = await write("stopped.txt", "a\n".repeat(1e5));
    await expect(openLabels(lines, undefined, { signal })).rejects.toThrow();
    await write("stopped/a.png", image64());
    await expect(openRows(join(folder, "stopped"), { signal })).rejects.toThrow("enough");
  });
});
