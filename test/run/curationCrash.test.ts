/**
 * A process that ends at any moment while somebody edits: at each operation on files in turn, nothing happens any more.
 * Whoever opens the run next finds it as it was before the edit, or after it.
 */

import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
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
async function newProcess() {
  vi.resetModules();
  life.left = Number.POSITIVE_INFINITY;
  const { cpu } = await import("../../src/runtime/native.ts");
  const { curateOn } = await import("../../src/run/curation/curate.ts");
  const { openRunOn } = await import("../../src/run/folder/openRun.ts");
  return { curate: curateOn([cpu]), openRun: openRunOn([cpu]) };
}

let folder: string;
let old: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-curation-"));
  old = join(folder, "old");
  // Without rows, so that a moment is all that an edit takes.
  await finishedRun(old, { method: "kmeans", source: { name: "memory" } });
  const { curate } = await newProcess();
  const curation = await curate(old);
  await curation.rename(0, "first");
  await curation.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const model = (path: string): Promise<Buffer> => readFile(join(path, "model.onnx"));

it.each(["merge", "undo"] as const)(
  "whenever it ends, the run is as it was before an edit, or after it: %s",
  async (deed) => {
    const seen = new Set<number>();
    for (let lived = 0; ; lived += 3) {
      const path = join(folder, `${deed}-${lived}`);
      await cp(old, path, { recursive: true });
      const before = await newProcess();
      const curation = await before.curate(path);
      life.left = lived;
      const edit = deed === "merge" ? curation.merge([1, 2], { name: "rest" }) : curation.undo();
      const isDone = await edit.then(
        () => true,
        () => false,
      );
      const after = await newProcess();
      await curation.close();
      // The lock of a process that is gone would be taken over; this one is still there.
      await rm(join(path, "lock"), { force: true });
      const run = await after.openRun(path);
      const clusters = (await run.names()).length;
      seen.add(run.curated ? clusters : 0);
      if (deed === "merge") expect([2, 3]).toContain(clusters);
      if (isDone) expect(run.curated ? clusters : 0).toBe(deed === "merge" ? 2 : 0);
      const place = run.curated ? join(path, run.curated.folder) : path;
      expect((await model(place)).length).toBeGreaterThan(0);
      const opened = await run.model();
      await opened.close();
      // And it can be edited on.
      const next = await after.curate(path);
      await next.rename(0, "again");
      await next.close();
      expect((await (await after.openRun(path)).names())[0]).toBe("again");
      expect((await readdir(path)).filter((name) => /^curated\./.test(name))).toEqual([]);
      if (isDone) break;
    }
    expect(seen).toEqual(new Set(deed === "merge" ? [3, 2] : [3, 0]));
  },
);
