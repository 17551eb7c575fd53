/** More rows than a teacher looks at, and 200,000: all of them, or a sample that is declared. */

import { expect, it } from "vitest";
import { paceOf } from "../../src/numerics/pace.ts";
import { chooseTeacher } from "../../src/teachers/choice.ts";
import { comparators } from "../../src/teachers/comparators/index.ts";
import { teachers } from "../../src/teachers/index.ts";
import type { Teacher } from "../../src/teachers/teacher.ts";
import { Random } from "../../src/tensor/random.ts";
import { thousands } from "../../src/text/thousands.ts";
import { manyRows } from "./shapes.ts";

/**
 * What these are made of, or the one they differ from in a line, is tried by itself, and they would take as long again;
 * those that the papers compare with are asked by name alone, and take minutes each.
 */
const alike = ["average", "weighted", "balanced-votes", "manifold-mixture", "consensus"];
const others: readonly string[] = [...alike, ...Object.keys(comparators)];

const many = 200_000;

/**
 * All are given more rows than they look at, and where they look at all, 200,000. How a sample is carried to the others
 * is the same for each: to so many by Ward's, whose own work is short.
 */
function rowsFor({ name, most }: Teacher): number {
  return name === "ward" || most >= many ? many : most + 10_000;
}

it.each(Object.values(teachers).filter(({ name }) => !others.includes(name)))(
  "$name finds three clouds of more rows than it looks at, or of 200,000",
  async (teacher) => {
    const { rows, labels } = manyRows(rowsFor(teacher));
    const found = await teacher.teach(rows, { clusters: 3, random: Random.seeded(1), pace: paceOf(undefined) });
    expect(found.clusters).toBe(3);
    const declared = (found.notes ?? []).some((note) => note.includes(`of ${thousands(labels.length)} rows`));
    expect(declared).toBe(labels.length > teacher.most);
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
