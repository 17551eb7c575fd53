/** Everybody that the papers compare with is here (the augmentation group, IIC to DivClust, aside). */

import { describe, expect, it } from "vitest";
import { methodOf, oursOf } from "../../../src/methods/methodOf.ts";
import { plainMultiply } from "../../../src/numerics/matrix.ts";
import { paceOf } from "../../../src/numerics/pace.ts";
import { number } from "../../../src/options.ts";
import { teacherOf, teachers } from "../../../src/teachers/index.ts";
import { listedName, otherNamesOf, toldNames } from "../../../src/teachers/names.ts";
import { teacher } from "../../../src/teachers/teacher.ts";
import { Random } from "../../../src/tensor/random.ts";
import { fromNumbers } from "../../../src/tensor/tensor.ts";
import { blobs } from "../../support/blobs.ts";
import { manyRows } from "../shapes.ts";

/** As the papers write them, and by which name each is found; -p and -np are options of one method. */
const compared: Readonly<Record<string, string>> = {
  "k-means": "kmeans",
  GMM: "gmm",
  FCM: "fcm",
  SC: "sc",
  LRR: "lrr",
  LRSC: "lrsc",
  LSR1: "lsr1",
  LSR2: "lsr2",
  SLRR: "slrr",
  "LSC-R": "lsc-r",
  "LSC-K": "lsc-k",
  NMF: "nmf",
  "NMF-LP": "nmf-lp",
  ZAC: "zac",
  ACAL: "acal",
  ACWL: "acwl",
  AGG: "agg",
  SSC: "ssc",
  SMR: "smr",
  "AE+k-means": "aekm",
  "DAE+k-means": "aekm",
  DEC: "dec",
  "IDEC-p": "idec",
  "IDEC-np": "idec",
  "DCN-p": "dcn",
  "DCN-np": "dcn",
};

describe("the systems that the papers compare with", () => {
  it.each(Object.entries(compared))("%s is %s, which --method takes", (_, name) => {
    const method = methodOf(name);
    expect(method.about).toMatch(/^[A-Z].*\.$/);
    expect(oursOf(name)).toBe(method);
  });

  it("a teacher's name means the default method, taught by it, with its options among the others", () => {
    const { isTaught, options, name } = methodOf("ssc");
    expect([isTaught, name, options.taughtBy!.fallback]).toEqual([true, "ssc", "ssc"]);
    expect(options["teacher.alpha"]).toBe(teachers.ssc.options.alpha);
    expect(options.lambda).toBe(methodOf("telltale").options.lambda);
    expect(methodOf("kmeans").isTaught).toBeUndefined();
    expect(() => methodOf("density")).toThrow('method: there is no "density"');
  });

  it("papers' names lead to the listed ones, both ways", () => {
    expect(["acal", "nmf-lp", "ward", "nobody"].map(listedName)).toEqual(["average", "lccf", "ward", "nobody"]);
    expect(otherNamesOf("njw")).toEqual(["sc"]);
    expect(teacherOf("agg")).toBe(teachers.ward);
    expect(toldNames).not.toContain("density");
  });
});

describe("a teacher's options and notes", () => {
  const declared = teacher({
    name: "few",
    about: "For a test.",
    paper: "2026",
    clusters: "told",
    most: 100,
    options: { alpha: number("α.", 3, { from: 1, to: 9 }) },
    divide: async (rows, { options: { alpha } }) => ({
      labels: Int32Array.from({ length: rows.shape[0]! }, (_, i) => i % 2),
      notes: [`alpha was ${alpha}`],
    }),
  });
  const lesson = { clusters: 2, random: Random.seeded(1), pace: paceOf(undefined) };
  const rows = fromNumbers("float32", [4, 1], [1, 2, 3, 4]);

  it("have defaults, are checked, and a wrong one is refused with a sentence", async () => {
    expect((await declared.teach(rows, lesson)).notes).toEqual(["alpha was 3"]);
    expect((await declared.teach(rows, { ...lesson, options: { alpha: 5 } })).notes).toEqual(["alpha was 5"]);
    await expect(declared.teach(rows, { ...lesson, options: { alpha: 0 } })).rejects.toThrow(
      "few: the option alpha must be a number from 1 to 9, got 0",
    );
    await expect(declared.teach(rows, { ...lesson, options: { beta: 0 } })).rejects.toThrow(
      "few: there is no option beta",
    );
  });

  it("say that a sample was seen", async () => {
    const { notes } = await declared.teach(manyRows(2000).rows, lesson);
    expect(notes).toEqual([
      "alpha was 3",
      "few saw 100 of 2,000 rows, drawn at random; each other row goes where most of its ten nearest of these are",
    ]);
  });

  it("a multiplication of one's own is used", async () => {
    let products = 0;
    const plain = plainMultiply(lesson.pace);
    const multiply: typeof plain = (a, b) => {
      products++;
      return plain(a, b);
    };
    const { rows, labels } = blobs(90);
    const found = await teachers.lsr2.teach(rows, { ...lesson, clusters: 3, multiply });
    expect(products).toBeGreaterThan(0);
    expect([...found.labels]).toEqual([...labels]);
  });
});
