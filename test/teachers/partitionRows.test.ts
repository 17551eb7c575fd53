/** Rows to a partition, by a teacher's name. */

import { expect, it } from "vitest";
import { partition } from "../../src/doors/teachers.ts";
import { blobs } from "../support/blobs.ts";

const { rows, labels } = blobs(60);
const asLists = Array.from({ length: 60 }, (_, i) => [...rows.data.subarray(i * 4, i * 4 + 4)]);

it.each(["kmeans", "mixture", "ward", "spectral"] as const)(
  "%s finds three blobs, numbered by their first rows",
  async (teacher) => {
    const found = await partition(asLists, { teacher, clusters: 3 });
    expect(found.clusters).toBe(3);
    expect(found.labels).toEqual(labels);
  },
);

it("density finds out how many there are", async () => {
  expect((await partition(rows, { teacher: "density" })).clusters).toBe(3);
});

it("rows of any shape are taken number by number", async () => {
  const images = { ...rows, shape: [60, 1, 2, 2] };
  expect((await partition(images, { clusters: 3 })).labels).toEqual(labels);
});

it("an unknown teacher, no number of clusters and a stop are said", async () => {
  await expect(partition(rows, { teacher: "umap" as never, clusters: 3 })).rejects.toThrow('there is no "umap"');
  await expect(partition(rows)).rejects.toThrow("clusters must be a whole number from 1, got undefined");
  await expect(partition(rows, { clusters: 3, signal: AbortSignal.abort() })).rejects.toThrow();
});
