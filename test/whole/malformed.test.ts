/** Whatever a command is given that is wrong: one line that says so, an exit code, and nothing left behind. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeNpy } from "../../src/formats/npy.ts";
import { Random } from "../../src/tensor/random.ts";
import { telltale } from "../cli/inProcess.ts";
import { telltale as command, type Ended } from "../cli/process.ts";
import { folder, parquet } from "../files/folder.ts";
import { csvFile, csvRun, labels, rows } from "../run/csv.ts";
import { malformedArrays } from "../support/malformed/arrays.ts";
import { type Files, type Malformed, mutated } from "../support/malformed/input.ts";
import { malformedLabels, malformedRuns, runFiles, uses } from "../support/malformed/runs.ts";
import { malformedTables } from "../support/malformed/tables.ts";
import { malformedWords } from "../support/malformed/words.ts";
import { columns } from "../support/run.ts";

const run = await filesIn((await csvRun("good")).path);
const csv = await readFile(await csvFile(), "utf8");
const around = { "rows.csv": csv, "labels.txt": `${labels.join("\n")}\n` };
const table = await readFile(await parquet("good.parquet", `select * from '${await csvFile()}'`));
const png = await sharp(Buffer.from(Array.from({ length: 3072 }, (_, i) => (i * 7919) % 251)), {
  raw: { width: 32, height: 32, channels: 3 },
})
  .png()
  .toBuffer();

const cases: Malformed[] = [
  ...malformedTables(table),
  ...malformedArrays(png),
  ...malformedLabels(run, labels.length),
  ...malformedRuns(run, around),
  ...malformedWords(run, csv),
];

/** What is put aside while reading goes here, and must be gone at the end. */
const aside = join(folder, "aside");
let before = 0;
let failures = 0;
let places = 0;

beforeAll(async () => {
  await mkdir(aside);
  process.env.TMPDIR = aside;
  before = process.resourceUsage().maxRSS;
});
afterAll(async () => {
  expect(await readdir(aside)).toEqual([]);
});

describe("an input that is wrong", () => {
  for (const [i, each] of cases.entries()) {
    test(`${i}: ${each.what}`, async () => {
      const { code, out } = await ended(each, telltale);
      expect([code, out]).toEqual([each.code, ""]);
    });
  }
});

/** A file of each format, whole. */
const whole: Readonly<Record<string, Uint8Array>> = {
  "rows.csv": Buffer.from(csv),
  "rows.jsonl": Buffer.from(objects()),
  "rows.parquet": table,
  "rows.npy": encodeNpy(rows),
  "rows.npz": zipSync({ "x.npy": encodeNpy(rows) }),
  "rows.idx": idx(),
  "rows.csv.gz": gzipSync(csv),
  "rows.npy.gz": gzipSync(encodeNpy(rows)),
  "images/a.png": png,
};
/** Twice with each of the six uses of a run; ten thousand in `npm run -s bench -- hostile`. */
const each = 12;

describe("bytes that are changed somewhere: they are read, or refused in the same way", () => {
  test.each(Object.keys(whole))("%s", async (name) => {
    const source = `@/${name.split("/")[0]}`;
    for (let seed = 0; seed < each; seed++) {
      const { what, bytes: damaged } = mutated(whole[name]!, Random.seeded(seed).fork(name));
      await ended(
        {
          what,
          files: { ...runFiles(run), [name]: damaged },
          words: ["assign", "@/run", source, "--out", "@/out"],
          code: 1,
        },
        telltale,
      );
    }
  });

  test.each(Object.keys(run).filter((name) => run[name]!.length > 0))("%s of a run", async (name) => {
    for (let seed = 0; seed < each; seed++) {
      const { what, bytes } = mutated(run[name] as Uint8Array, Random.seeded(seed).fork(name));
      const words = uses[seed % uses.length]!;
      await ended({ what, files: { ...runFiles(run, { [name]: bytes }), ...around }, words, code: 1 }, telltale);
    }
  });
});

describe("the command itself", () => {
  const stride = Math.floor(cases.length / 12);
  const sample = cases.filter((_, i) => i % stride === stride >> 1);
  for (const each of sample) {
    test(each.what, async () => {
      const { code, out } = await ended(each, (...words) => command(words));
      expect([code, out]).toEqual([each.code, ""]);
    });
  }
});

test("those were more than 400, and took no memory to speak of", () => {
  expect(failures).toBeGreaterThan(400);
  expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(600);
});

/** Runs a command in a folder of its own, and checks how it ended. */
async function ended(
  { what, files, words }: Malformed,
  run: (...words: string[]) => Promise<Omit<Ended, "code"> & { code: number | null }>,
) {
  const place = join(folder, `case${places++}`);
  await mkdir(place);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(place, name)), { recursive: true });
    await writeFile(join(place, name), content);
  }
  const there = await allIn(place);
  const end = await run(...words.map((word) => word.replaceAll("@/", `${place}/`)), "--quiet");
  const said = `${what}: telltale ${words.join(" ").slice(0, 200)}\n${end.err}`;
  if (end.code !== 0) {
    failures++;
    expect([1, 2], said).toContain(end.code);
    expect(end.err.split("\n"), said).toEqual([expect.stringMatching(/^telltale( [a-z]+)?: ./), ""]);
    expect(end.err.trimEnd(), said).not.toMatch(/\p{Cc}| {4}at |node:|\.ts\b|\.js\b|undefined|\[object|NaN bytes/u);
    expect(end.err, said).not.toMatch(/Cannot read prop|is not (a function|iterable|defined|an object)|Error: /);
    expect(end.err.length, said).toBeLessThanOrEqual(400);
    expect(await allIn(place), said).toEqual(there);
  } else expect(Object.keys(await allIn(place)).filter((name) => /\.part|lock/.test(name))).toEqual([]);
  await rm(place, { recursive: true, force: true });
  return end;
}

/** Every file below a folder, by its name in it. */
async function filesIn(path: string): Promise<Files> {
  const found = (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const names = found.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name.slice(path.length + 1), await readFile(name)] as const)),
  );
}

/** All that is below a folder, so that nothing can be added or changed without its being seen. */
async function allIn(path: string): Promise<Record<string, string>> {
  const hash = (content: string | Uint8Array): string => createHash("sha1").update(content).digest("hex");
  const entries = (await readdir(path, { recursive: true })).sort().map((name) => [name, "folder"]);
  const files = Object.entries(await filesIn(path)).map(([name, content]) => [name, hash(content)]);
  return Object.fromEntries([...entries, ...files]);
}

function objects(): string {
  const line = (i: number) => columns.map((name, c) => [name, rows.data[4 * i + c]!] as const);
  return Array.from(labels, (_, i) => `${JSON.stringify(Object.fromEntries(line(i)))}\n`).join("");
}

/** Float32, [n, 4]. */
function idx(): Uint8Array {
  const bytes = new Uint8Array(12 + 4 * rows.data.length);
  const view = new DataView(bytes.buffer);
  for (const [i, word] of [0x0d02, rows.shape[0]!, 4].entries()) view.setUint32(4 * i, word);
  for (const [i, value] of rows.data.entries()) view.setFloat32(12 + 4 * i, value);
  return bytes;
}
