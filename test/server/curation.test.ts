/** Clusters changed at the server: each edit is seen at once, asked about where it is large, and taken back. */

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Curation, EditPreview } from "../../src/api/curation.ts";
import type { Comparison, RunDescription } from "../../src/api/runs.ts";
import { curate } from "../../src/doors/node.ts";
import { type Client, folder, pumpsRun, type Raw, served } from "./support.ts";

let client: Client;
beforeAll(async () => {
  await pumpsRun();
  client = await served({ paths: [`${folder}/runs`] });
});
afterAll(() => client.server.close());

const parsed = <T>({ status, text }: Raw): T => {
  expect(status, text).toBe(200);
  return JSON.parse(text) as T;
};
const now = async () => parsed<Curation>(await client.get("/api/runs/pumps/curation"));
const clusters = async () => parsed<RunDescription>(await client.get("/api/runs/pumps")).clusters;
const edited = async (edit: object, more: object = {}) =>
  client.post("/api/runs/pumps/curation", { edit, version: (await now()).version, ...more });
const stepped = async (step: "undo" | "redo") =>
  parsed<Curation>(await client.post(`/api/runs/pumps/curation/${step}`, { version: (await now()).version }));

test("a run that nobody has changed has nothing to take back", async () => {
  expect(await now()).toEqual({ version: 0, edits: [], canUndo: false, canRedo: false, marks: [] });
  expect((await client.post("/api/runs/pumps/curation/undo", { version: 0 })).status).toBe(422);
});

test("a cluster is renamed, and whoever has not seen that is refused", async () => {
  const { version, edits, canUndo } = parsed<Curation>(
    await edited({ kind: "rename", cluster: 1, name: "the <b>quiet</b> ones" }),
  );
  expect([version, canUndo]).toEqual([1, true]);
  expect(edits[0]).toMatchObject({
    kind: "rename",
    state: "holds",
    words: "cluster 1 is called “the <b>quiet</b> ones”",
  });
  expect((await clusters())[1]!.name).toBe("the <b>quiet</b> ones");
  const late = await client.post("/api/runs/pumps/curation", {
    edit: { kind: "rename", cluster: 0, name: "x" },
    version: 0,
  });
  expect([late.status, JSON.parse(late.text).problem]).toEqual([409, expect.stringContaining("meanwhile")]);
});

test("an edit says first what it would do; merged clusters are one, in every answer; undo and redo go back and forth", async () => {
  const before = await clusters();
  const edit = { kind: "merge", clusters: [0, 2], name: "both" };
  const preview = parsed<EditPreview>(
    await client.post("/api/runs/pumps/curation/preview", { edit, version: (await now()).version }),
  );
  expect(preview).toMatchObject({ meant: before[0]!.size + before[2]!.size, others: 0, asks: false });
  expect(await clusters()).toHaveLength(3);
  parsed(await edited(edit));
  const merged = await clusters();
  expect(merged.map(({ name, size }) => [name, size])).toEqual([
    ["both", before[0]!.size + before[2]!.size],
    [before[1]!.name, before[1]!.size],
  ]);
  const labels = new Uint32Array(new Uint8Array((await client.get("/api/runs/pumps/placements/cluster")).bytes).buffer);
  expect(labels.filter((label) => label === 0)).toHaveLength(merged[0]!.size);
  expect(parsed<{ clusters: number[] }>(await client.get("/api/runs/pumps/between?a=0&b=1")).clusters).toHaveLength(11);
  expect((await client.get("/api/runs/pumps/rows/7/explanation")).status).toBe(200);
  const listed = parsed<{ clusters: number }[]>(await client.get("/api/runs"));
  expect(listed[0]!.clusters).toBe(2);
  expect((await stepped("undo")).canRedo).toBe(true);
  expect(await clusters()).toEqual(before);
  await stepped("redo");
  expect(await clusters()).toEqual(merged);
  await stepped("undo");
});

test("rows are marked by their places, and found again", async () => {
  const { marks } = parsed<Curation>(await edited({ kind: "mark", rows: [4, 7, 7], mark: "look again" }));
  expect(marks).toEqual([
    { row: 4, mark: "look again" },
    { row: 7, mark: "look again" },
  ]);
  expect((await edited({ kind: "mark", rows: [90], mark: "x" })).status).toBe(404);
  expect((await edited({ kind: "rename", cluster: 9, name: "x" })).status).toBe(422);
});

