/** From a seed to a hostile input: the same seed, the same input. Odd seeds are for a command of its own. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Command } from "commander";
import fc from "fast-check";
import { commands } from "../../src/cli/commands.ts";
import { Random } from "../../src/doors/engine.ts";
import { type Around, type Content, canMount, type Input, type Written } from "./input.ts";
import { damaged, drawn, hostileTexts, mutated, mutatedOnnx, pick, someBytes } from "./mutations.ts";
import { arrays, filesOf, labels, normalized, packed, pictures, runs, tables } from "./samples.ts";

/** In megabytes: what every command is told where it can be, and takes where it is not. */
export const memory = 1000;

type Made = Omit<Input, "seed">;
interface Making {
  readonly random: Random;
  readonly samples: string;
}
type Kind = (making: Making) => Promise<Made>;

const out = { path: "out" } as const;
const quickly = ["-k", "2", "--method", "kmeans", "--epochs", "1", "--restarts", "1", "--no-map"];

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

const ofTables: Kind = async ({ random, samples }) => {
  if (random.below(3) === 0) {
    const { name, bytes, what } = oddTable(random);
    const isPacked = random.below(6) === 0;
    const file = isPacked ? `${name}.gz` : name;
    return usedRows(file, `@/${file}`, isPacked ? gzipSync(bytes) : bytes, what, random);
  }
  return ofSample([...tables, ...packed], { random, samples });
};

const ofArrays: Kind = (making) => ofSample([...arrays, ...packed.slice(2)], making);

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

