/** What `--force` may replace: a run of Telltale, and of its folder what the run has written. */

import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { NodeModel } from "../../src/run/folder/nodeModel.ts";
import { openRunOn } from "../../src/run/folder/openRun.ts";
import { sortedFiles } from "../../src/run/folder/runFiles.ts";
import { RunFolder } from "../../src/run/folder/runFolder.ts";
import { save } from "../../src/run/folder/saveModel.ts";
import type { RunDescription } from "../../src/run/folder/schemas/runDescription.ts";
import { reportRun } from "../../src/run/use/reportRun.ts";
import { cpu } from "../../src/runtime/native.ts";
import { encodeCheckpoint } from "../../src/training/checkpoint.ts";
import { finishedRun } from "../support/run.ts";

let folder: string;
/** A run that is there already, and the files of another that is to take its place. */
let fitted: string;
beforeAll(async () => {
  fitted = await mkdtemp(join(tmpdir(), "telltale-fitted-"));
  await finishedRun(join(fitted, "run"), { method: "kmeans" });
});
afterAll(() => rm(fitted, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-force-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function savedRun(): Promise<string> {
  const path = join(folder, "run");
  await cp(join(fitted, "run"), path, { recursive: true });
  return path;
}

/** Every file below a folder, with what is in it. */
async function contents(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.sort().map(async (file) => [file.slice(path.length + 1), await readFile(file, "latin1")] as const),
  );
  return Object.fromEntries(texts);
}

/** What a training says while it is under way. */
async function training(path: string): Promise<RunDescription> {
  const { result: _, ...description } = await new RunFolder(path).description();
  return { ...description, status: "training" };
}

const begun = new Map([["epochs.jsonl", ""]]);

async function write(path: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
}

describe("a folder that is no run of Telltale", () => {
  it.each([
    ["has a run.json of somebody else", { "run.json": '{"name":"mine"}' }],
    ["has a run.json that is none", { "run.json": "to run on Monday" }],
    ["holds unfinished files of somebody else", { "film.part": "half of a film" }],
    ["holds somebody else's lock", { "lock.door": "" }],
    ["holds a lock that is none of ours, and nothing else", { lock: "of the front door" }],
  ])("%s: it is not replaced, even with force", async (_, files) => {
    await write(folder, files);
    await expect(RunFolder.create(folder, { force: true })).rejects.toThrow("no");
    expect(await contents(folder)).toEqual(files);
  });

  it.each(["done", "training"] as const)(
    "is one with a copy of the run.json of a run that is %s: nothing in it may go",
    async (status) => {
      const path = await savedRun();
      if (status === "training") {
        const run = await RunFolder.create(path, { force: true });
        await run.begin(await training(path), begun);
        await run.unlock();
      }
      const photos = join(folder, "photos");
      await write(photos, { "beach.jpg": "sand", "report.html": "mine", "README.md": "mine", "model.onnx": "mine" });
      await cp(join(path, "run.json"), join(photos, "run.json"));
      const before = await contents(photos);
      await expect(RunFolder.create(photos, { force: true })).rejects.toThrow("is not replaced");
      expect(await contents(photos)).toEqual(before);
      // Even where what makes it a run is copied along.
      for (const name of ["weights.safetensors", "epochs.jsonl"]) {
        await cp(join(path, name), join(photos, name)).catch(() => {});
      }
      const more = await contents(photos);
      await expect(RunFolder.create(photos, { force: true })).rejects.toThrow(
        /README.md, model.onnx, report.html are not as the run has written them, and would be lost/,
      );
      expect(await contents(photos)).toEqual(more);
    },
  );
});

describe("a run that its owner has edited", () => {
  it.each(["README.md", "report.html", "clusters.json", "run.json", "weights.safetensors"])(
    "is not replaced: %s",
    async (name) => {
      const path = await savedRun();
      await appendFile(join(path, name), "\n");
      const before = await contents(path);
      await expect(RunFolder.create(path, { force: true })).rejects.toThrow(/choose another folder$/);
      expect(await contents(path)).toEqual(before);
    },
  );
});

it("a file of the run's name that somebody has put there is not replaced by a new report, nor by any other", async () => {
  const path = await savedRun();
  await write(path, { "report.html": "mine", "exemplars/7.png": "mine" });
  const run = new RunFolder(path);
  await run.lock();
  for (const name of ["report.html", "exemplars/7.png"]) {
    await expect(run.write(name, "new")).rejects.toThrow(`${name} is not as the run has written it, and would be lost`);
    const output = run.output(name);
    await writeFile(output.part, "new");
    await expect(output.put()).rejects.toThrow(`${name} is not as the run has written it, and would be lost`);
    await output.release();
    expect(await readFile(join(path, name), "utf8")).toBe("mine");
  }
  await run.write("README.md", "new");
  await run.unlock();
  expect(await readFile(join(path, "README.md"), "utf8")).toBe("new");
});

describe("a run of an older Telltale, which lists no files", () => {
  const format1 = fileURLToPath(new URL("fixtures/format1", import.meta.url));
  const older = async (): Promise<string> => {
    await cp(format1, join(folder, "older"), { recursive: true });
    return join(folder, "older");
  };

  it("is ours where its weights are those of its model", async () => {
    const path = await older();
    expect(await sortedFiles(path)).toMatchObject({ changed: [], others: [], isRun: true });
    const before = await contents(path);
    const run = await RunFolder.create(path, { force: true });
    await run.begin(await training(path), begun);
    await run.discard();
    await run.unlock();
    expect(await contents(path)).toEqual(before);
  });

  it("is not where they are others, nor is a README.md that people wrote", async () => {
    const path = await older();
    await writeFile(join(path, "README.md"), "# My notes\n");
    await expect(RunFolder.create(path, { force: true })).rejects.toThrow("README.md is not as the run has written it");
    await appendFile(join(path, "weights.safetensors"), "!");
    await expect(RunFolder.create(path, { force: true })).rejects.toThrow("does not belong to the files beside it");
    expect(await readFile(join(path, "README.md"), "utf8")).toBe("# My notes\n");
  });
});

it("a new run takes the place of the old one's files, and leaves those of others", async () => {
  const path = await savedRun();
  const own = { "data.csv": "mine", "notes.txt": "mine", "exemplars/mine.png": "mine", "constructor/mine": "mine" };
  await write(path, own);
  await symlink(join(folder, "elsewhere"), join(path, "model.bak"));
  const run = await RunFolder.create(path, { force: true });
  await run.begin(await training(path), begun);
  await run.finish();
  await run.unlock();
  const { "run.json": _, ...rest } = await contents(path);
  expect(rest).toEqual({ ...own, "epochs.jsonl": "" });
  expect(await readdir(path)).toContain("model.bak");
});

describe("the run that is replaced", () => {
  it("is there again, byte for byte, where the new one fails, at whatever moment", async () => {
    const path = await savedRun();
    await write(path, { "notes.txt": "mine" });
    const before = await contents(path);
    const description = await training(path);
    const steps: ((run: RunFolder) => Promise<void>)[] = [
      async () => {},
      (run) => run.begin(description, begun),
      (run) => run.write("README.md", "new"),
      (run) => run.write("exemplars/7.png", "new"),
      (run) => run.write("checkpoint/fit.safetensors", encodeCheckpoint({ fit: new Map() } as never)),
    ];
    for (let last = 1; last <= steps.length; last++) {
      const run = await RunFolder.create(path, { force: true });
      for (const step of steps.slice(0, last)) await step(run);
      await run.discard();
      await run.unlock();
      expect(await contents(path)).toEqual(before);
    }
  });

  it("lies aside while the new one is not whole, also when that is replaced once more", async () => {
    const path = await savedRun();
    const before = await contents(path);
    for (let time = 0; time < 2; time++) {
      const run = await RunFolder.create(path, { force: true });
      await run.begin(await training(path), begun);
      await run.write("README.md", "half");
      await run.unlock();
      expect((await new RunFolder(path).description()).status).toBe("training");
      const { "moved.json": _, ...aside } = await contents(join(path, ".replaced"));
      expect(aside).toEqual(before);
    }
    const last = await RunFolder.create(path, { force: true });
    await last.begin(await training(path), begun);
    await last.finish();
    await last.unlock();
    expect((await readdir(path)).sort()).toEqual(["epochs.jsonl", "run.json"]);
  });

  it("comes back before anything is read where a process was ended on the way there or back", async () => {
    const path = await savedRun();
    const before = await contents(path);
    const names = Object.keys(before);
    for (let moved = 0; moved <= names.length; moved++) {
      await mkdir(join(path, ".replaced"));
      await writeFile(join(path, ".replaced", "moved.json"), JSON.stringify(names));
      const order = ["run.json", ...names.filter((name) => name !== "run.json")].slice(0, moved);
      for (const name of order) {
        await cp(join(path, name), join(path, ".replaced", name));
        await rm(join(path, name));
      }
      expect((await openRunOn([cpu])(path)).description.status).toBe("done");
      expect(await contents(path)).toEqual(before);
    }
  });

  it("goes with the next writer where a process was ended between the new one's end and its removal", async () => {
    const path = await savedRun();
    await cp(path, join(path, "../old"), { recursive: true });
    const run = await RunFolder.create(path, { force: true });
    const description = await run.description();
    await run.begin(description, new Map([["weights.safetensors", "new"]]));
    await run.unlock();
    expect(await readdir(path)).toContain(".replaced");
    await writeFile(join(path, ".replaced", `moved.json.${2 ** 22 + 1}-0123456789ab.part`), "[");
    expect((await new RunFolder(path).description()).status).toBe("done");
    expect((await readdir(path)).sort()).toEqual(["run.json", "weights.safetensors"]);
  });

  it("what a model that is saved was about to write is known again after an end, and goes", async () => {
    const path = join(folder, "new");
    const run = await RunFolder.create(path);
    await run.begin(await new RunFolder(await savedRun()).description(), new Map([["weights.safetensors", "new"]]));
    await run.unlock();
    const dead = 2 ** 22 + 1;
    const part = join(path, `run.json.${dead}-0123456789ab.part`);
    await writeFile(part, await readFile(join(path, "run.json")));
    await rm(join(path, "run.json"));
    const again = await RunFolder.create(path);
    expect(await readdir(path)).toEqual(["lock"]);
    await again.unlock();
  });
});

describe("a folder for a new run that comes to nothing", () => {
  it("is gone, with those above it that are new; one that was there stays", async () => {
    const run = await RunFolder.create(join(folder, "a", "b", "run"));
    await run.unlock();
    expect(await readdir(folder)).toEqual([]);
    await mkdir(join(folder, "empty"));
    const other = await RunFolder.create(join(folder, "empty"));
    await other.begin(await training(join(fitted, "run")), begun);
    await other.discard();
    await other.unlock();
    expect(await readdir(join(folder, "empty"))).toEqual([]);
  });

  it("says in words why it cannot be made", async () => {
    await writeFile(join(folder, "file"), "");
    await expect(RunFolder.create(join(folder, "file"))).rejects.toThrow("is a file, not a folder");
    await expect(RunFolder.create(join(folder, "file", "run"))).rejects.toThrow(/is a file, not a folder/);
    await expect(RunFolder.create("/proc/run")).rejects.toThrow(/^\/proc\/run: cannot be written \(.* .*\); /);
  });
});

describe("a link in a run folder", () => {
  const names = [
    "run.json",
    "epochs.jsonl",
    "README.md",
    "report.html",
    "weights.safetensors",
    "checkpoint",
    "stream",
    "exemplars",
    ".replaced",
    "checkpoint/fit.safetensors",
    "stream/state.safetensors",
    "exemplars/0.png",
    ".replaced/run.json",
    ".replaced/exemplars",
  ];
  it.each(names)("is never written through, nor is what it leads to removed: %s", async (name) => {
    const path = await savedRun();
    const precious = join(folder, "precious");
    const isFolder = !name.includes(".") || name === ".replaced" || name === ".replaced/exemplars";
    await write(
      folder,
      isFolder ? { "precious/0.png": "mine", "precious/fit.safetensors": "mine" } : { precious: "mine" },
    );
    await mkdir(dirname(join(path, name)), { recursive: true });
    if (name === "run.json") await cp(join(path, name), precious);
    await rm(join(path, name), { force: true });
    await symlink(precious, join(path, name));
    const before = await contents(folder);
    const refused = "nothing is written to a run folder that leads elsewhere";
    await expect(new RunFolder(path).lock()).rejects.toThrow(refused);
    await expect(RunFolder.create(path, { force: true })).rejects.toThrow();
    expect(await contents(folder)).toEqual(before);
  });
});

it("report and save leave a run that may be replaced", async () => {
  const path = await savedRun();
  const run = await openRunOn([cpu])(path);
  await reportRun(run);
  expect(await sortedFiles(path)).toMatchObject({ changed: [], others: [], isRun: true });
  const model = (await run.model()) as NodeModel;
  await save(model, path, { force: true });
  await model.close();
  expect(await sortedFiles(path)).toMatchObject({ changed: [], others: [], isRun: true });
  expect(await readdir(path)).not.toContain("report.html");
});
