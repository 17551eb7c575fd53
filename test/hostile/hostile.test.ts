/** Whoever means harm: what once hurt or could have, tried again, and a share of `npm run -s bench -- hostile`. */

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inputOf } from "../../bench/hostile/generate.ts";
import { attacked, laneFor } from "../../bench/hostile/hostile.ts";
import { asJson, canMount, type Input } from "../../bench/hostile/input.ts";
import type { Lane } from "../../bench/hostile/lane.ts";
import { faultKinds, faultsIn, type Outcome } from "../../bench/hostile/outcome.ts";
import { makeSamples } from "../../bench/hostile/samples.ts";

const folder = new URL("./cases/", import.meta.url);
const command = new URL("../../dist/src/cli/main.js", import.meta.url).pathname;
const cases = await Promise.all(
  (await readdir(folder)).sort().map(async (name) => {
    const input = JSON.parse(await readFile(new URL(name, folder), "utf8")) as Input;
    return [name.replace(".json", ""), input] as const;
  }),
);

let samples: string;
let lanes: Lane[] = [];
beforeAll(async () => {
  samples = await mkdtemp(join(tmpdir(), "telltale-samples-"));
  await makeSamples(samples, command);
  lanes = [laneFor(samples), laneFor(samples)];
}, 240_000);
afterAll(async () => {
  for (const lane of lanes) await lane.close();
  await rm(samples, { recursive: true, force: true });
});

/** Two at a time, each lane one after another. */
const waiting: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
function tried(input: Input, lane: 0 | 1): Promise<Outcome> {
  const outcome = waiting[lane]!.then(() => lanes[lane]!.tried(input));
  waiting[lane] = outcome.catch(() => {});
  return outcome;
}

/** Small disks and devices are made by whoever may. */
const needsRoot = ({ around, files }: Input): boolean =>
  around?.disk !== undefined ||
  Object.values(files).some((content) => typeof content === "object" && "device" in content);

for (const [i, [name, input]] of cases.entries()) {
  test(`${name}: ${input.what}`, { concurrent: true, skip: needsRoot(input) && !canMount }, async () => {
    const outcome = await tried(input, i % 2 === 0 ? 0 : 1);
    expect(faultsIn(input, outcome), outcome.err).toEqual([]);
    if (input.expect?.code) expect(input.expect.code, outcome.err).toContain(outcome.code);
    if (input.expect?.says) expect(outcome.err).toContain(input.expect.says);
  });
}

test("a hundred inputs, ten of them through the command: no signal, no stack, no hang, no memory, no foreign file, no half output", async () => {
  const { numbers, found } = await attacked(samples, { inputs: 100, command: 10, seed: 1, seconds: 15 });
  expect(found.map(({ seed, what, kind, detail }) => `--case ${seed}: ${what}: ${kind}: ${detail}`)).toEqual([]);
  expect(Object.keys(numbers)).toEqual(["inputs", "through the command", ...faultKinds]);
  expect(numbers.inputs).toBeGreaterThan(10);
});

test("a seed is an input: the same one again, another one for another", async () => {
  const texts: string[] = [];
  for (let seed = 0; seed < 40; seed++) {
    const text = asJson(await inputOf(seed, samples));
    expect(asJson(await inputOf(seed, samples))).toBe(text);
    texts.push(text);
  }
  expect(new Set(texts).size).toBe(40);
});
