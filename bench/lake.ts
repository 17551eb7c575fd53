/**
 * Do Spark, Ray and DuckDB give the rows of many Parquet files the clusters that we give them, and how fast? The
 * programs of `telltale export` are run as they are written, over a model without a network (which takes next to no
 * time, so that the engine is measured) and over one with the network of the papers (which takes nearly all of it).
 * Every label is compared with `telltale assign`; bare ONNX Runtime is measured before and after each engine, with the
 * number of rows at a time that is fastest for it. What is compared is rows for a second of processor time, of an
 * engine and all of its processes (Linux), beyond what a small part of the rows takes: that is, without its start.
 *
 * needs: Java 17; pip install pyspark==4.3.0 'ray[data]==2.60.0' duckdb==2.0.0 onnxruntime==1.31.1 pyarrow numpy
 * usage: npm run -s bench -- lake [--rows 2000000] [--files 16] [--engines spark,ray,duckdb] [--python python3]
 */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commitOf } from "./commit.ts";

const command = fileURLToPath(new URL("../src/cli/main.js", import.meta.url));
const script = resolve("bench/peers/lake.py");
const rows = resolve("examples/sensors.csv");

/** How each program is started, and how many processors it can use. */
const engines: Readonly<Record<string, { starts: (python: string) => string; cores: number; inputs: string }>> = {
  spark: { starts: () => "spark-submit", cores: availableParallelism(), inputs: "in" },
  ray: { starts: (python) => python, cores: availableParallelism(), inputs: "in" },
  duckdb: { starts: (python) => python, cores: 1, inputs: "in/*.parquet" },
};

/** The network of the papers, trained for a moment: how good it is does not matter here. */
const network = "--set hidden=500,500,2000 --set neighbours=0 --set pretraining=3 --set restarts=1 --epochs 2";
const models = {
  "means of rows": ["--effort", "quick"],
  "500-500-2000-10": ["--method", "tell", "--clusters", "4", ...network.split(" ")],
};

export async function lake(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      rows: { type: "string", default: "2000000" },
      files: { type: "string", default: "16" },
      engines: { type: "string", default: "spark,ray,duckdb" },
      python: { type: "string", default: "python3" },
      out: { type: "string", default: "bench/results/lake.json" },
    },
  });
  const bin = values.python.includes("/") ? `${resolve(dirname(values.python))}${delimiter}` : "";
  const python = values.python.includes("/") ? resolve(values.python) : values.python;
  const env = { ...process.env, PATH: `${bin}${process.env.PATH}` };
  const folder = await mkdtemp(join(tmpdir(), "telltale-lake-"));
  const ask = (...words: string[]) =>
    JSON.parse(execFileSync(python, [script, ...words], { cwd: folder, env, encoding: "utf8" }) || "null");
  const timed = async (program: string, words: readonly string[]): Promise<Times> => {
    const child = spawn(python, [script, "timed", program, ...words], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = { out: "", err: "" };
    child.stdout.on("data", (text) => (said.out += text));
    child.stderr.on("data", (text) => (said.err = `${said.err}${text}`.slice(-4000)));
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`lake: ${program} ${words.join(" ")} ended with ${code}: ${said.err}`);
    return JSON.parse(said.out);
  };
  const telltale = (...words: string[]): Promise<Times> => timed(process.execPath, [command, ...words, "-q"]);
  const results: unknown[] = [];
  try {
    ask("rows", rows, "in", values.rows, values.files);
    await mkdir(join(folder, "few"));
    // A file for each core, so that all of them work, as they do on all files.
    for (let i = 0; i < availableParallelism(); i++) {
      const file = `${i}`.padStart(2, "0");
      await copyFile(join(folder, `in/${file}.parquet`), join(folder, `few/${file}.parquet`));
    }
    const few = Math.ceil((availableParallelism() * Number(values.rows)) / Number(values.files));
    for (const [model, settings] of Object.entries(models)) {
      const run = model.replaceAll(" ", "-");
      await telltale("fit", rows, "--seed", "1", "--out", run, "--no-map", "--no-report", ...settings);
      const assigning = await telltale(
        "assign",
        run,
        "--sql",
        "select * from 'in/*.parquet'",
        "--out",
        `${run}.parquet`,
      );
      results.push({ model, engine: "telltale assign", ...rounded(assigning) });
      for (const engine of values.engines.split(",")) {
        const { starts, cores, inputs } = engines[engine]!;
        const program = `${run}.${engine}.py`;
        await telltale("export", run, "--target", engine, "--out", program);
        const lines = (await readFile(join(folder, program), "utf8")).split("\n").length;
        const ending = engine === "duckdb" ? ".parquet" : "";
        const bare = [fastest(ask("bare", program, "few", `${cores}`))];
        // How long it takes to start, by a part of the rows: the rest is what more rows cost.
        const first = await timed(starts(python), [
          program,
          inputs.replace(/^in/, "few"),
          `${run}.${engine}.few${ending}`,
        ]);
        const all = await timed(starts(python), [program, inputs, `${run}.${engine}${ending}`]);
        bare.push(fastest(ask("bare", program, "few", `${cores}`)));
        const same = ask("same", `${run}.${engine}${ending}`, `${run}.parquet`, "reading_id");
        const more = Number(values.rows) - few;
        const rate = more / (all.processorSeconds - first.processorSeconds);
        const ofBare = (bare[0]!.ratePerProcessorSecond + bare[1]!.ratePerProcessorSecond) / 2;
        const result = {
          ...{ model, engine, cores, lines, ...same, ...rounded(all), first: rounded(first) },
          ...{ loadOfMachine: round(loadavg()[0]!), rowsPerProcessorSecond: Math.round(rate) },
          bare: bare.map((each) => ({
            rowsAtATime: each.rowsAtATime,
            rowsPerProcessorSecond: Math.round(each.ratePerProcessorSecond),
            rowsPerSecondAndCore: Math.round(each.rate / cores),
          })),
          shareOfBare: round(rate / ofBare),
        };
        console.log(JSON.stringify(result));
        if (same.rows !== Number(values.rows) || same.sameLabels !== same.rows) throw new Error("lake: labels differ");
        results.push(result);
      }
    }
    const machine = { processor: cpus()[0]!.model, cores: availableParallelism(), node: process.version };
    const about = {
      ...{ bench: "lake", measured: new Date().toISOString(), machine, versions: ask("versions"), commit: commitOf() },
      command: `bench lake --rows ${values.rows} --files ${values.files} --engines ${values.engines}`,
      // Of the noise that is put on the rows, and of the fits.
      seed: 1,
    };
    await writeFile(values.out, `${JSON.stringify({ ...about, results }, undefined, 2)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Times {
  readonly seconds: number;
  /** Of the program and all that it starts. */
  readonly processorSeconds: number;
}

interface Bare {
  readonly rowsAtATime: number;
  readonly rate: number;
  readonly ratePerProcessorSecond: number;
}

/** Of the sizes of batches that were tried: engines are compared with the best of them. */
function fastest(all: readonly Bare[]): Bare {
  return all.reduce((a, b) => (b.ratePerProcessorSecond > a.ratePerProcessorSecond ? b : a));
}

function rounded({ seconds, processorSeconds }: Times): Times {
  return { seconds: round(seconds), processorSeconds: round(processorSeconds) };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
