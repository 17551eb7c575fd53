/** Rows and labels: every format, damaged; tables that nobody would write; and what is no file at all. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import type { Random } from "../../src/doors/engine.ts";
import type { Content, Written } from "./input.ts";
import { type Kind, type Made, type Making, memory, out, quickly } from "./kind.ts";
import { damaged, drawn, hostileTexts, mutated, pick, someBytes } from "./mutations.ts";
import { arrays, doors, labels, packed, pictures, tables } from "./samples.ts";

/** What can be done with rows, each time with what it may write. */
const usesOfRows: readonly ((source: string, random: Random) => { words: string[]; writes: Written[] })[] = [
  ...Array(4).fill((source: string, random: Random) => {
    const format = pick(random, ["csv", "jsonl", "parquet"]);
    return {
      words: ["assign", "@/run", source, "--out", `@/out.${format}`, "--json", "--memory", `${memory}`],
      writes: [{ path: `out.${format}` }],
    };
  }),
  (source) => ({ words: ["fit", source, ...quickly, "--out", "@/out", "--memory", `${memory}`], writes: [out] }),
  (source, random) => ({
    words: [
      "fit",
      source,
      ...quickly,
      "--out",
      "@/out",
      "--missing",
      pick(random, ["mean", "drop"]),
      "--memory",
      `${memory}`,
    ],
    writes: [out],
  }),
  (source) => ({ words: ["explain", "@/run", source, "--row", "1", "--memory", `${memory}`], writes: [] }),
  (source) => ({
    words: ["compare", "@/run", "@/run-streamed", "--source", source, "--memory", `${memory}`],
    writes: [],
  }),
  (source, random) => ({
    words: ["stream", "@/run", source, "--out", "@/out.csv", "--json", ...(random.below(2) ? ["--skip-bad"] : [])],
    writes: [{ path: "out.csv" }, { path: "run", replaces: true }],
  }),
];

function usedRows(name: string, source: string, bytes: Content, what: string, random: Random): Made {
  const { words, writes } = pick(random, usesOfRows)(source, random);
  return { what: `${name}: ${what}`, samples: ["run", "run-streamed"], files: { [name]: bytes }, words, writes };
}

