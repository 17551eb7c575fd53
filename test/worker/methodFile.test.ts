/** Methods in files: code that is imported where it is named, as it is now, and never because a run remembers it. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isMethodFile, readMethodFile } from "../../src/worker/methodFile.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-method-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const method = (more: string): string =>
  `export default { name: "mine", about: "a", paper: "p", options: {}, profiles: { paper: {}, practical: {} }, start() {}, ${more} };`;

async function file(name: string, code: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, code);
  return path;
}

it("a file is told from a name by its folders or its ending", () => {
  expect(["./mine.mjs", "mine.js", "a/b", "C:\\mine.mjs"].map(isMethodFile)).toEqual([true, true, true, true]);
  expect(["tell", "dkm-p"].map(isMethodFile)).toEqual([false, false]);
});

it("a file that has changed comes as it is now, with the hash of what came", async () => {
  const path = await file("changing.mjs", method('about: "one"'));
  const one = await readMethodFile(path);
  await writeFile(path, method('about: "two"'));
  const two = await readMethodFile(path);
  expect([one.method.about, two.method.about]).toEqual(["one", "two"]);
  expect(one.sha256).not.toBe(two.sha256);
});

it("what is not what a run was fitted with is refused before any of it runs", async () => {
  const path = await file("foreign.mjs", `globalThis.hasRun = true;\n${method("")}`);
  const sha256 = "0".repeat(64);
  await expect(readMethodFile(path, { sha256 })).rejects.toThrow("another method than the run was fitted with");
  expect(globalThis).not.toHaveProperty("hasRun");
});

describe("what is wrong is said with the file", () => {
  it.each([
    ["nothing is exported", "export const x = 1;", "must export a method by default, got nothing"],
    ["it throws no error", 'throw "boo";', "cannot be imported: boo"],
    ["it imports what is not there", 'import "not-there-at-all";', "install what it imports where it lies"],
    ["its name is one of ours", method('name: "tell"'), "must have a name of its own, tell is one of ours"],
    ["its name is no name", method('name: "a b"'), "whose name has letters, digits and . _ - only"],
    ["an option is none", method("options: { m: 3 }"), "whose option m is made by number"],
    ["a profile is missing", method("profiles: { paper: {} }"), "whose profiles are paper and practical"],
    ["it does not start", method("start: 1"), "whose start is a function"],
  ])("%s", async (name, code, message) => {
    const path = await file(`${name.replaceAll(" ", "-")}.mjs`, code);
    await expect(readMethodFile(path)).rejects.toThrow(message);
    await expect(readMethodFile(path)).rejects.toThrow(path);
  });

  it("it is not there", async () => {
    await expect(readMethodFile(join(folder, "none.mjs"))).rejects.toThrow(
      "there is no such file; --method takes a name or a JavaScript file",
    );
  });
});
