/**
 * Does a run survive `kill -9`, whenever it comes? `fit`, `stream` and `save` are killed at random moments again and
 * again until they get through; what is on disk must always open or resume, and the result must equal that of a run
 * that nobody disturbed.
 *
 * usage: npm run -s bench -- kill [--times 17] [--seed 1] [--out bench/results/kill.json]
 */

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Random } from "../src/doors/engine.ts";
import { openRun } from "../src/doors/inside.ts";
import { commitOf } from "./commit.ts";

// From bench/ under test, from dist/bench/ when it is built.
const root = fileURLToPath(new URL(import.meta.url.includes("/dist/") ? "../../" : "../", import.meta.url));
const command = join(root, "dist/src/cli/main.js");
const saving = join(root, "test/support/save-again.mjs");

export async function kill(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      times: { type: "string", default: "17" },
      seed: { type: "string", default: "1" },
      out: { type: "string", default: "bench/results/kill.json" },
    },
  });
  const [times, seed] = [Number(options.times), Number(options.seed)];
  const command = `bench kill --times ${times} --seed ${seed}`;
  const record = JSON.stringify({ ...(await killed(times, seed)), commit: commitOf(), command }, null, 2);
  await writeFile(options.out, `${record}\n`);
  console.log(record);
}

export interface Killed {
  /** How often each was killed before it had ended. */
  readonly fit: number;
  readonly stream: number;
  readonly save: number;
  /** How often what was found could be opened or resumed; the rest of the time there was nothing yet. */
  readonly usable: number;
}

/** Kills each of the three so many times; throws where something was left that cannot be used, or differs. */
export async function killed(times: number, seed: number): Promise<Killed> {
  const folder = await mkdtemp(join(tmpdir(), "telltale-kill-"));
  const random = Random.seeded(seed);
  try {
    const table = join(folder, "table.csv");
    await writeFile(table, tableOf(random));
    const fresh = (out: string): string[] => [command, "fit", table, ...settings, "--out", out, "--quiet"];
    const whole = join(folder, "whole");
    const started = performance.now();
    await ended(fresh(whole));
    const usual = performance.now() - started;
    const expected = await fingerprint(whole);
    const counts = { fit: 0, stream: 0, save: 0, usable: 0 };

    for (let round = 0; counts.fit < times; round++) {
      const out = join(folder, `run-${round}`);
      for (let isDone = false; !isDone; ) {
        const resumable = await isRun(out);
        if (resumable) counts.usable++;
        // A folder without a description is no run yet: --force would refuse it if it had any other files.
        const arguments_ = resumable ? [command, "fit", "--resume", out, "--quiet"] : fresh(out);
        if (!resumable) await rm(out, { recursive: true, force: true });
        const wait = counts.fit < times ? 100 + random.uniform() * usual : undefined;
        isDone = await ended(arguments_, wait);
        if (!isDone) counts.fit++;
      }
      if ((await fingerprint(out)) !== expected) throw new Error(`kill: ${out} differs from the undisturbed run`);
    }

    await writeFile(join(folder, "long.csv"), tableOf(random, 30_000));
    const streaming = async (name: string): Promise<string[]> => {
      await cp(whole, join(folder, name), { recursive: true });
      return [
        command,
        "stream",
        join(folder, name),
        join(folder, "long.csv"),
        "--out",
        join(folder, `${name}.csv`),
        "--quiet",
      ];
    };
    const began = performance.now();
    await ended(await streaming("streamed"));
    const lasting = performance.now() - began;
    const assigned = await readFile(join(folder, "streamed.csv"));
    const followed = await fingerprint(join(folder, "streamed"));
    for (let round = 0; counts.stream < times; round++) {
      const parameters = await streaming(`stream-${round}`);
      while (!(await ended(parameters, counts.stream < times ? 100 + random.uniform() * lasting : undefined)))
        counts.stream++;
      const isSame = (await readFile(join(folder, `stream-${round}.csv`))).equals(assigned);
      if (!isSame) throw new Error("kill: a row was lost or doubled in a stream");
      if ((await fingerprint(join(folder, `stream-${round}`))) !== followed)
        throw new Error("kill: a stream ended elsewhere");
    }

    const saved = join(folder, "saved");
    await ended([saving, whole, saved, "1"]);
    while (counts.save < times) {
      const isDone = await ended([saving, whole, saved, "1000"], 150 + random.uniform() * 400);
      if (isDone) throw new Error("kill: saving a thousand times ended too soon");
      counts.save++;
      await (await (await openRun(saved)).model({ device: "cpu" })).close();
      counts.usable++;
    }
    return counts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const settings = [
  "--clusters",
  "3",
  "--epochs",
  "6",
  "--restarts",
  "2",
  "--set",
  "pretraining=6",
  "--set",
  "hidden=24",
];

/** Runs Node; true if it ended by itself, false if it was killed after so many milliseconds. */
async function ended(parameters: readonly string[], milliseconds?: number): Promise<boolean> {
  const child = spawn(process.execPath, parameters, { stdio: ["ignore", "ignore", "pipe"] });
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
  if (code !== 0) throw new Error(`kill: node ${parameters.join(" ")} ended with ${code ?? signal}: ${said}`);
  return true;
}

async function isRun(folder: string): Promise<boolean> {
  if (!(await stat(join(folder, "run.json")).catch(() => undefined))) return false;
  // It must be whole, whatever moment it was left at.
  JSON.parse(await readFile(join(folder, "run.json"), "utf8"));
  return true;
}

/** What was learned: times and dates differ from run to run. */
async function fingerprint(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const name of ["weights.safetensors", "model.onnx", "clusters.json"])
    hash.update(await readFile(join(folder, name)));
  return hash.digest("hex");
}

function tableOf(random: Random, rows = 1200): string {
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