test("what changes many other rows is asked about, and done once that is confirmed", async () => {
  const [first] = await clusters();
  const edit = { kind: "split", cluster: 0, parts: 2 };
  const preview = parsed<EditPreview>(
    await client.post("/api/runs/pumps/curation/preview", { edit, version: (await now()).version }),
  );
  expect(preview.meant).toBe(first!.size);
  const answer = await edited(edit, preview.asks ? { confirmed: true } : {});
  parsed(answer);
  const split = await clusters();
  expect(split).toHaveLength(4);
  expect(split.reduce((sum, { size }) => sum + size, 0)).toBe(90);
});

test("whoever asks while a run is changed is answered, about the run before or after it", async () => {
  const { version } = await now();
  const asked = ["between?a=0&b=1", "rows/7/explanation", "clusters/0", "placements/cluster", "rows/7"];
  const ask = () => Promise.all(asked.map((path) => client.get(`/api/runs/pumps/${path}`)));
  const [edit, ...answers] = await Promise.all([
    client.post("/api/runs/pumps/curation", { edit: { kind: "merge", clusters: [0, 1] }, version }),
    ...[1, 2, 3].map(ask),
  ]);
  const statuses = [...answers, await ask()].flat().map(({ status, text }) => (status === 200 ? 200 : text));
  expect([edit.status, ...new Set(statuses)]).toEqual([200, 200]);
});

test("while the desk is at an edit, everything else is answered at once", async () => {
  const { version } = await now();
  const edit = client.post("/api/runs/pumps/curation", {
    edit: { kind: "move", rows: [1, 2, 3], to: 0 },
    ...{ version, confirmed: true },
  });
  let isDone = false;
  void edit.then(() => {
    isDone = true;
  });
  let answered = 0;
  while (!isDone) {
    expect((await client.get("/api/runs")).status).toBe(200);
    answered++;
  }
  expect((await edit).status).toBe(200);
  expect(answered).toBeGreaterThan(1);
});

test("two runs are compared as they are now: an edit of either, and its undo, is seen in the next answer", async () => {
  await pumpsRun("beside", { clusters: 2, seed: 2 });
  const flows = async () =>
    parsed<Comparison>(await client.get("/api/compare?a=pumps&b=beside")).flows.map(({ a, b, rows }) => [a, b, rows]);
  const before = await flows();
  const ends = async (end: 0 | 1) => new Set((await flows()).map((flow) => flow[end])).size;
  const sizes = [await ends(0), await ends(1)];
  for (const [end, run] of (["pumps", "beside"] as const).entries()) {
    const log = async () => parsed<Curation>(await client.get(`/api/runs/${run}/curation`)).version;
    const edit = { kind: "merge", clusters: [0, 1] };
    parsed(await client.post(`/api/runs/${run}/curation`, { edit, version: await log(), confirmed: true }));
    expect(await ends(end as 0 | 1), run).toBe(sizes[end]! - 1);
    parsed(await client.post(`/api/runs/${run}/curation/undo`, { version: await log() }));
    expect(await flows(), run).toEqual(before);
  }
});

test("what another process changes is seen as soon as somebody looks, and nothing of it is lost by an edit here", async () => {
  const before = await now();
  const elsewhere = await curate(`${folder}/runs/pumps`);
  await elsewhere.edit({ kind: "rename", cluster: 0, name: "from elsewhere" });
  await elsewhere.close();
  expect((await clusters())[0]!.name).toBe("from elsewhere");
  expect((await now()).version).toBe(before.version + 1);
  const late = await client.post("/api/runs/pumps/curation", {
    edit: { kind: "rename", cluster: 1, name: "late" },
    version: before.version,
  });
  expect(late.status).toBe(409);
  parsed(await edited({ kind: "rename", cluster: 1, name: "after that" }));
  expect((await clusters()).slice(0, 2).map(({ name }) => name)).toEqual(["from elsewhere", "after that"]);
  expect((await now()).edits.filter(({ state }) => state === "holds").length).toBeGreaterThanOrEqual(2);
});
