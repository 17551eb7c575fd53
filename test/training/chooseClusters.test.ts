import { expect, test } from "vitest";
import { Random } from "../../src/tensor/random.ts";
import { tensor } from "../../src/tensor/tensor.ts";
import { chooseClusters, looksLikeOneCloud, usualRange } from "../../src/training/chooseClusters.ts";

const cloud = tensor("float32", [200, 3], Random.seeded(1).normals(600));
const three = tensor(
  "float32",
  [200, 3],
  cloud.data.map((value, at) => value + (Math.floor(at / 3) % 3 === at % 3 ? 12 : 0)),
);

test("the usual range is from one cloud to 15 clusters, and to no more than the square root of the rows", () => {
  expect(usualRange(10_000)).toEqual([1, 15]);
  expect(usualRange(100)).toEqual([1, 10]);
  expect(usualRange(2)).toEqual([1, 2]);
});

test("groups are counted, and the reason says what shows them", async () => {
  const told: number[] = [];
  const { chosen, reason, between, tried } = await chooseClusters([three], [1, 6], 1, {
    onTried: (done, total) => told.push(done / total),
  });
  expect({ chosen, between }).toEqual({ chosen: 3, between: [3, 3] });
  expect(reason).toMatch(/^3 clusters: .*prediction strength (1\.00|0\.9\d)/);
  expect(tried.map(({ clusters }) => clusters)).toEqual([2, 3, 4, 5, 6]);
  expect(tried[1]!.scores).toMatchObject({ predictionStrength: expect.any(Number), cloudHigh: expect.any(Number) });
  expect(told.at(-1)).toBe(1);
});

test("one cloud is one cluster where the number was left open, and the best of a range that does not hold 1", async () => {
  const open = await chooseClusters([cloud], [1, 5], 1);
  expect(open.chosen).toBe(1);
  expect(open.reason).toMatch(/^one cloud: of 2 to 5 clusters, none are groups/);
  const ranged = await chooseClusters([cloud], [3, 5], 1);
  expect(ranged.chosen).toBeGreaterThanOrEqual(3);
  expect(ranged.between).toEqual([1, 1]);
  expect(ranged.reason).toMatch(/^one cloud: .*; \d taken, which hold together best/);
});

test("of several views the one that shows most groups decides", async () => {
  expect((await chooseClusters([cloud, three], [1, 5], 1)).chosen).toBe(3);
  expect((await chooseClusters([three, cloud], [1, 5], 1)).chosen).toBe(3);
});

test("what codes part must lie apart among the rows as well, where these have few columns", async () => {
  expect((await chooseClusters([{ codes: three, rows: three }], [1, 5], 1)).chosen).toBe(3);
  expect((await chooseClusters([{ codes: three, rows: cloud }], [1, 5], 1)).chosen).toBe(1);
  const wide = tensor("float32", [cloud.shape[0]!, 11], Random.seeded(5).normals(11 * cloud.shape[0]!));
  expect((await chooseClusters([{ codes: three, rows: wide }], [1, 5], 1)).chosen, "they say nothing").toBe(3);
});

test("a view that shows one number of groups and no other may be the last, and then nobody makes the next", async () => {
  let made = 0;
  async function* views() {
    for (const view of [cloud, three, cloud]) {
      made++;
      yield view;
    }
  }
  expect((await chooseClusters(views(), [1, 5], 1, { untilClear: true })).chosen).toBe(3);
  expect(made, "one cloud is no clear answer").toBe(2);
});

test("rows too few to tell are one cloud, or as many as the range begins with", async () => {
  const few = tensor("float32", [4, 2], Random.seeded(1).normals(8));
  expect(await chooseClusters([few], [1, 2], 1)).toMatchObject({
    chosen: 1,
    reason: expect.stringMatching(/too few rows/),
  });
  expect((await chooseClusters([few], [2, 3], 1)).chosen).toBe(2);
});

test("there are no more clusters than different rows, and none is looked for beyond them", async () => {
  // Two columns of yes and no: four different rows, some of them rare, as of a table of categories alone.
  const answers = tensor(
    "float32",
    [200, 2],
    Random.seeded(1)
      .uniforms(400)
      .map((value) => (value < 0.4 ? 1 : 0)),
  );
  const few = await chooseClusters([answers], [1, 14], 1);
  expect(few.tried.map(({ clusters }) => clusters)).toEqual([2, 3, 4]);
  expect(few).toMatchObject({ chosen: 4, between: [4, 4] });
  expect(few.reason).toBe("4 clusters: of the rows that were looked at 4 are different, and each is one");
  const same = tensor("float32", [50, 2], new Float32Array(100).fill(3));
  expect(await chooseClusters([same], [1, 7], 1)).toMatchObject({
    chosen: 1,
    reason: "one cluster: the rows that were looked at are all the same",
  });
});

test("where a number was given, rows that are one cloud are known for it", async () => {
  expect(await looksLikeOneCloud(cloud, 4, 1)).toBe(true);
  expect(await looksLikeOneCloud(three, 9, 1)).toBe(false);
});

test("a signal that was aborted ends the search", async () => {
  await expect(chooseClusters([three], [1, 5], 1, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
});

test("left open, it goes on past its end while that pays, and says so where the last that was tried is the best", async () => {
  const random = Random.seeded(3);
  const places = random.normals(8 * 3).map((value) => 20 * value);
  const eight = tensor(
    "float32",
    [240, 3],
    random.normals(720).map((value, at) => 0.5 * value + places[3 * (Math.floor(at / 3) % 8) + (at % 3)]!),
  );
  // As 1 to 15 would be for twenty of them: no number up to 5 holds together.
  const open = await chooseClusters([eight], [1, 5], 1);
  expect([open.chosen, open.tried.at(-1)!.clusters]).toEqual([8, 10]);
  expect(open.reason).not.toContain("may be more");
  // One cloud is known for it without a look at more.
  expect((await chooseClusters([cloud], [1, 5], 1)).tried.at(-1)!.clusters).toBe(5);
  // A range that a person has given is not left.
  const ranged = await chooseClusters([three], [2, 3], 1);
  expect(ranged.reason).toMatch(
    /^3 clusters: .*; they are the most that were tried, so that there may be more: --clusters 3-6$/,
  );
});