/** A text that may need quotes, as CSV has it. */
function cell(random: Random): string {
  const value = drawn(
    random,
    fc.oneof(
      fc.double().map(String),
      fc.integer().map(String),
      fc.constantFrom(...hostileTexts),
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom("2024-01-01", "true", "NULL", "inf", "-inf", "nan", "1,5", "[1,2,3]"),
    ),
  );
  return /[",\n\r]/.test(value) && random.below(4) > 0 ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Tables that nobody would write: any names, any cells, any number of them. */
function oddTable(random: Random): { name: string; bytes: Buffer; what: string } {
  const columns = pick(random, [1, 2, 4, 4, 4, 9, 300]);
  const count = pick(random, [0, 1, 2, 5, 60, 300]) / (columns > 100 ? 60 : 1);
  const isKnown = random.below(2) === 0 && columns === 4;
  const names = Array.from({ length: columns }, (_, i) =>
    isKnown ? "abcd"[i]! : random.below(3) ? `c${i}` : cell(random),
  );
  const one = (): string => (random.below(12) === 0 ? cell(random) : (random.uniform() * 100).toFixed(3));
  const lines = Array.from({ length: count }, () => names.map(one));
  if (random.below(3) === 0) {
    const objects = lines.map((cells) =>
      Object.fromEntries(cells.map((value, i) => [names[i]!, oddValue(value, random)])),
    );
    return {
      name: "odd.jsonl",
      bytes: Buffer.from(objects.map((each) => `${JSON.stringify(each)}\n`).join("")),
      what: "odd objects",
    };
  }
  const separator = pick(random, [",", ",", ";", "\t", "|"]);
  const end = pick(random, ["\n", "\n", "\r\n", "\r"]);
  const text = [names, ...lines].map((cells) => cells.join(separator)).join(end);
  return { name: "odd.csv", bytes: Buffer.from(random.below(3) ? text + end : text), what: "odd cells" };
}

function oddValue(text: string, random: Random): unknown {
  const number = Number(text);
  if (random.below(15) === 0) return drawn(random, fc.jsonValue({ maxDepth: 4 }));
  return Number.isFinite(number) ? number : text;
}

export const ofTables: Kind = async ({ random, samples }) => {
  if (random.below(3) === 0) {
    const { name, bytes, what } = oddTable(random);
    const isPacked = random.below(6) === 0;
    const file = isPacked ? `${name}.gz` : name;
    return usedRows(file, `@/${file}`, isPacked ? gzipSync(bytes) : bytes, what, random);
  }
  return ofSample([...tables, ...packed], { random, samples });
};

export const ofDoors: Kind = (making) => ofSample(doors, making);

export const ofArrays: Kind = (making) => ofSample([...arrays, ...packed.slice(2)], making);

async function ofSample(names: readonly string[], { random, samples }: Making): Promise<Made> {
  const [name, another] = [pick(random, names), pick(random, names)];
  const [whole, other] = [await readFile(join(samples, name)), await readFile(join(samples, another))];
  const isInside = name.endsWith(".gz") && random.below(2) === 0;
  if (isInside) {
    const inner = await readFile(join(samples, name.slice(0, -3)));
    const { what, bytes } = damaged(name.slice(0, -3), inner, random);
    const again = random.below(8) === 0;
    return usedRows(name, `@/${name}`, again ? gzipSync(gzipSync(bytes)) : gzipSync(bytes), `inside, ${what}`, random);
  }
  const { what, bytes } = damaged(name, whole, random, other);
  const file = random.below(12) === 0 ? another : name;
  return usedRows(file, `@/${file}`, bytes, file === name ? what : `the bytes of ${name}, ${what}`, random);
}

export const ofImages: Kind = async ({ random, samples }) => {
  const name = pick(random, pictures);
  const whole = await readFile(join(samples, "images", name));
  const odd: readonly [string, Content][] = [
    ["a pipe", { fifo: true }],
    ["a folder", { folder: true }],
    ["a link to itself", { link: name }],
    ["a link elsewhere", { link: "@/../outside/secret.csv" }],
    ["a link to the folder", { link: "." }],
  ];
  const isOdd = random.below(25) === 0;
  const { what, bytes } = isOdd ? { what: "", bytes: whole } : mutated(whole, random);
  const [oddly, special] = pick(random, odd);
  const place = random.below(5) === 0 ? `images/cats/${name}` : `images/${name}`;
  return {
    what: `${place}: ${isOdd ? oddly : what}`,
    samples: ["images", "run-images"],
    files: { [place]: isOdd ? special : bytes },
    ...pick(random, [
      { words: ["assign", "@/run-images", "@/images", "--out", "@/out.csv", "--json"], writes: [{ path: "out.csv" }] },
      {
        words: ["explain", "@/run-images", "@/images", "--row", "0", "--picture", "@/out.png"],
        writes: [{ path: "out.png" }],
      },
      { words: ["fit", "@/images", ...quickly, "--out", "@/out"], writes: [out] },
    ]),
  };
};

export const ofLabels: Kind = async ({ random, samples }) => {
  const name = pick(random, labels);
  const other = await readFile(join(samples, pick(random, labels)));
  const whole = await readFile(join(samples, name));
  const plain =
    name.endsWith(".gz") && random.below(2) === 0 ? await readFile(join(samples, name.slice(0, -3))) : undefined;
  const { what, bytes } = damaged(plain ? name.slice(0, -3) : name, plain ?? whole, random, other);
  const column = random.below(4) === 0 ? ["--column", pick(random, ["label", ...hostileTexts.slice(0, 12)])] : [];
  return {
    what: `${name}: ${what}`,
    samples: ["run"],
    files: { [name]: plain ? gzipSync(bytes) : bytes },
    words: ["eval", "@/run", "--labels", `@/${name}`, ...column].filter((word) => !word.includes("\0")),
    writes: [],
  };
};

/** Rows and labels that are no files. */
export const ofPlaces: Kind = async ({ random }) => {
  const [what, content] = pick<readonly [string, Content]>(random, [
    ["a pipe", { fifo: true }],
    ["a link to itself", { link: "odd.csv" }],
    ["an endless file", { link: "/dev/zero" }],
    ["an endless file of noise", { link: "/dev/urandom" }],
    ["20 GB of zeros", { sparse: 2e10 }],
    ["30 MB of line breaks", { repeat: [["\n", 30_000_000]] }],
    ["30 MB of commas", { repeat: [[",", 30_000_000]] }],
    ["30 MB of quotes", { repeat: [['"', 30_000_000]] }],
    ["30 MB of brackets", { repeat: [["[", 30_000_000]] }],
    ["30 MB of line breaks, packed", { gzip: { repeat: [["\n", 30_000_000]] } }],
    ["300 MB of zeros, packed twice", { gzip: { gzip: { repeat: [["0\n", 150_000_000]] } } }],
    ["noise", someBytes(2000, random)],
  ]);
  const isPacked = typeof content === "object" && "gzip" in content;
  const ending = pick(random, ["csv", "jsonl", "json", "parquet", "npy", "idx", "npz", "txt"]);
  const name = `odd.${ending}${isPacked ? ".gz" : ""}`;
  const isLabels = random.below(2) === 0 || ending === "txt";
  const made = usedRows(name, `@/${name}`, content, what, random);
  return isLabels ? { ...made, words: ["eval", "@/run", "--labels", `@/${name}`], writes: [] } : made;
};
