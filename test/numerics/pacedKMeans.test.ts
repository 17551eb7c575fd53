import { expect, it } from "vitest";
import { metrics } from "../../src/metrics/index.ts";
import { lloyd } from "../../src/numerics/kmeans.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { pacedKMeans } from "../../src/numerics/pacedKMeans.ts";
import { Random } from "../../src/tensor/random.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";

it("of few rows keeps the best of its starts", async () => {
  const { rows } = blobs(200, { deviation: 0.4 });
  const best = async (restarts: number) =>
    (await pacedKMeans(rows, 8, { restarts, random: Random.seeded(1), pace: paceOf(undefined) })).inertia;
  expect(await best(8)).toBeLessThan(await best(1));
});

it("of many rows ends where no center moves on all of them", async () => {
  const { rows, labels } = blobs(24_000, { deviation: 0.1 });
  const found = await pacedKMeans(rows, 3, { restarts: 2, random: Random.seeded(1), pace: paceOf(undefined) });
  expect(metrics.accuracy.score(labels, found.labels)).toBeGreaterThan(0.999);
  expectClose([lloyd(rows, found.centers, { iterations: 1 }).inertia], [found.inertia], 1e-6);
});

it("gives a turn between its starts and between its iterations", async () => {
  let turns = 0;
  const pace = async (): Promise<void> => {
    turns++;
  };
  await pacedKMeans(blobs(24_000).rows, 3, { restarts: 4, random: Random.seeded(1), pace });
  expect(turns).toBeGreaterThan(4);
});
