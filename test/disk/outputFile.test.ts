/** A file that somebody has named for what comes out. */

import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Lock } from "../../src/disk/lock.ts";
import { OutputFile } from "../../src/disk/outputFile.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-output-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const at = (name: string): string => join(folder, name);

it("is written beside its place and put into it whole; nothing else is left", async () => {
  const file = await OutputFile.claim(at("deep/down/out.csv"));
  await file.write(bytes("all of it"));
  expect((await readdir(at("deep/down"))).includes("out.csv")).toBe(false);
  await file.put();
  await file.release();
  expect(await readdir(at("deep/down"))).toEqual(["out.csv"]);
  expect(await readFile(at("deep/down/out.csv"), "utf8")).toBe("all of it");
});

it("is gone where nothing comes of it, with the folders that were made for it", async () => {
  const file = await OutputFile.claim(at("deep/down/out.csv"));
  await file.write(bytes("half"));
  await file.release();
  expect(await readdir(folder)).toEqual([]);
});

describe("is refused before anything is written", () => {
  it.each([
    ["where it is there already", "there.csv", "is there already"],
    ["where it is a folder", "folder", "is a folder; name a file"],
    ["where it is a device", "/dev/null", "is no plain file"],
    ["where its folder is a file", "there.csv/out.csv", "cannot be written \\(.*a file, not a folder\\)"],
    ["where its name is too long", "x".repeat(300), "cannot be written \\(its name is too long\\)"],
    ["where there can be none", "/proc/out.csv", "cannot be written \\(.+ .+\\); "],
  ])("%s", async (_, name, message) => {
    await writeFile(at("there.csv"), "mine");
    await mkdir(at("folder"));
    const path = name.startsWith("/") ? name : at(name);
    await expect(OutputFile.claim(path)).rejects.toThrow(new RegExp(message));
    if (name !== "there.csv")
      await expect(OutputFile.claim(path, { force: true })).rejects.toThrow(new RegExp(message));
    expect((await readdir(folder)).sort()).toEqual(["folder", "there.csv"]);
  });

  it("where it is what is read, by whatever name", async () => {
    await writeFile(at("rows.csv"), "mine");
    await symlink(at("rows.csv"), at("link.csv"));
    for (const name of ["rows.csv", "link.csv"]) {
      const claimed = OutputFile.claim(at(name), { force: true, read: [at("rows.csv")] });
      await expect(claimed).rejects.toThrow("which is read; choose another file");
    }
  });

  it("where it lies in a folder that is read, or is one of those that a pattern stands for", async () => {
    await mkdir(at("images"));
    await writeFile(at("images/1.png"), "mine");
    await symlink(at("images"), at("pictures"));
    for (const read of ["images", "pictures", "images/*.png", "**/?.png", "images/[0-9].png"]) {
      const claimed = OutputFile.claim(at("images/1.png"), { force: true, read: [at(read)] });
      await expect(claimed).rejects.toThrow("which is read; choose another file");
    }
    for (const read of ["*.png", "images/*.jpg", "images/1_png", "other"]) {
      await (await OutputFile.claim(at("images/1.png"), { force: true, read: [at(read)] })).release();
    }
    expect(await readFile(at("images/1.png"), "utf8")).toBe("mine");
  });

  it("where another is writing it, and not once that is done", async () => {
    const first = await OutputFile.claim(at("out.csv"));
    await expect(OutputFile.claim(at("out.csv"), { force: true })).rejects.toThrow("another process writes there");
    await first.write(bytes("first"));
    await first.put();
    await first.release();
    await expect(OutputFile.claim(at("out.csv"))).rejects.toThrow("is there already");
    await (await OutputFile.claim(at("out.csv"), { force: true })).release();
    expect(await readFile(at("out.csv"), "utf8")).toBe("first");
  });

  it("where what should be a lock is somebody's own file", async () => {
    await writeFile(at("out.csv.lock"), "the key is under the mat");
    await expect(OutputFile.claim(at("out.csv"))).rejects.toThrow("is no lock of Telltale");
    expect(await readFile(at("out.csv.lock"), "utf8")).toBe("the key is under the mat");
  });
});

it("a link in the place of the file is replaced, and what it leads to stays", async () => {
  await writeFile(at("precious"), "mine");
  await symlink(at("precious"), at("out.csv"));
  const file = await OutputFile.claim(at("out.csv"), { force: true });
  await file.write(bytes("new"));
  await file.put();
  await file.release();
  expect([await readFile(at("precious"), "utf8"), await readFile(at("out.csv"), "utf8")]).toEqual(["mine", "new"]);
});

it("a lock writes through no link, whatever names lie in its way", async () => {
  await writeFile(at("precious"), "mine");
  await symlink(at("precious"), at("lock"));
  for (let i = 0; i < 3; i++) await symlink(at("precious"), at(`lock.${process.pid}.${i}`));
  await expect(new Lock(folder).take()).rejects.toThrow("is no lock of Telltale");
  expect(await readFile(at("precious"), "utf8")).toBe("mine");
});
