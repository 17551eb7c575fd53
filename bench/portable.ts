/**
 * Does model.onnx say elsewhere what it says here? Python's onnxruntime labels 10,000 rows of two runs, digits and a
 * table, and a real table of which HDBSCAN has taught the clusters.
 *
 * usage: npm run -s bench -- portable [--out bench/results/portable.json]      (needs python3 with onnxruntime, numpy
 * and scikit-learn)
 */

import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { encodeNpy, Random } from "../src/doors/engine.ts";
import { fitRun, type Run, tensor } from "../src/doors/inside.ts";
import { commitOf } from "./commit.ts";

const brief = { pretraining: 2, epochs: 2, restarts: 1 };

export async function portable(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: { out: { type: "string", default: "bench/results/portable.json" } },
  });
  const folder = await mkdtemp(join(tmpdir(), "telltale-portable-"));
  try {
    const table = join(folder, "table.csv");
    await writeFile(table, tableOf(10_000));
    const digits = fileURLToPath(new URL("../../data/digits/images.npy.gz", import.meta.url));
    const results: Record<string, unknown> = {};
    for (const [name, source, method] of [
      ["digits", digits, "tell"],
      ["table", table, "dkm-p"],
    ] as const) {
      const run = await fitRun(source, { out: join(folder, name), clusters: 10, method, options: brief, map: false });
      results[name] = await agreement(run, folder);
    }
    const script = peer("hdbscan_labels.py");
    const by = execFileSync("python3", [script, folder], { encoding: "utf8" }).trim();
    const teacher = join(folder, "labels.csv");
    const run = await fitRun(join(folder, "flowers.csv"), { out: join(folder, "taught"), teacher, map: false });
    const { names, held } = run.description.result.taught!;
    results.hdbscan = { by, names, held, ...(await agreement(run, folder)) };
    const record = { ...results, commit: commitOf(), command: "bench portable" };
    await writeFile(options.out, `${JSON.stringify(record, null, 2)}\n`);
    console.log(JSON.stringify(record, null, 2));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function peer(name: string): string {
  return fileURLToPath(new URL(`../../bench/peers/${name}`, import.meta.url));
}

async function agreement(run: Run, folder: string): Promise<Record<string, unknown>> {
  const [model, rows] = [await run.model(), await run.rows()];
  const { labels, probabilities } = await model.assign(rows.data);
  await writeFile(join(folder, "x.npy"), encodeNpy(rows.data.tensor!));
  await writeFile(join(folder, "labels.npy"), encodeNpy(tensor("int32", [labels.length], labels)));
  await writeFile(join(folder, "probabilities.npy"), encodeNpy(probabilities));
  await model.close();
  const given = [peer("onnx_agreement.py"), join(run.path, "model.onnx"), folder];
  return JSON.parse(execFileSync("python3", given, { encoding: "utf8" }));
}

/** Ten groups in columns of very different units. */
function tableOf(rows: number): string {
  const random = Random.seeded(1);
  const units = [1000, 1, 0.01, 50, 300, 7];
  const centers = random.normals(10 * units.length);
  const noise = random.normals(rows * units.length);
  const line = (i: number): string =>
    units
      .map((unit, c) => unit * (10 + 4 * centers[(i % 10) * units.length + c]! + noise[i * units.length + c]!))
      .join();
  return `${units.map((_, c) => `f${c}`).join()}\n${Array.from({ length: rows }, (_, i) => line(i)).join("\n")}\n`;
}
