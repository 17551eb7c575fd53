/**
 * Does a training on several machines find what it finds on one? The digits, by the exported step (docs/scale.md): on
 * two actors of Ray, on two nodes of Flower, and in turn in one process for more workers and other numbers of local
 * steps. Labels are compared with those of fits on one machine, of as many steps and other seeds: they must agree with
 * the fit of their own seed at least as well as fits of different seeds agree with each other. Then how long a pass
 * over 10⁹ rows would take, by the formula and played through, with the time of a step as measured here.
 *
 * needs: pip install 'ray==2.60.0' onnxruntime==1.31.1 safetensors numpy, for --python
 *        pip install flwr==1.41.0 onnxruntime==1.31.1 safetensors numpy, in an environment of its own (the two want
 *        different versions of protobuf); --flower is its folder of programs
 * usage: npm run -s bench -- steps [--seeds 3] [--python python3] [--flower FOLDER] [--out bench/results/steps.json]
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { openRun } from "../src/doors/inside.ts";
import { metrics } from "../src/doors/metrics.ts";
import { Random } from "../src/tensor/random.ts";
import { commitOf } from "./commit.ts";
import { freePort, waitFor } from "./servers.ts";
import { passByFormula, passPlayed } from "./stepTime.ts";

const command = fileURLToPath(new URL("../src/cli/main.js", import.meta.url));
const images = resolve("data/digits/images.npy.gz");
const peers = resolve("bench/peers");
const method = "--method tell -k 10 --no-map --no-report -q --set neighbours=0 --set network=fullyConnected";
const settings = `${method} --set hidden=128,128 --set batch=256 --set restarts=1 --set pretraining=10`.split(" ");
const epochs = 8;

/** Workers, and steps between two merges; all of an epoch is 40 steps on one. */
const simulated = [
  [1, 40],
  [2, 1],
  [2, 20],
  [8, 5],
] as const;

/** What a training says of itself: processor seconds are those of its own process, in which steps in turn are made. */
interface Told {
  readonly stepsOfEach: number;
  readonly secondsOfSteps: number;
  readonly processorSeconds: number;
}

/** One of 10⁹ rows on as many machines; the line is one of 10 Gbit/s. */
const wide = { rows: 1e9, spread: 0.1, line: 1.25e9, local: 100, batch: 256 };

