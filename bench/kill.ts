/**
 * Does anything that was whole before `kill -9` stay whole, whenever it comes? `fit`, `fit --force` over an older run,
 * `stream`, `assign`, saving, `report` and `export` are killed at random moments of the time that each takes, again and
 * again until they get through. What is on disk must always open or resume, the result must equal that of a command
 * that nobody disturbed, files that are somebody's own must stay as they are, and nothing unfinished may be left.
 *
 * usage: npm run -s bench -- kill [--times 29] [--seed 1] [--out bench/results/kill.json]     (so many times each)
 */

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Random } from "../src/doors/engine.ts";
import { openRun } from "../src/doors/inside.ts";
import { commitOf } from "./commit.ts";
import { snapshot } from "./hostile/touched.ts";

// From bench/ under test, from dist/bench/ when it is built.
const root = fileURLToPath(new URL(import.meta.url.includes("/dist/") ? "../../" : "../", import.meta.url));
const command = join(root, "dist/src/cli/main.js");
const saving = join(root, "test/support/save-again.mjs");

export async function kill(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      times: { type: "string", default: "29" },
      seed: { type: "string", default: "1" },
      out: { type: "string", default: "bench/results/kill.json" },
    },
  });
  const [times, seed] = [Number(options.times), Number(options.seed)];
  const command = `bench kill --times ${times} --seed ${seed}`;
  const found = await killed(times, seed, (line) => console.error(line));
  const kills = Object.values(found.kills).reduce((sum, each) => sum + each, 0);
  const record = JSON.stringify({ total: kills, ...found, commit: commitOf(), command }, null, 2);
  await writeFile(options.out, `${record}\n`);
  console.log(record);
  if (found.problems.length > 0) process.exitCode = 1;
}

/** A command to be killed, in a folder of its own, which has the table, a longer one, and a finished run. */
interface Victim {
  /** What must be there beforehand, besides. */
  readonly prepare?: (folder: string) => Promise<void>;
  /** The words to begin with, or to go on with after a kill, by what is there. */
  readonly words: (folder: string) => Promise<readonly string[]>;
  /** Throws where what a kill has left cannot be used; tells whether there was anything. */
  readonly check: (folder: string) => Promise<boolean>;
  /** What must be the same to the bit in the end. */
  readonly results: readonly string[];
}

const learned = ["weights.safetensors", "model.onnx", "decoder.onnx", "clusters.json", "assignments.parquet"];
const inRun = (run: string): string[] => learned.map((name) => join(run, name));

const settings = ["--clusters", "3", "--epochs", "4", "--restarts", "2"];
const sizes = ["--set", "pretraining=4", "--set", "hidden=24"];
const fit = ["fit", "table.csv", ...settings, ...sizes, "--out", "out"];

const victims: Readonly<Record<string, Victim>> = {
  fit: {
    words: async (folder) => ((await statusOf(join(folder, "out"))) ? ["fit", "--resume", "out"] : fit),
    check: (folder) => isUsable(join(folder, "out")),
    results: inRun("out"),
  },
  "fit --force": {
    prepare: (folder) => cp(join(folder, "run"), join(folder, "out"), { recursive: true }),
    // The old one until the new one is described, or until it is whole: either can be gone on with.
    words: async (folder) =>
      (await statusOf(join(folder, "out"))) === "training" ? ["fit", "--resume", "out"] : [...fit, "--force"],
    check: (folder) => isUsable(join(folder, "out")),
    results: inRun("out"),
  },
  stream: {
    words: async () => ["stream", "run", "long.csv", "--out", "streamed.csv"],
    check: (folder) => isUsable(join(folder, "run")),
    results: [
      "streamed.csv",
      ...["weights.safetensors", "model.onnx", "clusters.json"].map((name) => join("run", name)),
    ],
  },
  assign: {
    words: async (folder) => [
      ...["assign", "run", "long.csv", "--out", "assigned.parquet"],
      ...((await isThere(join(folder, "assigned.parquet"))) ? ["--force"] : []),
    ],
    // It is there whole, or not at all: the end of a Parquet file is its table of contents.
    check: async (folder) => {
      const bytes = await readFile(join(folder, "assigned.parquet")).catch(() => undefined);
      if (bytes && bytes.toString("latin1", bytes.length - 4) !== "PAR1") throw new Error("kill: half a Parquet file");
      return isUsable(join(folder, "run"));
    },
    results: ["assigned.parquet"],
  },
  save: {
    words: async () => [saving, "run", "saved", "30"],
    check: async (folder) => (await isThere(join(folder, "saved"))) && isUsable(join(folder, "saved")),
    results: ["weights.safetensors", "model.onnx"].map((name) => join("saved", name)),
  },
  report: {
    // In the place of the one that the fit has made: any other is somebody's own, and is not replaced.
    words: async () => ["report", "run"],
    check: async (folder) => {
      const page = await readFile(join(folder, "run", "report.html"), "utf8");
      if (!page.trimEnd().endsWith("</html>")) throw new Error("kill: half a report");
      return isUsable(join(folder, "run"));
    },
    results: [join("run", "report.html")],
  },
  export: {
    words: async () => ["export", "run", "--target", "sql", "--out", "model.sql", "--force"],
    check: (folder) => isUsable(join(folder, "run")),
    results: ["model.sql", "model.onnx"],
  },
};

