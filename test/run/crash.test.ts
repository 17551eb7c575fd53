/**
 * A process that ends at any moment while it replaces a run: at each operation on files in turn, nothing happens any
 * more. Whoever opens the folder next finds the old run as it was, or the new one.
 */

import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { RunContent } from "../../src/run/folder/runFolder.ts";
import type { RunDescription } from "../../src/run/folder/schemas/runDescription.ts";
import { finishedRun } from "../support/run.ts";

/** How many operations are left before the end. */
const life = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY }));

vi.mock("node:fs/promises", async (actual) => {
  const real = await actual<typeof import("node:fs/promises")>();
  const mortal = ["rename", "rm", "rmdir", "open", "mkdir", "link"] as const;
  const dying = mortal.map((name) => [
    name,
    async (...given: unknown[]) => {
      if (life.left-- <= 0) throw new Error("the process has ended");
      return (real[name] as (...given: unknown[]) => Promise<unknown>)(...given);
    },
  ]);
  return { ...real, ...Object.fromEntries(dying) };
});

/** As in a process of its own, which holds no locks. */
async function newProcess(): Promise<typeof import("../../src/run/folder/runFolder.ts")> {
  vi.resetModules();
  return import("../../src/run/folder/runFolder.ts");
}

let folder: string;
let old: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-crash-"));
  old = join(folder, "old");
  await finishedRun(old, { method: "kmeans" });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function contents(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (file) => [file.slice(path.length + 1), await readFile(file, "latin1")]),
  );
  // What passes is removed by the next writer.
  return Object.fromEntries(texts.filter(([name]) => !/^lock|\.part$/.test(name!)));
}

const weights: RunContent = new Map([["weights.safetensors", "new"]]);
const begun: RunContent = new Map([["epochs.jsonl", ""]]);

/** All that is done to a folder, once with an end that is good and once with one that is not. */
const deeds: Readonly<Record<string, (path: string, description: RunDescription) => Promise<void>>> = {
  async "a model is saved"(path, description) {
    const { RunFolder } = await newProcess();
    const run = await RunFolder.create(path, { force: true });
    await run.begin(description, weights);
    await run.finish();
    await run.unlock();
  },
  async "a fit ends well"(path, description) {
    const { RunFolder } = await newProcess();
    const run = await RunFolder.create(path, { force: true });
    const { result: _, ...training } = description;
    await run.begin({ ...training, status: "training" }, begun);
    await run.writeAll(weights);
    await run.describe(description);
    await run.finish();
    await run.unlock();
  },
  async "a fit fails"(path, description) {
    const { RunFolder } = await newProcess();
    const run = await RunFolder.create(path, { force: true });
    const { result: _, ...training } = description;
    await run.begin({ ...training, status: "training" }, begun);
    await run.writeAll(new Map([["README.md", "half"]]));
    await run.discard();
    await run.unlock();
  },
  async "a fit is forced over one that was stopped while it replaced a run"(path, description) {
    const { RunFolder } = await newProcess();
    const { result: _, ...training } = description;
    const first = await RunFolder.create(path, { force: true });
    await first.begin({ ...training, status: "training" }, begun);
    await first.unlock();
    const second = await RunFolder.create(path, { force: true });
    await second.begin({ ...training, status: "training", created: "later" }, begun);
    await second.unlock();
  },
};

it.each([
  ["a model is saved", "new, old"],
  ["a fit ends well", "new, old, under way"],
  ["a fit fails", "old, under way"],
  ["a fit is forced over one that was stopped while it replaced a run", "old, under way"],
])("%s: what is found is one of %s", async (name, found) => {
  const description = await new (await newProcess()).RunFolder(old).description();
  const before = await contents(old);
  const seen = new Set<string>();
  for (let moment = 1, isDone = false; !isDone; moment++) {
    const path = join(folder, `${name.replaceAll(" ", "-")}-${moment}`);
    await cp(old, path, { recursive: true });
    life.left = moment;
    isDone = await deeds[name]!(path, description).then(
      () => life.left >= 0,
      () => false,
    );
    life.left = Number.POSITIVE_INFINITY;
    const { RunFolder } = await newProcess();
    const { status } = await new RunFolder(path).description();
    const { "run.json": run, ...rest } = await contents(path);
    if (run === before["run.json"]) {
      expect({ "run.json": run, ...rest }, `${name}, ended at ${moment}`).toEqual(before);
      seen.add("old");
    } else if (status === "done") {
      expect(rest["weights.safetensors"]).toBe("new");
      seen.add("new");
    } else {
      for (const [file, text] of Object.entries(before)) expect(rest[`.replaced/${file}`], file).toBe(text);
      seen.add("under way");
    }
    // Whatever it is, it can be replaced once more, and then nothing of either is left.
    const again = await RunFolder.create(path, { force: true });
    await again.begin(description, weights);
    await again.finish();
    await again.unlock();
    const last = await contents(path);
    expect(Object.keys(last).sort()).toEqual(["run.json", "weights.safetensors"]);
    await rm(path, { recursive: true });
  }
  expect([...seen].sort().join(", ")).toBe(found);
});
