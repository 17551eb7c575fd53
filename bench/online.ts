/**
 * Does following a stream help? (TELL §4.4, Table 5 †)
 *
 * The first 1,000 digits of MNIST's test split place ten centers by k-means; then the 60,000 training digits arrive
 * once, in batches of 64, and each batch is labelled before anything moves. Frozen k-means keeps its centers, the
 * others follow. The same start for all. The stream comes as it is, or drifts from its first digit to its last: digits
 * turn by 60°, shrink to 60 %, or the share of the classes shifts from mostly low digits to mostly high ones (labels
 * build that stream; nobody who clusters sees them).
 *
 * Every line goes into OUT as JSON; a stream and seed that has its line is not run again.
 *
 * usage: npm run -s bench -- online --data DIR [--seeds N] [--out FILE]
 */

import { appendFile, readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { Random, type Tensor } from "../src/doors/engine.ts";
import { devices, findDevice, fit, tensor } from "../src/doors/inside.ts";
import { metrics } from "../src/doors/metrics.ts";
import { commitOf } from "./commit.ts";
import { load } from "./data.ts";

const side = 28;
const pixels = side * side;
const batch = 64;

/** From a digit, its place in the stream (0 to 1) and its label to what arrives; streams choose their order too. */
interface Stream {
  order(labels: Int32Array, random: Random): Int32Array;
  picture(digit: Float32Array, at: number): Float32Array;
}

const asItComes = (labels: Int32Array, random: Random): Int32Array => random.permutation(labels.length);

const streams: Readonly<Record<string, Stream>> = {
  steady: { order: asItComes, picture: (digit) => digit },
  rotated: { order: asItComes, picture: (digit, at) => transformed(digit, (at * Math.PI) / 3, 1) },
  shrunk: { order: asItComes, picture: (digit, at) => transformed(digit, 0, 1 - 0.4 * at) },
  reweighted: { order: shifting, picture: (digit) => digit },
};

export async function online(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      data: { type: "string" },
      seeds: { type: "string", default: "5" },
      out: { type: "string", default: "bench/results/online.jsonl" },
    },
  });
  if (!options.data) throw new Error("bench: say with --data where the data sets are");
  const device = await findDevice(devices, "cpu");
  const [first, stream] = [await load(options.data, "mnist-test"), await load(options.data, "mnist-train")];
  const start = tensor("float32", [1000, pixels], first.data.tensor!.data.slice(0, 1000 * pixels));
  const done = await readFile(options.out, "utf8").catch(() => "");
  for (const [name, kind] of Object.entries(streams)) {
    for (let seed = 1; seed <= Number(options.seeds); seed++) {
      if (done.includes(`"stream":"${name}","seed":${seed},`)) continue;
      const random = Random.seeded(seed).fork(name);
      const order = kind.order(stream.labels, random);
      const truth = order.map((row) => stream.labels[row]!);
      const scores: Record<string, number> = {};
      for (const method of ["tell", "kmeans"] as const) {
        const model = await fit(start, {
          clusters: 10,
          method,
          seed,
          device,
          network: "none",
          code: "unit",
          start: "kmeans",
          epochs: 0,
          restarts: 1,
          ...(method === "kmeans" && { spherical: true }),
        });
        const labels: number[] = [];
        for (let at = 0; at < order.length; at += batch) {
          const rows = arriving(stream.data.tensor!, order, at, kind);
          labels.push(...(method === "tell" ? (await model.partialFit(rows)).labels : await model.predict(rows)));
        }
        const found = Int32Array.from(labels);
        scores[method] = metrics.accuracy.score(truth, found);
        scores[`${method} nmi`] = metrics.nmi.score(truth, found);
        scores[`${method} ari`] = metrics.ari.score(truth, found);
        const last = Math.floor(0.75 * order.length);
        scores[`${method} last quarter`] = metrics.accuracy.score(truth.slice(last), found.slice(last));
        await model.close();
      }
      const line = JSON.stringify({ stream: name, seed, ...scores, commit: commitOf(), command: "bench online" });
      await appendFile(options.out, `${line}\n`);
      console.log(line);
    }
  }
}

function arriving(all: Tensor<"float32">, order: Int32Array, at: number, { picture }: Stream): Tensor<"float32"> {
  const rows = order.subarray(at, at + batch);
  const data = new Float32Array(rows.length * pixels);
  rows.forEach((row, i) => {
    const digit = all.data.subarray(row * pixels, (row + 1) * pixels);
    data.set(picture(digit, (at + i) / order.length), i * pixels);
  });
  return tensor("float32", [rows.length, pixels], data);
}

/** Turned by an angle and scaled about the middle, with bilinear interpolation. */
function transformed(digit: Float32Array, angle: number, scale: number): Float32Array {
  const middle = (side - 1) / 2;
  const [cos, sin] = [Math.cos(angle) / scale, Math.sin(angle) / scale];
  const value = (x: number, y: number): number => (x < 0 || y < 0 || x >= side || y >= side ? 0 : digit[y * side + x]!);
  return Float32Array.from(digit, (_, at) => {
    const [dx, dy] = [(at % side) - middle, Math.floor(at / side) - middle];
    const [x, y] = [cos * dx + sin * dy + middle, -sin * dx + cos * dy + middle];
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [right, down] = [x - left, y - top];
    const upper = (1 - right) * value(left, top) + right * value(left + 1, top);
    const lower = (1 - right) * value(left, top + 1) + right * value(left + 1, top + 1);
    return (1 - down) * upper + down * lower;
  });
}

/**
 * Low digits come early, high ones late: a row's place is its class plus a random number six classes wide, in order.
 */
function shifting(labels: Int32Array, random: Random): Int32Array {
  const keys = random.uniforms(labels.length, 0, 6).map((u, i) => labels[i]! + u);
  return Int32Array.from(keys, (_, i) => i).sort((a, b) => keys[a]! - keys[b]!);
}