export interface Killed {
  /** How often each was killed before it had ended. */
  readonly kills: Readonly<Record<string, number>>;
  /** How often there was something to be opened or resumed, which then could be; else there was nothing yet. */
  readonly usable: number;
  /** How many files of somebody else were looked at after each kill. */
  readonly canaries: number;
  /** What was left that cannot be used, differs, is unfinished, or was somebody else's; it must be nothing. */
  readonly problems: readonly string[];
}

/** Kills each so many times. */
export async function killed(times: number, seed: number, onProgress?: (line: string) => void): Promise<Killed> {
  const home = await mkdtemp(join(tmpdir(), "telltale-kill-"));
  const random = Random.seeded(seed);
  const found: Counted = { kills: {}, usable: 0, canaries: 0, problems: [] };
  try {
    const given = join(home, "given");
    await mkdir(given);
    await writeFile(join(given, "table.csv"), tableOf(random));
    await writeFile(join(given, "long.csv"), tableOf(random, 20_000));
    await ended([...fit, "--seed", "2", "--out", "run"], given);
    for (const [name, victim] of Object.entries(victims)) {
      const began = performance.now();
      await killedOften(name, victim, { home, given, times, random, found });
      onProgress?.(`kill: ${name}: ${times} times in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    }
    return { ...found, problems: [...new Set(found.problems)] };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

interface Circumstances {
  readonly home: string;
  readonly given: string;
  readonly times: number;
  readonly random: Random;
  readonly found: Counted;
}

interface Counted {
  readonly kills: Record<string, number>;
  usable: number;
  canaries: number;
  readonly problems: string[];
}

async function killedOften(name: string, victim: Victim, { home, given, times, random, found }: Circumstances) {
  const place = async (): Promise<string> => {
    const folder = await mkdtemp(join(home, "victim-"));
    await cp(given, folder, { recursive: true });
    await victim.prepare?.(folder);
    for (const canary of canaries) await writeFile(join(folder, canary), "somebody's own\n");
    return folder;
  };
  const calm = await place();
  const started = performance.now();
  await ended(await victim.words(calm), calm);
  const usual = performance.now() - started;
  const [expected, names] = [await hashesOf(calm, victim.results), await namesIn(calm)];

  const report = (what: string, names: readonly string[]): void => {
    const problem = `${name}: ${what}: ${names.join(", ")}`;
    if (names.length > 0) found.problems.push(problem.replaceAll(/\d+-[0-9a-f]{12}/g, "…"));
  };
  let kills = 0;
  while (kills < times) {
    const folder = await place();
    const own = await canariesIn(folder);
    for (let isDone = false; !isDone; ) {
      // A process needs some time to begin at all; kills are drawn from the rest of what it takes.
      const wait = kills < times ? 60 + random.uniform() * (usual - 60) : undefined;
      isDone = await ended(await victim.words(folder), folder, wait);
      if (isDone) continue;
      kills++;
      const isThere = await victim.check(folder).catch((error: Error) => report("cannot be used", [error.message]));
      if (isThere) found.usable++;
      found.canaries += own.size;
      report("has touched", differing(await canariesIn(folder), own));
    }
    report("has touched", differing(await canariesIn(folder), own));
    report("differs from the undisturbed", differing(await hashesOf(folder, victim.results), expected));
    report(
      "left behind",
      (await namesIn(folder)).filter((each) => !names.includes(each)),
    );
    await rm(folder, { recursive: true, force: true });
  }
  found.kills[name] = kills;
  await rm(calm, { recursive: true, force: true });
}

/** Files that look as if they could be ours, and are not. */
const canaries = [
  ...["notes.txt", "out.part", "assigned.parquet.part", "run.part-1", "model.sql.part", "lock.bak", "run.json"],
  ...["run/notes.txt", "run/report.html.part", "run/weights.safetensors.bak"],
];

async function canariesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const all = await snapshot(folder);
  return new Map([...all].filter(([path]) => canaries.includes(path.slice(folder.length + 1))));
}

function differing(found: ReadonlyMap<string, string>, expected: ReadonlyMap<string, string>): string[] {
  return [...expected].filter(([name, hash]) => found.get(name) !== hash).map(([name]) => name);
}

/** By name, without the folder: statements name the file that they use by its path. */
async function hashesOf(folder: string, names: readonly string[]): Promise<Map<string, string>> {
  const hash = async (name: string): Promise<string> => {
    const bytes = await readFile(join(folder, name));
    const isText = name.endsWith(".sql");
    const content = isText ? bytes.toString("utf8").replaceAll(folder, "") : bytes;
    return createHash("sha256").update(content).digest("hex");
  };
  return new Map(await Promise.all(names.map(async (name) => [name, await hash(name)] as const)));
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).sort();
}

/** Runs a command, or a script by its path; true if it ended by itself, false if it was killed after that long. */
async function ended(words: readonly string[], folder: string, milliseconds?: number): Promise<boolean> {
  const parameters = words[0]!.endsWith(".mjs") ? words : [command, ...words, "--quiet"];
  const child = spawn(process.execPath, parameters, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const timer = milliseconds && setTimeout(() => child.kill("SIGKILL"), milliseconds);
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once("exit", (...both) => resolve(both)),
  );
  if (timer) clearTimeout(timer);
  if (signal === "SIGKILL") return false;
  if (code !== 0) throw new Error(`kill: ${words.join(" ")} ended with ${code ?? signal}: ${said}`);
  return true;
}

/** What a run folder says of itself; nothing where there is none yet. What it says must be whole at every moment. */
async function statusOf(path: string): Promise<string | undefined> {
  if (!(await isThere(join(path, "run.json")))) return undefined;
  return (JSON.parse(await readFile(join(path, "run.json"), "utf8")) as { status: string }).status;
}

/** A finished run must open, to its model; one that is not finished is gone on with later, and must say so. */
async function isUsable(path: string): Promise<boolean> {
  // Saving may have been stopped between two renames, which opening sets right.
  const isFinished = (await isThere(path)) ? (await statusOf(path)) === "done" : true;
  if (!isFinished) return (await statusOf(path)) !== undefined;
  const run = await openRun(path).catch((error: Error) => {
    if (/no run of Telltale/.test(error.message)) return undefined;
    throw error;
  });
  if (!run) return false;
  // A model that was saved by itself has no summaries.
  if (await isThere(join(path, "clusters.json"))) await run.clusters();
  await (await run.model({ device: "cpu" })).close();
  return true;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

function tableOf(random: Random, rows = 600): string {
  const centers = [
    [10, 2, 300, 0.1],
    [40, 9, 100, 0.5],
    [25, 5, 700, 0.9],
  ];
  const noise = random.normals(rows * 4);
  const lines = Array.from({ length: rows }, (_, i) =>
    centers[i % 3]!.map((value, c) => (value * (1 + 0.1 * noise[4 * i + c]!)).toFixed(4)).join(),
  );
  return `a,b,c,d\n${lines.join("\n")}\n`;
}
