/**
 * Does a change of the code change what is computed? Small runs of seven methods on a table and on digits, one of them
 * stopped and resumed, one followed by a stream, one that chooses its number of clusters; of each the SHA-256 of its
 * weights, of what it says about every row, of its clusters, of what its decoder draws, and of an explanation. On the
 * same machine the same code gives the same.
 *
 * usage: npm run -s bench -- bits [--cli dist/src/cli/main.js] [--out FILE] [--against bench/results/bits.json]
 */

import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { devices, findDevice } from "../src/doors/inside.ts";
import { describeOnnx } from "../src/onnx/read.ts";
import { commitOf } from "./commit.ts";

const quick = ["--epochs", "2", "--restarts", "2", "--set", "pretraining=2"];
const wide = ["--set", "hidden=64,64"];
const table = "examples/sensors.csv";
/** Of the table, its numbers. */
const numbers = ["--ignore", "firmware"];

/** The rows and the options of each run. */
const runs: Readonly<Record<string, { readonly source: string; readonly options: readonly string[] }>> = {
  "tell, a table": { source: table, options: ["--method", "tell", "-k", "5", ...numbers, ...quick, ...wide] },
  "tell without votes, a table": {
    source: table,
    options: ["--method", "tell", "-k", "5", ...numbers, ...quick, ...wide, "--set", "neighbours=0"],
  },
  "tell, digits": { source: "digits", options: ["--method", "tell", "-k", "10", ...quick, "--restarts", "1"] },
  "kmeansnet, digits": {
    source: "digits",
    options: ["--method", "kmeansnet", "-k", "10", ...quick, "--restarts", "1"],
  },
  "dkm-p, a table": { source: table, options: ["--method", "dkm-p", "-k", "4", ...numbers, ...quick, ...wide] },
  "pcx, digits": {
    source: "digits",
    options: ["--method", "pcx", "-k", "10", ...quick, "--restarts", "1", "--set", "network=fullyConnected", ...wide],
  },
  "homo, a table": { source: table, options: ["--method", "homo", "-k", "4", ...numbers, ...quick, ...wide] },
  "dec, digits": {
    source: "digits",
    options: ["--method", "dec", "-k", "10", ...quick, "--restarts", "1", "--set", "network=fullyConnected", ...wide],
  },
  "kmeans, a table": { source: table, options: ["--method", "kmeans", "-k", "6", "--encode", "firmware"] },
  "tell, a number of clusters chosen": { source: table, options: ["-k", "2-5", ...numbers, ...quick, ...wide] },
};

export async function bits(parameters: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      cli: { type: "string", default: "dist/src/cli/main.js" },
      out: { type: "string" },
      against: { type: "string" },
    },
  });
  const found = await bitsOf(resolve(values.cli));
  if (values.out) {
    const record = { commit: commitOf(), command: "bench bits", node: process.version, runs: found };
    writeFileSync(values.out, `${JSON.stringify(record, null, 2)}\n`);
  }
  if (!values.against) return console.log(JSON.stringify(found, null, 2));
  const recorded = JSON.parse(readFileSync(values.against, "utf8")).runs as typeof found;
  const lines = Object.entries(recorded).flatMap(([run, parts]) =>
    Object.entries(parts).map(
      ([part, hash]) => `${found[run]?.[part] === hash ? "same   " : "DIFFERS"}  ${run}: ${part}`,
    ),
  );
  console.log(lines.join("\n"));
  if (lines.some((line) => line.startsWith("DIFFERS"))) process.exitCode = 1;
}

type Hashes = Record<string, string>;

