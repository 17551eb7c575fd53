/** The environment, the disk, the other process: good files and good words where nothing else is good. */

import type { Random } from "../../src/doors/engine.ts";
import { type Around, canMount, type Written } from "./input.ts";
import { type Kind, quickly } from "./kind.ts";
import { pick } from "./mutations.ts";

/** Only a command of its own has them. */
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
  () => ({ what: "a folder that is only read", around: { disk: { path: "disk", readOnly: true } }, out: "disk/out" }),
  (random) => {
    // Without the right to make a small disk, files are kept small instead.
    const kilobytes = pick(random, [4, 12, 32, 64, 128]);
    if (!canMount) return { what: "small files only", around: { limits: { fileKilobytes: kilobytes } } };
    return { what: "a small disk", around: { disk: { path: "disk", kilobytes } }, out: "disk/out" };
  },
  () => ({ what: "twice at once", around: { twice: true } }),
];

export const ofSurroundings: Kind = async ({ random }) => {
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
    {
      words: ["report", "@/run"],
      writes: [
        { path: "run/report.html", replaces: true },
        { path: "run/run.json", replaces: true },
      ],
    },
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
