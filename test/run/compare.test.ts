import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../../src/run/folder/openRun.ts";
import { save } from "../../src/run/folder/saveModel.ts";
import { compareRuns } from "../../src/run/use/compareRuns.ts";
import { matchClusters } from "../../src/run/use/matchClusters.ts";
import { cpu } from "../../src/runtime/native.ts";
import { folder } from "../files/folder.ts";
import { fitOn } from "../support/fit.ts";
import { columns } from "../support/run.ts";
import { csvFile, csvRun, openRun, rows } from "./csv.ts";

describe("matching clusters", () => {
  const a = Int32Array.from([0, 0, 0, 1, 1, 2, 2, 2]);

  it("is one to one, and the best there is", () => {
    const b = Int32Array.from([2, 2, 0, 0, 0, 1, 1, 1]);
    expect([...matchClusters(a, b, 3, 3).partner]).toEqual([2, 0, 1]);
  });

  it("leaves some alone where one has more, in either direction, and where there is no common row", () => {
    const two = Int32Array.from([1, 1, 1, 1, 1, 0, 0, 0]);
    expect([...matchClusters(a, two, 3, 2).partner]).toEqual([1, -1, 0]);
    expect([...matchClusters(two, a, 2, 3).partner]).toEqual([2, 0]);
    expect([...matchClusters(two, two, 2, 4).partner]).toEqual([0, 1]);
    expect([...matchClusters(two, two, 4, 3).partner]).toEqual([0, 1, -1, -1]);
  });
});

describe("two runs", () => {
  let a: Run;
  let b: Run;
  let four: Run;
  beforeAll(async () => {
    a = await csvRun("compared-a");
    b = await csvRun("compared-b", { method: "tell" });
    const path = join(folder, "compared-four");
    const model = await fitOn([cpu])(rows, { clusters: 4, device: "cpu", method: "kmeans", epochs: 5, restarts: 1 });
    await save(model, path, { columns });
    four = await openRun(path);
  });

  it("agree with themselves", async () => {
    const { rows, agreement, matched, unmatched, moved, movedRows } = await compareRuns(a, a);
    expect(rows).toBe(120);
    for (const score of Object.values(agreement)) expect(score).toBeCloseTo(1, 12);
    expect(matched.map(({ share }) => share)).toEqual([1, 1, 1]);
    expect({ unmatched, moved, movedRows }).toEqual({ unmatched: { a: [], b: [] }, moved: 0, movedRows: [] });
  });

  it("are compared on the rows that both were fitted to, as they were then", async () => {
    const { matched, moved, movedRows } = await compareRuns(a, b);
    const [first, second] = [await a.labels(), await b.labels()];
    const partner = new Map(matched.map((pair) => [pair.a, pair.b]));
    expect(matched.reduce((sum, pair) => sum + pair.rows, 0)).toBe(120 - moved);
    expect(matched[0]!.aName).toBe((await a.names())[matched[0]!.a]);
    const expected = [...first.keys()].filter((row) => partner.get(first[row]!) !== second[row]);
    expect(moved).toBe(expected.length);
    expect(movedRows.map(({ row }) => row)).toEqual(expected.slice(0, 100));
    for (const { row, id, confidence } of movedRows) {
      expect(id).toBe(`p${row}`);
      expect(confidence!.a).toBeGreaterThan(0);
    }
  });

  it("are asked both where they were fitted to others, also with other numbers of clusters", async () => {
    const { rows, matched, unmatched, moved, movedRows } = await compareRuns(a, four, { device: "cpu" });
    expect(rows).toBe(120);
    expect(matched.length).toBe(3);
    expect(unmatched.a).toEqual([]);
    expect(unmatched.b.length).toBe(1);
    expect(unmatched.b[0]!.name).toMatch(/^cluster \d$/);
    expect(moved).toBe(120 - matched.reduce((sum, pair) => sum + pair.rows, 0));
    expect(movedRows[0]).toMatchObject({ id: `p${movedRows[0]!.row}`, to: unmatched.b[0]!.cluster });
    expect(movedRows[0]!.confidence!.b).toBeGreaterThan(0.2);
    const turned = await compareRuns(four, a, { source: await csvFile("again.csv") });
    expect(turned.moved).toBe(moved);
    expect(turned.unmatched.a).toEqual(unmatched.b);
    await expect(compareRuns(four, a)).rejects.toThrow("its rows came from memory and are not kept");
  });
});
