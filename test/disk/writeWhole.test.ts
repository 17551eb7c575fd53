/** Files that are written whole or not at all, and nobody's files but ours. */

import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { partOf, removeLeftParts, writerOfPart, writeWhole } from "../../src/disk/writeWhole.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-disk-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it("a link that lies where a file is to be written is replaced, and what it leads to stays", async () => {
  const [precious, file] = [join(folder, "precious"), join(folder, "report.html")];
  await writeFile(precious, "mine");
  await symlink(precious, file);
  await symlink(precious, `${file}.part`);
  await writeWhole(file, bytes("new"));
  expect(await readFile(precious, "utf8")).toBe("mine");
  expect(await readFile(file, "utf8")).toBe("new");
  expect((await readdir(folder)).sort()).toEqual(["precious", "report.html", "report.html.part"]);
});

it("two that write the same file at once leave one of the two, whole", async () => {
  const file = join(folder, "file");
  const texts = ["a".repeat(1e6), "b".repeat(1e6)];
  await Promise.all(texts.map((text) => writeWhole(file, bytes(text))));
  expect(texts).toContain(await readFile(file, "utf8"));
  expect(await readdir(folder)).toEqual(["file"]);
});

it("what a process has left that is gone is removed, and nothing else", async () => {
  const dead = spawnSync(process.execPath, ["--version"]).pid;
  const left = `out.csv.${dead}-0123456789ab.part`;
  const others = ["out.csv.part", "out.csv.1-2.part", "notes.part", `other.csv.${dead}-0123456789ab.part`];
  const alive = partOf("out.csv");
  for (const name of [left, alive, ...others]) await writeFile(join(folder, name), "");
  await removeLeftParts(folder, "out.csv.");
  expect((await readdir(folder)).sort()).toEqual([alive, ...others].sort());
  expect([writerOfPart(left), writerOfPart("out.csv.part"), writerOfPart(alive)]).toEqual([
    dead,
    undefined,
    process.pid,
  ]);
});
