/**
 * How good is the demo, and how long does it take? The demo's own seed is 1, whatever it gives; here are others beside
 * it.
 *
 * usage: npm run -s bench -- demo [--seeds 1,2,3,4,5] [--out bench/results/demo.json]
 */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { demoRun } from "../src/doors/inside.ts";
import { commitOf } from "./commit.ts";

export async function demo(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      seeds: { type: "string", default: "1,2,3,4,5" },
      out: { type: "string", default: "bench/results/demo.json" },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), "telltale-demo-"));
  const runs: { seed: number; accuracy: number; seconds: number }[] = [];
  try {
    for (const seed of options.seeds.split(",").map(Number)) {
      const started = performance.now();
      const { accuracy } = await demoRun({ out: join(folder, String(seed)), seed });
      runs.push({ seed, accuracy, seconds: Math.round((performance.now() - started) / 1000) });
      console.error(`demo: seed ${seed}: ACC ${(100 * accuracy).toFixed(1)} in ${runs.at(-1)!.seconds} s`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const mean = runs.reduce((sum, { accuracy }) => sum + accuracy, 0) / runs.length;
  const result = { mean, runs, commit: commitOf(), command: `bench demo --seeds ${options.seeds}` };
  await writeFile(options.out, `${JSON.stringify(result, null, 2)}\n`);
  console.log(JSON.stringify(result, null, 2));
}
