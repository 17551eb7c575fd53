/** A run that is open, and a second one beside it: which rows are meant, and which colors they have. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pointColors, type Theme } from "../../../src/page/map/pointColors.ts";
import type { Source } from "../../../src/page/source/source.ts";
import { anyRow, first } from "../../../src/page/state/address.ts";
import { OpenRun } from "../../../src/page/state/openRun.ts";
import { look, view } from "../../../src/page/state/view.ts";

/** The same six rows: clusters 0 and 1 of one run are 1 and 0 of the other, which has split its own 0. */
const placed = { one: [0, 0, 0, 1, 1, 1], other: [1, 1, 1, 0, 0, 2] };
const matched = [
  { a: 0, b: 1 },
  { a: 1, b: 0 },
];
const marks = [
  { row: 2, mark: "look again" },
  { row: 3, mark: "broken" },
  { row: 4, mark: "look again" },
];
let asked: string[] = [];

/** A server that knows the two. */
const source = {
  kind: "server",
  async ask(route: string, { path }: { path?: { run: "one" | "other" } } = {}) {
    asked.push(route);
    if (route === "compare") return { matched };
    if (route === "curation") return { marks };
    const clusters = [...new Set(placed[path!.run])].sort().map((cluster) => ({ cluster, center: [cluster, 0] }));
    return { id: path!.run, clusters, columns: [], map: { bounds: [0, 0, 9, 9], shown: 6 } };
  },
  async numbers(route: string, { path }: { path?: { run: "one" | "other"; what?: string } } = {}) {
    if (route === "map") return Uint16Array.from({ length: 12 }, (_, i) => i);
    if (route === "comparedRows") return Uint32Array.from([...placed.one, ...placed.other]);
    return path!.what === "cluster" ? Uint32Array.from(placed[path!.run]) : new Float32Array(6);
  },
} as unknown as Source;

const theme: Theme = {
  ...{ clusters: [100, 101, 102, 103, 104, 105, 106, 107, 108, 109] },
  ...{ soft: 1, faded: 2, unsure: 3, sure: 4 },
};

let [run, other] = [] as unknown as [OpenRun, OpenRun];
beforeEach(async () => {
  asked = [];
  run = await OpenRun.open(source, "one");
  other = await OpenRun.open(source, "other");
  view.value = { ...first, page: "map", run: "one", other: "other" };
});
afterEach(() => {
  view.value = first;
  vi.unstubAllGlobals();
});

test("a flow's rows are those that are in both of its clusters", async () => {
  await run.putBeside(other);
  view.value = { ...view.value, filter: { ...anyRow, clusters: [1], others: [0] } };
  expect(run.mask.value!.rows()).toEqual([3, 4]);
  view.value = { ...view.value, filter: { ...anyRow, others: [2] } };
  expect(run.mask.value!.rows()).toEqual([5]);
});

test("clusters of another second run are not meant by the first one's numbers", () => {
  vi.stubGlobal("history", { pushState() {} });
  look({ filter: { ...anyRow, text: "leak", others: [2] } }, true);
  look({ other: "third" }, true);
  expect(view.value.filter).toEqual({ ...anyRow, text: "leak" });
});

test("rows of clusters that match have the same color in both runs, and no other has it", async () => {
  const colors = (by: string) => pointColors(run, by, theme, "other")?.colors;
  expect(colors("run"), "not before it is known").toBeUndefined();
  await run.putBeside(other);
  const [own, beside] = [[...colors("cluster")!], [...colors("run")!]];
  expect(beside.slice(0, 5)).toEqual(own.slice(0, 5));
  expect(own).not.toContain(beside[5]);
});

test("rows are found by what they were marked as, once the server has told", async () => {
  view.value = { ...view.value, filter: { ...anyRow, marks: ["look again"] } };
  expect(run.mask.value!.count, "not known yet").toBe(6);
  await run.prepare(view.value.filter);
  expect(run.mask.value!.rows()).toEqual([2, 4]);
});

test("a run that others have changed unheard is asked for anew, and else left as it is", async () => {
  const [before, labels] = [run.description.value, run.clusterOf.value];
  await run.catchUp();
  expect([run.description.value, run.clusterOf.value]).toEqual([before, labels]);
  expect(run.clusterOf.value).toBe(labels);
  placed.one[0] = 2;
  await run.catchUp();
  placed.one[0] = 0;
  expect([...run.clusterOf.value]).toEqual([2, 0, 0, 1, 1, 1]);
});

test("they are compared once, and again after an edit of either", async () => {
  await run.putBeside(other);
  await run.putBeside(other);
  expect(asked.filter((route) => route === "compare")).toHaveLength(1);
  other.clusterOf.value = other.clusterOf.value.slice();
  await run.putBeside(other);
  expect(asked.filter((route) => route === "compare")).toHaveLength(2);
});