async function bitsOf(cli: string): Promise<Record<string, Hashes>> {
  const folder = mkdtempSync(join(tmpdir(), "telltale-bits-"));
  const telltale = (...words: readonly string[]): Buffer =>
    execFileSync(process.execPath, [cli, ...words, "--quiet"], {
      maxBuffer: 2 ** 28,
      stdio: ["ignore", "pipe", "inherit"],
    });
  try {
    const digits = join(folder, "digits.npy");
    writeFileSync(digits, firstDigits(2000));
    const sourceOf = (source: string): string => (source === "digits" ? digits : resolve(source));
    const found: Record<string, Hashes> = {};
    const runOf = (name: string): string => join(folder, name.replaceAll(/\W+/g, "-"));
    for (const [name, { source, options }] of Object.entries(runs)) {
      telltale("fit", sourceOf(source), ...options, "--seed", "3", "--out", runOf(name));
      found[name] = await hashesOf(runOf(name), sourceOf(source), telltale);
    }

    const resumed = "tell, a table, stopped and resumed";
    const { options } = runs["tell, a table"]!;
    await stopped(
      [cli, "fit", resolve(table), ...options, "--seed", "3", "--out", runOf(resumed), "--quiet"],
      runOf(resumed),
    );
    telltale("fit", "--resume", runOf(resumed));
    found[resumed] = await hashesOf(runOf(resumed), resolve(table), telltale);

    const streamed = runOf("dkm-p, a table");
    const lines = telltale("stream", streamed, resolve(table), "--batch", "50");
    found["dkm-p, a table, followed by a stream"] = {
      rows: sha256(lines),
      weights: sha256(readFileSync(join(streamed, "weights.safetensors"))),
    };
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function hashesOf(
  run: string,
  source: string,
  telltale: (...words: readonly string[]) => Buffer,
): Promise<Hashes> {
  const file = (name: string): Hashes => {
    const path = join(run, name);
    return existsSync(path) ? { [name]: sha256(readFileSync(path)) } : {};
  };
  telltale("export", run, "--target", "csv", "--out", `${run}.csv`);
  return {
    ...file("weights.safetensors"),
    ...file("clusters.json"),
    ...(await drawings(join(run, "decoder.onnx"))),
    "rows and map": sha256(readFileSync(`${run}.csv`)),
    "new rows": sha256(telltale("assign", run, source)),
    "an explanation": sha256(telltale("explain", run, "--row", "7", "--json")),
  };
}

/** What the decoder makes of three codes. Its bytes may change where its result does not. */
async function drawings(path: string): Promise<Hashes> {
  if (!existsSync(path)) return {};
  const device = await findDevice(devices, "cpu");
  const bytes = readFileSync(path);
  const session = await device.runtime.InferenceSession.create(bytes, device.options);
  const latent = Number(describeOnnx(bytes).inputs[0]!.shape[1]);
  const z = Float32Array.from({ length: 3 * latent }, (_, i) => Math.sin(i));
  const { x } = await session.run({ z: new device.runtime.Tensor("float32", z, [3, latent]) });
  await session.release();
  return { "what the decoder draws": sha256(new Uint8Array((x!.data as Float32Array).buffer)) };
}

/** Starts a command and interrupts it once it has written a checkpoint. */
async function stopped(words: readonly string[], run: string): Promise<void> {
  const child = spawn(process.execPath, words, { stdio: "ignore" });
  const ended = new Promise((over) => child.once("exit", over));
  const isBegun = (): boolean => existsSync(join(run, "checkpoint", "fit.safetensors"));
  while (!isBegun() && child.exitCode === null) await new Promise((later) => setTimeout(later, 5));
  child.kill("SIGINT");
  await ended;
}

/** The first of the digits that come along, as a .npy file. */
function firstDigits(count: number): Buffer {
  const bytes = gunzipSync(readFileSync("data/digits/images.npy.gz"));
  const start = 10 + bytes.readUInt16LE(8);
  const text = bytes.toString("latin1", 0, start - 1).replace("(10000,", `(${count},`);
  const header = `${text.padEnd(start - 1)}\n`;
  return Buffer.concat([Buffer.from(header, "latin1"), bytes.subarray(start, start + count * 28 * 28)]);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
