/**
 * What does following cost where nothing drifts? The default learns some rows; others of the same kind then arrive
 * once, in batches of 64, and `partialFit` follows them. The same model that stays as it is judges: the share of rows
 * to which both give the same cluster, as the rows arrive, and of all of them once the stream has ended. Below 99.5 %
 * following would cost more than half a point.
 *
 * DIGITS is a folder with images.npy.gz: 3,000 are learned and 3,000 others streamed. Of each table of TABLES (made by
 * bench/peers/tables.py) one half is learned and the other streamed. What has its line in OUT is not run again.
 *
 * usage: npm run -s bench -- follow [--digits data/digits] [--tables DIR --only NAME,NAME] [--seeds 1,2]
 *          [--set '{"effort":"quick"}'] [--out bench/results/follow.jsonl]
 */

import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Tensor } from "../src/doors/engine.ts";
import { decodeNpy } from "../src/doors/inside.ts";
import { fit } from "../src/doors/node.ts";
import type { Model } from "../src/model/model.ts";
import { Random } from "../src/tensor/random.ts";
import { takeRows, tensor } from "../src/tensor/tensor.ts";
import { commitOf } from "./commit.ts";
import { loadFolder } from "./data.ts";

const batch = 64;
const digitsLearned = 3000;

/** Rows, and how many clusters are asked for. */
interface Stream {
  readonly learned: Tensor<"float32">;
  readonly arriving: Tensor<"float32">;
  readonly clusters: number;
}

export async function follow(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      digits: { type: "string" },
      tables: { type: "string" },
      only: { type: "string", default: "" },
      seeds: { type: "string", default: "1" },
      set: { type: "string", default: "{}" },
      out: { type: "string", default: "bench/results/follow.jsonl" },
    },
  });
  const { digits, tables } = options;
  const names = options.only.split(",").filter(Boolean);
  if (!digits && !(tables && names.length > 0)) {
    throw new Error("bench: say with --digits, or with --tables and --only, which rows are streamed");
  }
  const streams: [string, (random: Random) => Promise<Stream>][] = [
    ...(digits ? [["digits", () => digitsOf(digits)] as [string, () => Promise<Stream>]] : []),
    ...names.map((name): [string, (random: Random) => Promise<Stream>] => [
      name,
      (random) => halvesOf(join(tables!, name), random),
    ]),
  ];
  const set = JSON.parse(options.set) as Record<string, unknown>;
  for (const [name, streamed] of streams) {
    for (const seed of options.seeds.split(",").map(Number)) {
      const cell = [name, ...(set.effort ? [set.effort] : []), seed].join("/");
      if ((await readFile(options.out, "utf8").catch(() => "")).includes(`"cell":"${cell}"`)) continue;
      const stream = await streamed(Random.seeded(seed).fork("stream"));
      const model = await fit(stream.learned, { clusters: stream.clusters, seed, device: "cpu", ...set });
      const { centers, network } = model.fit.taught!;
      const found = { ...(await followed(model, stream)), centers, network: network ?? "pretrained" };
      await model.close();
      const about = { commit: commitOf(), command: `bench follow --set ${options.set} --seeds ${seed}` };
      await appendFile(options.out, `${JSON.stringify({ cell, ...found, ...about })}\n`);
      console.log(`${cell.padEnd(24)} ${JSON.stringify(found)}`);
    }
  }
}

async function followed(model: Model, { arriving }: Stream) {
  const frozen = await model.predict(arriving);
  const n = frozen.length;
  const said: number[] = [];
  for (let at = 0; at < n; at += batch) {
    const rows = Int32Array.from({ length: Math.min(batch, n - at) }, (_, i) => at + i);
    said.push(...(await model.partialFit(takeRows(arriving, rows))).labels);
  }
  const after = await model.predict(arriving);
  const same = (labels: ArrayLike<number>): number => frozen.filter((label, i) => label === labels[i]).length / n;
  return { rows: n, whileArriving: same(said), afterwards: same(after) };
}

async function digitsOf(folder: string): Promise<Stream> {
  const { shape, data } = await decodeNpy(await readFile(join(folder, "images.npy.gz")));
  const [, height, width] = shape as [number, number, number];
  const row = [1, height, width];
  const pixels = height * width;
  const images = (from: number): Tensor<"float32"> => {
    const bytes = (data as Uint8Array).subarray(from * pixels, (from + digitsLearned) * pixels);
    return tensor(
      "float32",
      [digitsLearned, ...row],
      Float32Array.from(bytes, (value) => value / 255),
    );
  };
  return { learned: images(0), arriving: images(digitsLearned), clusters: 10 };
}

async function halvesOf(folder: string, random: Random): Promise<Stream> {
  const { data, labels, classes: clusters } = await loadFolder(folder);
  const order = random.permutation(labels.length);
  const half = Math.floor(order.length / 2);
  const rows = data.tensor as Tensor<"float32">;
  return { learned: takeRows(rows, order.subarray(0, half)), arriving: takeRows(rows, order.subarray(half)), clusters };
}
