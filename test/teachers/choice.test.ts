/** The choice of a teacher without labels, and what it is made of. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shareScale } from "../../src/data/sharedScale.ts";
import { ari } from "../../src/metrics/ari.ts";
import { neighbourGraph } from "../../src/numerics/neighbours/neighbourGraph.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { agree, chooseTeacher, sideBySide, type View } from "../../src/teachers/choice.ts";
import { sharedNeighbours } from "../../src/teachers/neighbourhood.ts";
import { togethernessOf } from "../../src/teachers/togetherness.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { blobs } from "../support/blobs.ts";
import { manyRows, moons, rings, sticks } from "./shapes.ts";

const pace = paceOf(undefined);
const lessonOf = (clusters: number, seed = 1) => ({ clusters, random: Random.seeded(seed), pace });
const rowsView = (rows: Tensor<"float32">): View => ({ name: "rows", codes: [rows] });

/** Codes that say nothing: numbers drawn at random. */
const noise = (n: number, seed: number) =>
  tensor(
    "float32",
    [n, 3],
    Random.seeded(seed)
      .normals(3 * n)
      .slice(),
  );

describe("chooseTeacher", () => {
  it("takes the simplest for round clusters", async () => {
    const { rows, labels } = blobs();
    const choice = await chooseTeacher([rowsView(rows)], lessonOf(3));
    expect(choice.teacher).toBe("kmeans");
    expect(ari(labels, choice.partition.labels)).toBe(1);
  });

  it("takes a teacher that follows neighbours for moons and rings", async () => {
    for (const { rows, labels } of [moons(), rings()]) {
      const choice = await chooseTeacher([rowsView(rows)], lessonOf(2));
      expect(["balanced-votes", "spectral", "manifold"]).toContain(choice.teacher);
      expect(ari(labels, choice.partition.labels)).toBe(1);
    }
  });

  it("takes a mixture for long thin clusters", async () => {
    const { rows, labels } = sticks();
    const choice = await chooseTeacher([rowsView(rows)], lessonOf(3));
    expect(choice.teacher).toBe("mixture");
    expect(ari(labels, choice.partition.labels)).toBeGreaterThan(0.98);
  });

  it("takes codes where rows say nothing, and rows where codes do not", async () => {
    const { rows, labels } = blobs();
    const byCodes = await chooseTeacher([rowsView(noise(120, 3)), { name: "codes", codes: [rows] }], lessonOf(3));
    expect(byCodes.view).toBe(1);
    expect(ari(labels, byCodes.partition.labels)).toBe(1);
    const codes = [noise(120, 1), noise(120, 2)];
    const byRows = await chooseTeacher([rowsView(rows), { name: "codes", codes }], lessonOf(3));
    expect(byRows.view).toBe(0);
    expect(ari(labels, byRows.partition.labels)).toBe(1);
  });

  it("finds clusters of very unequal size, though halves of the larger one would be more modular", async () => {
    const isFar = (at: number) => at < 90;
    const data = noise(320, 4)
      .data.slice(0, 640)
      .map((value, at) => value + (isFar(at) ? 12 : 0));
    const labels = Int32Array.from({ length: 320 }, (_, i) => (isFar(2 * i) ? 0 : 1));
    const views = [rowsView(tensor("float32", [320, 2], data)), { name: "codes", codes: [noise(320, 5)] }];
    const { view, partition } = await chooseTeacher(views, lessonOf(2));
    expect(view).toBe(0);
    expect(ari(labels, partition.labels)).toBe(1);
  });

  it("takes the pretraining that has learned something", async () => {
    const { rows, labels } = blobs(120, { deviation: 0.1 });
    const codes = [noise(120, 1), rows];
    const choice = await chooseTeacher([{ name: "codes", codes }], lessonOf(3));
    expect(choice.pretraining).toBe(1);
    expect(ari(labels, choice.partition.labels)).toBeGreaterThan(0.9);
  });

  it("divides codes of several pretrainings side by side: of k clusters each of them may hide one", async () => {
    // Four corners of a square; one pretraining has kept the first coordinate, the other the second.
    const corner = Int32Array.from({ length: 200 }, (_, i) => i % 4);
    const near = Random.seeded(8).normals(400);
    const kept = (bit: number) =>
      tensor(
        "float32",
        [200, 1],
        Float32Array.from(corner, (label, i) => 10 * ((label >> bit) & 1) + near[2 * i + bit]!),
      );
    const { partition } = await chooseTeacher([{ name: "codes", codes: [kept(0), kept(1)] }], lessonOf(4));
    expect(ari(corner, partition.labels)).toBe(1);
  });

  it("asks k-means alone where pretrainings do not agree on neighbours, and says so", async () => {
    const { rows } = moons();
    const same: View = { name: "codes", codes: [rows, rows] };
    const trusted = await chooseTeacher([same], lessonOf(2));
    expect(trusted.tried.length).toBeGreaterThan(1);
    expect(await agree(same.codes, lessonOf(2))).toBe(true);
    const other = noise(rows.shape[0]!, 6);
    const strange = await chooseTeacher([{ name: "codes", codes: [rows, other] }], lessonOf(2));
    expect(strange.tried.map(({ teacher }) => teacher)).toEqual(["kmeans"]);
    expect(strange.reason).toMatch(/pretrainings agree on \d+\.\d % of a row's neighbours only/);
    expect(await agree([rows, other], lessonOf(2))).toBe(false);
  });

  it("says why in a sentence, and what was tried", async () => {
    const { reason, tried, teacher } = await chooseTeacher([rowsView(moons().rows)], lessonOf(2));
    expect(reason).toContain(`${teacher} of rows`);
    expect(tried.map((one) => one.teacher)).toEqual([...new Set(tried.map((one) => one.teacher))]);
    for (const { score, error } of tried) {
      expect(score).toBeLessThanOrEqual(1);
      expect(error).toBeGreaterThanOrEqual(0);
    }
  });

  it("gives the same bits for the same seed, however often was drawn before", async () => {
    const { rows } = sticks();
    const once = await chooseTeacher([rowsView(rows)], lessonOf(3));
    const lesson = lessonOf(3);
    lesson.random.normals(7);
    expect(await chooseTeacher([rowsView(rows)], lesson)).toEqual(once);
  });

  it("looks at wide rows along their principal axes", async () => {
    const { rows } = blobs();
    const wide = tensor(
      "float32",
      [120, 400],
      Float32Array.from({ length: 120 * 400 }, (_, at) => rows.data[Math.floor(at / 400) * 4 + (at % 4)]!),
    );
    const { partition } = await chooseTeacher([rowsView(wide)], lessonOf(3));
    expect(ari(blobs().labels, partition.labels)).toBe(1);
  });

  it.each([
    ["one row", fromNumbers("float32", [1, 2], [3, 4]), 3, [0]],
    ["one cluster", fromNumbers("float32", [3, 1], [1, 5, 9]), 1, [0, 0, 0]],
    ["equal rows", fromNumbers("float32", [4, 1], [2, 2, 2, 2]), 3, [0, 0, 0, 0]],
    ["fewer different rows than clusters", fromNumbers("float32", [5, 1], [1, 7, 1, 7, 7]), 4, [0, 1, 0, 1, 1]],
    ["two rows", fromNumbers("float32", [2, 1], [1, 7]), 2, [0, 1]],
  ])("has an answer for %s, by the simplest", async (_, rows, clusters, labels) => {
    const choice = await chooseTeacher([rowsView(rows), { name: "codes", codes: [rows, rows] }], lessonOf(clusters));
    expect([...choice.partition.labels]).toEqual(labels);
    expect([choice.view, choice.teacher]).toEqual([0, "kmeans"]);
  });

  it("ends where the signal was aborted", async () => {
    const controller = new AbortController();
    const aborted = chooseTeacher([rowsView(manyRows(3000).rows)], { ...lessonOf(3), pace: paceOf(controller.signal) });
    controller.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
  });

  it("refuses views of different rows, and none", async () => {
    const views = [rowsView(blobs(12).rows), { name: "codes", codes: [blobs(15).rows] }];
    await expect(chooseTeacher(views, lessonOf(3))).rejects.toThrow(
      "choice: views must be of the same rows, got 12 and 15",
    );
    await expect(chooseTeacher([], lessonOf(3))).rejects.toThrow("choice: there must be a view at least");
    await expect(chooseTeacher([{ name: "codes", codes: [] }], lessonOf(3))).rejects.toThrow("each with rows");
  });
});

describe("sideBySide", () => {
  it("gives each set of codes a spread of 1, so that all weigh alike", () => {
    // Of 0 and 2 in two columns the variances are 1 and 1, the spread √2; of ±30 it is 30.
    const [one, other] = [fromNumbers("float32", [2, 2], [0, 0, 2, 2]), fromNumbers("float32", [2, 1], [-30, 30])];
    const { shape, data } = sideBySide([one, other]);
    expect(shape).toEqual([2, 3]);
    [0, 0, -1, Math.SQRT2, Math.SQRT2, 1].forEach((value, at) => {
      expect(data[at]).toBeCloseTo(value, 6);
    });
  });
});

describe("sharedNeighbours", () => {
  it("is the share of one's neighbours that the other has too", () => {
    const near = (...rows: number[]) => ({ count: 2, rows: Int32Array.from(rows), distances: new Float64Array(6) });
    expect(sharedNeighbours(near(1, 2, 0, 2, 0, 1), near(2, 1, 0, 2, 1, 0))).toBe(1);
    expect(sharedNeighbours(near(1, 2, 0, 2, 0, 1), near(1, 3, 3, 4, 3, 4))).toBeCloseTo(1 / 6, 12);
  });
});

describe("togetherness", () => {
  // Three rows 0–1–2 in a chain, 2–3 with half a weight, and 3–4.
  const graph = {
    starts: Int32Array.of(0, 1, 3, 5, 7, 8),
    rows: Int32Array.of(1, 0, 2, 1, 3, 2, 4, 3),
    weights: Float64Array.of(1, 1, 1, 1, 0.5, 0.5, 1, 1),
  };

  it("association: the share of each cluster's ties that it keeps, the mean; modularity: what is more than chance", () => {
    // Of 7 ends, 4.5 are in the first cluster and 4 of them are kept, 2.5 in the second and 2 are kept.
    const { association, modularity } = togethernessOf(graph, [0, 0, 0, 1, 1]);
    expect(association).toBeCloseTo((4 / 4.5 + 2 / 2.5) / 2, 12);
    expect(modularity).toBeCloseTo(6 / 7 - (4.5 / 7) ** 2 - (2.5 / 7) ** 2, 12);
  });

  it("one cluster keeps all and is no more than chance; rows without neighbours are nothing at all", () => {
    expect(togethernessOf(graph, [0, 0, 0, 0, 0])).toEqual({ association: 1, modularity: 0 });
    const empty = { starts: Int32Array.of(0), rows: new Int32Array(0), weights: new Float64Array(0) };
    expect(togethernessOf(empty, [0])).toEqual({ association: 0, modularity: 0 });
  });

  it("does not care how clusters are called, and counts no cluster of rows that belong to none", async () => {
    const near = { count: 1, rows: Int32Array.of(1, 0, 3, 2), distances: new Float64Array(4) };
    const some = await neighbourGraph(near, pace);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }), (labels) => {
        const renamed = labels.map((label) => 7 - 2 * label);
        expect(togethernessOf(some, renamed)).toEqual(togethernessOf(some, labels));
      }),
    );
    expect(togethernessOf(some, [0, 0, -1, -1])).toEqual({ association: 1, modularity: 0.25 });
  });
});

describe("shareScale", () => {
  it("holds for columns of one kind: pixels, of which some are almost always 0, and centimetres", () => {
    expect(shareScale([0, 0, 0], [16, 15, 9])).toBe(true);
    expect(shareScale([4.3, 2, 1, 0.1], [7.9, 4.4, 6.9, 2.5])).toBe(true);
    const corners = Array.from({ length: 64 }, (_, i) => (i < 6 ? 1 : 255));
    expect(shareScale(new Float64Array(64), corners)).toBe(true);
  });

  it("does not hold for columns of different units", () => {
    expect(shareScale([32, 13, 172, 2700], [60, 22, 231, 6300])).toBe(false);
    expect(shareScale([0, 0], [1, 100])).toBe(false);
  });

  it("asks neither constant columns nor which zero a column has", () => {
    expect(shareScale([5, 0, 1000], [5, 1, 1001])).toBe(true);
    expect(shareScale([3, 4], [3, 4])).toBe(true);
    expect(shareScale([], [])).toBe(true);
  });
});
