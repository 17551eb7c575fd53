/** What once hurt, or could have: each stored case is tried again, and must do no harm. */

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { laneFor } from "../../bench/hostile/hostile.ts";
import { canMount, type Input } from "../../bench/hostile/input.ts";
import type { Lane } from "../../bench/hostile/lane.ts";
import { faultsIn } from "../../bench/hostile/outcome.ts";
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
let lane: Lane;
beforeAll(async () => {
  samples = await mkdtemp(join(tmpdir(), "telltale-samples-"));
  await makeSamples(samples, command);
  lane = laneFor(samples);
});
afterAll(async () => {
  await lane.close();
  await rm(samples, { recursive: true, force: true });
});

/** Small disks and devices are made by whoever may. */
const needsRoot = ({ around, files }: Input): boolean =>
  around?.disk !== undefined ||
  Object.values(files).some((content) => typeof content === "object" && "device" in content);

for (const [name, input] of cases) {
  test.skipIf(needsRoot(input) && !canMount)(`${name}: ${input.what}`, async () => {
    const outcome = await lane.tried(input);
    expect(faultsIn(input, outcome), outcome.err).toEqual([]);
    if (input.expect?.code) expect(input.expect.code, outcome.err).toContain(outcome.code);
    if (input.expect?.says) expect(outcome.err).toContain(input.expect.says);
  });
}