export async function steps(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      seeds: { type: "string", default: "3" },
      python: { type: "string", default: "python3" },
      flower: { type: "string", default: "" },
      out: { type: "string", default: "bench/results/steps.json" },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), "telltale-steps-"));
  const python = values.python.includes("/") ? resolve(values.python) : values.python;
  const truth = (await npy("data/digits/labels.npy.gz", folder)).data;
  const { file: rows } = await npy(images, folder);
  const telltale = (...words: string[]): void =>
    void execFileSync(process.execPath, [command, ...words], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const labelsOf = async (name: string): Promise<Int32Array> =>
    Int32Array.from(await (await openRun(join(folder, name))).labels());
  try {
    const fits: Int32Array[] = [];
    for (let seed = 1; seed <= Number(values.seeds); seed++) {
      const began = performance.now();
      telltale("fit", images, ...settings, "--epochs", `${epochs}`, "--seed", `${seed}`, "--out", `fit${seed}`);
      fits.push(await labelsOf(`fit${seed}`));
      console.log(
        `fit of seed ${seed}: ${round((performance.now() - began) / 1000)} s, ${scoreOf(fits.at(-1)!, truth)}`,
      );
    }
    const between = fits.flatMap((a, i) => fits.slice(i + 1).map((b) => metrics.ari.score(a, b)));
    telltale("fit", images, ...settings, "--epochs", "0", "--seed", "1", "--out", "start");
    telltale("export", "start", "--target", "step", "--out", "start.json");
    const state = (await stat(join(folder, "start.safetensors"))).size;
    const ask = (engine: string, workers: number, local: number, out: string): unknown =>
      JSON.parse(
        execFileSync(
          python,
          [join(peers, "steps.py"), engine, "start.json", rows, `${workers}`, `${local}`, "1", out],
          { cwd: folder, encoding: "utf8", env: { ...process.env, RAY_USAGE_STATS_ENABLED: "0" } },
        ),
      );
    const results: Record<string, unknown>[] = [];
    let step = 0;
    const measured = async (engine: string, workers: number, local: number, train: (out: string) => unknown) => {
      const name = `${engine}-${workers}-${local}`;
      const began = performance.now();
      const told = (await train(`${name}.safetensors`)) as Told;
      const seconds = (performance.now() - began) / 1000;
      telltale("import", "start", `${name}.safetensors`, "--out", name, "--no-map", "--no-report", "-q");
      const labels = await labelsOf(name);
      // Of the steps and merges alone, and with the start of engine and workers.
      const { secondsOfSteps, processorSeconds } = told;
      const times = { secondsOfSteps: round(secondsOfSteps), seconds: round(seconds) };
      const found = {
        engine,
        workers,
        local,
        ...told,
        processorSeconds: round(processorSeconds),
        ...times,
        accuracy: scoreOf(labels, truth),
      };
      results.push({ ...found, withFits: fits.map((fit) => round(metrics.ari.score(labels, fit))) });
      console.log(JSON.stringify(results.at(-1)));
      if (workers === 1) step = processorSeconds / told.stepsOfEach;
    };
    for (const [workers, local] of simulated) {
      await measured("in turn", workers, local, (out) => ask("here", workers, local, out));
    }
    await measured("ray", 2, 10, (out) => ask("ray", 2, 10, out));
    await measured("flower", 2, 10, (out) =>
      onFlower(folder, values.flower, { rows, local: 10, out: join(folder, out) }),
    );
    const least = Math.min(...between);
    const agree = results.filter(({ engine }) => engine === "ray" || engine === "flower");
    const isWithin = agree.every(({ withFits }) => (withFits as number[])[0]! >= least);
    const cluster = { ...wide, step, state };
    const record = {
      ...{ bench: "steps", measured: new Date().toISOString(), commit: commitOf() },
      machine: { processor: cpus()[0]!.model, cores: availableParallelism(), node: process.version },
      versions: {
        ...{ ray: versionOf(python, "ray"), flwr: versionOf(join(values.flower, "python"), "flwr") },
        ...{ onnxruntime: versionOf(python, "onnxruntime"), numpy: versionOf(python, "numpy") },
      },
      command: `bench steps --seeds ${values.seeds}`,
      seeds: { fits: fits.map((_, i) => i + 1), steps: 1 },
      fits: fits.map((fit) => scoreOf(fit, truth)),
      betweenSeeds: between.map(round),
      isWithin,
      results,
      pass: {
        ...cluster,
        step: round(step),
        hours: [1, 2, 8, 32, 64, 128, 256, 512].map((workers) => ({
          workers,
          formula: round(passByFormula(cluster, workers) / 3600),
          played: round(passPlayed(cluster, workers, Random.seeded(1)) / 3600),
        })),
      },
    };
    await writeFile(values.out, `${JSON.stringify(record, undefined, 2)}\n`);
    if (!isWithin) throw new Error(`steps: less agreement than between seeds (${least}): ${JSON.stringify(agree)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A SuperLink and two SuperNodes on this machine, and a run on them. */
async function onFlower(
  folder: string,
  programs: string,
  { rows, local, out }: { rows: string; local: number; out: string },
): Promise<unknown> {
  const [home, app, port] = [join(folder, "flower"), join(folder, "app"), await freePort()];
  await mkdir(home);
  await mkdir(app);
  for (const file of ["flower/app.py", "flower/pyproject.toml", "steps.py"]) {
    await copyFile(join(peers, file), join(app, file.replace("flower/", "")));
  }
  const place = `[superlink]\ndefault = "here"\n\n[superlink.here]\naddress = "127.0.0.1:${port}"\ninsecure = true\n`;
  await writeFile(join(home, "config.toml"), place);
  const path = `${resolve(programs)}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH: path, FLWR_HOME: home, FLWR_TELEMETRY_ENABLED: "0" };
  const begin = (program: string, ...words: string[]): ChildProcess =>
    spawn(join(programs, program), words, { cwd: folder, env, stdio: "ignore" });
  const started = [
    begin("flower-superlink", "--insecure", "--disable-runtime-dependency-installation", "--port", port),
  ];
  try {
    await waitFor(port);
    for (const worker of [0, 1]) {
      const own = ["--port", await freePort(), "--node-config", `worker=${worker} workers=2`];
      started.push(begin("flower-supernode", "--insecure", "--superlink", `127.0.0.1:${port}`, ...own));
    }
    const wanted = { manifest: join(folder, "start.json"), rows, out, workers: 2, local, seed: 1 };
    const config = Object.entries(wanted).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    const words = ["run", app, "here", "--stream", "--run-config", config.join(" ")];
    const said = execFileSync(join(programs, "flwr"), words, { cwd: folder, env, encoding: "utf8" });
    const told = /^\{"merges".*\}$/m.exec(said);
    if (!told) throw new Error(`steps: Flower has said ${said.slice(-2000)}`);
    return JSON.parse(told[0]);
  } finally {
    for (const each of started.reverse()) {
      const gone = once(each, "exit");
      each.kill("SIGTERM");
      await gone;
    }
  }
}

/** The values of a packed array of bytes, and the array as a file that numpy maps. */
async function npy(path: string, folder: string): Promise<{ data: Int32Array; file: string }> {
  const bytes = gunzipSync(await readFile(path));
  const file = join(
    folder,
    `${path
      .split("/")
      .at(-1)!
      .replace(/\.npy\.gz$/, "")}.npy`,
  );
  await writeFile(file, bytes);
  return { data: Int32Array.from(bytes.subarray(10 + bytes.readUInt16LE(8))), file };
}

function scoreOf(labels: Int32Array, truth: Int32Array): number {
  return round(metrics.accuracy.score(truth, labels));
}

function versionOf(python: string, name: string): string {
  const asked = `import importlib.metadata; print(importlib.metadata.version("${name}"))`;
  return execFileSync(python, ["-c", asked], { encoding: "utf8" }).trim();
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