const ofImages: Kind = async ({ random, samples }) => {
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

const ofLabels: Kind = async ({ random, samples }) => {
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

/** What a query may say that does more than read the rows it names. */
const queries = [
  "select * from enable_logging(storage = 'file', storage_path = '@/../outside/log')",
  "select 1 a from enable_logging('QueryLog', storage = 'file', storage_config = {'path': '@/../outside/log'})",
  "select * from enable_profiling()",
  "select * from disable_logging()",
  "select write_log('owned', level := 'error') a",
  "select * from truncate_duckdb_logs()",
  "select * from checkpoint()",
  "select * from force_checkpoint()",
  "select * from query('copy (select 1) to ''@/../outside/owned.csv''')",
  "select * from json_execute_serialized_sql(json_serialize_sql('select 1 a'))",
  "copy (select 1 a) to '@/../outside/owned.csv'",
  "attach '@/../outside/owned.db' as o",
  "export database '@/../outside/owned'",
  "install httpfs",
  "load '@/rows.csv'",
  "set enable_external_access = true",
  "set temp_directory = '@/../outside/temporary'",
  "pragma enable_profiling = 'json'",
  "select * from pragma_version()",
  "select * from read_text('@/../outside/secret.csv')",
  "select * from read_blob('@/../outside/*')",
  "select length(content) a from read_text('/dev/null')",
  "select * from read_csv('/dev/zero')",
  "select * from glob('@/../**')",
  "select * from 'https://example.com/a.parquet'",
  "select * from read_parquet('s3://bucket/a.parquet')",
  "select * from sqlite_scan('@/rows.csv', 'x')",
  "select getenv('HOME') h, 1 a",
  "select repeat('a', 2000000000) t, 1 a",
  "select list(i) v from range(30000000) t(i)",
  "select unnest(range(100000000)) a",
  "with recursive t(a) as (select 1 union all select a + 1 from t where a < 20000) select * from t",
  "select 1 a where error('owned')",
  "select * from duckdb_secrets()",
  "select * from test_all_types()",
  "select * from test_vector_types(null::int)",
  "select * from sniff_csv('@/rows.csv')",
  "select 1 a; copy (select 1) to '@/../outside/owned.csv'",
  "select 1 a) ; copy (select 1) to '@/../outside/owned.csv' --",
  "call enable_logging()",
  "explain analyze select 1",
  "describe select 1",
  "select a from '@/rows.csv' order by random()",
  "from '@/rows.csv'",
  "from '@/rows.csv' select * exclude (id)",
  "pivot '@/rows.csv' on a",
  "values (1, 2), (3, 4)",
];
const tokens = [
  "select",
  "from",
  "'@/rows.csv'",
  "a",
  "b",
  "*",
  "(",
  ")",
  ",",
  "1",
  "'",
  '"',
  ";",
  "--",
  "/*",
  "where",
  "union all",
  "::int",
  "[1]",
  "{'x':1}",
  "x -> x",
  "lateral",
  "$1",
  "?",
];

const ofQueries: Kind = async ({ random, samples }) => {
  const way = random.below(4);
  const base = pick(random, queries);
  const query =
    way < 2
      ? base
      : way === 2
        ? mutated(Buffer.from(base), random).bytes.toString("latin1").slice(0, 5000).replaceAll("\0", "")
        : Array.from({ length: 1 + random.below(20) }, () => pick(random, tokens)).join(" ");
  const isStored = random.below(2) === 0;
  if (!isStored) {
    const words = ["fit", "--sql", query, ...quickly, "--out", "@/out", "--memory", `${memory}`];
    return { what: `a query: ${query.slice(0, 100)}`, samples: ["rows.csv"], files: {}, words, writes: [out] };
  }
  const description = JSON.parse(Buffer.from(await normalized(samples, "run/run.json")).toString());
  description.source.options.sql = query;
  return {
    what: `a stored query: ${query.slice(0, 100)}`,
    samples: ["run", "rows.csv"],
    files: { "run/run.json": JSON.stringify(description, null, 2) },
    words: [
      ...pick(random, [
        ["explain", "@/run", "--row", "1"],
        ["compare", "@/run", "@/run"],
        ["eval", "@/run"],
      ]),
      ...(random.below(2) ? ["--run-stored-sql"] : []),
    ],
    writes: [],
  };
};

const ofEncoders: Kind = async ({ random, samples }) => {
  const { what, bytes } = mutatedOnnx(await readFile(join(samples, "encoder.onnx")), random);
  return {
    what: `an encoder: ${what}`,
    samples: ["rows.csv"],
    files: { "encoder.onnx": bytes },
    words: ["fit", "@/rows.csv", ...quickly, "--network", "@/encoder.onnx", "--out", "@/out"],
    writes: [out],
  };
};

/** What can be done with a run, and what that may write. */
function usesOfRun(run: string, rows: string): readonly { words: string[]; writes: Written[] }[] {
  const target = (name: string): { words: string[]; writes: Written[] } => ({
    words: ["export", `@/${run}`, "--target", name, "--out", `@/out.${name}`, "--json"],
    writes: [{ path: "out", prefix: true }],
  });
  return [
    { words: ["assign", `@/${run}`, rows, "--out", "@/out.csv", "--json"], writes: [{ path: "out.csv" }] },
    { words: ["explain", `@/${run}`, rows, "--row", "2"], writes: [] },
    { words: ["explain", `@/${run}`, "--row", "2"], writes: [] },
    { words: ["report", `@/${run}`], writes: [{ path: `${run}/report.html`, replaces: true }] },
    { words: ["report", `@/${run}`], writes: [{ path: `${run}/report.html`, replaces: true }] },
    ...["onnx", "safetensors", "csv", "parquet", "sql"].map(target),
    {
      words: ["stream", `@/${run}`, "@/rows.csv", "--out", "@/out.csv", "--json", "--new-input"],
      writes: [{ path: "out.csv" }, { path: run, replaces: true }],
    },
    { words: ["eval", `@/${run}`, "--labels", "@/labels.txt"], writes: [] },
    { words: ["compare", `@/${run}`, "@/run-streamed", "--source", rows], writes: [] },
    { words: ["fit", "--resume", `@/${run}`], writes: [{ path: run, replaces: true }] },
  ];
}

const ofRuns: Kind = async ({ random, samples }) => {
  const run = pick(random, runs);
  const all = await filesOf(samples, run);
  const file = pick(
    random,
    all.filter((name) => !/report\.html|README\.md/.test(name) || random.below(8) === 0),
  );
  const special: readonly [string, Content][] = [
    ["gone", { gone: true }],
    ["a pipe", { fifo: true }],
    ["a folder", { folder: true }],
    ["a link to itself", { link: file.split("/").at(-1)! }],
    ["a link elsewhere", { link: "@/../outside/secret.csv" }],
    ["a link to an endless file", { link: "/dev/zero" }],
    ["5 GB of zeros", { sparse: 5e9 }],
    ["empty", ""],
    ["another file of the run", await readFile(join(samples, pick(random, all)))],
    ["a file more, a link", { link: "@/../outside/canary.txt" }],
  ];
  const way = random.below(20);
  const [what, content, path] = await (async (): Promise<[string, Content, string]> => {
    if (way === 0) {
      const beside = pick(random, [
        "report.html.part",
        "weights.safetensors.part",
        "lock",
        "lock.takeover",
        "report.html",
        "stream",
        "checkpoint",
        "run.json.part",
        "clusters.json.1-0123456789ab.part",
      ]);
      return ["a link elsewhere", { link: "@/../outside/canary.txt" }, `${run}/${beside}`];
    }
    if (way < 3) {
      const [what, content] = pick(random, special);
      return [what, content, file];
    }
    const { what, bytes } = damaged(file, await normalized(samples, file), random);
    return [what, bytes, file];
  })();
  const rows = run === "run-images" ? "@/images" : "@/rows.csv";
  const choices = usesOfRun(run, rows);
  const { words, writes } =
    run === "run-stopped" ? choices.at(-1)! : pick(random, random.below(30) ? choices.slice(0, -1) : choices);
  const around = ["rows.csv", "labels.txt", "images", "run-streamed"].filter((name) => name !== run);
  return { what: `${path}: ${what}`, samples: [run, ...around], files: { [path]: content }, words, writes };
};

const paths = [
  ...["@/out", "@/none/none/out", "@/rows.csv", "@/run", "@/images", "@/../outside", "@/../outside/canary.txt", "@/."],
  ...[
    "@/out with blanks;touch owned",
    "@/out'\"`$(touch owned)",
    "@/out\nnew",
    "@/out\u001b[31m",
    `@/${"o".repeat(254)}`,
    `@/${"o".repeat(300)}`,
  ],
  ...[`@/${"d/".repeat(600)}out`, "@/canary.txt/out", "@/link", "@/pipe", "@/full", "", "-"],
];
const numbers = [
  "0",
  "-1",
  "1",
  "2",
  "1e308",
  "-0",
  "NaN",
  "0x10",
  "1e3",
  "٣",
  "9".repeat(400),
  "1.5",
  "Infinity",
  "100000000",
  "auto",
  "2-1000000",
  " 3 ",
  "1_000",
];
const settings = [
  "latent=100000000",
  "hidden=100000000",
  "hidden=1e5,1e5,1e5",
  "batch=1000000000",
  "latent=0",
  "hidden=",
  "__proto__=1",
  "rate=1e308",
  "pretraining=0",
  "neighbours=1000000",
  "=",
  "a=b=c",
  "network=convolutional",
  "filters=100000",
];

/** Every command with its own options and arguments, each said or not, with what nobody would say. */
const ofWords: Kind = async ({ random }) => {
  const name = pick(
    random,
    Object.keys(commands).filter((each) => each !== "demo"),
  );
  const { options, registeredArguments } = await definitionOf(name);
  const writes: Written[] = [
    { path: "runs" },
    ...(name === "export" ? ["run.", "run-"].map((path) => ({ path, prefix: true })) : []),
    ...(name === "stream" ? [{ path: "run", replaces: true }] : []),
    ...(name === "report" ? [{ path: "run/report.html", replaces: true }] : []),
  ];
  const words = [name];
  const good: Readonly<Record<string, string>> = {
    run: "@/run",
    a: "@/run",
    b: "@/run-streamed",
    source: "@/rows.csv",
    name: "tell",
  };
  for (const argument of registeredArguments) {
    if (random.below(12) === 0 && words.length > 1) continue;
    words.push(random.below(5) ? good[argument.name()]! : pick(random, [...paths, ...hostileTexts.slice(0, 40)]));
  }
  const isForced = random.below(4) === 0;
  if (name === "fit" && random.below(8)) words.push(...quickly);
  if (name === "explain") words.push("--row", random.below(3) ? "1" : pick(random, numbers));
  for (let left = random.below(4); left > 0; left--) {
    const option = pick(random, options);
    if (/^--(force|help|resume|device|follow)$/.test(option.long ?? "")) continue;
    const flag = random.below(4) ? option.long! : (option.short ?? option.long!);
    if (!option.required && !option.optional) words.push(flag);
    else {
      const value = valueFor(option.long!, option.argChoices, random);
      words.push(...(random.below(4) ? [flag, value] : [`${flag}=${value}`]));
    }
  }
  if (
    options.some(({ long }) => long === "--out") &&
    !words.some((word) => /^(-o|--out)/.test(word)) &&
    random.below(3)
  ) {
    words.push("--out", "@/out");
  }
  if (isForced && options.some(({ long }) => long === "--force")) words.push("--force");
  if (random.below(12) === 0)
    words.splice(
      1 + random.below(words.length),
      0,
      pick(random, ["--", "-", "---", "-x", "--nothing", "--out", "\u001b[31m"]),
    );
  return {
    what: words.join(" ").slice(0, 120),
    samples: ["run", "run-streamed", "rows.csv", "images"],
    files: { link: { link: "@/../outside/canary.txt" }, ...(canMount && { full: { device: [1, 7] as const } }) },
    words: words.filter((word) => !word.includes("\0")),
    // A command line is trusted in what it names: what it says may be written.
    writes: [...writes, ...namedOutputs(words, isForced)],
  };
};

/** What --force may replace: a file, a link, a run; neither a folder that is none nor a device. */
const replaceable = ["@/rows.csv", "@/run", "@/link", "@/../outside/canary.txt"];

function namedOutputs(words: readonly string[], isForced: boolean): Written[] {
  return words.flatMap((word, i) => {
    const [, inline] = /^(?:-o|--out=|--picture=)(.+)$/s.exec(word) ?? [];
    const value = inline ?? (/^(-o|--out|--picture)$/.test(word) ? words[i + 1] : undefined);
    if (value === undefined) return [];
    return [{ path: value, replaces: isForced && replaceable.includes(value), prefix: true }];
  });
}

function valueFor(flag: string, choices: readonly string[] | undefined, random: Random): string {
  if (/^--(out|picture|labels|source|network|method)$/.test(flag)) return pick(random, paths);
  if (flag === "--set") return pick(random, settings);
  if (flag === "--sql") return pick(random, queries);
  if (choices && random.below(2)) return pick(random, choices);
  return pick(random, random.below(2) ? numbers : ["a", "a,b", "id", "a,,b", "cluster", ...hostileTexts.slice(0, 40)]);
}

const definitions = new Map<string, Command>();

/** A command as commander knows it. */
async function definitionOf(name: string): Promise<Command> {
  const known = definitions.get(name);
  if (known) return known;
  const command = new Command(name);
  const nowhere = { write() {} };
  (await commands[name]!.load()).define(command, {
    out: nowhere,
    err: nowhere,
    signal: new AbortController().signal,
  } as never);
  definitions.set(name, command);
  return command;
}

/** The environment, the disk and the other process: only a command of its own has them. */
const surroundings: readonly ((random: Random) => { what: string; around: Around; out?: string })[] = [
  () => ({ what: "no TMPDIR", around: { env: { TMPDIR: "/nowhere/at/all" } } }),
  () => ({ what: "a file as TMPDIR", around: { env: { TMPDIR: "/etc/hostname" } } }),
  () => ({ what: "no HOME", around: { env: { HOME: null } } }),
  () => ({ what: "an odd language", around: { env: { LANG: "xx_XX.odd", LC_ALL: "tlh" } } }),
  (random) => ({
    what: "odd columns",
    around: { env: { COLUMNS: pick(random, ["0", "-1", "1", "99999999", "x"]), NO_COLOR: "1" } },
  }),
  () => ({ what: "no environment", around: { env: { PATH: null, HOME: null, LANG: null, TMPDIR: null } } }),
  () => ({ what: "an odd time zone", around: { env: { TZ: "Nowhere/Nothing" } } }),
  (random) => ({ what: "few open files", around: { limits: { files: pick(random, [24, 32, 40, 64]) } } }),
  (random) => ({ what: "small files only", around: { limits: { fileKilobytes: pick(random, [0, 1, 4, 16, 64]) } } }),
  () => ({ what: "standard output on a full disk", around: { fullOutput: true } }),
  (random) => ({ what: "Ctrl-C", around: { interruptAfter: 100 + random.below(1500) } }),
  ...(canMount
    ? [
        (random: Random) => ({
          what: "a small disk",
          around: { disk: { path: "disk", kilobytes: pick(random, [4, 12, 32, 64, 128]) } },
          out: "disk/out",
        }),
        () => ({
          what: "a disk that is only read",
          around: { disk: { path: "disk", readOnly: true } },
          out: "disk/out",
        }),
      ]
    : []),
  () => ({ what: "twice at once", around: { twice: true } }),
];

const ofSurroundings: Kind = async ({ random }) => {
  const { what, around, out = "out" } = pick(random, surroundings)(random);
  const written = { path: out, prefix: true };
  const use = pick(random, [
    { words: ["assign", "@/run", "@/rows.csv", "--out", `@/${out}.csv`, "--json"], writes: [written] },
    { words: ["assign", "@/run", "@/rows.parquet", "--out", `@/${out}.parquet`, "--json"], writes: [written] },
    { words: ["assign", "@/run", "-", "--out", `@/${out}.csv`, "--json"], writes: [written], stdin: "rows.csv" },
    { words: ["assign", "@/run", "@/rows.csv"], writes: [] },
    { words: ["fit", "@/rows.csv", ...quickly, "--out", `@/${out}`], writes: [written] },
    { words: ["fit", "@/rows.npy", ...quickly, "--out", `@/${out}`], writes: [written] },
    {
      words: [
        "export",
        "@/run",
        "--target",
        pick(random, ["onnx", "csv", "parquet", "sql", "safetensors"]),
        "--out",
        `@/${out}.x`,
        "--json",
      ],
      writes: [written],
    },
    { words: ["report", "@/run"], writes: [{ path: "run/report.html", replaces: true }] },
    { words: ["explain", "@/run-images", "@/images", "--row", "1", "--picture", `@/${out}.png`], writes: [written] },
    {
      words: ["stream", "@/run", "@/rows.csv", "--out", `@/${out}.csv`, "--json"],
      writes: [written, { path: "run", replaces: true }],
    },
    { words: ["eval", "@/run", "--labels", "@/labels.txt"], writes: [] },
  ] as { words: string[]; writes: Written[]; stdin?: string }[]);
  const { stdin, ...rest } = use;
  return {
    what: `${what}: ${use.words[0]}`,
    samples: ["run", "run-images", "images", "rows.csv", "rows.parquet", "rows.npy", "labels.txt"],
    files: {},
    ...rest,
    around: { ...around, ...(stdin && { stdin }) },
  };
};

/** Rows and labels that are no files. */
const ofPlaces: Kind = async ({ random }) => {
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

/** How often each is drawn. */
const kinds: readonly (readonly [number, Kind])[] = [
  [22, ofTables],
  [14, ofArrays],
  [9, ofImages],
  [12, ofLabels],
  [7, ofQueries],
  [5, ofEncoders],
  [24, ofRuns],
  [7, ofWords],
  [0.4, ofPlaces],
];
const kindsOfCommands: readonly (readonly [number, Kind])[] = [
  [10, ofTables],
  [6, ofArrays],
  [5, ofImages],
  [6, ofLabels],
  [7, ofQueries],
  [5, ofEncoders],
  [16, ofRuns],
  [18, ofWords],
  [2, ofPlaces],
  [25, ofSurroundings],
];

export async function inputOf(seed: number, samples: string): Promise<Input> {
  const random = Random.seeded(seed).fork("hostile");
  const isCommand = seed % 2 === 1;
  const kind = drawnKind(random, isCommand ? kindsOfCommands : kinds);
  const made = await kind({ random, samples });
  return { ...made, seed, memory, ...(isCommand && { around: made.around ?? {} }) };
}

function drawnKind(random: Random, from: readonly (readonly [number, Kind])[]): Kind {
  let left = random.uniform() * from.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, kind] of from) {
    left -= weight;
    if (left < 0) return kind;
  }
  return from[0]![1];
}
