/** A division with fewer clusters than were asked for. */

import { expect, it } from "vitest";
import { filledUp } from "../../src/teachers/filledUp.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";

const rows = fromNumbers("float32", [6, 1], [0, 1, 10, 11, 50, 51]);
const random = Random.seeded(1);

it("divides the cluster with the largest loss, and that again", () => {
  const labels = Int32Array.of(0, 0, 0, 0, 1, 1);
  expect([...filledUp({ labels }, rows, 2, random).labels]).toEqual([0, 0, 0, 0, 1, 1]);
  const three = [...filledUp({ labels }, rows, 3, random).labels];
  expect([three[1], three[3], three[5]]).toEqual([three[0], three[2], 1]);
  expect(new Set(three).size).toBe(3);
  expect(new Set(filledUp({ labels }, rows, 6, random).labels).size).toBe(6);
  // There are not more different rows than six.
  expect(new Set(filledUp({ labels }, rows, 9, random).labels).size).toBe(6);
});

it("lets rows without a cluster be, and gives parts the memberships of the whole", () => {
  const labels = Int32Array.of(0, 0, 0, 0, 1, -1);
  const memberships = fromNumbers("float32", [6, 2], [0.9, 0.1, 0.9, 0.1, 0.8, 0.2, 0.8, 0.2, 0, 1, 0.5, 0.5]);
  const found = filledUp({ labels, memberships }, rows, 4, random);
  expect(found.labels[5]).toBe(-1);
  expect(new Set(found.labels).size).toBe(5);
  expect(found.memberships!.shape).toEqual([6, 4]);
  found.labels.forEach((label, i) => {
    const own = found.memberships!.data.subarray(4 * i, 4 * i + 4);
    expect(own.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
    if (label >= 0) expect(own[label]).toBeCloseTo(i < 2 ? 0.9 : i < 4 ? 0.8 : 1, 6);
  });
});
