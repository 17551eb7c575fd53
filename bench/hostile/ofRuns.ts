/** Runs and encoders from strangers: every file of a run folder damaged, gone, or something else than a file. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Content, Written } from "./input.ts";
import { type Kind, memory, out, quickly } from "./kind.ts";
import { damaged, mutatedOnnx, pick } from "./mutations.ts";
import { filesOf, normalized, runs } from "./samples.ts";

export const ofEncoders: Kind = async ({ random, samples }) => {
  const { what, bytes } = mutatedOnnx(await readFile(join(samples, "encoder.onnx")), random);
  return {
    what: `an encoder: ${what}`,
    samples: ["rows.csv"],
    files: { "encoder.onnx": bytes },
    words: ["fit", "@/rows.csv", ...quickly, "--network", "@/encoder.onnx", "--out", "@/out", "--memory", `${memory}`],
    writes: [out],
  };
};

/** The jobs of a sweep, as somebody hands them over. */
export const ofJobs: Kind = async ({ random, samples }) => {
  const { what, bytes } = damaged("jobs.jsonl", await normalized(samples, "jobs.jsonl"), random);
  return {
    what: `jobs.jsonl: ${what}`,
    samples: ["rows.csv"],
    files: { "jobs.jsonl": bytes },
    words: ["work", "@/jobs.jsonl", "--out", "@/out", ...(random.below(2) ? ["--line", "1"] : [])],
    writes: [out],
  };
};

/** A state that was trained elsewhere, damaged on its way back. */
export const ofStates: Kind = async ({ random, samples }) => {
  const { what, bytes } = damaged("step.safetensors", await readFile(join(samples, "step.safetensors")), random);
  return {
    what: `a state: ${what}`,
    samples: ["run-stepped", "rows.csv"],
    files: { "state.safetensors": bytes },
    words: ["import", "@/run-stepped", "@/state.safetensors", "--out", "@/out", "--no-map"],
    writes: [out],
  };
};

/** The folder of a sweep that somebody else has run. */
export const ofSweeps: Kind = async ({ random, samples }) => {
  const file = pick(random, await filesOf(samples, "sweep"));
  const { what, bytes } = damaged(file, await normalized(samples, file), random);
  return {
    what: `${file}: ${what}`,
    samples: ["sweep", "rows.csv"],
    files: { [file]: bytes },
    words: ["sweep", "collect", "@/sweep", ...(random.below(4) ? [] : ["--run-stored-sql"])],
    writes: ["consensus.csv", "sweep.json", "report.html"].map((name) => ({ path: `sweep/${name}`, replaces: true })),
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
    {
      words: ["report", `@/${run}`],
      writes: [
        { path: `${run}/report.html`, replaces: true },
        { path: `${run}/run.json`, replaces: true },
      ],
    },
    ...["onnx", "safetensors", "csv", "parquet", "sql", "spark", "ray", "duckdb", "step"].map(target),
    {
      words: ["stream", `@/${run}`, "@/rows.csv", "--out", "@/out.csv", "--json", "--new-input"],
      writes: [{ path: "out.csv" }, { path: run, replaces: true }],
    },
    ...[["rename", "0", "x"], ["merge", "0,1"], ["undo"]].map((edit) => ({
      words: ["curate", `@/${run}`, ...edit, "--json"],
      writes: [{ path: run, replaces: true }],
    })),
    { words: ["eval", `@/${run}`, "--labels", "@/labels.txt"], writes: [] },
    { words: ["compare", `@/${run}`, "@/run-streamed", "--source", rows], writes: [] },
    { words: ["fit", "--resume", `@/${run}`], writes: [{ path: run, replaces: true }] },
  ];
}

export const ofRuns: Kind = async ({ random, samples }) => {
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
        "curated",
        "curation",
        "curation.jsonl",
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
