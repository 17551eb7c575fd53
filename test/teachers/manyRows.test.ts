/** 200,000 rows: all of them, or a sample that is declared. */

import { expect, it } from "vitest";
import { paceOf } from "../../src/numerics/pace.ts";
import { chooseTeacher } from "../../src/teachers/choice.ts";
import { comparators } from "../../src/teachers/comparators/index.ts";
import { teachers } from "../../src/teachers/index.ts";
import { Random } from "../../src/tensor/random.ts";
import { manyRows } from "./shapes.ts";

/**
 * What these are made of, or the one they differ from in a line, is tried by itself, and they would take as long again;
 * those that the papers compare with are asked by name alone, and take minutes each.
 */
const alike = ["average", "weighted", "balanced-votes", "manifold-mixture", "consensus"];
const others: readonly string[] = [...alike, ...Object.keys(comparators)];

it.each(Object.values(teachers).filter(({ name }) => !others.includes(name)))(
  "$name finds three clouds of 200,000 rows",
  async (teacher) => {
    const { rows, labels } = manyRows(200_000);
    const found = await teacher.teach(rows, { clusters: 3, random: Random.seeded(1), pace: paceOf(undefined) });
    expect(found.clusters).toBe(3);
    // Of rows that belong to none there are few; nobody is in another cloud.
    const wrong = labels.filter((label, i) => found.labels[i]! >= 0 && found.labels[i] !== label);
    expect(wrong).toHaveLength(0);
    expect(found.labels.filter((label) => label < 0).length).toBeLessThan(0.02 * labels.length);
  },
  600_000,
);

it("a teacher is chosen on a sample of 50,000 rows, and divides all of them", async () => {
  const { rows, labels } = manyRows(50_000);
  const lesson = { clusters: 3, random: Random.seeded(1), pace: paceOf(undefined) };
  const { partition, teacher } = await chooseTeacher([{ name: "rows", codes: [rows] }], lesson);
  expect(teacher).toBe("kmeans");
  expect(partition.labels).toEqual(labels);
}, 600_000);
