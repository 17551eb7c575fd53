/**
 * Does a run survive `kill -9`, whenever it comes? `fit` and `save` are killed at random moments again and again until they get through;
 * what is on disk must always open or resume, and the result must equal that of a run that nobody disturbed.
 * (`stream` has its own test of the same kind.)
 *
 * usage: npm run -s bench -- kill [--times 50] [--seed 1]
 */

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openRun, Random } from "../src/node.ts";

// From bench/ under test, from dist/bench/ when it is built.
const root = fileURLToPath(new URL(import.meta.url.includes("/dist/") ? "../../" : "../", import.meta.url));
const command = join(root, "dist/src/cli/main.js");
const saving = join(root, "test/support/save-again.mjs");

export async function kill(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: { times: { type: "string", default: "50" }, seed: { type: "string", default: "1" } },
  });
  console.log(JSON.stringify(await killed(Number(options.times), Number(options.seed)), null, 2));
}

export interface Killed {
  /** How often each was killed before it had ended. */
  readonly fit: number;
  readonly save: number;
  /** How often what was found could be opened or resumed; the rest of the time there was nothing yet. */
  readonly usable: number;
}

/** Kills `fit` and `save` so many times in all, half each; throws where something was left that cannot be used, or differs. */
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
    const counts = { fit: 0, save: 0, usable: 0 };

    for (let round = 0; counts.fit < Math.ceil(times / 2); round++) {
      const out = join(folder, `run-${round}`);
      for (let isDone = false; !isDone; ) {
        const resumable = await isRun(out);
        if (resumable) counts.usable++;
        // A folder without a description is no run yet: --force would refuse it if it had any other files.
        const arguments_ = resumable ? [command, "fit", "--resume", out, "--quiet"] : fresh(out);
        if (!resumable) await rm(out, { recursive: true, force: true });
        const wait = counts.fit < Math.ceil(times / 2) ? 100 + random.uniform() * usual : undefined;
        isDone = await ended(arguments_, wait);
        if (!isDone) counts.fit++;
      }
      if ((await fingerprint(out)) !== expected) throw new Error(`kill: ${out} differs from the undisturbed run`);
    }

    const saved = join(folder, "saved");
    await ended([saving, whole, saved, "1"]);
    while (counts.save < Math.floor(times / 2)) {
      const isDone = await ended([saving, whole, saved, "1000"], 150 + random.uniform() * 400);
      if (isDone) throw new Error("kill: saving a thousand times ended too soon");
      counts.save++;
      await (await (await openRun(saved)).model("cpu")).close();
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

function tableOf(random: Random): string {
  const centers = [
    [10, 2, 300, 0.1],
    [40, 9, 100, 0.5],
    [25, 5, 700, 0.9],
  ];
  const noise = random.normals(1200 * 4);
  const lines = Array.from({ length: 1200 }, (_, i) =>
    centers[i % 3]!.map((value, c) => (value * (1 + 0.1 * noise[4 * i + c]!)).toFixed(4)).join(),
  );
  return `a,b,c,d\n${lines.join("\n")}\n`;
}
