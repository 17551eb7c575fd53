/** What `--force` may replace: a run of Telltale, and of its folder what the run has written. */

import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { replaceFolder } from "../../src/run/folder/replaceFolder.ts";
import { RunFolder } from "../../src/run/folder/runFolder.ts";
import { save } from "../../src/run/folder/saveModel.ts";
import { nodeDevices } from "../../src/runtime/nodeDevices.ts";
import { fitOn } from "../support/fit.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-force-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function savedRun(): Promise<string> {
  const path = join(folder, "run");
  const model = await fitOn(nodeDevices)(
    [
      [0, 0],
      [0, 1],
      [9, 9],
      [9, 8],
    ],
    { clusters: 2, method: "kmeans", device: "cpu" },
  );
  await save(model, path);
  await model.close();
  return path;
}

describe("a folder that is no run of Telltale", () => {
  it.each([
    ["has a run.json of somebody else", { "run.json": '{"name":"mine"}' }],
    ["has a run.json that is none", { "run.json": "to run on Monday" }],
    ["holds unfinished files of somebody else", { "film.part": "half of a film" }],
    ["holds somebody else's lock", { "lock.door": "" }],
  ])("%s: it is not replaced, even with force", async (_, files) => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await expect(RunFolder.create(folder, { force: true })).rejects.toThrow("no");
    expect((await readdir(folder)).sort()).toEqual(Object.keys(files).sort());
  });
});

it("a new run takes the place of the old one's files, and leaves those of others", async () => {
  const path = await savedRun();
  const own = ["data.csv", "notes.txt", join("exemplars", "mine.png"), join("constructor", "mine")];
  for (const name of ["exemplars", "constructor"]) await mkdir(join(path, name));
  for (const name of own) await writeFile(join(path, name), "mine");
  await writeFile(join(path, "report.html"), "old");
  await writeFile(join(path, "exemplars", "0.png"), "old");
  await symlink(join(folder, "elsewhere"), join(path, "model.bak"));
  const run = await RunFolder.create(path, { force: true });
  await run.begin(await run.description());
  await run.unlock();
  for (const name of own) expect(await readFile(join(path, name), "utf8")).toBe("mine");
  expect((await readdir(path)).sort()).toEqual([
    ...["constructor", "data.csv", "exemplars", "model.bak", "notes.txt", "run.json"],
  ]);
  expect(await readdir(join(path, "exemplars"))).toEqual(["mine.png"]);
});

it("a folder that is replaced as a whole must have nothing of anybody else", async () => {
  const path = await savedRun();
  await writeFile(join(path, "data.csv"), "mine");
  await expect(replaceFolder(path, async () => {}, { force: true })).rejects.toThrow(
    "has files that are not the run's, which would go with it (data.csv)",
  );
  expect(await readFile(join(path, "data.csv"), "utf8")).toBe("mine");
});
